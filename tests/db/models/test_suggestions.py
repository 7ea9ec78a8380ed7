"""What models proposed: kept for ever, added to by newer models, fresh only from the live one."""

import pytest
from sqlalchemy import update

from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.store.tables import QueueItem
from tests.db.actions import decide, item, scalar, suggest
from tests.db.conftest import add_questions


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
