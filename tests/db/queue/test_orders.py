"""In which order questions are served: oldest, uncertain, rare, filtered, and the shares that are set aside."""

import math

import pytest
from sqlalchemy import update

from db.errors import Refused
from db.models import registry
from db.queue.shares import Shares
from db.spellings.new_tags import ensure_tags
from db.store.tables import NO_TAGS, PriorLabel, QueueItem
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions, random_key, text_hash
from tests.db.actions import (
    change_tags,
    claim,
    claimed_ids,
    decide,
    item,
    lease,
    scalar,
    serve_in_order,
    share,
    submit,
    suggest,
    undo,
)
from tests.db.conftest import add_questions


@pytest.fixture
def four(store, team, live_model) -> list[int]:
    """Four questions without prior tags, served in the order asked for."""
    serve_in_order(store)
    rows = [IncomingQuestion(line, f"question {line}?", source="ab"[line % 2]) for line in range(1, 5)]
    import_questions(store, rows, name="four", fingerprint="four")
    return list(range(1, 5))


def test_the_oldest_come_first(store, team, four):
    assert claimed_ids(store, team.li, order="oldest") == [1, 2, 3, 4]


def test_the_most_uncertain_come_first_by_vote_entropy(store, team, four):
    suggest(store, 1, {"a": 4, "b": 4})  # all votes agree: 0 bits
    suggest(store, 2, {"a": 2, "b": 2})  # 1/2 twice: 0.5 + 0.5 = 1 bit
    suggest(store, 3, {"a": 1})  # 1/4: 0.25 * 2 = 0.5 bits
    assert [item(store, question).certainty for question in four] == [0.0, -1.0, -0.5, 0.0]
    assert claimed_ids(store, team.li, order="uncertain") == [2, 3, 1, 4]


def test_of_several_suggestions_of_a_model_its_newest_places_the_question(store, team, four):
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    for number, votes in enumerate([{"a": 2, "b": 2}, {"a": 1}], start=1):
        suggest(store, 1, votes, ledger_number=number)
        suggest(store, 2, dict(reversed(votes.items())), ledger_number=3 - number, version="v2")
    assert [item(store, question).certainty for question in four] == [-0.5, 0.0, 0.0, 0.0]
    suggest(store, 2, {"a": 4}, version="v2", ledger_number=3)
    store.run(lambda session: registry.promote(session, "v2", team.admin))
    assert [item(store, question).certainty for question in four] == [0.0, 0.0, 0.0, 0.0]
    store.run(lambda session: registry.roll_back(session, team.admin))
    assert [item(store, question).certainty for question in four] == [-0.5, 0.0, 0.0, 0.0]


def test_questions_with_the_rarest_tags_come_first(store, team, four):
    for tag, uses in (("common", 3), ("rare", 1)):
        for number in range(uses):
            rows = [IncomingQuestion(1, f"{tag} {number}", tags=(tag,), source="other")]
            import_questions(store, rows, name="more", fingerprint=f"{tag} {number}")
    suggest(store, 1, {"common": 4})
    suggest(store, 2, {"common": 4, "rare": 3})
    suggest(store, 3, {"never seen": 2, "common": 1})
    assert [item(store, question).rarest_uses for question in four] == [3, 1, 0, NO_TAGS]
    for source, expected in (("a", [2, 4]), ("b", [3, 1])):
        assert claimed_ids(store, team.li, order="rare", source=source) == expected


def test_a_suggestion_of_a_model_that_is_not_live_changes_no_order(store, team, four):
    from db.models import registry

    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    suggest(store, 3, {"a": 2, "b": 2}, version="v2")
    assert claimed_ids(store, team.li, order="uncertain") == [1, 2, 3, 4]


@pytest.fixture
def judged(store, team, four) -> list[int]:
    """v1 is live and has been asked about 1, 2 and 3, the candidate v2 about 2, 3 and 4; 4 came with a tag."""
    for tag, uses in (("common", 3), ("rare", 1)):
        for number in range(uses):
            rows = [IncomingQuestion(1, f"{tag} {number}", tags=(tag,), source="other")]
            import_questions(store, rows, name="more", fingerprint=f"{tag} {number}")
    with store.write() as session:
        session.add(PriorLabel(question_id=4, key="common", text="common", place=0))
        session.get_one(QueueItem, 4).rarest_uses = 3
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    suggest(store, 1, {"common": 2, "rare": 2})
    suggest(store, 2, {"common": 1})
    suggest(store, 3, {"common": 4})
    suggest(store, 2, {"common": 4, "x" * 4000: 4}, version="v2")  # too long to be a tag
    suggest(store, 3, {"common": 4}, version="v2", beam=5)
    suggest(store, 3, {"common": 2, "rare": 1}, version="v2", kept=2)  # the newest counts; rare is not kept
    suggest(store, 4, {"rare": 1}, version="v2")
    return four


