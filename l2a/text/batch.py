"""Questions and tags as padded tensors: what the network reads. B questions, S source words, T target steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from l2a.text.codec import EncodedSource
from l2a.text.vocabulary import PAD, START, UNKNOWN


@dataclass(frozen=True)
class SourceBatch:
    """Questions as numbers, padded on the right."""

    ids: Tensor  # (B, S) source numbers
    lengths: Tensor  # (B,) words of each question, at least 1
    copy_ids: Tensor  # (B, S) the target number each source word would have, V and up for extra words; UNKNOWN: none
    extra_inputs: Tensor  # (B, E) the embedding row an extra word has when it is fed back to the decoder


def pad_sources(sources: Sequence[EncodedSource]) -> SourceBatch:
    """Questions as one padded batch. An empty question reads one unknown word."""
    lengths = [max(1, len(source.ids)) for source in sources]
    ids = np.full((len(sources), max(lengths)), PAD, dtype=np.int64)  # (B, S)
    copy_ids = np.full_like(ids, PAD)
    extra = np.full((len(sources), max(len(s.extra_inputs) for s in sources)), UNKNOWN, dtype=np.int64)  # (B, E)
    for row, source in enumerate(sources):
        count = len(source.ids)
        ids[row, :count], copy_ids[row, :count] = source.ids, source.copy_ids
        if not count:
            ids[row, 0] = UNKNOWN
        extra[row, : len(source.extra_inputs)] = source.extra_inputs
    return SourceBatch(
        torch.from_numpy(ids), torch.tensor(lengths), torch.from_numpy(copy_ids), torch.from_numpy(extra)
    )


def pad_targets(targets: Sequence[Sequence[int]], first: Sequence[int] | None = None) -> tuple[Tensor, Tensor]:
    """(inputs, targets), each (B, T): inputs begin with `first` (`<s>`) and lack the end symbol, targets have it."""
    steps = max(len(target) for target in targets)
    inputs = np.full((len(targets), steps), PAD, dtype=np.int64)
    wanted = np.full_like(inputs, PAD)
    for row, target in enumerate(targets):
        wanted[row, : len(target)] = target
        inputs[row, 0] = START if first is None else first[row]
        inputs[row, 1 : len(target)] = target[:-1]
    return torch.from_numpy(inputs), torch.from_numpy(wanted)
