"""Names that stand in several texts and that nobody has as a tag yet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class NameFinder(Protocol):
    """Knows from a large text which words people would call a tag."""


class Text(NamedTuple):
    number: int  # of the question
    title: str


@dataclass(frozen=True)
class EmergingName:
    name: str  # as it is mostly written
    chance: float  # that people would call it a tag, 0 to 1
    questions: tuple[int, ...]  # numbers of the questions it stands in, in the order given
    surprise: float  # how many times oftener than in the large text the model knows; inf where it never stood there


def find_emerging(
    texts: Sequence[Text],
    finder: NameFinder,
    *,
    is_known: Callable[[str], bool],
    least: int = 3,
    most: int = 100,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[EmergingName]:
    """Names that stand in several of the texts and that nobody has as a tag, those that stand in most first."""
    raise NotImplementedError
