"""`undo`: takes a decision or a review back, by a new entry in the ledger."""

import argparse

from app.commands.shared import add_common_arguments, find_person, open_store, whole_number
from db.errors import Refused

HELP = "take a decision or a review back"
EXAMPLE = "1234"
OTHER_WAYS = {
    "tag": "python -m app tags undo {number}",
    "promote": "python -m app models rollback",
    "rollback": "python -m app models promote VERSION",
    "person": "python -m app people role NAME ROLE",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", type=whole_number, metavar="NUMBER", help="of the entry: its receipt")
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db import ledger

    with open_store(args) as store:
        with store.read() as session:
            kind = ledger.find_entry(session, args.number).kind
        if kind in OTHER_WAYS:
            way = OTHER_WAYS[kind].format(number=args.number)
            raise Refused(f"Entry {args.number} is a {kind}, which has a way back of its own: {way}")
        person_id = find_person(store, args)
        receipt = store.run(lambda session: ledger.undo(session, args.number, person_id))
    print(f"Entry {args.number} about question {receipt.question_id} is taken back, by entry {receipt.number}.")
    print(f"To bring it back: python -m app undo {receipt.number}")
    return 0
