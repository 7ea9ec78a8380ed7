"""Tags of the labelled questions most like this one."""

import numpy as np

from l2a.evidence.source import OF_NEIGHBOURS, Finding, Hint, PreparedQuestion, RetrieverSource, strength_of
from l2a.messages import Message

NEIGHBOURS = 20  # labelled questions whose tags are counted
_STRENGTHS = (0.1, 0.25)


class Near(RetrieverSource):
    """`probability`: a tag's share of the likeness of all neighbours."""

    name, rank, gives_hints = "near", 1, True

    def find(self, question: PreparedQuestion) -> list[Finding]:
        tags, known = self.retriever.tags, self.retriever.is_known
        shares = [(tags[tag], share) for tag, share in self._shares(question) if known(question, tag)]
        return [
            Finding(tag, self.name, {"probability": share}, self._hint(tag, share, place), Message("finding.near"))
            for place, (tag, share) in enumerate(shares)
        ]

    def _hint(self, tag: str, share: float, place: int) -> Hint:
        return Hint(tag, self.name, strength_of(share, _STRENGTHS), OF_NEIGHBOURS, (-share, place))

    def _shares(self, question: PreparedQuestion) -> list[tuple[int, float]]:
        """Tags of the neighbours with their share of the likeness, the greatest first."""
        retriever, (columns, weights) = self.retriever, question.once(self.retriever.vector)
        if not retriever.questions.shape[0] or not len(columns):
            return []
        cosines = weights @ retriever.by_word[columns]  # (labelled questions,)
        cosines[retriever.own_rows(question)] = 0
        like = np.flatnonzero(cosines > 0)
        if not len(like):
            return []
        if len(like) > NEIGHBOURS:  # sorting thousands for twenty took a quarter of the time
            like = np.sort(like[np.argpartition(-cosines[like], NEIGHBOURS)[:NEIGHBOURS]])
        nearest = like[np.argsort(-cosines[like], kind="stable")]
        shares = cosines[nearest] @ retriever.given[nearest] / cosines[nearest].sum()  # (tags,)
        voted = np.flatnonzero(shares)
        return [(int(tag), float(shares[tag])) for tag in voted[np.argsort(-shares[voted], kind="stable")]]


SOURCE = Near
