"""`tags emerging`: names that stand in several open or recent questions and have no tag, and those that shall not."""

import argparse
import json
from typing import TYPE_CHECKING

from app.commands.shared import (
    LONGEST_AGE,
    check_reader,
    count,
    find_person,
    follow,
    open_store,
    printable,
    progress_bar,
    read_settings,
    whole_number,
)
from app.shell.clock import day_of

if TYPE_CHECKING:
    from app.emerging.about import NameFacts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--days",
        type=lambda text: whole_number(text, most=LONGEST_AGE),
        default=30,
        metavar="N",
        help="open questions, and those that came in or were decided about in the last N days (default 30)",
    )
    parser.add_argument("--least", type=count, default=3, metavar="N", help="in so many questions (default 3)")
    parser.add_argument("--most", type=count, default=50, metavar="N", help="so many names (default 50)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--never", metavar="NAME", help="this name shall never be listed again")
    instead.add_argument("--undo-never", metavar="NAME", help="it may be listed after all")
    instead.add_argument("--refused", action="store_true", help="the names that shall never be listed")


def emerging(args: argparse.Namespace) -> int:
    if args.never is not None:
        return _never(args)
    if args.undo_never is not None:
        return _undo_never(args)
    return _print_refused(args) if args.refused else _print_names(args)


def _print_names(args: argparse.Namespace) -> int:
    from app.commands.suggest import load_tagger
    from app.emerging import about
    from app.emerging.search import EmergingSearch
    from app.serving.suggester import Suggester
    from db.tags.search.index import TagSearch

    settings = read_settings(args)
    with open_store(args) as store:
        check_reader(store, args, "change tags")  # as the page asks it
        suggester = Suggester(store, load_tagger(settings.decoder), settings.model, update=settings.model_update)
        with progress_bar(args, desc="looking for names", unit=" questions") as bar:
            look = EmergingSearch(store, suggester.tagger).look(args.days, args.least, args.most, follow(bar))
        tags = TagSearch(store)
        with store.read() as session:
            found = [about.facts(session, tags, look, name, None) for name in look.open_names(session)]
    if args.json:
        print(json.dumps([_as_json(facts) for facts in found], ensure_ascii=False, indent=1))
        return 0
    for facts in found:
        _print_name(facts)
    if not found:
        print(f"No name without a tag stands in {args.least:,} of {look.read:,} questions or more.")
    return 0


def _print_name(facts: "NameFacts") -> None:
    words = [
        f"{facts.questions:,} questions since {day_of(facts.since)}",
        f"{facts.chance:.0%} likely to be called a tag",
    ]
    words.append(f"by week {' '.join(map(str, facts.weeks))}")
    words += [f"below {' or '.join(facts.parents)}"] * bool(facts.parents)
    words += [f"or the same as {tag} ({reason})" for tag, reason in facts.duplicates]
    print(f"{printable(facts.name)}\t{'; '.join(words)}")
    for title in facts.examples:
        print(f"  {printable(title)}")


def _as_json(facts: "NameFacts") -> dict[str, object]:
    return {
        "name": facts.name,
        "chance": facts.chance,
        "surprise": facts.surprise if facts.surprise < float("inf") else None,  # JSON knows no infinity
        "questions": facts.questions,
        "since": facts.since.isoformat(),
        "weeks": facts.weeks,
        "examples": facts.examples,
        "parents": facts.parents,
        "duplicates": [{"tag": tag, "reason": reason} for tag, reason in facts.duplicates],
    }


def _never(args: argparse.Namespace) -> int:
    from db.tags import refused

    with open_store(args) as store:
        person_id = find_person(store, args, "change tags")
        store.run(lambda session: refused.refuse(session, args.never, person_id))
    print(f"{args.never} is never to be a tag. To take it back: python -m app tags emerging --undo-never {args.never}")
    return 0


def _undo_never(args: argparse.Namespace) -> int:
    from db.tags import refused

    with open_store(args) as store:
        person_id = find_person(store, args, "change tags")
        store.run(lambda session: refused.allow(session, args.undo_never, person_id))
    print(f"{args.undo_never} may be listed again.")
    return 0


def _print_refused(args: argparse.Namespace) -> int:
    from db.tags import refused

    with open_store(args) as store:
        check_reader(store, args, "change tags")
        with store.read() as session:
            lines = refused.listed(session)
    for line in lines:
        print(f"{printable(line.name)}\t{line.person}\t{day_of(line.at)}")
    if not lines:
        print("Nobody said of a name that it shall never be a tag.")
    return 0
