"""What models proposed: kept for ever, added to by newer models, fresh only from the live one."""

import math

import pytest
from sqlalchemy import select, update

from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.models import decodings, registry, suggestions
from db.models.suggestions import ProposedTag
from db.queue import claims as queue
from db.store.records import ToldFinding
from db.store.tables import QueueItem, Suggestion
from tests.db import actions
from tests.db.actions import decide, item, scalar, suggest
from tests.db.conftest import add_questions
from tests.db.interleaving import interleave


@pytest.fixture
def question(store, team, live_model) -> int:
    (number,) = add_questions(store, 1)
    return number


def go_live(store, team, version: str) -> None:
    def begin(session):
        registry.register(session, version, f"models/{version}")
        registry.promote(session, version, team.admin)

    store.run(begin)


def fresh(store, question: int):
    with store.read() as session:
        return suggestions.fresh(session, question)


def history(store, question: int):
    with store.read() as session:
        return suggestions.history(session, question)


def prune(store, person_id: int, **options) -> int:
    return store.run(lambda session: suggestions.prune(session, person_id, **options))


@pytest.mark.parametrize(
    ("votes", "beam", "bits"),
    [
        ([], 4, 0.0),
        ([4, 4], 4, 0.0),  # all agree
        ([0], 4, 0.0),
        ([2], 4, 0.5),  # -1/2 log2 1/2
        ([2, 2], 4, 1.0),
        ([1], 4, 0.5),  # -1/4 log2 1/4
        ([4, 2, 1, 1], 4, 1.5),
        ([1, 1, 1], 8, 1.125),  # 3 * 1/8 * 3
    ],
)
def test_certainty_is_minus_the_vote_entropy_in_bits(store, question, votes, beam, bits):
    suggest(store, question, {f"标签{place}": count for place, count in enumerate(votes)}, beam=beam)
    assert item(store, question).certainty == pytest.approx(-bits)


def test_a_suggestion_is_kept_as_it_was_made(store, question):
    tags = [ProposedTag("电\0影 ", 4, 0.75, True, False), ProposedTag("新词", 1, 0.25, False, True)]
    number = store.run(lambda session: suggestions.record(session, question, "v1", 4, 0.5, tags))
    (stored,) = history(store, question)
    assert (stored.id, stored.question_id, stored.model_version) == (number, question, "v1")
    assert (stored.beam, stored.threshold, stored.fresh) == (4, 0.5, True)
    assert stored.tags == (ProposedTag("电影", 4, 0.75, True, False), ProposedTag("新词", 1, 0.25, False, True))
    assert fresh(store, question) == stored


def test_the_same_model_with_the_same_settings_is_recorded_once(store, question):
    first = suggest(store, question, {"电影": 4})
    assert suggest(store, question, {"音乐": 1}) == first
    assert [tag.tag for tag in fresh(store, question).tags] == ["电影"]
    other = suggest(store, question, {"音乐": 5}, beam=5)
    assert other != first
    assert [tag.tag for tag in fresh(store, question).tags] == ["音乐"]  # the newest


def test_all_that_is_known_about_a_tag_is_kept(store, question):
    told = (
        ToldFinding("near", "finding.precedents", {"count": 4, "of": 5.0, "tag": "电\0影"}),
        ToldFinding("words", "w"),
    )
    tags = [
        ProposedTag("电影", 3, 0.75, True, False, chance=0.8125, evidence=told, figures={"votes": 0.75, "near": 1 / 3}),
        ProposedTag("新词", 0, 0.0, False, True, chance=0.0, figures={"votes": 0, "odd": math.nan, "great": math.inf}),
    ]
    options = {"ledger_number": 7, "cut": 0.25, "shown": 1, "precedents": [(12, 0.5), (4, 1)]}
    number = store.run(lambda session: suggestions.record(session, question, "v1", 4, 0.5, tags, **options))
    with store.read() as session:
        stored = suggestions.find(session, number)
    assert stored == fresh(store, question)
    assert (stored.ledger_number, stored.cut, stored.shown, stored.mixed_votes) == (7, 0.25, 1, False)
    assert stored.precedents == ((12, 0.5), (4, 1.0))
    first, second = stored.tags
    assert first.evidence == (
        ToldFinding("near", "finding.precedents", {"count": 4, "of": 5.0, "tag": "电影"}),
        ToldFinding("words", "w"),
    )
    assert (first.chance, first.figures) == (0.8125, {"votes": 0.75, "near": 1 / 3})
    assert (second.chance, second.figures) == (0.0, {"votes": 0.0})  # JSON knows no others


def test_a_suggestion_that_is_not_there_is_not_found(store, question):
    with store.read() as session, pytest.raises(NotFound, match="There is no suggestion 4711"):
        suggestions.find(session, 4711)


