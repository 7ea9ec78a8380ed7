"""Opens the store that the settings name; the pages and the command line share it."""

from collections.abc import Callable

from app.shell.settings import Settings
from db.store import schema
from db.store.engine import Store


def open_store(settings: Settings, say: Callable[[str], None] = lambda _: None) -> Store:
    """A store whose tables are there and up to date; `say` hears what had to be done for that.

    Raises db.errors.StoreError for a store that cannot be reached, is newer than this program, or is no store.
    """
    store = Store(settings.database)
    try:
        if store.path is not None and not store.path.exists():
            say(f"{settings.shown_database}: there was no store; a new one is made.")
        schema.prepare(store, backups=settings.backup_folder, say=say)
    except BaseException:
        store.close()
        raise
    return store
