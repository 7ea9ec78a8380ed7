"""`people`: who may do what."""

import argparse

from app.commands.shared import add_action, add_actions, find_person, open_store, show_time

HELP = "who may do what"
EXAMPLE = "add li --role moderator"
CHANGE = "change people"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = add_actions(parser)
    add_action(actions, "list", "everybody, with their roles", list_all)
    action = add_action(actions, "add", "a new person", add)
    action.add_argument("person", metavar="NAME")
    action.add_argument("--role", default="moderator", help="moderator (default), researcher or admin")
    action = add_action(actions, "role", "give somebody another role", change_role)
    action.add_argument("person", metavar="NAME")
    action.add_argument("role", metavar="ROLE", help="moderator, researcher or admin")
    action = add_action(actions, "deactivate", "somebody who does nothing any more; their decisions stay", deactivate)
    action.add_argument("person", metavar="NAME")
    action = add_action(actions, "reactivate", "let somebody who was deactivated work again", reactivate)
    action.add_argument("person", metavar="NAME")


def run(args: argparse.Namespace) -> int:
    return args.action(args)


def list_all(args: argparse.Namespace) -> int:
    from db import people

    with open_store(args) as store, store.read() as session:
        for person in people.everyone(session):
            state = "" if person.active else "\tno longer active"
            print(f"{person.name}\t{person.role}\tsince {show_time(person.created_at)}{state}")
    return 0


def add(args: argparse.Namespace) -> int:
    from db import people

    with open_store(args) as store:
        with store.read() as session:
            is_first = not people.everyone(session)
        by = find_person(store, args, CHANGE)

        def find_or_add(session) -> people.Person:
            person = people.require(session, by)
            if is_first and person.name == args.person.strip():  # made an admin just now, to be able to do this
                return person
            return people.add(session, args.person, args.role, by=by)

        added = store.run(find_or_add)
    print(f"{added.name} is {_one(added.role)} now.")
    return 0


def change_role(args: argparse.Namespace) -> int:
    from db import people

    with open_store(args) as store:
        by = find_person(store, args, CHANGE)
        changed = store.run(lambda session: people.change_role(session, args.person, args.role, by=by))
    print(f"{changed.name} is {_one(changed.role)} now.")
    return 0


def deactivate(args: argparse.Namespace) -> int:
    from db import people

    with open_store(args) as store:
        by = find_person(store, args, CHANGE)
        changed = store.run(lambda session: people.deactivate(session, args.person, by=by))
    print(f"{changed.name} is no longer active; what they decided stays.")
    return 0


def reactivate(args: argparse.Namespace) -> int:
    from db import people

    with open_store(args) as store:
        by = find_person(store, args, CHANGE)
        changed = store.run(lambda session: people.reactivate(session, args.person, by=by))
    print(f"{changed.name} is active again, as {_one(changed.role)}.")
    return 0


def _one(role: str) -> str:
    return f"an {role}" if role.startswith("a") else f"a {role}"
