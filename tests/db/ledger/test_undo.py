"""Undo, review and redaction: new lines that take back, settle or empty what older ones said."""

import pytest

from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.store.tables import Comment, Question
from db.transfer.export import ExportFilter, labelled_questions
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import (
    change_tags,
    claim,
    decide,
    entry,
    expire,
    item,
    lease,
    look,
    review,
    scalar,
    serve_in_order,
    suggest,
    tags_of,
    undo,
    verdicts_of,
)
from tests.db.conftest import add_questions


@pytest.fixture
def question(store, team) -> int:
    serve_in_order(store)
    (number,) = add_questions(store, 1)
    return number


@pytest.fixture
def contested(store, team) -> int:
    """A question that li calls film and life, and wang film and music."""
    serve_in_order(store)
    (number,) = add_questions(store, 1, overlap=2)
    decide(store, number, team.li, "电影", "生活")
    decide(store, number, team.wang, "电影", "音乐")
    return number


def test_an_undo_takes_a_decision_back_and_reopens_the_question(store, team, question):
    receipt = decide(store, question, team.li, "电影")
    assert not item(store, question).is_open
    taken_back = undo(store, receipt, team.li)
    assert (taken_back.kind, taken_back.replaces) == ("undo", receipt.number)
    assert look(store, question).settled.state == "none"
    assert (item(store, question).answers, item(store, question).is_open) == (0, True)
    assert claim(store, team.li).question_id == question
    assert verdicts_of(store, receipt.number) == {"电影": "added"}  # the line itself stays


def test_an_undo_of_an_undo_brings_the_decision_back(store, team, question):
    receipt = decide(store, question, team.li, "电影")
    taken_back = undo(store, receipt, team.li)
    undo(store, taken_back, team.li)
    assert tags_of(store, question) == ["电影"]
    assert (item(store, question).answers, item(store, question).is_open) == (1, False)
    assert scalar(store, "SELECT count(*) FROM leases WHERE state = 'submitted'") == 1
    assert claim(store, team.li) is None


def test_what_was_taken_back_cannot_be_taken_back_twice(store, team, question):
    receipt = decide(store, question, team.li, "电影")
    taken_back = undo(store, receipt, team.li)
    with pytest.raises(Refused, match=f"Entry {receipt.number} was taken back already, by entry {taken_back.number}"):
        undo(store, receipt, team.li)
    undo(store, taken_back, team.li)
    undo(store, receipt, team.li)  # it is in force again, so it can be
    assert look(store, question).settled.state == "none"


def test_undoing_a_change_of_mind_brings_the_first_opinion_back(store, team, question):
    decide(store, question, team.li, "电影")
    second = decide(store, question, team.li, "生活")
    undo(store, second, team.li)
    assert tags_of(store, question) == ["电影"]
    assert item(store, question).answers == 1


def test_undoing_the_first_opinion_leaves_the_second_in_force(store, team, question):
    first = decide(store, question, team.li, "电影")
    decide(store, question, team.li, "生活")
    undo(store, first, team.li)
    assert tags_of(store, question) == ["生活"]


def test_an_undo_leaves_the_opinions_of_others_alone(store, team, contested):
    with store.read() as session:
        lines = ledger.read_lines(session, [contested])[contested]
    undo(store, lines[0], team.li)
    settled = look(store, contested).settled
    assert (settled.state, settled.tags) == ("single", ("电影", "音乐"))
    assert (item(store, contested).answers, item(store, contested).conflict) == (1, False)
    assert item(store, contested).is_open


def test_a_second_opinion_counts_once_the_answer_is_taken_back(store, team, question):
    answer = decide(store, question, team.wang, "电影")
    decide(store, question, team.li, "生活")
    assert tags_of(store, question) == ["电影"]
    undo(store, answer, team.wang)
    assert tags_of(store, question) == ["生活"]


