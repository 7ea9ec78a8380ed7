"""`redact`: removes a question's text for good; decisions and receipts stay."""

import argparse

from app.commands.shared import (
    add_common_arguments,
    add_yes,
    confirm,
    find_person,
    open_store,
    read_settings,
    whole_number,
)

HELP = "remove a question's text for good; decisions stay"
EXAMPLE = '12 --reason "asked for by its author"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", type=whole_number, metavar="QUESTION_ID", help="its number in the store")
    parser.add_argument("--reason", required=True, help="why; it stays in the ledger")
    add_yes(parser)
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from app.commands.labels.show import render
    from app.learning.redaction import REMAINS, forget
    from db import people
    from db.ledger import entries as ledger
    from db.ledger.labels import look_at

    with open_store(args) as store:
        person_id = find_person(store, args, "redact")
        with store.read() as session:
            found = look_at(session, args.question)
            names = {person.id: person.name for person in people.everyone(session)}
        if found.redacted:
            print(f"Question {args.question} was redacted already. Looking for copies again.")
        else:
            print(render(found, names))
            print("Its text, the comments on it and every copy of its words in the store and in training snapshots go.")
            print(REMAINS)
            if not confirm(args):
                return 1
            receipt = store.run(lambda session: ledger.redact(session, args.question, person_id, reason=args.reason))
            print(f"Question {args.question} is redacted: entry {receipt.number}.")
        forgotten = forget(read_settings(args), store)
    print(f"{forgotten.rows:,} rows went from training snapshots.")
    for folder in forgotten.elsewhere:
        print(f"{folder} is not here or cannot be written: redact the question once more where it is.")
    return 0
