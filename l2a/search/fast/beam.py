"""The beam search of `l2a.search.beam` over `FastDecoder`: the same lists, for less work.

- The best ways to go on are found without probabilities of all words (`l2a.search.fast.expansion`).
- A beam that is no better than the worst of a full list can add nothing to it, nor can what follows it; and a beam
  that it pushes aside is worse still. Such beams are dropped, and with its last one a question is over: the others
  go on without it.
- Where each question goes through the whole decoder alone (8 bits), questions are searched side by side.

Shapes, of one question: K live beams, D the width.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import Tensor

from l2a.network.model import Memory
from l2a.search.beam import NO_HOPE, Completion, Rules, advance, collect
from l2a.search.fast.decoder import FastDecoder, Reading
from l2a.search.fast.expansion import Barred, Copies, Slots, WordScores, expand
from l2a.search.fast.side_by_side import side_by_side
from l2a.text.vocabulary import END


@dataclass
class _Search:
    """One question's side of the search."""

    reading: Reading
    slots: Slots | None  # the words it can copy
    rules: Rules | None
    memories: list  # of the rules, one a beam; None for a dropped one
    scores: Tensor = field(default_factory=lambda: torch.zeros(1))  # (K,)
    prefixes: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    pool: list[Completion] = field(default_factory=list)
    # By the identity of the list of symbols that the rules allow, which is kept with it, so that it stays that one's.
    barred: dict[int, tuple[Sequence[int], Barred]] = field(default_factory=dict)


@torch.inference_mode()
def fast_beam_search(
    decoder: FastDecoder,
    memory: Memory,
    *,
    beam: int,
    max_steps: int,
    start: int | Sequence[int],
    rules: Sequence[Rules] | None = None,
) -> list[list[Completion]]:
    """The N-best list of every question in `memory`; it promises what `l2a.search.beam` promises."""
    starts = [start] * len(memory.mask) if isinstance(start, int) else start
    searches = []
    for number, reading in enumerate(decoder.begin(memory, starts)):
        slots = Slots.of(reading.view.source.copy_ids[0]) if decoder.model.config.copy else None
        mine = rules[number] if rules else None
        searches.append(_Search(reading, slots, mine, [mine.start() if mine else None]))
    run = partial(_run, decoder, beam=beam, max_steps=max_steps)
    if decoder.is_all_int8 and len(searches) > 1:
        side_by_side(run, [[search] for search in searches])
    else:
        run(searches)
    return [search.pool for search in searches]


@torch.inference_mode()
def _run(decoder: FastDecoder, searches: list[_Search], *, beam: int, max_steps: int) -> None:
    """Search for these questions step by step together, until all of them are over."""
    for _ in range(max_steps):
        hidden = decoder.step([search.reading for search in searches])  # (K, D) each
        for search, mine, scores in zip(searches, hidden, decoder.word_scores(hidden), strict=True):
            _go_on(decoder, search, mine, scores, beam)
        searches = [search for search in searches if search.prefixes]
        if not searches:
            return


def _go_on(decoder: FastDecoder, search: _Search, hidden: Tensor, scores: WordScores, beam: int) -> None:
    """Completions go to the list; of the rest the `beam` best are the new beams, if they can lead into the list."""
    copies = None
    if search.slots is not None:
        copies = Copies(search.slots, *decoder.pointer(hidden, search.reading.view))
    ways = expand(scores, search.scores, beam, copies, _barred(search, scores.words.shape[1]))
    parents, tokens, values = ways.parents.tolist(), ways.symbols.tolist(), ways.totals
    rules, memories = ([search.rules], [search.memories]) if search.rules else (None, None)
    collect([search.pool], [search.prefixes], [ways.ends.tolist()], beam, END, rules, memories)
    moved = advance(rules, memories, [parents], [tokens], values.unsqueeze(0))[0] if rules else [None] * len(parents)

    live = _live(search, values, beam)
    search.prefixes = [(*search.prefixes[parents[place]], tokens[place]) for place in live]
    search.memories = [moved[place] for place in live]
    places = slice(None) if len(live) == len(parents) else torch.tensor(live, dtype=torch.long)
    search.scores, search.reading.tokens = values[places], ways.symbols[places]
    search.reading.past.follow(ways.parents[places])


def _barred(search: _Search, size: int) -> dict[int, Barred]:
    """What may not come next, of `size` words, for beams that have such a rule: worked out once for beams that may go
    on with the same symbols."""
    if search.rules is None:
        return {}
    found = {}
    for place, memory in enumerate(search.memories):
        symbols = search.rules.allowed(memory)
        if symbols is not None:
            if id(symbols) not in search.barred:
                search.barred[id(symbols)] = symbols, Barred.but(symbols, size, search.slots)
            found[place] = search.barred[id(symbols)][1]
    return found


def _live(search: _Search, scores: Tensor, beam: int) -> list[int]:
    """Beams that can still lead into the list."""
    worst = search.pool[-1].score if len(search.pool) == beam else NO_HOPE
    return [place for place, score in enumerate(scores.tolist()) if score > worst]
