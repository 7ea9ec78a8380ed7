"""The runs of a text that could be a name, each described by figures.

A figure means the same for every run of every text, so that what was learned from tags that people gave holds for names
that nobody has met.
"""

from dataclasses import dataclass

import numpy as np

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.tokens import BREAK, LONGEST, MIDDLE, Tokens, runs_of
from l2a.evidence.names.usage import BEFORE, BEGINS, BEHIND, EDGE_TOKENS, ENDS, LONGEST_EDGE, Usage

LONGEST_LATIN = 20  # characters of a single word that could be a name
# What stands right before or behind: another word, nothing (the text's end), or one of these marks.
_MARKS = {"《": 2, "》": 2, "“": 3, "”": 3, '"': 3, "「": 3, "」": 3, "『": 3, "』": 3, "'": 3, "‘": 3, "’": 3,
          "#": 4, "【": 4, "】": 4, "[": 4, "]": 4, "(": 5, ")": 5}  # fmt: skip
_WORD, _END, _OTHER = 0, 1, 6
_MARGIN = LONGEST  # breaks around a text, so that what stands beside a run can be asked for everywhere
FIGURES = 29 + 4 * 2 * EDGE_TOKENS + 2 * 3 + 1
LATENESS = FIGURES - 1  # the last, so that trees learned before it was there read on as they did
# Places of figures that others ask for.
LOG_COUNT, IS_RARE, FREE_BEFORE, BEGINS_WORD, ENDS_WORD, WORDS_INSIDE, BEFORE_IT = 9, 10, 11, 23, 24, 25, 26
OF_WHOLE_ENDING = 29 + (2 * EDGE_TOKENS + 3) + 2 * EDGE_TOKENS + 1


@dataclass(frozen=True)
class Spans:
    """Candidates of one text."""

    tokens: Tokens
    first: np.ndarray  # (m,) place of the first token
    length: np.ndarray  # (m,) tokens
    figures: np.ndarray  # (m, FIGURES)
    has_particle: np.ndarray  # (m,) whether one of its words is a single character: 在, 的, 了

    def text(self, place: int) -> str:
        first = int(self.first[place])
        return self.tokens.between(first, first + int(self.length[place]) - 1)


def describe(tokens: Tokens, words: frozenset[int], counts: SpanCounts, usage: Usage) -> Spans:
    """words: where the segmenter's words begin and end in the text, in characters."""
    numbers, n = tokens.numbers, len(tokens.numbers)
    first, length = _candidates(tokens)
    if not len(first):
        return Spans(tokens, first, length, np.zeros((0, FIGURES)), np.zeros(0, dtype=bool))
    last = first + length - 1
    around = np.concatenate([np.full(_MARGIN, BREAK), numbers, np.full(_MARGIN, BREAK)]).astype(np.uint64)
    table, starts = _look_up(numbers, counts)  # (runs, 4) of every run of the text, by length and place

    def known(place: np.ndarray, size: np.ndarray) -> np.ndarray:
        """(m, 4); a run that is not wholly in the text, or empty, is unknown."""
        is_there = (place >= 0) & (size > 0) & (size <= LONGEST) & (place + size <= n)
        found = np.full((len(place), 4), (-1.0, 0.0, 0.0, 0.0))
        found[is_there] = table[starts[size[is_there]] + place[is_there]]
        return found

    own = known(first, length)
    total = np.log(max(counts.tokens, 1.0))
    rare = np.log(max(counts.least, 1.0)) / 2  # of a run that is not kept: somewhere below the least that is
    log_count = np.where(own[:, 0] < 0, 0.0, own[:, 0])
    # How much oftener the tokens stand together than by chance, at the cut where they hold together least.
    holds = np.full(len(first), 20.0)
    for size in range(1, int(length.max())):
        is_cut = length > size
        left, right = known(first, np.full_like(length, size))[:, 0], known(first + size, length - size)[:, 0]
        together = log_count + total - np.where(left < 0, rare, left) - np.where(right < 0, rare, right)
        holds = np.where(is_cut, np.minimum(holds, together), holds)
    one = np.ones_like(length)
    heads, tails = known(first, one), known(last, one)
    longer_right, longer_left = known(first, length + 1)[:, 0], known(first - 1, length + 1)[:, 0]
    shorter_right, shorter_left = known(first, length - 1)[:, 0], known(first + 1, length - 1)[:, 0]
    kinds = _kinds(tokens)
    before, behind = kinds[0][first], kinds[1][last]
    begins = np.array(tokens.begins)[first]
    ends = np.array(tokens.ends)[last]
    is_latin = numbers >= (1 << 40)
    latin = np.concatenate([[0], np.cumsum(is_latin)])
    size = max(1, tokens.ends[-1])
    on_word = np.zeros(tokens.ends[-1] + 1, dtype=np.int64)
    on_word[[place for place in words if place <= tokens.ends[-1]]] = 1
    inside = np.concatenate([[0], np.cumsum(on_word)])
    alone = np.concatenate([[0], np.cumsum(on_word[:-1] & on_word[1:])])  # words of one character before each place
    runs = runs_of(around)
    figures = [
        length,
        ends - begins,
        latin[last + 1] - latin[first],
        is_latin[first],
        [tokens.text[place].isupper() for place in begins.tolist()],
        [any(map(str.isdigit, tokens.text[a:b])) for a, b in zip(begins.tolist(), ends.tolist(), strict=True)],
        begins / size,
        (size - ends) / size,
        np.full(len(first), size),
        log_count,
        own[:, 0] < 0,
        own[:, 1],
        own[:, 2],
        np.minimum(own[:, 1], own[:, 2]),
        np.clip(holds, -5, 20),
        heads[:, 0],
        heads[:, 2],
        tails[:, 0],
        tails[:, 1],
        log_count - longer_right,
        log_count - longer_left,
        log_count - shorter_right,
        log_count - shorter_left,
        on_word[begins],
        on_word[ends],
        inside[ends] - inside[begins + 1],
        before,
        behind,
        (before == behind) & (before >= 2),
    ]
    for kind, is_front in ((BEGINS, True), (ENDS, False)):
        used = np.full((LONGEST_EDGE + 1, len(first)), -2.0)
        for part in range(1, LONGEST_EDGE + 1):
            place = first if is_front else last - part + 1
            keys = runs[part][np.clip(place, 0, None) + _MARGIN]
            used[part] = np.where(length > part, usage.of(keys, kind), -2.0)
            if part <= EDGE_TOKENS:
                common = known(place, np.full_like(length, part))[:, 0]
                figures += [used[part], np.where(length > part, used[part] - common, -15.0)]
        longest = LONGEST_EDGE - np.argmax(used[:0:-1] >= 0, axis=0)
        figures.append(np.where((used >= 0).any(axis=0), longest, 0))
        # The whole of it begins or ends tags, so with what stands beside it, it may be only a part of one.
        figures.append(_of_whole(runs, usage, first, length, kind))
        beside = first - 2 if is_front else last + 1
        figures.append(usage.of(runs[2][beside + _MARGIN], kind))
    for kind, is_front in ((BEFORE, True), (BEHIND, False)):
        for part in range(1, EDGE_TOKENS + 1):
            place = first - part if is_front else last + 1
            used = usage.of(runs[part][place + _MARGIN], kind)
            figures += [used, used - known(place, np.full_like(length, part))[:, 0]]
    figures.append(own[:, 3])
    described = np.stack([np.asarray(figure, dtype=np.float64) for figure in figures], axis=1)
    return Spans(tokens, first, length, described, alone[ends] > alone[begins])


