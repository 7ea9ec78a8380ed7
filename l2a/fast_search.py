"""The beam search of `l2a.search` over `FastDecoder`: the same lists, for less work.

- The best ways to go on are found without probabilities of all words (`l2a.fast_expansion`).
- A beam that is no better than the worst of a full list can add nothing to it, nor can what follows it; and a beam
  that it pushes aside is worse still. Such beams are dropped, and with its last one a question is over: the others
  go on without it.
- One question at a time goes through the output layer, so that its scores stay in the processor's cache.

Shapes: B questions that are not over, K live beams (of the question that has most), D the width.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from l2a.fast_decoder import FastDecoder, FastMemory
from l2a.fast_expansion import Copies, Slots, expand
from l2a.model import Memory
from l2a.search import NO_HOPE, Hypothesis, Rules, advance, collect
from l2a.vocabulary import END


@dataclass
class _Search:
    """One question's side of the search."""

    number: int  # its place in the answer
    pool: list[Hypothesis]
    rules: Rules | None
    prefixes: list[tuple[int, ...]]
    memories: list  # of the rules, one a beam; None for a dropped one
    slots: Slots | None = None


@torch.inference_mode()
def fast_beam_search(
    decoder: FastDecoder,
    memory: Memory,
    *,
    beam: int,
    max_steps: int,
    start: int | Sequence[int],
    rules: Sequence[Rules] | None = None,
) -> list[list[Hypothesis]]:
    """The N-best list of every question in `memory`; what is promised is what `l2a.search.beam_search` promises."""
    questions = len(memory.mask)
    searches = [_Search(n, [], rules[n] if rules else None, [()], []) for n in range(questions)]
    for search in searches:
        search.memories = [search.rules.start()] if search.rules else [None]
        if decoder.model.config.copy:
            search.slots = Slots.of(memory.source.copy_ids[search.number])
    pools = [search.pool for search in searches]
    tokens = torch.tensor([start] * questions if isinstance(start, int) else start, dtype=torch.long).view(questions, 1)
    scores = torch.zeros(questions, 1)  # (B, K)
    past, seen = decoder.start(questions), decoder.prepare(memory)

    for _ in range(max_steps):
        hidden, past = decoder.step(tokens, past, seen)  # (B, K, D)
        found = _expand_all(decoder, hidden, seen, searches, scores, beam)
        scores, parents, tokens = (torch.stack(part) for part in zip(*found, strict=True))  # (B, K')
        live = [_live(search, row, beam) for search, row in zip(searches, scores, strict=True)]
        most = max(map(len, live))
        if not most:
            break
        order = torch.tensor([_filled(places, most, scores.shape[1]) for places in live])  # (B, K'')
        scores, parents, tokens = scores.gather(1, order), parents.gather(1, order), tokens.gather(1, order)
        for search, places in zip(searches, order.tolist(), strict=True):
            search.prefixes = [search.prefixes[place] for place in places]
            search.memories = [search.memories[place] for place in places]
        past = past.follow(parents)
        going_on = [row for row, places in enumerate(live) if places]
        if len(going_on) < len(live):
            searches = [searches[row] for row in going_on]
            scores, tokens = scores[going_on], tokens[going_on]
            past, seen = past.of(going_on), seen.of(going_on)
    return pools


def _expand_all(
    decoder: FastDecoder,
    hidden: Tensor,
    seen: FastMemory,
    searches: list[_Search],
    scores: Tensor,
    beam: int,
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Completions go to their lists; of the rest the `beam` best: (scores, parents, tokens), each (K',)."""
    pointer, gate = decoder.pointer(hidden, seen) if decoder.model.config.copy else (None, None)
    found = []
    for row, search in enumerate(searches):
        copies = None if search.slots is None else Copies(search.slots, pointer[row], gate[row])
        ways = expand(decoder.word_scores(hidden[row]), scores[row], beam, copies, _allowed(search))
        rules, memories = ([search.rules], [search.memories]) if search.rules else (None, None)
        collect([search.pool], [search.prefixes], [ways.ends.tolist()], beam, END, rules, memories)
        values, parents, tokens = ways.totals, ways.parents, ways.symbols
        if rules:
            search.memories = advance(rules, memories, [parents.tolist()], [tokens.tolist()], values.unsqueeze(0))[0]
        else:
            search.memories = [None] * len(values)
        pairs = zip(parents.tolist(), tokens.tolist(), strict=True)
        search.prefixes = [(*search.prefixes[parent], token) for parent, token in pairs]
        found.append((values, parents, tokens))
    return found


def _allowed(search: _Search) -> dict[int, list[int]]:
    """The only symbols that may come next, for beams that have such a rule."""
    if search.rules is None:
        return {}
    asked = ((place, search.rules.allowed(m)) for place, m in enumerate(search.memories) if m is not None)
    return {place: list(symbols) for place, symbols in asked if symbols is not None}


def _live(search: _Search, scores: Tensor, beam: int) -> list[int]:
    """Beams that can still lead into the list."""
    worst = search.pool[-1].score if len(search.pool) == beam else NO_HOPE
    return [place for place, score in enumerate(scores.tolist()) if score > worst]


def _filled(places: list[int], count: int, beams: int) -> list[int]:
    """So many places, the given ones first: a question with fewer live beams than another keeps some dead ones."""
    live = set(places)
    return places + [place for place in range(beams) if place not in live][: count - len(places)]
