"""What each addition to the paper's model is worth, on the same labels: one row more for each.

    python bench/ablation.py --data DATA --silver SILVER.jsonl.gz --out FOLDER [--silver-count 15000] [--seeds 3]

DATA holds zhihu/{train,dev,test,test_open}.jsonl, lexicon/nlpcc2018_task6_tags.csv and lexicon/word_vectors_100d.npz.
Every row is trained anew with everything of the row before and one thing more; all see the gold questions equally
often. The rows are smaller than the starter (half as wide and as deep, fewer silver labels and epochs), so that all of
them can be trained: their differences count, not their height. The last trained row has several seeds; the rows after
it, for which nothing is trained, have the same ones: their tags are ordered and cut by what hypotheses and evidence
together say (a tag's standing, l2a/ranking/candidates.py), which without evidence is the share of the hypotheses. The
epoch is chosen on dev, and so is the threshold where a column says so; test and open test are scored once a row and
threshold. What is finished is kept in FOLDER, so the run can be stopped and go on, and two processes can share it with
--only.
"""

import argparse
import gzip
import json
import math
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from l2a.config import VoteSettings, preset  # noqa: E402
from l2a.data.questions import Question, read_questions  # noqa: E402
from l2a.measure.metrics import nlpcc_score  # noqa: E402
from l2a.ranking.candidates import FAINT  # noqa: E402
from l2a.ranking.ranker import CUTS, Prior, Ranker  # noqa: E402
from l2a.search.voting import MAX_SHOWN  # noqa: E402
from l2a.suggestions import Suggestion, Suggestions  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402
from l2a.text.cleaning import match_key  # noqa: E402
from l2a.training.run import RunSpec, train_run  # noqa: E402

FILES = {"dev": "dev.jsonl", "test": "test.jsonl", "open": "test_open.jsonl"}


@dataclass(frozen=True)
class Row:
    """What is added to the row before."""

    name: str
    model: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # field of RunSpec -> which file
    is_final: bool = False  # trained with every seed


ROWS = (
    Row("the paper's model", training={"order": "order2"}),
    Row("+ silver labels", files={"pretrain": "silver"}),
    Row("+ shared word vectors", model={"share_embeddings": True}, files={"vectors": "vectors"}),
    Row("+ copying", model={"copy": True}),
    Row("+ retrieval", files={"retrieve": "tags"}),
    Row("+ two orders", training={"order": "both"}, is_final=True),
)
# What speaks for tags beside the hypotheses of the last row's models: no network is trained for these rows.
FOUND = {"listed": 2.0, "named": 0.2, "near": 0.2}
EVIDENCE = {
    "+ evidence of the tag list and of similar questions": VoteSettings(FOUND, invented_worth=0.25),
    "+ evidence of a linear model": VoteSettings({**FOUND, "listed": 4.0, "linear": 0.75}, invented_worth=0.25),
}
# A ranker that knows nothing but the standing: its order is the standing's.
BY_STANDING = Prior({"model.standing": 1.0}, {}, 0.0, ((0.0, 0.0, 0.0, 1.0),) * len(CUTS))
PAPER_THRESHOLD = 0.25
_ROUNDING = 1e-4  # figures are rounded: just the threshold must not suffice


def spec_of(row: int, seed: int, args: argparse.Namespace) -> RunSpec:
    """The run of a row: the additions of all rows up to it."""
    base = preset("small")
    model = {"width": 128, "feed_forward": 256, "encoder_layers": 1, "decoder_layers": 2, "dropout": 0.1}
    model |= {"source_vocabulary": 45_000, "min_source_count": 2}
    training = {"batch_size": 32, "learning_rate": 3e-3, "warmup_steps": 100, "schedule": "linear", "train_copies": 2}
    training |= {"epochs": args.epochs, "seed": seed, "dev_beam": args.beam}
    named: dict[str, str] = {}
    for each in ROWS[: row + 1]:
        model |= each.model
        training |= each.training
        named |= each.files
    if "pretrain" not in named:
        training["epochs"] += training["train_copies"]  # gold stands in the pre-training epoch so often
    paths = {
        "silver": str(args.out / "silver.jsonl.gz"),
        "vectors": str(args.data / "lexicon" / "word_vectors_100d.npz"),
        "tags": str(args.data / "lexicon" / "nlpcc2018_task6_tags.csv"),
    }
    files: dict[str, Any] = {name: paths[which] for name, which in named.items()}
    if "pretrain" in files:
        files["pretrain"] = (files["pretrain"],)
    return RunSpec(
        train=(str(args.data / "zhihu" / "train.jsonl"),),
        dev=(str(args.data / "zhihu" / "dev.jsonl"),),
        model=replace(base.model, **model),
        training=replace(base.training, **training),
        decode=base.decode,
        storage="float16",
        **files,
    )


def is_over(tag: Suggestion, threshold: float) -> bool:
    """Whether a tag stands higher than a share of the hypotheses: by votes, or where it has a chance, by standing."""
    if tag.chance is None:
        return tag.share > threshold + _ROUNDING
    at = math.log1p(threshold / FAINT) / math.log1p(1 / FAINT)
    return tag.chance > Ranker.shipped(BY_STANDING).chance({"model.standing": at + _ROUNDING})


