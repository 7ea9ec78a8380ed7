"""Copies of a store, made while it is in use, and the way back to one.

SQLite: the database's own online backup, a consistent copy page by page. PostgreSQL: `pg_dump`, where it is
installed; restoring that is `pg_restore`'s job.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, quote_plus

from db.errors import Refused, StoreError
from db.messages import Message
from db.store.engine import BUSY_SECONDS, Store

PAGES_A_STEP = 1000  # 4 MB; between steps writers get their turn
Progress = Callable[[int, int], None]  # done, total


def before_migration(store: Store, revision: str, now: datetime, folder: Path | None = None) -> Path:
    """The automatic backup; without a folder beside a SQLite store, or in the working folder. Raises StoreError."""
    stamp = now.strftime("%Y%m%d-%H%M%S")
    beside = store.path.parent if store.path is not None else Path()
    whose, kind = (store.url.database, "dump") if store.path is None else (store.path.name, "backup")
    folder = folder or beside
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("backup.no_folder", folder=folder, reason=error.strerror or str(error)) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError("backup.no_folder", folder=folder, reason=Message("backup.folder_not_writable"))
    return back_up(store, folder / f"{whose}.{revision}-{stamp}.{kind}")


def back_up(store: Store, target: Path, progress: Progress = lambda done, total: None) -> Path:
    """Write a consistent copy to `target`, which must not exist. Raises StoreError; never leaves half a copy."""
    if target.exists():
        raise Refused("backup.exists", file=target)
    if not target.parent.is_dir():
        raise Refused("backup.folder_missing", folder=target.parent)
    partial = target.with_name(target.name + ".partial")
    try:
        if store.path is not None:
            _copy_sqlite(store.path, partial, progress)
            with closing(sqlite3.connect(partial)) as copy:
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read where nothing can be written
            problem = check_file(partial)
            if problem:
                raise StoreError("backup.copy_not_sound", store=store.path, problem=problem)
        else:
            _dump_postgresql(store, partial)
        with open(partial, "rb") as stream:
            os.fsync(stream.fileno())
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise StoreError("backup.failed", file=target, reason=str(error)) from error
    finally:
        partial.unlink(missing_ok=True)
    return target


def restore(store: Store, saved: Path, kept: Path | None, progress: Progress = lambda done, total: None) -> Path | None:
    """Put the contents of a backup in the place of the store's; what was there is first backed up to `kept`.

    Online: programs that have the store open see the old contents or the new, never a mixture. Returns `kept` if the
    store held anything. Raises Refused for PostgreSQL and for a file that is not a sound store.
    """
    if store.path is None:
        raise Refused("backup.restored_by_postgresql", store=store.bare_url, file=saved)
    if not saved.is_file():
        raise Refused("backup.no_such_file", file=saved)
    problem = check_file(saved)
    if problem:
        raise Refused("backup.not_sound", file=saved, problem=problem)
    saved_first = None
    if store.path.exists() and store.path.stat().st_size:
        if kept is None:
            raise Refused("backup.store_there", store=store.path)
        saved_first = back_up(store, kept)
    store.close()
    try:
        with store.turn():
            _copy_sqlite(saved, store.path, progress)
    except (OSError, sqlite3.Error) as error:
        raise StoreError("backup.restoring_failed", file=saved, reason=str(error)) from error
    return saved_first


def check_file(path: Path) -> Message | str:
    """What is wrong with a SQLite store's file, in our words or the database's own; empty if nothing is."""
    try:
        with closing(_open_to_read(path)) as connection:
            (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
            if answer != "ok":
                return answer
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
            if broken:
                return Message("backup.broken_references", {"count": len(broken)})
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            return "" if "alembic_version" in tables else Message("backup.another_database")
    except sqlite3.Error as error:
        return str(error)


def revision_of_file(path: Path) -> str | None:
    """The revision of the tables in a SQLite store's file, which is only read; None for another kind of file."""
    try:
        with closing(_open_to_read(path)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row else None


def _copy_sqlite(source: Path, target: Path, progress: Progress) -> None:
    with (
        closing(_open_to_read(source)) as old,
        closing(sqlite3.connect(target, timeout=BUSY_SECONDS)) as new,
    ):
        # One snapshot from the first page to the last; otherwise every commit of others starts the copy anew.
        old.execute("BEGIN")
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
        old.backup(new, pages=PAGES_A_STEP, progress=lambda status, left, total: progress(total - left, total))


def _open_to_read(path: Path) -> sqlite3.Connection:
    # as_uri escapes what a name may hold, such as # and %.
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)


def _dump_postgresql(store: Store, target: Path) -> None:
    tool = shutil.which("pg_dump")
    if tool is None:
        raise Refused("backup.no_pg_dump")
    # The password goes by the environment: everybody on the machine can read the arguments of a program.
    environment = {**os.environ, **({"PGPASSWORD": store.password} if store.password else {})}
    # Never asks for one: nobody would answer.
    dump = [tool, "--no-password", "--format=custom", f"--file={target}", store.bare_url]
    done = subprocess.run(dump, capture_output=True, text=True, env=environment)
    if done.returncode:
        said = " ".join(done.stderr.split())
        for secret in filter(None, (store.password, quote(store.password), quote_plus(store.password))):
            said = said.replace(secret, "***")
        raise StoreError("backup.pg_dump_failed", reason=said or done.returncode)
