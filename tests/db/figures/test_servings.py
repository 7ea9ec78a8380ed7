"""How suggestions fared before anything was learned from the answer to them."""

import pytest

from db.figures import dashboard, servings
from db.figures.dashboard import Filters
from db.figures.rate import JUDGED, SHOWN, Rate
from db.ledger import entries as ledger
from db.ledger.in_force import is_none_of, out_of_force
from db.models import registry, suggestions
from db.store.records import ProposedTag
from db.store.tables import Entry
from tests.db.actions import claim, decide, review, share, undo
from tests.db.conftest import add_questions


def serve(store, question: int, chances: dict[str, float], *, knew: int = 0, cut: float = 0.5, **options) -> int:
    """Tags with such chances; those over the cut are kept."""
    tags = [ProposedTag(tag, 4, 0.5, chance > cut, False, chance=chance) for tag, chance in chances.items()]
    return store.run(
        lambda session: suggestions.record(
            session, question, "v1", 8, 0.25, tags, cut=cut, ledger_number=knew or None, **options
        )
    )


def answer(store, question: int, person: int, suggestion: int, shown, **verdicts) -> int:
    """The number of the decision. `verdicts`: tag -> verdict."""
    return decide(
        store, question, person, verdicts=verdicts, suggestion_id=suggestion, shown=shown, lease_id=None
    ).number


@pytest.fixture
def counted():
    """The conditions that the dashboard would ask with."""

    def conditions(session, **filters):
        gone, _ = out_of_force(session)
        wanted = [*dashboard.conditions(Filters(**filters)), is_none_of(session, Entry.number, gone)]
        return servings.first_looks(session, wanted)

    return conditions


def test_chances_are_counted_in_bins_with_what_became_of_them(store, team, live_model, counted):
    one, two = add_questions(store, 2)
    first = serve(store, one, {"电影": 0.95, "影评": 0.9, "导演": 0.31, "演员": 0.05})
    answer(store, one, team.li, first, ["电影", "影评", "导演"], 电影="accepted", 导演="rejected")
    second = serve(store, two, {"电影": 0.97, "音乐": 0.35})
    answer(store, two, team.li, second, ["电影", "音乐"], 音乐="accepted", 摇滚="added")
    with store.read() as session:
        found = servings.chance_rates(session, counted(session))
    assert [(round(each.low, 1), round(each.high, 1), each.rate) for each in found] == [
        (0.3, 0.4, Rate(1, 1, 0)),
        (0.8, 0.9, Rate(0, 0, 1)),  # 0.9 is not over 0.9
        (0.9, 1.0, Rate(1, 0, 1)),
    ]
    assert found[2].mean == pytest.approx(0.96)
    assert (found[2].rate.share(SHOWN), found[2].rate.share(JUDGED)) == (0.5, 1.0)


def test_decisions_come_in_their_order_with_what_was_kept_and_what_was_seen(store, team, live_model, counted):
    one, two, three = add_questions(store, 3)
    first = serve(store, one, {"电影": 0.9, "影评": 0.7, "导演": 0.3})
    answer(store, one, team.li, first, ["电影", "影评", "导演"], 电影="accepted", 导演="rejected", 摇滚="added")
    many = {f"标签{place}": 0.9 - place / 100 for place in range(7)}
    second = serve(store, two, many)
    answer(store, two, team.li, second, list(many), 标签0="accepted")
    decide(store, three, team.li, "电影")  # answers no suggestion
    with store.read() as session:
        found = servings.judged(session, counted(session), 10)
        newest = servings.judged(session, counted(session), 1)
    assert [(each.kept, each.tags, each.rate) for each in found] == [
        (("电影", "影评"), ("电影", "摇滚"), Rate(1, 1, 1)),
        (tuple(many)[:5], ("标签0",), Rate(1, 0, 6)),
    ]
    assert found[0].shown == ("电影", "影评", "导演")
    assert found[0].pick == "direct"
    assert newest == found[1:]


