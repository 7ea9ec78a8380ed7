"""`retrain`: train on what people decided; the work is done by a process of its own."""

import argparse
import sys
import time

from app.commands.shared import (
    add_action,
    add_actions,
    check_reader,
    count,
    find_person,
    number_up_to,
    open_store,
    progress_bar,
    read_settings,
    say,
    show_time,
    whole_number,
)
from app.shell.messages import message
from db.errors import NotFound, Refused

HELP = "train a candidate on what people decided"
EXAMPLE = "start --minutes 20 --wait"
CHANGE = "change models"
LOOK_EVERY_SECONDS = 1.0
BAD_ENDS = ("failed", "lost")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = add_actions(parser)
    action = add_action(actions, "start", "begin a run", start)
    action.add_argument("--scratch", action="store_true", help="not from the live model: only its shape is kept")
    action.add_argument("--minutes", type=_minutes, default=30.0, metavar="M", help="of training at most (default: 30)")
    action.add_argument("--replay", action="store_true", help="mix in the files of L2A_REPLAY")
    action.add_argument("--epochs", type=count, metavar="N", help="default: by the number of decisions")
    action.add_argument("--seed", type=count, default=1, metavar="N", help="default: 1")
    _add_wait(action)
    add_action(actions, "status", "how far the run is, or what came of the last one", status)
    add_action(actions, "cancel", "ask the run to stop; asked twice, its process is killed", cancel)
    action = add_action(actions, "again", "go on with a run that failed, was cancelled or was lost", again)
    action.add_argument("run", type=whole_number, nargs="?", metavar="RUN", help="its number (default: the newest)")
    _add_wait(action)


def _add_wait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", action="store_true", help="stay until it has ended")


def run(args: argparse.Namespace) -> int:
    try:
        return args.action(args)
    except Refused as error:  # nothing is wrong with the command: it is not the time for it
        print(f"app: {error}", file=sys.stderr)
        return 1


def start(args: argparse.Namespace) -> int:
    from app.learning import process
    from app.learning.recipe import Options

    settings = read_settings(args)
    if args.replay and not settings.replay:
        raise Refused(message("command.no_replay"))
    options = Options(
        mode="scratch" if args.scratch else "fine-tune",
        minutes=args.minutes,
        epochs=args.epochs,
        replay=settings.replay if args.replay else (),
        seed=args.seed,
    )
    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        return _begun(args, store, process.start(settings, store, person_id, options))


def again(args: argparse.Namespace) -> int:
    from app.learning import process
    from db.models import training_runs

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        process.look(store)  # the newest may be one whose process is gone
        number = args.run
        if number is None:
            with store.read() as session:
                number = next((run.id for run in training_runs.recent(session, 1)), None)
        if number is None:
            raise NotFound(message("command.no_run"))
        return _begun(args, store, process.start_again(read_settings(args), store, person_id, number))


def status(args: argparse.Namespace) -> int:
    from app.learning import process
    from db.models import training_runs

    with open_store(args) as store:
        check_reader(store, args, "look at trainings")
        process.look(store)
        with store.read() as session:
            newest = next(iter(training_runs.recent(session, 1)), None)
    if newest is None:
        print("There is no training run yet.")
        return 0
    return _print_run(newest)


def cancel(args: argparse.Namespace) -> int:
    from app.learning import process

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        found = process.look(store)
        if found is None:
            raise Refused(message("command.nothing_to_cancel"))
        process.stop(store, found, person_id)
    killed = "killed" if found.cancel_requested else "asked to stop; give the command again to kill it"
    print(f"Run {found.id} was {killed}.")
    return 0


def _begun(args: argparse.Namespace, store, found) -> int:
    if found.state != "running":
        return _print_run(found)
    print(f"Run {found.id} has started. To follow it: python -m app retrain status")
    return _print_run(_wait(args, store, found.id)) if args.wait else 0


def _wait(args: argparse.Namespace, store, run_id: int):
    """Show how far it is until it has ended. Ctrl-C leaves it going."""
    from app.learning import process
    from db.models import training_runs

    phase = None
    try:
        with progress_bar(args, unit="step") as bar:
            while True:
                process.look(store)
                with store.read() as session:
                    found = training_runs.get(session, run_id)
                if found.phase != phase:
                    phase = found.phase
                    bar.reset()
                    bar.set_description(phase)
                # The last beat comes before the last step.
                bar.total, bar.n = found.total or None, found.total if found.state == "finished" else found.done
                bar.refresh()
                if found.state != "running":
                    return found
                time.sleep(LOOK_EVERY_SECONDS)
    except KeyboardInterrupt:
        say(args, "The training goes on without this command: python -m app retrain status")
        raise


def _print_run(found) -> int:
    """A run in a few lines; 1 for one that did not end well."""
    asked = found.requested_by or "the program"
    print(f"run\t{found.id}\t{found.state}\tasked for by {asked}, {show_time(found.requested_at)}")
    if found.state == "running":
        print(f"phase\t{found.phase or 'starting'}")
        print(f"progress\t{found.done:,} of {found.total:,}" if found.total else "progress\tnot known yet")
        if found.cancel_requested:
            print("cancel\tasked for")
    if found.message:
        print(f"message\t{found.message}")
    if found.candidate is not None:
        print(f"candidate\t{found.candidate}")
    if found.gate is not None:
        low, high = found.gate["interval"]
        print(f"verdict\t{found.gate['verdict']}\ton {found.gate['questions']:,} held-out questions")
        print(f"f1\t{found.gate['difference']:+.4f}\t95% {low:+.4f} to {high:+.4f}")
        print(f"To make it live: python -m app models promote {found.candidate}")
    return 1 if found.state in BAD_ENDS else 0


def _minutes(text: str) -> float:
    value = number_up_to(text, 24 * 60)
    if not value:
        raise argparse.ArgumentTypeError("0 minutes are none")
    return value
