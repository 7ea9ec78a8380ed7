"""A model that learns new words: both vocabularies grow, and everything learned so far is kept.

A word's number may change (with a shared table the target words come first), its weights never do.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from l2a.checkpoint import build_codec
from l2a.network.model import L2AModel
from l2a.tagger import Tagger
from l2a.text.vocabulary import FIRST_WORD, Vocabulary, most_frequent
from l2a.training.cutting import Words

# Tensors with one row a word; all others are taken over as they are.
_SOURCE_TABLES = ("source_table.dense.weight", "source_table.sparse.weight")
_TARGET_TABLES = ("target_table.weight", "output.weight", "output.bias")


def grow(tagger: Tagger, questions: Iterable[Words], seed: int = 1) -> tuple[Tagger, list[str]]:
    """The tagger with the words of these questions added, and the words it can now write that it could not before.

    Words of their tags join the target words; words of their text join the source words when they occur as often as
    the model asks of its training data. What the model said before it says still, but for the share of probability
    that new, untrained words take. A question that was counted before is not counted again.
    """
    questions = list(questions)
    codec, config = tagger.codec, tagger.config
    tag_words = Counter(word for q in questions for tag in q.tags for word in codec.tag_words(tag))
    new_target = [word for word in most_frequent(tag_words) if word not in codec.target]
    new_tags = frozenset(new_target)
    text_words = Counter(word for q in questions for word in (*q.source, *q.hints))
    new_source = [
        word
        for word in most_frequent(text_words, at_least=config.min_source_count)
        # With one table for both sides a new target word is a source word already.
        if word not in codec.source and not (config.share_embeddings and word in new_tags)
    ]
    target = Vocabulary((*codec.target.words, *new_target))
    if config.share_embeddings:
        only_source = [word for word in codec.source.words if word not in target]
        source = Vocabulary((*target.words, *only_source, *new_source))
    else:
        source = Vocabulary((*codec.source.words, *new_source))
    grown = replace(
        config,
        source_vocabulary=max(config.source_vocabulary, len(source)),
        target_vocabulary=max(config.target_vocabulary, len(target)),
    )
    torch.manual_seed(seed)  # of the new rows
    model = L2AModel(grown, len(source), len(target))
    _take_over(model, tagger.model.state_dict(), (codec.source, source), (codec.target, target))
    model.eval()
    frequencies, counted = tagger.counted.recount(tagger.frequencies, questions)
    return (
        replace(
            tagger,
            model=model,
            codec=build_codec(grown, codec.segmenter, source, target),
            config=grown,
            frequencies=frequencies,
            counted=counted,
            version="unsaved",
        ),
        new_target,
    )


def _take_over(model: L2AModel, old: Mapping[str, Tensor], source: Sequence[Vocabulary], target) -> None:
    """Copy weights; rows of words are found by the word. `source` and `target` are (before, after)."""
    state = model.state_dict()
    old_rows = torch.cat([old[name] for name in _SOURCE_TABLES if name in old])  # (source words before, D)
    new_rows = torch.cat([state[name] for name in _SOURCE_TABLES if name in state])
    _copy_rows(new_rows, old_rows, *source)
    first = 0
    for name in _SOURCE_TABLES:
        if name in state:
            state[name] = new_rows[first : first + len(state[name])]
            first += len(state[name])
    for name, tensor in old.items():
        if name in _TARGET_TABLES:
            _copy_rows(state[name], tensor, *target)
        elif name not in _SOURCE_TABLES:
            state[name] = tensor
    model.load_state_dict(state)


def _copy_rows(new: Tensor, old: Tensor, before: Vocabulary, after: Vocabulary) -> None:
    numbers = torch.tensor([*range(FIRST_WORD), *after.numbers(before.words)])
    new[numbers] = old
