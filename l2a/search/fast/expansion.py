"""One step of the fast beam search for one question: what can follow its beams, and what is best of it.

- Probabilities of all words are never worked out: scores before the softmax and their logarithmic total suffice.
- The best words are found by blocks: the k best words of all lie in the k blocks with the best maxima.
- Words that can be copied compete on their own, with both ways of writing them added up.
- Where the output layer is in 8 bits, it only picks: what it picks is scored again in float32.

Shapes as in `l2a.network.model`, of one question: K beams, V words, S source words; U words that can be copied.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from l2a.network.model import NEVER_GENERATED
from l2a.search.beam import NO_HOPE
from l2a.text.vocabulary import DELIMITER, END, PAD

_BLOCK = 128  # words whose best is looked at first
_IN_BLOCK = torch.arange(_BLOCK)
_NOT_NEXT = torch.tensor([*NEVER_GENERATED, END])  # an end is a completion, not a way to go on
_ROWS = 16  # beams whose total is worked out at a time
_PICKED = 2  # times the beam: so many words that 8 bits found best are scored again


@dataclass(frozen=True)
class Slots:
    """The words a question can copy, each once."""

    numbers: Tensor  # (U,) target numbers, V and up for extra words
    which: Tensor  # (S, U) 1 where a source word is that number

    @classmethod
    def of(cls, copy_ids: Tensor) -> "Slots":
        """copy_ids: (S,) of one question; padding has number PAD, which is never generated."""
        numbers, places = copy_ids.unique(return_inverse=True)
        return cls(numbers, F.one_hot(places, len(numbers)).float())


@dataclass(frozen=True)
class Barred:
    """What may not come next, where only some symbols may."""

    words: Tensor  # (V,)
    copied: Tensor | None  # (U,)

    @classmethod
    def but(cls, allowed: Sequence[int], size: int, slots: Slots | None) -> "Barred":
        """Everything but these symbols, of `size` words and those that can be copied."""
        symbols = torch.tensor(allowed, dtype=torch.long)
        words = torch.ones(size, dtype=torch.bool).index_fill_(0, symbols[symbols < size], False)
        return cls(words, None if slots is None else ~torch.isin(slots.numbers, symbols))


@dataclass(frozen=True)
class Copies:
    """Probabilities of copying at one step."""

    slots: Slots
    pointer: Tensor  # (K, S)
    gate: Tensor  # (K, 1) logit of copying


ExactScores = Callable[[Tensor, Tensor], Tensor]  # beams (n, 1), words (n, m) or (m,) -> (n, m)


@dataclass
class WordScores:
    """Scores of all words before the softmax; `exact` gives those of single words where they are rounded."""

    words: Tensor  # (K, V), changed in place here; exact for `words_scored_once`
    exact: ExactScores | None = None


@dataclass(frozen=True)
class Expansion:
    """What can follow: what ending costs every beam, and the best other ways to go on, best first."""

    ends: Tensor  # (K,)
    totals: Tensor  # (N,) of N = the beam's width
    parents: Tensor  # (N,) places of beams
    symbols: Tensor  # (N,)


def words_scored_once(size: int) -> Tensor:
    """Words of a vocabulary of this size that 8 bits do not pick from, so they are not scored again: the symbols that
    end something, and those of the last, incomplete block."""
    return torch.tensor([END, DELIMITER, *range(size - size % _BLOCK, size)])


def expand(
    scores: WordScores, so_far: Tensor, beam: int, copies: Copies | None, barred: Mapping[int, Barred]
) -> Expansion:
    """so_far: (K,) totals of the beams; barred: for beams that may not go on with any symbol, what they may not."""
    words = scores.words
    beams, size = words.shape
    whole = size - size % _BLOCK
    everyone = torch.arange(beams).unsqueeze(1)  # (K, 1)
    if scores.exact is not None and copies is not None:
        columns = copies.slots.numbers[copies.slots.numbers < size]
        words[:, columns] = scores.exact(everyone, columns)
    total = _log_totals(words)  # (K, 1)
    copied = None if copies is None else _move_to_slots(words, total, copies)  # (K, U), on the scale of `words`
    for place, out in barred.items():
        words[place].masked_fill_(out.words, NO_HOPE)
        if copied is not None and out.copied is not None:
            copied[place].masked_fill_(out.copied, NO_HOPE)
    ends = words[:, END].clone()
    words.index_fill_(1, _NOT_NEXT, NO_HOPE)

    parents, symbols = _best_blocks(words, so_far.unsqueeze(1) - total, beam)  # (k, 1), (k, block)
    values = words[parents, symbols]
    if scores.exact is not None:
        parents, symbols, values, total = _score_again(scores.exact, values, parents, symbols, so_far, total, beam)
    offset = so_far.unsqueeze(1) - total  # (K, 1): what turns a word's score into a total
    if copies is not None:
        offset = offset + F.logsigmoid(-copies.gate)
    found = [
        (values + offset[parents.squeeze(1)], parents, symbols),
        (words[:, whole:] + offset, everyone, torch.arange(whole, size)),
    ]
    if copies is not None and copied is not None:
        found.append((copied + offset, everyone, copies.slots.numbers))
    missing = beam - sum(part.numel() for part, _, _ in found)
    if missing > 0:  # every question has `beam` ways to go on, however few words there are
        found.append((torch.full((1, missing), NO_HOPE), everyone[:1], torch.full((missing,), PAD)))
    totals, places = torch.cat([part.flatten() for part, _, _ in found]).topk(beam)
    owners = torch.cat([owner.expand_as(part).flatten() for part, owner, _ in found])[places]
    chosen = torch.cat([symbol.expand_as(part).flatten() for part, _, symbol in found])[places]
    return Expansion(ends + offset.squeeze(1), totals, owners, chosen)


def _log_totals(words: Tensor) -> Tensor:
    """As `logsumexp`, (K, V) -> (K, 1): what a softmax takes off any word's score. Few rows at a time, so that what is
    in between stays in the processor's cache."""
    return torch.cat([rows[:, :1] - rows.log_softmax(dim=-1)[:, :1] for rows in words.split(_ROWS)])