def test_an_answer_that_comes_back_after_another_came_is_a_second_opinion(store, team, question):
    answer = decide(store, question, team.li, "电影")
    taken_back = undo(store, answer, team.li)
    assert taken_back.standing is None
    assert decide(store, question, team.wang, "生活").standing == "answer"
    before = look(store, question).settled
    back = undo(store, taken_back, team.li)
    assert (back.standing, tags_of(store, question)) == ("second_opinion", ["生活"])
    assert (look(store, question).settled.state, item(store, question).answers) == ("conflict", 2)
    again = decide(store, question, team.li, "音乐")  # a change of mind keeps the standing ...
    assert (again.standing, tags_of(store, question)) == ("second_opinion", ["生活"])
    assert undo(store, again, team.li).standing == "second_opinion"  # ... and so does its undo
    assert tags_of(store, question) == ["生活"]
    assert look(store, question, taken_back.at).settled.state == "none"
    then = look(store, question, back.at).settled
    assert (before.tags, then.tags) == (("生活",), ("生活",))


def test_an_answer_that_comes_back_to_a_free_place_is_an_answer(store, team, question):
    answer = decide(store, question, team.li, "电影")
    taken_back = undo(store, answer, team.li)
    other = decide(store, question, team.wang, "生活")
    undo(store, other, team.wang)
    assert undo(store, taken_back, team.li).standing == "answer"
    assert decide(store, question, team.wang, "生活").standing == "second_opinion"
    assert tags_of(store, question) == ["电影"]


def test_only_an_admin_takes_back_what_others_decided(store, team, question):
    receipt = decide(store, question, team.li, "电影")
    for person in (team.wang, team.researcher):
        with pytest.raises(Refused, match="to undo for others takes an admin"):
            undo(store, receipt, person)
    undo(store, receipt, team.admin)
    assert look(store, question).settled.state == "none"
    assert claim(store, team.li).question_id == question


def test_an_undo_can_be_sent_twice_under_one_key(store, team, question):
    receipt = decide(store, question, team.li, "电影")
    first = undo(store, receipt, team.li, idempotency_key="u")
    again = undo(store, receipt, team.li, idempotency_key="u")
    assert (again.number, again.repeated) == (first.number, True)
    with pytest.raises(Refused, match="key u was used for something else"):
        undo(store, first, team.li, idempotency_key="u")


def test_entries_that_are_not_about_a_question_have_another_way_back(store, team, question):
    from db.tags import planning as tags

    number = change_tags(store, team.researcher, tags.plan_alias, "电影", "影片")
    with pytest.raises(Refused, match=f"Entry {number} is a tag, which has a way back of its own"):
        store.run(lambda session: ledger.undo(session, number, team.admin))
    with pytest.raises(NotFound, match="There is no ledger entry 4711"):
        store.run(lambda session: ledger.undo(session, 4711, team.admin))


def test_a_review_settles_a_conflict_and_closes_the_question(store, team):
    serve_in_order(store)
    (question,) = add_questions(store, 1, overlap=3)
    decide(store, question, team.li, "电影", "生活")
    decide(store, question, team.wang, "电影", "音乐")
    assert (look(store, question).settled.state, tags_of(store, question)) == ("conflict", ["电影"])
    assert (item(store, question).conflict, item(store, question).is_open) == (True, True)
    receipt = review(store, question, team.researcher, "电影", "音乐", "导演", comment="看过了")
    assert verdicts_of(store, receipt.number) == {
        "电影": "accepted",
        "音乐": "accepted",
        "导演": "added",
        "生活": "rejected",
    }
    settled = look(store, question).settled
    assert (settled.state, settled.tags, settled.rejected) == ("reviewed", ("电影", "音乐", "导演"), ("生活",))
    now = item(store, question)
    assert (now.answers, now.conflict, now.reviewed, now.is_open) == (2, False, True, False)
    assert claim(store, team.admin) is None


def test_an_opinion_after_a_review_changes_no_label(store, team, contested):
    review(store, contested, team.researcher, "音乐")
    decide(store, contested, team.admin, "美食")
    assert (tags_of(store, contested), item(store, contested).answers) == (["音乐"], 3)


