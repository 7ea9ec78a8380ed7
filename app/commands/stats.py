"""`stats`: what the store holds, and how far people and model agree."""

import argparse
import json
from dataclasses import asdict, replace

from app.commands.shared import add_common_arguments, count, may_read, open_store, show_time
from db.figures.rate import JUDGED, SHOWN

HELP = "what the store holds"
EXAMPLE = "--agreement --top 20"
SHARES = ("acceptance_of_shown", "acceptance_of_judged", "precision", "recall", "unjudged_share")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--agreement", action="store_true", help="also how far people, and people and model, agree")
    parser.add_argument("--top", type=count, default=10, metavar="N", help="tags in the agreement table (default 10)")
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db.figures import statistics as stats

    with open_store(args) as store:
        with store.read() as session:
            overview = stats.overview(session)
            agreement = stats.agreement(session) if args.agreement else None
        if not may_read(store, args, "see who did what"):
            overview = replace(overview, people=())
    if args.json:
        found = asdict(overview)
        if agreement is not None:
            found["agreement"] = _plain_agreement(agreement, args.top)
        print(json.dumps(found, ensure_ascii=False, indent=1, default=str))
        return 0
    print(_render_overview(overview))
    if agreement is not None:
        print(_render_agreement(agreement, args.top))
    return 0


def _render_overview(found) -> str:
    lines = [
        ("questions", f"{found.questions:,}"),
        ("by source", _counts(found.sources)),
        ("redacted", f"{found.redacted:,}"),
        ("queue", f"{found.open:,} open, {found.held:,} in hands, {found.answered:,} answered"),
        ("", f"{found.conflicts:,} conflicts, {found.reviewed:,} reviewed"),
        ("pools", _counts(found.pools)),
        ("shares", f"{found.shares.random:g} random, {found.shares.blind:g} blind"),
        ("ledger", _counts(found.entries)),
        ("verdicts", _counts(found.verdicts)),
        ("tags", _counts(found.tags)),
        ("suggestions", _counts(found.suggestions)),
        ("live model", found.live_model or "none"),
    ]
    for place, person in enumerate(found.people):
        seconds = f", {person.seconds:.1f} s each" if person.seconds is not None else ""
        last = f", last {show_time(person.last_at)}" if person.last_at else ""
        lines.append(
            (
                "people" if place == 0 else "",
                f"{person.name} ({person.role}): {person.decisions:,} decisions{seconds}{last}",
            )
        )
    return "\n".join(f"{name:14}{value}" for name, value in lines)


def _render_agreement(found, top: int) -> str:
    alpha, model = found.alpha, found.model
    value = f"{alpha.value:.3f}" if alpha.value is not None else f"none: {alpha.reason}"
    lines = [("alpha", f"{value} ({alpha.opinions:,} opinions on {alpha.units:,} questions)")]
    lines += [
        (
            "kappa" if place == 0 else "",
            f"{_number(tag.kappa)}  {tag.tag} ({tag.positive:,} opinions on {tag.questions:,} questions)",
        )
        for place, tag in enumerate(found.tags[:top])
    ]
    lines.append(("model", _render_model(model)))
    if model.unbiased is not None:
        lines.append(("at random", _render_model(model.unbiased)))
    return "\n".join(f"{name:14}{value}" for name, value in lines)


def _render_model(model) -> str:
    return (
        f"{model.answers:,} answers ({model.blind:,} blind), precision {_number(model.precision)}, "
        f"recall {_number(model.recall)}, similarity {_number(model.similarity)}, "
        f"accepted {_number(model.acceptance_of_shown)} of the {model.rate.of(SHOWN):,} tags shown, "
        f"{_number(model.acceptance_of_judged)} of the {model.rate.of(JUDGED):,} judged"
    )


def _plain_agreement(found, top: int) -> dict:
    return {
        "alpha": asdict(found.alpha),
        "tags": [asdict(tag) for tag in found.tags[:top]],
        "model": _plain_model(found.model),
    }


def _plain_model(model) -> dict | None:
    if model is None:
        return None
    rates = {name: getattr(model, name) for name in SHARES}
    return {**asdict(model), **rates, "unbiased": _plain_model(model.unbiased)}


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name or '(none)'} {number:,}" for name, number in counts.items()) or "none"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