def _best_blocks(words: Tensor, offset: Tensor, beam: int) -> tuple[Tensor, Tensor]:
    """Where the `beam` best words are, those of the last, incomplete block aside: beams (k, 1), words (k, block)."""
    blocks = words.shape[1] // _BLOCK
    best = words[:, : blocks * _BLOCK].unflatten(1, (blocks, _BLOCK)).amax(dim=-1) + offset  # (K, V // block)
    chosen = best.flatten().topk(min(beam, best.numel()), sorted=False).indices.unsqueeze(1)  # (k, 1)
    return chosen // max(1, blocks), chosen % max(1, blocks) * _BLOCK + _IN_BLOCK


def _score_again(
    exactly: ExactScores, values: Tensor, parents: Tensor, symbols: Tensor, so_far: Tensor, total: Tensor, beam: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The best of these words with their exact scores, n of them: beams (n, 1), words (n, 1), scores (n, 1); and the
    totals (K, 1), in which they have taken the place of the rounded ones."""
    offset = so_far.unsqueeze(1) - total
    rough = (values + offset[parents.squeeze(1)]).flatten()
    places = rough.topk(min(_PICKED * beam, rough.numel()), sorted=False).indices
    beams, words = parents.expand_as(symbols).flatten()[places].unsqueeze(1), symbols.flatten()[places].unsqueeze(1)
    rounded = values.flatten()[places].unsqueeze(1)  # (n, 1)
    is_out = rounded == NO_HOPE  # forbidden, or moved to the slots: it stays so
    exact = exactly(beams, words).masked_fill(is_out, NO_HOPE)
    mine = total[beams.squeeze(1)]
    change = torch.zeros_like(total).index_add_(0, beams.squeeze(1), (exact - mine).exp() - (rounded - mine).exp())
    return beams, words, exact, total + change.clamp(min=-0.5).log1p()


def _move_to_slots(words: Tensor, total: Tensor, copies: Copies) -> Tensor:
    """Scores of the words that can be copied, both ways of writing them together; they leave `words`."""
    numbers = copies.slots.numbers
    is_word = numbers < words.shape[1]
    inside = numbers.masked_fill(~is_word, PAD)
    generated = words[:, inside].masked_fill(~is_word, NO_HOPE)  # (K, U)
    words[:, inside] = NO_HOPE
    by_copy = (copies.pointer @ copies.slots.which).log() + copies.gate + total  # the gate's two sides differ by it
    never = torch.isin(numbers, torch.tensor(NEVER_GENERATED))
    return torch.logaddexp(generated, by_copy).masked_fill(never, NO_HOPE)
