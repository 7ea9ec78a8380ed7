"""Many processes in one store at once: nobody collides, nothing is lost, nothing is stored twice."""

import hashlib
import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.transfer.exporter import export_file as export
from db import people
from db.ledger.entries import find_receipt
from db.ledger.submission import Submission
from db.queue import claims as queue
from db.store.engine import Store
from db.store.tables import Entry, Lease, PriorLabel, Question, QueueItem, Verdict
from db.transfer.export import Manifest
from db.transfer.importing import import_questions
from tests.db import workers
from tests.db.invariants import check_store, most_at_once

FULL = pytest.mark.soak


def hire(store: Store, number: int, role: str = "moderator") -> list[int]:
    def work(session):
        chief = session.scalar(select(func.min(people.Person.id)))
        chief = chief or people.add(session, "chief", "admin").id
        return [people.add(session, f"{role} {place}", role, by=chief).id for place in range(number)]

    return store.run(work)


def fill(store: Store, count: int, source: str = "work", overlap: int = 1) -> None:
    import_questions(store, workers.rows(count, source), name=source, fingerprint=source, overlap=overlap)


@pytest.mark.parametrize(
    ("processes", "questions", "overlap", "imported"),
    [
        pytest.param(6, 100, 1, 900, id="short"),
        pytest.param(4, 30, 2, 300, id="short-overlap-2"),
        pytest.param(20, 2_000, 1, 50_000, id="full", marks=FULL),
        pytest.param(20, 2_000, 2, 50_000, id="full-overlap-2", marks=FULL),
    ],
)
def test_many_claim_and_submit_while_others_import_and_export(
    store, url, tmp_path, processes, questions, overlap, imported
):
    fill(store, questions, overlap=overlap)
    crowd = hire(store, processes)
    folder = tmp_path / "exports"
    folder.mkdir()
    *answered, report, manifests = workers.run_together(
        [
            *((workers.answer_all, url, person, "work", seed) for seed, person in enumerate(crowd)),
            (workers.import_rows, url, imported, "import", "import"),
            (workers.export_repeatedly, url, str(folder), "work"),
        ]
    )
    done = [decision for some in answered for decision in some]

    assert len(done) == questions * overlap
    assert not any(decision.repeated for decision in done)
    assert {decision.standing for decision in done} == {"answer"}
    check_decisions(store, done)
    check_leases(store, done, overlap)
    check_import(store, report, imported)
    check_exports(store, folder, manifests)
    last = export(store, tmp_path / "last.jsonl", "jsonl")
    assert last.rows == questions
    assert last.states == ({"single": questions} if overlap == 1 else last.states)
    check_store(store)


def check_decisions(store: Store, done: list[workers.Done]) -> None:
    """Every receipt is distinct and found again, and the ledger holds these decisions and no others."""
    numbers = [decision.number for decision in done]
    assert len(set(numbers)) == len(numbers)
    with store.read() as session:
        for decision in done:
            receipt = find_receipt(session, decision.number)
            assert (receipt.question_id, receipt.standing) == (decision.question_id, decision.standing)
        stored = session.execute(
            select(Entry.number, Entry.question_id, Entry.person_id, Entry.lease_id).where(Entry.kind == "decision")
        ).all()
        assert sorted(map(tuple, stored)) == sorted((d.number, d.question_id, d.person_id, d.lease_id) for d in done)
        assert verdicts_of(session) == {decision.number: decision.tags for decision in done}


def verdicts_of(session) -> dict[int, tuple[str, ...]]:
    rows = session.execute(select(Verdict.entry_number, Verdict.text).order_by(Verdict.entry_number, Verdict.place))
    found = defaultdict(tuple)
    for number, text in rows:
        found[number] += (text,)
    return dict(found)


def check_leases(store: Store, done: list[workers.Done], overlap: int) -> None:
    """Each question was with as many people as asked, never with more, and with nobody twice."""
    with store.read() as session:
        leases = session.execute(select(Lease.id, Lease.state)).all()
    assert sorted(leases) == sorted((decision.lease_id, "submitted") for decision in done)
    assert set(Counter(decision.question_id for decision in done).values()) == {overlap}
    assert set(Counter((decision.question_id, decision.person_id) for decision in done).values()) == {1}
    assert set(most_at_once(store).values()) == {overlap}


def check_import(store: Store, report, imported: int) -> None:
    assert (report.rows, report.added, report.duplicates, report.bad) == (imported, imported, 0, 0)
    with store.read() as session:
        for table in (Question, QueueItem):
            assert session.scalar(select(func.count()).where(table.source == "import")) == imported
        labels = select(func.count()).select_from(PriorLabel).join(Question, Question.id == PriorLabel.question_id)
        assert session.scalar(labels.where(Question.source == "import")) == report.labels


