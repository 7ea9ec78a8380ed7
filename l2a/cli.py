"""The command line: `python -m l2a train | evaluate | suggest | explain | stats | silver`.

Results go to standard output, progress and complaints to standard error. Bad input ends with exit code 2 and one
line that says what to do. Heavy modules are imported by the command that needs them, so `--help` answers at once.
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from l2a.errors import L2AError, SettingsError

STARTER = "models/starter"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = build_parser()
    args = parser.parse_args(arguments)
    try:
        return args.command(args) or 0
    except L2AError as error:
        print(f"l2a: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("l2a: interrupted", file=sys.stderr)
        return 130


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m l2a", description="Suggest tags for Chinese questions, word by word."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    train = _command(
        commands, "train", run_train, "train a model", "--train train.jsonl --dev dev.jsonl --out runs/first"
    )
    add_train_arguments(train)

    evaluate = _command(commands, "evaluate", run_evaluate, "score a model", "--model models/starter test.jsonl")
    _add_model(evaluate)
    _add_decoding(evaluate)
    evaluate.add_argument(
        "files", nargs="+", metavar="FILE", help="labelled questions: JSONL or NLPCC CSV, plain or .gz"
    )
    evaluate.add_argument(
        "--lexicon", metavar="FILE", help="further known tags (CSV with a `tag` column, or one a line)"
    )
    evaluate.add_argument("--skip-bad", action="store_true", help="leave bad lines out and count them")

    suggest = _command(commands, "suggest", run_suggest, "suggest tags for questions", "questions.jsonl > tags.jsonl")
    _add_model(suggest)
    _add_decoding(suggest)
    suggest.add_argument("file", nargs="?", default="-", metavar="FILE", help="questions; standard input if left out")
    suggest.add_argument("--all", action="store_true", help="write every voted tag, not only the kept ones")
    suggest.add_argument("--skip-bad", action="store_true", help="leave bad lines out and count them")
    suggest.add_argument(
        "--ban", action="append", default=[], metavar="TAG", help="never suggest this tag (repeatable)"
    )
    suggest.add_argument("--first", metavar="TAG", help="begin every hypothesis with this tag")
    suggest.add_argument("--known-tags", metavar="FILE", help="suggest only tags of this list")

    explain = _command(
        commands,
        "explain",
        run_explain,
        "attention and occlusion of tags",
        '--title "学编程从哪里开始？" --tags 编程 Python',
    )
    _add_model(explain)
    explain.add_argument("--title", required=True)
    explain.add_argument("--description", default="")
    explain.add_argument(
        "--tags", nargs="+", metavar="TAG", help="the tags to explain; those the model keeps if left out"
    )
    explain.add_argument("--summary", choices=("mean", "max", "rollout"), default="mean")
    explain.add_argument("--npz", metavar="FILE", help="also save every layer and head to this .npz file")

    stats = _command(commands, "stats", run_stats, "describe question files", "train.jsonl --top 10")
    stats.add_argument("files", nargs="+", metavar="FILE")
    stats.add_argument("--top", type=int, default=20, help="rows of the frequency table (default 20)")
    stats.add_argument("--json", action="store_true", help="print JSON instead of a table")
    stats.add_argument("--model", metavar="FOLDER", help="also report how many of the tags this model could write")
    stats.add_argument(
        "--seen", nargs="+", default=[], metavar="FILE", help="with --model: tags are new if not in these"
    )
    stats.add_argument("--skip-bad", action="store_true", help="leave bad lines out and count them")

    from l2a.silver import add_arguments
    from l2a.silver import run as run_silver

    silver = _command(
        commands,
        "silver",
        run_silver,
        "label unlabelled questions for pre-training",
        "unlabelled.jsonl.gz --gold train.jsonl --tags tags.csv --out silver.jsonl.gz",
    )
    add_arguments(silver)
    return parser


def add_train_arguments(train: argparse.ArgumentParser) -> None:
    train.add_argument("--train", nargs="+", metavar="FILE", default=[], help="labelled questions")
    train.add_argument("--dev", nargs="+", metavar="FILE", default=[], help="labelled questions for early stopping")
    train.add_argument(
        "--pretrain", nargs="+", metavar="FILE", default=[], help="silver-labelled questions, read first"
    )
    train.add_argument("--out", metavar="FOLDER", help="where the run goes; the model is FOLDER/best")
    train.add_argument("--resume", metavar="FOLDER", help="go on with the run in this folder, with its own settings")
    train.add_argument("--preset", default="small", help="paper, small (default) or tiny")
    train.add_argument("--order", help="order1 (rare to frequent), order2 (frequent to rare) or random")
    train.add_argument("--kind", help="word (L2A-word) or label (L2A-label)")
    train.add_argument("--architecture", metavar="X2Y", help="L2A, L2L, A2A or A2L")
    train.add_argument("--positions", help="local, global or none")
    train.add_argument("--copy", action="store_true", help="pointer over source words (beyond the paper)")
    train.add_argument("--share-embeddings", action="store_true", help="one table for both sides (beyond the paper)")
    train.add_argument("--vectors", metavar="NPZ", help="initial word vectors: `words` and `vectors`")
    train.add_argument("--words", metavar="FILE", help="extra dictionary words for the segmenter, one a line")
    train.add_argument("--epochs", type=int)
    train.add_argument("--seed", type=int)
    train.add_argument("--max-minutes", type=float, default=math.inf, help="stop after so long; --resume goes on")
    train.add_argument("--threads", type=int, help="CPU threads of this process")
    train.add_argument("--storage", choices=("float32", "float16"), default="float32", help="type of the saved weights")
    train.add_argument("--tune-threshold", action="store_true", help="choose the voting threshold on dev at the end")
    train.add_argument("--skip-bad", action="store_true", help="leave bad lines out and count them")
    train.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="GROUP.KEY=VALUE",
        help="any other setting: model.width=200, training.batch_size=32, decode.beam=24 (repeatable)",
    )
    train.add_argument("--quiet", action="store_true", help="no progress bars")


def run_train(args: argparse.Namespace) -> int:
    from l2a.run import RunSpec, train_run

    _set_threads(args.threads)
    if args.resume:
        folder, spec = Path(args.resume), RunSpec.load(Path(args.resume))
    else:
        if not args.train or not args.out:
            raise SettingsError("train needs --train FILE and --out FOLDER, or --resume FOLDER.")
        folder, spec = Path(args.out), spec_from(args)
    result = train_run(spec, folder, resume=bool(args.resume), max_minutes=args.max_minutes, quiet=args.quiet, say=_say)
    if int(os.environ.get("RANK", "0")) == 0:
        found = {**vars(result), "model": str(folder / "best")}
        print(json.dumps(found, ensure_ascii=False))
        if not result.finished:
            _say(f"The time was up. Go on with: python -m l2a train --resume {folder}")
    return 0


def spec_from(args: argparse.Namespace):
    """The RunSpec the train command's arguments describe."""
    from l2a.config import preset
    from l2a.run import RunSpec, with_changes

    base = preset(args.preset)
    changes: dict[str, dict] = {"model": {}, "training": {}, "decode": {}}
    changes["model"] |= {"kind": args.kind, "positions": args.positions}
    changes["model"] |= {"copy": args.copy or None, "share_embeddings": args.share_embeddings or None}
    if args.architecture:
        if args.architecture.upper() not in ("L2A", "L2L", "A2A", "A2L"):
            raise SettingsError(f"architecture is {args.architecture!r}; valid: L2A, L2L, A2A, A2L.")
        changes["model"] |= {"encoder": args.architecture[0].upper(), "decoder": args.architecture[2].upper()}
    changes["training"] |= {"order": args.order, "epochs": args.epochs, "seed": args.seed}
    for setting in args.set:
        group, key, value = _parse_setting(setting)
        if group not in changes:
            raise SettingsError(f"--set {setting}: no group {group!r}; valid: {', '.join(changes)}.")
        type(getattr(base, group)).from_dict({**getattr(base, group).to_dict(), key: value})  # refuses unknown keys
        changes[group][key] = value
    return RunSpec(
        train=tuple(args.train),
        dev=tuple(args.dev),
        pretrain=tuple(args.pretrain),
        model=with_changes(base.model, changes["model"]),
        training=with_changes(base.training, changes["training"]),
        decode=with_changes(base.decode, changes["decode"]),
        words=args.words,
        vectors=args.vectors,
        storage=args.storage,
        skip_bad=args.skip_bad,
        tune_threshold=args.tune_threshold,
    )


