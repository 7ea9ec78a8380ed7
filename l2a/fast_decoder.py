"""The decoder of `l2a.model` for one step of many beams, arranged for speed; the same numbers within rounding.

What differs from `L2AModel.step`, which is the reference and is tested against this:
- the output layer, and in wide models every linear layer, may be in 8 bits (`l2a.quantised`);
- keys and values of earlier steps lie by time in one of two buffers that take turns: to follow the beams and to
  append a step is one pass of copying, and no memory is asked for again in every step;
- keys and values of the question are prepared once: divided, turned, and with a mask only where there is padding;
- the output layer hands out plain scores of words and their logarithmic total, never a matrix of probabilities.

In float32 the weights are those of the model itself: it may go on learning. In 8 bits they are packed copies, which
`decoder_for` makes anew when the model has changed.

Shapes as in `l2a.model`; R = B * K rows, one a beam.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from l2a.fast_expansion import WordScores
from l2a.model import Attention, DecoderLayer, L2AModel, Memory
from l2a.quantised import Int8Linear, is_available

Linear = Callable[[Tensor], Tensor]
# Narrower layers stay in float32: 8 bits spare them little, and cost the starter (256) 2 of 100 voted tags.
_WIDE = 512


@dataclass(frozen=True)
class Glance:
    """What one decoder layer sees of the questions."""

    keys: Tensor  # (B, H, d, S), divided by the root of d already
    values: Tensor  # (B, H, S, d)

    def of(self, questions: Tensor) -> "Glance":
        return Glance(self.keys[questions], self.values[questions])


@dataclass(frozen=True)
class FastMemory:
    """What the decoder looks at, shared by all beams of a question."""

    plain: Memory
    layers: list[Glance]
    shade: Tensor | None  # (B, 1, 1, S) minus infinity at padding; None where no question has any
    pointer_keys: Tensor | None  # (B, D, S), divided by the root of D

    def of(self, questions: list[int]) -> "FastMemory":
        """The memory of some of the questions."""
        rows = torch.tensor(questions)
        return FastMemory(
            self.plain.of(rows),
            [layer.of(rows) for layer in self.layers],
            None if self.shade is None else self.shade[rows],
            None if self.pointer_keys is None else self.pointer_keys[rows],
        )


class Track:
    """A row of numbers for every beam and every step so far, by time: (t, R, D)."""

    def __init__(self) -> None:
        self._steps = torch.empty(0, 0, 0)
        self._buffers = [torch.empty(0), torch.empty(0)]  # the steps are in the first

    def append(self, parents: Tensor | None, new: Tensor) -> Tensor:
        """Follow the parents, (R',), and put one more step behind: new (R', D) -> (t + 1, R', D)."""
        before = len(self._steps)
        size = (before + 1) * new.numel()
        spare = self._buffers[1]
        if len(spare) < size:
            spare = torch.empty(2 * size)
        steps = spare[:size].view(before + 1, *new.shape)
        if before and parents is not None:
            torch.index_select(self._steps, 1, parents, out=steps[:-1])
        elif before:
            steps[:-1] = self._steps
        steps[-1] = new
        self._steps, self._buffers = steps, [spare, self._buffers[0]]
        return steps

    def replace(self, parents: Tensor | None) -> Tensor | None:
        """What an LSTM does: the only step there is, of the parents, is taken off; (R', D) or None before the first."""
        if not len(self._steps):
            return None
        last, self._steps = self._steps[-1], torch.empty(0, 0, 0)
        return last.clone() if parents is None else last.index_select(0, parents)


@dataclass
class Past:
    """What the beams have read."""

    position: Tensor  # (B, K) of the words being read
    layers: list[tuple[Track, Track]]  # keys and values, or the two states of an LSTM
    parents: Tensor | None = None  # (R',) rows that the next step goes on with; None: all, as they are

    def follow(self, parents: Tensor) -> "Past":
        """The past of new beams: parents (B, K') are places among the K beams of the same question."""
        questions, beams = self.position.shape
        first = torch.arange(questions).unsqueeze(1) * beams  # (B, 1)
        return Past(self.position.gather(1, parents), self.layers, (first + parents).flatten())

    def of(self, questions: list[int]) -> "Past":
        """The past of some of the questions, after `follow`."""
        count = len(self.position)
        return Past(self.position[questions], self.layers, self.parents.view(count, -1)[questions].flatten())


class FastDecoder:
    """One model's decoder. `int8`: in 8 bits where that pays; see `l2a.quantised.is_available`."""

    def __init__(self, model: L2AModel, int8: bool = False):
        self.model, self.int8 = model, int8
        self.weights = weights_of(model)
        is_wide = model.config.width >= _WIDE
        self._layers = [_FastLayer(layer, int8 and is_wide) for layer in model.decoder]
        output = model.output
        self._words, self._word_bias = (
            (model.source_table.dense.weight, None) if output is None else (output.weight, output.bias)
        )  # (V, D), (V,)
        self._score_all = _linear(self._words, self._word_bias, int8)
        if model.config.copy:
            self._pointer_query = _linear(model.pointer_query.weight, model.pointer_query.bias, int8 and is_wide)

    def prepare(self, memory: Memory) -> FastMemory:
        """Once a question."""
        root = math.sqrt(self.model.config.width // self.model.config.heads)
        layers = [
            Glance((keys / root).transpose(-1, -2).contiguous(), values.contiguous())
            for keys, values in memory.keys_values
        ]
        shade = torch.zeros(memory.mask.shape).masked_fill_(~memory.mask, float("-inf"))[:, None, None, :]
        pointer_keys = memory.pointer_keys
        if pointer_keys is not None:
            pointer_keys = (pointer_keys / math.sqrt(self.model.config.width)).transpose(1, 2).contiguous()
        return FastMemory(memory, layers, None if memory.mask.all() else shade, pointer_keys)

    def start(self, questions: int) -> Past:
        """Before the first step: one beam a question."""
        return Past(self.model.start_state(questions)["position"], [(Track(), Track()) for _ in self._layers])

    def step(self, tokens: Tensor, past: Past, memory: FastMemory) -> tuple[Tensor, Past]:
        """Read one more word on every beam: tokens (B, K) -> hidden (B, K, D) and the new past."""
        x, position = self.model.read(tokens, past.position, memory.plain.source)
        x = x.flatten(0, 1)  # (R, D)
        for layer, tracks, glance in zip(self._layers, past.layers, memory.layers, strict=True):
            x = layer.step(x, tracks, past.parents, glance, memory.shade)
        return x.view(*tokens.shape, -1), Past(position, past.layers)

    def word_scores(self, hidden: Tensor) -> WordScores:
        """The output layer for one question: hidden is (K, D)."""

        def exact(beams: Tensor, words: Tensor) -> Tensor:
            if words.dim() == 1:  # the same for all beams
                return F.linear(hidden, self._words[words], None if bias is None else bias[words])
            scores = (hidden[beams] * self._words[words]).sum(dim=-1)  # (n, 1, D) each
            return scores if bias is None else scores + bias[words]

        bias = self._word_bias
        return WordScores(self._score_all(hidden), exact if self.int8 else None)

    def pointer(self, hidden: Tensor, memory: FastMemory) -> tuple[Tensor, Tensor]:
        """As `L2AModel` with `copy`: where to copy from, (B, K, S), and the logit of copying, (B, K, 1)."""
        query = self._pointer_query(hidden.flatten(0, 1)).view_as(hidden)
        scores = query @ memory.pointer_keys  # (B, K, S)
        if memory.shade is not None:
            scores += memory.shade[:, 0]
        return scores.softmax(dim=-1), self.model.copy_gate(hidden)


def decoder_for(model: L2AModel, int8: bool, last: FastDecoder | None = None) -> FastDecoder:
    """A decoder for the model as it is now: the last one where it still fits. In float32 where 8 bits are not had."""
    int8 = int8 and is_available()
    if last is not None and last.model is model and last.int8 == int8 and last.weights == weights_of(model):
        return last
    return FastDecoder(model, int8)


def weights_of(model: L2AModel) -> tuple[tuple[int, int], ...]:
    """Where the weights lie and how often they were changed: another tuple once they are others."""
    return tuple((parameter.data_ptr(), parameter._version) for parameter in model.parameters())


class _FastLayer:
    """One decoder layer; see `DecoderLayer.step`."""

    def __init__(self, layer: DecoderLayer, int8: bool):
        self._layer = layer
        if layer.is_lstm:
            lstm = layer.history
            self._from_input = _linear(lstm.weight_ih_l0, lstm.bias_ih_l0, int8)
            self._from_state = _linear(lstm.weight_hh_l0, lstm.bias_hh_l0, int8)
        else:
            self._ask_history = _together(layer.history, int8)
            self._tell_history = _linear(layer.history.output.weight, layer.history.output.bias, int8)
        self._ask_question = _linear(layer.cross.query.weight, layer.cross.query.bias, int8)
        self._tell_question = _linear(layer.cross.output.weight, layer.cross.output.bias, int8)
        wide, narrow = layer.feed_forward[0], layer.feed_forward[3]
        self._widen = _linear(wide.weight, wide.bias, int8)
        self._narrow = _linear(narrow.weight, narrow.bias, int8, after_relu=True)

    def step(
        self,
        x: Tensor,
        tracks: tuple[Track, Track],
        parents: Tensor | None,
        glance: Glance,
        shade: Tensor | None,
    ) -> Tensor:
        """x: (R, D) -> (R, D); the tracks grow by what the next step needs."""
        remember = self._lstm if self._layer.is_lstm else self._attend
        x = _norm(self._layer.history_norm, remember(x, tracks, parents).add_(x))
        x = _norm(self._layer.cross_norm, self._look(x, glance, shade).add_(x))
        return _norm(self._layer.feed_forward_norm, self._narrow(self._widen(x).relu_()).add_(x))

    def _lstm(self, x: Tensor, tracks: tuple[Track, Track], parents: Tensor | None) -> Tensor:
        state, cell = (track.replace(parents) for track in tracks)  # (R, D)
        gates = self._from_input(x) + self._from_state(torch.zeros_like(x) if state is None else state)  # (R, 4D)
        let_in, keep, new, let_out = gates.chunk(4, dim=-1)
        kept = 0 if cell is None else keep.sigmoid() * cell
        cell = kept + let_in.sigmoid() * new.tanh()
        state = let_out.sigmoid() * cell.tanh()
        for track, tensor in zip(tracks, (state, cell), strict=True):
            track.append(None, tensor)
        return state

    def _attend(self, x: Tensor, tracks: tuple[Track, Track], parents: Tensor | None) -> Tensor:
        query, *new = self._ask_history(x)  # (R, D) each
        heads = self._layer.history.heads
        keys, values = (track.append(parents, tensor) for track, tensor in zip(tracks, new, strict=True))
        rows, width = query.shape
        query = query.reshape(rows * heads, 1, width // heads)
        by_head = (len(keys), rows * heads, width // heads)
        weights = torch.bmm(query, keys.view(by_head).permute(1, 2, 0))  # (R * H, 1, t + 1)
        weights = weights.mul_(1 / math.sqrt(width // heads)).softmax(dim=-1)
        mixed = torch.bmm(weights, values.view(by_head).transpose(0, 1))  # (R * H, 1, d)
        return self._tell_history(mixed.view(rows, width))

    def _look(self, x: Tensor, glance: Glance, shade: Tensor | None) -> Tensor:
        questions, heads = glance.values.shape[:2]
        query = self._ask_question(x).view(questions, -1, heads, glance.values.shape[-1]).transpose(1, 2)
        weights = query @ glance.keys  # (B, H, K, S): all beams of a question share its keys
        if shade is not None:
            weights += shade
        mixed = weights.softmax(dim=-1) @ glance.values  # (B, H, K, d)
        return self._tell_question(mixed.transpose(1, 2).reshape(x.shape))


def _linear(weight: Tensor, bias: Tensor | None, int8: bool, after_relu: bool = False) -> Linear:
    if int8:
        return Int8Linear(weight, bias, after_relu=after_relu)
    return lambda x: F.linear(x, weight, bias)


def _together(attention: Attention, int8: bool) -> Callable[[Tensor], tuple[Tensor, ...]]:
    """Query, key and value of the same rows: one product in 8 bits, the model's own three in float32."""
    parts = (attention.query, attention.key, attention.value)
    if not int8:
        return lambda x: tuple(F.linear(x, part.weight, part.bias) for part in parts)
    joined = Int8Linear(torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts]))
    return lambda x: joined(x).chunk(3, dim=-1)


def _norm(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    return F.layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)
