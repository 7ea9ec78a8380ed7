"""Which column of a table is which: names differ between the files of the world."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from l2a.data.readers.complaints import LABEL_NAMES, Name
from l2a.errors import InputError
from l2a.messages import Message

Aliases = Mapping[str, Sequence[str]]

QUESTION_COLUMNS: Aliases = {
    "id": ("id", "question_id", "qid"),
    "title": ("title", "question_title"),
    "description": ("description", "question_detail", "detail"),
    "tags": ("tags", "tag_names", "tag names", "topics", "tag_ids", "tag_ids|tag names"),  # names win over ids
    "source": ("source",),
    "url": ("url", "link"),
}

# Of our own exports: what people said besides tags, each list beside that of who said it (l2a.data.readers.notes).
NOTE_COLUMNS: Aliases = {name: (name,) for name in ("flags", "flagged_by", "comments", "commented_by")}


_LONGEST = 40  # characters of a name in a message
_TEXT_NAMES = frozenset(
    ("text", "question", "questions", "body", "content", "name", "问题", "标题", "正文", "描述", "内容")
)
_KNOWN = LABEL_NAMES | _TEXT_NAMES | {alias for spellings in QUESTION_COLUMNS.values() for alias in spellings}


def shown_names(names: Iterable[str]) -> str | Message:
    """The names that a file uses, for a message, if it is a file of questions at all: one of them is of the kind.

    Of any other file nothing is repeated. Whoever has it imported need not be allowed to read it, and what stands in
    its first line may be a password.
    """
    names = list(names)
    if not any(name.strip().lower() in _KNOWN for name in names):
        return Message("columns.other_names", {"count": len(names)}) if names else Message("columns.none")
    return ", ".join(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…" for name in names)


def unread_columns(header: Sequence[str]) -> list[str]:
    """The columns of a table of questions at which nobody looks; ids beside names are no loss."""
    read = {alias for spellings in QUESTION_COLUMNS.values() for alias in spellings}
    return [name for column in header if (name := column.strip().lower()) not in read]


def find_columns(
    header: Sequence[str], aliases: Aliases, needed: Sequence[str], where: Name, usual: Sequence[str] = ()
) -> dict[str, int]:
    """Wanted name -> index in the header, for the columns that are there, whatever their case.

    Raises InputError, which begins with `where` and lists what is there and what is expected, without a needed column.
    `usual` columns may be missing, but are named along with a needed one: a header without both is no header at all.
    """
    names = [column.strip().lower() for column in header]
    found = {
        wanted: next(names.index(alias) for alias in spellings if alias in names)
        for wanted, spellings in aliases.items()
        if any(alias in names for alias in spellings)
    }
    if any(column not in found for column in needed):
        missing: list[Name] = [column for column in aliases if column in (*needed, *usual) and column not in found]
        raise InputError(
            "columns.missing",
            where=where,
            missing=reduce(_and, missing),
            names=shown_names(names),
            expected=",".join(aliases),
        )
    return found


def _and(first: Name, second: Name) -> Name:
    return Message("columns.two", {"first": first, "second": second})
