"""What encoders and decoder are made of: word table, attention, feed-forward. Shapes as in `l2a.network.model`."""

import math

from torch import Tensor, nn

from l2a.config import ModelConfig
from l2a.text.vocabulary import PAD


class WordTable(nn.Module):
    """An embedding table whose first rows get dense gradients and whose other rows get sparse ones.

    A batch touches a few thousand of up to 80,000 source words; a dense Adam step over all rows costs several
    times the sparse one (docs/training.md has the measurement). Rows tied to the output layer get a gradient in
    every step anyway and stay dense.
    """

    def __init__(self, rows: int, dense_rows: int, width: int):
        super().__init__()
        self.dense_rows = dense_rows
        self.dense = nn.Embedding(dense_rows, width) if dense_rows else None
        self.sparse = nn.Embedding(rows - dense_rows, width, sparse=True) if rows > dense_rows else None
        for table in (self.dense, self.sparse):
            if table is not None:
                nn.init.normal_(table.weight, std=width**-0.5)

    @property
    def tied_rows(self) -> Tensor:
        """(V, D): the dense rows, which are the output layer too where tables are shared."""
        if self.dense is None:
            raise ValueError("this table has no rows that are tied to an output layer")
        return self.dense.weight

    def forward(self, ids: Tensor) -> Tensor:
        if self.dense is None or self.sparse is None:
            (table,) = (table for table in (self.dense, self.sparse) if table is not None)
            return table(ids)
        is_sparse = ids >= self.dense_rows
        vectors = self.dense(ids.masked_fill(is_sparse, PAD))
        vectors[is_sparse] = self.sparse(ids[is_sparse] - self.dense_rows)
        return vectors  # (..., D)


class Attention(nn.Module):
    """Multi-head scaled dot-product attention that hands out its weights."""

    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)

    def keys_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(B, L, D) -> two of (B, H, L, d)."""
        return self._split(self.key(x)), self._split(self.value(x))

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """x: (B, T, D) asks; keys, values: (B, H, L, d); mask: broadcasts to (B, H, T, L), True where allowed.

        Returns (B, T, D) and the weights (B, H, T, L); a masked weight is exactly 0.
        """
        query = self._split(self.query(x))  # (B, H, T, d)
        scores = query @ keys.transpose(-1, -2) / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)  # (B, H, T, L)
        mixed = self.dropout(weights) @ values  # (B, H, T, d)
        return self.output(mixed.transpose(1, 2).flatten(2)), weights

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (B, H, L, d)


def feed_forward(config: ModelConfig) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(config.width, config.feed_forward),
        nn.ReLU(),
        nn.Dropout(config.dropout),
        nn.Linear(config.feed_forward, config.width),
    )
