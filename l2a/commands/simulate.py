"""`simulate`: the learning curve, drawn by a moderator who knows the right tags."""

import argparse
from pathlib import Path

from l2a.commands.shared import add_model_arguments, add_skip_bad, complain, load_model
from l2a.errors import InputError

HELP = "a learning curve: what decisions teach, by a simulated moderator"
EXAMPLE = "--learn train.jsonl --test test.jsonl --at 0 10 50 250 --seed 1 2 3 --out runs/curve"

TABLE, PICTURES = "table.md", ("curve.svg", "curve.png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    parser.add_argument(
        "--learn", required=True, metavar="FILE", help="labelled questions: the moderator answers them in random order"
    )
    parser.add_argument("--test", required=True, metavar="FILE", help="labelled questions that are never learned from")
    parser.add_argument(
        "--at",
        nargs="+",
        type=int,
        required=True,
        metavar="N",
        help="decisions after which the test questions are answered; 0 is the start",
    )
    parser.add_argument(
        "--out", required=True, metavar="FOLDER", help="where answers, table and pictures go; a stopped run goes on"
    )
    parser.add_argument("--seed", nargs="+", type=int, default=[1], help="of the orders, one each (default 1)")
    parser.add_argument("--beam", type=int, help="beam and N of the N-best list, 1 to 64 (default: the model's)")
    parser.add_argument("--lexicon", metavar="FILE", help="tags that the search for tags knows, one a line or a CSV")
    parser.add_argument(
        "--peers",
        action="store_true",
        help="also train Omikuji and ridge regression anew at each count (requirements-dev.txt)",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="processes that decode (default: all cores)")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")
    add_skip_bad(parser)


def run(args: argparse.Namespace) -> int:
    from l2a.bulk.processes import cores
    from l2a.data.questions import Question, ReadReport, read_questions, read_tags
    from l2a.errors import SettingsError
    from l2a.simulation.report import draw, to_markdown
    from l2a.simulation.simulate import Plan, simulate

    jobs = cores() if args.jobs is None else args.jobs
    if jobs < 1:
        raise SettingsError("settings.no_jobs", jobs=jobs)
    report = ReadReport()

    def read(path: str) -> list[Question]:
        questions = [one for one in read_questions(path, skip_bad=args.skip_bad, report=report) if one.tags]
        if not questions:
            raise InputError("evaluate.no_tags", files=path)
        return questions

    learn, test = read(args.learn), read(args.test)
    listed = tuple(read_tags(args.lexicon)) if args.lexicon else ()
    plan = Plan(tuple(args.at), tuple(dict.fromkeys(args.seed)), args.beam, listed, args.peers)
    plan.counts(len(learn))  # complain before a model is read
    if args.threads is None:
        args.threads = 1  # a question by itself is too little for two, and processes share the cores already
    tagger = load_model(args)
    folder = Path(args.out)
    model = str(Path(args.model).resolve())
    points = simulate(tagger, learn, test, folder, plan, model=model, processes=jobs, quiet=args.quiet)
    complain(report)
    facts = {
        "Model": tagger.version,
        "beam": tagger.settings_with(args.beam).beam,
        "test questions": len(test),
        "seeds": " ".join(map(str, plan.seeds)),
    }
    table = to_markdown(points, facts)
    (folder / TABLE).write_text(table, encoding="utf-8")
    for picture in PICTURES:
        draw(points, folder / picture)
    print(table, end="")
    return 0
