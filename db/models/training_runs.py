"""Training runs: what was asked for, how far it is, what came of it. At most one runs; the database sees to it.

The work is done by a process of its own, which says at every beat that it is still there and hears whether it shall
stop. Call these functions through `Store.run`: where two begin at the same time, the slower one is told of the other.
"""

import json
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import Row, Select, select, update
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused, SaidInLanguages
from db.ledger.stored_text import StoredText, keep
from db.messages import Message
from db.store.clock import database_now
from db.store.moments import next_moment
from db.store.tables import Entry, Person, TrainingRun

CAN_START_AGAIN = ("failed", "cancelled", "lost")


@dataclass(frozen=True)
class Run:
    """A training run as it stands. `requested_by` is a name; None: the program itself."""

    id: int
    state: str  # running, finished, failed, cancelled or lost
    phase: str
    done: int
    total: int
    message: StoredText
    options: dict
    folder: str
    host: str
    pid: int | None
    pid_started: float | None
    cancel_requested: bool
    snapshot: dict
    candidate: str | None
    gate: dict | None
    requested_by: str | None
    requested_at: datetime
    beat_at: datetime
    ended_at: datetime | None


def begin(session: Session, person_id: int | None, options: dict) -> Run:
    """A new run, if none is running; `person_id` None is the program itself. Its process attaches itself later."""
    _require(session, person_id)
    _refuse_beside_another(session)
    row = TrainingRun(options=_plain(options), requested_by=person_id)
    session.add(row)
    session.flush()
    _note(session, person_id, row.id, "begin")
    return get(session, row.id)


def attach(session: Session, run_id: int, *, host: str, pid: int, pid_started: float, folder: str) -> None:
    """The process that does the work, and where it leaves its files."""
    _change(session, run_id, host=host, pid=pid, pid_started=pid_started, folder=folder)


def beat(
    session: Session,
    run_id: int,
    *,
    phase: str | None = None,
    done: int | None = None,
    total: int | None = None,
    message: str | SaidInLanguages | None = None,
) -> bool:
    """A sign of life, and how far the work is; what is None stays. Returns whether a cancel was asked for.

    Raises Refused where the run is no longer running: a process that was given up shall stop.
    """
    said = {"phase": phase, "done": done, "total": total, "message": None if message is None else _written(message)}
    return _change(session, run_id, **{name: value for name, value in said.items() if value is not None})


def set_snapshot(session: Session, run_id: int, snapshot: dict) -> None:
    """Which decisions the run is trained on."""
    _change(session, run_id, snapshot=_plain(snapshot))


def finish(session: Session, run_id: int, candidate: str | None, gate: dict | None) -> None:
    """The run has come to its end, with a candidate and how it compares with the live version."""
    kept = _plain(gate) if gate is not None else None
    _change(session, run_id, state="finished", candidate=candidate, gate=kept, ended_at=database_now())


def fail(session: Session, run_id: int, message: str | SaidInLanguages) -> None:
    """The run has come to an end of its own: `message` is a text, or a message or error of any package."""
    _change(session, run_id, state="failed", message=_written(message), ended_at=database_now())


def ask_to_cancel(session: Session, run_id: int, person_id: int | None) -> None:
    """The run's process hears of it at its next beat. To ask again changes nothing."""
    _require(session, person_id)
    # Locked: of two who ask at once one is written down, and a run that ends meanwhile is asked nothing.
    locked = select(TrainingRun.cancel_requested).where(TrainingRun.id == run_id, TrainingRun.state == "running")
    asked = session.scalar(locked.with_for_update())
    if asked is None:
        raise Refused("run.nothing_to_cancel", run=run_id, state=_state(session, run_id))
    if not asked:
        _update(session, run_id, {"cancel_requested": True})
        _note(session, person_id, run_id, "cancel")


def cancelled(session: Session, run_id: int) -> None:
    """The run's process has stopped as it was asked to."""
    _change(session, run_id, state="cancelled", ended_at=database_now())


def lose(session: Session, run_id: int, message: str | SaidInLanguages) -> bool:
    """Give up a run whose process is gone. Returns False, and changes nothing, where it no longer runs."""
    values = {"state": "lost", "message": _written(message), "ended_at": database_now()}
    if _update(session, run_id, values) is not None:
        return True
    get(session, run_id)  # a run that never was is a mistake
    return False


def restart(session: Session, run_id: int, person_id: int | None) -> Run:
    """Let a run that failed, was cancelled or was lost run again, with its options, folder and snapshot."""
    return _again(session, run_id, person_id, CAN_START_AGAIN, "restart")


def compare_again(session: Session, run_id: int, person_id: int | None) -> Run:
    """Let a finished run go on to compare its candidate once more: there are more decisions by now."""
    anew = {"phase": "", "done": 0, "total": 0}
    return _again(session, run_id, person_id, ("finished",), "compare", **anew)


