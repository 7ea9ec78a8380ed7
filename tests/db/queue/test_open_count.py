"""The number of open questions is kept, not counted: it is right whatever happens to the queue."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from sqlalchemy import event, func, select, text

from db.figures import statistics as stats
from db.ledger import entries as ledger
from db.queue import claims as queue
from db.queue.check import find_inconsistencies
from db.store import schema
from db.store.engine import Store
from db.store.tables import QueueItem
from tests.db.actions import claim, decide, expire, review, scalar, undo
from tests.db.conftest import add_questions

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def kept(store) -> int:
    """As the page asks for it."""
    with store.read() as session:
        return stats.progress(session, 0, EPOCH).open


def counted(store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(QueueItem).where(QueueItem.is_open))


def problems(store) -> list[str]:
    with store.read() as session:
        return [str(problem) for problem in find_inconsistencies(session)]


def test_it_follows_everything_that_happens_to_questions(store, team):
    seen = []

    def look() -> None:
        assert kept(store) == counted(store)
        seen.append(kept(store))

    questions = add_questions(store, 12)
    look()
    first = decide(store, questions[0], team.li, "电影")
    look()
    undo(store, first, team.li)
    look()
    held = claim(store, team.wang)
    look()
    store.run(lambda session: queue.release(session, held.lease_id, team.wang))
    look()
    expire(store, claim(store, team.wang).lease_id)
    store.run(lambda session: queue.return_expired(session, queue.read_clock(session)))
    look()
    review(store, questions[1], team.researcher, "生活")
    look()
    store.run(lambda session: ledger.redact(session, questions[2], team.admin, reason="privacy"))
    look()
    decide(store, questions[3], team.li, "电影")
    store.run(lambda session: queue.set_overlap(session, 2))
    look()
    add_questions(store, 3)
    look()
    assert seen == [12, 11, 12, 11, 12, 12, 11, 10, 10, 13]
    assert problems(store) == []


def test_what_is_taken_back_is_not_counted(store, team):
    add_questions(store, 3)

    def claim_and_fail(session):
        queue.claim(session, team.li)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.run(claim_and_fail)
    assert kept(store) == counted(store) == 3


def test_many_at_once_leave_it_right_and_short(store, team):
    """On PostgreSQL each change is a row of its own, so that nobody waits; they are added up now and then."""
    add_questions(store, 40)

    def work(person: int) -> None:
        for _ in range(40):
            got = claim(store, person, another=True)
            if got is not None:
                store.run(lambda session, got=got: queue.release(session, got.lease_id, person))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, (team.li, team.wang, team.admin, team.researcher)))
    assert kept(store) == counted(store) == 40
    for _ in range(3):
        work(team.li)
    assert scalar(store, "SELECT count(*) FROM queue_counts") < 200


def test_a_check_notices_a_wrong_number(store, team):
    add_questions(store, 3)
    assert problems(store) == []
    with store.write() as session:
        session.execute(text("UPDATE queue_counts SET open = open + 2 WHERE id = (SELECT min(id) FROM queue_counts)"))
    assert problems(store) == ["The store has 5 open questions by its own count, but 3 are open."]


def test_a_drawing_of_the_page_counts_no_questions(store, team):
    """Whatever number of questions there is: no statement goes through the queue."""
    add_questions(store, 3)
    statements = []
    with store.read() as session:
        event.listen(session.connection(), "before_cursor_execute", lambda *given: statements.append(given[2]))
        stats.progress(session, team.li, EPOCH)
    assert statements
    assert not [statement for statement in statements if "queue_items" in statement or "questions" in statement]


def test_a_store_of_the_version_before_gets_the_number_by_its_migration(empty_url):
    with Store(empty_url) as store:
        schema.migrate(store, "0002")
        add_questions(store, 5)
        schema.migrate(store, make_backup=False)
        assert kept(store) == 5
        add_questions(store, 2)
        assert kept(store) == 7
        schema.migrate(store, "0002", make_backup=False)
        add_questions(store, 1)
        schema.migrate(store, make_backup=False)
        assert kept(store) == counted(store) == 8
