"""What must hold of a store at any time, worked out from leases and ledger without asking the queue's own counts."""

from collections import defaultdict
from datetime import datetime

from sqlalchemy import func, select

from db.ledger.labels import read_lines
from db.ledger.replay import POSITIVE, current_opinions, in_force
from db.spellings.view import TagView
from db.store.backup import check_file
from db.store.engine import Store
from db.store.tables import Entry, Import, Lease, Question, QueueItem, Verdict


def check_store(store: Store) -> None:
    """The database is sound, and the counts of the queue are those of leases and ledger."""
    check_database(store)
    check_queue(store)


def check_database(store: Store) -> None:
    """Nothing is damaged, and nothing is there by half."""
    if store.path is not None:
        assert check_file(store.path) == ""
    with store.read() as session:
        questions, items = (session.scalar(select(func.count()).select_from(table)) for table in (Question, QueueItem))
        assert questions == items
        orphans = select(Verdict.entry_number).where(Verdict.entry_number.not_in(select(Entry.number)))
        assert session.scalars(orphans).all() == []
        added = session.scalar(select(func.coalesce(func.sum(Import.added), 0)))
        assert session.scalar(select(func.count()).where(Question.import_id.is_not(None))) == added


def check_queue(store: Store) -> None:
    """`queue_items` tells of every question what leases and ledger say."""
    with store.read() as session:
        items = session.scalars(select(QueueItem)).all()
        held = dict(
            session.execute(
                select(Lease.question_id, func.count()).where(Lease.state == "held").group_by(Lease.question_id)
            ).all()
        )
        decided = set(session.scalars(select(Entry.question_id).where(Entry.question_id.is_not(None))))
        lines = read_lines(session, decided)
        view = TagView(session)
        wrong = []
        for item in items:
            opinions = current_opinions(lines.get(item.question_id, []))
            reviewed = any(line.kind == "review" for line in in_force(lines.get(item.question_id, [])))
            labels = {
                frozenset(view.resolve(v.key, v.text)[0] for v in opinion.verdicts if v.verdict in POSITIVE)
                for opinion in opinions
            }
            told = (item.answers, item.holders, item.reviewed, item.conflict, item.is_open)
            holders = held.get(item.question_id, 0)
            is_open = len(opinions) + holders < item.overlap and not reviewed
            true = (len(opinions), holders, reviewed, len(labels) > 1 and not reviewed, is_open)
            if told != true:
                wrong.append((item.question_id, told, true))
    assert wrong == []


def most_at_once(store: Store) -> dict[int, int]:
    """Question -> with how many people it was at one time at most: held, or answered and not taken back."""
    with store.read() as session:
        leases = session.execute(
            select(Lease.id, Lease.question_id, Lease.state, Lease.claimed_at, Lease.ended_at)
        ).all()
        taken_back = _taken_back(session)
    steps: dict[int, list[tuple[datetime, int]]] = defaultdict(list)
    for lease_id, question_id, state, claimed_at, ended_at in leases:
        end = taken_back.get(lease_id) if state in ("submitted", "undone", "held") else ended_at
        steps[question_id].append((claimed_at, +1))
        if end is not None:
            steps[question_id].append((end, -1))
    most = {}
    for question_id, changes in steps.items():
        now = highest = 0
        for _, change in sorted(changes):  # of one moment, what ends comes first: SQLite tells milliseconds only
            now += change
            highest = max(highest, now)
        most[question_id] = highest
    return most


def _taken_back(session) -> dict[int, datetime]:
    """Lease -> when the decision it led to was undone; holds where no undo is undone."""
    decision, undo = Entry.__table__.alias(), Entry.__table__.alias()
    return dict(
        session.execute(
            select(decision.c.lease_id, func.min(undo.c.at))
            .join(undo, (undo.c.target == decision.c.number) & (undo.c.kind == "undo"))
            .where(decision.c.kind == "decision")
            .group_by(decision.c.lease_id)
        ).all()
    )
