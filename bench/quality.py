"""The starter model against its peers on the same labels, in one run.

    python bench/quality.py --data FOLDER --silver SILVER.jsonl.gz --cache FOLDER --out FOLDER
    python bench/quality.py --data FOLDER --cache FOLDER --out FOLDER --strict [--model MODEL]

FOLDER of --data holds zhihu/{train,dev,test,test_open}.jsonl, lexicon/nlpcc2018_task6_tags.csv and
lexicon/zhihu_topic_tree.tsv. Peers get the questions without their tags; how many tags a peer keeps is chosen on dev,
and each is scored on test and open test once. The strongest peer of a set is the one that scored best on that very
set, which can flatter the peer only. Writes quality.md, quality.json and quality.png; slow answers are kept in
--cache. With --page-every N also side-by-side.html, for reading: every N-th test question with what each method gives
it. It holds text of the data: --out should be a folder that git ignores, such as runs/quality.

--pages adds peers that learn from topic pages, weak labels, as well. Omikuji takes no seed: --runs 3 trains it three
times and reports the strongest peer of each run; with --cache nothing else is repeated. --strict does it all on a copy
of the data whose lists and labels have no tag of the open test that gold lacks (bench/strict.py). --model must then
have been trained on that copy, as --silver must have been made from it; without --model tools/train_starter.sh does
both.
"""

import argparse
import inspect
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import l2a.evidence.literal  # noqa: E402
import l2a.evidence.ridge  # noqa: E402
import l2a.simulation.peers  # noqa: E402
import l2a.text.cleaning  # noqa: E402
import l2a.text.segmenter  # noqa: E402
import l2a.training.teaching.forest  # noqa: E402
import l2a.training.teaching.pages  # noqa: E402
import l2a.training.teaching.ridge  # noqa: E402
import l2a.training.teaching.teacher  # noqa: E402
from bench import strict  # noqa: E402
from bench.peers import (  # noqa: E402
    fasttext,
    linear,
    literal,
    material,
    neighbours,
    page,
    report,
    ridge,
    starter,
    trees,
)
from bench.peers.cache import Cache, checksum  # noqa: E402
from bench.peers.material import Material, Unavailable, Variants  # noqa: E402
from bench.peers.tuning import keep, tune  # noqa: E402
from l2a.data.questions import Question, read_questions, read_tags  # noqa: E402
from l2a.data.tag_files import read_tag_table  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402
from l2a.text.cleaning import match_key  # noqa: E402

FILES = {"dev": "dev.jsonl", "test": "test.jsonl", "open": "test_open.jsonl"}
COMPARED = ("test", "open")
STARTER, LITERAL, TEACHER, FASTTEXT = "starter", "literal matching", "silver teacher (the project's own)", "fastText"
DEFAULT_TREES, BONSAI_TREES = "Omikuji, default trees", "Omikuji, Bonsai-like trees"
SILVER_TREES, ALL_TREES = "Omikuji, gold + silver", "Omikuji, gold + silver + pages"
RIDGE, PAGES_RIDGE, ALL_RIDGE = "ridge", "ridge, gold + pages", "ridge, gold + pages + some silver"


@dataclass(frozen=True)
class Peer:
    """A way to rank tags for the questions of a `Material`."""

    name: str
    rank: Callable[[Material], Variants]
    needs_silver: bool = False
    needs_pages: bool = False
    is_random: bool = False  # and takes no seed: --runs trains it that many times


