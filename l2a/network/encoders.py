"""The two encoders, L and A (paper sections 3.2 and 4.8): a state for every word. Shapes as in `l2a.network.model`."""

import torch
from torch import Tensor, nn

from l2a.config import ModelConfig
from l2a.network.layers import Attention, feed_forward
from l2a.network.positions import MAX_POSITIONS, encoding_table


class LstmEncoder(nn.Module):
    """Stacked bidirectional LSTM, D/2 units a direction; padding is never read, so batches do not matter.

    The backward direction reads each question turned round, so that its padding too comes after the real words.
    Packed sequences would do the same, but their gradient is put together word by word from tensors of the whole
    batch.
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.lstm = nn.LSTM(
            config.width,
            config.width // 2,
            num_layers=config.encoder_layers,
            bidirectional=True,
            batch_first=True,
        )
        self.dropout = nn.Dropout(config.dropout)  # between layers

    def forward(self, x: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        steps = torch.arange(x.shape[1], device=x.device)
        turned = torch.where(mask, lengths[:, None] - 1 - steps, steps)[..., None]  # (B, S, 1), its own inverse
        for layer in range(self.lstm.num_layers):
            x = x if layer == 0 else self.dropout(x)
            ahead = self._run(x, f"l{layer}")  # (B, S, D/2)
            back = self._run(x.gather(1, turned.expand_as(x)), f"l{layer}_reverse")
            x = torch.cat([ahead, back.gather(1, turned.expand_as(back))], dim=-1)  # (B, S, D)
        return x.masked_fill(~mask[..., None], 0.0)

    def _run(self, x: Tensor, which: str) -> Tensor:
        """One direction of one layer over (B, S, D), from left to right."""
        weights = [getattr(self.lstm, f"{name}_{which}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        zero = x.new_zeros(1, x.shape[0], self.lstm.hidden_size)
        return torch.lstm(x, (zero, zero), weights, True, 1, 0.0, self.training, False, True)[0]


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward; each added to its input and normalised."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.attention = Attention(config.width, config.heads, config.dropout)
        self.attention_norm = nn.LayerNorm(config.width)
        self.feed_forward = feed_forward(config)
        self.feed_forward_norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        seen, _ = self.attention(x, *self.attention.keys_values(x), mask[:, None, None, :])
        x = self.attention_norm(x + self.dropout(seen))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class AttentionEncoder(nn.Module):
    """Transformer encoder with ordinary positions, for A2A and A2L (paper section 4.8)."""

    table: Tensor  # (positions, D)

    def __init__(self, config: ModelConfig):
        super().__init__()
        rows = max(MAX_POSITIONS, config.max_source_length)
        self.register_buffer("table", encoding_table(rows, config.width), persistent=False)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))

    def forward(self, x: Tensor, lengths: Tensor, mask: Tensor) -> Tensor:
        x = x + self._positions(x.shape[1])
        for layer in self.layers:
            x = layer(x, mask)
        return x  # (B, S, D)

    def _positions(self, words: int) -> Tensor:
        """(S, D). Behind the longest question stand its hints: where the table ends, positions are worked out anew."""
        if words <= len(self.table):
            return self.table[:words]
        return encoding_table(words, self.table.shape[1]).to(self.table)
