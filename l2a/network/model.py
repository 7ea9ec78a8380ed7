"""The network: a BiLSTM encoder and a Transformer decoder (paper section 3.2), readable in one sitting.

Shapes, used in every comment:
    B questions, S source words, T target steps, K beams, D width, H heads, d = D / H,
    V target words, E extra words (source words outside the target vocabulary, each question's own)

Encoder and decoder are each "L" (LSTM) or "A" (attention), so L2L, A2A, A2L and L2A are one switch. A decoder
layer has three sub-layers, each with a residual connection followed by layer normalisation (post-norm): history
(self-attention for A, an LSTM for L), attention over the encoder, and a feed-forward network.

With `copy`, a pointer over the source words is mixed with the output layer. Target numbers V, V+1, ... then
stand for a question's extra words, so that a tag can contain a word the target vocabulary lacks.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from l2a.config import ModelConfig
from l2a.network.copying import SourceWords, mix, mixed_mean, same_words
from l2a.network.decoder import Attentions, DecoderLayer
from l2a.network.encoders import AttentionEncoder, LstmEncoder
from l2a.network.layers import WordTable
from l2a.network.positions import MAX_POSITIONS, encoding_table, ends_tag, global_positions, local_positions
from l2a.text.batch import SourceBatch
from l2a.text.vocabulary import PAD, START, UNKNOWN

NEVER_GENERATED = (PAD, START, UNKNOWN)


@dataclass(frozen=True)
class Memory:
    """What the decoder looks at: computed once per question, shared by all its beams."""

    source: SourceBatch
    mask: Tensor  # (B, S) True at real words
    keys_values: list[tuple[Tensor, Tensor]]  # per decoder layer: (B, H, S, d) each
    pointer_keys: Tensor | None  # (B, S, D) with `copy`

    def repeated(self, times: int) -> "Memory":
        """Every question `times` over, one copy after the other: (times * B, ...)."""
        return self.of(torch.arange(len(self.mask)).repeat(times))

    def of(self, questions: Tensor) -> "Memory":
        """The memory of the questions with these numbers, (n,)."""
        source = SourceBatch(*(part[questions] for part in vars(self.source).values()))
        return Memory(
            source,
            self.mask[questions],
            [(keys[questions], values[questions]) for keys, values in self.keys_values],
            None if self.pointer_keys is None else self.pointer_keys[questions],
        )


class L2AModel(nn.Module):
    """Encoder, decoder and output layer; `source_size` and `target_size` are vocabulary sizes."""

    table: Tensor  # (positions, D)

    def __init__(self, config: ModelConfig, source_size: int, target_size: int):
        super().__init__()
        self.config, self.source_size, self.target_size = config, source_size, target_size
        width = config.width
        # Shared: target words are the first rows of the one table, and the output layer is tied to them.
        self.source_table = WordTable(source_size, target_size if config.share_embeddings else 0, width)
        self.target_table = None if config.share_embeddings else nn.Embedding(target_size, width)
        self.output = None if config.share_embeddings else nn.Linear(width, target_size)
        self.encoder = LstmEncoder(config) if config.encoder == "L" else AttentionEncoder(config)
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.dropout = nn.Dropout(config.dropout)
        if config.copy:
            self.pointer_query = nn.Linear(width, width)
            self.pointer_key = nn.Linear(width, width)
            self.copy_gate = nn.Linear(width, 1)
        self.register_buffer("table", encoding_table(MAX_POSITIONS, width), persistent=False)
        self._initialise()

    def _initialise(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)
        if self.target_table is not None:
            nn.init.normal_(self.target_table.weight, std=self.config.width**-0.5)
        if self.config.copy:
            nn.init.constant_(self.copy_gate.bias, -1.0)  # begin by mostly generating

    @property
    def layers(self) -> list[DecoderLayer]:
        """Of the decoder; a ModuleList forgets what it is a list of."""
        return [layer for layer in self.decoder if isinstance(layer, DecoderLayer)]

    def encode(self, source: SourceBatch) -> Memory:
        """Read the questions once; everything the decoder needs of them is precomputed here."""
        steps = torch.arange(source.ids.shape[1], device=source.ids.device)
        mask = steps < source.lengths[:, None]  # (B, S)
        embedded = self.dropout(self.source_table(source.ids) * math.sqrt(self.config.width))
        states = self.encoder(embedded, source.lengths, mask)  # (B, S, D)
        return Memory(
            source=source,
            mask=mask,
            keys_values=[layer.cross.keys_values(states) for layer in self.layers],
            pointer_keys=self.pointer_key(states) if self.config.copy else None,
        )

    def decode(self, inputs: Tensor, memory: Memory) -> tuple[Tensor, Attentions]:
        """Teacher-forced pass: inputs (B, T) begin with `<s>`; returns (B, T, D) and the attention weights."""
        x = self._embed(inputs, memory.source, self._positions(inputs))
        seen = Attentions()
        for layer, keys_values in zip(self.layers, memory.keys_values, strict=True):
            x = layer(x, keys_values, memory.mask, seen)
        return x, seen

    def target_log_probs(self, hidden: Tensor, memory: Memory, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Log-probability of each target word, and the mean one of all words (for label smoothing).

        hidden: (B, T, D); targets: (B, T), PAD where there is none. Returns (n,) twice, for the n real targets
        in row order. All words: the target vocabulary's, and with `copy` the question's extra words.
        """
        real = targets != PAD  # (B, T)
        wanted = targets[real].unsqueeze(-1)  # (n, 1)
        if self.config.copy:  # of source words too, in one go: every look-up has a gradient of (n, V)
            question = real.nonzero()[:, 0]
            wanted = torch.cat([wanted, memory.source.copy_ids[question]], dim=-1)  # (n, 1 + S)
        logits = self._logits(hidden[real])  # (n, V)
        log_total = logits.logsumexp(dim=-1, keepdim=True)  # (n, 1)
        is_extra = wanted >= self.target_size
        by_word = logits.gather(-1, wanted.masked_fill(is_extra, UNKNOWN)) - log_total
        mean = logits.mean(dim=-1) - log_total.squeeze(-1)
        if not self.config.copy:
            return by_word.squeeze(-1), mean
        pointer, gate = self._pointer(hidden, memory)  # (B, T, S), (B, T, 1) logit of copying
        same, is_first = same_words(memory.source.copy_ids, memory.mask)
        is_target = memory.source.copy_ids[:, None, :] == targets[:, :, None]  # (B, T, S)
        copied = torch.cat([(pointer * is_target).sum(dim=-1, keepdim=True), pointer @ same.to(pointer.dtype)], dim=-1)
        gate, by_word = gate[real], by_word.masked_fill(is_extra, -1e4)
        mixed = mix(by_word, copied[real], gate)  # (n, 1 + S)
        own = SourceWords(by_word[:, 1:], mixed[:, 1:], is_extra[:, 1:], is_first[question])
        return mixed[:, 0], mixed_mean(mean, self.target_size, own, gate)

    def start_state(self, questions: int) -> dict[str, Tensor]:
        """Beam state before the first step: one beam a question that is about to read `<s>`."""
        return {"position": torch.zeros(questions, 1, dtype=torch.long, device=self.table.device)}

    def step(self, tokens: Tensor, state: dict[str, Tensor], memory: Memory) -> tuple[Tensor, dict[str, Tensor]]:
        """Read one more word on every beam: tokens (B, K) -> log-probabilities (B, K, V + E) and the new state.

        Every tensor of the state begins with (B, K), so that a search can reorder it without knowing the model.
        """
        x, position = self.read(tokens, state["position"], memory.source)
        present: dict[str, Tensor] = {"position": position}
        for number, layer in enumerate(self.layers):
            names = (f"{number}.first", f"{number}.second")
            past = tuple(state[name] for name in names if name in state)
            x, kept = layer.step(x, memory.keys_values[number], memory.mask, past)
            present.update(zip(names, kept, strict=True))
        return self._step_log_probs(x, memory), present

    def read(self, tokens: Tensor, position: Tensor, source: SourceBatch) -> tuple[Tensor, Tensor]:
        """Decoder input of one step, (B, K, D), and the positions of the next: tokens and position are (B, K)."""
        encoded = None if self.config.positions == "none" else self._place(tokens, position)
        restart = ends_tag(tokens) if self.config.positions == "local" else torch.zeros_like(tokens, dtype=torch.bool)
        return self._embed(tokens, source, encoded), torch.where(restart, 0, position + 1)

    def _step_log_probs(self, hidden: Tensor, memory: Memory) -> Tensor:
        """(B, K, D) -> (B, K, V + E); symbols that can never be generated get minus infinity."""
        log_probs = self._logits(hidden).log_softmax(dim=-1)  # (B, K, V)
        if self.config.copy:
            pointer, gate = self._pointer(hidden, memory)
            probs = F.pad(log_probs.exp() * (-gate).sigmoid(), (0, memory.source.extra_inputs.shape[1]))
            copy_ids = memory.source.copy_ids[:, None, :].expand_as(pointer)  # (B, K, S)
            log_probs = probs.scatter_add(-1, copy_ids, pointer * gate.sigmoid()).log()  # (B, K, V + E)
        log_probs[..., list(NEVER_GENERATED)] = float("-inf")
        return log_probs

    def _pointer(self, hidden: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """Where to copy from, (B, T, S) summing to 1 over real words, and the logit of copying, (B, T, 1)."""
        if memory.pointer_keys is None:
            raise ValueError("this memory was made by a model that does not copy")
        scores = self.pointer_query(hidden) @ memory.pointer_keys.transpose(1, 2) / math.sqrt(self.config.width)
        return scores.masked_fill(~memory.mask[:, None, :], float("-inf")).softmax(dim=-1), self.copy_gate(hidden)

    def _logits(self, hidden: Tensor) -> Tensor:
        if self.output is not None:
            return self.output(hidden)
        return hidden @ self.source_table.tied_rows.T

    def _positions(self, inputs: Tensor) -> Tensor | None:
        if self.config.positions == "none":
            return None
        if self.config.positions == "global":
            return global_positions(inputs)
        # In a label model every symbol is a whole tag: all local positions are 0 (paper section 4.1).
        return torch.zeros_like(inputs) if self.config.kind == "label" else local_positions(inputs)

    def _place(self, tokens: Tensor, position: Tensor) -> Tensor:
        is_label = self.config.positions == "local" and self.config.kind == "label"
        return torch.zeros_like(tokens) if is_label else position

    def _embed(self, tokens: Tensor, source: SourceBatch, positions: Tensor | None) -> Tensor:
        """Decoder input (B, T, D); an extra word is fed back as the table row its question names for it."""
        if self.config.copy and source.extra_inputs.shape[1]:
            is_extra = tokens >= self.target_size
            index = (tokens - self.target_size).clamp(min=0)
            tokens = torch.where(is_extra, source.extra_inputs.gather(1, index), tokens)
        table = self.source_table if self.target_table is None else self.target_table
        x = table(tokens) * math.sqrt(self.config.width)
        if positions is not None:
            x = x + self.table[positions.clamp(max=MAX_POSITIONS - 1)]  # what lies beyond shares the last row
        return self.dropout(x)
