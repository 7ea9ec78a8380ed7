"""`tags`: finds tags, and changes them: every change is first a plan, then an entry with a way back."""

import argparse
from collections.abc import Callable

from app.commands.labels import emerging
from app.commands.shared import (
    add_action,
    add_actions,
    add_dry_run,
    add_skip_bad,
    add_yes,
    complain,
    confirm,
    count,
    find_person,
    follow,
    may_read,
    mention,
    open_store,
    preview,
    progress_bar,
    show_time,
    stopped,
    whole_number,
)
from app.shell.messages import message
from db.errors import Refused

HELP = "find tags, and make, rename, merge, split or describe them"
EXAMPLE = "merge 機器學習 机器学习 --dry-run"
BAD_ROWS = 1  # the exit code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = add_actions(parser)
    action = add_action(actions, "search", "find tags by hanzi, pinyin, initials, alias or with a typo", search)
    action.add_argument("query", metavar="QUERY")
    action.add_argument("--limit", type=count, default=10, metavar="N", help="at most so many (default 10)")
    action = add_action(actions, "show", "everything known about a tag", show)
    action.add_argument("tag", metavar="NAME", help="its name, an alias, or its number as #12")
    action = add_action(actions, "list", "all tags, the most used first", list_all)
    action.add_argument("--status", help="active, deprecated or merged")
    action = add_action(actions, "import", "take in a list of tags, with ids, parents, aliases, definitions", take_in)
    action.add_argument("file", metavar="FILE", help="one tag a line, or a CSV or TSV with a column name")
    add_dry_run(action)
    add_skip_bad(action)
    emerging.add_arguments(
        add_action(actions, "emerging", "names that stand in several questions and have no tag", emerging.emerging)
    )
    action = add_change(actions, "create", "make a name a tag, before any question has it", create)
    action.add_argument("new_name", metavar="NAME")
    action.add_argument("--parent", default="", metavar="TAG", help="the tag above it")
    action = add_change(actions, "rename", "give a tag another name; the old one stays as an alias", rename)
    action.add_argument("tag", metavar="TAG")
    action.add_argument("new_name", metavar="NEW_NAME")
    action = add_change(actions, "merge", "read every label of one tag as another", merge)
    action.add_argument("tag", metavar="TAG")
    action.add_argument("into", metavar="INTO")
    action = add_change(actions, "alias", "let another spelling mean a tag", alias)
    action.add_argument("tag", metavar="TAG")
    action.add_argument("alias", metavar="ALIAS")
    action = add_change(actions, "split", "make an alias a tag of its own", split)
    action.add_argument("alias", metavar="ALIAS")
    action = add_change(actions, "deprecate", "warn whoever uses a tag from now on", deprecate)
    action.add_argument("tag", metavar="TAG")
    action = add_change(actions, "reactivate", "take a deprecation back", reactivate)
    action.add_argument("tag", metavar="TAG")
    action = add_change(actions, "define", "say what a tag means, its id elsewhere, or its parent", define)
    action.add_argument("tag", metavar="TAG")
    action.add_argument("--definition", metavar="TEXT", help="what it means; empty for none")
    action.add_argument("--external-id", metavar="ID", help="its id in another system; empty for none")
    action.add_argument("--parent", metavar="TAG", help="the tag above it; empty for none")
    action = add_change(actions, "undo", "take a change of tags back", undo)
    action.add_argument("entry", type=whole_number, metavar="ENTRY", help="the number that the change printed")
    add_action(actions, "recount", "count again how often each tag is used", recount)


def run(args: argparse.Namespace) -> int:
    return args.action(args)


def add_change(actions, name: str, summary: str, act: Callable) -> argparse.ArgumentParser:
    parser = add_action(actions, name, summary, act)
    add_dry_run(parser)
    add_yes(parser)
    return parser


def search(args: argparse.Namespace) -> int:
    from db.tags.search.index import TagSearch

    with open_store(args) as store:
        matches = TagSearch(store).search(args.query, args.limit)
    for match in matches:
        matched = f" as {match.matched}" if match.matched != match.name else ""
        status = f", {match.status}" if match.status != "active" else ""
        print(f"{match.name}\t{match.how}{matched}, {match.uses:,} uses{status}")
    if not matches:
        print("No tag matches.")
    return 0


