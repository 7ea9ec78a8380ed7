"""The ranker: figures of a tag in, the chance that a person accepts it out.

A logistic regression that starts from weights that come with the model and is fitted again as verdicts come, pulled
towards those weights while verdicts are few. Each row it is fitted on was shown before it was judged, so none was
learned from before it was predicted. The penalty makes the cost strictly convex: the same rows always give the same
weights.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit

from l2a.errors import SettingsError
from l2a.evidence.source import Finding
from l2a.ranking.candidates import Candidate
from l2a.search.voting import MAX_SHOWN, POSITION_WEIGHTS
from l2a.text.cleaning import match_key

PULL = 30.0  # to the weights it started from, in verdicts
EARLY = 30.0  # questions: the pull is so many times stronger after the first one, twice as strong after so many
WINDOW = 500  # of the newest decisions: what it is fitted on
PSEUDO_QUESTIONS = 10  # that the cut which came with the model is worth
CUTS = tuple(round(0.01 * step, 2) for step in range(1, 91))  # chances that are tried as the cut
_CLOSE = 1e-10  # of the slope: converged
_STEPS = 50


@dataclass(frozen=True)
class Served:
    """A question as it was served, and what became of it."""

    figures: Sequence[Mapping[str, float]]  # a candidate tag each
    verdicts: Sequence[float | None]  # 1 right, 0 wrong, None: nobody said
    right: int  # right tags in all, also those that were no candidate
    _dense: dict[tuple[str, ...], np.ndarray] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def judged(
        cls,
        figures: Mapping[str, Mapping[str, float]],
        tags: Iterable[str],
        rejected: Iterable[str] = (),
        *,
        is_complete: bool = False,
    ) -> "Served":
        """A serving and what people made of it.

        figures: of each candidate tag. is_complete: somebody said that the question has no other tags, so what nobody
        judged is wrong. Otherwise it teaches nothing: people pass over what is right as well.
        """
        right, wrong = (frozenset(map(match_key, some)) for some in (tags, rejected))
        keys = list(map(match_key, figures))
        verdicts = [1.0 if key in right else 0.0 if is_complete or key in wrong else None for key in keys]
        return cls(list(figures.values()), verdicts, len(right))

    def described(self, names: tuple[str, ...]) -> np.ndarray:
        """(candidates, names), kept from one fit to the next: the names hardly ever change."""
        if names not in self._dense:
            column = {name: place for place, name in enumerate(names)}
            found = np.zeros((len(self.figures), len(names)))
            for place, figures in enumerate(self.figures):
                for name, value in figures.items():
                    if name in column:
                        found[place, column[name]] = value
            self._dense.clear()
            self._dense[names] = found
        return self._dense[names]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(name for figures in self.figures for name in figures)

    @cached_property
    def outcomes(self) -> np.ndarray:
        """(candidates,) 1, 0, or no number where nobody said."""
        return np.array([np.nan if verdict is None else verdict for verdict in self.verdicts], dtype=float)


@dataclass(frozen=True)
class Prior:
    """What comes with a model: where the ranker begins."""

    weights: Mapping[str, float]  # of figures; one that is not here begins at 0
    scales: Mapping[str, float]  # of figures: a figure is divided by it; 1 where it is not here
    constant: float
    # For each of CUTS what a question gave on average: right tags and all tags kept, both by position, right ones, and
    # tags it has.
    curve: tuple[tuple[float, float, float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "weights": dict(self.weights),
            "scales": dict(self.scales),
            "constant": self.constant,
            "curve": [list(point) for point in self.curve],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Prior":
        """Raises SettingsError for what is no such thing."""
        try:
            weights, scales = ({str(k): float(v) for k, v in values[name].items()} for name in ("weights", "scales"))
            curve = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in values["curve"])
            constant = float(values["constant"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SettingsError("settings.no_ranker", reason=str(error)) from error
        numbers = [*weights.values(), *scales.values(), constant, *(value for point in curve for value in point)]
        if not np.isfinite(numbers).all():
            raise SettingsError("settings.no_ranker", reason="nan or inf")
        if len(curve) != len(CUTS) or any(scale <= 0 for scale in scales.values()):
            raise SettingsError(
                "settings.no_ranker", reason=f"{len(curve)} points, scales {sorted(scales.values())[:1]}"
            )
        return cls(weights, scales, constant, curve)


@dataclass(frozen=True)
class Ranker:
    """Weights of the figures, and the chance above which a tag is kept."""

    prior: Prior
    weights: Mapping[str, float]
    constant: float
    cut: float
    decisions: int = 0  # that it was fitted on

    @classmethod
    def shipped(cls, prior: Prior) -> "Ranker":
        return cls(prior, dict(prior.weights), prior.constant, choose_cut(prior, (), ()))

    @cached_property
    def _unscaled(self) -> dict[str, float]:
        return {name: weight / self.prior.scales.get(name, 1.0) for name, weight in self.weights.items()}

    def chance(self, figures: Mapping[str, float]) -> float:
        weights = self._unscaled
        return float(expit(self.constant + sum(weights.get(name, 0.0) * value for name, value in figures.items())))

    def rank(self, candidates: Iterable[Candidate]) -> list[tuple[Candidate, float]]:
        """With their chances, the likeliest first; ties go by votes, then by name, never by the order they came in."""

        def order(item: tuple[Candidate, float]) -> tuple:
            candidate, chance = item
            votes, probability = (candidate.vote.votes, candidate.vote.probability) if candidate.vote else (0, 0.0)
            return -chance, -votes, -probability, candidate.tag

        return sorted(((candidate, self.chance(candidate.figures)) for candidate in candidates), key=order)

    def strongest(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those that move the chance most come first."""
        weights = self._unscaled

        def worth(finding: Finding) -> float:
            figures = finding.figures.items()
            return sum(weights.get(f"{finding.source}.{name}", 0.0) * value for name, value in figures)

        return tuple(sorted(findings, key=lambda finding: (-abs(worth(finding)), finding.source)))

    def fitted(self, served: Sequence[Served], *, without: frozenset[str] = frozenset()) -> "Ranker":
        """Fitted anew on what was served, the newest last; of these the newest WINDOW count.

        without: sources that it must do without, to see what they are worth.
        """
        served = served[-WINDOW:]
        known = set(self.prior.weights).union(*(one.names for one in served))
        names = tuple(sorted(name for name in known if not sources_of(name) & without))
        sizes = [len(one.figures) for one in served]
        described = np.ones((sum(sizes), len(names) + 1))  # the constant last
        if served:
            scales = np.array([self.prior.scales.get(name, 1.0) for name in names])
            described[:, :-1] = np.concatenate([one.described(names) for one in served]) / scales
        verdicts = np.concatenate([np.zeros(0), *(one.outcomes for one in served)])
        is_judged = ~np.isnan(verdicts)
        begin = np.array([*(self.prior.weights.get(name, 0.0) for name in names), self.prior.constant])
        pull = np.full(len(begin), PULL * (1 + EARLY / max(1, len(served))))
        found = fit(described[is_judged], verdicts[is_judged], begin, pull)
        chances = expit(described @ found)
        weights = dict(zip(names, found[:-1].tolist(), strict=True))
        ends = np.cumsum(sizes)[:-1]
        cut = choose_cut(self.prior, served, np.split(chances, ends) if served else ())
        return replace(self, weights=weights, constant=float(found[-1]), cut=cut, decisions=len(served))


