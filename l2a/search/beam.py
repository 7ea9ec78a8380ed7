"""Beam search over a step function; it knows neither the model nor what the numbers mean.

`step(tokens, state)` reads one more token on every beam: tokens (B, K) and a state whose tensors all begin with
(B, K) give log-probabilities (B, K, V) and the next state. B questions, K live beams, V symbols.

What is returned, for each question: of every completion (an end symbol after a live prefix) seen on the way, the
`beam` most probable. A live prefix is one of the `beam` most probable unfinished ones of its length. Scores are
plain sums of log-probabilities, so a prefix can only fall: the search stops as soon as no live prefix can still
enter the list.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

State = dict[str, Tensor]
Step = Callable[[Tensor, State], tuple[Tensor, State]]
NO_HOPE = float("-inf")


class Rules(Protocol):
    """What a hypothesis may do; one object a question (see `l2a.search.rules`)."""

    def start(self) -> Any:
        """The memory of an empty hypothesis."""

    def allowed(self, memory: Any) -> Sequence[int] | None:
        """The only symbols that may come next, or None for any; it is not changed later."""

    def advance(self, memory: Any, symbol: int) -> Any | None:
        """The memory after one more symbol (the end symbol too), or None to drop the hypothesis."""


@dataclass(frozen=True)
class Completion:
    """A finished sequence, the end symbol not included, and the sum of its log-probabilities (with the end)."""

    symbols: tuple[int, ...]
    score: float


@torch.inference_mode()
def beam_search(
    step: Step,
    state: State,
    *,
    questions: int,
    beam: int,
    max_steps: int,
    start: int | Sequence[int],
    end: int,
    rules: Sequence[Rules] | None = None,
) -> list[list[Completion]]:
    """The N-best list of every question, best first; at most `beam` hypotheses each, N = beam.

    start: the symbol that is read first, or one for each question.
    A question whose hypotheses all reach `max_steps` unfinished gets an empty list.
    """
    pools: list[list[Completion]] = [[] for _ in range(questions)]
    prefixes: list[list[tuple[int, ...]]] = [[()] for _ in range(questions)]
    memories: list[list[Any]] = [[rule.start()] for rule in rules] if rules else []
    tokens = torch.tensor([start] * questions if isinstance(start, int) else start, dtype=torch.long).view(questions, 1)
    scores = torch.zeros(questions, 1)  # (B, K) of the live prefixes; one beam at the first step

    for _ in range(max_steps):
        log_probs, state = step(tokens, state)  # (B, K, V)
        if rules:
            _forbid(log_probs, rules, memories)
        totals = scores.unsqueeze(-1).to(log_probs.dtype) + log_probs  # (B, K, V)
        collect(pools, prefixes, totals[..., end].tolist(), beam, end, rules, memories)
        totals[..., end] = NO_HOPE

        symbols = totals.shape[-1]
        scores, flat = totals.flatten(1).topk(min(beam, totals[0].numel()), dim=-1)  # (B, K')
        parents, tokens = flat // symbols, flat % symbols
        prefixes = _extend(prefixes, parents.tolist(), tokens.tolist())
        if rules:
            memories = advance(rules, memories, parents.tolist(), tokens.tolist(), scores)

        best_live = scores.max(dim=-1).values.tolist()
        if all(_is_over(pool, live, beam) for pool, live in zip(pools, best_live, strict=True)):
            break
        rows = torch.arange(questions).unsqueeze(1)
        state = {name: tensor[rows, parents] for name, tensor in state.items()}
    return pools


def _is_over(pool: list[Completion], best_live: float, beam: int) -> bool:
    return best_live == NO_HOPE or (len(pool) == beam and best_live <= pool[-1].score)


def collect(pools, prefixes, end_scores, beam, end, rules, memories) -> None:
    """Put every completion into its question's pool and keep the best `beam`, ties by symbols."""
    for question, pool in enumerate(pools):
        worst = pool[-1].score if len(pool) == beam else NO_HOPE
        fresh = []
        for place, score in enumerate(end_scores[question]):
            if score <= worst:  # equal does not enter a full list: a search that went on would change nothing
                continue
            if rules and rules[question].advance(memories[question][place], end) is None:
                continue
            fresh.append(Completion(prefixes[question][place], score))
        if fresh:
            pool.extend(fresh)
            pool.sort(key=lambda completion: (-completion.score, completion.symbols))
            del pool[beam:]


def _extend(prefixes, parents, tokens) -> list[list[tuple[int, ...]]]:
    return [
        [
            (*prefixes[question][parent], token)
            for parent, token in zip(parents[question], tokens[question], strict=True)
        ]
        for question in range(len(prefixes))
    ]


def _forbid(log_probs: Tensor, rules: Sequence[Rules], memories: list[list[Any]]) -> None:
    """Leave only the allowed symbols, in place; their probabilities are not scaled up."""
    for question, rule in enumerate(rules):
        for place, memory in enumerate(memories[question]):
            allowed = None if memory is None else rule.allowed(memory)
            if allowed is not None:
                kept = log_probs[question, place, list(allowed)]
                log_probs[question, place] = NO_HOPE
                log_probs[question, place, list(allowed)] = kept


def advance(rules, memories, parents, tokens, scores: Tensor) -> list[list[Any]]:
    """Memories of the new beams; a dropped hypothesis keeps its place with no hope, it is not replaced.

    Giving the place to the runner-up instead would force junk: the words that follow a repeated tag's last
    word are improbable for good reason.
    """
    moved: list[list[Any]] = []
    live = scores.tolist()
    for question, rule in enumerate(rules):
        row = []
        for place, (parent, token) in enumerate(zip(parents[question], tokens[question], strict=True)):
            memory = memories[question][parent]
            if live[question][place] == NO_HOPE:
                memory = None
            if memory is not None:
                memory = rule.advance(memory, token)
            if memory is None:
                scores[question, place] = NO_HOPE
            row.append(memory)
        moved.append(row)
    return moved
