"""What training minimises: the tags people gave should be probable, the ones they rejected improbable."""

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from l2a.config import TrainingConfig
from l2a.network.model import L2AModel
from l2a.text.batch import pad_sources, pad_targets
from l2a.text.codec import Codec
from l2a.text.ordering import FIRST_SYMBOLS, member_of, members, order_tags
from l2a.text.vocabulary import END, PAD, START
from l2a.training.dataset import Example

REJECTIONS_A_STEP = 1  # of one question; it costs as much as the question itself
_SURELY = -1e-4  # a probability of 1 would have no finite unlikelihood


class Rejection(NamedTuple):
    """A tag that people turned down, where the model would write it."""

    example: Example
    numbers: list[int]  # target numbers up to the end of the tag
    own: int  # how many of the last ones are the tag's
    first: int = START  # the symbol that the question's member reads first


def likelihood_loss(
    model: L2AModel,
    examples: Sequence[Example],
    targets: Sequence[Sequence[int]],
    smoothing: float,
    first: Sequence[int] | None = None,
) -> Tensor:
    """Label-smoothed negative log-probability of the targets, summed over their words.

    first: the symbol that each question's member reads first.
    """
    inputs, wanted = pad_targets(targets, first)
    memory = model.encode(pad_sources([example.source for example in examples]))
    hidden, _ = model.decode(inputs, memory)
    log_probs, mean_log_probs = model.target_log_probs(hidden, memory, wanted)
    return -((1 - smoothing) * log_probs + smoothing * mean_log_probs).sum()


def rejection_loss(model: L2AModel, rejections: Sequence["Rejection"]) -> Tensor:
    """Unlikelihood of rejected tags: -log(1 - p), p the probability that the tag is written at its place; summed."""
    inputs, wanted = pad_targets([r.numbers for r in rejections], [r.first for r in rejections])
    for row, (_, numbers, own, _) in enumerate(rejections):
        wanted[row, : len(numbers) - own] = PAD  # what comes before the tag is given, not judged
    memory = model.encode(pad_sources([rejection.example.source for rejection in rejections]))
    hidden, _ = model.decode(inputs, memory)
    log_probs, _ = model.target_log_probs(hidden, memory, wanted)  # (n,) of the tags' words, in row order
    rows = (wanted != PAD).nonzero()[:, 0]
    log_p = torch.zeros(len(rejections)).index_add(0, rows, log_probs)  # (R,)
    return -torch.log1p(-log_p.clamp(max=_SURELY).exp()).sum()


def pick_rejections(
    examples: Sequence[Example], codec: Codec, training: TrainingConfig, frequencies: Mapping[str, int], epoch: int
) -> list[Rejection]:
    """A rejected tag of each question that has any, at the place where the model's order would write it."""
    found = []
    for example in examples:
        member = member_of(training.order, example.id, epoch)
        order = members(training.order)[member]
        chosen = list(example.rejected)
        random.Random(f"{training.seed}/{epoch}/{example.id}/rejected").shuffle(chosen)
        for tag in chosen[:REJECTIONS_A_STEP]:
            ordered = order_tags([*example.tags, tag], order, frequencies, seed=training.seed, key=example.id)
            before = codec.encode_tags(ordered[: ordered.index(tag)], example.source.extra_words)[:-1]
            own = [number for number in codec.encode_tags([tag], example.source.extra_words) if number != END]
            if own:  # a tag the model cannot write needs no teaching
                found.append(Rejection(example, [*before, *own], len(own), FIRST_SYMBOLS[member]))
    return found
