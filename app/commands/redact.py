"""`redact`: removes a question's text for good; decisions and receipts stay."""

import argparse

from app.commands.shared import add_common_arguments, add_yes, confirm, find_person, open_store, whole_number

HELP = "remove a question's text for good; decisions stay"
EXAMPLE = '12 --reason "asked for by its author"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", type=whole_number, metavar="QUESTION_ID", help="its number in the store")
    parser.add_argument("--reason", required=True, help="why; it stays in the ledger")
    add_yes(parser)
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from app.commands.show import render
    from db import ledger, people
    from db.labels import look_at

    with open_store(args) as store:
        person_id = find_person(store, args, "redact")
        with store.read() as session:
            found = look_at(session, args.question)
            names = {person.id: person.name for person in people.everyone(session)}
        print(render(found, names))
        print("Its text and the comments on it would go for good; nothing brings them back but a backup.")
        if not confirm(args):
            return 1
        receipt = store.run(lambda session: ledger.redact(session, args.question, person_id, reason=args.reason))
    print(f"Question {args.question} is redacted: entry {receipt.number}.")
    return 0
