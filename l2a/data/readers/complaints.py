"""What is said about a bad line, and how often: every message names the file and the line."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from l2a.errors import InputError, SaidInLanguages
from l2a.messages import Message

Name = str | Message  # how messages call a file; standard input is called otherwise in each language
Unit = Literal["line", "row", "task"]  # what a file is counted in
_PLACES: dict[Unit, str] = {"line": "place.line", "row": "place.row", "task": "place.task"}
_CORRECT: dict[Unit, str] = {"line": "row.correct_line", "row": "row.correct_row", "task": "row.correct_task"}

_LABEL_WORDS = (
    *("tag", "tags", "tag_names", "tag_ids", "tag_list", "label", "labels", "topic", "topics", "subject", "subjects"),
    *("keyword", "keywords", "category", "categories", "cats", "class", "classes", "choice", "choices", "intent"),
    *("annotation", "annotations", "prediction", "predictions", "responses", "target", "targets"),
    *("标签", "话题", "主题", "分类", "类别", "关键词", "关键字"),
)
LABEL_NAMES = frozenset(name for word in _LABEL_WORDS for name in (word, word.capitalize(), word.upper()))


def place_of(name: Name, unit: Unit, number: int) -> Message:
    """A place in a file, as messages begin with it."""
    return Message(_PLACES[unit], {"file": name, "number": number})


def header_of(name: Name, line: int) -> Message:
    return Message("place.header", {"place": place_of(name, "line", line)})


@dataclass
class ReadReport:
    """What happened while reading: filled in as the questions go by."""

    good: int = 0
    bad: int = 0
    messages: list[Message] = field(default_factory=list)  # the first MAX_MESSAGES complaints
    notes: list[Message] = field(default_factory=list)  # what was not read and might have been meant

    MAX_MESSAGES = 20

    def complain(self, message: Message) -> None:
        self.bad += 1
        if len(self.messages) < self.MAX_MESSAGES:
            self.messages.append(message)


@dataclass
class Complaints:
    """Of one file: raises InputError at the first bad line, or counts it with `skip_bad`."""

    name: Name
    unit: Unit
    skip_bad: bool
    report: ReadReport
    _named: set[str] = field(default_factory=set)

    def add(self, number: int, what: SaidInLanguages) -> None:
        """What is wrong with a line."""
        place = place_of(self.name, self.unit, number)
        if not self.skip_bad:
            raise InputError(_CORRECT[self.unit], place=place, what=what)
        self.report.complain(Message("row.bad", {"place": place, "what": what}))

    def name_unread(self, names: Iterable[str]) -> None:
        """Of the fields at which no reader looks, name each once that looks like labels."""
        for name in sorted(LABEL_NAMES.intersection(names) - self._named):
            self._named.add(name)
            self.report.notes.append(Message("columns.unread", {"file": self.name, "name": name}))
