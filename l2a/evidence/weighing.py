"""What votes and all findings about a tag are worth together: boosted trees, learned from labelled questions.

One finding is worth more or less by what the others say, by how often the tag was given, and by where it stands. The
trees learn it on folds: each labelled question is looked up in evidence made of the others, as any question will be,
and its votes are those of a network that has not met it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.arrays import squeeze
from l2a.evidence.collection import Evidence
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, PreparedQuestion, Vote
from l2a.evidence.trees import Trees
from l2a.text.cleaning import clean, match_key
from l2a.text.segmenter import Segmenter

SOURCES = ("near", "linear", "named", "listed", "aliased")  # whose findings are weighed
NO_HYPOTHESIS = 48  # place of the best hypothesis with a tag that stands in none
UNRANKED = 20  # place of a tag that a source does not name, and the last that is told from others
NAME = "weighs"
FOLDS = 4
TREES = 120
LEAST_RIGHT = 50  # right tags, for the trees to mean anything
_FAINT = 1e-3  # of a probability, so that its logarithm stays finite


# Votes for held-out questions: number of the fold, evidence made of the others, the questions.
AskNetwork = Callable[[int, Evidence, Sequence[Question]], Sequence[Sequence[Vote]]]


class Weigher:
    """The trees, ready to be asked."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._trees = Trees(arrays, NAME)

    def weigh(
        self, question: PreparedQuestion, found: Sequence[Finding], votes: Sequence[Vote], retriever: Retriever
    ) -> list[tuple[str, float]]:
        """Tags with how likely they are right."""
        tags, figures = describe(question, found, votes, retriever)
        return list(zip(tags, self._trees.probability(figures).tolist(), strict=True))


def describe(
    question: PreparedQuestion, found: Sequence[Finding], votes: Sequence[Vote], retriever: Retriever
) -> tuple[list[str], np.ndarray]:
    """The tags of the findings and of the votes, and (tags, figures)."""
    by_source: dict[str, dict[str, tuple[int, float]]] = {
        name: {} for name in SOURCES
    }  # source -> key -> place, figure
    hinted: dict[str, float] = {}
    spelling: dict[str, str] = {}
    for finding in found:
        if finding.source not in by_source:
            continue
        key = match_key(finding.tag)
        spelling.setdefault(key, finding.tag)
        if finding.probability is None:
            hinted[key] = finding.figures.get("precision", 0.0)
            continue
        own = by_source[finding.source]
        place, probability = own.get(key, (len(own), 0.0))
        own[key] = (place, max(probability, finding.probability))
    voted = {match_key(vote.tag): vote for vote in votes}
    for key, vote in voted.items():
        spelling.setdefault(key, vote.tag)
    most = max((vote.share for vote in votes), default=0.0)
    texts = [squeeze(match_key(clean(text))) for text in (question.question.title, question.question.description)]
    best = [max((probability for _, probability in by_source[name].values()), default=0.0) for name in SOURCES]
    rows = [
        [
            *_row(key, by_source, hinted, best, texts, retriever.times_given(tag)),
            *_of_votes(voted.get(key), most),
            retriever.is_listed(tag),
            retriever.rank(tag),
        ]
        for key, tag in spelling.items()
    ]
    return list(spelling.values()), np.array(rows, dtype=float).reshape(len(rows), FIGURES)


FIGURES = 3 * len(SOURCES) + 17  # trees learned before there were votes among them read the first 25 only


def _of_votes(vote: Vote | None, most: float) -> list[float]:
    """most: the greatest share of the question."""
    if vote is None:
        return [0.0, np.log(_FAINT), UNRANKED, NO_HYPOTHESIS, most]
    place = min(vote.best_hypothesis, NO_HYPOTHESIS)
    return [vote.share, np.log(vote.probability + _FAINT), min(vote.rank, UNRANKED), place, most]


def _row(
    key: str,
    by_source: Mapping[str, Mapping[str, tuple[int, float]]],
    hinted: Mapping[str, float],
    best: Sequence[float],
    texts: Sequence[str],
    given: float,
) -> list[float]:
    row: list[float] = []
    for name, most in zip(SOURCES, best, strict=True):
        place, probability = by_source[name].get(key, (UNRANKED, 0.0))
        row += [np.log(probability + _FAINT), min(place, UNRANKED), np.log(most + _FAINT)]
    short, (title, description) = squeeze(key), texts
    at = title.find(short)
    return [
        *row,
        np.log(hinted.get(key, 0.0) + _FAINT),
        given > 0,
        np.log1p(given),
        len(short),
        short[0].isascii(),
        at,
        len(title) - at - len(short) if at >= 0 else -1,
        np.log1p(description.count(short)),
        np.log1p(len(title)),
        np.log1p(len(description)),
    ]


def learn(
    gold: Sequence[Question],
    build: Callable[[Sequence[Question]], Evidence],
    segmenter: Segmenter,
    *,
    ask: AskNetwork | None = None,
    seed: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, np.ndarray]:
    """What is stored. build: evidence made of labelled questions, without weights of findings. ask: the votes for
    questions that the network has not met; without it the trees know nothing of votes."""
    gold = [question for question in gold if question.tags]
    figures, is_right = [np.zeros((0, FIGURES))], [np.zeros(0)]
    for fold in range(FOLDS):
        progress(fold, FOLDS)
        evidence = build([question for place, question in enumerate(gold) if place % FOLDS != fold])
        held = gold[fold::FOLDS]
        votes = ask(fold, evidence, held) if ask else repeat(())
        for question, (tags, rows) in _held_out(held, votes, evidence, segmenter):
            own = set(map(match_key, question.tags))
            figures.append(rows)
            is_right.append(np.array([float(match_key(tag) in own) for tag in tags]))
    progress(FOLDS, FOLDS)
    right = np.concatenate(is_right)
    if right.sum() < LEAST_RIGHT:
        return {}
    return Trees.learn(
        NAME,
        np.concatenate(figures),
        right,
        np.ones(len(right)),
        trees=TREES,
        rate=0.07,
        leaves=15,
        least=40,
        seed=seed,
    ).arrays


def _held_out(
    questions: Sequence[Question], votes: Iterable[Sequence[Vote]], evidence: Evidence, segmenter: Segmenter
) -> Iterable[tuple[Question, tuple[list[str], np.ndarray]]]:
    retriever = evidence.retriever
    assert retriever is not None  # made of labelled questions
    for question, own in zip(questions, votes, strict=False):
        prepared = PreparedQuestion.of(question, segmenter)
        yield question, describe(prepared, evidence.find(prepared), own, retriever)
