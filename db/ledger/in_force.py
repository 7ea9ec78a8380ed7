"""Which decisions count: one that was taken back, or that its author replaced, is left out of every figure.

Which those are is worked out by the rule of db.ledger.replay and handed to the database, which does the counting.
"""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, cast, column, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Session

from db.ledger.replay import undos_in_force
from db.store.tables import Entry


def undone_entries(session: Session, after: int = 0) -> set[int]:
    """Entries that an undo in force takes back, by undos with a number greater than `after`."""
    undos = select(Entry.number, Entry.target).where(Entry.kind == "undo", Entry.number > after)
    return set(undos_in_force((number, target) for number, target in session.execute(undos)))


def out_of_force(session: Session) -> tuple[set[int], int]:
    """Entries that were taken back, and decisions that their authors replaced; and how many decisions are left."""
    undone = undone_entries(session)
    gone = set(undone)
    latest: dict[tuple[int | None, int | None], int] = {}
    decisions = select(Entry.number, Entry.question_id, Entry.person_id).where(Entry.kind == "decision")
    for number, question, person in session.execute(decisions.order_by(Entry.number)):
        if number in undone:
            continue
        if (before := latest.get((question, person))) is not None:
            gone.add(before)
        latest[question, person] = number
    return gone, len(latest)


def is_none_of(session: Session, what: InstrumentedAttribute[int], numbers: Iterable[int]) -> ColumnElement[bool]:
    """`what` is none of the numbers. They go as one value: neither database takes a hundred thousand of them."""
    listed = sorted(numbers)
    gone: Select[Any]  # a list of numbers, by a function that the one database or the other has
    if session.get_bind().dialect.name == "sqlite":
        gone = select(column("value")).select_from(func.json_each(json.dumps(listed)))
    else:
        gone = select(func.unnest(cast(listed, ARRAY(BigInteger))))
    return what.not_in(gone)
