"""`show`: a question with everything people said about it, now or on a past day."""

import argparse

from app.commands.shared import add_common_arguments, check_reader, moment, open_store, show_time, whole_number

HELP = "a question and its labels, now or on a past day"
EXAMPLE = "12 --at 2026-01-31"
SIGNS = {"accepted": "+", "added": "+", "rejected": "-", "unjudged": "?"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", type=whole_number, metavar="QUESTION_ID", help="its number in the store")
    parser.add_argument(
        "--at", type=moment, metavar="TIME", help="as it was then; a date alone is the midnight it begins with"
    )
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db import people
    from db.ledger.labels import look_at
    from db.queue import claims as queue

    with open_store(args) as store:
        check_reader(store, args, "see others' labels")
        with store.read() as session:
            found = look_at(session, args.question, args.at)
            names = {person.id: person.name for person in people.everyone(session)}
            holders = [holder for holder in queue.holders(session) if holder.question_id == args.question]
    print(render(found, names))
    if args.at is None:
        for holder in holders:
            print(f"  held by {holder.person} until {show_time(holder.expires_at)}")
    return 0


def render(found, names: dict[int, str]) -> str:
    """The question as lines of text; `names` are people's by their numbers."""
    settled = found.settled
    lines = [f"{found.id}  {found.title}"]
    lines += [f"  {line}" for line in found.description.splitlines()]
    described = {
        "source": found.source,
        "id there": found.external_id,
        "prior tags": ", ".join(found.prior_tags),
        "state": "nobody decided yet" if settled.state == "none" else settled.state,
        "labels": ", ".join(settled.tags),
        "rejected": ", ".join(settled.rejected),
        "unjudged": ", ".join(settled.unjudged),
        "agreement": "" if settled.agreement is None else f"{settled.agreement:.3f}",
    }
    lines += [f"  {name:12}{value}" for name, value in described.items() if value]
    reviews = [line for line in settled.counting if line.kind == "review"]
    for line in (*settled.opinions, *reviews):
        verdicts = " ".join(f"{SIGNS[verdict.verdict]}{verdict.text}" for verdict in line.verdicts)
        how = ", ".join(filter(None, (line.kind, line.standing, line.pick, line.model_version)))
        lines.append(f"  entry {line.number}, {names[line.person_id]}, {show_time(line.at)} ({how}): {verdicts}")
    return "\n".join(lines)