def score(
    answers: Sequence[Suggestions], questions: Sequence[Question], threshold: float, known: frozenset[str]
) -> dict:
    """F1 of the tags over the threshold, and the right ones among the tags gold training never has."""
    kept = [[s.tag for s in answer.suggestions if is_over(s, threshold)][:MAX_SHOWN] for answer in answers]
    found = nlpcc_score(kept, [question.tags for question in questions])
    new = [
        (tag, question)
        for tags, question in zip(kept, questions, strict=True)
        for tag in tags
        if match_key(tag) not in known
    ]
    right = sum(match_key(tag) in set(map(match_key, question.tags)) for tag, question in new)
    return {"f1": found.f1, "precision": found.precision, "recall": found.recall, "new": len(new), "new_right": right}


def measure(row: int, seed: int, args: argparse.Namespace) -> None:
    """Train one row with one seed and score it; a folder with scores is finished."""
    folder = args.out / f"row-{row}-seed-{seed}"
    if (folder / "scores.json").exists():
        return
    print(f"{ROWS[row].name}, seed {seed}", file=sys.stderr, flush=True)
    begin = time.perf_counter()
    resume = (folder / "state.pt").exists()
    train_run(spec_of(row, seed, args), folder, resume=resume, say=lambda words: print(words, file=sys.stderr))
    minutes = (time.perf_counter() - begin) / 60
    tagger = Tagger.load(folder / "best")
    gold = read_questions(args.data / "zhihu" / "train.jsonl")
    known = frozenset(match_key(tag) for question in gold for tag in question.tags)
    sets = {part: list(read_questions(args.data / "zhihu" / name)) for part, name in FILES.items()}
    found: dict[str, Any] = {"minutes": minutes, "resumed": resume, **_scores(tagger, sets, args.beam, known)}
    if ROWS[row].is_final:
        tagger.evidence, tagger.prior = tagger.evidence.learned(["linear"]), BY_STANDING
        found["evidence"] = {}
        for name, votes in EVIDENCE.items():
            tagger.votes = votes
            found["evidence"][name] = _scores(tagger, sets, args.beam, known)
    (folder / "scores.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _scores(tagger: Tagger, sets: Mapping[str, list[Question]], beam: int, known: frozenset[str]) -> dict[str, Any]:
    """With the paper's threshold and with the one that is best on dev."""
    answers = {part: list(tagger.suggest_stream(questions, beam=beam)) for part, questions in sets.items()}
    thresholds = [votes / beam for votes in range(beam)]
    chosen = max((score(answers["dev"], sets["dev"], each, known)["f1"], each) for each in thresholds)[1]
    return {
        name: {part: score(answers[part], sets[part], share, known) for part in FILES}
        for name, share in (("paper", PAPER_THRESHOLD), ("chosen", chosen))
    } | {"threshold": chosen}


def table(out: Path) -> str:
    """What is there so far, as Markdown; several seeds as mean and spread."""
    lines = [
        "| row | seeds | N/4: dev | test | open | chosen on dev: dev | test | open | new tags right on open |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for place, row in enumerate(ROWS):
        runs = [json.loads(path.read_text()) for path in sorted(out.glob(f"row-{place}-seed-*/scores.json"))]
        lines.append(_line(row.name, runs))
        if row.is_final:
            lines += [_line(name, [run["evidence"][name] for run in runs]) for name in EVIDENCE]
    return "\n".join(lines) + "\n"


def _line(name: str, runs: Sequence[dict]) -> str:
    cells = [_spread([100 * run[how][part]["f1"] for run in runs]) for how in ("paper", "chosen") for part in FILES]
    new = ", ".join(f"{run['chosen']['open']['new_right']} of {run['chosen']['open']['new']}" for run in runs)
    return f"| {name} | {len(runs)} | {' | '.join(cells)} | {new or '–'} |"


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "–"
    mean = f"{statistics.mean(values):.1f}"
    return f"{mean} ({min(values):.1f} to {max(values):.1f})" if len(values) > 1 else mean


def take_silver(path: Path, count: int, out: Path) -> None:
    """The first `count` silver questions, for every row the same."""
    if out.exists():
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    writing = out.with_name("writing.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines, gzip.open(writing, "wt", encoding="utf-8") as kept:
        kept.writelines(islice(lines, count))
    writing.rename(out)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--silver", type=Path, required=True)
    parser.add_argument("--silver-count", type=int, default=15_000)
    parser.add_argument("--epochs", type=int, default=3, help="of gold, after silver and gold together")
    parser.add_argument("--seeds", type=int, default=3, help="of the last two rows")
    parser.add_argument("--beam", type=int, default=16)
    parser.add_argument("--only", type=int, nargs="+", metavar="ROW", help=f"rows 0 to {len(ROWS) - 1}")
    parser.add_argument("--out", type=Path, required=True, help="a folder that git ignores, such as runs/ablation")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    import torch

    torch.set_num_threads(1)
    args = parse(arguments)
    take_silver(args.silver, args.silver_count, args.out / "silver.jsonl.gz")
    for row in args.only if args.only is not None else range(len(ROWS)):
        for seed in range(1, (args.seeds if ROWS[row].is_final else 1) + 1):
            measure(row, seed, args)
    (args.out / "ablation.md").write_text(table(args.out), encoding="utf-8")
    print(table(args.out))


if __name__ == "__main__":
    main()
