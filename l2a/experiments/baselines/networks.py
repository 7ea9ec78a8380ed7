"""The three networks. B questions, S source words, D units, C tags, Z topics.

All read word vectors of their own and give one score a tag; they differ in how a question becomes a vector.
"""

import math
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from l2a.config import ModelConfig
from l2a.network.encoders import LstmEncoder
from l2a.network.layers import WordTable

WINDOWS = (1, 2, 3)  # words a convolution sees
TRIGGER_WINDOW = 3  # words the local attention of the CNN sees
TRIGGER_SHARE = 0.8  # Gong and Zhang's delta: the threshold lies so far from the highest to the lowest score


class Classifier(nn.Module):
    """Embedding and output layer, shared by the three; `vector` is what a subclass adds."""

    uses_topics = False

    def __init__(self, words: int, tags: int, units: int, vector_size: int, dropout: float):
        super().__init__()
        self.units = units
        self.source_table = WordTable(words, 0, units)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(vector_size, tags)

    def forward(self, ids: Tensor, lengths: Tensor, topics: Tensor | None = None) -> Tensor:
        """ids (B, S), lengths (B,), topics (B, Z) -> scores (B, C) before the softmax."""
        mask = torch.arange(ids.shape[1]) < lengths[:, None]  # (B, S)
        x = self.source_table(ids) * math.sqrt(self.units)  # the table begins with a deviation of D^-0.5
        x = self.dropout(x * mask[:, :, None])  # (B, S, D), zero beyond a question's end
        return self.output(self.dropout(self.vector(x, lengths, mask, topics)))

    def vector(self, x: Tensor, lengths: Tensor, mask: Tensor, topics: Tensor | None) -> Tensor:
        raise NotImplementedError


class AttentionCnn(Classifier):
    """Convolutions with a global and a local channel (Gong and Zhang 2016).

    Global: convolutions over all words, their maximum. Local: a small convolution scores every word; words over a
    threshold between the lowest and the highest score are trigger words, and these are folded into one vector.
    """

    def __init__(self, words: int, tags: int, units: int, dropout: float, topics: int = 0):
        super().__init__(words, tags, units, units, dropout)
        self.convolutions = nn.ModuleList(nn.Conv1d(units, units, window) for window in WINDOWS)
        self.word_score = nn.Conv1d(units, 1, TRIGGER_WINDOW, padding=TRIGGER_WINDOW // 2)
        self.local = nn.Linear(units, units)
        self.merge = nn.Linear(units * (len(WINDOWS) + 1), units)

    def vector(self, x: Tensor, lengths: Tensor, mask: Tensor, topics: Tensor | None) -> Tensor:
        columns = x.transpose(1, 2)  # (B, D, S)
        channels = []
        for window, convolution in zip(WINDOWS, self.convolutions, strict=True):
            features = F.relu(convolution(F.pad(columns, (0, window - 1))))  # (B, D, S)
            # After ReLU the smallest value is 0: places beyond the end never win.
            channels.append(features.masked_fill(~mask[:, None, :], 0.0).amax(dim=2))
        folded = (self.trigger_weights(x, mask)[:, None, :] @ x).squeeze(1)  # (B, D)
        channels.append(torch.tanh(self.local(folded)))
        return torch.tanh(self.merge(torch.cat(channels, dim=1)))  # (B, D)

    def trigger_weights(self, x: Tensor, mask: Tensor) -> Tensor:
        """(B, S): 0 for words that are no trigger; the others sum to 1.

        The original folds trigger words with equal weights; weighing them by their score lets the scores learn.
        """
        scores = torch.tanh(self.word_score(x.transpose(1, 2))).squeeze(1)  # (B, S)
        lowest = scores.masked_fill(~mask, float("inf")).amin(dim=1, keepdim=True)
        highest = scores.masked_fill(~mask, float("-inf")).amax(dim=1, keepdim=True)
        threshold = TRIGGER_SHARE * lowest + (1 - TRIGGER_SHARE) * highest  # (B, 1)
        is_trigger = mask & (scores >= threshold.minimum(highest))
        return scores.masked_fill(~is_trigger, float("-inf")).softmax(dim=1)


class _Recurrent(Classifier):
    """A bidirectional LSTM over the words, D / 2 units a direction, as the engine's encoder has them."""

    def __init__(self, words: int, tags: int, units: int, vector_size: int, dropout: float):
        super().__init__(words, tags, units, vector_size, dropout)
        shape = ModelConfig(width=units, heads=1, encoder_layers=1, dropout=dropout)
        self.encoder = LstmEncoder(shape)


class BiLstm(_Recurrent):
    """Mean and maximum of the LSTM's states (Li et al. 2016, IJCNN, take the mean)."""

    def __init__(self, words: int, tags: int, units: int, dropout: float, topics: int = 0):
        super().__init__(words, tags, units, 2 * units, dropout)

    def vector(self, x: Tensor, lengths: Tensor, mask: Tensor, topics: Tensor | None) -> Tensor:
        states = self.encoder(x, lengths, mask)  # (B, S, D), zero beyond the end
        mean = states.sum(dim=1) / lengths[:, None]
        highest = states.masked_fill(~mask[:, :, None], float("-inf")).amax(dim=1)
        return torch.cat((mean, highest), dim=1)  # (B, 2 D)


class TopicalAttention(_Recurrent):
    """Attention over the LSTM's states that the question's topics drive (Li et al. 2016, COLING)."""

    uses_topics = True

    def __init__(self, words: int, tags: int, units: int, dropout: float, topics: int):
        super().__init__(words, tags, units, units, dropout)
        self.state_part = nn.Linear(units, units)
        self.topic_part = nn.Linear(topics, units, bias=False)
        self.score = nn.Linear(units, 1, bias=False)

    def vector(self, x: Tensor, lengths: Tensor, mask: Tensor, topics: Tensor | None) -> Tensor:
        if topics is None:
            raise ValueError("topical attention needs the topics of each question")
        states = self.encoder(x, lengths, mask)  # (B, S, D)
        weights = self.attention(states, mask, topics)  # (B, S)
        return (weights[:, None, :] @ states).squeeze(1)  # (B, D)

    def attention(self, states: Tensor, mask: Tensor, topics: Tensor) -> Tensor:
        """(B, S), rows sum to 1: v tanh(W_h h + W_t theta), theta being the question's share of each topic."""
        mixed = torch.tanh(self.state_part(states) + self.topic_part(topics)[:, None, :])
        return self.score(mixed).squeeze(2).masked_fill(~mask, float("-inf")).softmax(dim=1)


class Network(Protocol):
    """How each of the three is made."""

    uses_topics: bool

    def __call__(self, words: int, tags: int, units: int, dropout: float, topics: int) -> Classifier: ...


NETWORKS: dict[str, Network] = {"cnn": AttentionCnn, "bilstm": BiLstm, "topical": TopicalAttention}
