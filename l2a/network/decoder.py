"""A decoder layer, L or A (paper section 3.2), and the attention it hands out. Shapes as in `l2a.network.model`."""

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from l2a.config import ModelConfig
from l2a.network.layers import Attention, feed_forward


@dataclass
class Attentions:
    """Weights of one teacher-forced pass, per decoder layer."""

    cross: list[Tensor] = field(default_factory=list)  # (B, H, T, S)
    self: list[Tensor] = field(default_factory=list)  # (B, H, T, T); empty for an L decoder


class DecoderLayer(nn.Module):
    """History, attention over the encoder, feed-forward; each added to its input and normalised."""

    history: nn.LSTM | Attention

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.dropout = nn.Dropout(config.dropout)
        if config.decoder == "L":
            self.history = nn.LSTM(config.width, config.width, batch_first=True)
        else:
            self.history = Attention(config.width, config.heads, config.dropout)
        self.history_norm = nn.LayerNorm(config.width)
        self.cross = Attention(config.width, config.heads, config.dropout)
        self.cross_norm = nn.LayerNorm(config.width)
        self.feed_forward = feed_forward(config)
        self.feed_forward_norm = nn.LayerNorm(config.width)

    def forward(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor, seen: Attentions) -> Tensor:
        """All steps at once: x (B, T, D), each step seeing itself and what came before it."""
        if isinstance(self.history, nn.LSTM):
            history, _ = self.history(x)
        else:
            causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
            history, weights = self.history(x, *self.history.keys_values(x), causal)
            seen.self.append(weights)
        return self._rest(x, history, memory, mask, seen)

    def step(
        self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor, past: tuple[Tensor, ...]
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """One step for all beams: x (B, K, D); past: (B, K, H, t, d) keys and values, or (B, K, D) LSTM states."""
        questions, beams, _ = x.shape
        rows = x.flatten(0, 1).unsqueeze(1)  # (B*K, 1, D)
        if isinstance(self.history, nn.LSTM):
            state = tuple(p.flatten(0, 1).unsqueeze(0).contiguous() for p in past) or None
            history, state = self.history(rows, state)
            present = tuple(s.squeeze(0).unflatten(0, (questions, beams)) for s in state)
        else:
            keys, values = (kv.unflatten(0, (questions, beams)) for kv in self.history.keys_values(rows))
            if past:
                keys, values = torch.cat((past[0], keys), dim=3), torch.cat((past[1], values), dim=3)
            present = (keys, values)  # (B, K, H, t+1, d)
            everything = torch.ones(1, dtype=torch.bool, device=x.device)
            history, _ = self.history(rows, keys.flatten(0, 1), values.flatten(0, 1), everything)
        history = history.squeeze(1).unflatten(0, (questions, beams))  # (B, K, D)
        # Beams take the place of steps here: all beams of a question share its keys without copying them.
        return self._rest(x, history, memory, mask, Attentions()), present

    def _rest(
        self, x: Tensor, history: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor, seen: Attentions
    ) -> Tensor:
        x = self.history_norm(x + self.dropout(history))
        looked, weights = self.cross(x, *memory, mask[:, None, None, :])
        seen.cross.append(weights)
        x = self.cross_norm(x + self.dropout(looked))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
