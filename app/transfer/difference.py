"""What differs between two exports: questions that came, went, or have other labels.

The older file goes into a temporary database on disk and the newer one is held against it row by row, so that memory
stays flat however long they are.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from app.shell.messages import message
from db.tags.names import tag_key
from db.transfer.export import manifest_path
from l2a.data.questions import Question
from l2a.errors import InputError

PIECE = 1 << 20  # bytes
_BROKEN_LINES = str.maketrans("\ufeff\0", "  ")  # what fastText's format makes spaces of, beside white space
_TABLES = """
CREATE TABLE old (place INTEGER PRIMARY KEY, key TEXT, source TEXT, text TEXT, id TEXT, title TEXT, tags TEXT);
CREATE INDEX old_key ON old (key);
"""


@dataclass(frozen=True)
class Difference:
    """A question that is not the same in both files. `plus` and `minus` are the tags that came and went."""

    change: str  # added, removed or changed
    id: str  # empty where the files have none
    title: str
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()


@dataclass
class Counts:
    """Filled in as the differences go by."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    same: int = 0
    by: str = "id"  # how questions were recognised: id or text

    @property
    def differ(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def compare(old: Iterable[Question], new: Iterable[Question], counts: Counts | None = None) -> Iterator[Difference]:
    """The differences, in the order of the newer file, then what is gone in the order of the older.

    Questions are recognised by their id, and by their source where both files name one; by their text if one of the
    files has no ids. The order of tags does not count.
    """
    counts = counts if counts is not None else Counts()
    old_rows, old_has_ids = _look_ahead(old)
    new_rows, new_has_ids = _look_ahead(new)
    counts.by = "id" if old_has_ids and new_has_ids else "text"
    try:
        with closing(sqlite3.connect("", isolation_level=None)) as kept:  # a nameless database is a temporary file
            kept.executescript(_TABLES)
            kept.execute("BEGIN")
            kept.executemany("INSERT INTO old VALUES (NULL, ?, ?, ?, ?, ?, ?)", (_row(q, counts.by) for q in old_rows))
            for question in new_rows:
                difference = _held_against(kept, question, counts)
                if difference is not None:
                    yield difference
            for identifier, title, tags in kept.execute("SELECT id, title, tags FROM old ORDER BY place"):
                counts.removed += 1
                yield Difference("removed", identifier, title, minus=tuple(json.loads(tags)))
    except sqlite3.Error as error:
        raise InputError(message("export.no_room_to_compare", error=str(error))) from error


def read_manifest(path: str | Path) -> tuple[dict | None, str]:
    """The manifest beside an export, if there is one that can be read, and what is wrong with it or with the file."""
    beside = manifest_path(path)
    if not beside.is_file():
        return None, ""
    try:
        manifest = json.loads(beside.read_text(encoding="utf-8"))
        expected = manifest["sha256"]
    except (ValueError, TypeError, KeyError, RecursionError, OSError) as error:
        return None, f"{beside}: not a manifest ({type(error).__name__}), so the checksum of {path} was not verified."
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
    if digest.hexdigest() != expected:
        return manifest, f"{path} was changed after it was exported: its checksum is not the one in its manifest."
    return manifest, ""


def _held_against(kept: sqlite3.Connection, question: Question, counts: Counts) -> Difference | None:
    key, source, text, identifier, title, _ = _row(question, counts.by)
    # Rows that were matched are gone. Of several with one id the one with the same source and text is the best.
    found = kept.execute(
        "SELECT place, tags FROM old WHERE key = ? AND (source = ? OR source = '' OR ? = '')"
        " ORDER BY source <> ?, text <> ?, place LIMIT 1",
        (key, source, source, source, text),
    ).fetchone()
    if found is None:
        counts.added += 1
        return Difference("added", identifier, title, plus=question.tags)
    place, tags = found
    kept.execute("DELETE FROM old WHERE place = ?", (place,))
    before = json.loads(tags)
    plus = tuple(tag for tag in question.tags if tag not in before)
    minus = tuple(tag for tag in before if tag not in question.tags)
    if not plus and not minus:
        counts.same += 1
        return None
    counts.changed += 1
    return Difference("changed", identifier, title, plus, minus)


def _row(question: Question, by: str) -> tuple[str, str, str, str, str, str]:
    identifier = question.id if question.own_id else ""
    source = question.source if by == "id" else ""
    if by == "id" and identifier:
        key, text = identifier, question.title  # the title is enough to tell apart the few that share an id
    else:
        whole = f"{question.title} {question.description}".translate(_BROKEN_LINES)
        key = text = hashlib.sha256(tag_key(whole).encode()).hexdigest()
    return key, source, text, identifier, question.title, json.dumps(question.tags, ensure_ascii=False)


def _look_ahead(questions: Iterable[Question]) -> tuple[Iterator[Question], bool]:
    """The same questions, and whether they have ids of their own, as the first one shows."""
    rows = iter(questions)
    first = next(rows, None)
    if first is None:
        return iter(()), True
    return chain((first,), rows), first.own_id
