"""The desk: messages from the board become decisions, once, and only about what is on the desk."""

import pytest

from app import annotation
from app.annotation import Desk, QueueChoice
from app.suggester import Suggester
from db import ledger, people, schema
from db.engine import Store
from db.errors import ConnectionFailed
from db.importing import IncomingQuestion, import_questions
from db.labels import look_at
from db.settings import Shares, set_shares
from l2a.errors import InputError
from tests.app.conftest import FakeTagger, make_result


@pytest.fixture
def store(tmp_path):
    with Store(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        schema.prepare(opened)
        opened.run(lambda session: set_shares(session, Shares(random=0.0)))
        rows = [IncomingQuestion(line, f"第{line}个问题怎么回答？") for line in range(1, 6)]
        import_questions(opened, rows, name="test", fingerprint="test")
        yield opened


@pytest.fixture
def li(store) -> int:
    return store.run(lambda session: people.add(session, "li", "admin").id)


@pytest.fixture
def tagger() -> FakeTagger:
    return FakeTagger(make_result(("电影", 7), ("导演", 3), ("演员", 1), ("灯光", 0)))


@pytest.fixture
def suggester(store, tagger, tmp_path) -> Suggester:
    (tmp_path / "model").mkdir()
    return Suggester(store, lambda _: tagger, tmp_path / "model")


@pytest.fixture
def desk(store, suggester, li) -> Desk:
    found = Desk()
    annotation.take(found, store, suggester, li, QueueChoice())
    return found


@pytest.fixture
def send(desk, store, suggester, li):
    """Send a message about what is on the desk, unless it names another question."""

    def message(kind: str, nonce: str = "n1", **more):
        on_desk = desk.item.claim if desk.item is not None else None
        full = {
            "type": kind,
            "nonce": nonce,
            "item": on_desk.question_id if on_desk else None,
            "lease": on_desk.lease_id if on_desk else None,
            **more,
        }
        annotation.act(desk, full, store, suggester, li, QueueChoice())
        return desk.outcome

    return message


def tags_of(store, question: int) -> tuple[str, ...]:
    with store.read() as session:
        return look_at(session, question).settled.tags


def test_tags_with_hardly_a_vote_are_not_put_before_people(desk):
    assert [tag.tag for tag in desk.item.shown] == ["电影", "导演", "演员"]


def test_a_submit_is_stored_with_what_was_shown_and_the_next_question_comes(desk, send, store):
    outcome = send("submit", verdicts={"电影": "accepted", "导演": "rejected", "影评": "added"}, seconds=3.5)
    assert outcome.error is None
    assert outcome.receipt.standing == "answer"
    with store.read() as session:
        settled = look_at(session, 1).settled
    assert settled.tags == ("电影", "影评")
    assert (settled.rejected, settled.unjudged) == (("导演",), ("演员",))
    assert desk.item.claim.question_id == 2
    assert desk.last == [outcome.receipt.number]


def test_the_same_message_twice_is_one_decision(desk, send, store):
    first = send("submit", verdicts={"电影": "accepted"})
    again = send("submit", item=1, lease=1, verdicts={"电影": "accepted"}, again=2)
    assert again == first
    assert desk.item.claim.question_id == 2
    desk.outcome = None  # as after a restart of the server
    late = send("submit", item=1, lease=1, verdicts={"电影": "accepted"}, again=3)
    assert (late.receipt.number, late.receipt.repeated) == (first.receipt.number, True)
    assert desk.last == [first.receipt.number]


def test_a_message_about_another_question_decides_nothing(desk, send, store):
    outcome = send("submit", item=4, lease=None, verdicts={"电影": "accepted"})
    assert "not on your desk any more" in str(outcome.error)
    assert tags_of(store, 4) == ()
    assert desk.item.claim.question_id == 1


def test_nonsense_is_refused_and_the_question_stays(desk, send, store):
    assert "does not know" in str(send("dance").error)
    assert "not a verdict" in str(send("submit", nonce="n2", verdicts={"电影": "perhaps"}).error)
    assert desk.item.claim.question_id == 1
    assert send("submit", nonce="n3", verdicts={"电影": "accepted"}).error is None


def test_a_skip_puts_the_question_back_with_its_reason(desk, send, store):
    assert "needs a reason" in str(send("skip", reason=" ").error)
    assert send("skip", nonce="n2", reason="不熟悉").skipped
    assert desk.item.claim.question_id == 2


def test_undo_brings_the_question_back_to_the_desk(desk, send, store):
    first = send("submit", verdicts={"电影": "accepted"})
    outcome = send("undo", nonce="n2")
    assert outcome.undone == first.receipt.number
    assert desk.item.claim.question_id == 1
    assert tags_of(store, 1) == ()
    assert desk.last == []
    assert "nothing of this session" in str(send("undo", nonce="n3").error)
    assert send("submit", nonce="n4", verdicts={"导演": "accepted"}).error is None
    assert tags_of(store, 1) == ("导演",)


def test_an_undo_that_somebody_else_was_quicker_than_leaves_the_desk_alone(desk, send, store, li):
    first = send("submit", verdicts={"电影": "accepted"})
    wang = store.run(lambda session: people.add(session, "wang", by=li).id)
    store.run(lambda session: ledger.undo(session, first.receipt.number, li))
    from db import queue

    store.run(lambda session: queue.claim_question(session, wang, 1))
    outcome = send("undo", nonce="n2")
    assert "taken back already" in str(outcome.error)
    assert desk.item.claim.question_id == 2


def test_people_can_tag_without_a_model(store, suggester, tagger, li):
    tagger.result = InputError("nothing to read")
    desk = Desk()
    annotation.take(desk, store, suggester, li, QueueChoice())
    assert (desk.item.trouble, desk.item.shown) == ("nothing to read", ())
    annotation.act(
        desk,
        {"type": "submit", "nonce": "n", "item": 1, "lease": desk.item.claim.lease_id, "verdicts": {"电影": "added"}},
        store,
        suggester,
        li,
        QueueChoice(),
    )
    assert tags_of(store, 1) == ("电影",)


def test_a_blind_question_shows_nothing(store, suggester, tagger, li):
    store.run(lambda session: set_shares(session, Shares(random=0.0, blind=1.0)))
    desk = Desk()
    annotation.take(desk, store, suggester, li, QueueChoice())
    assert desk.item.claim.blind
    assert desk.item.suggestion is None
    assert tagger.asked == []


def test_the_desk_is_empty_when_nothing_is_left(desk, send):
    for number in range(5):
        send("submit", nonce=f"n{number}", verdicts={"电影": "accepted"})
    assert desk.item is None
    assert desk.outcome.receipt is not None


def test_a_store_that_goes_away_after_a_decision_leaves_the_receipt_and_an_empty_desk(store, send, desk, monkeypatch):
    question = desk.item.claim.question_id

    def fail(*_, **__):
        raise ConnectionFailed("The store is away.")

    monkeypatch.setattr("db.queue.claim", fail)
    assert send("submit", verdicts={"电影": "accepted"}).receipt is not None
    assert desk.item is None
    assert tags_of(store, question) == ("电影",)
