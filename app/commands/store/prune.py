"""`prune`: deletes old suggestions that nobody answered, where newer ones or another model took their place."""

import argparse

from app.commands.shared import add_common_arguments, add_dry_run, days, find_person, open_store

HELP = "delete old suggestions that nobody answered and that were replaced, or whose model is not live"
EXAMPLE = "--older-than 90 --dry-run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--older-than", type=days, required=True, metavar="DAYS")
    add_dry_run(parser)
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db.models.suggestions import prune

    with open_store(args) as store:
        person_id = find_person(store, args, "change models")
        number = store.run(
            lambda session: prune(session, person_id, older_than_days=args.older_than, dry_run=args.dry_run)
        )
    gone = "would be deleted" if args.dry_run else "deleted"
    print(
        f"{number:,} suggestions {gone}: older than {args.older_than:g} days, never answered, replaced since or their "
        "model not live"
    )
    return 0