def test_undoing_a_review_brings_the_conflict_back(store, team, contested):
    receipt = review(store, contested, team.researcher, "音乐")
    undo(store, receipt, team.researcher)
    assert (look(store, contested).settled.state, tags_of(store, contested)) == ("conflict", ["电影"])
    assert (item(store, contested).conflict, item(store, contested).reviewed) == (True, False)


def test_a_second_review_replaces_the_first_and_its_undo_restores_it(store, team, contested):
    first = review(store, contested, team.researcher, "音乐")
    second = review(store, contested, team.admin, "生活")
    assert second.replaces == first.number
    assert tags_of(store, contested) == ["生活"]
    undo(store, second, team.admin)
    assert tags_of(store, contested) == ["音乐"]


def test_a_question_can_be_reviewed_before_anybody_decided(store, team, question):
    receipt = review(store, question, team.researcher, "电影")
    assert verdicts_of(store, receipt.number) == {"电影": "added"}
    assert not item(store, question).is_open


def test_a_review_takes_a_researcher_and_can_be_sent_twice(store, team, contested):
    for person in (team.li, team.wang):
        with pytest.raises(Refused, match="to review takes a researcher or admin"):
            review(store, contested, person, "电影")
    first = review(store, contested, team.researcher, "电影", idempotency_key="r")
    again = review(store, contested, team.researcher, "电影", idempotency_key="r")
    assert (again.number, again.repeated) == (first.number, True)
    with pytest.raises(Refused, match="电影 is named twice"):
        review(store, contested, team.researcher, "电影", "电影")


def test_a_review_of_opinions_that_spell_a_tag_differently_names_it_once(store, team):
    (question,) = add_questions(store, 1, overlap=2)
    decide(store, question, team.li, "Film")
    decide(store, question, team.wang, "FILM")
    receipt = review(store, question, team.researcher, "电影")
    assert verdicts_of(store, receipt.number) == {"电影": "added", "FILM": "rejected"}


def test_a_review_does_not_reject_another_spelling_of_what_it_takes(store, team):
    from db.tags import planning as tags

    (question,) = add_questions(store, 1, overlap=2)
    change_tags(store, team.researcher, tags.plan_alias, "电影", "影片")
    decide(store, question, team.li, "影片")
    decide(store, question, team.wang, "生活")
    receipt = review(store, question, team.researcher, "电影")
    assert verdicts_of(store, receipt.number) == {"电影": "accepted", "生活": "rejected"}


def test_a_redaction_removes_text_and_comments_and_keeps_receipts(store, team, contested):
    receipt = decide(store, contested, team.li, "电影", comment="他的电话是 123")
    redaction = store.run(lambda session: ledger.redact(session, contested, team.admin, reason="on request \ud83d"))
    assert entry(store, redaction.number).payload == {"reason": "on request \ufffd"}
    seen = look(store, contested)
    assert (seen.title, seen.description, seen.redacted) == ("[redacted]", "", True)
    assert look(store, contested, receipt.at).title == "[redacted]"  # the past is redacted too
    assert scalar(store, "SELECT text FROM comments") == "[redacted]"
    with store.read() as session:
        assert ledger.find_receipt(session, receipt.number) == receipt
    assert tags_of(store, contested) == ["电影"]
    assert (item(store, contested).conflict, item(store, contested).is_open) == (True, False)


