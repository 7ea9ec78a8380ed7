"""Why a tag: attention of one teacher-forced pass, its summaries, and a check by occlusion (paper section 4.7).

Attention looks at BiLSTM states: the state under a word has read the whole question, so a weight says where the
decoder looked, not what it would have missed. The occlusion check says that: it removes one word at a time and
measures how far the tag's log-probability falls.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.stats import spearmanr

from l2a.data.questions import Question
from l2a.errors import InputError
from l2a.messages import Message
from l2a.tagger import Tagger
from l2a.text.batch import pad_sources, pad_targets
from l2a.text.codec import EncodedSource
from l2a.text.ordering import FIRST_SYMBOLS, members
from l2a.text.vocabulary import END, SPECIALS

SUMMARIES = ("mean", "max", "rollout")
_OCCLUSION_BATCH = 16


@dataclass(frozen=True)
class Explanation:
    """Attention for one question and one tag sequence. L layers, H heads, T steps, S source words."""

    source_words: tuple[str, ...]  # S
    input_words: tuple[str, ...]  # T: `<s>` and the words read so far, the columns of self-attention
    output_words: tuple[str, ...]  # T: the word each step predicts, the rows of both
    tag_of_step: tuple[int, ...]  # T: which tag the step writes, -1 for the end symbol
    tags: tuple[str, ...]
    cross: np.ndarray  # (L, H, T, S), rows sum to 1
    self: np.ndarray | None  # (L, H, T, T), rows sum to 1; None for an LSTM decoder
    log_probabilities: np.ndarray  # (T,) of each predicted word
    model_version: str
    order: str  # of the member that wrote the tags
    notes: tuple[Message, ...] = ()
    hints: int = 0  # source words at the end that are not of the text

    def cross_summary(self, how: str = "mean") -> np.ndarray:
        """(T, S): mean or max over layers and heads, or rollout."""
        return self._rollout()[:, : len(self.source_words)] if how == "rollout" else _summarise(self.cross, how)

    def self_summary(self, how: str = "mean") -> np.ndarray:
        """(T, T): mean or max over layers and heads, or rollout; raises InputError for an LSTM decoder."""
        if self.self is None:
            raise InputError("explain.no_self_attention")
        return self._rollout()[:, len(self.source_words) :] if how == "rollout" else _summarise(self.self, how)

    def tag_attention(self, tag: int, how: str = "mean") -> np.ndarray:
        """(S,): cross-attention of one tag, averaged over the steps that write it."""
        steps = [step for step, of in enumerate(self.tag_of_step) if of == tag]
        return self.cross_summary(how)[steps].mean(axis=0)

    def tag_log_probability(self, tag: int) -> float:
        """Of the tag's words and its delimiter, given what was written before."""
        return float(sum(p for p, of in zip(self.log_probabilities, self.tag_of_step, strict=True) if of == tag))

    def _rollout(self) -> np.ndarray:
        """(T, S + T): how much of each final decoder state comes from each encoder state and each input word.

        Abnar and Zuidema's rollout for a decoder over fixed encoder states: every attention sub-layer passes on
        half of its input (the residual connection) and half of what it attended to, heads averaged. Encoder
        states are leaves here; mixing between words inside the BiLSTM is not counted. Rows sum to 1.
        """
        layers, _, steps, words = self.cross.shape
        mixed = np.concatenate([np.zeros((steps, words)), np.eye(steps)], axis=1)
        for layer in range(layers):
            if self.self is not None:
                mixed = 0.5 * mixed + 0.5 * self.self[layer].mean(axis=0) @ mixed
            looked = np.concatenate([self.cross[layer].mean(axis=0), np.zeros((steps, steps))], axis=1)
            mixed = 0.5 * mixed + 0.5 * looked
        return mixed


@dataclass(frozen=True)
class Occlusion:
    """How much each source word's removal lowers a tag's log-probability."""

    tag: str
    log_probability: float  # with all words
    drops: np.ndarray  # (S,) positive: the word helps
    attention: np.ndarray  # (S,) the tag's attention, for comparison
    rank_correlation: float | None  # Spearman's; None where it is not defined (one word, or all equal)


