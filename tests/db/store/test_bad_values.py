"""Nothing bad is stored, whoever calls; and what an older version stored already ends no page, figure or file."""

import json
from dataclasses import replace
from datetime import UTC
from math import inf, nan

import pytest
from sqlalchemy import func, select, update

from app.transfer.exporter import export_file
from db.errors import NotFound, Refused
from db.figures import dashboard
from db.figures import statistics as stats
from db.figures.dashboard import Filters
from db.ledger import entries as ledger
from db.ledger import history
from db.ledger.submission import Submission
from db.queue import claims as queue
from db.store import triggers
from db.store.free_text import LONGEST
from db.store.input_checks import LONGEST_TIME, MOST_TAGS
from db.store.tables import Comment, Entry
from tests.db.deciding import decide

HUGE = 2**70
BAD_FIELDS = {
    "infinite seconds": {"seconds": inf},
    "no number of seconds": {"seconds": nan},
    "seconds before now": {"seconds": -1.0},
    "more seconds than anybody has": {"seconds": LONGEST_TIME * 1.01},
    "seconds as text": {"seconds": "3"},
    "seconds as a truth": {"seconds": True},
    "a long comment": {"comment": "长" * (LONGEST["comment"] + 1)},
    "a comment that is no text": {"comment": 7},
    "a long flag": {"flag": "旗" * (LONGEST["flag"] + 1)},
    "a flag that is no text": {"flag": ["spam"]},
    "an unknown verdict": {"verdicts": {"电影": "perhaps"}},
    "a verdict that is no text": {"verdicts": {"电影": ["added"]}},
    "a tag that is no text": {"verdicts": {7: "added"}},
    "verdicts that are none": {"verdicts": ["电影"]},
    "very many tags": {"verdicts": {f"标签{n}": "added" for n in range(MOST_TAGS + 1)}},
    "a huge question number": {"question_id": HUGE},
    "a question number that is none": {"question_id": "1"},
    "a huge lease": {"lease_id": HUGE},
    "a lease that is none": {"lease_id": "1"},
    "a huge suggestion": {"suggestion_id": HUGE},
    "a long key": {"idempotency_key": "k" * 500},
    "a key with a NUL": {"idempotency_key": "a\0b"},
    "a key with half a surrogate pair": {"idempotency_key": "a\ud800"},
    "a key that is no text": {"idempotency_key": 7},
    "shown tags that are no texts": {"shown": [7]},
}


def entries(store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(Entry).where(Entry.kind.in_(("decision", "review"))))


@pytest.mark.parametrize("what", BAD_FIELDS)
def test_a_decision_with_a_bad_value_is_refused_and_stores_nothing(store, team, questions, what):
    good = Submission(questions[0], team.li, {"电影": "added"}, seconds=2.0, comment="好", idempotency_key="k1")
    with pytest.raises((Refused, NotFound)) as refused:
        store.run(lambda session: ledger.submit(session, replace(good, **BAD_FIELDS[what])))
    assert len(str(refused.value)) < 500  # it names the value, it does not repeat five megabytes
    assert entries(store) == 0
    assert store.run(lambda session: ledger.submit(session, good)).standing == "answer"


def test_reviews_skips_and_undos_are_checked_too(store, team, questions):
    number = decide(store, questions[0], team.li, added=["电影"]).number
    lease = store.run(lambda session: queue.claim(session, team.wang)).lease_id
    long = "长" * (LONGEST["comment"] + 1)
    tries = (
        lambda session: ledger.review(session, questions[0], team.admin, ["电影"], comment=long),
        lambda session: ledger.review(session, questions[0], team.admin, [7]),
        lambda session: ledger.review(session, questions[0], team.admin, "电影"),
        lambda session: ledger.review(session, questions[0], team.admin, [f"标签{n}" for n in range(MOST_TAGS + 1)]),
        lambda session: ledger.review(session, questions[0], team.admin, ["电影"], idempotency_key="k" * 500),
        lambda session: ledger.review(session, HUGE, team.admin, ["电影"]),
        lambda session: ledger.undo(session, HUGE, team.li),
        lambda session: ledger.undo(session, number, team.li, idempotency_key="a\0b"),
        lambda session: queue.skip(session, lease, team.wang, "长" * (LONGEST["reason"] + 1)),
        lambda session: queue.skip(session, lease, team.wang, ["later"]),
    )
    for attempt in tries:
        with pytest.raises((Refused, NotFound)) as refused:
            store.run(attempt)
        assert len(str(refused.value)) < 500
    assert entries(store) == 1


@pytest.mark.parametrize("seconds", [inf, -inf, nan, -5.0, 1e300])
def test_a_time_that_was_stored_before_it_was_checked_ends_nothing(store, team, questions, tmp_path, seconds):
    """PostgreSQL keeps what is no number, SQLite makes it none."""
    for place, question in enumerate(questions[:3]):
        decide(store, question, team.li, added=["电影"], seconds=2.0 + place)
    bad = decide(store, questions[3], team.li, added=["导演"], seconds=1.0).number
    with store.write() as session:
        triggers.drop(session.connection())  # the ledger is append-only: an older version's line is put there by force
        session.execute(update(Entry).where(Entry.number == bad).values(seconds=seconds))
    with store.read() as session:
        found = dashboard.gather(session, Filters(), UTC)
        overview, agreement = stats.overview(session), stats.agreement(session)
    assert (found.decisions, found.times.measured, found.times.median, found.times.most) == (4, 3, 3.0, 4.0)
    li = next(person for person in overview.people if person.name == "li")
    assert (li.decisions, li.seconds) == (4, 3.0)
    json.dumps([person.seconds for person in overview.people], allow_nan=False)
    assert agreement.alpha.units == 0
    assert export_file(store, tmp_path / "labels.jsonl", "jsonl").rows == 4


def test_a_comment_of_megabytes_that_was_stored_before_is_shown_cut(store, team, questions):
    number = decide(store, questions[0], team.li, added=["电影"], comment="好").number
    decide(store, questions[0], team.wang, added=["导演"])
    with store.write() as session:
        session.execute(update(Comment).where(Comment.entry_number == number).values(text="长" * 5_000_000))
        line = history.recent_entries(session, number=number)[0]
        conflict = history.conflicts(session)[0]
    for comment in (line.comment, conflict.opinions[0].comment):
        assert len(comment) == LONGEST["comment"] + 1
        assert comment.endswith("…")
