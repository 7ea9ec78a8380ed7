"""What memory reads of the ledger: which lines came, and what is in force about the questions they are about."""

import pytest
from sqlalchemy import event, text, update

from db.ledger import decided_since
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.queue.claims import set_overlap
from db.store.tables import Suggestion
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from tests.db.actions import change_tags, decide, entry, review, suggest, undo
from tests.db.conftest import add_questions
from tests.db.memory_follower import Follower, built_anew


@pytest.fixture
def questions(store, team, live_model) -> list[int]:
    numbers = add_questions(store, 4)
    store.run(lambda session: set_overlap(session, 3))
    return numbers


def newest(store) -> int:
    with store.read() as session:
        return decided_since.newest(session)


def decided(store, *questions: int, **options):
    with store.read() as session:
        found = decided_since.decided(session, questions, **options)
    assert found.keys() == set(questions)
    return found[questions[0]] if len(questions) == 1 else found


def test_lines_of_any_kind_come_in_their_order_and_as_many_as_are_asked_for(store, team, questions):
    before = newest(store)
    made = decide(store, questions[0], team.li, "电影")
    settled = review(store, questions[0], team.researcher, "音乐")
    renamed = change_tags(store, team.researcher, tags.plan_rename, "音乐", "乐")
    taken_back = undo(store, settled, team.researcher)
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    redacted = store.run(lambda session: ledger.redact(session, questions[1], team.admin, reason="privacy"))
    with store.read() as session:
        found = decided_since.changes(session, before, 100)
        assert decided_since.changes(session, before, 2) == found[:2]
        assert decided_since.changes(session, found[1].number, 3) == found[2:5]
        assert decided_since.changes(session, newest(store), 100) == []
    numbers = [made.number, settled.number, renamed, taken_back.number, redacted.number - 1, redacted.number]
    assert [line.number for line in found] == numbers
    assert [line.kind for line in found] == ["decision", "review", "tag", "undo", "register", "redact"]
    assert {line.kind for line in found} - set(decided_since.MEMORY_KINDS) == {"register"}
    first, second = questions[:2]
    assert [line.question_id for line in found] == [first, first, None, first, None, second]
    assert [line.at for line in found] == [entry(store, number).at for number in numbers]
    assert newest(store) == redacted.number


def test_a_line_that_is_not_committed_yet_leaves_its_number_out(store, team, questions):
    """PostgreSQL gives numbers before the commit; SQLite has one writer at a time."""
    before = newest(store)
    if store.is_sqlite:
        return
    with store.write() as slow:
        first = ledger.submit(slow, ledger.Submission(questions[0], team.li, {"电影": "added"}))
        quick = decide(store, questions[1], team.wang, "电影")
        with store.read() as session:
            assert [line.number for line in decided_since.changes(session, before, 9)] == [quick.number]
        assert first.number < quick.number
    with store.read() as session:
        assert [line.number for line in decided_since.changes(session, before, 9)] == [first.number, quick.number]


def test_an_empty_ledger_has_no_newest_line(store):
    assert newest(store) == 0
    with store.read() as session:
        assert decided_since.changes(session, 0, 5) == []
        assert decided_since.decided_after(session, 0, 5) == []
        assert decided_since.decided(session, []) == {}


def test_a_decision_is_told_with_its_question_and_its_line(store, team, questions):
    made = suggest(store, questions[0], {"影片": 4, "导演": 2})
    verdicts = {"影片": "accepted", "导演": "rejected", "美食": "added"}
    receipt = decide(store, questions[0], team.li, verdicts=verdicts, suggestion_id=made)
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    found = decided(store, questions[0])
    assert (found.tags, found.rejected) == (("电影", "美食"), ("导演",))  # as they are named now
    assert (found.question_id, found.number, found.at) == (questions[0], receipt.number, receipt.at)
    with store.read() as session:
        title, source = session.execute(text("SELECT title, source FROM questions ORDER BY id")).first()
    assert (found.title, found.description, found.source) == (title, "", source)


def test_the_newest_line_that_counts_is_told(store, team, questions):
    first = questions[0]
    decide(store, first, team.li, "电影", "音乐")
    second = decide(store, first, team.wang, "电影")
    third = decide(store, first, team.researcher, "电影", "音乐")
    assert (decided(store, first).tags, decided(store, first).number) == (("电影", "音乐"), third.number)
    decide(store, first, team.admin, "美食")  # a second opinion, which does not count
    assert decided(store, first).number == third.number
    undo(store, third, team.researcher)
    assert (decided(store, first).tags, decided(store, first).number) == (("电影",), second.number)
    settled = review(store, first, team.researcher, "美食")
    assert (decided(store, first).tags, decided(store, first).number) == (("美食",), settled.number)


