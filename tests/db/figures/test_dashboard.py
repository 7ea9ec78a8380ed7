"""The dashboard's numbers, counted by hand on a few decisions."""

from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, select, text

from db.figures import dashboard
from db.figures.counts import TimeBar, VoteRate, time_bars, vote_bins
from db.figures.dashboard import Filters
from db.figures.rate import JUDGED, Rate, wilson
from db.ledger import entries as ledger
from db.ledger import history
from db.ledger.in_force import is_none_of, out_of_force
from db.ledger.labels import read_lines
from db.ledger.replay import current_opinions
from db.models import registry
from db.store.tables import Entry
from db.tags import planning as tags
from tests.db import actions
from tests.db.deciding import decide, suggest


def look(store, zone=UTC, **filters) -> dashboard.Dashboard:
    with store.read() as session:
        return dashboard.gather(session, Filters(**filters), zone)


@pytest.fixture
def decided(store, team, questions, live_model) -> dict[str, ledger.Receipt]:
    """Two answers to suggestions by li, one of wang's in force, one taken back, one replaced."""
    actions.serve_in_order(store)
    one, two, three, four = (
        suggest(store, questions[place], live_model, beam=8, 电影=8, 导演=4, 生活=3) for place in range(4)
    )
    first = {"accepted": ["电影"], "rejected": ["导演"], "added": ["影评"]}  # 生活 was shown and passed over
    return {
        "first": decide(store, questions[0], team.li, **first, suggestion_id=one, seconds=4.0),
        "second": decide(store, questions[1], team.li, rejected=["电影", "导演"], suggestion_id=two, seconds=6.0),
        "undone": actions.undo(
            store, decide(store, questions[2], team.li, accepted=["电影"], suggestion_id=three, seconds=99.0), team.li
        ),
        "replaced": decide(store, questions[3], team.wang, rejected=["电影"], suggestion_id=four, seconds=98.0),
        "third": decide(store, questions[3], team.wang, accepted=["电影"], suggestion_id=four, seconds=20.0),
    }


def test_only_decisions_in_force_count(store, decided):
    found = look(store)
    assert (found.ever, found.decisions, found.questions) == (3, 3, 3)
    assert sorted((day.person, day.decisions) for day in found.days) == [("li", 2), ("wang", 1)]
    assert found.overall == Rate(accepted=2, rejected=3, unjudged=4)


def test_an_undo_taken_back_brings_the_decision_back(store, team, decided):
    actions.undo(store, decided["undone"], team.li)
    found = look(store)
    assert found.decisions == 4
    assert found.overall == Rate(accepted=3, rejected=3, unjudged=6)


def test_taking_a_change_of_mind_back_brings_the_first_mind_back(store, team, decided):
    actions.undo(store, decided["third"], team.wang)
    found = look(store)
    assert found.decisions == 3
    assert found.overall == Rate(accepted=1, rejected=4, unjudged=4)


def test_rates_by_rank_votes_and_version(store, decided):
    found = look(store)
    assert [(item.rank, item.rate) for item in found.ranks] == [
        (1, Rate(2, 1, 0)),
        (2, Rate(0, 2, 1)),
        (3, Rate(0, 0, 3)),
    ]
    assert [(item.beam, item.votes, item.rate) for item in found.votes] == [
        (8, 3, Rate(0, 0, 3)),
        (8, 4, Rate(0, 2, 1)),
        (8, 8, Rate(2, 1, 0)),
    ]
    assert [(item.version, item.decisions, item.rate) for item in found.versions] == [("v1", 3, Rate(2, 3, 4))]


def test_tags_are_counted_under_their_names_of_today(store, team, decided):
    actions.change_tags(store, team.admin, tags.plan_rename, "电影", "影片")
    found = look(store)
    assert [(tag.tag, tag.rate) for tag in found.rejected] == [("导演", Rate(0, 2, 1)), ("影片", Rate(2, 1, 0))]
    assert [(tag.tag, tag.added) for tag in found.added] == [("影评", 1)]


def test_tags_chosen_blind_were_not_added_to_suggestions(store, team, questions, live_model):
    decide(store, questions[0], team.li, added=["音乐"])
    found = look(store)
    assert (found.decisions, found.added, found.versions) == (1, (), ())


def test_times(store, decided):
    times = look(store).times
    assert (times.measured, times.median, times.most) == (3, 6.0, 20.0)
    assert [(bar.low, bar.decisions) for bar in times.bars if bar.decisions] == [(4, 1), (6, 1), (20, 1)]


def test_filters(store, team, decided, questions, live_model):
    assert look(store, source="zhihu").decisions == 3  # every fourth question is from guokr: the third, taken back
    assert look(store, source="guokr").decisions == 0
    assert look(store, version="v1").decisions == 3
    assert look(store, version="v2").decisions == 0
    assert look(store, random_only=True).decisions == 0
    moment = decided["second"].at
    assert look(store, since=moment).decisions == 2
    assert look(store, until=moment).decisions == 1
    assert look(store, until=moment).ever == 3


def test_random_picks_alone(store, team, questions, live_model):
    actions.share(store, random=1.0, blind=0.0)
    claim = actions.claim(store, team.li)
    suggestion = suggest(store, claim.question_id, live_model, 电影=8)
    decide(store, claim.question_id, team.li, accepted=["电影"], suggestion_id=suggestion, lease_id=claim.lease_id)
    other = next(question for question in questions if question != claim.question_id)
    decide(store, other, team.wang, added=["音乐"])
    assert look(store).decisions == 2
    found = look(store, random_only=True)
    assert (found.decisions, found.overall) == (1, Rate(1, 0, 0))


