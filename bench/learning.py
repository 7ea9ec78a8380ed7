"""The learning loop on real text: a simulated moderator in a domain the model never saw.

    python bench/learning.py curve --train TRAIN.jsonl --test TEST.jsonl --replay REPLAY.jsonl --out FOLDER
    python bench/learning.py variants --decisions FOLDER/random/decisions-500.jsonl --replay REPLAY.jsonl \\
        --dev NEW.jsonl OLD.jsonl --out FOLDER

`curve`: a moderator who knows the true tags answers the suggestions of the live model: right ones are accepted, wrong
ones rejected, missing ones added. After 250, 500, ... decisions the model is trained on from what was decided so far,
as the app does it (app.learning.recipe), and goes live. F1 on the untouched test questions against the number of
decisions, with questions in random order and with the uncertain ones first. `variants`: one set of decisions, trained
on with and without replay, with more or less weight on rejections, with another seed and with shuffled labels; F1 on
the new and on the old domain, and what the gate says beside the first variant. Both stop and go on: what is finished
is kept in FOLDER.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.learning.gate import Answers, HeldOut, compare  # noqa: E402
from app.learning.recipe import Options, spec_for  # noqa: E402
from l2a.data.questions import Question, read_questions  # noqa: E402
from l2a.measure.metrics import nlpcc_score  # noqa: E402
from l2a.tagger import Suggestions, Tagger  # noqa: E402
from l2a.text.cleaning import match_key  # noqa: E402
from l2a.training.run import train_run  # noqa: E402

POOL = 2  # uncertain order: the most uncertain of this many times the questions needed, drawn at random


def answer(tagger: Tagger, questions: Sequence[Question], beam: int, what: str) -> list[Suggestions]:
    from tqdm import tqdm

    stream = tagger.suggest_stream(questions, beam=beam, batch_size=1)
    return list(tqdm(stream, total=len(questions), desc=what, unit=" questions", mininterval=5))


def decide(question: Question, suggested: Suggestions) -> dict:
    """What the moderator's decision about a question leaves in the training set."""
    true = {match_key(tag) for tag in question.tags}
    rejected = [s.tag for s in suggested.kept if match_key(s.tag) not in true]
    return {
        "id": question.id,
        "title": question.title,
        "description": question.description,
        "tags": list(question.tags),
        "rejected": rejected,
    }


def disagreement(suggested: Suggestions) -> float:
    """How far the hypotheses disagree, in bits: the queue's uncertain order (db.queue.order)."""
    return -sum(s.share * math.log2(s.share) for s in suggested.suggestions if 0 < s.share < 1)


def choose(order: str, tagger: Tagger, waiting: list[Question], count: int, beam: int) -> list[dict]:
    """The next decisions: the questions leave `waiting`, which is in random order."""
    pool = waiting[: count * POOL] if order == "uncertain" else waiting[:count]
    answers = answer(tagger, pool, beam, f"suggesting ({order})")
    places = range(len(pool))
    if order == "uncertain":
        places = sorted(places, key=lambda i: -disagreement(answers[i]))[:count]
    taken = set(places)
    decided = [decide(pool[i], answers[i]) for i in places]
    waiting[:] = [q for i, q in enumerate(pool) if i not in taken] + waiting[len(pool) :]
    return decided


def score(tagger: Tagger, test: Sequence[Question], beam: int) -> dict:
    answers = answer(tagger, test, beam, "testing")
    kept = [[s.tag for s in a.kept] for a in answers]
    return nlpcc_score(kept, [q.tags for q in test]).to_dict()


