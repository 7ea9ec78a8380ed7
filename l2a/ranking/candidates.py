"""The tags that a question may get: what hypotheses and sources say of each, as figures that a ranker reads.

A figure is called SOURCE.FIGURE. Two kinds come from nowhere else: `votes.*` from the hypotheses, and `model.standing`,
which is what the model's own weights make of the hypotheses and its own sources (l2a.config.VoteSettings).
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from l2a.config import VoteSettings
from l2a.evidence.source import Finding, PreparedQuestion, Source
from l2a.search.voting import TagVote
from l2a.text.cleaning import match_key

FAINT = 0.02  # of a standing: the odds of a tag grow with its logarithm from about here on (docs/learning.md)
DIGITS = 5  # of a figure: what is stored is what was ranked with

# Figures of figures: a share rises fast at its beginning, and two things together may say more than their sum.
ROOTS = ("votes.share", "precedents.share", "words.score")
PRODUCTS = (("mentions.title", "habits.ever"), ("votes.share", "habits.ever"), ("mentions.title", "votes.share"))


@dataclass
class Candidate:
    """A tag and what speaks for it."""

    tag: str
    vote: TagVote | None
    findings: list[Finding] = field(default_factory=list)
    figures: Mapping[str, float] = field(default_factory=dict)


def gather(
    question: PreparedQuestion,
    votes: Sequence[TagVote],
    findings: Iterable[Finding],
    judges: Iterable[Source],
    *,
    weights: VoteSettings,
    is_invented: Callable[[str], bool],
) -> list[Candidate]:
    """All tags that anything speaks for. Spellings with one matching key are one tag."""
    found: dict[str, Candidate] = {match_key(vote.tag): Candidate(vote.tag, vote) for vote in votes}
    for finding in findings:
        found.setdefault(match_key(finding.tag), Candidate(finding.tag, None)).findings.append(finding)
    named = [candidate.tag for candidate in found.values()]
    for judge in judges:
        for finding in judge.judge(question, named):
            found[match_key(finding.tag)].findings.append(finding)
    for candidate in found.values():
        invented = candidate.vote is not None and is_invented(candidate.tag)
        worth = weights.invented_worth if invented else weights.hypotheses_worth
        candidate.figures = _figures(candidate, weights, worth)
    return list(found.values())


def _figures(candidate: Candidate, weights: VoteSettings, worth: float) -> dict[str, float]:
    figures: dict[str, float] = {}
    standing = 0.0
    if candidate.vote is not None:
        figures["votes.share"] = candidate.vote.share
        figures["votes.probability"] = candidate.vote.probability
        standing = candidate.vote.share * worth
    for finding in candidate.findings:
        for name, value in finding.figures.items():
            key = f"{finding.source}.{name}"
            figures[key] = max(figures.get(key, value), value)
        if finding.probability is not None:
            standing += weights.weights.get(finding.source, 0.0) * finding.probability
    figures["model.standing"] = math.log1p(min(1.0, standing) / FAINT) / math.log1p(1 / FAINT)
    for name in ROOTS:
        if figures.get(name, 0.0) > 0:
            figures[f"{name}.root"] = math.sqrt(figures[name])
    for one, two in PRODUCTS:
        if one in figures and two in figures:
            figures[f"{one}*{two}"] = figures[one] * figures[two]
    return {name: rounded for name, value in figures.items() if (rounded := round(float(value), DIGITS))}