def test_days_begin_at_midnight_where_the_visitor_is(store, team, questions):
    decide(store, questions[0], team.li, added=["音乐"])
    at = actions.entry(store, _last(store)).at
    for zone in (ZoneInfo("Asia/Shanghai"), ZoneInfo("America/Los_Angeles"), ZoneInfo("Pacific/Kiritimati")):
        assert [day.day for day in look(store, zone).days] == [at.astimezone(zone).date()]
    east, west = (look(store, ZoneInfo(name)).days[0].day for name in ("Pacific/Kiritimati", "Etc/GMT+12"))
    assert east - west >= timedelta(days=1)  # the clocks are 26 hours apart


def test_new_tags_are_those_a_decision_brought_in(store, team, decided, questions, live_model):
    suggestion = suggest(store, questions[4], live_model, 新词=8)
    decide(store, questions[4], team.wang, accepted=["新词"], suggestion_id=suggestion)
    actions.undo(store, decide(store, questions[5], team.wang, added=["收回"]), team.wang)
    decide(store, questions[6], team.li, added=["新词"])
    found = look(store).new_tags
    # 电影 and 生活 came with the questions; 收回 is held by nothing.
    assert [(tag.tag, tag.person, tag.suggested, tag.decisions) for tag in found] == [
        ("新词", "wang", True, 2),
        ("影评", "li", False, 1),
    ]


def test_a_tag_split_off_is_not_new(store, team, questions):
    decide(store, questions[0], team.researcher, added=["吃"])
    decide(store, questions[1], team.researcher, added=["饭"])
    actions.change_tags(store, team.researcher, tags.plan_rename, "吃", "美食")
    actions.change_tags(store, team.researcher, tags.plan_split, "吃")
    # 吃 is a new row, but no decision made it; 美食 is left without any.
    assert {tag.tag for tag in look(store).new_tags} == {"饭"}


def test_versions_are_listed_newest_answer_first(store, team, decided, questions):
    def next_model(session):
        registry.register(session, "v2", "models/v2")
        registry.promote(session, "v2", team.admin)

    store.run(next_model)
    suggestion = suggest(store, questions[7], "v2", 音乐=8)
    decide(store, questions[7], team.li, rejected=["音乐"], suggestion_id=suggestion)
    with store.read() as session:
        assert dashboard.versions(session) == ["v2", "v1"]
    assert [(item.version, item.rate.of(JUDGED)) for item in look(store).versions] == [("v1", 5), ("v2", 1)]


def test_an_empty_store_has_no_numbers(store, team):
    found = look(store)
    assert (found.ever, found.decisions, found.days, found.overall) == (0, 0, (), Rate())
    assert (found.ranks, found.votes, found.times.median, found.new_tags) == ((), (), None, ())


def test_many_entries_out_of_force_are_left_out(store, team, questions):
    """More than a database takes as single values of a statement."""
    receipt = decide(store, questions[0], team.li, added=["音乐"])
    gone = set(range(receipt.number + 1, receipt.number + 100_000))
    with store.read() as session:
        counted = [Entry.kind == "decision", is_none_of(session, Entry.number, gone)]
        assert session.scalar(select(func.count()).select_from(Entry).where(*counted)) == 1


def test_in_force_is_what_replay_says(busy_store, team):
    """Against the rules themselves, on a store with something of everything."""
    with busy_store.read() as session:
        ids = list(session.scalars(text("SELECT id FROM questions")))
        standing = {line.number for some in read_lines(session, ids).values() for line in current_opinions(some)}
        gone, left = out_of_force(session)
        every = set(session.scalars(text("SELECT number FROM entries WHERE kind = 'decision'")))
    assert every - gone == standing
    assert left == len(standing)


def test_the_last_number_grows_with_every_line(store, team, questions):
    with store.read() as session:
        before = history.last_number(session)
    decide(store, questions[0], team.li, added=["音乐"])
    with store.read() as session:
        assert history.last_number(session) == before + 1


def test_wilson_interval():
    # Wilson for 8 of 10, by hand: z = 1.96, middle (0.8 + 0.19207) / 1.38415 = 0.71674.
    low, high = wilson(8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert wilson(0, 5)[0] == 0.0
    assert wilson(5, 5)[1] == 1.0


def test_vote_bins_hold_their_upper_end():
    rates = [VoteRate(48, votes, Rate(1, 0, 0)) for votes in (1, 6, 7, 48)] + [VoteRate(8, 1, Rate(0, 1, 0))]
    found = vote_bins(rates)
    assert [(item.low, item.high, item.rate) for item in found] == [
        (0.0, 0.125, Rate(2, 1, 0)),  # 1 and 6 of 48, 1 of 8
        (0.125, 0.25, Rate(1, 0, 0)),
        (0.875, 1.0, Rate(1, 0, 0)),
    ]


def test_time_bars_end_in_an_open_one():
    bars = time_bars([1.0] * 99 + [5000.0])
    assert bars[1] == TimeBar(1, 2, 99)
    assert bars[-1] == TimeBar(23, None, 1)
    assert time_bars([]) == ()
    assert time_bars([0.0, 61.0])[0].high == 5  # 61 s in 24 bars: 5 s each


def _last(store) -> int:
    with store.read() as session:
        return history.last_number(session)
