"""`models`: which model versions there are, and which one is live."""

import argparse
from pathlib import Path

from app.commands.shared import (
    add_action,
    add_actions,
    add_yes,
    confirm,
    find_person,
    open_store,
    read_settings,
    say,
    show_time,
)

HELP = "model versions, and which one is live"
EXAMPLE = "register models/starter"
CHANGE = "change models"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = add_actions(parser)
    add_action(actions, "list", "every version, and how it stands", list_all)
    action = add_action(actions, "register", "make a model folder known as a candidate", register)
    action.add_argument("folder", metavar="FOLDER", help="as `python -m l2a train` writes it")
    action.add_argument("--parent", metavar="VERSION", help="the version it was trained on from")
    action.add_argument("--training-data", metavar="SHA256", help="checksum of the export it was trained on")
    action = add_action(actions, "promote", "make a version live; the one before it is retired", promote)
    action.add_argument("version", metavar="VERSION")
    add_action(actions, "rollback", "back to the version that was live before", roll_back)
    action = add_action(actions, "prune", "give an old version up for good and delete its files", prune)
    action.add_argument("version", metavar="VERSION")
    add_yes(action)


def run(args: argparse.Namespace) -> int:
    return args.action(args)


def list_all(args: argparse.Namespace) -> int:
    from db.models import registry

    with open_store(args) as store, store.read() as session:
        for model in registry.everything(session):
            print(f"{model.version}\t{model.state}\t{model.path}\tregistered {show_time(model.registered_at)}")
    return 0


def register(args: argparse.Namespace) -> int:
    from app.serving.model_folder import read_version, shown
    from db.models import registry

    version, metrics = read_version(Path(args.folder))
    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        model = store.run(
            lambda session: registry.register(
                session,
                version,
                shown(Path(args.folder).resolve()),
                person_id=person_id,
                parent=args.parent,
                training_data=args.training_data,
                metrics=metrics,
            )
        )
    print(f"{model.version} is registered ({model.state}).")
    if model.state == "candidate":
        print(f"To make it live: python -m app models promote {model.version}")
    return 0


def promote(args: argparse.Namespace) -> int:
    from db.models import registry

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        model = store.run(lambda session: registry.promote(session, args.version, person_id))
    print(f"{model.version} is live now. To go back: python -m app models rollback")
    return 0


def roll_back(args: argparse.Namespace) -> int:
    from db.models import registry

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        model = store.run(lambda session: registry.roll_back(session, person_id))
    print(f"{model.version} is live again.")
    return 0


def prune(args: argparse.Namespace) -> int:
    from app.learning import pruning
    from db.models import registry

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        with store.read() as session:
            path = registry.find(session, args.version).path
        say(args, f"{args.version} ({path}) can never go live again after this; files of a training run are deleted.")
        if not confirm(args):
            return 1
        done = pruning.prune(read_settings(args), store, args.version, person_id)
    left = "deleted" if done.deleted else "left as it is: not in the folder for training runs, or it cannot be deleted"
    print(f"{done.version} is pruned. {done.path}: {left}.")
    return 0
