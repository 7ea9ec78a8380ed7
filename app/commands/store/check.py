"""`check`: whether the store is sound: its file, and the counts it keeps. Exit code 1 if it is not."""

import argparse

from app.commands.shared import add_common_arguments, follow, open_store, progress_bar, read_settings
from app.shell.messages import message
from db.errors import NotFound

HELP = "whether the store is sound"
EXAMPLE = "--quiet"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db.queue.check import find_inconsistencies
    from db.store.backup import check_file
    from db.store.engine import Store

    with Store(read_settings(args).database) as store:
        path = store.path
    if path is not None:
        if not path.is_file():
            raise NotFound(message("command.no_store_to_check", path=path))
        problem = check_file(path)
        if problem:
            print(f"{path} is damaged: {problem}")
            print("Go back to a backup: python -m app restore FILE")
            return 1
    with (
        open_store(args) as store,
        store.read() as session,
        progress_bar(args, desc="checking", unit=" questions") as bar,
    ):
        found = find_inconsistencies(session, follow(bar))
    for problem in found:
        print(problem)
    if not found:
        print("The store is sound: every count of the queue is what the ledger and the leases say.")
    return 1 if found else 0
