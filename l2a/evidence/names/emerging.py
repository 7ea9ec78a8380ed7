"""Names that stand in several texts and that nobody has as a tag yet.

Counting is cheap and judging is not: runs that stand in several of the texts are counted in all of them at once, and
only a few titles of each that stands there unusually often are looked at for names.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from l2a.evidence.names.counts import SpanCounts
from l2a.evidence.names.finder import NameFinder
from l2a.evidence.names.tokens import LONGEST, cut_clean, extend_hashes, numbers_of, runs_of, scramble
from l2a.text.cleaning import clean, match_key

LOOKED_AT = 4  # titles of each run
MOST_TITLES = 2_500  # that are looked at in all, those with the most unusual runs first
LEAST_SHARE = 0.4  # of the titles looked at, in which a run must be the name that is found
LEAST_LIKENESS = 0.05  # to the tags of lists, on average
PART_SHARE = 0.7  # of its texts in which a name is a part of one longer name: then it is only a part
_FREE = 0.3  # entropy on both sides: what always stands beside the same token is a part of something
_RARE = 0.5  # times that a run which the large text does not keep counts for there


class Text(NamedTuple):
    number: int  # of the question
    title: str


@dataclass(frozen=True)
class EmergingName:
    name: str  # as it is mostly written
    chance: float  # that people would call it a tag, 0 to 1
    questions: tuple[int, ...]  # numbers of the questions it stands in, in the order given
    surprise: float  # how many times oftener than in the large text the model knows; inf where it never stood there


def find_emerging(
    texts: Sequence[Text],
    finder: NameFinder,
    *,
    is_known: Callable[[str], bool],
    least: int = 3,
    most: int = 100,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[EmergingName]:
    """Names that stand in several of the texts and that nobody has as a tag, the most unusual first."""
    titles = [clean(text.title) for text in texts]
    places, surprise = _unusual_runs(titles, finder, least)
    looked_at: dict[int, None] = {}
    for run in sorted(places, key=lambda run: (-np.log(surprise[run]) * len(places[run]), run)):
        if len(looked_at) >= MOST_TITLES:
            break
        looked_at |= dict.fromkeys(places[run][:: max(1, len(places[run]) // LOOKED_AT)][:LOOKED_AT])
    spellings: defaultdict[int, list[str]] = defaultdict(list)
    likeness: defaultdict[int, list[float]] = defaultdict(list)
    seen: defaultdict[int, int] = defaultdict(int)
    for done, place in enumerate(looked_at):
        progress(done, len(looked_at))
        tokens = cut_clean(titles[place])
        for run in {int(key) for keys in runs_of(tokens.numbers)[1:] for key in keys}:
            seen[run] += 1
        best = finder.best(tokens)
        for at in best.places:
            first, length = int(best.spans.first[at]), int(best.spans.length[at])
            run = int(runs_of(tokens.numbers[first : first + length])[-1][0])
            spellings[run].append(best.spans.text(at))
            likeness[run].append(float(best.likeness[at]))
    progress(len(looked_at), len(looked_at))
    found = []
    for run, written in spellings.items():
        if run not in places or len(written) < LEAST_SHARE * seen[run]:
            continue
        spelling = max(set(written), key=lambda one: (written.count(one), one))
        chance = sum(likeness[run]) / max(seen[run], len(written))
        if chance >= LEAST_LIKENESS and not is_known(spelling):
            questions = tuple(texts[place].number for place in places[run])
            found.append(EmergingName(spelling, float(chance), questions, float(surprise[run])))
    return sorted(_without_parts(found), key=_unusual, reverse=True)[:most]


def _unusual(name: EmergingName) -> tuple[float, str]:
    return len(name.questions) * name.chance * np.log1p(name.surprise), name.name


def _unusual_runs(
    titles: Sequence[str], finder: NameFinder, least: int
) -> tuple[dict[int, list[int]], dict[int, float]]:
    """Hash of a run that stands in so many titles, oftener than in the large text: the titles, and how much oftener."""
    numbers = numbers_of(titles)
    own = SpanCounts.count(numbers, least)
    free, tokens, title_of = own.free_keys(_FREE), max(1.0, own.tokens), _title_of_positions(titles)
    places: dict[int, list[int]] = {}
    surprise: dict[int, float] = {}
    hashes = numbers
    for length in range(1, min(LONGEST, len(numbers)) + 1):
        hashes = extend_hashes(hashes, numbers, length) if length > 1 else numbers
        keys = scramble(hashes)
        begins = np.flatnonzero(np.isin(keys, free))
        pairs = np.unique(np.stack([keys[begins].astype(np.int64), title_of[begins]], axis=1), axis=0)
        runs, first, counts = np.unique(pairs[:, 0], return_index=True, return_counts=True)
        before = finder.counts.of(runs.astype(np.uint32))[:, 0]
        rate = np.where(before < 0, _RARE, np.exp(before)) / max(1.0, finder.counts.tokens)
        for run, begin, count, oftener in zip(
            runs.tolist(), first.tolist(), counts.tolist(), (counts / tokens / rate).tolist(), strict=True
        ):
            if count >= least and oftener > 1 and run not in places:
                places[run] = pairs[begin : begin + count, 1].tolist()
                surprise[run] = oftener
    return places, surprise


def _title_of_positions(titles: Sequence[str]) -> np.ndarray:
    """Place of the title for each token of `numbers_of(titles)`."""
    sizes = [len(cut_clean(title).numbers) + 1 for title in titles]
    return np.repeat(np.arange(len(titles)), sizes)


def _without_parts(names: Sequence[EmergingName]) -> list[EmergingName]:
    """Without names that mostly stand in the text as part of one longer name."""
    kept = []
    keys = [(match_key(name.name), frozenset(name.questions)) for name in names]
    for name, (key, questions) in zip(names, keys, strict=True):
        is_part = any(
            key != other and key in other and len(questions & others) >= PART_SHARE * len(questions)
            for other, others in keys
        )
        if not is_part:
            kept.append(name)
    return kept
