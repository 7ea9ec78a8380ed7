"""How much the tag list, similar questions and a linear model should weigh in a tag's standing: chosen on dev.

    python bench/vote_weights.py --data DATA [--model models/starter] [--folds 5]

DATA holds zhihu/{train,dev}.jsonl. A tag's standing is its share of the hypotheses, less where the model made it up,
plus what each source finds likely with the source's weight, and 1 at most (l2a/ranking/candidates.py). The development
questions are decoded once; then every combination of weights and cut is counted. Chosen is the one with the most right
tags new to the training questions among those whose F1 is at most half a point under the best: to name tags that
nobody has given is what the model is for. The table has what more or fewer of them would cost.

A choice flatters the questions it was made on. With --folds the choice is made once for each part of the dev questions,
on the other parts alone, and the answers to all parts are scored together: that is what questions nobody chose by would
give. Never point it at test questions.
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from l2a.data.questions import Question, read_questions  # noqa: E402
from l2a.evidence.source import Finding, PreparedQuestion  # noqa: E402
from l2a.measure.metrics import WEIGHTS  # noqa: E402
from l2a.search.voting import MAX_SHOWN, count_votes  # noqa: E402
from l2a.suggestions import Hypothesis  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402
from l2a.text.cleaning import match_key  # noqa: E402

SOURCES = ("listed", "named", "near", "linear")
LISTED, NAMED, NEAR, INVENTED = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0), (0.0, 0.2, 0.4), (0.0, 0.2, 0.4), (0.25, 1.0)
LINEAR = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)

COST = 0.005  # of F1, at most, for more right new tags


class Weights(NamedTuple):
    listed: float
    named: float
    near: float
    linear: float
    invented: float  # what a hypothesis counts for a tag that the model made up


@dataclass(frozen=True)
class SpokenFor:
    """The tags of a question and what speaks for each, whatever it weighs; of equal standing the first comes first."""

    tags: tuple[str, ...]
    share: np.ndarray  # (tags,) of the hypotheses
    is_invented: np.ndarray  # (tags,)
    likely: np.ndarray  # (tags, SOURCES) probabilities, added up

    @classmethod
    def of(
        cls,
        hypotheses: Sequence[Hypothesis],
        beam: int,
        found: Iterable[Finding],
        is_invented: Callable[[str], bool],
    ) -> "SpokenFor":
        votes = count_votes([one.tags for one in hypotheses], [one.log_probability for one in hypotheses], beam=beam)
        named = {match_key(vote.tag): (vote.tag, vote.votes, vote.probability) for vote in votes}
        likely: dict[str, np.ndarray] = {}
        for one in found:
            if one.probability is not None:
                key = match_key(one.tag)
                named.setdefault(key, (one.tag, 0, 0.0))
                likely.setdefault(key, np.zeros(len(SOURCES)))[SOURCES.index(one.source)] += one.probability
        keys = sorted(named, key=lambda key: (-named[key][1], -named[key][2], named[key][0]))
        return cls(
            tags=tuple(named[key][0] for key in keys),
            share=np.array([named[key][1] / beam for key in keys]),
            is_invented=np.array([named[key][1] > 0 and is_invented(named[key][0]) for key in keys], dtype=bool),
            likely=np.array([likely.get(key, np.zeros(len(SOURCES))) for key in keys]).reshape(len(keys), len(SOURCES)),
        )

    def standing(self, weights: Weights) -> np.ndarray:
        """(tags,)"""
        votes = self.share * np.where(self.is_invented, weights.invented, 1.0)
        return np.minimum(1.0, votes + self.likely @ np.array(weights[: len(SOURCES)]))


def best(spoken: SpokenFor, weights: Weights) -> list[tuple[str, float]]:
    """As many tags as are shown, with their standing, the best first."""
    standing = spoken.standing(weights)
    return [(spoken.tags[place], float(standing[place])) for place in np.argsort(-standing, kind="stable")[:MAX_SHOWN]]


@dataclass(frozen=True, order=True)
class Outcome:
    """What a choice of weights gives on the development questions."""

    f1: float
    new_right: int
    new: int
    cut: float  # a tag needs a greater standing
    weights: Weights

    def __str__(self) -> str:
        weights = " | ".join(f"{weight:g}" for weight in self.weights)
        return f"| {100 * self.f1:.2f} | {self.new_right} of {self.new} | {self.cut:.3f} | {weights} |"


class Counted:
    """What each choice of weights and cut gives, counted by parts of the questions so that parts can be left out."""

    def __init__(self, choices: Sequence[tuple[Weights, float]], counts: np.ndarray):
        self.choices = choices
        # (choices, parts, 6): right and kept tags, both by position; right tags and tags that questions have; right
        # and kept ones that the training questions never have.
        self.counts = counts

    def outcomes(self, parts: Sequence[int] | None = None) -> list[Outcome]:
        """On these parts, or on all."""
        counts = self.counts if parts is None else self.counts[:, list(parts)]
        return [
            Outcome(f1(own), int(own[4]), int(own[5]), cut, weights)
            for (weights, cut), own in zip(self.choices, counts.sum(axis=1), strict=True)
        ]

    def cross_fitted(self) -> tuple[float, int, int]:
        """F1, right new tags and new tags: of each part with what was chosen on the others."""
        parts = range(self.counts.shape[1])
        pooled = np.zeros(6)
        for part in parts:
            chosen = choose(self.outcomes([other for other in parts if other != part]))
            pooled += self.counts[self.choices.index((chosen.weights, chosen.cut)), part]
        return f1(pooled), int(pooled[4]), int(pooled[5])


def f1(counts: np.ndarray) -> float:
    """The task's F1 of counts as above."""
    precision, recall = counts[0] / max(counts[1], 1e-9), counts[2] / max(counts[3], 1e-9)
    return float(2 * precision * recall / max(precision + recall, 1e-9))


