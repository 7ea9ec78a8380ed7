"""What acceptance is a share of, worked out by hand on one small store: every figure that says it says the same."""

from datetime import UTC
from fractions import Fraction

import pytest

from app.dashboard.vote_outcomes import Bin, outcomes_of, reliability, thresholds, total
from db.figures import acceptance, dashboard
from db.figures import statistics as stats
from db.figures.dashboard import Filters
from db.figures.rate import AMONG, JUDGED, SHOWN, Rate
from db.queue import claims as queue
from tests.db import actions
from tests.db.deciding import decide, suggest

# Of eight tags shown two were accepted, one was rejected and five were left untouched: by votes of 8 hypotheses
#   8 votes: accepted, accepted, untouched
#   4 votes: rejected, untouched, untouched
#   3 votes: untouched, untouched
ALL = Rate(accepted=2, rejected=1, unjudged=5)
SHARES = {SHOWN: Fraction(2, 8), JUDGED: Fraction(2, 3)}


@pytest.fixture
def decided(store, team, questions, live_model):
    """Three answers to suggestions; and what must not count: a blind one, one by hand, one taken back, a tag unseen."""
    actions.serve_in_order(store)
    three = {"电影": 8, "导演": 4, "生活": 3}
    one, two, four = (suggest(store, questions[place], live_model, **three) for place in (0, 1, 3))
    decide(store, questions[0], team.li, accepted=["电影"], rejected=["导演"], added=["影评"], suggestion_id=one)
    decide(store, questions[1], team.li, accepted=["电影"], suggestion_id=two)
    third = suggest(store, questions[2], live_model, 电影=8, 导演=4, 生活=3)
    # 生活 was suggested here, but it is not written down that anybody saw it.
    decide(store, questions[2], team.wang, added=["音乐"], shown=["电影", "导演"], suggestion_id=third)
    actions.undo(store, decide(store, questions[3], team.li, rejected=["电影"], suggestion_id=four), team.li)
    decide(store, questions[4], team.li, added=["电影"])
    actions.share(store, random=0.0, blind=1.0)
    claim = store.run(lambda session: queue.claim(session, team.wang, choose=lambda: 0.0))
    assert claim.blind
    suggest(store, claim.question_id, live_model, 电影=8)
    decide(store, claim.question_id, team.wang, added=["电影"], lease_id=claim.lease_id)
    return store


def test_untouched_tags_count_as_not_accepted_unless_only_judged_ones_are_asked_for():
    assert AMONG[0] == SHOWN
    assert (ALL.of(SHOWN), ALL.of(JUDGED)) == (8, 3)
    assert (ALL.share(), ALL.share(SHOWN), ALL.share(JUDGED)) == (1 / 4, 1 / 4, 2 / 3)
    assert ALL.interval() == ALL.interval(SHOWN) != ALL.interval(JUDGED)
    assert (Rate().share(), Rate(unjudged=3).share(), Rate(unjudged=3).share(JUDGED)) == (None, 0.0, None)
    with pytest.raises(KeyError):
        ALL.share("whatever")


def test_the_dashboard_counts_what_was_shown(decided):
    with decided.read() as session:
        found = dashboard.gather(session, Filters(), UTC)
    assert found.overall == ALL
    assert found.overall.share() == SHARES[SHOWN]
    assert found.overall.share(JUDGED) == pytest.approx(float(SHARES[JUDGED]))
    assert [(item.votes, item.rate) for item in found.votes] == [
        (3, Rate(0, 0, 2)),
        (4, Rate(0, 1, 2)),
        (8, Rate(2, 0, 1)),
    ]


@pytest.mark.parametrize(
    ("among", "bins"),
    [
        (SHOWN, [Bin(0.3, 0.4, 2, 0), Bin(0.4, 0.5, 3, 0), Bin(0.9, 1.0, 3, 2)]),
        (JUDGED, [Bin(0.4, 0.5, 1, 0), Bin(0.9, 1.0, 2, 2)]),
    ],
)
def test_the_reliability_of_votes_counts_the_same_tags(decided, live_model, among, bins):
    with decided.read() as session:
        outcomes = outcomes_of(acceptance.vote_rates(session, live_model), among)
        missed = acceptance.missed(session, live_model)
    assert reliability(outcomes) == bins
    assert Fraction(sum(outcome.accepted for outcome in outcomes), total(outcomes)) == SHARES[among]
    # With everything kept, precision is that share; 影评 and 音乐 were not offered, so recall is 2 of 4.
    everything = thresholds(outcomes, missed, beam=8)[0]
    assert (everything.precision, everything.recall) == (pytest.approx(float(SHARES[among])), 0.5)


def test_what_is_shown_is_meant_where_nothing_is_said(decided, live_model):
    with decided.read() as session:
        rates = acceptance.vote_rates(session, live_model)
    assert outcomes_of(rates) == outcomes_of(rates, SHOWN) != outcomes_of(rates, JUDGED)


def test_agreement_with_the_model_counts_the_same_tags(decided):
    with decided.read() as session:
        model = stats.agreement(session).model
    assert model.rate == ALL
    assert model.acceptance_of_shown == SHARES[SHOWN]
    assert model.acceptance_of_judged == pytest.approx(float(SHARES[JUDGED]))
