"""Which forms of a column are a few typing errors away from a query."""

import numpy as np

from db.tags.search.text import Column, bits, codes_of

MAX_COMPARED = 20_000  # forms compared one by one; the most used tags first
_START_COST = 0.5  # if only the start of a form is meant
_START_LENGTH = 5  # characters that must be there before a mere start is compared


def edits_allowed(text: str, *, heard: bool = False) -> int:
    """How many characters may be wrong, missing, too many or swapped. One of two hanzi would be half a word.

    heard: the text is pinyin, where one letter makes another syllable: then fewer, and none in a short text.
    """
    if heard:
        return 0 if len(text) < 5 else 1 if len(text) < 12 else 2
    hanzi = sum(not character.isascii() for character in text)
    if len(text) < (3 if hanzi else 4):
        return 0
    weight = len(text) + hanzi
    return 1 if weight <= 10 else 2 if weight <= 18 else 3


def edited(column: Column, text: str, allowed: int, last_row: int) -> list[tuple[float, np.ndarray]]:
    """(cost, ascending places) of the forms, or their starts, that are at most `allowed` edits from the text."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if not allowed:
        return []
    length, last = len(text), column.forms_before(last_row)
    # An edit costs at most one character, or three pairs if two neighbours are swapped; all others are in the form.
    sets = zip(bits(codes_of(text)), (column.characters, column.pairs), (allowed, 3 * allowed), strict=True)
    near = np.ones(last, bool)
    for wanted, present, lost in sets:
        every = np.bitwise_or.reduce(wanted)
        near &= np.bitwise_count(present[:last] & every) + lost >= np.bitwise_count(every)
    begins, ends = column.begins[:last][near], column.ends[:last][near]
    sizes = ends - begins
    whole = np.abs(sizes - length) <= allowed
    windows = [(0.0, begins[whole], ends[whole])]
    if length >= _START_LENGTH:
        first = column.codes[begins]
        begun = np.isin(first, codes_of(text[:2]))  # who goes wrong at once does not wait for suggestions
        for window in (length - 1, length, length + 1):
            longer = begun & (sizes > window)
            windows.append((_START_COST, begins[longer], begins[longer] + window))

    costs: dict[int, float] = {}
    for extra, starts, stops in windows:
        places = starts[:MAX_COMPARED].tolist()
        choices = [column.text[place:stop] for place, stop in zip(places, stops.tolist(), strict=False)]
        for _, edits, at in process.extract(text, choices, scorer=OSA.distance, score_cutoff=allowed, limit=None):
            costs[places[at]] = min(edits + extra, costs.get(places[at], np.inf))
    by_cost: dict[float, list[int]] = {}
    for place in sorted(costs):
        by_cost.setdefault(costs[place], []).append(place)
    return [(cost, np.array(by_cost[cost])) for cost in sorted(by_cost)]
