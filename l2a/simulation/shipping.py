"""Where a ranker begins: the weights that ship with a model, fitted on labelled questions it was not trained on.

They must not know their domain by heart: a free fit on questions of one site is of little use on another. So only two
things are fitted on the model's own development questions: slope and constant of `model.standing`. What decisions are
worth is learned from streams, on which a simulated moderator answers questions of several domains one by one; no figure
that speaks for a tag may begin with a weight against it. What a rejection is worth is learned from questions that are
asked once more in nearly the same words.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.source import PreparedQuestion
from l2a.ranking.ranker import CUTS, Prior, Ranker, Served, choose_cut, cut_counts, fit, sources_of
from l2a.simulation.stream import Asked, answer_all, served_whole
from l2a.suggestions import Suggestions
from l2a.tagger import Tagger

STANDING = "model.standing"
MEMORY = frozenset({"precedents", "words", "mentions", "habits"})  # sources whose figures begin with a weight
AGAINST = "precedents.refused"  # the one figure that speaks against a tag
NAMES = tuple(f"names.{name}" for name in ("young", "late", "promise", "form", "regular"))  # that no list has
NAMES_RIDGE = 1.0  # on their weights: the questions about new things are few
FRESH_WORTH = 4  # times that such a question counts: as if every fourth question asked were about a new thing
RIDGE = 30.0  # on weights of memory's figures, in verdicts; 300 gives the same
FREE, FIXED = 1e-3, 1e9  # pulls that leave a weight alone, or hold it where it is
ORDERS = 2  # in which each stream is answered
_BEGIN = Prior({STANDING: 1.0}, {}, 0.0, ((0.0, 0.0, 0.0, 1.0),) * len(CUTS))


def fit_standing(served: Sequence[Served], scale: float = 1.0) -> tuple[float, float]:
    """Slope and constant of the model's standing."""
    described = np.concatenate([one.described((STANDING,)) for one in served]) / scale
    rows = np.concatenate([described, np.ones((len(described), 1))], axis=1)
    slope, constant = fit(rows, np.concatenate([one.outcomes for one in served]), np.zeros(2), np.full(2, FREE))
    return float(slope), float(constant)


def with_curve(prior: Prior, served: Sequence[Served]) -> Prior:
    """With what each cut gives on these questions."""
    ranker = Ranker.shipped(prior)
    counts = [
        cut_counts(np.array([ranker.chance(figures) for figures in one.figures]), one.outcomes, one.right)
        for one in served
    ]
    curve = [(float(a), float(b), float(c), float(d)) for a, b, c, d in np.mean(counts, axis=0)]
    return replace(prior, curve=tuple(curve))


def stream_rows(tagger: Tagger, streams: Sequence[Sequence[Asked]], seed: int) -> tuple[list[Served], list[Served]]:
    """Servings of all streams, each with the memory of its moment; and those of questions asked nearly again."""
    prepared = replace(tagger, prior=_BEGIN)
    served, again = [], []
    for stream in streams:
        for order in range(ORDERS):
            chance = random.Random(f"{seed}-{order}")
            shuffled = list(stream)
            chance.shuffle(shuffled)
            knowledge = prepared.new_knowledge()
            assert knowledge is not None  # the tagger has a ranker
            for turn in answer_all(prepared, knowledge, shuffled, ranker_learns=False):
                served.append(served_whole(turn.answer, turn.decided.tags))
                twin = nearly_again(prepared, turn.asked, chance)
                again.append(served_whole(twin.ranked(prepared, knowledge), turn.decided.tags))
    return served, again


def nearly_again(tagger: Tagger, asked: Asked, chance: random.Random) -> Asked:
    """The same question without one word of its title."""
    words = tagger.codec.segmenter.source_words(asked.question.title)
    if len(words) > 1:
        words.pop(chance.randrange(len(words)))
    question = Question(title="".join(words), description=asked.question.description, tags=asked.question.tags)
    prepared = PreparedQuestion.of(question, tagger.codec.segmenter)
    return replace(asked, question=question, read=replace(asked.read, prepared=prepared))


