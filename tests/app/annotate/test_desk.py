"""The desk: messages from the board become decisions, once, and only about what is on the desk."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.annotate import desk as annotation
from app.annotate.board_data import _outcome, board_data
from app.annotate.board_messages import read_evidence_wish, read_query
from app.annotate.desk import Desk, QueueChoice
from app.serving.suggester import Suggester
from app.shell.error_text import said
from db import people
from db.errors import ConnectionFailed, Refused
from db.ledger import entries as ledger
from db.ledger.desk_work import Choices
from db.ledger.labels import look_at
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from db.store import schema
from db.store.engine import Store
from db.store.tables import Lease
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.errors import InputError
from tests.app.conftest import FakeTagger, make_result

TODAY = datetime.now(UTC) - timedelta(hours=1)


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
        if isinstance(more.get("verdicts"), dict):
            more["verdicts"] = [list(pair) for pair in more["verdicts"].items()]
        on_desk = desk.item.claim if desk.item is not None else None
        full = {
            "type": kind,
            "nonce": nonce,
            "item": on_desk.question_id if on_desk else None,
            "lease": on_desk.lease_id if on_desk else None,
            **more,
        }
        annotation.act(desk, full, store, suggester, li, QueueChoice(), TODAY)
        return desk.outcome

    return message


def tags_of(store, question: int) -> tuple[str, ...]:
    with store.read() as session:
        return look_at(session, question).settled.tags


def test_tags_with_hardly_a_vote_are_not_put_before_people(desk):
    assert [tag.tag for tag in desk.item.shown] == ["电影", "导演", "演员"]


def test_as_many_tags_as_are_worth_showing_are_put_before_people(desk):
    chances = (0.8, 0.4, 0.01, 0.005)
    tags = tuple(
        replace(tag, chance=chance, votes=0) for tag, chance in zip(desk.item.suggestion.tags, chances, strict=True)
    )
    ranked = replace(desk.item.suggestion, tags=tags, cut=0.5, shown=2)
    assert [tag.tag for tag in replace(desk.item, suggestion=ranked).shown] == ["电影", "导演"]
    assert replace(desk.item, suggestion=replace(ranked, shown=0)).shown == ()
    many = replace(ranked, tags=tags * 5, shown=20)
    assert len(replace(desk.item, suggestion=many).shown) == annotation.SHOWN
    long = replace(ranked, tags=(replace(tags[0], tag="长" * 101), *tags))
    assert [tag.tag for tag in replace(desk.item, suggestion=long).shown] == ["电影"]


def test_a_submit_is_stored_with_what_was_shown_and_the_next_question_comes(desk, send, store):
    outcome = send("submit", verdicts={"电影": "accepted", "导演": "rejected", "影评": "added"}, seconds=3.5)
    assert outcome.error is None
    assert outcome.receipt.standing == "answer"
    with store.read() as session:
        settled = look_at(session, 1).settled
    assert settled.tags == ("电影", "影评")
    assert (settled.rejected, settled.unjudged) == (("导演",), ("演员",))
    assert desk.item.claim.question_id == 2


def test_the_same_message_twice_is_one_decision(desk, send, store):
    first = send("submit", verdicts={"电影": "accepted"})
    again = send("submit", item=1, lease=1, verdicts={"电影": "accepted"}, again=2)
    assert again == first
    assert desk.item.claim.question_id == 2
    desk.outcome = None  # as after a restart of the server
    late = send("submit", item=1, lease=1, verdicts={"电影": "accepted"}, again=3)
    assert (late.receipt.number, late.receipt.repeated) == (first.receipt.number, True)


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
    skipped = send("skip", nonce="n2", reason="不熟悉").skipped
    assert (skipped.question_id, skipped.reason, skipped.receipt) == (1, "不熟悉", "S1")
    assert desk.item.claim.question_id == 2


def test_a_skip_that_is_sent_again_after_a_restart_has_the_same_receipt(desk, send, store):
    first = send("skip", nonce="n1", reason="不熟悉")
    desk.outcome = None
    again = send("skip", nonce="n1", item=1, reason="不熟悉", again=2)
    assert again.skipped == first.skipped
    assert "not on your desk" in str(send("skip", nonce="n2", item=4, reason="不熟悉").error)


def test_undo_brings_the_question_back_to_the_desk_with_its_choices(desk, send, store):
    first = send(
        "submit", verdicts={"电影": "accepted", "导演": "rejected", "影评": "added"}, comment="看", flag="重复"
    )
    outcome = send("undo", nonce="n2", target=str(first.receipt.number))
    assert outcome.undone.done.number == first.receipt.number
    assert desk.item.claim.question_id == 1
    assert desk.item.choices == Choices({"电影": "accepted", "导演": "rejected", "影评": "added"}, "看", "重复")
    assert tags_of(store, 1) == ()
    assert "Nothing of today" in str(send("undo", nonce="n3", target=str(first.receipt.number)).error)
    assert send("submit", nonce="n4", verdicts={"导演": "accepted"}).error is None
    assert tags_of(store, 1) == ("导演",)


def test_undo_walks_back_through_skips_too_and_in_a_new_session(desk, send, store):
    first = send("submit", nonce="n1", verdicts={"电影": "accepted"})
    skipped = send("skip", nonce="n2", reason="不熟悉").skipped
    desk.outcome = desk.item = None  # as after a reload
    assert send("undo", nonce="n3", target=skipped.receipt).undone.done == skipped
    assert desk.item.claim.question_id == 2
    assert send("undo", nonce="n4", target=str(first.receipt.number)).error is None
    assert desk.item.claim.question_id == 1


def test_an_undo_of_what_is_no_longer_the_last_takes_back_nothing(desk, send, store):
    first = send("submit", nonce="n1", verdicts={"电影": "accepted"})
    send("submit", nonce="n2", verdicts={"导演": "accepted"})
    outcome = send("undo", nonce="n3", target=str(first.receipt.number))
    assert "Something else was done meanwhile" in str(outcome.error)
    assert (tags_of(store, 1), tags_of(store, 2)) == (("电影",), ("导演",))


def test_another_queue_puts_the_question_back(desk, store, suggester, li):
    assert desk.item.claim.question_id == 1
    annotation.put_back(desk, store, li)
    assert desk.item is None
    with store.read() as session:
        assert queue.holders(session) == []


@pytest.mark.parametrize("length", [101, 300])
def test_one_limit_for_the_length_of_a_tag(desk, send, store, length):
    outcome = send("submit", verdicts={"长" * length: "added"})
    assert f"{length} characters; a tag has at most 100" in str(outcome.error)
    assert tags_of(store, 1) == ()
    assert send("submit", nonce="n2", verdicts={"长" * 100: "added"}).error is None


def test_an_undo_that_somebody_else_was_quicker_than_leaves_the_desk_alone(desk, send, store, li):
    first = send("submit", verdicts={"电影": "accepted"})
    wang = store.run(lambda session: people.add(session, "wang", by=li).id)
    store.run(lambda session: ledger.undo(session, first.receipt.number, li))
    from db.queue import claims as queue

    store.run(lambda session: queue.claim_question(session, wang, 1))
    outcome = send("undo", nonce="n2", target=str(first.receipt.number))
    assert "Nothing of today is left" in str(outcome.error)
    assert desk.item.claim.question_id == 2


def test_people_can_tag_without_a_model(store, suggester, tagger, li):
    tagger.result = InputError("nothing to read")
    desk = Desk()
    annotation.take(desk, store, suggester, li, QueueChoice())
    assert (str(desk.item.trouble), desk.item.shown) == ("nothing to read", ())
    annotation.act(
        desk,
        {"type": "submit", "nonce": "n", "item": 1, "lease": desk.item.claim.lease_id, "verdicts": [["电影", "added"]]},
        store,
        suggester,
        li,
        QueueChoice(),
        TODAY,
    )
    assert tags_of(store, 1) == ("电影",)


def test_a_blind_question_shows_no_labels_either_that_it_came_with(store, suggester, li):
    store.run(lambda session: set_shares(session, Shares(random=0.0, blind=1.0)))
    rows = [IncomingQuestion(1, "盲标的问题怎么回答？", tags=("电影",), external_id="b", source="blind")]
    import_questions(store, rows, name="blind", fingerprint="blind")
    desk = Desk()
    annotation.take(desk, store, suggester, li, QueueChoice(source="blind"))
    assert desk.item.claim.prior_tags == ("电影",)
    told = board_data(
        desk,
        text=lambda key, **values: key,
        scheme="light",
        progress="",
        facts={},
        others=(),
        evidence={},
        words=(),
        matches=None,
    )
    assert (told["item"]["blind"], told["item"]["prior"]) == (True, [])


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

    monkeypatch.setattr("db.queue.claims.claim", fail)
    assert send("submit", verdicts={"电影": "accepted"}).receipt is not None
    assert desk.item is None
    assert tags_of(store, question) == ("电影",)


BAD_MESSAGES = {
    "infinite seconds": {"seconds": float("inf")},
    "seconds that are no number": {"seconds": float("nan")},
    "negative seconds": {"seconds": -1},
    "seconds as text": {"seconds": "1"},
    "seconds of thousands of digits": {"seconds": 10**5000},
    "a comment of megabytes": {"comment": "长" * 5_000_000},
    "a comment that is a list": {"comment": ["a"]},
    "a comment that is null": {"comment": None},
    "a flag of megabytes": {"flag": "旗" * 5_000_000},
    "a flag that is a number": {"flag": 1},
    "an unknown verdict": {"verdicts": [["电影", "perhaps"]]},
    "a verdict of megabytes": {"verdicts": [["电影", "x" * 5_000_000]]},
    "a verdict that is a list": {"verdicts": [["电影", ["accepted"]]]},
    "a tag of megabytes": {"verdicts": [["影" * 5_000_000, "added"]]},
    "a tag of half a surrogate pair": {"verdicts": [["影\ud800", "added"]]},
    "a tag that is a number": {"verdicts": [[1, "added"]]},
    "a tag that is nothing": {"verdicts": [["\u200b", "added"]]},
    "a tag named twice": {"verdicts": [["电影", "accepted"], ["电影", "rejected"]]},
    "verdicts that are a text": {"verdicts": "电影"},
    "verdicts that are no pairs": {"verdicts": [["电影"]]},
    "verdicts that are missing": {"verdicts": None},
    "a hundred thousand tags": {"verdicts": [[str(n), "added"] for n in range(100_000)]},
    "a question that is a text": {"item": "1"},
    "a question that is a truth": {"item": True},
    "a question beyond any number": {"item": 2**70},
    "a question that is infinite": {"item": float("inf")},
    "no question": {"item": None},
    "a lease that is a list": {"lease": [1]},
    "a lease beyond any number": {"lease": 2**70},
    "a number that is a list": {"nonce": ["n"]},
    "a number of megabytes": {"nonce": "n" * 5_000_000},
    "a number with a broken emoji": {"nonce": "n\ud800"},
    "no number": {"nonce": None},
    "a kind that is a list": {"type": ["submit"]},
    "a skip with a reason of megabytes": {"type": "skip", "reason": "长" * 5_000_000},
    "a skip with a reason that is a number": {"type": "skip", "reason": 7},
    "a skip without a reason": {"type": "skip"},
    "a skip of nothing": {"type": "skip", "item": [], "reason": "later"},
}


@pytest.mark.parametrize("what", BAD_MESSAGES)
def test_a_bad_message_gets_an_answer_and_stores_nothing(desk, store, suggester, li, what):
    claim = desk.item.claim
    good = {
        "type": "submit",
        "nonce": "n1",
        "item": claim.question_id,
        "lease": claim.lease_id,
        "verdicts": [["电影", "accepted"]],
        "seconds": 1.5,
        "comment": "",
        "flag": None,
    }
    annotation.act(desk, good | BAD_MESSAGES[what], store, suggester, li, QueueChoice(), TODAY)
    assert desk.outcome.error is not None
    shown = _outcome(desk.outcome, text=str, complain=lambda error: said(error, "zh"))["error"]
    assert 0 < len(shown["text"]) < 500
    assert shown["text"] != str(desk.outcome.error)  # said in Chinese
    json.dumps(shown, ensure_ascii=False).encode()  # the browser can be told
    assert tags_of(store, claim.question_id) == ()
    assert desk.item.claim == claim
    annotation.act(desk, good | {"nonce": "n2"}, store, suggester, li, QueueChoice(), TODAY)
    assert desk.outcome.error is None


@pytest.mark.parametrize("message", [7, "submit", [], {}, True, [{"type": "submit"}]])
def test_what_is_no_message_at_all_is_answered_too(desk, store, suggester, li, message):
    annotation.act(desk, message, store, suggester, li, QueueChoice(), TODAY)
    assert "does not know" in str(desk.outcome.error)


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (read_query, {"text": 7, "sequence": 1}),
        (read_query, {"text": "a", "sequence": float("inf")}),
        (read_query, {"text": "a", "sequence": "1"}),
        (read_query, {"sequence": 1}),
        (read_query, 7),
        (read_evidence_wish, {"item": 1, "tag": ["电影"]}),
        (read_evidence_wish, {"item": "1", "tag": "电影"}),
        (read_evidence_wish, {"tag": "电影"}),
        (read_evidence_wish, []),
    ],
)
def test_bad_searches_and_looks_are_refused_for_the_board_to_say(desk, read, message):
    with pytest.raises(Refused) as refused:
        read(message)
    annotation.complain(desk, refused.value)
    assert _outcome(desk.outcome, text=str, complain=str)["error"]["text"]
    assert desk.item is not None


def test_a_long_search_is_cut(desk):
    assert len(read_query({"text": "长" * 5_000_000, "sequence": 3}).text) == 100


def test_a_tag_may_have_any_name(desk, send, store):
    names = ("constructor", "__proto__", "toString")
    assert send("submit", verdicts=dict.fromkeys(names, "added")).error is None
    assert tags_of(store, 1) == names


def test_a_page_that_nobody_touches_gives_its_question_up(desk, store, li, monkeypatch):
    """The browser's own beats keep a question only for as long as somebody is there."""
    moment = [1000.0]
    monkeypatch.setattr(annotation, "monotonic", lambda: moment[0])
    annotation.touch(desk)

    def until():
        with store.read() as session:
            return session.get_one(Lease, desk.item.claim.lease_id).expires_at

    first = until()
    moment[0] += annotation.AWAY_SECONDS - 1
    time.sleep(0.002)
    annotation.keep(desk, store, li)
    kept = until()
    assert kept > first
    moment[0] += 2
    annotation.keep(desk, store, li)
    assert until() == kept
    annotation.touch(desk)
    time.sleep(0.002)
    annotation.keep(desk, store, li)
    assert until() > kept


def test_a_new_question_and_every_message_is_a_sign_of_life(desk, send, monkeypatch):
    moment = [desk.active_at + 10 * annotation.AWAY_SECONDS]
    monkeypatch.setattr(annotation, "monotonic", lambda: moment[0])
    send("submit", verdicts={"电影": "accepted"})
    assert desk.active_at == moment[0]
