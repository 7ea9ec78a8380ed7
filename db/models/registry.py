"""Model versions: which exist, and which one is live. Exactly one is, from the first promotion on."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.queue import order as queue_order
from db.store.moments import next_moment
from db.store.tables import Entry, ModelVersion


@dataclass(frozen=True)
class LiveChange:
    """A promotion or a roll-back, as the ledger has it."""

    number: int
    kind: str
    version: str
    previous: str | None


def register(
    session: Session,
    version: str,
    path: str,
    *,
    person_id: int | None = None,
    parent: str | None = None,
    training_data: str | None = None,
    metrics: dict | None = None,
) -> ModelVersion:
    """A new candidate; a version that is registered already is returned as it is."""
    known = session.scalar(select(ModelVersion).where(ModelVersion.version == version))
    if known is not None:
        return known
    model = ModelVersion(
        version=version,
        path=path,
        parent_id=find(session, parent).id if parent is not None else None,
        training_data=training_data,
        metrics=metrics or {},
    )
    session.add(model)
    session.flush()
    _note(session, "register", person_id, {"version": version})
    return model


def promote(session: Session, version: str, person_id: int | None, *, over: str | None = None) -> ModelVersion:
    """Make a version live; the one that was live is retired. `person_id` None is the program itself.

    `over`: the version it was compared with, which must still be live; a promotion that nobody looks at must not undo
    one that somebody made meanwhile. Raises Refused.
    """
    model = find(session, version)
    before = _begin_change(session, person_id)
    if before is not None and before.id == model.id:
        raise Refused("model.live_already", version=version)
    if over is not None and before is not None and before.version != over:
        raise Refused("model.compared_with_another", version=version, over=over, live=before.version)
    return _go_live(session, "promote", model, before, person_id)


def roll_back(session: Session, person_id: int, *, to: str | None = None) -> ModelVersion:
    """Back to the version that was live before this one; can be repeated, back to the first.

    `to`: the version that somebody agreed to go back to. Raises Refused where it would be another one by now.
    """
    live_now = _begin_change(session, person_id)
    before = _live_before(session)
    if live_now is None or before is None:
        raise Refused("model.nothing_before")
    if to is not None and before != to:
        raise Refused("model.another_before", before=before, to=to)
    return _go_live(session, "rollback", find(session, before), live_now, person_id)


def prune(session: Session, version: str, person_id: int | None) -> ModelVersion:
    """Say that a version's files are gone: it can never go live again. The caller deletes its folder."""
    model = find(session, version)
    live_now = _begin_change(session, person_id)
    if model.state == "pruned":
        raise Refused("model.pruned_already", version=version)
    if live_now is not None and live_now.id == model.id:
        raise Refused("model.files_stay_live", version=version)
    if version == _live_before(session):
        raise Refused("model.files_stay_before", version=version)
    model.state = "pruned"
    _note(session, "prune", person_id, {"version": version})
    return model


def live(session: Session) -> ModelVersion | None:
    return session.scalar(select(ModelVersion).where(ModelVersion.state == "live"))


def earlier(session: Session) -> ModelVersion | None:
    """The version that a roll-back goes to; None if there is none."""
    version = _live_before(session)
    return find(session, version) if version is not None else None


def find(session: Session, version: str) -> ModelVersion:
    model = session.scalar(select(ModelVersion).where(ModelVersion.version == version))
    if model is None:
        newest = ", ".join(session.scalars(select(ModelVersion.version).order_by(ModelVersion.id.desc()).limit(5)))
        if not newest:
            raise NotFound("model.none_yet", version=version)
        raise NotFound("model.missing", version=version, newest=newest)
    return model


def everything(session: Session) -> list[ModelVersion]:
    return list(session.scalars(select(ModelVersion).order_by(ModelVersion.id)))


def history(session: Session) -> list[LiveChange]:
    """Every promotion and roll-back, oldest first."""
    entries = session.scalars(select(Entry).where(Entry.kind.in_(("promote", "rollback"))).order_by(Entry.number))
    return [LiveChange(e.number, e.kind, e.payload["version"], e.payload["previous"]) for e in entries]


def _live_before(session: Session) -> str | None:
    """The version that a roll-back goes to; None if there is none."""
    stack = []
    for change in history(session):
        if change.kind == "promote":
            stack.append(change.version)
        else:
            stack.pop()
    return stack[-2] if len(stack) > 1 else None


def _begin_change(session: Session, person_id: int | None) -> ModelVersion | None:
    """The live version, locked with all others: changes of it come one by one."""
    if person_id is not None:
        people.require(session, person_id, "change models")
    models = session.scalars(
        select(ModelVersion).order_by(ModelVersion.id).with_for_update().execution_options(populate_existing=True)
    )
    return next((model for model in models if model.state == "live"), None)


def _go_live(session, kind: str, model: ModelVersion, before: ModelVersion | None, person_id) -> ModelVersion:
    if model.state == "pruned":
        there = [known.version for known in everything(session) if known.state in ("candidate", "retired")]
        if not there:
            raise Refused("model.pruned_as_all", version=model.version)
        raise Refused("model.pruned", version=model.version, there=", ".join(there[::-1][:5]))
    if before is not None:
        before.state = "retired"
        session.flush()  # first out, then in: never two
    model.state = "live"
    queue_order.place_all(session, model.id, before.id if before is not None else None)
    previous = before.version if before is not None else None
    _note(session, kind, person_id, {"version": model.version, "previous": previous})
    return model


def _note(session: Session, kind: str, person_id: int | None, payload: dict) -> None:
    session.add(Entry(at=next_moment(session), kind=kind, person_id=person_id, payload=payload))
    session.flush()
