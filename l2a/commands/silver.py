"""`silver`: labels unlabelled questions for pre-training."""

import argparse
from dataclasses import asdict

HELP = "label unlabelled questions for pre-training"
EXAMPLE = "unlabelled.jsonl.gz --gold train.jsonl --tags tags.csv --out silver.jsonl.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("unlabelled", metavar="FILE", help="questions to label: .jsonl or .csv, plain or .gz")
    parser.add_argument("--gold", required=True, metavar="FILE", help="questions with tags, to learn from")
    parser.add_argument("--tags", required=True, metavar="FILE", help="list of tags: one a line, or a CSV: rank,tag")
    parser.add_argument("--exclude", nargs="+", default=[], metavar="FILE", help="leave out the titles of these files")
    parser.add_argument("--limit", type=int, metavar="N", help="read only the first N questions")
    parser.add_argument("--out", required=True, metavar="FILE", help="where to write the labelled questions, gzipped")


def run(args: argparse.Namespace) -> int:
    """Write the silver labels and print what became of the questions."""
    from l2a.data.questions import read_tags
    from l2a.training.silver import write_silver

    report = write_silver(args.unlabelled, args.gold, read_tags(args.tags), args.out, args.exclude, args.limit)
    for name, value in asdict(report).items():
        print(f"{name.replace('_', ' '):14}{value:,}")
    return 0
