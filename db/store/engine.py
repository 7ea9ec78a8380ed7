"""Opens a store: SQLite (a file, WAL) or PostgreSQL, by one URL, with the same behaviour on both.

Writers and readers have an engine each, and a waiting line (db.store.waiting_line) before it. On SQLite a writer
begins IMMEDIATE, so that it has its turn before it reads anything: with the driver's default transactions two processes
claim the same question and neither gets an error. A reader begins plainly and sees one snapshot to its end, while
writers go on. On PostgreSQL a writer is READ COMMITTED and locks the rows it decides on; a reader is REPEATABLE READ,
which is a snapshot too.
"""

import logging
import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from db.errors import ConnectionFailed, StoreError
from db.messages import Message
from db.store.waiting_line import WaitingLine

BUSY_SECONDS = 60  # how long a writer waits for its turn on SQLite, and anybody for a connection
CONNECTIONS = 15  # of a process, to write and as many to read; on SQLite one writes at a time
CONNECT_SECONDS = 10  # how long a PostgreSQL server may take to answer
ATTEMPTS = 5  # of a transaction that PostgreSQL broke off
UNIQUE_VIOLATION = "23505"
BAD_VALUES = "22"  # codes of complaints about a value, which PostgreSQL quotes
SECRETS = ("password", "sslpassword")  # that may stand behind the ? of an address

Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Store:
    """A decision store. Opening it connects to nothing; `db.store.schema.prepare` makes sure its tables are there.

    >>> with store.write() as session: ...   # commits at the end, rolls back on an error
    >>> with store.read() as session: ...    # one snapshot; writing is refused
    """

    def __init__(self, url: str | URL):
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self._writer = _sqlite_engine(self.url, "BEGIN IMMEDIATE", read_only=False)
            self._reader = _sqlite_engine(self.url, "BEGIN", read_only=True)
            self._writers = WaitingLine(path=None if "uri" in self.url.query else self.path)
        else:
            self._writer = _postgresql_engine(self.url, isolation_level="READ COMMITTED")
            self._reader = _postgresql_engine(self.url, isolation_level="REPEATABLE READ")
            self._writers = WaitingLine(CONNECTIONS)
        self._readers = WaitingLine(CONNECTIONS)

    @property
    def path(self) -> Path | None:
        """The file of a SQLite store; None on PostgreSQL."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    @property
    def shown_url(self) -> str:
        """The URL without its password: fit for a message or a log."""
        shown = self.url.render_as_string(hide_password=True)
        return re.sub(rf"([?&](?:{'|'.join(SECRETS)})=)[^&]*", r"\1***", shown)

    @property
    def password(self) -> str:
        """The password in the URL, empty without one: that behind the question mark wins, as for the driver."""
        behind = self.url.query.get("password", "")
        return (behind if isinstance(behind, str) else behind[-1]) or self.url.password or ""

    @property
    def bare_url(self) -> str:
        """The URL for other programs' arguments, which everybody on the machine can read: nothing secret in it."""
        bare = self.url.set(drivername=self.url.get_backend_name()).difference_update_query(SECRETS)
        return URL.create(
            bare.drivername, bare.username, None, bare.host, bare.port, bare.database, bare.query
        ).render_as_string()

    @property
    def writer(self) -> Engine:
        """The engine for writing, for migrations; everything else uses `write`."""
        return self._writer

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that commits at the end of the block, and rolls back if the block raises."""
        opened = Session(self._writer, expire_on_commit=False)
        with self._turn(self._writers), self._clear_errors(), opened as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session on one consistent snapshot; on PostgreSQL and SQLite alike it cannot write."""
        opened = Session(self._reader, expire_on_commit=False)
        with self._turn(self._readers), self._clear_errors(), opened as session, session.begin():
            yield session

    def turn(self) -> AbstractContextManager[None]:
        """A writer's turn, in the order they came: on SQLite one at a time, on PostgreSQL one for each connection.

        `write` and `run` take it by themselves. Raises StoreError if it does not come.
        """
        return self._turn(self._writers)

    def run(self, work: Callable[[Session], Result]) -> Result:
        """`work(session)` in a writing transaction, again from the start if PostgreSQL broke it off.

        It does so for a deadlock, and where two add the same row at the same time: the slower one shall look again,
        and say what it says to those who come later.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self.write() as session:
                    return work(session)
            except _TryAgain as broken:
                failure: Exception = broken.as_store_error
                failure.__cause__ = broken
            except IntegrityError as error:
                if getattr(error.orig, "sqlstate", None) != UNIQUE_VIOLATION:
                    raise
                failure = error
            if attempt == ATTEMPTS:
                raise failure
            log.info("transaction broken off, attempt %d: %s", attempt, type(failure).__name__)
            time.sleep(0.01 * 2**attempt)
        raise AssertionError("unreachable")

    def close(self) -> None:
        self._writer.dispose()
        self._reader.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    @contextmanager
    def _turn(self, line: WaitingLine) -> Iterator[None]:
        with ExitStack() as stack:
            try:
                stack.enter_context(line.turn(BUSY_SECONDS))
            except TimeoutError:
                if self.is_sqlite and line is self._writers:
                    raise self._stayed_locked() from None
                raise StoreError(
                    "store.connections_in_use", connections=CONNECTIONS, store=self.shown_url, seconds=BUSY_SECONDS
                ) from None
            yield

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._explained(error) from error

    def _explained(self, error: DBAPIError) -> Exception:
        first_line = next(iter(str(error.orig).strip().splitlines()), type(error.orig).__name__)
        # PostgreSQL has codes for its errors; its words may quote a value, and that may say anything.
        reason = first_line if self.is_sqlite else ""
        if getattr(error.orig, "sqlstate", None) in ("40001", "40P01"):
            return _TryAgain(StoreError("store.same_rows", reason=first_line))
        if "locked" in reason or "busy" in reason:
            return self._stayed_locked()
        if "full" in reason or getattr(error.orig, "sqlstate", None) == "53100":
            return StoreError("store.disk_full", store=self.shown_url)
        if "readonly" in reason or getattr(error.orig, "sqlstate", None) == "25006":
            return StoreError("store.not_writable", store=self.shown_url)
        if "malformed" in reason or "not a database" in reason:
            return ConnectionFailed("store.damaged", store=self.shown_url, reason=first_line)
        if isinstance(error, OperationalError):
            code = "store.file_unreachable" if self.is_sqlite else "store.server_unreachable"
            return ConnectionFailed(code, store=self.shown_url, reason=first_line)
        return error

    def _stayed_locked(self) -> StoreError:
        return StoreError("store.stayed_locked", store=self.shown_url, seconds=BUSY_SECONDS)


class _TryAgain(StoreError):
    def __init__(self, as_store_error: StoreError):
        super().__init__(as_store_error.message)
        self.as_store_error = as_store_error


def parse_url(url: str | URL) -> URL:
    """A checked URL; raises ConnectionFailed for one that names no SQLite file and no PostgreSQL server."""
    expected = Message("store.give_a_url")
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        # A mistyped URL may hold a password anywhere, so only its beginning is shown; and not as the error's cause.
        kind, *more = re.split("[:/]", str(url), maxsplit=1)
        raise ConnectionFailed("store.not_a_url", given=f"{kind}{':...' if more else ''}", expected=expected) from None
    if backend in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise ConnectionFailed("store.unknown_kind", kind=backend, expected=expected)
    if parsed.database in (None, "", ":memory:"):
        raise ConnectionFailed("store.in_memory", expected=expected)
    return parsed


# Who is through the line finds a connection. None is closed after use only to be opened again for the next.
_POOL = {"pool_size": CONNECTIONS, "max_overflow": 0, "pool_timeout": BUSY_SECONDS}


def _sqlite_engine(url: URL, begin: str, *, read_only: bool) -> Engine:
    engine = create_engine(
        url,
        **_POOL,
        hide_parameters=True,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection, _record):
        # PostgreSQL has it, SQLite only if it was built so. Before any statement: none may be under way.
        connection.create_function("ln", 1, math.log, deterministic=True)
        connection.isolation_level = None  # the driver must not begin transactions of its own: `_begin` does
        cursor = connection.cursor()
        if read_only:
            cursor.execute("PRAGMA query_only = ON")
        else:
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")  # acknowledged means on disk
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection):
        connection.exec_driver_sql(begin)

    return engine


def _postgresql_engine(url: URL, *, isolation_level: str) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,  # people's texts are among them, and errors end up in logs
        isolation_level=isolation_level,
        execution_options={"postgresql_readonly": isolation_level == "REPEATABLE READ"},
        pool_pre_ping=True,
        **_POOL,
        connect_args={"connect_timeout": CONNECT_SECONDS},
    )

    @event.listens_for(engine, "handle_error")
    def _leave_values_out(context):
        """The server's details quote whole rows ("Failing row contains ..."): the first words and the code must do."""
        error = context.original_exception
        code = getattr(error, "sqlstate", None)
        if code is None:  # not the server's
            return
        words = "" if code.startswith(BAD_VALUES) else error.diag.message_primary or ""
        error.args = (f"{words} (SQLSTATE {code})".strip(),)
        if isinstance(context.sqlalchemy_exception, DBAPIError):
            kind = type(error)
            context.sqlalchemy_exception.args = (f"({kind.__module__}.{kind.__name__}) {error.args[0]}",)

    return engine