def test_a_redaction_removes_the_reasons_of_skips_and_what_is_written_later(store, team):
    from db.queue import claims as queue

    serve_in_order(store)
    gone, kept = add_questions(store, 2, overlap=3)

    def skip(lease_id: int, person: int, reason: str) -> None:
        store.run(lambda session: queue.skip(session, lease_id, person, reason))

    def take(person: int, question: int) -> int:
        return store.run(lambda session: queue.claim_question(session, person, question)).lease_id

    skipped, expired, held = (take(person, gone) for person in (team.li, team.wang, team.researcher))
    skip(skipped, team.li, "他的电话是 123")
    other = take(team.li, kept)
    skip(other, team.li, "看不懂")
    expire(store, expired)
    claim(store, team.admin)  # sweeps
    assert lease(store, expired).state == "expired"
    store.run(lambda session: ledger.redact(session, gone, team.admin, reason="privacy"))
    assert (lease(store, skipped).reason, lease(store, held).reason) == ("[redacted]", None)
    assert (lease(store, held).state, lease(store, other).reason) == ("released", "看不懂")
    skip(expired, team.wang, "电话 123")
    assert (lease(store, expired).state, lease(store, expired).reason) == ("skipped", "[redacted]")
    late = decide(store, gone, team.researcher, "生活", lease_id=held, comment="电话 123")
    said = review(store, gone, team.researcher, "生活", comment="电话 123")
    fine = decide(store, kept, team.researcher, "生活", comment="好")
    silent = decide(store, gone, team.wang, "生活")
    with store.read() as session:
        stored = {comment.entry_number: comment.text for comment in session.query(Comment)}
    assert stored == {late.number: "[redacted]", said.number: "[redacted]", fine.number: "好"}
    assert silent.number not in stored


def test_a_redacted_question_is_never_served_or_exported(store, team):
    from db.queue import claims as queue

    serve_in_order(store)
    kept, gone = add_questions(store, 2)
    decide(store, kept, team.li, "电影")
    held = claim(store, team.wang)
    assert held.question_id == gone
    store.run(lambda session: ledger.redact(session, gone, team.admin, reason="privacy"))
    assert lease(store, held.lease_id).state == "released"
    assert claim(store, team.wang) is None
    store.run(lambda session: queue.set_overlap(session, 5))
    assert claim(store, team.researcher).question_id == kept
    with pytest.raises(Refused, match=f"Question {gone} was redacted"):
        store.run(lambda session: queue.claim_question(session, team.wang, gone))
    late = decide(store, gone, team.wang, "生活", lease_id=held.lease_id)  # a decision is never lost
    assert late.standing == "answer"
    with store.read() as session:
        assert [row.question_id for row in labelled_questions(session, ExportFilter())] == [kept]


def test_importing_a_redacted_text_again_does_not_bring_it_back(store, team):
    rows = [IncomingQuestion(1, "我住在某某路 1 号", "描述", ("生活",))]
    import_questions(store, rows, name="a", fingerprint="a")
    question = scalar(store, "SELECT id FROM questions")
    store.run(lambda session: ledger.redact(session, question, team.admin, reason="privacy"))
    report = import_questions(store, rows, name="b", fingerprint="b")
    assert (report.added, report.duplicates) == (0, 1)
    with store.read() as session:
        assert [q.title for q in session.query(Question)] == ["[redacted]"]


def test_only_an_admin_redacts_and_only_once(store, team, question):
    with pytest.raises(Refused, match="to redact takes an admin"):
        store.run(lambda session: ledger.redact(session, question, team.researcher, reason="x"))
    store.run(lambda session: ledger.redact(session, question, team.admin, reason="x"))
    with pytest.raises(Refused, match=f"Question {question} was redacted already"):
        store.run(lambda session: ledger.redact(session, question, team.admin, reason="x"))
    with pytest.raises(NotFound, match="There is no question 4711"):
        store.run(lambda session: ledger.redact(session, 4711, team.admin, reason="x"))


def test_an_answer_to_a_suggestion_survives_its_undo_and_return(store, team, live_model, question):
    suggestion = suggest(store, question, {"电影": 4, "导演": 2})
    receipt = decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=suggestion)
    undo(store, undo(store, receipt, team.li), team.li)
    settled = look(store, question).settled
    assert (settled.tags, settled.unjudged) == (("电影",), ("导演",))
    assert settled.opinions[0].model_version == "v1"
