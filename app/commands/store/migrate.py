"""`migrate`: brings the store's tables to this program's version, or another; other commands do it by themselves."""

import argparse

from app.commands.shared import add_common_arguments, add_yes, confirm, read_settings, say, teller

HELP = "bring the store's tables to another version"
EXAMPLE = "--to head"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", default="head", metavar="REVISION", help="head (default), base (no tables) or a number")
    parser.add_argument("--no-backup", action="store_true", help="do not back the store up first")
    add_yes(parser)
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from db.store import schema
    from db.store.engine import Store

    settings = read_settings(args)
    with Store(settings.database) as store:
        if store.path is not None:
            store.path.parent.mkdir(parents=True, exist_ok=True)
        before = schema.check(store)
        if schema.is_older(args.to, before):
            say(args, f"This takes the store back from {before} to {args.to}: what only newer tables hold is lost.")
            if not confirm(args):
                return 1
        saved = schema.migrate(
            store, args.to, make_backup=not args.no_backup, backups=settings.backup_folder, say=teller(args)
        )
        after = schema.check(store)
    print(f"before  {before}")
    print(f"after   {after}")
    if saved is not None:
        print(f"backup  {saved}")
    return 0