def count(
    spoken: Sequence[SpokenFor],
    questions: Sequence[Question],
    known: frozenset[str],
    beam: int,
    folds: int = 1,
    grid: Iterable[Weights] | None = None,
) -> Counted:
    """Every combination of weights, by default of those above, and cut, a whole number of votes each."""
    combinations = [Weights(*each) for each in itertools.product(LISTED, NAMED, NEAR, LINEAR, INVENTED)]
    grid = combinations if grid is None else list(grid)
    cuts = [votes / beam for votes in range(beam // 2)]
    part = np.arange(len(questions)) % folds
    of_part = (part == np.arange(folds)[:, None]).astype(float)  # (parts, questions)
    right_keys = [set(map(match_key, question.tags)) for question in questions]
    wanted = of_part @ np.array([len(keys) for keys in right_keys])
    positions = np.array(WEIGHTS)
    counts = np.zeros((len(grid), len(cuts), folds, 6))
    counts[..., 3] = wanted
    for place, weights in enumerate(grid):
        standing = np.full((len(questions), MAX_SHOWN), -1.0)
        is_right, is_new = np.zeros((2, len(questions), MAX_SHOWN), dtype=bool)
        for row, (own, keys) in enumerate(zip(spoken, right_keys, strict=True)):
            for column, (tag, value) in enumerate(best(own, weights)):
                key = match_key(tag)
                standing[row, column], is_right[row, column], is_new[row, column] = value, key in keys, key not in known
        for step, cut in enumerate(cuts):
            kept = standing > cut + 1e-9
            counts[place, step, :, 0] = of_part @ ((kept & is_right) @ positions)
            counts[place, step, :, 1] = of_part @ (kept @ positions)
            counts[place, step, :, 2] = of_part @ (kept & is_right).sum(axis=1)
            counts[place, step, :, 4] = of_part @ (kept & is_right & is_new).sum(axis=1)
            counts[place, step, :, 5] = of_part @ (kept & is_new).sum(axis=1)
    return Counted([*itertools.product(grid, cuts)], counts.reshape(-1, folds, 6))


def frontier(found: Sequence[Outcome]) -> list[Outcome]:
    """The best F1 for each number of right new tags, from the best F1 on."""
    counts = sorted({one.new_right for one in found})
    return list(dict.fromkeys(max(one for one in found if one.new_right >= right) for right in counts))


def choose(found: Sequence[Outcome]) -> Outcome:
    """By the rule above."""
    highest = max(found).f1
    return max((one for one in found if one.f1 >= highest - COST), key=lambda one: (one.new_right, one.f1))


def look_up(tagger: Tagger, questions: Sequence[Question]) -> list[SpokenFor]:
    """Decodes the questions, once."""
    if tagger.evidence.retriever is None:
        raise SystemExit("This model has no retriever: nothing but its hypotheses can speak for a tag.")
    segmenter = tagger.codec.segmenter
    return [
        SpokenFor.of(
            answer.hypotheses,
            answer.beam,
            tagger.evidence.find(PreparedQuestion.of(question, segmenter)),
            tagger.is_invented,
        )
        for question, answer in zip(questions, tagger.suggest_stream(questions), strict=True)
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=ROOT / "models" / "starter")
    parser.add_argument("--folds", type=int, help="also score each of so many parts with what the others choose")
    args = parser.parse_args(arguments)
    if args.folds is not None and args.folds < 2:
        parser.error("--folds: at least 2, or nothing is left to choose on")
    train = [question for question in read_questions(args.data / "zhihu" / "train.jsonl") if question.tags]
    dev = list(read_questions(args.data / "zhihu" / "dev.jsonl"))
    known = frozenset(match_key(tag) for question in train for tag in question.tags)
    tagger = Tagger.load(args.model)
    counted = count(look_up(tagger, dev), dev, known, tagger.settings.beam, args.folds or 1)
    found = counted.outcomes()
    print("| F1 on dev | new tags right | standing above | listed | named | near | linear | invented |")
    print("|---|---|---|---|---|---|---|---|")
    for outcome in frontier(found):
        print(outcome)
    print(f"\nChosen:\n{choose(found)}")
    if args.folds:
        honest, right, new = counted.cross_fitted()
        print(f"\nChosen on the other parts ({args.folds}): F1 {100 * honest:.2f}, {right} of {new} new tags right.")


if __name__ == "__main__":
    main()