def run_order(args: argparse.Namespace, order: str) -> list[dict]:
    """The points of one order; those that are there already are not worked out again."""
    folder = args.out / order
    folder.mkdir(parents=True, exist_ok=True)
    results = folder / "points.jsonl"
    points = [json.loads(line) for line in results.read_text().splitlines()] if results.is_file() else []
    test = list(read_questions(args.test, skip_bad=True))
    waiting = [q for q in read_questions(args.train, skip_bad=True) if q.tags]
    random.Random(args.seed).shuffle(waiting)
    decided: list[dict] = []
    model = Path(args.model)

    def add(point: dict) -> None:
        points.append(point)
        with open(results, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(point) + "\n")
        print(order, json.dumps(point), flush=True)

    if not points:
        add({"decisions": 0, **score(Tagger.load(model), test, args.beam), "seconds": 0.0})
    for count in args.at:
        file, trained = folder / f"decisions-{count}.jsonl", folder / f"model-{count}"
        if not file.is_file():
            decided += choose(order, Tagger.load(model), waiting, count - len(decided), args.beam)
            file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in decided), encoding="utf-8")
        decided = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        known = {row["id"] for row in decided}
        waiting[:] = [q for q in waiting if q.id not in known]
        begun = time.monotonic()
        if not any(point["decisions"] == count for point in points):
            options = Options(replay=tuple(args.replay), minutes=args.minutes)
            train_run(spec_for(options, model, file, count), trained, resume=trained.is_dir(), max_minutes=args.minutes)
            seconds = time.monotonic() - begun
            add({"decisions": count, **score(Tagger.load(trained / "best"), test, args.beam), "seconds": seconds})
        model = trained / "best"
    return points


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
    devs = {path: [q for q in read_questions(path, skip_bad=True) if q.tags] for path in args.dev}
    models = {"before": Path(args.model)}
    for number, (name, changes) in enumerate(VARIANTS.items()):
        folder = args.out / f"variant-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        tags = [row["tags"] for row in rows]
        if "shuffled" in name:
            random.Random(args.seed).shuffle(tags)
        train = folder / "train.jsonl"
        lines = (json.dumps({**row, "tags": own}, ensure_ascii=False) for row, own in zip(rows, tags, strict=True))
        train.write_text("\n".join(lines) + "\n", encoding="utf-8")
        options = Options(**{"replay": tuple(args.replay), "minutes": args.minutes, **changes})
        if not (folder / "done").is_file():
            spec = spec_for(options, Path(args.model), train, len(rows))
            train_run(spec, folder / "run", resume=(folder / "run").is_dir(), max_minutes=args.minutes)
            (folder / "done").touch()
        models[name] = folder / "run" / "best"
    report_variants(models, devs, args)
    return 0


def report_variants(models: dict[str, Path], devs: dict[str, list[Question]], args: argparse.Namespace) -> None:
    said: dict[tuple[str, str], Answers] = {}
    for name, folder in models.items():
        tagger = Tagger.load(folder)
        for path, questions in devs.items():
            answers = answer(tagger, questions, args.beam, f"{name}: {Path(path).parent.name}")
            kept = tuple(tuple(s.tag for s in a.kept) for a in answers)
            said[name, path] = Answers(tagger.version, kept, 0.0)
    first = next(iter(VARIANTS))
    for path, questions in devs.items():
        held_out = [HeldOut(place, q.tags) for place, q in enumerate(questions)]
        print(f"\n{path}: {len(questions)} questions, beam {args.beam}")
        for name in models:
            found = compare(held_out, said[first, path], said[name, path])
            low, high = (100 * end for end in found.interval)
            print(
                f"  {name:28} F1 {100 * found.candidate['f1']:5.1f}  P {100 * found.candidate['precision']:5.1f}  "
                f"R {100 * found.candidate['recall']:5.1f}  {found.verdict} ({low:+.1f} to {high:+.1f})"
            )


def draw(curves: dict[str, list[dict]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4))
    for order, points in curves.items():
        axes.plot([p["decisions"] for p in points], [100 * p["f1"] for p in points], marker="o", label=order)
    axes.set_xscale("symlog", linthresh=250)
    axes.set_xticks([p["decisions"] for p in next(iter(curves.values()))])
    axes.get_xaxis().set_major_formatter(matplotlib.ticker.ScalarFormatter())
    axes.set(xlabel="decisions", ylabel="F1 on the test questions", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(title="order of questions")
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(required=True)
    curve = actions.add_parser("curve", help="F1 against the number of decisions")
    curve.add_argument("--train", required=True)
    curve.add_argument("--test", required=True)
    curve.add_argument("--orders", nargs="+", default=["random", "uncertain"])
    curve.add_argument("--at", nargs="+", type=int, default=[250, 500, 1000, 2000, 4000])
    curve.set_defaults(run=draw_curve)
    other = actions.add_parser("variants", help="what replay, rejections, the seed and shuffled labels do")
    other.add_argument("--decisions", required=True)
    other.add_argument("--dev", nargs="+", required=True, help="questions of the new domain, and of the old one")
    for action in (curve, other):
        action.add_argument("--replay", nargs="*", default=[])
        action.add_argument("--model", default=str(ROOT / "models" / "starter"))
        action.add_argument("--out", type=Path, required=True)
        action.add_argument("--beam", type=int, default=16)
        action.add_argument("--minutes", type=float, default=20.0, help="of each training")
        action.add_argument("--threads", type=int, default=1)
        action.add_argument("--seed", type=int, default=1)
    other.set_defaults(run=variants)
    args = parser.parse_args()
    import torch

    torch.set_num_threads(args.threads)
    return args.run(args)


def draw_curve(args: argparse.Namespace) -> int:
    curves = {order: run_order(args, order) for order in args.orders}
    args.out.mkdir(parents=True, exist_ok=True)
    draw(curves, args.out / "curve.png")
    print(json.dumps(curves, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