def _again(session: Session, run_id: int, person_id: int | None, states: tuple[str, ...], action: str, **values) -> Run:
    _require(session, person_id)
    _refuse_beside_another(session)
    again = (
        update(TrainingRun)
        .where(TrainingRun.id == run_id, TrainingRun.state.in_(states))
        .values(
            state="running",
            message="",
            host="",
            pid=None,
            pid_started=None,
            cancel_requested=False,
            beat_at=database_now(),
            ended_at=None,
            **values,
        )
        .returning(TrainingRun.id)
        .execution_options(synchronize_session=False)
    )
    if session.scalar(again) is None:
        code = "run.no_restart" if action == "restart" else "run.no_comparison"
        raise Refused(code, run=run_id, state=_state(session, run_id))
    _note(session, person_id, run_id, action)
    return get(session, run_id)


def current(session: Session) -> Run | None:
    """The run that is running, if one is."""
    return _first(session, _runs().where(TrainingRun.state == "running"))


def get(session: Session, run_id: int) -> Run:
    run = _first(session, _runs().where(TrainingRun.id == run_id))
    if run is None:
        newest = next((known.id for known in recent(session, 1)), None)
        if newest is None:
            raise NotFound("run.none_yet", run=run_id)
        raise NotFound("run.missing", run=run_id, newest=newest)
    return run


def made(session: Session, version: str) -> Run | None:
    """The run that a model version came of; None for one that came from elsewhere."""
    return _first(session, _runs().where(TrainingRun.candidate == version).order_by(TrainingRun.id.desc()).limit(1))


def recent(session: Session, limit: int | None = 20) -> list[Run]:
    """The newest runs, newest first; None: all of them."""
    return [_run(row) for row in session.execute(_runs().order_by(TrainingRun.id.desc()).limit(limit))]


def _runs() -> Select:
    """Runs in the columns of `Run`."""
    columns = [
        Person.name.label("requested_by") if field.name == "requested_by" else getattr(TrainingRun, field.name)
        for field in fields(Run)
    ]
    return select(*columns).select_from(TrainingRun).outerjoin(Person, Person.id == TrainingRun.requested_by)


def _first(session: Session, runs: Select) -> Run | None:
    return next((_run(row) for row in session.execute(runs)), None)


def _run(row: Row) -> Run:
    return Run(**{**row._mapping, "message": _read(row.message)})


def _written(message: str | SaidInLanguages) -> str:
    """A message as the column keeps it: a text as it is, or JSON of what can be said in both languages."""
    kept = keep(message)
    return kept if isinstance(kept, str) else json.dumps(kept, ensure_ascii=False)


def _read(column: str) -> StoredText:
    try:
        kept = json.loads(column)
    except ValueError:  # so many words
        return StoredText(column)
    return StoredText(kept if isinstance(kept, dict) else column)


def _state(session: Session, run_id: int) -> Message:
    """The word for how a run stands."""
    return Message(f"run.{get(session, run_id).state}")


def _change(session: Session, run_id: int, **values) -> bool:
    """Change a run that is running, which is a sign of life too; whether a cancel was asked for."""
    asked = _update(session, run_id, {**values, "beat_at": database_now()})
    if asked is None:
        raise Refused("run.not_running", run=run_id, state=_state(session, run_id))
    return asked


def _update(session: Session, run_id: int, values: dict) -> bool | None:
    """Change a run if it is running; whether a cancel was asked for, or None where it no longer runs.

    One statement, so that two processes never overwrite what the other one said.
    """
    return session.scalar(
        update(TrainingRun)
        .where(TrainingRun.id == run_id, TrainingRun.state == "running")
        .values(**values)
        .returning(TrainingRun.cancel_requested)
        .execution_options(synchronize_session=False)
    )


def _refuse_beside_another(session: Session) -> None:
    if (other := current(session)) is not None:
        at = f"{other.requested_at:%Y-%m-%d %H:%M}"
        if other.requested_by is None:
            raise Refused("run.running_by_program", run=other.id, at=at)
        raise Refused("run.running_already", run=other.id, person=other.requested_by, at=at)


def _require(session: Session, person_id: int | None) -> None:
    if person_id is not None:
        people.require(session, person_id, "change models")


def _note(session: Session, person_id: int | None, run_id: int, action: str) -> None:
    payload = {"run": run_id, "action": action}
    session.add(Entry(at=next_moment(session), kind="retrain", person_id=person_id, payload=payload))
    session.flush()


def _plain(value: dict) -> dict:
    """What JSON can hold: PostgreSQL refuses the NaN of a share of nothing, so it becomes null everywhere."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)
