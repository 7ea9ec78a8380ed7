"""The decoder of `l2a.network.model` for one step of many beams, arranged for speed; the same numbers within rounding.

What differs from `L2AModel.step`, which is the reference and is tested against this:
- beams lie behind each other as rows, those of a question together: none is computed that is not live, and no
  question is padded to the length of another;
- what was read is a tree that beams share (`l2a.search.fast.past`), not a copy for each of them;
- what can be worked out of a question before the first step is (`l2a.search.fast.question_attention`);
- the output layer, and in wide models every linear layer, may be in 8 bits (`l2a.search.fast.quantised`). Then each
  question must go through them alone: their scale is that of what they are given, and no other question may change it;
- the output layer hands out plain scores of words and their logarithmic total, never a matrix of probabilities.

Some weights are copies, packed or joined, which `decoder_for` makes anew when the model has changed.

Shapes as in `l2a.network.model`, of one question: K live beams, S source words, H heads of d numbers; R rows, the
beams of all questions that are read together.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from l2a.network.decoder import DecoderLayer
from l2a.network.layers import Attention
from l2a.network.model import L2AModel, Memory
from l2a.search.fast.expansion import WordScores, words_scored_once
from l2a.search.fast.past import Past
from l2a.search.fast.quantised import Linear, is_available, linear
from l2a.search.fast.question_attention import QuestionAttention, to_long_question, to_short_question
from l2a.text.batch import SourceBatch

# Narrower layers stay in float32: 8 bits spare them little, and cost the starter (256) up to 4 of 1,000 voted tags.
_WIDE = 512
_ROWS = 64  # beams of several questions that go through the output layer together


@dataclass(frozen=True)
class View:
    """What the decoder looks at of one question, shared by all its beams."""

    source: SourceBatch  # of this question alone
    attentions: list[QuestionAttention]  # one a layer
    pointer_keys: Tensor | None  # (D, S), divided by the root of D


@dataclass
class Reading:
    """One question in the middle of a search."""

    tokens: Tensor  # (K,) the words that its beams read next
    past: Past
    view: View


class FastDecoder:
    """One model's decoder. `int8`: in 8 bits where that pays; see `l2a.search.fast.quantised.is_available`."""

    def __init__(self, model: L2AModel, int8: bool = False):
        self.model, self.int8 = model, int8
        self.weights = weights_of(model)
        self.is_all_int8 = int8 and model.config.width >= _WIDE
        self._layers = [_FastLayer(layer, number, self.is_all_int8) for number, layer in enumerate(model.layers)]
        output = model.output
        self._words = model.source_table.tied_rows if output is None else output.weight  # (V, D)
        self._word_bias = None if output is None else output.bias  # (V,)
        self._score_all = linear(self._words, self._word_bias, int8)
        if int8:
            self._once = words_scored_once(len(self._words))  # (n,)
            bias = _bias_of(self._word_bias, self._once)
            self._score_once = linear(self._words.detach()[self._once], bias, int8=False)
        if model.config.copy:
            self._pointer_query = linear(model.pointer_query.weight, model.pointer_query.bias, self.is_all_int8)

    def begin(self, memory: Memory, starts: Sequence[int]) -> list[Reading]:
        """Every question of the memory with one beam, about to read its first symbol."""
        config = self.model.config
        lengths = memory.mask.sum(dim=1).tolist()
        return [
            Reading(
                torch.tensor([start]),
                Past(config.decoder_layers, config.heads, config.width),
                self._view(memory, question, length),
            )
            for question, (start, length) in enumerate(zip(starts, lengths, strict=True))
        ]

    def _view(self, memory: Memory, question: int, length: int) -> View:
        config, source = self.model.config, memory.source
        only = slice(question, question + 1)
        attentions = [
            layer.attention_to(keys[question, :, :length], values[question, :, :length])
            for layer, (keys, values) in zip(self._layers, memory.keys_values, strict=True)
        ]
        pointer_keys = None
        if memory.pointer_keys is not None:
            pointer_keys = (memory.pointer_keys[question, :length] / math.sqrt(config.width)).mT.contiguous()
        mine = SourceBatch(
            source.ids[only, :length], source.lengths[only], source.copy_ids[only, :length], source.extra_inputs[only]
        )
        return View(mine, attentions, pointer_keys)

    def step(self, readings: Sequence[Reading]) -> Sequence[Tensor]:
        """Read one more word on every beam; hidden states, (K, D) a question. One question only where `is_all_int8`."""
        rows = []
        for reading in readings:
            past = reading.past
            x, position = self.model.read(reading.tokens[None], past.position[None], reading.view.source)
            rows.append(x[0])
            past.position = position[0]
            past.grow()
        x, sizes = _stack(rows), list(map(len, rows))  # (R, D)
        for layer in self._layers:
            x = layer.step(x, readings, sizes)
        return x.split(sizes)

    def word_scores(self, hidden: Sequence[Tensor]) -> Iterator[WordScores]:
        """The output layer: hidden is (K, D) of every question, its answer (K, V), asked for one after the other.

        Few beams go through it together with those of the next questions: the weights are read once for all of them.
        Many go alone, so that their scores stay in the processor's cache.
        """
        for together in [[mine] for mine in hidden] if self.int8 else _groups(hidden):
            scores = self._score_all(_stack(together)).split([len(mine) for mine in together])
            yield from map(self._word_scores, together, scores)

    def _word_scores(self, hidden: Tensor, scores: Tensor) -> WordScores:
        """Of one question: (K, D), (K, V)."""
        if not self.int8:
            return WordScores(scores)

        def exact(beams: Tensor, words: Tensor) -> Tensor:
            bias = _bias_of(self._word_bias, words)
            if words.dim() == 1:  # the same for all beams
                return F.linear(hidden, self._words[words], bias)
            found = (hidden[beams] * self._words[words]).sum(dim=-1)  # (n, 1, D) each
            return found if bias is None else found + bias

        scores[:, self._once] = self._score_once(hidden)
        return WordScores(scores, exact)

    def pointer(self, hidden: Tensor, view: View) -> tuple[Tensor, Tensor]:
        """As `L2AModel` with `copy`, of one question: where to copy from, (K, S), and the logit of copying, (K, 1)."""
        if view.pointer_keys is None:
            raise ValueError("this view was made by a model that does not copy")
        return (self._pointer_query(hidden) @ view.pointer_keys).softmax(dim=-1), self.model.copy_gate(hidden)