def test_what_is_not_in_force_is_told_as_nothing(store, team, questions):
    first, second, third = questions[:3]
    receipt = decide(store, first, team.li, "电影")
    decide(store, second, team.li, "电影")
    decide(store, second, team.wang, "音乐")  # no tag has more than half
    decide(store, third, team.li, "电影")
    store.run(lambda session: ledger.redact(session, third, team.admin, reason="privacy"))
    undone = undo(store, receipt, team.li)
    assert decided(store, *questions, 4711) == dict.fromkeys([*questions, 4711])
    undo(store, undone, team.li)
    assert decided(store, first).tags == ("电影",)
    decide(store, second, team.researcher, "音乐")
    assert decided(store, second).tags == ("音乐",)  # still in conflict, but two of three


def test_that_no_tag_is_right_is_told_too(store, team, questions):
    made = suggest(store, questions[0], {"电影": 4})
    decide(store, questions[0], team.li, verdicts={"电影": "rejected"}, suggestion_id=made)
    assert (decided(store, questions[0]).tags, decided(store, questions[0]).rejected) == ((), ("电影",))


# --- what was served


def test_what_was_served_is_told_as_it_was_answered(store, team, questions):
    tags_ = [
        ProposedTag("影片", 4, 1.0, True, False, figures={"votes": 1.0}),
        ProposedTag("导演", 2, 0.5, True, False, figures={"votes": 0.5, "near": 0.25}),
        ProposedTag("生活", 1, 0.25, True, False),
        ProposedTag("旅行", 0, 0.0, False, True, figures={"near": 0.125}),
    ]
    made = store.run(lambda session: suggestions.record(session, questions[0], "v1", 4, 0.5, tags_, cut=0.25))
    verdicts = {"影片": "accepted", "导演": "rejected", "美食": "added"}
    decide(store, questions[0], team.li, verdicts=verdicts, suggestion_id=made)
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    served = decided(store, questions[0]).serving
    assert (served.suggestion_id, served.kept) == (made, ("影片", "导演", "生活"))
    assert (served.tags, served.rejected, served.unjudged) == (("影片", "美食"), ("导演",), ("生活",))
    assert list(served.figures.items()) == [
        ("影片", {"votes": 1.0}),
        ("导演", {"votes": 0.5, "near": 0.25}),
        ("生活", {}),
        ("旅行", {"near": 0.125}),
    ]
    assert decided(store, questions[0], servings=False).serving is None


def test_the_first_decision_that_counts_says_how_the_suggestion_fared(store, team, questions):
    question = questions[0]
    by_hand = decide(store, question, team.wang, "电影")  # without a suggestion
    made = suggest(store, question, {"电影": 4, "导演": 2}, figures=True)
    first = decide(store, question, team.li, verdicts={"电影": "accepted", "导演": "rejected"}, suggestion_id=made)
    decide(store, question, team.researcher, verdicts={"电影": "accepted"}, suggestion_id=made)
    assert decided(store, question).serving.rejected == ("导演",)
    undo(store, by_hand, team.wang)
    assert decided(store, question).serving.rejected == ("导演",)
    undo(store, first, team.li)
    assert (decided(store, question).serving.rejected, decided(store, question).serving.unjudged) == ((), ("导演",))
    review(store, question, team.researcher, "电影")  # a review answers no suggestion
    assert decided(store, question).serving is None


def test_a_suggestion_with_mixed_votes_or_without_figures_teaches_nothing(store, team, questions):
    first, second, third = questions[:3]
    mixed, by_votes = suggest(store, first, {"电影": 4}, figures=True), suggest(store, second, {"电影": 4})
    with store.write() as session:
        session.execute(update(Suggestion).where(Suggestion.id == mixed).values(mixed_votes=True))
    for question, made in ((first, mixed), (second, by_votes)):
        decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=made)
        assert (decided(store, question).tags, decided(store, question).serving) == (("电影",), None)
    for question in (first, second):  # but another person's may
        better = suggest(store, question, {"电影": 4}, figures=True, beam=8)
        decide(store, question, team.wang, verdicts={"电影": "accepted"}, suggestion_id=better)
        assert decided(store, question).serving.suggestion_id == better
    decide(store, third, team.li, "电影")
    assert decided(store, third).serving is None