def places(store, questions) -> list[tuple[float, int]]:
    return [(round(item(store, number).certainty, 9), item(store, number).rarest_uses) for number in questions]


BY_V1 = [(-1.0, 1), (-0.5, 3), (0.0, 3), (0.0, 3)]
BY_V2 = [(0.0, NO_TAGS), (0.0, 3), (-1.0, 3), (-0.5, 1)]


def test_the_orders_follow_the_model_that_goes_live_and_no_other(store, team, judged):
    assert places(store, judged) == BY_V1  # what a candidate says changes nothing
    store.run(lambda session: registry.promote(session, "v2", team.admin))
    assert places(store, judged) == BY_V2
    suggest(store, 1, {"common": 1})  # v1 once more: it was recorded, and it is retired
    suggest(store, 1, {"common": 1}, beam=5)
    assert places(store, judged) == BY_V2
    store.run(lambda session: registry.roll_back(session, team.admin))
    assert places(store, judged)[1:] == BY_V1[1:]
    assert places(store, judged)[0] == (round(-0.2 * math.log2(5), 9), 3)  # 1/5 of the votes, said while retired


@pytest.mark.parametrize(
    ("live", "uncertain", "rare"), [("v1", [1, 2, 3, 4], [1, 2, 3, 4]), ("v2", [3, 4, 1, 2], [4, 2, 3, 1])]
)
def test_questions_are_served_in_the_order_of_the_live_model(store, team, judged, live, uncertain, rare):
    if live == "v2":
        store.run(lambda session: registry.promote(session, "v2", team.admin))
    for person, order, expected in ((team.li, "uncertain", uncertain), (team.wang, "rare", rare)):
        with store.write() as session:
            session.execute(update(QueueItem).values(overlap=2, is_open=True))
        served = claimed_ids(store, person, order=order)
        assert [number for number in served if number in judged] == expected


def test_the_first_model_that_goes_live_brings_its_word(store, team):
    (question,) = add_questions(store, 1)
    store.run(lambda session: registry.register(session, "v1", "models/v1"))
    suggest(store, question, {"a": 2})
    assert item(store, question).certainty == 0.0
    store.run(lambda session: registry.promote(session, "v1", None))
    assert item(store, question).certainty == -0.5


def test_a_queue_can_be_filtered_by_source(store, team, four):
    assert claimed_ids(store, team.li, source="b") == [1, 3]
    assert claim(store, team.wang, source="c") is None


def test_a_queue_can_be_filtered_by_a_suggested_or_prior_tag(store, team, four):
    import_questions(store, [IncomingQuestion(1, "with a tag", tags=("电影",))], name="prior", fingerprint="prior")
    suggest(store, 2, {"电影": 3, "美食": 1}, kept=2)
    assert claimed_ids(store, team.li, tag="电影") == [2, 5]
    assert claim(store, team.li, tag="美食", another=True) is None  # proposed, but not kept
    assert claim(store, team.li, tag="音乐", another=True) is None


def test_a_filter_finds_a_tag_under_its_aliases_and_what_was_merged_into_it(store, team, four):
    suggest(store, 1, {"电影": 4})
    suggest(store, 2, {"影片": 4})
    suggest(store, 3, {"Film": 4})
    suggest(store, 4, {"音乐": 4})
    store.run(lambda session: ensure_tags(session, ["电影", "影片", "影视"], team.li))
    change_tags(store, team.researcher, tags.plan_alias, "影视", "film")
    change_tags(store, team.researcher, tags.plan_merge, "影视", "影片")
    change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    assert claimed_ids(store, team.li, tag="电影") == [1, 2, 3]
    assert claimed_ids(store, team.wang, tag="ＦＩＬＭ") == []
    assert claim(store, team.wang).question_id == 4


def test_a_filter_by_an_alias_finds_the_tags_other_spellings(store, team, four):
    suggest(store, 2, {"电影": 4})
    store.run(lambda session: ensure_tags(session, ["电影"], team.li))
    change_tags(store, team.researcher, tags.plan_alias, "电影", "movie")
    assert claimed_ids(store, team.li, tag="Movie") == [2]


def test_the_pool_of_a_question_is_fixed_by_its_text():
    shares = Shares(random=0.3, blind=0.2)
    assert [shares.pool(key) for key in (0.0, 0.1999, 0.2, 0.4999, 0.5, 0.9999)] == [
        "blind",
        "blind",
        "random",
        "random",
        "ordered",
        "ordered",
    ]
    # 0x8000000000000 of 0x10000000000000 is one half.
    assert random_key("8" + "0" * 63) == 0.5
    assert random_key("f" * 64) < 1


