"""What every export format has in common: the fields of a row, and how a writer is used."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Protocol, Self

from db.store.records import LabelledQuestion

# Cuts a text into words that joined are the text again, white space included. The engine knows how (l2a.text.words);
# this package may not ask it, so whoever exports brings it along.
Cut = Callable[[str], Sequence[str]]


class Sink(Protocol):
    """What a writer needs of the binary stream it writes to."""

    def write(self, data: bytes, /) -> object: ...


COLUMNS = (
    "id",
    "question_id",
    "source",
    "title",
    "description",
    "tags",
    "rejected",
    "unjudged",
    "prior_tags",
    "people",
    "entries",
    "model_versions",
    "state",
    "agreement",
    "decided_at",
    "picks",
    "flags",
    "flagged_by",
    "comments",
    "commented_by",
)
# How the labels came about: what formats with a fixed shape of their own keep in "meta".
HISTORY = COLUMNS[COLUMNS.index("rejected") :]


class Writer(Protocol):
    """Writes rows to an open binary stream, one at a time; leaving its context without an error closes it."""

    def write(self, row: LabelledQuestion) -> None: ...

    def close(self) -> None:
        """Finish the file. The stream stays open: it belongs to whoever opened it."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None): ...


@dataclass(frozen=True)
class Format:
    """An export format: what its files are called and hold, and how one is begun."""

    name: str
    suffix: str
    media_type: str
    escape: str  # how any character is kept, in one sentence for people
    columns: tuple[str, ...]
    open: Callable[[Sink, Cut], Writer]

    @property
    def keeps_notes(self) -> bool:
        """Whether its files have a place for flags and comments."""
        return "comments" in self.columns or "meta" in self.columns


class StreamWriter:
    """A Writer's common half: knows the stream, and finishes the file only if nothing went wrong."""

    def __init__(self, stream: Sink, cut: Cut):
        self._stream = stream
        self._cut = cut

    def close(self) -> None:
        """Nothing to finish, unless a format says otherwise."""

    def abandon(self) -> None:
        """Let go without finishing: the file is thrown away."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind, error, trace) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()


def identifier(row: LabelledQuestion) -> str:
    """The id the question came with, or its number here."""
    return row.external_id or str(row.question_id)


def utc(time: datetime) -> datetime:
    """A time in UTC; times without a zone are in UTC already."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def plain_values(row: LabelledQuestion) -> dict[str, object]:
    """The row's fields by column, as text, numbers, lists and None: what JSON knows."""
    values = {name: getattr(row, name) for name in COLUMNS if name != "id"}
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    if row.decided_at is not None:
        # Always with microseconds and Z: texts of equal length sort as the times do.
        values["decided_at"] = utc(row.decided_at).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {"id": identifier(row), **values}


def history(row: LabelledQuestion) -> dict[str, object]:
    """How the labels came about."""
    values = plain_values(row)
    return {name: values[name] for name in HISTORY}


def full_text(row: LabelledQuestion) -> str:
    """Title and description as one text, for tools that know only one."""
    return f"{row.title}\n{row.description}" if row.description else row.title
