"""`evaluate`: scores a model on labelled questions."""

import argparse
import json

from l2a.commands.shared import add_decoding_arguments, add_model_arguments, add_skip_bad, complain, load_model
from l2a.errors import InputError

HELP = "score a model"
EXAMPLE = "--model models/starter test.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    add_decoding_arguments(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="labelled questions: JSONL or NLPCC CSV, plain or .gz")
    parser.add_argument("--lexicon", metavar="FILE", help="further known tags (CSV with a `tag` column, or one a line)")
    parser.add_argument(
        "--best-threshold",
        action="store_true",
        help="also find the best threshold here: for a dev set, never for a test",
    )
    add_skip_bad(parser)


def run(args: argparse.Namespace) -> int:
    from l2a.data.questions import ReadReport, read_questions, read_tags
    from l2a.measure.evaluation import evaluate

    tagger = load_model(args)
    report = ReadReport()
    questions = [
        q for path in args.files for q in read_questions(path, skip_bad=args.skip_bad, report=report) if q.tags
    ]
    if not questions:
        raise InputError("evaluate.no_tags", files=", ".join(args.files))
    found = evaluate(
        tagger,
        questions,
        beam=args.beam,
        threshold=args.threshold,
        batch_size=args.batch,
        lexicon=read_tags(args.lexicon) if args.lexicon else (),
        quiet=args.quiet,
    )
    complain(report)
    result = {**found.to_dict(), "model_version": tagger.version, "bad_lines": report.bad}
    if not args.best_threshold:
        del result["best_threshold"]
    print(json.dumps(result, ensure_ascii=False, indent=1))
    return 0