def explain(tagger: Tagger, question: Question, tags: Sequence[str]) -> Explanation:
    """Attention of the pass that writes exactly these tags, in this order.

    Of a model with two members, the one that finds them more probable writes them: the other would rather have had
    them in its own order. Raises InputError for no tags, or a tag with a word the model can neither generate nor copy
    here.
    """
    source, numbers, tag_of_step = _prepare(tagger, question, tags)
    orders = members(tagger.order)
    tagger.model.eval()
    passes = []
    with torch.inference_mode():
        memory = tagger.model.encode(pad_sources([source]))
        for first in FIRST_SYMBOLS[: len(orders)]:
            inputs, targets = pad_targets([numbers], [first])
            hidden, seen = tagger.model.decode(inputs, memory)
            passes.append((tagger.model.target_log_probs(hidden, memory, targets)[0], seen))
    member = max(range(len(passes)), key=lambda place: float(passes[place][0].sum()))
    log_probabilities, seen = passes[member]
    output_words = tuple(tagger.codec.word(number, source.extra_words) for number in numbers)
    return Explanation(
        source_words=source.words,
        input_words=(SPECIALS[FIRST_SYMBOLS[member]], *output_words[:-1]),
        output_words=output_words,
        tag_of_step=tag_of_step,
        tags=tuple(tags),
        cross=torch.cat(seen.cross).numpy(),
        self=torch.cat(seen.self).numpy() if seen.self else None,
        log_probabilities=log_probabilities.numpy(),
        model_version=tagger.version,
        order=orders[member],
        notes=source.notes,
        hints=source.hints,
    )


def occlude(tagger: Tagger, question: Question, tags: Sequence[str], tag: int, how: str = "mean") -> Occlusion:
    """Remove each source word in turn and score `tags[tag]` again; compare with its attention."""
    explanation = explain(tagger, question, tags)
    source, numbers, tag_of_step = _prepare(tagger, question, tags)
    whole = explanation.tag_log_probability(tag)
    symbol = FIRST_SYMBOLS[members(tagger.order).index(explanation.order)]
    without = [_without_word(source, place) for place in range(len(source.words))]
    scores: list[float] = []
    tagger.model.eval()
    steps = torch.tensor([of == tag for of in tag_of_step])
    with torch.inference_mode():
        for first in range(0, len(without), _OCCLUSION_BATCH):
            part = without[first : first + _OCCLUSION_BATCH]
            inputs, targets = pad_targets([numbers] * len(part), [symbol] * len(part))
            memory = tagger.model.encode(pad_sources(part))
            hidden, _ = tagger.model.decode(inputs, memory)
            log_probs, _ = tagger.model.target_log_probs(hidden, memory, targets)
            scores.extend(log_probs.view(len(part), -1)[:, steps].sum(dim=1).tolist())
    drops = whole - np.array(scores)
    attention = explanation.tag_attention(tag, how)
    return Occlusion(tags[tag], whole, drops, attention, _rank_correlation(drops, attention))


def _prepare(
    tagger: Tagger, question: Question, tags: Sequence[str]
) -> tuple[EncodedSource, list[int], tuple[int, ...]]:
    """(source, target numbers with the end symbol, which tag each step writes)."""
    if not tags:
        raise InputError("explain.no_tag")
    source = tagger.encode(question)
    for tag in tags:
        if not tag or not tagger.codec.can_write(tag, source.extra_words):
            unknown = [w for w in tagger.codec.tag_words(tag) if not tagger.codec.can_write_word(w, source.extra_words)]
            if not unknown:
                raise InputError("tag.unknown", tag=tag)
            raise InputError("tag.unknown_words", tag=tag, words=", ".join(map(repr, unknown)))
    numbers: list[int] = []
    tag_of_step: list[int] = []
    for place, tag in enumerate(tags):
        written = tagger.codec.encode_tags([tag], source.extra_words)[:-1]
        numbers.extend(written)
        tag_of_step.extend([place] * len(written))
    return source, [*numbers, END], (*tag_of_step, -1)


def _without_word(source: EncodedSource, place: int) -> EncodedSource:
    """The question with one word left out. Extra words keep their numbers, so that the tag can still be spelled."""
    return EncodedSource(
        words=source.words[:place] + source.words[place + 1 :],
        ids=np.delete(source.ids, place),
        copy_ids=np.delete(source.copy_ids, place),
        extra_words=source.extra_words,
        extra_inputs=source.extra_inputs,
    )


def _summarise(weights: np.ndarray, how: str) -> np.ndarray:
    """(L, H, T, n) -> (T, n)."""
    if how not in ("mean", "max"):
        raise InputError("explain.no_summary", how=how, valid=", ".join(SUMMARIES))
    return weights.mean(axis=(0, 1)) if how == "mean" else weights.max(axis=(0, 1))


def _rank_correlation(first: np.ndarray, second: np.ndarray) -> float | None:
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(spearmanr(first, second).statistic)
