"""Which of the evidence for a tag a person is told: a few findings, and none that says what another says already."""

from collections.abc import Sequence

from db.store.records import ToldFinding
from l2a.messages import CATALOGUE, Message

MOST_TOLD = 3

# Codes that say the same to a person, the one that says it best first.
ALIKE = (
    ("finding.in_title", "finding.in_description", "finding.named", "finding.listed"),
    ("finding.refused", "finding.precedents", "finding.meaning", "finding.near"),
    ("finding.words", "finding.linear"),
)
OF_TRAINING = ("finding.near", "finding.linear")  # nearly every tag has both: one of them says enough
_GROUP = {code: group for group in ALIKE for code in group}


def told(evidence: Sequence[ToldFinding], language: str, most: int = MOST_TOLD) -> list[str]:
    """The strongest findings as texts in the visitor's language; `evidence` has the strongest first."""
    best: dict[tuple[str, ...], ToldFinding] = {}
    for finding in evidence:
        if finding.code not in CATALOGUE:  # of a source that is not installed any more
            continue
        group = _GROUP.get(finding.code, (finding.code,))
        known = best.get(group)
        if known is None or group.index(finding.code) < group.index(known.code):
            best[group] = finding  # in the place of the weaker one that says the same
    of_training = [finding for finding in best.values() if finding.code in OF_TRAINING]
    worth = [finding for finding in best.values() if finding not in of_training[1:]]
    return [Message(finding.code, finding.values).in_language(language) for finding in worth[:most]]
