"""Names that come up in a store: what is read, what is kept, what is told of each, and a tag that counts at once."""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.emerging import about, search
from app.emerging.search import EmergingSearch, NoNames
from db.ledger import entries as ledger
from db.tags import planning, refused
from db.tags.importing import IncomingTag, import_tags
from db.tags.search.index import TagSearch
from db.transfer.importing import IncomingQuestion, import_questions
from tests.app.emerging import finding
from tests.db import actions
from tests.db.conftest import (  # noqa: F401 - fixtures
    cleaners,
    kind,
    live_model,
    opened_stores,
    postgresql_server,
    postgresql_template,
    postgresql_uri,
    sqlite_template,
    store,
    team,
    url,
)

TITLES = (
    "折叠屏手机值得买吗？",
    "折叠屏耐用吗？",
    "折叠屏和直板怎么选？",
    "围炉煮茶有意思吗？",
    "围炉煮茶要什么？",
    "跑步好吗？",
)
NAMES = {"折叠屏": 0.9, "围炉煮茶": 0.6, "跑步": 0.9}


@dataclass
class OfNames:
    """A tagger of which only the names matter."""

    names: dict | None
    version: str = "v1"


@pytest.fixture
def questions(store, live_model, monkeypatch) -> list[int]:  # noqa: F811
    monkeypatch.setattr(finding.WHERE, finding.find_listed)
    rows = [IncomingQuestion(line, title, external_id=str(line)) for line, title in enumerate(TITLES, 1)]
    import_questions(store, rows, name="q", fingerprint="q")
    return list(range(1, len(TITLES) + 1))


@pytest.fixture
def finder(store, questions) -> EmergingSearch:  # noqa: F811
    return EmergingSearch(store, lambda: OfNames(NAMES))


def listed(store, look) -> list[str]:  # noqa: F811
    with store.read() as session:
        return [name.name for name in look.open_names(session)]


def told(store, look, name: str) -> about.NameFacts:  # noqa: F811
    with store.read() as session:
        (found,) = (one for one in look.names if one.name == name)
        return about.facts(session, TagSearch(store), look, found, UTC)


def test_names_without_a_tag_are_found_those_in_most_questions_first(store, finder):  # noqa: F811
    assert finder.last(30, 2) is None
    look = finder.look(30, 2)
    assert (listed(store, look), look.read, look.newest) == (["折叠屏", "围炉煮茶"], 6, 6)
    assert finder.last(30, 2) is look
    assert finder.last(7, 2) is None
    assert listed(store, finder.look(30, 3)) == ["折叠屏"]
    assert listed(store, finder.look(30, 1, 2)) == ["折叠屏", "围炉煮茶"]


def test_what_is_a_tag_or_refused_by_now_is_left_out_until_it_is_taken_back(store, team, finder):  # noqa: F811
    look = finder.look(30, 2)
    made = actions.change_tags(store, team.researcher, planning.plan_create, "折叠屏")
    store.run(lambda session: refused.refuse(session, "围炉煮茶", team.researcher))
    assert listed(store, look) == listed(store, finder.look(30, 2)) == []
    actions.change_tags(store, team.researcher, planning.plan_undo, made)
    store.run(lambda session: refused.allow(session, "围炉煮茶", team.researcher))
    assert listed(store, look) == ["折叠屏", "围炉煮茶"]


def test_a_look_is_old_when_questions_came_or_a_tag_went(store, team, finder):  # noqa: F811
    def is_old() -> bool:
        with store.read() as session:
            return look.is_old(session)

    made = actions.change_tags(store, team.researcher, planning.plan_create, "折叠屏")
    look = finder.look(30, 2)
    assert not is_old()
    actions.change_tags(store, team.researcher, planning.plan_undo, made)
    assert is_old()  # 折叠屏 was known when we looked
    look = finder.look(30, 2)
    assert not is_old()
    import_questions(store, [IncomingQuestion(1, "新问题")], name="r", fingerprint="r")
    assert is_old()


def test_a_model_without_statistics_of_names_is_named_with_what_to_do(store, questions):  # noqa: F811
    with pytest.raises(NoNames, match=r"The live model v1 has no statistics of names.*Make a model live that has them"):
        EmergingSearch(store, lambda: OfNames(None)).look(30)


class Door:
    """A lock that says who came to it."""

    def __init__(self):
        self.lock, self.came = threading.Lock(), threading.Semaphore(0)

    def __enter__(self):
        self.came.release()
        self.lock.acquire()

    def __exit__(self, *error):
        self.lock.release()


def test_of_two_who_ask_at_the_same_time_one_looks(store, questions, monkeypatch):  # noqa: F811
    door, calls, looks = Door(), [], []

    def when_both_are_there(texts, finder, **options):
        calls.append(len(texts))
        assert all(door.came.acquire(timeout=20) for _ in range(2))
        return finding.find_listed(texts, finder, **options)

    monkeypatch.setattr(finding.WHERE, when_both_are_there)
    shared = EmergingSearch(store, lambda: OfNames(NAMES))
    shared._lock = door
    threads = [threading.Thread(target=lambda: looks.append(shared.look(30, 2))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert calls == [6]
    assert looks[0] is looks[1]


def test_progress_is_told_a_hundred_times_at_most():
    calls = []
    call = search._seldom(lambda done, total: calls.append((done, total)))
    for done in range(1, 50_001):
        call(done, 50_000)
    assert len(calls) == 101
    assert calls[-1] == (50_000, 50_000)


# --- what is told of a name ------------------------------------------------------------------------------------------


def test_a_name_is_told_with_its_questions_parents_and_look_alikes(store, team, finder):  # noqa: F811
    import_tags(
        store, [IncomingTag(1, "屏"), IncomingTag(2, "叠屏"), IncomingTag(3, "摺疊屏")], team.admin, name="tags"
    )
    for question in (1, 2):
        actions.decide(store, question, team.li, "数码")
    facts = told(store, finder.look(30, 2), "折叠屏")
    assert (facts.name, facts.chance, facts.questions) == ("折叠屏", 0.9, 3)
    assert facts.examples == ("折叠屏和直板怎么选？", "折叠屏耐用吗？", "折叠屏手机值得买吗？")
    assert (facts.parent, facts.parents) == ("叠屏", ("叠屏", "数码"))
    assert ("摺疊屏", "script") in facts.duplicates
    assert facts.weeks == (*[0] * 12, 3)
    assert datetime.now(UTC) - facts.since < timedelta(minutes=5)


def test_a_redacted_question_is_no_example_any_more(store, team, finder):  # noqa: F811
    look = finder.look(30, 2)
    store.run(lambda session: ledger.redact(session, 3, team.admin, reason="privacy"))
    assert told(store, look, "折叠屏").examples == ("折叠屏耐用吗？", "折叠屏手机值得买吗？")


def test_weeks_begin_on_the_mondays_of_whoever_looks():
    now = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
    sunday_evening = datetime(2026, 11, 15, 20, tzinfo=UTC)
    long_ago = now - timedelta(weeks=about.WEEKS)
    moments = [now, sunday_evening, sunday_evening, long_ago]
    assert about.by_week(moments, now, UTC)[-3:] == (0, 2, 1)
    assert about.by_week(moments, now, timezone(timedelta(hours=8)))[-3:] == (0, 0, 3)
    assert sum(about.by_week(moments, now, UTC)) == 3  # what is older is left out
