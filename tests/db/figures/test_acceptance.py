"""Which suggested tags were accepted, and with how many votes, counted by hand on a few decisions."""

from datetime import UTC

import pytest
from sqlalchemy import update

from db.figures import dashboard
from db.figures.acceptance import missed, vote_rates
from db.figures.rate import Rate
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.store.tables import Suggestion
from tests.db import actions
from tests.db.actions import review, undo
from tests.db.deciding import decide, suggest

ACCEPTED, REJECTED, UNTOUCHED = Rate(accepted=1), Rate(rejected=1), Rate(unjudged=1)


def found(store, version: str = "v1") -> dict[tuple[int, int], Rate]:
    """(votes, beam) -> how tags with so many fared."""
    with store.read() as session:
        return {(item.votes, item.beam): item.rate for item in vote_rates(session, version)}


@pytest.fixture
def suggested(store, questions, live_model) -> dict[int, int]:
    """Question -> a suggestion for it, for the first four."""
    return {question: suggest(store, question, live_model, 电影=8, 导演=4, 生活=3) for question in questions[:4]}


def test_shown_tags_are_counted_by_their_votes(store, team, questions, suggested):
    first, second = questions[:2]
    # 生活 was shown and left untouched; 影评 had no votes.
    answer = {"accepted": ["电影"], "rejected": ["导演"], "added": ["影评"]}
    decide(store, first, team.li, **answer, suggestion_id=suggested[first])
    assert found(store) == {(8, 8): ACCEPTED, (4, 8): REJECTED, (3, 8): UNTOUCHED}
    decide(store, second, team.wang, rejected=["生活"], suggestion_id=suggested[second])
    assert found(store) == {(8, 8): Rate(1, 0, 1), (4, 8): Rate(0, 1, 1), (3, 8): Rate(0, 1, 1)}


def test_a_decision_without_a_suggestion_says_nothing_about_one(store, team, questions, suggested):
    decide(store, questions[0], team.li, added=["电影"])
    review(store, questions[0], team.researcher, "导演")  # a review answers no suggestion either
    assert found(store) == {}


def test_every_person_with_an_opinion_is_counted(store, team, questions, suggested):
    first = questions[0]
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    decide(store, first, team.wang, rejected=["电影"], suggestion_id=suggested[first])  # a second opinion
    assert found(store) == {(8, 8): Rate(1, 1, 0), (4, 8): Rate(unjudged=2), (3, 8): Rate(unjudged=2)}


def test_only_the_latest_opinion_in_force_counts(store, team, questions, suggested):
    first, second = questions[:2]
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first], shown=["电影"])
    changed = decide(store, first, team.li, rejected=["电影"], suggestion_id=suggested[first], shown=["电影"])
    answer = decide(store, second, team.li, accepted=["导演"], suggestion_id=suggested[second], shown=["导演"])
    undone = undo(store, answer, team.li)
    assert found(store) == {(8, 8): REJECTED}
    undo(store, changed, team.li)  # the first mind is back
    assert found(store) == {(8, 8): ACCEPTED}
    undo(store, undone, team.li)  # an undo taken back
    assert found(store) == {(8, 8): ACCEPTED, (4, 8): ACCEPTED}


def test_a_change_of_mind_without_a_suggestion_takes_the_first_answer_out(store, team, questions, suggested):
    decide(store, questions[0], team.li, accepted=["电影"], suggestion_id=suggested[questions[0]])
    decide(store, questions[0], team.li, added=["音乐"])
    assert found(store) == {}


def test_versions_are_counted_apart(store, team, questions, suggested):
    first, second = questions[:2]
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    other = suggest(store, second, "v2", beam=48, 电影=30)
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first], shown=["电影"])
    decide(store, second, team.li, rejected=["电影"], suggestion_id=other)
    assert found(store, "v1") == {(8, 8): ACCEPTED}
    assert found(store, "v2") == {(30, 48): REJECTED}
    assert found(store, "v3") == {}


def test_a_replaced_answer_to_another_version_does_not_count_for_it(store, team, questions, suggested):
    """Which opinions are in force is asked of the whole ledger, not of one version's decisions."""
    first = questions[0]
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    other = suggest(store, first, "v2", 电影=5)
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    decide(store, first, team.li, rejected=["电影"], suggestion_id=other)
    assert found(store, "v1") == {}
    assert found(store, "v2") == {(5, 8): REJECTED}


def test_a_tag_that_a_suggestion_has_twice_is_told_once(store, team, questions, live_model):
    """Two spellings of one tag: the verdict is on the one with the better rank."""
    proposed = [ProposedTag("Python", 6, 0.75, True, False), ProposedTag("PYTHON", 2, 0.25, True, False)]
    suggestion = store.run(lambda session: suggestions.record(session, questions[0], live_model, 8, 0.25, proposed))
    decide(store, questions[0], team.li, accepted=["Python"], suggestion_id=suggestion)
    assert found(store) == {(6, 8): ACCEPTED}


def test_mixed_votes_are_in_no_figure_that_is_about_votes(store, team, questions, suggested):
    """What an older version suggested counts with everything else that was accepted, but not by its votes."""
    first, second = questions[:2]
    decide(store, first, team.li, accepted=["电影"], added=["影评"], suggestion_id=suggested[first], shown=["电影"])
    decide(store, second, team.li, rejected=["导演"], added=["影评"], suggestion_id=suggested[second], shown=["导演"])
    with store.write() as session:
        session.execute(update(Suggestion).where(Suggestion.id == suggested[first]).values(mixed_votes=True))
    assert found(store) == {(4, 8): REJECTED}
    with store.read() as session:
        assert missed(session, "v1") == 1
        shown = dashboard.gather(session, dashboard.Filters(), UTC)
    assert [(item.votes, item.rate) for item in shown.votes] == [(4, REJECTED)]
    assert shown.overall == Rate(1, 1, 0)
    assert [(item.rank, item.rate) for item in shown.ranks] == [(1, ACCEPTED), (2, REJECTED)]
    assert [item.rate for item in shown.versions] == [Rate(1, 1, 0)]


def test_of_several_suggestions_the_one_that_was_answered_counts(store, team, questions, live_model):
    first = questions[0]
    old, new = (actions.suggest(store, first, {"电影": votes}, beam=8, ledger_number=votes) for votes in (3, 5))
    decide(store, first, team.li, accepted=["电影"], suggestion_id=old)
    decide(store, first, team.wang, rejected=["电影"], suggestion_id=new)
    assert found(store) == {(3, 8): ACCEPTED, (5, 8): REJECTED}


def test_a_redaction_takes_no_votes_away(store, team, questions, suggested):
    decide(store, questions[0], team.li, accepted=["电影"], suggestion_id=suggested[questions[0]], shown=["电影"])
    store.run(lambda session: ledger.redact(session, questions[0], team.admin, reason="asked to"))
    assert found(store) == {(8, 8): ACCEPTED}
