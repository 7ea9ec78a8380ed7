"""`stats`: what question files hold, and which of their tags a model could write."""

import argparse
import json
from pathlib import Path

from l2a.commands.shared import add_skip_bad, complain

HELP = "describe question files"
EXAMPLE = "train.jsonl --top 10"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--top", type=int, default=20, help="rows of the frequency table (default 20)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--model", metavar="FOLDER", help="also report how many of the tags this model could write")
    parser.add_argument(
        "--seen", nargs="+", default=[], metavar="FILE", help="with --model: tags are new if not in these"
    )
    add_skip_bad(parser)


def run(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from l2a.data.questions import ReadReport, read_questions
    from l2a.measure.statistics import describe, render
    from l2a.text.segmenter import Segmenter

    report = ReadReport()

    def questions(report: ReadReport | None = None):
        for path in args.files:
            yield from tqdm(
                read_questions(path, skip_bad=args.skip_bad, report=report), desc=Path(path).name, unit=" questions"
            )

    found = describe(questions(report), Segmenter(), top=args.top)
    reachable = None
    if args.model:
        from l2a.measure.reachability import count_reachable
        from l2a.tagger import Tagger

        seen = [tag for path in args.seen for q in read_questions(path, skip_bad=args.skip_bad) for tag in q.tags]
        reachable = count_reachable(questions(), Tagger.load(args.model), seen or None)
    if args.json:
        print(json.dumps({**found.to_dict(), "reachable": reachable and reachable.to_dict()}, ensure_ascii=False))
    else:
        print(render(found))
        if reachable:
            print(reachable.render())
    complain(report)
    return 0
