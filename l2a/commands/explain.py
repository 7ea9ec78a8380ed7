"""`explain`: attention, occlusion and their rank correlation, as JSON."""

import argparse
import json

from l2a.commands.shared import add_model_arguments, load_model
from l2a.errors import InputError

HELP = "attention and occlusion of tags"
EXAMPLE = '--title "学编程从哪里开始？" --tags 编程 Python'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    parser.add_argument("--title", required=True)
    parser.add_argument("--description", default="")
    parser.add_argument(
        "--tags", nargs="+", metavar="TAG", help="the tags to explain; those the model keeps if left out"
    )
    parser.add_argument("--summary", choices=("mean", "max", "rollout"), default="mean")
    parser.add_argument("--npz", metavar="FILE", help="also save every layer and head to this .npz file")


def run(args: argparse.Namespace) -> int:
    from l2a.data.questions import Question
    from l2a.explain import explain, occlude

    tagger = load_model(args)
    question = Question(title=args.title, description=args.description)
    tags = args.tags or [s.tag for s in tagger.suggest([question])[0].kept]
    if not tags:
        raise InputError("explain.nothing_kept")
    found = explain(tagger, question, tags)
    occlusions = [occlude(tagger, question, tags, place, args.summary) for place in range(len(tags))]
    if args.npz:
        _save_npz(args.npz, found)
    attention = found.cross_summary(args.summary)
    result = {
        "model_version": found.model_version,
        "order": found.order,
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
        "notes": list(map(str, found.notes)),
    }
    print(json.dumps(result, ensure_ascii=False))
    return 0


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
