"""Tags that the words of a question speak for, as a linear model of people's decisions has it.

Ridge regression of every tag on the words, without training anything: per question a few conjugate-gradient steps on
(X Xᵀ + ridge) z = s over the decided questions most like it, s being their likeness; scores are Yᵀ z. A decision that
was taken in counts at once, and one that was let go of leaves no trace.
"""

import numpy as np

from l2a.evidence.source import Finding, MemorySource, PreparedQuestion
from l2a.messages import Message

RIDGE = 0.5
STEPS = 4  # of the conjugate gradient; more change nothing that can be measured
LEAST_SCORE = 0.02  # of a tag that is worth a mention
MOST = 40  # tags


class Words(MemorySource):
    """`score`: a rough probability."""

    name, rank = "words", 6

    def find(self, question: PreparedQuestion) -> list[Finding]:
        near = question.once(self.memory.nearest)
        if not len(near.rows):
            return []
        answer = solve(self.memory.words_of(near.rows), near.likeness)
        scores: dict[int, float] = {}
        for row, weight in zip(near.rows.tolist(), answer.tolist(), strict=True):
            for tag in self.memory.tags_of(row):
                scores[tag] = scores.get(tag, 0.0) + weight
        likely = sorted((-score, self.memory.tags[tag]) for tag, score in scores.items() if score >= LEAST_SCORE)
        return [
            Finding(tag, self.name, {"score": min(1.0, -score)}, text=Message("finding.words"))
            for score, tag in likely[:MOST]
        ]


def solve(rows, likeness: np.ndarray) -> np.ndarray:
    """z of (X Xᵀ + ridge) z = s, nearly. rows: X, (n, words), rows of length one; likeness: s, (n,)."""
    across = rows.T.tocsr()
    found, rest = np.zeros(len(likeness)), likeness.copy()
    way, size = rest.copy(), float(rest @ rest)
    for _ in range(STEPS):
        if size < 1e-12:
            break
        pushed = rows @ (across @ way) + RIDGE * way
        step = size / float(way @ pushed)
        found += step * way
        rest -= step * pushed
        before, size = size, float(rest @ rest)
        way = rest + (size / before) * way
    return found


SOURCE = Words
