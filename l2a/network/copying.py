"""A word that is written and a word that is copied as one: what training needs of the mixture of the two.

Of the target vocabulary only the words that stand in the question differ from what the output layer alone gives them.
So the mean over all words is the output layer's, set right by those words; the mixture of all words, (n, V + E), is
made in the search only.

Shapes as in `l2a.network.model`; n targets, one row each.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

_LEAST = 1e-30  # of a pointer's probabilities: 0 has no logarithm


def mix(by_word: Tensor, copied: Tensor, gate: Tensor) -> Tensor:
    """Log-probability of words: by_word (n, m) of writing them, copied (n, m) the pointer's, gate (n, 1) its logit."""
    by_copy = copied.clamp(min=_LEAST).log()
    return torch.logaddexp(by_word + F.logsigmoid(-gate), by_copy + F.logsigmoid(gate))


def same_words(copy_ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """(B, S) -> which places hold the same word, (B, S, S), and which are the first of their word, (B, S)."""
    same = copy_ids[:, :, None] == copy_ids[:, None, :]
    return same, mask & ~same.tril(-1).any(dim=-1)


class SourceWords(NamedTuple):
    """The words of each target's question, (n, S)."""

    by_word: Tensor  # log-probabilities of writing them, without copying
    mixed: Tensor  # and with it
    is_extra: Tensor  # outside the target vocabulary
    is_first: Tensor  # at the first of a word's places: there it is counted


def mixed_mean(mean: Tensor, words: int, source: SourceWords, gate: Tensor) -> Tensor:
    """Mean log-probability of the vocabulary's words and the question's extra words, (n,).

    mean: (n,) the output layer's own, of its `words`; gate: (n, 1).
    """
    written = source.by_word + F.logsigmoid(-gate)  # what the mean has of them already; of extra words it has nothing
    more = (source.mixed - written.masked_fill(source.is_extra, 0.0)).masked_fill(~source.is_first, 0.0).sum(dim=-1)
    extras = (source.is_extra & source.is_first).sum(dim=-1)
    return (words * (mean + F.logsigmoid(-gate).squeeze(-1)) + more) / (words + extras)
