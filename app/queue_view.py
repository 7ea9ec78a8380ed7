"""What stands behind the page Import and queue, without Streamlit: files to read, and changes of tags."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqlalchemy.orm import Session

from app.importer import FileImport, import_file, import_tag_file
from db import tags
from db.engine import Store
from db.errors import Refused
from db.tags import Plan
from l2a.data import count_lines
from l2a.errors import InputError

UPLOAD_MEGABYTES = 100
UPLOAD_TYPES = ("jsonl", "json", "csv", "tsv", "txt", "parquet", "gz")
LONGEST_NAME = 80  # characters of an uploaded file's name that are kept
PIECE = 1 << 20  # bytes

OPERATIONS = ("rename", "merge", "alias", "split", "deprecate", "reactivate", "undo")
WITH_OTHER = ("rename", "merge", "alias")  # operations that need a second name


class Upload(Protocol):
    """An uploaded file as Streamlit hands it over."""

    name: str
    file_id: str

    def seek(self, position: int) -> int: ...
    def read(self, size: int) -> bytes: ...


@dataclass(frozen=True)
class Order:
    """What is to be imported and how. `origin` tells the file, so that a dry run is for this one and no other."""

    kind: str  # questions or tags
    origin: str
    source: str = ""
    fmt: str | None = None
    overlap: int = 1
    skip_bad: bool = False


@dataclass(frozen=True)
class Outcome:
    """What an import did, or in a dry run would do; `messages` name the file as its owner calls it."""

    order: Order
    dry_run: bool
    rows: int
    added: int
    bad: int
    messages: tuple[str, ...]
    duplicates: int = 0  # of questions
    labels: int = 0
    resumed_after: int = 0
    aliases: int = 0  # of tags
    parents: int = 0


def find_file(path: str) -> Path:
    """The regular file at a path on the server; raises InputError. A relative path begins where the server runs."""
    found = Path(path.strip()).expanduser()
    try:
        found = found.resolve(strict=True)
        is_file = found.is_file()  # no folder, no device, no pipe that would never end
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{path}: there is no such file on the server, or it may not be read.") from error
    if not is_file:
        raise InputError(f"{path} is not a regular file.")
    return found


def file_mark(path: Path) -> str:
    """Tells whether a file on the server is still the one that was looked at."""
    facts = path.stat()
    return f"{path}|{facts.st_size}|{facts.st_mtime_ns}"


@contextmanager
def kept_upload(upload: Upload) -> Iterator[Path]:
    """An uploaded file on disk, under its own name in a folder of its own, gone at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="l2a-upload-") as folder:
        path = Path(folder) / safe_name(upload.name)
        upload.seek(0)
        with open(path, "xb") as stream:
            while piece := upload.read(PIECE):
                stream.write(piece)
        yield path


def safe_name(name: str) -> str:
    """The last part of a file's name with no character that a file system or a terminal minds; its end is kept."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(c if c.isalnum() or c in "._- ()" else "_" for c in last).strip(" .")
    return clean[-LONGEST_NAME:] or "upload"


def run_order(
    store: Store,
    order: Order,
    path: Path,
    person_id: int,
    *,
    dry_run: bool,
    name: str | None = None,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> Outcome:
    """Import a file, or find out what importing it would do. Raises InputError or StoreError as app.importer does.

    `name` is what the store calls the file if not by its path. `progress` hears how many rows are done, and of how
    many if that is known.
    """

    def note(done: int) -> None:
        progress(done, total)

    try:
        total = count_lines(path, order.fmt) if order.kind == "questions" else None
        if order.kind == "tags":
            found = import_tag_file(
                store, str(path), person_id, name=name, dry_run=dry_run, skip_bad=order.skip_bad, progress=note
            )
        else:
            found = import_file(
                store,
                str(path),
                name=name,
                person_id=person_id,
                source=order.source,
                fmt=order.fmt,
                overlap=order.overlap,
                dry_run=dry_run,
                skip_bad=order.skip_bad,
                progress=note,
            )
    except InputError as error:  # BadLine is one
        raise InputError(_own_name(str(error), path)) from error
    return _outcome(order, found, path, dry_run)


def plan_change(session: Session, operation: str, tag: str, other: str) -> Plan:
    """The plan of a change of tags, which says what it touches; for an undo `tag` is the entry's number."""
    if operation == "undo":
        if not tag.strip().isdecimal() or len(tag.strip()) > 18:
            raise Refused(f"{tag} is not the number of a change of tags.")
        return tags.plan_undo(session, int(tag))
    if operation == "split":
        return tags.plan_split(session, tag)
    if operation in ("deprecate", "reactivate"):
        return tags.plan_status(session, tag, "deprecated" if operation == "deprecate" else "active")
    plans = {"rename": tags.plan_rename, "merge": tags.plan_merge, "alias": tags.plan_alias}
    return plans[operation](session, tag, other)


def change_tags(store: Store, operation: str, tag: str, other: str, seen: Plan, person_id: int) -> int:
    """Carry out the plan that was looked at; the number of its entry. Raises Refused if it would do more by now."""

    def work(session: Session) -> int:
        plan = plan_change(session, operation, tag, other)
        if plan.changes != seen.changes:
            raise Refused("The tags were changed by somebody else meanwhile. Look at the plan again.")
        return tags.carry_out(session, plan, person_id)

    return store.run(work)


def _outcome(order: Order, found: FileImport, path: Path, dry_run: bool) -> Outcome:
    stored = found.stored
    if order.kind == "tags":
        numbers = {"added": stored.tags, "aliases": stored.aliases, "parents": stored.parents}
    else:
        numbers = {
            "added": stored.added,
            "duplicates": stored.duplicates,
            "labels": stored.labels,
            "resumed_after": stored.resumed_after,
        }
    messages = tuple(_own_name(message, path) for message in found.messages)
    return Outcome(order, dry_run, stored.rows, bad=found.bad, messages=messages, **numbers)


def _own_name(message: str, path: Path) -> str:
    """The message with the file's name alone: where the server keeps it is nobody's business."""
    return message.replace(f"{path.parent}/", "")
