"""`queue`: how the queue stands, and how it picks."""

import argparse

from app.commands.shared import add_action, add_actions, count, find_person, may_read, open_store, share, show_time
from app.shell.messages import message
from db.errors import Refused

HELP = "how the queue stands, and how it picks"
EXAMPLE = "shares --random 0.1 --blind 0.05"
CHANGE = "change the queue"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = add_actions(parser)
    add_action(actions, "status", "what is open, and who has which question", status)
    action = add_action(actions, "shares", "parts served at random, and blind (without suggestions)", shares)
    action.add_argument("--random", type=share, metavar="X", help="from 0 to 1; unchanged if left out")
    action.add_argument("--blind", type=share, metavar="Y", help="from 0 to 1; unchanged if left out")
    action = add_action(actions, "overlap", "how many opinions questions get", overlap)
    action.add_argument("overlap", type=count, metavar="N")
    action.add_argument("--source", help="only questions of this source")


def run(args: argparse.Namespace) -> int:
    return args.action(args)


def status(args: argparse.Namespace) -> int:
    from db.figures import statistics as stats
    from db.queue import claims as queue

    with open_store(args) as store:
        with store.read() as session:
            found = stats.overview(session)
            holders = queue.holders(session)
        if holders and not may_read(store, args, "see who did what"):
            holders = []
    print(f"{found.open:,} of {found.questions:,} questions are open, {found.answered:,} have answers")
    print(f"{found.conflicts:,} conflicts, {found.reviewed:,} reviewed")
    print(f"pools: {', '.join(f'{name} {number:,}' for name, number in found.pools.items()) or 'empty'}")
    print(f"shares: {found.shares.random:g} random, {found.shares.blind:g} blind")
    for holder in holders:
        since, until = show_time(holder.since), show_time(holder.expires_at)
        print(f"question {holder.question_id} is with {holder.person} since {since}, until {until}")
    return 0


def shares(args: argparse.Namespace) -> int:
    from db.queue.shares import Shares, get_shares, set_shares

    if args.random is None and args.blind is None:
        raise Refused(message("command.shares_nothing"))
    with open_store(args) as store:
        person = find_person(store, args, CHANGE)

        def change(session) -> Shares:
            now = get_shares(session)
            wanted = Shares(
                random=now.random if args.random is None else args.random,
                blind=now.blind if args.blind is None else args.blind,
            )
            set_shares(session, wanted, by=person)
            return wanted

        wanted = store.run(change)
    print(f"{wanted.random:g} of the questions are served at random, {wanted.blind:g} blind.")
    return 0


def overlap(args: argparse.Namespace) -> int:
    from db.queue import claims as queue

    with open_store(args) as store:
        person = find_person(store, args, CHANGE)
        changed = store.run(lambda session: queue.set_overlap(session, args.overlap, source=args.source, by=person))
    print(f"{changed:,} questions ask for {args.overlap} opinions now.")
    return 0