def test_only_the_best_tags_are_stored(store, question):
    many = {f"标签{place}": 4 for place in range(suggestions.MOST_STORED + 5)}
    suggest(store, question, many)
    assert [tag.tag for tag in fresh(store, question).tags] == list(many)[: suggestions.MOST_STORED]
    assert scalar(store, "SELECT count(*) FROM queue_tags WHERE key LIKE '标签%'") == suggestions.MOST_STORED


def test_a_model_suggests_again_when_it_knows_more(store, question):
    first, later = (suggest(store, question, {"电影": 4 - number}, ledger_number=number) for number in (1, 2))
    assert first != later
    assert suggest(store, question, {"音乐": 1}, ledger_number=1) == first  # knew nothing new
    assert (fresh(store, question).id, fresh(store, question).tags[0].votes) == (later, 2)
    assert [stored.ledger_number for stored in history(store, question)] == [1, 2]
    assert item(store, question).certainty == pytest.approx(-0.5)  # 2 of 4 votes: the newest counts


def test_what_knew_no_line_of_the_ledger_is_recorded_once_too(store, question):
    """NULL is equal to no NULL, so it is not what is stored."""
    first = suggest(store, question, {"电影": 4})
    assert suggest(store, question, {"音乐": 4}) == first
    assert (fresh(store, question).id, fresh(store, question).ledger_number) == (first, None)


def test_two_processes_that_suggest_the_same_at_once_store_it_once(store, question):
    def work(session):
        return suggestions.record(session, question, "v1", 4, 0.5, [ProposedTag("电影", 4, 1.0, True, False)])

    first: list[int] = []
    second = interleave(store, lambda session: first.append(work(session)), work)
    assert second.error is None
    assert [second.result] == first
    assert len(history(store, question)) == 1


def test_hypotheses_of_another_question_are_none_of_its(store, question):
    (other,) = add_questions(store, 1)
    found = store.run(lambda session: decodings.record(session, other, "v1", 4, [(("电影",), -1.0, "")]))
    suggest(store, question, {"电影": 4}, decoding_id=found)
    suggest(store, other, {"电影": 4}, decoding_id=found)
    assert [fresh(store, number).decoding_id for number in (question, other)] == [None, found]


def mix(store, number: int) -> None:
    """As if an older program had written it."""
    with store.write() as session:
        session.execute(update(Suggestion).where(Suggestion.id == number).values(mixed_votes=True))


def test_where_votes_are_mixed_the_model_is_asked_anew(store, question):
    """An older program asked it; what it said then is shown until it is asked again."""
    old = suggest(store, question, {"电影": 4})
    mix(store, old)
    with store.read() as session:
        assert waiting(session) == [question]
        assert suggestions.count_waiting(session) == 1
        assert [waits.id for waits in suggestions.waiting(session, "oldest", 5)] == [question]
    assert (fresh(store, question).id, fresh(store, question).mixed_votes) == (old, True)
    new = suggest(store, question, {"音乐": 4})
    assert (fresh(store, question).id, fresh(store, question).mixed_votes) == (new, False)
    with store.read() as session:
        assert waiting(session) == []
        assert suggestions.count_waiting(session) == 0


def test_a_newer_model_adds_and_never_overwrites(store, team, question):
    suggest(store, question, {"电影": 4})
    go_live(store, team, "v2")
    suggest(store, question, {"音乐": 4}, version="v2")
    assert [(s.model_version, s.fresh, s.tags[0].tag) for s in history(store, question)] == [
        ("v1", False, "电影"),
        ("v2", True, "音乐"),
    ]


def test_a_suggestion_of_a_retired_model_is_never_fresh(store, team, question):
    suggest(store, question, {"电影": 4})
    go_live(store, team, "v2")
    assert fresh(store, question) is None
    store.run(lambda session: registry.roll_back(session, team.admin))
    assert fresh(store, question).model_version == "v1"


def test_a_candidate_is_never_fresh(store, team, question):
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    suggest(store, question, {"电影": 4}, version="v2")
    assert fresh(store, question) is None


def waiting(session, *orders: str, ahead: int = 10) -> list[int]:
    return sorted(question.id for question in suggestions.next_without(session, orders or ("oldest",), ahead))


def test_only_the_next_questions_of_each_order_are_worked_on_ahead(store, team, live_model):
    numbers = add_questions(store, 6)
    with store.write() as session:
        session.execute(update(QueueItem).values(pool="ordered"))
        session.execute(update(QueueItem).where(QueueItem.question_id == numbers[5]).values(certainty=-2.0))
    with store.read() as session:
        assert waiting(session, ahead=2) == numbers[:2]
        assert waiting(session, "oldest", "uncertain", ahead=1) == [numbers[0], numbers[5]]
        assert waiting(session, ahead=0) == []


