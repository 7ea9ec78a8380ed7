"""`import`: takes questions into the store, streaming; the same file again adds nothing."""

import argparse
import sys
from pathlib import Path

from app.commands.shared import (
    add_common_arguments,
    add_dry_run,
    add_skip_bad,
    complain,
    count,
    find_person,
    follow,
    open_store,
    progress_bar,
    say,
)

HELP = "take questions in; their tags become prior labels"
EXAMPLE = "questions.jsonl --source zhihu"
BAD_ROWS = 1  # the exit code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="any format `export` writes, plain or .gz; - is standard input"
    )
    parser.add_argument("--source", default="", help="where rows come from that do not say so themselves")
    parser.add_argument("--format", dest="fmt", help="as for `export` (default: by the file's name and start)")
    parser.add_argument("--overlap", type=count, default=1, metavar="N", help="opinions each question asks (default 1)")
    add_dry_run(parser)
    add_skip_bad(parser)
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Exit code 0: all is well; 1: there were bad rows, and no --skip-bad; 2: a file could not be read at all."""
    from app.importer import BadLine

    code = 0
    with open_store(args) as store:
        person_id = None if args.dry_run else find_person(store, args)
        for path in args.files:
            try:
                found = _import(store, path, person_id, args)
            except BadLine as error:
                print(f"app: {error}", file=sys.stderr)
                return BAD_ROWS
            _report(path, found, args)
            if found.bad and not args.skip_bad:
                code = BAD_ROWS
    return code


def _import(store, path: str, person_id: int | None, args: argparse.Namespace):
    from app.importer import import_file
    from l2a.data import count_lines

    is_file = Path(path).is_file()
    with progress_bar(
        args, total=count_lines(path, args.fmt) if is_file else None, desc=Path(path).name, unit=" rows"
    ) as bar:
        return import_file(
            store,
            path,
            person_id=person_id,
            source=args.source,
            fmt=args.fmt,
            overlap=args.overlap,
            dry_run=args.dry_run,
            skip_bad=args.skip_bad,
            progress=follow(bar),
        )


def _report(path: str, found, args: argparse.Namespace) -> None:
    stored = found.stored
    complain(found.bad, found.messages)
    if stored.resumed_after:
        say(args, f"{path}: went on after row {stored.resumed_after:,}, where an earlier import stopped.")
    added = "would be added" if args.dry_run else "added"
    print(
        f"{path}: {stored.added:,} {added}, {stored.duplicates:,} duplicates, {found.bad:,} bad; "
        f"{stored.labels:,} prior labels"
    )