def decoder_for(model: L2AModel, int8: bool, last: FastDecoder | None = None) -> FastDecoder:
    """A decoder for the model as it is now: the last one where it still fits. In float32 where 8 bits are not had."""
    int8 = int8 and is_available()
    if last is not None and last.model is model and last.int8 == int8 and last.weights == weights_of(model):
        return last
    return FastDecoder(model, int8)


def weights_of(model: L2AModel) -> tuple[tuple[int, int], ...]:
    """Where the weights lie and how often they were changed: another tuple once they are others.

    PyTorch counts most changes by itself; `Optimiser` says so of those it does not count, and a tagger whose model was
    in training takes no old decoder at all.
    """
    return tuple((parameter.data_ptr(), parameter._version) for parameter in model.parameters())


class _FastLayer:
    """One decoder layer; see `DecoderLayer.step`."""

    def __init__(self, layer: DecoderLayer, number: int, int8: bool):
        self._layer, self._number, self._int8 = layer, number, int8
        history, cross = layer.history, layer.cross
        if isinstance(history, Attention):
            self._project_history = _together(history, int8)
            self._join_history = linear(history.output.weight, history.output.bias, int8)
        else:
            weight = history.get_parameter
            self._from_input = linear(weight("weight_ih_l0"), weight("bias_ih_l0"), int8)
            self._from_state = linear(weight("weight_hh_l0"), weight("bias_hh_l0"), int8)
        self._project_query = linear(cross.query.weight, cross.query.bias, int8)
        self._join_heads = linear(cross.output.weight, cross.output.bias, int8)
        # Attributes of modules are looked up slowly, and these are needed in every step.
        self._is_lstm, self._heads = not isinstance(history, Attention), cross.heads
        norms = (layer.history_norm, layer.cross_norm, layer.feed_forward_norm)
        self._norms = [(norm.normalized_shape, norm.weight, norm.bias, norm.eps) for norm in norms]
        wide, narrow = (part for part in layer.feed_forward if isinstance(part, nn.Linear))
        self._widen = linear(wide.weight, wide.bias, int8, relu=True)
        self._narrow = linear(narrow.weight, narrow.bias, int8)

    def step(self, x: Tensor, readings: Sequence[Reading], sizes: list[int]) -> Tensor:
        """x: (R, D) -> (R, D), sizes: rows of each question; every past takes in what the next step needs."""
        remember = self._lstm if self._is_lstm else self._attend_to_history
        after_history, after_question, after_feed_forward = self._norms
        x = F.layer_norm(remember(x, readings, sizes).add_(x), *after_history)
        x = F.layer_norm(self._attend_to_question(x, readings, sizes).add_(x), *after_question)
        return F.layer_norm(self._narrow(self._widen(x)).add_(x), *after_feed_forward)

    def _lstm(self, x: Tensor, readings: Sequence[Reading], sizes: list[int]) -> Tensor:
        before = [reading.past.states[self._number] for reading in readings]
        if before[0] is None:  # nobody has read anything
            state, cell = torch.zeros_like(x), torch.zeros_like(x)
        else:
            state, cell = (_stack(list(part)) for part in zip(*before, strict=True))  # (R, D)
        let_in, keep, new, let_out = (self._from_input(x) + self._from_state(state)).chunk(4, dim=-1)
        cell = keep.sigmoid() * cell + let_in.sigmoid() * new.tanh()
        state = let_out.sigmoid() * cell.tanh()
        for reading, *mine in zip(readings, state.split(sizes), cell.split(sizes), strict=True):
            reading.past.states[self._number] = (mine[0], mine[1])
        return state.clone()  # the caller adds to it

    def _attend_to_history(self, x: Tensor, readings: Sequence[Reading], sizes: list[int]) -> Tensor:
        heads, width = self._heads, x.shape[1]
        mixed = []
        for reading, projected in zip(
            readings, self._project_history(x).split_with_sizes(sizes), strict=True
        ):  # (K, 3 * D)
            query, new = projected.split_with_sizes([width, 2 * width], dim=1)
            keys, values = reading.past.remember(self._number, new)  # (H, d, N), (H, N, d)
            by_head = query.view(len(query), heads, -1).transpose(0, 1)  # (H, K, d)
            shade = reading.past.shade.expand(heads, -1, -1)  # (H, K, N)
            scores = torch.baddbmm(shade, by_head, keys, alpha=math.sqrt(heads / width))
            mixed.append(torch.bmm(scores.softmax(dim=-1), values).transpose(0, 1).reshape(query.shape))
        return self._join_history(_stack(mixed))

    def attention_to(self, keys: Tensor, values: Tensor) -> QuestionAttention:
        """Keys and values of a question, (H, S, d)."""
        if keys.shape[1] * len(keys) > self._layer.cross.output.in_features:
            return to_long_question(keys, values, self._project_query, self._join_heads)
        return to_short_question(self._layer.cross, keys, values, self._int8)

    def _attend_to_question(self, x: Tensor, readings: Sequence[Reading], sizes: list[int]) -> Tensor:
        rows = x.split_with_sizes(sizes)
        return _stack(
            [reading.view.attentions[self._number](mine) for reading, mine in zip(readings, rows, strict=True)]
        )


def _groups(hidden: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    """Neighbours with few beams together, in order; hidden: (K, D) each."""
    group: list[Tensor] = []
    for mine in hidden:
        if group and sum(map(len, group)) + len(mine) > _ROWS:
            yield group
            group = []
        group.append(mine)
    if group:
        yield group


def _stack(parts: list[Tensor]) -> Tensor:
    """The rows of all questions, (R, D); those of a single one are not copied."""
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _together(attention: Attention, int8: bool) -> Linear:
    """Query, key and value of the same rows in one product: (R, D) -> (R, 3 * D)."""
    parts = (attention.query, attention.key, attention.value)
    return linear(torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts]), int8)


def _bias_of(bias: Tensor | None, words: Tensor) -> Tensor | None:
    """Of some words, in their shape."""
    return None if bias is None else bias[words]