def _of_whole(runs: list[np.ndarray], usage: Usage, first: np.ndarray, length: np.ndarray, kind: int) -> np.ndarray:
    found = np.full(len(first), -2.0)
    for part in range(1, LONGEST_EDGE + 1):
        is_so_long = length == part
        found[is_so_long] = usage.of(runs[part][first[is_so_long] + _MARGIN], kind)
    return found


def _look_up(numbers: np.ndarray, counts: SpanCounts) -> tuple[np.ndarray, np.ndarray]:
    runs = runs_of(numbers)
    starts = np.cumsum([0, *map(len, runs)])
    return counts.of(np.concatenate(runs)), np.pad(starts, (0, LONGEST + 1 - len(runs) + 1), mode="edge")


def _candidates(tokens: Tokens) -> tuple[np.ndarray, np.ndarray]:
    """(first, length) of the runs without a break, two hanzi or one Latin word at least."""
    numbers, n = tokens.numbers, len(tokens.numbers)
    found: list[tuple[int, int]] = []
    is_edge = [number != BREAK and chr(int(number)) not in MIDDLE if number < 0x110000 else True for number in numbers]
    for first in range(n):
        if not is_edge[first]:
            continue
        for last in range(first, min(n, first + LONGEST)):
            if numbers[last] == BREAK:
                break
            if is_edge[last] and (last > first or 1 < tokens.ends[first] - tokens.begins[first] <= LONGEST_LATIN):
                found.append((first, last - first + 1))
    return np.array([a for a, _ in found], dtype=np.int64), np.array([b for _, b in found], dtype=np.int64)


def _kinds(tokens: Tokens) -> tuple[np.ndarray, np.ndarray]:
    """(n,) each: what stands right before each token, and what right behind it."""
    text, marks = tokens.text, []
    for places, step in ((tokens.begins, -1), (tokens.ends, 0)):
        own = []
        for place in places:
            beside = place + step
            if (step < 0 and place == 0) or beside >= len(text):
                own.append(_END)
                continue
            mark = text[beside]
            own.append(_WORD if mark.isalnum() else _MARKS.get(mark, _OTHER))
        marks.append(np.array(own, dtype=np.int64))
    return marks[0], marks[1]