def check_exports(store: Store, folder: Path, manifests: list[Manifest]) -> None:
    """Each file is whole, is what its manifest says, and holds exactly the decisions of one moment."""
    assert len(list(folder.iterdir())) == 2 * len(manifests)  # nothing half-written is left
    with store.read() as session:
        question_of = dict(
            session.execute(select(Entry.number, Entry.question_id).where(Entry.kind == "decision")).all()
        )
        tags_of = verdicts_of(session)
    before: set[int] = set()
    for manifest in manifests:
        data = (folder / manifest.file).read_bytes()
        rows = [json.loads(line) for line in data.splitlines()]
        assert (hashlib.sha256(data).hexdigest(), len(data), len(rows)) == (
            manifest.sha256,
            manifest.bytes,
            manifest.rows,
        )
        assert sum(len(row["tags"]) for row in rows) == manifest.labels
        inside = {number for row in rows for number in row["entries"]}
        assert before <= inside  # a later snapshot has all of an earlier one
        assert all(number <= manifest.last_entry for number in inside)
        if store.is_sqlite:  # where numbers are given in the order of the commits; PostgreSQL gives them earlier
            assert inside == {number for number in question_of if number <= manifest.last_entry}
        for row in rows:
            assert {question_of[number] for number in row["entries"]} == {row["question_id"]}
            assert row["tags"] == by_majority([tags_of[number] for number in row["entries"]])
        before = inside
    assert before == set(question_of)


def by_majority(opinions: list[tuple[str, ...]]) -> list[str]:
    counts = Counter(tag for tags in opinions for tag in tags)
    return [tag for tag, count in counts.items() if 2 * count > len(opinions)]


def test_the_same_key_sent_ten_times_at_once_makes_one_entry(store, url, team, questions):
    claim = store.run(lambda session: queue.claim(session, team.li))
    submission = Submission(
        claim.question_id, team.li, {"电影": "added"}, lease_id=claim.lease_id, idempotency_key="once"
    )
    receipts = workers.run_together([(workers.send, url, submission)] * 10)
    assert len({(receipt.number, receipt.at, receipt.question_id) for receipt in receipts}) == 1
    assert Counter(receipt.repeated for receipt in receipts) == {False: 1, True: 9}
    with store.read() as session:
        assert session.scalar(select(func.count()).where(Entry.kind == "decision")) == 1
    check_store(store)


def test_a_key_used_for_ten_questions_at_once_is_refused_for_nine(store, url, team, questions):
    submissions = [Submission(q, team.li, {"电影": "added"}, idempotency_key="once") for q in questions[:10]]
    results = workers.run_together([(workers.send_or_reason, url, submission) for submission in submissions])
    (receipt,) = [result for result in results if not isinstance(result, str)]
    reasons = {result for result in results if isinstance(result, str)}
    assert len(reasons) == 1
    assert f"used for something else (entry {receipt.number})" in reasons.pop()
    check_store(store)


def test_one_person_in_ten_windows_gets_one_question(store, url, team, questions):
    store.run(lambda session: queue.set_overlap(session, 2))
    claims = workers.run_together([(workers.claim_once, url, team.li)] * 10)
    assert len({claim.question_id for claim in claims}) == 1
    assert Counter(claim.resumed for claim in claims) == {False: 1, True: 9}
    check_store(store)


def test_mixed_traffic_neither_locks_up_nor_miscounts(store, url):
    fill(store, 60, overlap=2)
    fill(store, 30, source="more")
    moderators, researchers = hire(store, 5), hire(store, 3, "researcher")
    *_, report, again = results = workers.run_together(
        [
            *((workers.moderate, url, person, seed, 30) for seed, person in enumerate(moderators)),
            (workers.change_tags, url, researchers[0], 1, 25),
            (workers.change_tags, url, researchers[1], 2, 25),
            (workers.review_conflicts, url, researchers[2], 3, 15),
            (workers.import_rows, url, 600, "import", "one file"),
            (workers.import_rows, url, 600, "import", "the same under another name"),
        ]
    )
    seen = sum(results[:-2], Counter())
    assert {"submit", "skip", "release", "heartbeat", "undo", "tag merge"} <= seen.keys()
    assert report.added + again.added == 600
    assert report.duplicates + again.duplicates == 600
    check_store(store)
    with store.read() as session:
        overlaps = dict(session.execute(select(QueueItem.question_id, QueueItem.overlap)).all())
    assert {q: most for q, most in most_at_once(store).items() if most > overlaps[q]} == {}
