"""`export`: writes the labels people decided on, with a manifest beside the file."""

import argparse
from dataclasses import asdict
from pathlib import Path

from app.commands.shared import add_common_arguments, check_reader, follow, moment, open_store, progress_bar, share
from app.shell.messages import message
from db.errors import Refused

HELP = "write the decided labels to a file"
EXAMPLE = "labels.csv --since 2026-01-01 --reviewed-only"
FORMATS = ("jsonl", "csv", "parquet", "nlpcc-csv", "fasttext", "label-studio", "doccano")
BY_SUFFIX = {
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".fasttext": "fasttext",
    ".txt": "fasttext",
    ".json": "label-studio",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="replaced whole, or left as it was if anything goes wrong")
    parser.add_argument("--format", dest="fmt", choices=FORMATS, help="default: by the file's suffix")
    dates = "a date alone is the midnight it begins with, local time"
    parser.add_argument("--since", type=moment, metavar="TIME", help=f"decided then or later; {dates}")
    parser.add_argument("--until", type=moment, metavar="TIME", help="decided before")
    parser.add_argument("--as-of", type=moment, metavar="TIME", help="everything as it was then")
    parser.add_argument("--person", action="append", default=[], metavar="NAME", help="theirs count (repeatable)")
    parser.add_argument("--source", action="append", default=[], help="of this source (repeatable)")
    parser.add_argument(
        "--model", action="append", default=[], metavar="VERSION", help="that answer its suggestions (repeatable)"
    )
    parser.add_argument(
        "--state", action="append", default=[], help="single, agreed, conflict or reviewed (repeatable)"
    )
    parser.add_argument("--min-agreement", type=share, metavar="X", help="mean agreement of the opinions, 0 to 1")
    parser.add_argument("--reviewed-only", action="store_true", help="settled by a review")
    parser.add_argument("--no-rejections", action="store_true", help="leave rejected and unjudged tags out")
    flagged = parser.add_mutually_exclusive_group()
    flagged.add_argument("--flagged", action="store_true", help="only questions that somebody flagged")
    flagged.add_argument("--without-flagged", action="store_true", help="hold flagged questions back")
    parser.add_argument("--commented", action="store_true", help="only questions with a comment")
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from app.transfer.exporter import export_file
    from db.transfer.export import ExportFilter, manifest_path

    fmt = args.fmt or _format_of(args.file)
    with open_store(args) as store:
        check_reader(store, args, "export labels")
        chosen = _filter(store, args)
        with progress_bar(args, desc="exporting", unit=" questions") as bar:
            manifest = export_file(store, args.file, fmt, chosen, progress=follow(bar))
    print(f"{args.file}: {manifest.rows:,} questions, {manifest.labels:,} labels, {manifest.rejected:,} rejections")
    print(f"  format {manifest.format}, {manifest.bytes:,} bytes, sha256 {manifest.sha256}")
    for name, counts in (("states", manifest.states), ("models", manifest.model_versions)):
        if counts:
            print(f"  {name}: {', '.join(f'{value} {number:,}' for value, number in counts.items())}")
    if manifest.flagged or manifest.commented:
        print(f"  {_notes(manifest)}")
    usual = asdict(ExportFilter())
    filters = [f"{name} {value}" for name, value in manifest.filters.items() if value != usual[name]]
    if filters:
        print(f"  filters: {', '.join(filters)}")
    if manifest.redacted_left_out:
        print(f"  {manifest.redacted_left_out:,} redacted questions left out")
    if manifest.flagged_held_back:
        print(f"  {manifest.flagged_held_back:,} flagged questions held back")
    print(f"  up to ledger entry {manifest.last_entry}; manifest: {manifest_path(args.file)}")
    return 0


def _notes(manifest) -> str:
    """How many flags and comments there are, and whether the file could hold them."""
    numbers = f"{manifest.flagged:,} flagged, {manifest.commented:,} with comments"
    if manifest.flags_and_comments_in_file:
        return numbers
    return f"{numbers}: {manifest.format} has no place for flags and comments, so they are not in the file"


def _format_of(file: str) -> str:
    suffix = Path(file).suffix.lower()
    if suffix == ".gz":
        raise Refused(message("command.export_packed", file=file))
    if suffix not in BY_SUFFIX:
        raise Refused(message("command.export_no_format", file=file, formats=", ".join(FORMATS)))
    return BY_SUFFIX[suffix]


def _filter(store, args: argparse.Namespace):
    """The filter asked for; raises NotFound for a person or model that is not there, instead of finding nothing."""
    from db import people
    from db.models import registry
    from db.transfer.export import ExportFilter

    with store.read() as session:
        for name in args.person:
            people.find(session, name)
        for version in args.model:
            registry.find(session, version)
    return ExportFilter(
        since=args.since,
        until=args.until,
        as_of=args.as_of,
        people=tuple(name.strip() for name in args.person),
        sources=tuple(args.source),
        models=tuple(args.model),
        states=tuple(args.state),
        min_agreement=args.min_agreement,
        reviewed_only=args.reviewed_only,
        rejections=not args.no_rejections,
        flagged=True if args.flagged else False if args.without_flagged else None,
        commented=args.commented,
    )