def test_an_answer_to_what_the_question_itself_had_taught_is_left_out(store, team, live_model, counted):
    changed, second, undone, reviewed, fresh = add_questions(store, 5, overlap=2)

    def numbers() -> list[int]:
        with store.read() as session:
            return [each.number for each in servings.judged(session, counted(session), 50)]

    blind = serve(store, changed, {"电影": 0.9})
    before = answer(store, changed, team.li, blind, ["电影"], 电影="accepted")
    assert numbers() == [before]
    again = serve(store, changed, {"电影": 0.99}, knew=before)
    answer(store, changed, team.li, again, ["电影"], 电影="accepted")  # in the place of the first
    assert numbers() == []
    of_li = decide(store, second, team.li, "电影").number
    answer(store, second, team.wang, serve(store, second, {"电影": 0.9}, knew=of_li), ["电影"], 电影="accepted")
    known = serve(store, undone, {"电影": 0.9}, knew=of_li)
    taken_back = decide(store, undone, team.li, "电影")
    back = undo(store, taken_back, team.li).number
    late = answer(store, undone, team.li, known, ["电影"], 电影="accepted")  # served before all of it
    review(store, reviewed, team.researcher, "电影")
    told = serve(store, reviewed, {"电影": 0.9}, knew=back + 2)
    answer(store, reviewed, team.li, told, ["电影"], 电影="accepted")
    right = answer(store, fresh, team.li, serve(store, fresh, {"电影": 0.9}, knew=back), ["电影"], 电影="accepted")
    assert numbers() == [late, right]


def test_a_decision_that_was_taken_back_before_the_question_was_served_again_taught_nothing(
    store, team, live_model, counted
):
    (question,) = add_questions(store, 1)
    first = answer(store, question, team.li, serve(store, question, {"电影": 0.9}), ["电影"], 电影="accepted")
    taken_back = store.run(lambda session: ledger.undo(session, first, team.li)).number
    suggestion = serve(store, question, {"电影": 0.8}, knew=taken_back)
    second = answer(store, question, team.li, suggestion, ["电影"], 电影="rejected", 影评="added")
    with store.read() as session:
        assert [each.number for each in servings.judged(session, counted(session), 9)] == [second]


def test_old_rows_with_mixed_votes_do_not_count(store, team, live_model, counted):
    (question,) = add_questions(store, 1)
    suggestion = serve(store, question, {"电影": 0.9})
    answer(store, question, team.li, suggestion, ["电影"], 电影="accepted")
    store.run(lambda session: session.execute(servings.Suggestion.__table__.update().values(mixed_votes=True)))
    with store.read() as session:
        assert servings.judged(session, counted(session), 9) == []
        assert servings.chance_rates(session, counted(session)) == ()
        assert not servings.orders_by_chance(session)


def test_filters_and_picks(store, team, live_model, counted):
    share(store, random=1.0, blind=0.0)
    add_questions(store, 1)
    claimed = claim(store, team.li)
    suggestion = serve(store, claimed.question_id, {"电影": 0.9})
    decide(
        store,
        claimed.question_id,
        team.li,
        verdicts={"电影": "accepted"},
        suggestion_id=suggestion,
        shown=["电影"],
        lease_id=claimed.lease_id,
    )
    (other,) = add_questions(store, 1)
    answer(store, other, team.li, serve(store, other, {"电影": 0.9}), ["电影"], 电影="accepted")
    with store.read() as session:
        everything = servings.judged(session, counted(session), 9)
        at_random = servings.judged(session, counted(session, random_only=True), 9)
        assert servings.judged(session, counted(session, version="v9"), 9) == []
    assert [each.pick for each in everything] == ["random", "direct"]
    assert at_random == everything[:1]


def test_whether_the_live_model_orders_by_chance_is_told_by_its_newest_suggestion(store, team, live_model):
    one, two = add_questions(store, 2)
    with store.read() as session:
        assert not servings.orders_by_chance(session)
    by_votes = [ProposedTag("电影", 4, 0.5, True, False)]
    store.run(lambda session: suggestions.record(session, one, "v1", 8, 0.25, by_votes))
    with store.read() as session:
        assert not servings.orders_by_chance(session)
    serve(store, two, {"电影": 0.9})
    with store.read() as session:
        assert servings.orders_by_chance(session)
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    store.run(lambda session: registry.promote(session, "v2", team.admin))
    with store.read() as session:
        assert not servings.orders_by_chance(session)
