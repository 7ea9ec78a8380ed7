"""What is said about a bad line, and how often: every message names the file and the line."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from l2a.errors import InputError

_LABEL_WORDS = (
    *("tag", "tags", "tag_names", "tag_ids", "tag_list", "label", "labels", "topic", "topics", "subject", "subjects"),
    *("keyword", "keywords", "category", "categories", "cats", "class", "classes", "choice", "choices", "intent"),
    *("annotation", "annotations", "prediction", "predictions", "responses", "target", "targets"),
    *("标签", "话题", "主题", "分类", "类别", "关键词", "关键字"),
)
LABEL_NAMES = frozenset(name for word in _LABEL_WORDS for name in (word, word.capitalize(), word.upper()))


class Bad(Protocol):
    def __call__(self, number: int, what: str) -> None:
        """Line number, and what is wrong with it: raises, or counts and returns."""

    def unread(self, names: Iterable[str]) -> None:
        """Fields of the file at which no reader looks."""


@dataclass
class ReadReport:
    """What happened while reading: filled in as the questions go by."""

    good: int = 0
    bad: int = 0
    messages: list[str] = field(default_factory=list)  # the first MAX_MESSAGES complaints
    notes: list[str] = field(default_factory=list)  # what was not read and might have been meant

    MAX_MESSAGES = 20

    def complain(self, message: str) -> None:
        self.bad += 1
        if len(self.messages) < self.MAX_MESSAGES:
            self.messages.append(message)


@dataclass
class Complaints:
    """A `Bad` that knows the file: raises InputError at the first bad line, or counts it with `skip_bad`."""

    name: str
    unit: str  # what the file is counted in: line, row or task
    skip_bad: bool
    report: ReadReport
    _named: set[str] = field(default_factory=set)

    def __call__(self, number: int, what: str) -> None:
        message = f"{self.name}, {self.unit} {number}: {what}"
        if not self.skip_bad:
            raise InputError(f"{message}. Correct the {self.unit}, or pass --skip-bad to leave such {self.unit}s out.")
        self.report.complain(message)

    def unread(self, names: Iterable[str]) -> None:
        """Name each field once that looks like labels."""
        for name in sorted(LABEL_NAMES.intersection(names) - self._named):
            self._named.add(name)
            self.report.notes.append(
                f'{self.name}: "{name}" looks like labels and is not read. If it holds the tags, call it "tags".'
            )
