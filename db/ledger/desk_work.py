"""What a person did at the desk, newest first, and the way back: a decision or a skip, with the choices of it.

A decision is taken back by the ledger's own rule (db.ledger.entries); a skip is a lease, and becomes one that was
given back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.ledger.labels import read_lines
from db.ledger.replay import in_force
from db.ledger.tally import lock_item
from db.store.tables import Comment, Entry, Lease

ENTRIES_A_STEP = 20  # looked at together: nearly always the first of them is in force


@dataclass(frozen=True)
class Done:
    """A decision or a skip that can be taken back. `number` is the entry's, or the lease's of a skip."""

    kind: str  # decision or skip
    number: int
    question_id: int
    at: datetime
    reason: str = ""  # of a skip

    @property
    def receipt(self) -> str:
        """What it goes by before people: skips are counted apart from the ledger's entries."""
        return str(self.number) if self.kind == "decision" else f"S{self.number}"


@dataclass(frozen=True)
class Choices:
    """What a decision said, as it can be put before a person again."""

    verdicts: Mapping[str, str] = field(default_factory=dict)  # accepted, rejected or added, by tag
    comment: str = ""
    flag: str | None = None


@dataclass(frozen=True)
class TakenBack:
    done: Done
    choices: Choices
    number: int | None  # of the ledger's new entry; None for a skip


def latest(session: Session, person_id: int, since: datetime) -> Done | None:
    """The newest decision or skip of a person since a moment that stands; None if there is nothing to take back."""
    found = [done for done in (_decision(session, person_id, since), _skip(session, person_id, since)) if done]
    return max(found, key=lambda done: done.at, default=None)


def find_skip(session: Session, person_id: int, question_id: int) -> Done | None:
    """The newest skip of a question by a person, if it stands."""
    return _as_skip(
        session.scalar(
            select(Lease)
            .where(Lease.person_id == person_id, Lease.question_id == question_id, Lease.state == "skipped")
            .order_by(Lease.id.desc())
            .limit(1)
        )
    )


def skip_by_receipt(session: Session, number: int) -> Done:
    """The skip with this number; raises NotFound where there is none, or it was taken back."""
    skipped = _as_skip(session.scalar(select(Lease).where(Lease.id == number, Lease.state == "skipped")))
    if skipped is None:
        raise NotFound("skip.not_found", receipt=f"S{number}")
    return skipped


def take_back(session: Session, done: Done, person_id: int, *, idempotency_key: str | None = None) -> TakenBack:
    """Undo it; raises Refused if that happened already."""
    if done.kind == "decision":
        choices = _choices(session, done.number)
        receipt = ledger.undo(session, done.number, person_id, idempotency_key=idempotency_key)
        return TakenBack(done, choices, receipt.number)
    people.require(session, person_id)
    lock_item(session, done.question_id)
    lease = session.get_one(Lease, done.number, populate_existing=True)
    if lease.person_id != person_id:
        people.require(session, person_id, "undo for others")
    if lease.state != "skipped":
        raise Refused("skip.taken_back", receipt=done.receipt)
    lease.state, lease.reason = "released", None
    session.flush()
    return TakenBack(done, Choices(), None)


def _decision(session: Session, person_id: int, since: datetime) -> Done | None:
    for entries in _newest_decisions(session, person_id, since):
        lines = read_lines(session, {entry.question_id for entry in entries})
        standing = {line.number for some in lines.values() for line in in_force(some)}
        for entry in entries:
            if entry.number in standing:
                return Done("decision", entry.number, entry.question_id, entry.at)
    return None


def _newest_decisions(
    session: Session, person_id: int, since: datetime
) -> Iterator[list[Row[int, int | None, datetime]]]:
    """Some at a time, newest first. Later entries have later times, so the first that is too old ends it: a condition
    on the time would go through all that this person ever did."""
    newest = (
        select(Entry.number, Entry.question_id, Entry.at)
        .where(Entry.person_id == person_id, Entry.kind == "decision")
        .order_by(Entry.number.desc())
        .limit(ENTRIES_A_STEP)
    )
    query = newest
    while entries := session.execute(query).all():
        yield (recent := [entry for entry in entries if entry.at >= since])
        if len(recent) < len(entries):
            return
        query = newest.where(Entry.number < entries[-1].number)


def _skip(session: Session, person_id: int, since: datetime) -> Done | None:
    return _as_skip(
        session.scalar(
            select(Lease)
            .where(Lease.person_id == person_id, Lease.state == "skipped", Lease.ended_at >= since)
            .order_by(Lease.ended_at.desc(), Lease.id.desc())
            .limit(1)
        )
    )


def _as_skip(lease: Lease | None) -> Done | None:
    if lease is None:
        return None
    assert lease.ended_at is not None  # as every lease that is not held
    return Done("skip", lease.id, lease.question_id, lease.ended_at, lease.reason or "")


def _choices(session: Session, number: int) -> Choices:
    entry = ledger.find_entry(session, number)
    question = ledger.question_of(entry)
    line = next(line for line in read_lines(session, [question])[question] if line.number == number)
    comment = session.get(Comment, number)
    return Choices(
        verdicts={verdict.text: verdict.verdict for verdict in line.verdicts if verdict.verdict != "unjudged"},
        comment=comment.text if comment is not None else "",
        flag=entry.flag,
    )
