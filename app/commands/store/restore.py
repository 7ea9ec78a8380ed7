"""`restore`: puts a backup in the place of the store; what was there is kept beside it."""

import argparse
from datetime import datetime
from pathlib import Path

from app.commands.shared import add_common_arguments, add_yes, confirm, follow, progress_bar, read_settings, teller
from app.shell.messages import message
from db.errors import ConnectionFailed, SchemaError

HELP = "put a backup in the store's place"
EXAMPLE = "monday.backup"
COMPANIONS = ("", "-wal", "-shm")  # the files of a SQLite store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file that `backup` wrote")
    add_yes(parser)
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db.store import backup, schema
    from db.store.engine import Store

    saved = Path(args.file)
    settings = read_settings(args)
    with Store(settings.database) as store:
        if store.path is not None:
            _check_revision(saved)
            kept = store.path.with_name(f"{store.path.name}.before-restore-{datetime.now():%Y%m%d-%H%M%S}")
            is_sound = _is_sound(store)
            print(f"Put {saved} in the place of {store.path}.")
            if store.path.exists():
                print(f"  what is there now is kept as {kept}")
            if not confirm(args):
                return 1
            store.path.parent.mkdir(parents=True, exist_ok=True)
            if not is_sound:  # a copy of it would be refused, and nothing can be written over it
                store.close()
                _move_aside(store.path, kept)
        else:
            kept = None
        with progress_bar(args, desc="restoring", unit=" pages") as bar:
            backup.restore(store, saved, kept, follow(bar))
        schema.prepare(store, backups=settings.backup_folder, say=teller(args))
    print(f"{store.path} is as it was in {saved}.")
    return 0


def _check_revision(saved: Path) -> None:
    """Raises SchemaError for a backup that this program could not use afterwards."""
    from db.store.backup import revision_of_file
    from db.store.schema import known_revisions

    revision = revision_of_file(saved) if saved.is_file() else None
    if revision is not None and revision not in known_revisions():
        raise SchemaError(message("command.backup_too_new", file=saved, revision=revision))


def _is_sound(store) -> bool:
    """Whether the store can be copied. Raises SchemaError for somebody else's database, which is left alone."""
    from db.store import backup, schema

    if not store.path.exists():
        return True
    try:
        revision = schema.current_revision(store)
    except ConnectionFailed:
        return False
    return revision != schema.EMPTY and not backup.check_file(store.path)


def _move_aside(path: Path, kept: Path) -> None:
    for companion in COMPANIONS:
        file = path.with_name(path.name + companion)
        if file.exists():
            file.replace(kept.with_name(kept.name + companion))