PEERS = (
    Peer("nearest neighbours", neighbours.vote),
    Peer(LITERAL, literal.match),
    Peer("TF-IDF + linear one-vs-rest", linear.one_against_rest),
    Peer(RIDGE, ridge.gold),
    Peer(PAGES_RIDGE, ridge.with_pages, needs_pages=True),
    Peer(ALL_RIDGE, ridge.with_silver_and_pages, needs_silver=True, needs_pages=True),
    Peer(DEFAULT_TREES, trees.default, is_random=True),
    Peer(BONSAI_TREES, trees.bonsai, is_random=True),
    Peer(FASTTEXT, fasttext.supervised),
    Peer(SILVER_TREES, trees.with_silver, needs_silver=True, is_random=True),
    Peer(ALL_TREES, trees.with_silver_and_pages, needs_silver=True, needs_pages=True, is_random=True),
    Peer(TEACHER, trees.teacher, is_random=True),
)
# Literal matches mixed into the rankings of other peers; of several the development questions choose one.
TREES_AND_LITERAL = "Omikuji + literal"
MIXTURES = {
    TREES_AND_LITERAL: (DEFAULT_TREES, BONSAI_TREES),
    **{f"{name}, + literal": (name,) for name in (RIDGE, PAGES_RIDGE, ALL_RIDGE, SILVER_TREES, ALL_TREES)},
}


