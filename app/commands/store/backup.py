"""`backup`: a copy of the store while it is in use."""

import argparse
from pathlib import Path

from app.commands.shared import add_common_arguments, follow, progress_bar, read_settings
from app.shell.messages import message
from db.errors import NotFound

HELP = "copy the store while it is in use"
EXAMPLE = "monday.backup"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a new file; none is ever overwritten")
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db.store.backup import back_up
    from db.store.engine import Store

    # Not prepared: a store is backed up as it is, also one of another version.
    with Store(read_settings(args).database) as store:
        if store.path is not None and not store.path.is_file():
            raise NotFound(message("command.no_store_to_back_up", path=store.path))
        with progress_bar(args, desc="backing up", unit=" pages") as bar:
            saved = back_up(store, Path(args.file), follow(bar))
    print(f"{saved}: {saved.stat().st_size:,} bytes. To go back to it: python -m app restore {saved}")
    return 0
