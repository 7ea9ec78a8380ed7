"""`silver`: labels unlabelled questions for pre-training."""

import argparse
from dataclasses import asdict
from pathlib import Path

from l2a.commands.shared import add_skip_bad

HELP = "label unlabelled questions for pre-training"
EXAMPLE = "unlabelled.jsonl.gz --gold train.jsonl --tags tags.csv --out silver.jsonl.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("unlabelled", metavar="FILE", help="questions to label: .jsonl or .csv, plain or .gz")
    parser.add_argument("--gold", required=True, metavar="FILE", help="questions with tags, to learn from")
    parser.add_argument("--tags", required=True, metavar="FILE", help="list of tags: one a line, or a CSV: rank,tag")
    parser.add_argument("--further", nargs="+", default=[], metavar="FILE", help="more lists of tags, right less often")
    parser.add_argument(
        "--pages", metavar="FILE", help="questions of topic pages (.jsonl with leaf_tags): to learn from and to label"
    )
    parser.add_argument(
        "--names",
        type=Path,
        metavar="FILE.npz",
        help="find names in titles, listed or not; what they look like is learned in minutes and kept in this file",
    )
    parser.add_argument("--exclude", nargs="+", default=[], metavar="FILE", help="leave out the titles of these files")
    parser.add_argument("--never", metavar="FILE", help="tags that no question gets, one a line: to test without them")
    parser.add_argument("--limit", type=int, metavar="N", help="read only the first N unlabelled questions")
    parser.add_argument("--out", required=True, metavar="FILE", help="where to write the labelled questions, gzipped")
    add_skip_bad(parser)


def run(args: argparse.Namespace) -> int:
    """Write the silver labels and print what became of the questions."""
    from l2a.data.questions import read_tags
    from l2a.training.silver import SilverSources, write_silver

    sources = SilverSources(
        args.unlabelled,
        args.gold,
        read_tags(args.tags, skip_bad=args.skip_bad),
        exclude=args.exclude,
        pages=args.pages,
        further=[tag for path in args.further for tag in read_tags(path, skip_bad=args.skip_bad)],
        names=args.names,
        never=read_tags(args.never) if args.never else (),
    )
    for name, value in asdict(write_silver(sources, args.out, args.limit)).items():
        print(f"{name.replace('_', ' '):15}{value:,}")
    return 0
