"""`undo`: takes a decision or a review back, by a new entry in the ledger, or a skip."""

import argparse

from app.commands.shared import add_common_arguments, find_person, open_store, whole_number
from app.shell.messages import message
from db.errors import Refused

HELP = "take a decision, a review or a skip back"
EXAMPLE = "1234"
OTHER_WAYS = {
    "tag": "python -m app tags undo {number}",
    "promote": "python -m app models rollback",
    "rollback": "python -m app models promote VERSION",
    "person": "python -m app people role NAME ROLE",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "receipt", type=receipt, metavar="RECEIPT", help="the number of the entry, or S and the number of a skip"
    )
    add_common_arguments(parser)


def receipt(text: str) -> tuple[bool, int]:
    """Whether it is a skip's, and its number."""
    is_skip = text[:1] in ("S", "s")
    return is_skip, whole_number(text[1:] if is_skip else text)


def run(args: argparse.Namespace) -> int:
    from db.ledger import desk_work
    from db.ledger import entries as ledger

    is_skip, number = args.receipt
    if is_skip:
        with open_store(args) as store:
            person_id = find_person(store, args)
            skipped = store.run(
                lambda session: desk_work.take_back(session, desk_work.skip_by_receipt(session, number), person_id).done
            )
        print(f"The skip of question {skipped.question_id} is taken back.")
        return 0
    with open_store(args) as store:
        with store.read() as session:
            kind = ledger.find_entry(session, number).kind
        if kind in OTHER_WAYS:
            way = OTHER_WAYS[kind].format(number=number)
            raise Refused(
                message("command.undo_elsewhere", number=number, kind=message(f"command.kind_{kind}"), way=way)
            )
        person_id = find_person(store, args)
        receipt = store.run(lambda session: ledger.undo(session, number, person_id))
    print(f"Entry {number} about question {receipt.question_id} is taken back, by entry {receipt.number}.")
    print(f"To bring it back: python -m app undo {receipt.number}")
    return 0
