"""Which questions a model's tag frequencies count, so that a retraining counts none of them a second time.

The orders of tags follow the frequencies (paper section 3.3): counted again with every retraining, the tags of the
same few decisions would move past all others. Questions and tags are kept as hashes; a question is its words, as far as
the model reads them. One that comes back with other tags counts with the new ones.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from l2a.text.hashing import hash_text


class LabelledWords(Protocol):
    """A labelled question cut into words."""

    @property
    def source(self) -> Sequence[str]: ...

    @property
    def tags(self) -> Sequence[str]: ...


def _none() -> np.ndarray:
    return np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True)
class Counted:
    """A row for every tag of every counted question."""

    questions: np.ndarray = field(default_factory=_none)  # (n,) hashes
    tags: np.ndarray = field(default_factory=_none)  # (n,) hashes

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """For storing."""
        return {"questions": self.questions, "tags": self.tags}

    def recount(
        self, frequencies: Mapping[str, int], questions: Iterable[LabelledWords]
    ) -> tuple[Counter[str], "Counted"]:
        """The frequencies with these questions counted once, and what is counted then."""
        new: dict[int, list[str]] = defaultdict(list)
        for question in questions:
            new[hash_text("\0".join(question.source))] += dict.fromkeys(question.tags)
        again = np.isin(self.questions, np.fromiter(new, dtype=np.uint64, count=len(new)))
        names = {hash_text(tag): tag for tag in frequencies}
        found = Counter(dict(frequencies))
        found.subtract(names[tag] for tag in self.tags[again].tolist() if tag in names)
        found.update(tag for tags in new.values() for tag in tags)
        rows = [(question, hash_text(tag)) for question, tags in new.items() for tag in tags]
        more = np.array(rows, dtype=np.uint64).reshape(-1, 2)
        counted = Counted(
            np.concatenate([self.questions[~again], more[:, 0]]), np.concatenate([self.tags[~again], more[:, 1]])
        )
        return +found, counted  # without tags that no question has any more
