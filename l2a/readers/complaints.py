"""What is said about a bad line, and how often: every message names the file and the line."""

from collections.abc import Callable
from dataclasses import dataclass, field

from l2a.errors import InputError

Bad = Callable[[int, str], None]  # (line number, what is wrong with it): raises, or counts and returns


@dataclass
class ReadReport:
    """What happened while reading: filled in as the questions go by."""

    good: int = 0
    bad: int = 0
    messages: list[str] = field(default_factory=list)  # the first MAX_MESSAGES complaints

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

    def __call__(self, number: int, what: str) -> None:
        message = f"{self.name}, {self.unit} {number}: {what}"
        if not self.skip_bad:
            raise InputError(f"{message}. Correct the {self.unit}, or pass --skip-bad to leave such {self.unit}s out.")
        self.report.complain(message)
