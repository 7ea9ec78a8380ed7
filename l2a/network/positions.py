"""Positions of target words and their encoding (paper section 3.2, "Local Positional Encoding")."""

import torch
from torch import Tensor

from l2a.text.vocabulary import DELIMITER, END, START

MAX_POSITIONS = 1024  # rows of an encoding table


def local_positions(tokens: Tensor) -> Tensor:
    """Place of each word inside its tag; the delimiter is the tag's last word, the first symbol is at 0.

    tokens: (batch, steps). `movie | science fiction movie | Star Wars |` gives 0 1 0 1 2 3 0 1 2.
    """
    steps = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)  # (batch, steps)
    starts_tag = torch.ones_like(tokens, dtype=torch.bool)
    starts_tag[:, 1:] = ends_tag(tokens[:, :-1])
    tag_start = torch.where(starts_tag, steps, 0).cummax(dim=1).values
    return steps - tag_start


def ends_tag(tokens: Tensor) -> Tensor:
    """Where the next word begins a tag: after a delimiter, and after either of the first symbols."""
    return (tokens == DELIMITER) | (tokens == START) | (tokens == END)


def global_positions(tokens: Tensor) -> Tensor:
    """Place of each word in the whole sequence, as in Vaswani et al.; tokens: (batch, steps)."""
    return torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)


def encoding_table(rows: int, width: int) -> Tensor:
    """Sine and cosine of every position: (rows, width).

    The paper prints the cosine's exponent as `2c+1/d_M`. It is read here as (2c+1)/d_M, so that each column
    has a wavelength of its own; Vaswani et al. use 2c/d_M for sine and cosine alike.
    """
    position = torch.arange(rows, dtype=torch.float64).unsqueeze(1)  # (rows, 1)
    column = torch.arange(width, dtype=torch.float64)  # 2c for even columns, 2c+1 for odd ones
    angle = position / 10_000 ** (column / width)  # (rows, width)
    return torch.where(column.long() % 2 == 0, angle.sin(), angle.cos()).float()
