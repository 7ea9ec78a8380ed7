"""`suggest`: one line of suggestions a question, streaming."""

import argparse
from pathlib import Path

from l2a.commands.shared import add_decoding_arguments, add_model_arguments, add_skip_bad, complain, load_model

HELP = "suggest tags for questions"
MANY = 500  # lines from which several processes are worth starting
EXAMPLE = "questions.jsonl > tags.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    add_decoding_arguments(parser)
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="questions; standard input if left out")
    parser.add_argument("--all", action="store_true", help="write every voted tag, not only the kept ones")
    add_skip_bad(parser)
    parser.add_argument("--ban", action="append", default=[], metavar="TAG", help="never suggest this tag (repeatable)")
    parser.add_argument("--first", metavar="TAG", help="begin every hypothesis with this tag")
    parser.add_argument("--known-tags", metavar="FILE", help="suggest only tags of this list")
    several = parser.add_mutually_exclusive_group()
    several.add_argument(
        "--jobs", type=int, metavar="N", help="processes (all cores for a file of 500 lines or more, else 1)"
    )
    several.add_argument(
        "--ray", type=int, metavar="WORKERS", help="share the work among so many workers (requirements-ray.txt)"
    )


def run(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from l2a.bulk.json_lines import json_line
    from l2a.bulk.processes import cores
    from l2a.bulk.scale_out import Job, suggest_in_processes, suggest_on_ray
    from l2a.data.questions import ReadReport, count_lines, read_questions, read_tags
    from l2a.tagger import Constraints

    report = ReadReport()
    constraints = Constraints(
        ban=tuple(args.ban),
        first_tag=args.first,
        known_tags=tuple(read_tags(args.known_tags)) if args.known_tags else None,
    )
    questions = read_questions(args.file, skip_bad=args.skip_bad, report=report)
    total = count_lines(args.file) if Path(args.file).is_file() else None
    if args.ray is None:
        tagger = load_model(args)  # also where other processes do the work: what is wrong with it is said at once
    jobs = args.jobs
    if jobs is None:
        jobs = cores() if (total or 0) >= MANY and args.threads is None else 1
    model = str(Path(args.model).resolve())
    job = Job(model, args.beam, args.threshold, args.batch, constraints, args.all, args.decoder)
    if args.ray is not None:
        lines = suggest_on_ray(questions, job, args.ray)
    elif jobs != 1:
        lines = suggest_in_processes(questions, job, jobs)
    else:
        answers = tagger.suggest_stream(
            questions, beam=args.beam, threshold=args.threshold, batch_size=args.batch, constraints=constraints
        )
        lines = (json_line(answer, every_tag=args.all) for answer in answers)
    for line in tqdm(lines, total=total, desc="suggesting", unit=" questions", disable=args.quiet):
        print(line, flush=True)  # a reader of the stream need not wait for the end
    complain(report)
    return 0
