"""Brings a store's tables to this program's version, and refuses a store that is newer.

Migrating SQLite has traps: a table is altered by building a new one, which with foreign keys on would delete the rows
that point to the old one, and which loses the table's triggers. So foreign keys are off before the transaction
begins, no key cascades, the triggers are made again, and every key is checked before the commit.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select
from sqlalchemy.exc import DBAPIError

from db.errors import SchemaError
from db.store import backup, triggers
from db.store.engine import Store
from db.store.statements import run_outside_transaction

MIGRATIONS = Path(__file__).parent / "migrations"
EMPTY = "empty"
MIGRATION_LOCK = 12_201_812  # any number, as long as nobody else on the server uses it


def newest_revision() -> str:
    """The revision this program works with."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    assert newest is not None  # there is a first migration
    return newest


def known_revisions() -> list[str]:
    """Oldest first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]


def current_revision(store: Store) -> str:
    """The revision of the store's tables, or EMPTY. Raises SchemaError for somebody else's database."""
    with store.read() as session:
        connection = session.connection()
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision is not None:
            return revision
        tables = set(inspect(connection).get_table_names()) - {"alembic_version"}
        if tables:
            raise SchemaError("schema.other_tables", store=store.shown_url, tables=", ".join(sorted(tables)[:5]))
        return EMPTY


def prepare(store: Store, *, backups: Path | None = None, say: Callable[[str], None] = lambda _: None) -> None:
    """Make sure the tables are there and up to date; an existing store is backed up before it is migrated.

    `backups`: the folder for that (db.store.backup). Raises SchemaError for a store of a newer version.
    """
    if store.path is not None and not store.path.parent.is_dir():
        store.path.parent.mkdir(parents=True)
    if check(store) != newest_revision():
        migrate(store, backups=backups, say=say)


def check(store: Store) -> str:
    """The store's revision; raises SchemaError where this program does not know it."""
    revision = current_revision(store)
    if revision != EMPTY and revision not in known_revisions():
        raise SchemaError("schema.newer", store=store.shown_url, revision=revision, newest=newest_revision())
    return revision


def migrate(
    store: Store,
    to: str = "head",
    *,
    make_backup: bool = True,
    backups: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path | None:
    """Migrate up or down to a revision ("base": no tables at all). Returns the backup that was made first, if any."""
    revision = check(store)
    target = newest_revision() if to == "head" else to
    if target not in ("base", *known_revisions()):
        raise SchemaError("schema.no_revision", revision=to, known=", ".join(known_revisions()))
    if target == revision or (revision == EMPTY and target == "base"):
        return None
    saved = None
    if make_backup and revision != EMPTY:
        saved = backup.before_migration(store, revision, datetime.now(UTC), backups)
        say(f"Backed up to {saved}.")
    with _migration_connection(store) as connection:
        config = _config(connection)
        if is_older(target, revision):
            command.downgrade(config, target)
        else:
            command.upgrade(config, target)
        if target != "base":
            triggers.create(connection)
    say(f"The store's tables are now at {target}.")
    return saved


def is_older(target: str, revision: str) -> bool:
    """Whether going from `revision` to `target` is a step back."""
    ordered = ["base", EMPTY, *known_revisions()]
    return target in ordered and revision in ordered and ordered.index(target) < ordered.index(revision)


@contextmanager
def _migration_connection(store: Store) -> Iterator[Connection]:
    """One transaction for all steps: a migration that fails leaves the store as it was."""
    with store.turn(), store.writer.connect() as connection:
        if store.is_sqlite:
            # Ignored inside a transaction, so before it begins; the driver begins none of its own (db.store.engine).
            run_outside_transaction(connection, "PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                if not store.is_sqlite:  # where BEGIN IMMEDIATE has the same effect: one migration at a time
                    connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
                yield connection
                if store.is_sqlite:
                    _check_foreign_keys(connection)
        except DBAPIError as error:
            raise SchemaError("schema.migration_failed", reason=str(error.orig)) from error
        finally:
            if store.is_sqlite:
                run_outside_transaction(connection, "PRAGMA foreign_keys = ON")


def _check_foreign_keys(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        tables = ", ".join(sorted({row[0] for row in broken}))
        raise SchemaError("schema.broken_references", count=len(broken), tables=tables)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
