"""What decisions teach on real text: memory, and a network retrained on the same decisions.

    python bench/learning.py curve --learn LEARN.jsonl --test TEST.jsonl --replay REPLAY.jsonl --out FOLDER
    python bench/learning.py variants --decisions FOLDER/decisions-500.jsonl --replay REPLAY.jsonl \\
        --dev NEW.jsonl OLD.jsonl --out FOLDER

`curve`: the simulated moderator of `python -m l2a simulate` answers questions in random order. After 250, 500, ...
decisions the network is trained on those made so far, as the app does it (app.learning.recipe), and goes on from the
one before. F1 on the test questions with memory alone, with the retrained network alone, and with both. `variants`: one
set of decisions, trained on with and without replay, with more or less weight on rejections, with another seed and with
shuffled labels; F1 of the network alone on the new and on the old domain, beside the first variant. Both stop and go
on: what is finished is kept in FOLDER.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.learning.recipe import Options, spec_for  # noqa: E402
from bench.peers.report import compare, score  # noqa: E402
from l2a.bulk.processes import cores  # noqa: E402
from l2a.data.questions import Question, read_questions  # noqa: E402
from l2a.evidence.memory.decisions import DecidedQuestion  # noqa: E402
from l2a.ranking.knowledge import Knowledge  # noqa: E402
from l2a.simulation.decodings import FILE, Decodings  # noqa: E402
from l2a.simulation.report import draw, to_markdown  # noqa: E402
from l2a.simulation.simulate import POINTS, Moment, Plan, Point, Simulation, our_point, prepare  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402
from l2a.training.run import train_run  # noqa: E402

MEMORY, RETRAINED, BOTH = "memory", "retrained network", "memory and retrained network"


def read_labelled(path: str) -> list[Question]:
    return [question for question in read_questions(path, skip_bad=True) if question.tags]


def curve(args: argparse.Namespace) -> int:
    learn, test = read_labelled(args.learn), read_labelled(args.test)
    tagger = Tagger.load(args.model, decoder=args.decoder)
    plan = Plan(args.at, (args.seed,), args.beam)
    simulation = prepare(tagger, learn, test, args.out, plan, model=args.model, processes=args.jobs)
    live, points = Path(args.model), []

    def add(point: Point) -> None:
        points.append(point)
        print(json.dumps(point.to_dict()), file=stream, flush=True)

    with (args.out / POINTS).open("w", encoding="utf-8") as stream:
        for moment in simulation.moments(args.seed):
            add(measure(MEMORY, simulation, moment, args))
            if moment.decided:
                live, seconds = retrain(live, moment.decided, args)
                for point in measure_retrained(live, simulation, moment, args):
                    add(replace(point, more={**point.more, "training_seconds": seconds}))
    table = to_markdown(points, {"Model": tagger.version, "beam": args.beam, "test questions": len(test)})
    (args.out / "table.md").write_text(table, encoding="utf-8")
    draw(points, args.out / "curve.png")
    print(table)
    return 0


def measure(method: str, simulation: Simulation, moment: Moment, args: argparse.Namespace) -> Point:
    folder = args.out / method.replace(" ", "-")
    folder.mkdir(exist_ok=True)
    point = our_point(simulation, args.seed, moment, folder / f"at-{len(moment.decided)}.jsonl")
    return replace(point, method=method)


def measure_retrained(live: Path, simulation: Simulation, moment: Moment, args: argparse.Namespace) -> list[Point]:
    """Without what was decided, and with it."""
    tagger = Tagger.load(live, decoder=args.decoder)
    decodings = Decodings(tagger, args.beam, args.out / FILE)
    questions = [asked.question for asked in simulation.test]
    decodings.find(questions, model=str(live), processes=args.jobs)
    retrained = replace(simulation, tagger=tagger, test=decodings.ask(questions))
    known = {RETRAINED: tagger.new_knowledge(), BOTH: known_to(tagger, moment)}
    return [measure(name, retrained, replace(moment, knowledge=one), args) for name, one in known.items()]


def known_to(tagger: Tagger, moment: Moment) -> Knowledge:
    """The same decisions, for another model: its ranker learns from suggestions as they were served in their time."""
    knowledge = tagger.new_knowledge()
    assert knowledge is not None  # a retrained model keeps its ranker
    served = moment.knowledge.served  # of the newest decisions
    older = [None] * (len(moment.decided) - len(served))
    for decided, own in zip(moment.decided, [*older, *served], strict=True):
        knowledge.learn(decided, own)
    return knowledge


def retrain(live: Path, decided: Sequence[DecidedQuestion], args: argparse.Namespace) -> tuple[Path, float]:
    """The model that the app would train on these decisions, and how long that took here."""
    file, folder = args.out / f"decisions-{len(decided)}.jsonl", args.out / f"model-{len(decided)}"
    rows = (
        {
            "id": str(one.question_id),
            "title": one.title,
            "description": one.description,
            "tags": one.tags,
            "rejected": one.rejected,
        }
        for one in decided
    )
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    begun = time.monotonic()
    options = Options(replay=tuple(args.replay), minutes=args.minutes)
    train(spec_for(options, live, file, len(decided)), folder, args.minutes)
    return folder / "best", time.monotonic() - begun


def train(spec, folder: Path, minutes: float) -> None:
    """What was stopped goes on; what is finished is left alone."""
    done = folder / "done"
    if not done.is_file():
        train_run(spec, folder, resume=(folder / "state.pt").is_file(), max_minutes=minutes)
        done.touch()


VARIANTS = {
    "replay": {},
    "replay, rejections weigh 0": {"unlikelihood": 0.0},
    "replay, rejections weigh 3": {"unlikelihood": 3.0},
    "no replay": {"replay": ()},
    "replay, another seed": {"seed": 2},
    "replay, labels shuffled": {},
}


def variants(args: argparse.Namespace) -> int:
    """Train every variant and compare it with the model before and with the first variant."""
    rows = [json.loads(line) for line in Path(args.decisions).read_text(encoding="utf-8").splitlines()]
    models = {"before": Path(args.model)}
    for number, (name, changes) in enumerate(VARIANTS.items()):
        folder = args.out / f"variant-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        tags = [row["tags"] for row in rows]
        if "shuffled" in name:
            random.Random(args.seed).shuffle(tags)
        file = folder / "train.jsonl"
        lines = (json.dumps({**row, "tags": own}, ensure_ascii=False) for row, own in zip(rows, tags, strict=True))
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        options = Options(**{"replay": tuple(args.replay), "minutes": args.minutes, **changes})
        train(spec_for(options, Path(args.model), file, len(rows)), folder / "run", args.minutes)
        models[name] = folder / "run" / "best"
    report_variants(models, args)
    return 0


def report_variants(models: dict[str, Path], args: argparse.Namespace) -> None:
    devs = {path: read_labelled(path) for path in args.dev}
    said: dict[tuple[str, str], list[list[str]]] = {}
    for name, folder in models.items():
        tagger = Tagger.load(folder, decoder=args.decoder)
        for path, questions in devs.items():
            answers = tagger.suggest_stream(questions, beam=args.beam, batch_size=1)
            said[name, path] = [[tag.tag for tag in answer.kept] for answer in answers]
    first = next(iter(VARIANTS))
    for path, questions in devs.items():
        print(f"\n{path}: {len(questions)} questions, beam {args.beam}")
        for name in models:
            own, beside = score(said[name, path], questions), compare(questions, said[first, path], said[name, path])
            low, high = (100 * end for end in beside["interval"])
            print(
                f"  {name:28} F1 {100 * own['f1']:5.1f}  P {100 * own['precision']:5.1f}  "
                f"R {100 * own['recall']:5.1f}  {beside['verdict']} ({low:+.1f} to {high:+.1f})"
            )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(required=True)
    drawn = actions.add_parser("curve", help="F1 against the number of decisions")
    drawn.add_argument("--learn", required=True)
    drawn.add_argument("--test", required=True)
    drawn.add_argument("--at", nargs="+", type=int, default=[0, 250, 500, 1000])
    drawn.add_argument("--jobs", type=int, default=cores(), help="processes that decode")
    drawn.set_defaults(run=curve)
    other = actions.add_parser("variants", help="what replay, rejections, the seed and shuffled labels do")
    other.add_argument("--decisions", required=True)
    other.add_argument("--dev", nargs="+", required=True, help="questions of the new domain, and of the old one")
    other.set_defaults(run=variants)
    for action in (drawn, other):
        action.add_argument("--replay", nargs="*", default=[])
        action.add_argument("--model", default=str(ROOT / "models" / "starter"))
        action.add_argument("--out", type=Path, required=True)
        action.add_argument("--beam", type=int, default=48)
        action.add_argument("--minutes", type=float, default=20.0, help="of each training")
        action.add_argument("--threads", type=int, default=1)
        action.add_argument("--decoder", default="auto")
        action.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    import torch

    torch.set_num_threads(args.threads)
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