def sources_of(figure: str) -> frozenset[str]:
    """Whose figure it is; a product has two."""
    return frozenset(part.partition(".")[0] for part in figure.split("*"))


def fit(described: np.ndarray, verdicts: np.ndarray, begin: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """Weights (k,) of rows (n, k), the constant last, for verdicts (n,) of 0 and 1: Newton's method from `begin`.

    pull: how strongly each weight is held where it began, (k,).
    """

    def cost(weights: np.ndarray) -> float:
        scores, away = described @ weights, weights - begin
        return float(np.logaddexp(0, scores).sum() - verdicts @ scores + 0.5 * (pull * away) @ away)

    weights, now = begin.copy(), cost(begin)
    for _ in range(_STEPS):
        chances = expit(described @ weights)
        slope = described.T @ (chances - verdicts) + pull * (weights - begin)
        if float(np.abs(slope).max(initial=0.0)) < _CLOSE * max(1, len(verdicts)):
            break
        bend = (described * (chances * (1 - chances))[:, None]).T @ described + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        size = 1.0
        # Far from the end Newton may overshoot.
        while (after := cost(weights - size * step)) > now + 1e-12 and size > 1e-6:
            size /= 2
        weights, now = weights - size * step, after
    return weights


def choose_cut(prior: Prior, served: Sequence[Served], chances: Sequence[np.ndarray]) -> float:
    """The cut with the best F1 to be expected of what was served, and of what came with the model; of equal ones the
    higher.

    Expected by the chances themselves: verdicts are known only of tags that were shown, which says too little of what a
    lower cut would let in.
    """
    counts = PSEUDO_QUESTIONS * np.array(prior.curve)  # (cuts, 4)
    for one, own in zip(served, chances, strict=True):
        counts += cut_counts(own, own, one.right)
    weighted_right, weighted_kept, right, wanted = counts.T
    precision = weighted_right / np.maximum(weighted_kept, 1e-9)
    recall = right / np.maximum(wanted, 1e-9)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    return CUTS[len(CUTS) - 1 - int(np.argmax(f1[::-1]))]


def cut_counts(chances: np.ndarray, is_right: np.ndarray, right: float) -> np.ndarray:
    """(cuts, 4): as a point of `Prior.curve`, of one question. is_right: 1, 0, or how likely it is, of each tag."""
    best = np.argsort(-chances, kind="stable")[:MAX_SHOWN]
    positions, is_right = np.array(POSITION_WEIGHTS[: len(best)]), is_right[best]
    kept = chances[best] > np.array(CUTS)[:, None]  # (cuts, tags)
    return np.stack(
        [kept @ (positions * is_right), kept @ positions, kept @ is_right, np.full(len(CUTS), right)], axis=1
    )
