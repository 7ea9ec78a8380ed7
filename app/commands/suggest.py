"""`suggest`: the live model's suggestions for all that waits in the queue, before anybody asks."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.shared import add_common_arguments, count, open_store, progress_bar, read_settings

if TYPE_CHECKING:
    from l2a.tagger import Tagger

HELP = "work out the live model's suggestions for the open questions that have none"
EXAMPLE = "--limit 1000 --order oldest"
ORDERS = ("oldest", "uncertain", "rare")
AT_ONCE = 8  # decoded together
A_LOOK = 500  # questions looked up at a time; the queue goes on changing meanwhile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=count, metavar="N", help="so many questions at most (default: all)")
    parser.add_argument("--order", choices=ORDERS, default="oldest", help="which come first (default: oldest)")
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from app.serving.suggester import Suggester
    from db.models import suggestions

    settings = read_settings(args)
    with open_store(args) as store:
        load = load_tagger(settings.decoder)
        suggester = Suggester(
            store, load, settings.model, settings.beam, update=settings.model_update, encoder=settings.encoder
        )
        version = suggester.live().version
        with store.read() as session:
            total = suggestions.count_waiting(session)
        total = total if args.limit is None else min(total, args.limit)
        done = 0
        with progress_bar(args, total=total, unit="question") as bar:
            while done < total:
                with store.read() as session:
                    found = suggestions.waiting(session, args.order, min(A_LOOK, total - done))
                if not found:  # others were at it too
                    break
                for some in (found[place : place + AT_ONCE] for place in range(0, len(found), AT_ONCE)):
                    suggester.prepare(some)  # stored one by one: an interruption loses one batch's work at most
                    done += len(some)
                    bar.update(len(some))
        suggester.close()
        with store.read() as session:
            left = suggestions.count_waiting(session)
    print(f"{done:,} questions have suggestions of {version} now; {left:,} are left.")
    return 0


def load_tagger(decoder: str) -> "Callable[[Path], Tagger]":
    """What reads a model folder, so that its model searches like this."""
    from l2a.tagger import Tagger

    return partial(Tagger.load, decoder=decoder)
