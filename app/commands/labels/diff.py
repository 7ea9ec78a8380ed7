"""`diff`: what changed between two exports. The exit code is that of `diff`: 0 the same, 1 different, 2 trouble."""

import argparse
import json
import sys
from dataclasses import asdict

from app.commands.shared import add_skip_bad, complain

HELP = "what changed between two exports"
EXAMPLE = "january.jsonl february.csv --json"
SIGNS = {"added": "+", "removed": "-", "changed": "~"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="an export, of any format")
    parser.add_argument("new", metavar="NEW", help="a later one, of the same format or another")
    parser.add_argument("--json", action="store_true", help="one JSON object a difference, and one with the counts")
    add_skip_bad(parser)


def run(args: argparse.Namespace) -> int:
    from app.transfer.difference import Counts, compare
    from l2a.data.questions import ReadReport

    report, counts = ReadReport(), Counts()
    old, new = (_questions(path, args.skip_bad, report) for path in (args.old, args.new))
    for difference in compare(old, new, counts):
        print(json.dumps(asdict(difference), ensure_ascii=False) if args.json else _line(difference))
    complain(report.bad, report.messages)
    if args.json:
        print(json.dumps(asdict(counts), ensure_ascii=False))
    else:
        print(
            f"{counts.added:,} added, {counts.removed:,} removed, {counts.changed:,} with other labels, "
            f"{counts.same:,} the same (recognised by {counts.by})"
        )
    return 1 if counts.differ else 0


def _questions(path: str, skip_bad: bool, report):
    from app.transfer.difference import read_manifest
    from l2a.data.questions import FORMATS, read_questions

    manifest, problem = read_manifest(path)
    if problem:
        print(f"app: {problem}", file=sys.stderr)
    fmt = (manifest or {}).get("format")
    return read_questions(path, skip_bad=skip_bad, report=report, fmt=fmt if fmt in FORMATS else None)


def _line(difference) -> str:
    tags = [*(f"+{tag}" for tag in difference.plus), *(f"-{tag}" for tag in difference.minus)]
    title = " ".join(difference.title.split())
    return "\t".join((SIGNS[difference.change], difference.id, title, " ".join(tags)))
