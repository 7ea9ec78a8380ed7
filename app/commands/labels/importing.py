"""`import`: takes questions into the store, streaming; the same file again adds nothing."""

import argparse
from pathlib import Path

from app.commands.shared import (
    add_common_arguments,
    add_dry_run,
    add_skip_bad,
    complain,
    count,
    find_person,
    follow,
    mention,
    open_store,
    preview,
    progress_bar,
    say,
    stopped,
)

HELP = "take questions in; their tags become prior labels, or with --as also decisions about known questions"
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
    from app.transfer.importer import BadLine

    code = 0
    with open_store(args) as store:
        person_id = None if args.dry_run else find_person(store, args)
        record_as = _recording(store, args)
        for path in args.files:
            try:
                found = _import(store, path, person_id, record_as, args)
            except BadLine as error:
                stopped(error)
                return BAD_ROWS
            _report(path, found, args)
            if found.bad and not args.skip_bad:
                code = BAD_ROWS
    return code


def _recording(store, args: argparse.Namespace) -> int | None:
    """Whose decisions other labels of known questions become; None: nobody was named."""
    from db import people

    if not args.name:
        return None
    with store.read() as session:
        if not people.everyone(session):  # a dry run on a new store: there is no question that anybody could decide
            return None
        return people.find(session, args.name).id


def _import(store, path: str, person_id: int | None, record_as: int | None, args: argparse.Namespace):
    from app.transfer.importer import import_file
    from l2a.data.questions import count_lines

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
            record_as=record_as,
            dry_run=args.dry_run,
            skip_bad=args.skip_bad,
            progress=follow(bar),
        )


def _report(path: str, found, args: argparse.Namespace) -> None:
    stored = found.stored
    complain(found.bad, found.messages)
    mention(found.notes)
    if stored.resumed_after:
        say(args, f"{path}: went on after row {stored.resumed_after:,}, where an earlier import stopped.")
    if args.dry_run:
        preview(found.first, lambda row: (row.title, row.tags))
    added = "would be added" if args.dry_run else "added"
    print(
        f"{path}: {stored.added:,} {added}, {stored.duplicates:,} duplicates, {found.bad:,} bad; "
        f"{stored.labels:,} prior labels"
    )
    if stored.relabelled:
        print(f"  {_relabelled(stored, args)}")
    if stored.noted:
        print(f"  {_noted(stored, args)}")


def _relabelled(stored, args: argparse.Namespace) -> str:
    """What becomes of rows whose question is known and whose labels are others."""
    others = f"{stored.relabelled:,} of the duplicates carry other labels than the store"
    if stored.recorded:
        return (
            f"{others}; they are {args.name}'s decisions now, receipts {stored.receipts[0]} to {stored.receipts[-1]} "
            "(python -m app undo RECEIPT takes one back)"
        )
    if args.name:
        return f"{others}; they would become {args.name}'s decisions"
    return f"{others}, which stays as it is; pass --as NAME to record them as that person's decisions"


def _noted(stored, args: argparse.Namespace) -> str:
    """What becomes of flags and comments, which our own exports hold."""
    left = stored.noted - stored.notes_recorded
    said = f"{stored.noted:,} rows carry flags or comments that the store does not have"
    if stored.notes_recorded:
        said += f"; {stored.notes_recorded:,} of them are {args.name}'s decisions now"
    if left and args.name and args.dry_run:
        return f"{said}; those of known questions would become {args.name}'s decisions"
    if left:
        said += (
            f"; {left:,} were not stored, for they belong to decisions: import the file once more with --as NAME, and "
            "the rows become that person's decisions"
        )
    return said
