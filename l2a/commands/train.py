"""`train`: trains a model, or goes on with a run."""

import argparse
import json
import math
import os
from pathlib import Path

from l2a.commands.shared import add_skip_bad, say, set_threads
from l2a.errors import SettingsError

HELP = "train a model"
EXAMPLE = "--train train.jsonl --dev dev.jsonl --out runs/first"

_PRESET = "small"
# By the names that argparse gives them. What may be said when a run goes on, since its result does not depend on it
# (another number of threads is refused by the run itself):
_WITH_RESUME = ("command", "resume", "max_minutes", "save_every", "threads", "no_cache", "quiet")
# What a model that goes on has already:
_SHAPE = (
    "kind", "architecture", "positions", "copy", "share_embeddings", "retrieve", "vote_lists", "vectors", "words",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--train", nargs="+", metavar="FILE", default=[], help="labelled questions")
    parser.add_argument("--dev", nargs="+", metavar="FILE", default=[], help="labelled questions for early stopping")
    parser.add_argument(
        "--pretrain", nargs="+", metavar="FILE", default=[], help="silver-labelled questions, read first"
    )
    parser.add_argument("--from", dest="start", metavar="MODEL", help="go on from this model: it learns the new words")
    parser.add_argument(
        "--replay", nargs="+", metavar="FILE", default=[], help="with --from: questions it was trained on, mixed in"
    )
    parser.add_argument("--out", metavar="FOLDER", help="where the run goes; the model is FOLDER/best")
    parser.add_argument("--resume", metavar="FOLDER", help="go on with the run in this folder, with its own settings")
    parser.add_argument("--preset", help="paper, small (default) or tiny; with --from only its way of training")
    parser.add_argument(
        "--order",
        help="order1 (rare to frequent), order2 (frequent to rare), random or both (two members)",
    )
    parser.add_argument("--kind", help="word (L2A-word) or label (L2A-label)")
    parser.add_argument("--architecture", metavar="X2Y", help="L2A, L2L, A2A or A2L")
    parser.add_argument("--positions", help="local, global or none")
    parser.add_argument("--copy", action="store_true", help="pointer over source words (beyond the paper)")
    parser.add_argument("--share-embeddings", action="store_true", help="one table for both sides (beyond the paper)")
    parser.add_argument(
        "--retrieve", metavar="TAGS", help="a tag list: the model also reads what it and the training questions hint at"
    )
    parser.add_argument(
        "--vote-lists",
        nargs="+",
        default=[],
        metavar="TAGS",
        help="with --retrieve: further tag lists that may vote (decode.listed_weight)",
    )
    parser.add_argument("--vectors", metavar="NPZ", help="initial word vectors: `words` and `vectors`")
    parser.add_argument("--words", metavar="FILE", help="extra dictionary words for the segmenter, one a line")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--max-minutes", type=float, default=math.inf, help="stop after so long; --resume goes on")
    parser.add_argument("--save-every", type=float, default=120.0, metavar="SECONDS", help="for --resume (default 120)")
    parser.add_argument("--threads", type=int, help="CPU threads of this process; --resume takes as many as before")
    parser.add_argument("--storage", choices=("float32", "float16"), help="type of the saved weights (default float32)")
    parser.add_argument("--tune-threshold", action="store_true", help="choose the voting threshold on dev at the end")
    add_skip_bad(parser)
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="GROUP.KEY=VALUE",
        help="any other setting: model.width=200, training.batch_size=32, decode.beam=24 (repeatable)",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="do not keep the words of large files for the next training"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bars")


def run(args: argparse.Namespace) -> int:
    from l2a.training.cutting import default_cache
    from l2a.training.run import RunSpec, train_run

    if args.resume:
        _refuse_settings_of_another_run(args)
        folder, spec = Path(args.resume), RunSpec.load(Path(args.resume))
        set_threads(spec.threads if args.threads is None else args.threads)
    else:
        if not args.train or not args.out:
            raise SettingsError("train.nothing_named")
        set_threads(args.threads)
        folder, spec = Path(args.out), spec_from(args)
    result = train_run(
        spec,
        folder,
        resume=bool(args.resume),
        max_minutes=args.max_minutes,
        save_every_seconds=args.save_every,
        quiet=args.quiet,
        cache=None if args.no_cache else default_cache(),
        say=say,
    )
    if int(os.environ.get("RANK", "0")) == 0:
        found = {**vars(result), "model": str(folder / "best")}
        print(json.dumps(found, ensure_ascii=False))
        if not result.finished:
            say(f"The time was up. Go on with: python -m l2a train --resume {folder}")
    return 0


def _refuse_settings_of_another_run(args: argparse.Namespace) -> None:
    """A run that goes on has its settings: another one would be read, and do nothing."""
    idle = [_flag(name) for name, value in vars(args).items() if name not in _WITH_RESUME and _is_given(value)]
    if idle:
        raise SettingsError("train.idle_with_resume", options=", ".join(idle))


def _refuse_idle_options(args: argparse.Namespace) -> None:
    """What would be written into run.json and do nothing."""
    if args.start:
        idle = [_flag(name) for name in _SHAPE if _is_given(getattr(args, name))]
        idle += [f"--set {setting}" for setting in args.set if setting.startswith(("model.", "decode."))]
        if idle:
            raise SettingsError("train.idle_with_from", options=", ".join(idle))
    elif args.replay:
        raise SettingsError("train.replay_needs_from")
    if args.vote_lists and not args.retrieve:
        raise SettingsError("train.vote_lists_need_retrieve")
    if args.tune_threshold and not args.dev:
        raise SettingsError("train.threshold_needs_dev")


def _refuse_votes_of_nobody(decode: dict) -> None:
    from l2a.config import weight_key
    from l2a.evidence.sources import source_names

    for name in map(weight_key, source_names()):
        if decode.get(name):
            raise SettingsError("train.weight_needs_retrieve", name=name)


def _is_given(value: object) -> bool:
    return value is not None and value is not False and value != []


def _flag(name: str) -> str:
    return "--from" if name == "start" else f"--{name.replace('_', '-')}"


def spec_from(args: argparse.Namespace):
    """The RunSpec the train command's arguments describe."""
    import torch

    from l2a.checkpoint import read_config
    from l2a.config import ModelConfig, TrainingConfig, preset, read_decode
    from l2a.training.run import RunSpec

    _refuse_idle_options(args)
    base = preset(args.preset or _PRESET)
    changes: dict[str, dict] = {"model": {}, "training": {}, "decode": {}}
    changes["model"] |= {"kind": args.kind, "positions": args.positions}
    changes["model"] |= {"copy": args.copy or None, "share_embeddings": args.share_embeddings or None}
    if args.architecture:
        if args.architecture.upper() not in ("L2A", "L2L", "A2A", "A2L"):
            raise SettingsError("train.no_architecture", architecture=args.architecture)
        changes["model"] |= {"encoder": args.architecture[0].upper(), "decoder": args.architecture[2].upper()}
    order, before = args.order, read_config(Path(args.start)) if args.start else {}
    if before and not order:
        order = before["order"]  # a model can only go on in its own order
    changes["training"] |= {"order": order, "epochs": args.epochs, "seed": args.seed}
    values = {
        group: {**getattr(base, group).to_dict(), **{k: v for k, v in named.items() if v is not None}}
        for group, named in changes.items()
    }
    values |= {group: before[group] for group in ("model", "decode") if before}  # run.json tells what it really is
    for setting in args.set:
        group, key, value = _parse_setting(setting)
        if group not in values:
            raise SettingsError("train.no_group", setting=setting, group=group, valid=", ".join(values))
        values[group][key] = value
    if not before and not args.retrieve:
        _refuse_votes_of_nobody(values["decode"])
    decode, votes = read_decode(values["decode"])
    return RunSpec(
        train=tuple(args.train),
        dev=tuple(args.dev),
        pretrain=tuple(args.pretrain),
        model=ModelConfig.from_dict(values["model"]),
        training=TrainingConfig.from_dict(values["training"]),
        decode=decode,
        votes=votes,
        words=args.words,
        vectors=args.vectors,
        retrieve=args.retrieve,
        vote_lists=tuple(args.vote_lists),
        start=args.start,
        replay=tuple(args.replay),
        storage=args.storage or "float32",
        skip_bad=args.skip_bad,
        tune_threshold=args.tune_threshold,
        threads=torch.get_num_threads(),
    )


def _parse_setting(setting: str) -> tuple[str, str, object]:
    name, equals, value = setting.partition("=")
    group, dot, key = name.partition(".")
    if not equals or not dot:
        raise SettingsError("train.no_setting", setting=setting)
    try:
        return group, key, json.loads(value)
    except ValueError:
        return group, key, value  # a plain word, as in training.schedule=linear