def test_questions_fall_into_pools_by_their_random_key(store, team):
    share(store, random=0.3, blind=0.2)
    for question in add_questions(store, 30):
        with store.read() as session:
            title = session.connection().exec_driver_sql(f"SELECT title FROM questions WHERE id = {question}").scalar()
        stored = item(store, question)
        assert stored.random_key == random_key(text_hash(title, ""))
        expected = "blind" if stored.random_key < 0.2 else "random" if stored.random_key < 0.5 else "ordered"
        assert stored.pool == expected


def pools(store, question_ids: list[int], *names: str) -> None:
    """Put the questions into these pools; their random keys fall, so that random order is the reverse of oldest."""
    with store.write() as session:
        for question, pool in zip(question_ids, names, strict=True):
            session.connection().exec_driver_sql(
                f"UPDATE queue_items SET pool = '{pool}', random_key = {0.9 - question / 10} "
                f"WHERE question_id = {question}"
            )


def scripted(*draws: float):
    return iter(draws).__next__


def test_each_pool_is_served_in_proportion_to_its_share(store, team, four):
    share(store, random=0.25, blind=0.25)
    pools(store, four, "ordered", "random", "blind", "ordered")
    draws = [0.3, 0.1, 0.6]  # random, blind, ordered
    got = [claim(store, team.li, another=True, choose=scripted(draw)) for draw in draws]
    assert [(c.question_id, c.pick, c.blind) for c in got] == [
        (2, "random", False),
        (3, "blind", True),
        (1, "ordered", False),
    ]
    assert [(lease(store, c.lease_id).pick, lease(store, c.lease_id).ordering) for c in got] == [
        ("random", None),
        ("blind", None),
        ("ordered", "oldest"),
    ]


def test_an_empty_pool_gives_way_to_the_next(store, team, four):
    share(store, random=0.25, blind=0.25)
    pools(store, four, "ordered", "ordered", "random", "random")
    got = [claim(store, team.li, another=True, choose=lambda: 0.1) for _ in range(3)]  # blind is asked for
    assert [(c.question_id, c.pick) for c in got] == [(1, "ordered"), (2, "ordered"), (4, "random")]


def test_the_random_pool_has_its_own_order_whatever_order_is_asked_for(store, team, four):
    share(store, random=0.5, blind=0.0)
    pools(store, four, "random", "random", "random", "ordered")
    suggest(store, 2, {"a": 2, "b": 2})
    assert claimed_ids(store, team.li, order="uncertain", choose=lambda: 0.2) == [3, 2, 1, 4]


def test_new_shares_move_only_questions_that_nobody_has_taken_up(store, team, four):
    with store.write() as session:
        session.connection().exec_driver_sql("UPDATE queue_items SET random_key = question_id / 10.0 - 0.05")
    claim(store, team.li)
    decide(store, 2, team.wang, "电影")
    share(store, random=0.3, blind=0.06)  # keys are .05, .15, .25, .35; pools end at .06 and .36
    assert [item(store, question).pool for question in four] == ["ordered", "ordered", "random", "random"]


def test_a_question_keeps_its_pool_when_its_decision_was_taken_back(store, team, four):
    """What was held out from training by its pool must not be trained on later."""
    share(store, random=1.0, blind=0.0)
    undo(store, decide(store, 2, team.wang, "电影"), team.wang)
    share(store, random=0.0, blind=0.0)
    assert [item(store, question).pool for question in four] == ["ordered", "random", "ordered", "ordered"]


def test_a_blind_decision_cannot_answer_a_suggestion(store, team, four):
    share(store, random=0.0, blind=1.0)
    suggestion = suggest(store, 1, {"电影": 4})
    got = claim(store, team.li, choose=lambda: 0.5)
    served = {"question_id": got.question_id, "person_id": team.li, "lease_id": got.lease_id}
    number = suggestion if got.question_id == 1 else suggest(store, got.question_id, {"电影": 4})
    with pytest.raises(Refused, match="served blind, without suggestions"):
        submit(store, verdicts={"电影": "accepted"}, suggestion_id=number, **served)
    receipt = submit(store, verdicts={"电影": "added"}, **served)
    assert scalar(store, f"SELECT pick FROM entries WHERE number = {receipt.number}") == "blind"


def test_a_blind_question_stays_blind_when_it_is_asked_for_by_its_number(store, team, four):
    from db.queue import claims as queue

    share(store, random=0.0, blind=1.0)
    got = store.run(lambda session: queue.claim_question(session, team.li, 2))
    assert (got.pick, got.blind) == ("blind", True)
