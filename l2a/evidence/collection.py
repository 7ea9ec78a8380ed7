"""All evidence that a model has: its sources, opened over what it keeps of its labelled questions."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.names.finder import NameFinder, is_of_names
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, Hint, Known, PreparedQuestion, Source, Vote
from l2a.evidence.sources import source_classes
from l2a.text.cleaning import clean
from l2a.text.segmenter import Segmenter


class Evidence:
    """The sources of one model; without a retriever it has those that need none: mostly none at all."""

    def __init__(self, retriever: Retriever | None = None, names: NameFinder | None = None):
        self.retriever, self.names = retriever, names
        opened = (source.open(Known(retriever=retriever, names=names)) for source in source_classes())
        self.sources: list[Source] = [source for source in opened if source is not None]

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray], segmenter: Segmenter | None = None) -> "Evidence":
        """From what is stored with a model; no arrays, no retriever. Without a segmenter it knows no names: hints,
        which are all that training reads, need none."""
        of_names = {name: array for name, array in arrays.items() if is_of_names(name)}
        rest = {name: array for name, array in arrays.items() if name not in of_names}
        names = NameFinder(of_names, segmenter) if of_names and segmenter else None
        return cls(Retriever(rest) if rest else None, names)

    @classmethod
    def build(
        cls,
        questions: Sequence[Question],
        listed: Iterable[str],
        segmenter: Segmenter,
        voting: Iterable[str] = (),
        *,
        learn: Collection[str] = (),
    ) -> "Evidence":
        """From labelled questions and a list of tags.

        voting: further tags, which may vote where they stand in a text but give no hints.
        learn: names of sources that have a weight in the vote: what they need is learned now.
        """
        return cls(Retriever.build(questions, listed, segmenter, voting)).learned(learn)

    def with_arrays(self, arrays: Mapping[str, np.ndarray]) -> "Evidence":
        """With further things that were learned."""
        return Evidence(Retriever({**(self.retriever.arrays if self.retriever else {}), **arrays}), self.names)

    def learned(self, names: Collection[str]) -> "Evidence":
        """With what these sources learn from the labelled questions as they are now."""
        if self.retriever is None:
            return self
        arrays = dict(self.retriever.arrays)
        for source in source_classes():
            if source.name in names:
                arrays |= source.learn(self.retriever)
        return Evidence(Retriever(arrays), self.names)

    def extended(self, questions: Sequence[Question], segmenter: Segmenter) -> "Evidence":
        """With further labelled questions, the decisions of people; nobody else's copy is changed."""
        if self.retriever is None:
            return self
        grown = self.retriever.extended(questions, segmenter)
        return (
            self
            if grown is self.retriever
            else Evidence(grown, self.names).learned([source.name for source in self.sources])
        )

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Everything it consists of, for storing."""
        return {
            **(self.retriever.arrays if self.retriever else {}),
            **(self.names.arrays if self.names else {}),
        }

    def find(self, question: PreparedQuestion, *, only_hints: bool = False) -> list[Finding]:
        """What the sources say about a question. only_hints: ask only those that tell the network something."""
        asked = (source for source in self.sources if source.gives_hints or not only_hints)
        return [finding for source in asked for finding in source.find(question)]

    def weigh(self, question: PreparedQuestion, found: Sequence[Finding], votes: Sequence[Vote]) -> list[Finding]:
        """What the sources make of it all: what they found, and what hypotheses voted for."""
        return [finding for source in self.sources for finding in source.weigh(question, found, votes)]

    def is_listed(self, tag: str) -> bool:
        """Whether a tag is in a list or was ever given; without lists every tag is as good as another."""
        return self.retriever is None or self.retriever.is_listed(tag)


def choose_hints(findings: Iterable[Finding]) -> list[Hint]:
    """The strongest hints of each group, as many as the network has places for."""
    hints = [finding.hint for finding in findings if finding.hint]
    chosen: list[Hint] = []
    for group in sorted({hint.group for hint in hints}):
        chosen += sorted((hint for hint in hints if hint.group == group), key=lambda hint: hint.rank)[: group.most]
    return chosen


def hint_words(findings: Iterable[Finding], segmenter: Segmenter) -> list[str]:
    """The hints as source words: a mark, then the tag's words: attention can weigh them, copying can write them."""
    return [word for hint in choose_hints(findings) for word in (hint.mark, *segmenter.source_words(clean(hint.tag)))]
