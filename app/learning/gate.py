"""The gate: a candidate against the live model on decisions that neither has learned from. Pure: answers in, a verdict
out. Which decisions those are is said in app.learning.comparison.

Every figure is over the same questions. The interval of the difference comes from resampling the questions
(a paired bootstrap), so it says how much the difference would move with other questions of the same kind.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from l2a.measure import bootstrap
from l2a.measure.metrics import new_tags, nlpcc_score
from l2a.text.cleaning import match_key

ENOUGH = 30  # decisions; with fewer the verdict is only that there are too few, whatever the interval
VERDICTS = ("better", "not distinguishable", "worse", "too few decisions")
# Questions served at random (or blind) are a fair sample; an order picks, and may pick by what the live model doubts.
PARTS = RANDOM, ORDERED = ("random", "ordered")


@dataclass(frozen=True)
class Case:
    """A question that both are tested on: what people gave it and what they turned down, and how it was served."""

    question_id: int
    tags: tuple[str, ...]
    rejected: tuple[str, ...] = ()
    part: str = RANDOM


@dataclass(frozen=True)
class Answers:
    """What one model keeps for each question, in the order of the questions."""

    version: str
    tags: tuple[tuple[str, ...], ...]
    seconds: float | None  # that a question took; None where all hypotheses had been found before
    known: frozenset[str] = frozenset()  # its training labels


@dataclass(frozen=True)
class Comparison:
    """What the gate found; `to_dict` is what is stored and shown."""

    verdict: str
    questions: int
    live: dict[str, Any]
    candidate: dict[str, Any]
    difference: float  # of F1, candidate minus live
    interval: tuple[float, float]  # 95%
    tags: tuple[dict[str, Any], ...]  # changes by tag, the worst first
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)  # the same of PARTS, each on its own
    since: int = 0  # the ledger line from which on decisions count; those held out count from the first

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def compare(cases: Sequence[Case], live: Answers, candidate: Answers, *, seed: int = 1, since: int = 0) -> Comparison:
    """The candidate's verdict and what it rests on."""
    low, high = difference_interval(cases, live, candidate, seed)
    sides = [_describe(cases, answers) for answers in (live, candidate)]
    return Comparison(
        verdict=_verdict(len(cases), low, high),
        questions=len(cases),
        live=sides[0],
        candidate=sides[1],
        difference=sides[1]["f1"] - sides[0]["f1"],
        interval=(low, high),
        tags=tuple(_by_tag(cases, live, candidate)),
        parts={part: _part(part, cases, live, candidate, seed) for part in PARTS},
        since=since,
    )


def _part(part: str, cases: Sequence[Case], live: Answers, candidate: Answers, seed: int) -> dict[str, Any]:
    """F1 of both on the questions that were served in one way, and the difference."""
    places = [place for place, question in enumerate(cases) if question.part == part]
    gold = [cases[place].tags for place in places]
    before, after = ([answers.tags[place] for place in places] for answers in (live, candidate))
    low, high = bootstrap.difference_interval(gold, before, after, seed)
    was, is_now = nlpcc_score(before, gold).f1, nlpcc_score(after, gold).f1
    return {
        "questions": len(places),
        "verdict": _verdict(len(places), low, high),
        "live": was,
        "candidate": is_now,
        "difference": is_now - was,
        "interval": (low, high),
    }


def _verdict(questions: int, low: float, high: float) -> str:
    if questions < ENOUGH:
        return "too few decisions"
    if low > 0:
        return "better"
    return "worse" if high < 0 else "not distinguishable"


def _describe(cases: Sequence[Case], answers: Answers) -> dict[str, Any]:
    gold = [question.tags for question in cases]
    # F1 holds against a model every tag that people did not choose, so what was left untouched counts as not accepted
    # here too (db.figures.rate). `rejected` are only those that somebody turned down: which tags were left untouched
    # depends on what the model of that day showed, and avoiding those would only mean showing others than it did.
    replay: Counter[str] = Counter()
    for question, tags in zip(cases, answers.tags, strict=True):
        said = set(map(match_key, tags))
        for name, wanted in (("accepted", question.tags), ("rejected", question.rejected)):
            replay[name] += len(wanted)
            replay[f"{name}_suggested"] += sum(match_key(tag) in said for tag in wanted)
    return {
        "version": answers.version,
        **nlpcc_score(answers.tags, gold).to_dict(),
        "accepted": replay["accepted"],
        "accepted_suggested": replay["accepted_suggested"],
        "rejected": replay["rejected"],
        "rejected_avoided": replay["rejected"] - replay["rejected_suggested"],
        "new_tags": new_tags(answers.tags, gold, answers.known).to_dict(),
        "seconds_per_question": answers.seconds,
    }


def difference_interval(cases: Sequence[Case], live: Answers, candidate: Answers, seed: int = 1) -> tuple[float, float]:
    """95% of the differences of F1 when the questions are drawn again, with replacement."""
    gold = [question.tags for question in cases]
    return bootstrap.difference_interval(gold, live.tags, candidate.tags, seed)


def _by_tag(cases: Sequence[Case], live: Answers, candidate: Answers) -> list[dict[str, Any]]:
    """Tags whose right or wrong suggestions changed in number; those that got worse come first."""
    names: dict[str, str] = {}
    counts = [_tag_counts(cases, answers, names) for answers in (live, candidate)]
    changes = []
    for key, name in names.items():
        (right_before, wrong_before), (right, wrong) = (some.get(key, (0, 0)) for some in counts)
        if (right_before, wrong_before) != (right, wrong):
            changes.append(
                {
                    "tag": name,
                    "change": (right - right_before) - (wrong - wrong_before),
                    "right": [right_before, right],
                    "wrong": [wrong_before, wrong],
                }
            )
    return sorted(changes, key=lambda change: (change["change"], change["tag"]))


def _tag_counts(cases: Sequence[Case], answers: Answers, names: dict[str, str]) -> Mapping[str, tuple[int, int]]:
    """Key -> (right, wrong) suggestions of the tag; spellings go to `names`."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for question, tags in zip(cases, answers.tags, strict=True):
        gold = set(map(match_key, question.tags))
        for tag in tags:
            key = match_key(tag)
            names.setdefault(key, tag)
            (right if key in gold else wrong)[key] += 1
    return {key: (right[key], wrong[key]) for key in right | wrong}