def test_a_suggestion_that_could_have_learned_from_its_own_question_teaches_nothing(store, team, questions):
    question = questions[0]
    honest = suggest(store, question, {"电影": 4}, figures=True, ledger_number=newest(store))
    first = decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=honest)
    later = suggest(store, question, {"电影": 4}, figures=True, ledger_number=first.number)
    changed = decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=later)
    assert decided(store, question).serving is None
    undo(store, changed, team.li)
    assert decided(store, question).serving.suggestion_id == honest
    back = undo(store, first, team.li)  # forgotten: what is suggested now is a first look again
    again = suggest(store, question, {"电影": 4}, figures=True, ledger_number=back.number)
    decide(store, question, team.li, verdicts={"电影": "rejected"}, suggestion_id=again)
    assert (decided(store, question).serving.suggestion_id, decided(store, question).serving.rejected) == (
        again,
        ("电影",),
    )


def test_a_page_takes_a_few_statements_however_many_questions_it_has(store, team, live_model):
    questions = add_questions(store, 60)
    for question in questions:
        made = suggest(store, question, {"电影": 4, "导演": 2}, figures=True)
        decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=made)

    def count(some: list[int]) -> int:
        statements = []
        with store.read() as session:
            event.listen(session.connection(), "before_cursor_execute", lambda *told: statements.append(told[2]))
            found = decided_since.decided(session, some)
        assert all(decided is not None and decided.serving is not None for decided in found.values())
        return len(statements)

    assert count(questions) == count(questions[:1]) <= 8


# --- which questions


def test_questions_that_were_decided_are_paged_by_their_numbers(store, team, questions):
    first, second, third, fourth = questions
    for question in (third, first, third):
        decide(store, question, team.li, "电影")
    undo(store, decide(store, second, team.li, "电影"), team.li)  # nothing in force: the ledger speaks of it, though
    store.run(lambda session: ledger.redact(session, fourth, team.admin, reason="privacy"))
    with store.read() as session:
        assert decided_since.decided_after(session, 0, 2) == [first, second]
        assert decided_since.decided_after(session, second, 2) == [third]
        assert decided_since.decided_after(session, third, 2) == []


def test_a_change_of_a_tag_leads_to_the_questions_it_is_about(store, team, questions):
    first, second, third, _ = questions
    decide(store, first, team.li, "影片")
    decide(store, second, team.li, "音乐")
    made = suggest(store, third, {"影片": 4})
    decide(store, third, team.li, verdicts={"影片": "rejected"}, suggestion_id=made)

    def touched(number: int) -> tuple[set[str], set[int]]:
        with store.read() as session:
            keys = decided_since.keys_of(session, [number])
            return keys, decided_since.questions_with(session, keys)

    merge = change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    assert touched(merge) == ({"影片"}, {first, third})
    rename = change_tags(store, team.researcher, tags.plan_rename, "电影", "大片")
    assert touched(rename) == ({"影片", "电影", "大片"}, {first, third})
    back = change_tags(store, team.researcher, tags.plan_undo, merge)
    assert touched(back) == ({"影片"}, {first, third})
    alias = change_tags(store, team.researcher, tags.plan_alias, "音乐", "music")
    assert touched(alias) == ({"music"}, set())
    deprecated = change_tags(store, team.researcher, tags.plan_status, "音乐", "deprecated")
    assert touched(deprecated) == (set(), set())  # it means what it meant
    import_tags(store, [IncomingTag(1, "旅行", aliases=("音乐节",))], team.admin, name="list")
    assert touched(newest(store)) == ({"旅行", "音乐节"}, set())
    with store.read() as session:
        assert decided_since.keys_of(session, []) == decided_since.questions_with(session, []) == set()


def test_who_follows_the_ledger_knows_what_one_who_reads_it_anew_knows(store, team, questions):
    """A part of what the property tests do, told by hand: only what a line is about is read again."""
    follower = Follower()

    def check(read: int) -> None:
        before = follower.read
        with store.read() as session:
            follower.catch_up(session)
            anew = built_anew(session)
        assert follower.read - before == read
        assert (follower.decided, follower.names) == (anew.decided, anew.names)

    check(0)
    first = decide(store, questions[0], team.li, "影片")
    decide(store, questions[1], team.li, "音乐")
    check(2)
    merge = change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    check(1)
    assert follower.names["影片"] == ("影片", "电影", None)
    undo(store, first, team.li)
    check(1)
    change_tags(store, team.researcher, tags.plan_undo, merge)
    check(1)
    store.run(lambda session: ledger.redact(session, questions[1], team.admin, reason="privacy"))
    check(1)
    assert follower.decided == {}
