"""`ranker`: fit the weights that a model's ranker begins with, and count how rare words are."""

import argparse
import json
from pathlib import Path

from l2a.commands.shared import add_model_arguments, load_model
from l2a.errors import InputError

HELP = "fit the weights that ship with a model: where its ranker begins"
EXAMPLE = "--model models/starter --text questions.jsonl.gz --dev dev.jsonl --stream dev.jsonl other.jsonl --out NEW"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    parser.add_argument(
        "--text", metavar="FILE", help="many questions, with tags or without: how rare words are is counted in them"
    )
    parser.add_argument(
        "--dev", required=True, metavar="FILE", help="labelled questions of the model's own domain, not trained on"
    )
    parser.add_argument(
        "--stream",
        nargs="+",
        required=True,
        metavar="FILE",
        help="labelled questions of several domains, not trained on: a simulated moderator answers them one by one",
    )
    parser.add_argument(
        "--new",
        metavar="FILE",
        help="questions about things younger than the model's lists: JSON lines with title and name; rows whose half "
        "is `kept` are not used",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the order of the streams (default 1)")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the model goes with its ranker")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from tqdm import tqdm

    from l2a.checkpoint import CARD, read_config, save_tagger
    from l2a.data.questions import Question, count_lines, read_questions
    from l2a.evidence.memory.word_table import WordTable
    from l2a.evidence.source import FoldedWords
    from l2a.measure.metrics import nlpcc_score
    from l2a.simulation.new_things import TUNE, read_things
    from l2a.simulation.shipping import cross_fitted, cut_of, fit_prior
    from l2a.simulation.stream import Asked

    tagger = replace(load_model(args), prior=None)
    segmenter = tagger.codec.segmenter
    if args.text:
        lines = tqdm(
            read_questions(args.text, skip_bad=True),
            total=count_lines(args.text),
            desc="counting words",
            disable=args.quiet,
        )
        tagger = replace(tagger, table=WordTable.count(FoldedWords.of(question, segmenter) for question in lines))

    def ask(path: str) -> list[Asked]:
        questions = [question for question in read_questions(path, skip_bad=True) if question.tags]
        if not questions:
            raise InputError("evaluate.no_tags", files=path)
        return ask_all(path, questions)

    def ask_all(path: str, questions: list[Question]) -> list[Asked]:
        answers = tqdm(
            tagger.suggest_stream(questions, batch_size=1),
            total=len(questions),
            desc=f"suggesting ({Path(path).name})",
            disable=args.quiet,
        )
        return [Asked.of(tagger, question, answer) for question, answer in zip(questions, answers, strict=True)]

    asked = {path: ask(path) for path in dict.fromkeys([args.dev, *args.stream])}
    dev = asked[args.dev]
    things = [thing.question for thing in read_things(args.new) if thing.half == TUNE] if args.new else []
    fresh = ask_all(args.new, things)
    streams = [asked[path] for path in args.stream]
    tagger = replace(tagger, prior=fit_prior(tagger, dev, streams, fresh=fresh, seed=args.seed))
    assert tagger.prior is not None  # just fitted
    gold = [one.question.tags for one in dev]
    kept = [[tag.tag for tag in one.ranked(tagger).kept] for one in dev]
    config = read_config(Path(args.model))
    card = Path(args.model) / CARD
    tagger.version = save_tagger(
        tagger,
        args.out,
        storage=config.get("storage", "float32"),
        card=card.read_text(encoding="utf-8") if card.is_file() else None,
    )
    result = {
        "model_version": tagger.version,
        "cut": cut_of(tagger.prior),
        "dev": nlpcc_score(kept, gold).to_dict(),
        "dev_cross_fitted": nlpcc_score(cross_fitted(tagger, dev), gold).to_dict(),
        "weights": {name: round(weight, 4) for name, weight in sorted(tagger.prior.weights.items())},
        "constant": round(tagger.prior.constant, 4),
    }
    print(json.dumps(result, ensure_ascii=False, indent=1))
    return 0