def run_evaluate(args: argparse.Namespace) -> int:
    from l2a.data import ReadReport, read_questions
    from l2a.evaluation import evaluate
    from l2a.silver import read_tags

    tagger = _load(args)
    report = ReadReport()
    questions = [
        q for path in args.files for q in read_questions(path, skip_bad=args.skip_bad, report=report) if q.tags
    ]
    if not questions:
        raise L2AError(f"{', '.join(args.files)}: no question with tags, so there is nothing to compare with.")
    found = evaluate(
        tagger,
        questions,
        beam=args.beam,
        threshold=args.threshold,
        batch_size=args.batch,
        lexicon=read_tags(args.lexicon) if args.lexicon else (),
    )
    _complain(report)
    print(json.dumps({**found.to_dict(), "bad_lines": report.bad}, ensure_ascii=False, indent=1))
    return 0


def run_suggest(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from l2a.data import ReadReport, count_lines, read_questions
    from l2a.silver import read_tags
    from l2a.tagger import Constraints

    tagger = _load(args)
    report = ReadReport()
    constraints = Constraints(
        ban=tuple(args.ban),
        first_tag=args.first,
        known_tags=tuple(read_tags(args.known_tags)) if args.known_tags else None,
    )
    questions = read_questions(args.file, skip_bad=args.skip_bad, report=report)
    answers = tagger.suggest_stream(
        questions, beam=args.beam, threshold=args.threshold, batch_size=args.batch, constraints=constraints
    )
    total = count_lines(args.file) if Path(args.file).is_file() else None
    for answer in tqdm(answers, total=total, desc="suggesting", unit=" questions", disable=args.quiet):
        chosen = answer.suggestions if args.all else answer.kept
        line = {
            "id": answer.question_id,
            "suggestions": [
                {
                    "tag": s.tag,
                    "votes": s.votes,
                    "share": round(s.share, 4),
                    "probability": round(s.probability, 6),
                    "is_new": s.is_new,
                    "cues": list(s.cues),
                }
                for s in chosen
            ],
        }
        if answer.notes:
            line["notes"] = list(answer.notes)
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()
    _complain(report)
    return 0


def run_explain(args: argparse.Namespace) -> int:
    from l2a.data import Question
    from l2a.explain import explain, occlude

    tagger = _load(args)
    question = Question(title=args.title, description=args.description)
    tags = args.tags or [s.tag for s in tagger.suggest([question])[0].kept]
    if not tags:
        raise L2AError("The model kept no tag for this question. Name the tags to explain with --tags.")
    found = explain(tagger, question, tags)
    occlusions = [occlude(tagger, question, tags, place, args.summary) for place in range(len(tags))]
    if args.npz:
        _save_npz(args.npz, found)
    attention = found.cross_summary(args.summary)
    result = {
        "model_version": found.model_version,
        "source_words": found.source_words,
        "output_words": found.output_words,
        "summary": args.summary,
        "cross_attention": [[round(float(w), 4) for w in row] for row in attention],
        "self_attention": None
        if found.self is None
        else [[round(float(w), 4) for w in row] for row in found.self_summary(args.summary)],
        "tags": [
            {
                "tag": o.tag,
                "log_probability": round(o.log_probability, 4),
                "attention": [round(float(w), 4) for w in o.attention],
                "occlusion": [round(float(d), 4) for d in o.drops],
                "rank_correlation": o.rank_correlation,
            }
            for o in occlusions
        ],
        "notes": found.notes,
    }
    print(json.dumps(result, ensure_ascii=False))
    return 0


def run_stats(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from l2a.data import ReadReport, read_questions
    from l2a.stats import describe, render
    from l2a.text import Segmenter

    report = ReadReport()

    def questions():
        for path in args.files:
            yield from tqdm(
                read_questions(path, skip_bad=args.skip_bad, report=report), desc=Path(path).name, unit=" questions"
            )

    found = describe(questions(), Segmenter(), top=args.top)
    reachable = None
    if args.model:
        from l2a.reachability import count_reachable
        from l2a.tagger import Tagger

        seen = [tag for path in args.seen for q in read_questions(path, skip_bad=args.skip_bad) for tag in q.tags]
        reachable = count_reachable(questions(), Tagger.load(args.model), seen or None)
    if args.json:
        print(json.dumps({**found.to_dict(), "reachable": reachable and reachable.to_dict()}, ensure_ascii=False))
    else:
        print(render(found))
        if reachable:
            print(reachable.render())
    _complain(report)
    return 0


def _command(commands, name: str, run: Callable[[argparse.Namespace], int], help: str, example: str):
    parser = commands.add_parser(
        name,
        help=help,
        description=help[0].upper() + help[1:] + ".",
        epilog=f"example: python -m l2a {name} {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=run)
    return parser


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default=STARTER, metavar="FOLDER", help=f"model folder (default {STARTER})")
    parser.add_argument("--threads", type=int, help="CPU threads of this process")


def _add_decoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--beam", type=int, help="beam and N of the N-best list, 1 to 64 (default: the model's)")
    parser.add_argument(
        "--threshold", type=float, help="share of votes a tag must exceed, 0 to 1 (default: the model's)"
    )
    parser.add_argument("--batch", type=int, default=8, metavar="N", help="questions decoded together (default 8)")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def _load(args: argparse.Namespace):
    from l2a.tagger import Tagger

    _set_threads(args.threads)
    tagger = Tagger.load(args.model)
    if hasattr(args, "beam"):
        tagger.settings_with(args.beam, args.threshold)  # complain before reading a long file
    return tagger


def _set_threads(threads: int | None) -> None:
    if threads is not None:
        import torch

        if threads < 1:
            raise SettingsError(f"threads is {threads}; it must be at least 1.")
        torch.set_num_threads(threads)


def _parse_setting(setting: str) -> tuple[str, str, object]:
    name, equals, value = setting.partition("=")
    group, dot, key = name.partition(".")
    if not equals or not dot:
        raise SettingsError(f"--set {setting}: expected GROUP.KEY=VALUE, for example model.width=200.")
    try:
        return group, key, json.loads(value)
    except ValueError:
        return group, key, value  # a plain word, as in training.schedule=linear


def _save_npz(path: str, found) -> None:
    import numpy as np

    arrays = {"cross": found.cross, "log_probabilities": found.log_probabilities}
    if found.self is not None:
        arrays["self"] = found.self
    np.savez_compressed(
        path,
        source_words=np.array(found.source_words),
        input_words=np.array(found.input_words),
        output_words=np.array(found.output_words),
        **arrays,
    )


def _complain(report) -> None:
    if report.bad:
        _say(f"{report.bad} bad lines left out:")
        for message in report.messages:
            _say(f"  {message}")


def _say(message: str) -> None:
    print(message, file=sys.stderr)
