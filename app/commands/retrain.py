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
    action = add_action(
        actions, "gate", "compare a candidate once more with the live version, on the decisions there are now", gate
    )
    action.add_argument(
        "run", type=whole_number, nargs="?", metavar="RUN", help="that it came of (default: the newest finished one)"
    )
    _add_wait(action)
    action = add_action(
        actions, "shadow", "find a candidate's hypotheses beside the live ones, for the next questions", in_the_shadow
    )
    action.add_argument(
        "version", nargs="?", metavar="VERSION", help="default: the candidate of the newest finished run"
    )
    action.add_argument("--questions", type=count, default=200, metavar="N", help="so many (default: 200)")
    action.add_argument("--stop", action="store_true", help="end it; what was found stays")


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


def gate(args: argparse.Namespace) -> int:
    from app.learning import process

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        process.look(store)
        number = args.run if args.run is not None else _newest_finished(store).id
        return _begun(args, store, process.compare_again(read_settings(args), store, person_id, number))


def in_the_shadow(args: argparse.Namespace) -> int:
    from db.models import shadow

    with open_store(args) as store:
        person_id = find_person(store, args, CHANGE)
        if args.stop:
            ended = store.run(lambda session: shadow.stop(session, person_id))
            if ended is None:
                raise Refused(message("command.no_shadow"))
            print(f"{ended.version} is in the shadow no longer: {ended.done:,} of {ended.questions:,} questions.")
            return 0
        version = args.version or _newest_finished(store).candidate
        begun = store.run(lambda session: shadow.start(session, version, args.questions, person_id))
    print(f"{begun.version} runs in the shadow for {begun.questions:,} questions, while the app is open.")
    return 0


def _newest_finished(store):
    from db.models import training_runs

    with store.read() as session:
        runs = training_runs.recent(session, None)
    found = next((run for run in runs if run.state == "finished" and run.candidate is not None), None)
    if found is None:
        raise NotFound(message("command.no_candidate"))
    return found


def status(args: argparse.Namespace) -> int:
    from app.learning import process
    from app.retrain.standing import decided_since
    from db.models import shadow, training_runs

    with open_store(args) as store:
        check_reader(store, args, "look at trainings")
        process.look(store)
        with store.read() as session:
            newest = next(iter(training_runs.recent(session, 1)), None)
            standing = shadow.standing(session)
            has_candidate = newest is not None and newest.candidate is not None and newest.state != "running"
            since = decided_since(session, newest) if newest is not None and has_candidate else None
    if newest is None:
        print("There is no training run yet.")
    code = _print_run(newest) if newest is not None else 0
    if since is not None:
        print(f"since\t{since:,} questions were decided after its snapshot; to compare: python -m app retrain gate")
    if standing is not None:
        print(f"shadow\t{standing.version}\t{standing.done:,} of {standing.questions:,} questions")
    return code


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
        print(f"verdict\t{found.gate['verdict']}\ton {found.gate['questions']:,} questions")
        _print_difference("f1", found.gate)
        for name, part in found.gate.get("parts", {}).items():
            _print_difference(f"f1 {name}", part, f"\t{part['verdict']}\ton {part['questions']:,} questions")
        print(f"To make it live: python -m app models promote {found.candidate}")
    return 1 if found.state in BAD_ENDS else 0


def _print_difference(name: str, found: dict, more: str = "") -> None:
    low, high = found["interval"]
    print(f"{name}\t{found['difference']:+.4f}\t95% {low:+.4f} to {high:+.4f}{more}")


def _minutes(text: str) -> float:
    value = number_up_to(text, 24 * 60)
    if not value:
        raise argparse.ArgumentTypeError("0 minutes are none")
    return value