def fit_prior(
    tagger: Tagger,
    dev: Sequence[Asked],
    streams: Sequence[Sequence[Asked]],
    *,
    fresh: Sequence[Asked] = (),
    seed: int = 1,
) -> Prior:
    """dev: of the domain the model was trained in. streams: of several domains, none of them trained on. fresh: about
    things younger than the model's lists, each with the one name it must get: no labels of the time of the lists can
    say what such a name is worth. What a name is not worth is learned from dev, whose tags the lists could have."""
    base = [served_whole(asked.ranked(replace(tagger, prior=_BEGIN)), asked.question.tags) for asked in dev]
    served, again = stream_rows(tagger, streams, seed)
    names = tuple(sorted({STANDING}.union(*(one.names for one in [*base, *served, *again]))))
    scales = _deviations(served, names)
    scales[names.index(AGAINST)] = _deviations(again, names)[
        names.index(AGAINST)
    ]  # elsewhere there is none to speak of
    slope, constant = fit_standing(base, scales[names.index(STANDING)])
    begin = np.zeros(len(names) + 1)
    begin[names.index(STANDING)], begin[-1] = slope, constant
    speaking = [name for name in names if sources_of(name) <= MEMORY and name != AGAINST]
    weights = _fit_some(served, names, scales, begin, speaking, at_least=0.0)
    weights = _fit_some(again, names, scales, weights, [AGAINST], at_least=-np.inf)
    if fresh:
        new, old = (
            [named_only(asked.ranked(replace(tagger, prior=_BEGIN)), asked.question.tags) for asked in some]
            for some in (fresh, dev)
        )
        rows = [*new * FRESH_WORTH, *old]
        for name in (name for name in NAMES if name not in names):
            names, scales, weights = (*names, name), np.append(scales, 1.0), np.insert(weights, -1, 0.0)
        scales[[names.index(name) for name in NAMES]] = 1.0  # elsewhere there are few
        weights = _fit_some(rows, names, scales, weights, NAMES, at_least=0.0, ridge=NAMES_RIDGE)
    kept = {name: float(weight) for name, weight in zip(names, weights, strict=False) if weight}
    prior = Prior(kept, dict(zip(names, scales.tolist(), strict=True)), constant, _BEGIN.curve)
    return with_curve(prior, base)


def named_only(answer: Suggestions, tags: Sequence[str]) -> Served:
    """A serving of which no more is known than which of the new names is the right one."""
    whole = served_whole(answer, tags)
    verdicts = [
        verdict if any(name.startswith("names.") for name in figures) else None
        for figures, verdict in zip(whole.figures, whole.verdicts, strict=True)
    ]
    return replace(whole, verdicts=verdicts)


def cross_fitted(tagger: Tagger, dev: Sequence[Asked], folds: int = 5) -> list[list[str]]:
    """The tags kept of each question by a slope, constant and cut that were fitted on the other folds."""
    base = [served_whole(asked.ranked(replace(tagger, prior=_BEGIN)), asked.question.tags) for asked in dev]
    fitted = []
    for fold in range(folds):
        others = [one for place, one in enumerate(base) if place % folds != fold]
        slope, constant = fit_standing(others)
        prior = with_curve(Prior({STANDING: slope}, {}, constant, _BEGIN.curve), others)
        fitted.append(replace(tagger, prior=prior))
    answers = (asked.ranked(fitted[place % folds]) for place, asked in enumerate(dev))
    return [[tag.tag for tag in answer.kept] for answer in answers]


def _deviations(served: Sequence[Served], names: tuple[str, ...]) -> np.ndarray:
    found = np.concatenate([one.described(names) for one in served]).std(axis=0)
    found[found == 0] = 1.0
    return found


def _fit_some(
    served: Sequence[Served],
    names: tuple[str, ...],
    scales: np.ndarray,
    begin: np.ndarray,
    fitted: Sequence[str],
    *,
    at_least: float,
    ridge: float = RIDGE,
) -> np.ndarray:
    """Weights of all names and the constant. Only some are fitted; one under `at_least` stays where it began."""
    described = np.concatenate([one.described(names) for one in served]) / scales
    rows = np.concatenate([described, np.ones((len(described), 1))], axis=1)
    verdicts = np.concatenate([one.outcomes for one in served])
    rows, verdicts = rows[~np.isnan(verdicts)], verdicts[~np.isnan(verdicts)]
    free = {names.index(name) for name in fitted}
    while True:
        pull = np.array([ridge if place in free else FIXED for place in range(len(begin))])
        weights = fit(rows, verdicts, begin, pull)
        low = {place for place in free if weights[place] < at_least}
        if not low:
            return np.array([weight if place in free else begin[place] for place, weight in enumerate(weights)])
        free -= low


def cut_of(prior: Prior) -> float:
    """The chance above which a tag is kept before anybody has decided anything."""
    return choose_cut(prior, (), ())