def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Every method on every file; what `quality.json` holds."""
    paths = {part: Path(args.data, "zhihu", name) for part, name in FILES.items()}
    sets = {part: list(read_questions(path)) for part, path in paths.items()}
    tagger = Tagger.load(args.model)
    data = _material(args, sets, tagger)
    all_keys = _all_keys(args.data, data)
    if args.removed:
        strict.ensure_absent(args.removed, tagger, {"lists and labels": all_keys})
    kept = Cache(args.cache)
    decoded = {}
    for part, path in paths.items():
        with _Timer(f"{STARTER}, {part}"):
            decoded[part] = starter.answer(tagger, path, _strip(sets[part]), args.beam, kept)
    methods = _run_peers(args, data, sets, paths, kept)
    own = {part: [one.kept for one in answers] for part, answers in decoded.items()}
    methods[STARTER] = {"chosen": "its own threshold", "answers": own}
    if args.page_every:
        answers = {name: found["answers"]["test"] for name, found in methods.items() if "answers" in found}
        page.write_page(args.out / "side-by-side.html", sets["test"], answers, args.page_every)
    found = _figures(methods, sets, data, all_keys, _facts(args, data, tagger, sets))
    if args.removed:
        named = {name: found["answers"]["open"] for name, found in methods.items() if "answers" in found}
        is_new = strict.newness(tagger, all_keys)
        found["strict"] = strict.figures(named, decoded["open"], sets["open"], args.removed, is_new)
    return found


def _material(args: argparse.Namespace, sets: dict[str, list[Question]], tagger: Tagger) -> Material:
    count = args.silver_count or tagger.details.get("data", {}).get("pretrain") or None  # 0: it learned from none

    @cache
    def read_silver() -> list[Question]:
        if args.silver is None:
            raise Unavailable("not run: no --silver file")
        return [question for question in read_questions(args.silver) if question.tags][:count]

    return Material(
        gold=[question for question in read_questions(Path(args.data, "zhihu", "train.jsonl")) if question.tags],
        lexicon=read_tags(Path(args.data, "lexicon", "nlpcc2018_task6_tags.csv")),
        read_silver=read_silver,
        questions=[question for part in FILES for question in _strip(sets[part])],
        pages=args.pages,
        folder=args.cache,
    )


def _strip(questions: Sequence[Question]) -> list[Question]:
    return [replace(question, tags=(), rejected=()) for question in questions]


def _run_peers(args, data: Material, sets: dict, paths: dict[str, Path], kept: Cache) -> dict[str, dict[str, Any]]:
    """Method -> its answers by file and what was chosen for it, or why it is unavailable."""
    files = checksum(
        Path(args.data, "zhihu", "train.jsonl"),
        Path(args.data, "lexicon", "nlpcc2018_task6_tags.csv"),
        *paths.values(),
    )
    packages = [f"{name} {version(name)}" for name in ("scikit-learn", "omikuji", "jieba")]
    rankings: dict[str, Variants] = {}
    methods: dict[str, dict[str, Any]] = {}
    for peer in PEERS:
        try:
            if peer.name == FASTTEXT and args.without_fasttext:
                raise Unavailable("not run: --without-fasttext")
            if peer.name in args.without:
                raise Unavailable("not run: --without")
            parts = [files, *packages, _source(peer.rank)]
            if peer.needs_silver:
                parts.append(f"{len(data.read_silver())} of {checksum(Path(args.silver))}")
            if peer.needs_pages:
                parts.append(checksum(data.pages) if data.pages else "no pages")
            if peer.is_random and args.run > 1:
                parts.append(f"run {args.run}")
            with _Timer(peer.name) as timer:
                name = peer.rank.__module__.split(".")[-1] + "-" + peer.rank.__name__
                rankings[peer.name], timer.was_kept = kept.get(name, parts, lambda peer=peer: peer.rank(data))
        except Unavailable as error:
            methods[peer.name] = {"unavailable": str(error)}
            print(f"{peer.name}: {error}", file=sys.stderr, flush=True)
            continue
        methods[peer.name] = _tuned(rankings[peer.name], sets)
    (literal_ranking,) = rankings[LITERAL].values()
    for name, others in MIXTURES.items():
        found = {
            ", ".join(filter(None, (other.partition(", ")[2], variant))): ranking
            for other in others
            for variant, ranking in rankings.get(other, {}).items()
        }
        if not found:
            methods[name] = {"unavailable": methods[others[0]]["unavailable"]}
            continue
        with _Timer(name):
            methods[name] = _tuned(literal.mix(found, literal_ranking), sets)
    methods[TEACHER] = methods.pop(TEACHER)  # beside the starter, which learned from it
    return methods


def _source(function: Callable) -> str:
    """The code that an answer depends on: another version of it is computed anew."""
    teaching = l2a.training.teaching
    taught = (teaching.forest, teaching.pages, teaching.ridge, teaching.teacher)
    ours = (
        *taught,
        l2a.simulation.peers,
        l2a.evidence.literal,
        l2a.evidence.ridge,
        l2a.text.cleaning,
        l2a.text.segmenter,
    )
    modules = (inspect.getmodule(function), material, *ours)
    return checksum(*(Path(module.__file__) for module in modules))


def _tuned(variants: Variants, sets: dict[str, list[Question]]) -> dict[str, Any]:
    """Chooses on dev, the first rows of every ranking, and cuts the rankings into the files again."""
    bounds, start = {}, 0
    for part, questions in sets.items():
        bounds[part], start = slice(start, start + len(questions)), start + len(questions)
    on_dev = {name: ranking[bounds["dev"]] for name, ranking in variants.items()}
    choice = tune(on_dev, [question.tags for question in sets["dev"]])
    ranking = variants[choice.variant]
    return {"chosen": str(choice), "answers": {part: keep(ranking[rows], choice) for part, rows in bounds.items()}}


def _all_keys(folder: str, data: Material) -> frozenset[str]:
    """Match keys of the tags in any training source: gold, silver, pages, the tag list, the topic tree."""
    tree = read_tag_table(Path(folder, "lexicon", "zhihu_topic_tree.tsv"))
    tags = {name for row in tree for name in (row.name, row.parent) if name} | set(data.lexicon)
    try:
        tags.update(tag for question in data.read_silver() for tag in question.tags)
    except Unavailable:
        print("no --silver file: tags of silver count as new", file=sys.stderr)
    pages = data.page_keys if data.pages else []
    return frozenset(map(match_key, tags)).union(*data.keys, *pages)


def _figures(methods: dict, sets: dict, data: Material, all_keys: frozenset[str], facts: dict) -> dict[str, Any]:
    """Scores, comparisons and blocks; the answers themselves stay out of what is written."""
    answers = {name: found["answers"] for name, found in methods.items() if "answers" in found}
    shown: dict[str, dict[str, Any]] = {}
    for name, found in methods.items():
        if name not in answers:
            shown[name] = found
            continue
        scores = {part: report.score(answers[name][part], sets[part]) for part in FILES}
        shown[name] = {"chosen": found["chosen"], "scores": scores}
        if name != STARTER:
            shown[name]["against"] = {
                part: report.compare(sets[part], answers[name][part], answers[STARTER][part]) for part in COMPARED
            }
    peers = [name for name in answers if name not in (STARTER, TEACHER)]
    best = {part: max(peers, key=lambda name: shown[name]["scores"][part]["f1"]) for part in COMPARED}
    gold_keys = frozenset().union(*data.keys)
    blocks = {
        part: {
            name: report.describe(answers[name][part], sets[part], gold_keys, all_keys)
            for name in dict.fromkeys((STARTER, best[part], TREES_AND_LITERAL, LITERAL))
            if name in answers
        }
        for part in COMPARED
    }
    return {"facts": facts, "methods": shown, "best_peer": best, "blocks": blocks}


def _facts(args: argparse.Namespace, data: Material, tagger: Tagger, sets: dict) -> dict[str, Any]:
    return {
        "model": tagger.version,
        "beam": args.beam,
        "threshold": tagger.settings.threshold,
        "gold": len(data.gold),
        "silver": len(data.read_silver()) if args.silver else 0,
        "lexicon": len(data.lexicon),
        **{part: len(questions) for part, questions in sets.items()},
    }


class _Timer:
    """Says on standard error how long a step took."""

    def __init__(self, name: str):
        self.name, self.was_kept = name, False

    def __enter__(self) -> "_Timer":
        self._start = time.perf_counter()
        return self

    def __exit__(self, kind, *_) -> None:
        if kind is None:
            where = " (from the cache)" if self.was_kept else ""
            print(f"{self.name}: {time.perf_counter() - self._start:.1f} s{where}", file=sys.stderr, flush=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with zhihu/ and lexicon/")
    parser.add_argument("--silver", type=Path, help="silver labels; without them the peers that need them are left out")
    parser.add_argument(
        "--silver-count", type=int, help="use the first N (default: as many as the model's config says it learned from)"
    )
    parser.add_argument("--pages", type=Path, help="questions of topic pages (leaf_tags beside tags): weak labels")
    parser.add_argument(
        "--runs", type=int, default=1, help="times that peers without a seed are trained; every run is reported"
    )
    parser.add_argument("--model", type=Path, default=strict.STARTER)
    parser.add_argument("--strict", action="store_true", help="without the open test's new tags in any list or label")
    parser.add_argument("--seed", type=int, default=1, help="of the training that --strict asks for")
    parser.add_argument("--beam", type=int, default=48)
    parser.add_argument("--cache", type=Path, help="folder for slow answers and for fastText's environment")
    parser.add_argument("--out", type=Path, required=True, help="folder for quality.md, quality.json and quality.png")
    parser.add_argument("--page-every", type=int, metavar="N", help="also write a page with every N-th test question")
    parser.add_argument("--without-fasttext", action="store_true", help="do not build or run fastText")
    parser.add_argument(
        "--without",
        nargs="+",
        default=[],
        choices=[peer.name for peer in PEERS if peer.name != LITERAL],
        metavar="METHOD",
        help="peers to leave out, by their names in the table",
    )
    parser.set_defaults(run=1, removed=None)
    args = parser.parse_args(arguments)
    if args.strict and args.cache is None:
        parser.error("--strict needs --cache, a folder for the copy of the data and the model trained on it")
    return args


def main(arguments: Sequence[str] | None = None) -> None:
    import torch

    torch.set_num_threads(1)
    args = parse(arguments)
    if args.strict:
        strict.prepare(args)
    found, *repeated = [measure(argparse.Namespace(**{**vars(args), "run": run})) for run in range(1, args.runs + 1)]
    if repeated:
        found["runs"] = [report.strongest(one) for one in (found, *repeated)]
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "quality.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    table = report.to_markdown(found)
    (args.out / "quality.md").write_text(table, encoding="utf-8")
    report.draw(found, args.out / "quality.png")
    print(table)


if __name__ == "__main__":
    main()