def show(args: argparse.Namespace) -> int:
    from db.tags.listing import describe

    with open_store(args) as store:
        with store.read() as session:
            tag = describe(session, args.tag)
        named = tag.first_seen_by and may_read(store, args, "see who did what")
    status = f"{tag.status} into {tag.merged_into}" if tag.merged_into else tag.status
    seen_by = f" by {tag.first_seen_by}" if named else ""
    print(f"#{tag.id}  {tag.name}")
    for name, value in (
        ("status", status),
        ("aliases", ", ".join(tag.aliases)),
        ("parent", tag.parent),
        ("children", ", ".join(tag.children)),
        ("external id", tag.external_id),
        ("definition", tag.definition),
        ("uses", f"{tag.uses:,}"),
        ("first seen", show_time(tag.first_seen_at) + seen_by),
    ):
        if value:
            print(f"  {name:12}{value}")
    for change in tag.changes:
        print(f"  entry {change.number}, {show_time(change.at)}: {change.summary}")
    return 0


def list_all(args: argparse.Namespace) -> int:
    from db.tags.listing import list_tags

    with open_store(args) as store, store.read() as session:
        for tag in list_tags(session, args.status):
            status = f"{tag.status} into {tag.merged_into}" if tag.merged_into else tag.status
            print(f"{tag.name}\t{status}\t{tag.uses}")
    return 0


def take_in(args: argparse.Namespace) -> int:
    """Exit codes as those of `import`."""
    from app.transfer.importer import BadLine, import_tag_file

    with open_store(args) as store:
        person_id = find_person(store, args, "change tags")
        try:
            with progress_bar(args, desc="tags", unit=" rows") as bar:
                found = import_tag_file(
                    store, args.file, person_id, dry_run=args.dry_run, skip_bad=args.skip_bad, progress=follow(bar)
                )
        except BadLine as error:
            stopped(error)
            return BAD_ROWS
    complain(found.bad, found.messages)
    mention(found.notes)
    if args.dry_run:
        preview(found.first, lambda row: (row.name, tuple(filter(None, (row.parent, *row.aliases)))))
    stored, would_be = found.stored, "would be " if args.dry_run else ""
    print(
        f"{args.file}: {stored.rows:,} rows; {stored.tags:,} tags, {stored.aliases:,} aliases and {stored.parents:,} "
        f"parents {would_be}added, {found.bad:,} bad"
    )
    if stored.entry is not None:
        print(f"To take it back: python -m app tags undo {stored.entry}")
    return BAD_ROWS if found.bad and not args.skip_bad else 0


def create(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_create

    return _change(args, lambda session: plan_create(session, args.new_name, args.parent))


def rename(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_rename

    return _change(args, lambda session: plan_rename(session, args.tag, args.new_name))


def merge(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_merge

    return _change(args, lambda session: plan_merge(session, args.tag, args.into))


def alias(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_alias

    return _change(args, lambda session: plan_alias(session, args.tag, args.alias))


def split(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_split

    return _change(args, lambda session: plan_split(session, args.alias))


def deprecate(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_status

    return _change(args, lambda session: plan_status(session, args.tag, "deprecated"))


def reactivate(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_status

    return _change(args, lambda session: plan_status(session, args.tag, "active"))


def define(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_details

    given = {name: getattr(args, name) for name in ("definition", "external_id", "parent")}
    given = {name: value for name, value in given.items() if value is not None}
    if not given:
        raise Refused(message("command.define_nothing"))
    return _change(args, lambda session: plan_details(session, args.tag, **given))


def undo(args: argparse.Namespace) -> int:
    from db.tags.planning import plan_undo

    return _change(args, lambda session: plan_undo(session, args.entry))


def recount(args: argparse.Namespace) -> int:
    from db.tags.planning import recount_uses

    with open_store(args) as store:
        store.run(recount_uses)
    print("The uses of all tags were counted again.")
    return 0


def _change(args: argparse.Namespace, make_plan: Callable) -> int:
    """Show what a change touches, ask, do it, and say how to take it back."""
    from db.tags.planning import carry_out

    with open_store(args) as store:
        with store.read() as session:
            plan = make_plan(session)
        print(plan.summary)
        print(
            f"  touches {plan.decisions:,} decisions on {plan.questions:,} questions and {plan.prior_labels:,} prior "
            "labels; none of them is rewritten"
        )
        if args.dry_run:
            print("Nothing was changed: this is a dry run.")
            return 0
        person_id = find_person(store, args, "change tags")
        if not confirm(args):
            return 1

        def do(session) -> int:
            now = make_plan(session)  # the tags may have changed while the question stood there
            if now.changes != plan.changes:
                raise Refused(message("tags.changed_meanwhile"))
            return carry_out(session, now, person_id)

        number = store.run(do)
    print(f"Done: entry {number}. To take it back: python -m app tags undo {number}")
    return 0