def test_open_questions_that_the_live_model_was_not_asked_about_are_listed(store, team, live_model):
    first, second, third = add_questions(store, 3)
    suggest(store, second, {"电影": 4})
    decide(store, third, team.li, "电影")
    with store.read() as session:
        assert waiting(session) == [first]
    go_live(store, team, "v2")
    with store.read() as session:
        assert waiting(session) == [first, second]


def test_without_a_live_model_nothing_is_to_be_asked(store, team, questions):
    with store.read() as session:
        assert waiting(session) == []


def test_unknown_questions_and_models_are_refused(store, question):
    with pytest.raises(NotFound, match="There is no question 4711"):
        suggest(store, 4711, {"电影": 4})
    with pytest.raises(NotFound, match="There is no model version v9"):
        suggest(store, question, {"电影": 4}, version="v9")


@pytest.fixture
def aged(store, team, live_model) -> dict[str, int]:
    """Suggestions by name: of a retired model old, answered and young, and of the live model an old one."""
    first, second, third, fourth = add_questions(store, 4)
    made = {
        "old": suggest(store, first, {"电影": 4, "音乐": 2}),
        "answered": suggest(store, second, {"电影": 4}),
        "young": suggest(store, third, {"电影": 4}),
    }
    go_live(store, team, "v2")
    made["live"] = suggest(store, fourth, {"电影": 4}, version="v2")
    receipt = decide(store, second, team.li, verdicts={"电影": "accepted"}, suggestion_id=made["answered"])
    store.run(lambda session: ledger.undo(session, receipt.number, team.li))  # answered once is answered
    day = 24 * 60 * 60 * 1_000_000
    with store.write() as session:
        for name in ("old", "answered", "live"):
            session.connection().exec_driver_sql(
                f"UPDATE suggestions SET created_at = created_at - {31 * day} WHERE id = {made[name]}"
            )
    return made


def test_pruning_takes_only_old_unanswered_suggestions_of_models_that_are_not_live(store, team, aged):
    assert prune(store, team.admin, older_than_days=30, dry_run=True) == 1
    assert scalar(store, "SELECT count(*) FROM suggestions") == 4
    assert prune(store, team.admin, older_than_days=30, dry_run=False) == 1
    with store.read() as session:
        left = session.connection().exec_driver_sql("SELECT id FROM suggestions ORDER BY id").scalars().all()
    assert left == [aged["answered"], aged["young"], aged["live"]]
    assert scalar(store, f"SELECT count(*) FROM suggested_tags WHERE suggestion_id = {aged['old']}") == 0
    assert prune(store, team.admin, older_than_days=30, dry_run=False) == 0


def test_pruning_takes_what_the_same_model_has_replaced_since(store, team, live_model):
    """Of a question each: replaced; the only one; replaced, but answered; replaced, but before somebody."""
    actions.serve_in_order(store)
    questions = add_questions(store, 4)
    old = [suggest(store, question, {"电影": 4}, ledger_number=1) for question in questions]
    decide(store, questions[2], team.li, verdicts={"电影": "accepted"}, suggestion_id=old[2])
    new = [suggest(store, question, {"电影": 3}, ledger_number=2) for question in (questions[0], *questions[2:])]
    store.run(lambda session: queue.claim_question(session, team.wang, questions[3]))
    assert prune(store, team.admin, older_than_days=1, dry_run=True) == 0  # made today
    with store.write() as session:
        session.connection().exec_driver_sql("UPDATE suggestions SET created_at = 0")
    assert prune(store, team.admin, older_than_days=1, dry_run=True) == 1
    assert prune(store, team.admin, older_than_days=1, dry_run=False) == 1
    with store.read() as session:
        assert list(session.scalars(select(Suggestion.id).order_by(Suggestion.id))) == sorted([*old[1:], *new])
    assert fresh(store, questions[0]).id == new[0]


def test_pruning_everything_still_keeps_what_was_answered_or_is_live(store, team, aged):
    # The clock may not have moved on since the youngest was made.
    with store.write() as session:
        session.connection().exec_driver_sql("UPDATE suggestions SET created_at = created_at - 1000000")
    assert prune(store, team.admin, older_than_days=0.0, dry_run=False) == 2
    assert scalar(store, "SELECT count(*) FROM suggestions") == 2


def test_pruning_takes_an_admin_and_an_age(store, team, aged):
    with pytest.raises(Refused, match="to change models takes an admin"):
        prune(store, team.researcher, older_than_days=30, dry_run=True)
    with pytest.raises(Refused, match="-1 days is not an age"):
        prune(store, team.admin, older_than_days=-1, dry_run=True)
