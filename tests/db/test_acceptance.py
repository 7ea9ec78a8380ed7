"""Which suggested tags were accepted, and with how many votes, counted by hand on a few decisions."""

import pytest

from db import ledger, registry, suggestions, tags
from db.acceptance import judged
from db.suggestions import ProposedTag
from tests.db.actions import change_tags, review, undo
from tests.db.deciding import decide, suggest


def found(store, *arguments, **options) -> list[tuple[int, int, bool, int, str]]:
    with store.read() as session:
        return [(j.votes, j.beam, j.accepted, j.question_id, j.key) for j in judged(session, *arguments, **options)]


@pytest.fixture
def suggested(store, questions, live_model) -> dict[int, int]:
    """Question -> a suggestion for it, for the first four."""
    return {question: suggest(store, question, live_model, 电影=8, 导演=4, 生活=3) for question in questions[:4]}


def test_accepted_and_rejected_tags_are_told_with_their_votes(store, team, questions, suggested):
    first, second = questions[:2]
    # 生活 was shown and passed over; 影评 had no votes.
    answer = {"accepted": ["电影"], "rejected": ["导演"], "added": ["影评"]}
    decide(store, first, team.li, **answer, suggestion_id=suggested[first])
    decide(store, second, team.wang, rejected=["生活"], suggestion_id=suggested[second])
    assert found(store) == [
        (8, 8, True, first, "电影"),
        (4, 8, False, first, "导演"),
        (3, 8, False, second, "生活"),
    ]


def test_a_decision_without_a_suggestion_says_nothing_about_one(store, team, questions, suggested):
    decide(store, questions[0], team.li, added=["电影"])
    review(store, questions[0], team.researcher, "导演")  # a review answers no suggestion either
    assert found(store) == []


def test_every_person_with_an_opinion_is_counted(store, team, questions, suggested):
    first = questions[0]
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    decide(store, first, team.wang, rejected=["电影"], suggestion_id=suggested[first])  # a second opinion
    assert found(store) == [(8, 8, True, first, "电影"), (8, 8, False, first, "电影")]


def test_only_the_latest_opinion_in_force_counts(store, team, questions, suggested):
    first, second = questions[:2]
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    changed = decide(store, first, team.li, rejected=["电影"], suggestion_id=suggested[first])
    undone = undo(store, decide(store, second, team.li, accepted=["导演"], suggestion_id=suggested[second]), team.li)
    assert found(store) == [(8, 8, False, first, "电影")]
    undo(store, changed, team.li)  # the first mind is back
    assert found(store) == [(8, 8, True, first, "电影")]
    undo(store, undone, team.li)  # an undo taken back
    assert found(store) == [(8, 8, True, first, "电影"), (4, 8, True, second, "导演")]


def test_a_change_of_mind_without_a_suggestion_takes_the_first_answer_out(store, team, questions, suggested):
    decide(store, questions[0], team.li, accepted=["电影"], suggestion_id=suggested[questions[0]])
    decide(store, questions[0], team.li, added=["音乐"])
    assert found(store) == []


def test_one_version_or_all(store, team, questions, suggested):
    first, second = questions[:2]
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    other = suggest(store, second, "v2", beam=48, 电影=30)
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    decide(store, second, team.li, rejected=["电影"], suggestion_id=other)
    of_first, of_second = (8, 8, True, first, "电影"), (30, 48, False, second, "电影")
    assert found(store) == [of_first, of_second]
    assert found(store, "v1") == [of_first]
    assert found(store, "v2") == [of_second]
    assert found(store, "v3") == []


def test_a_replaced_answer_to_another_version_does_not_count_for_it(store, team, questions, suggested):
    """Which opinions are in force is asked of the whole ledger, not of one version's decisions."""
    first = questions[0]
    store.run(lambda session: registry.register(session, "v2", "models/v2"))
    other = suggest(store, first, "v2", 电影=5)
    decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    decide(store, first, team.li, rejected=["电影"], suggestion_id=other)
    assert found(store, "v1") == []
    assert found(store, "v2") == [(5, 8, False, first, "电影")]


def test_as_of_a_moment_what_came_later_is_not_there(store, team, questions, suggested):
    first, second = questions[:2]
    one = decide(store, first, team.li, accepted=["电影"], suggestion_id=suggested[first])
    two = decide(store, second, team.li, accepted=["导演"], suggestion_id=suggested[second])
    before = [(8, 8, True, first, "电影"), (4, 8, True, second, "导演")]
    undo(store, one, team.li)
    decide(store, second, team.li, rejected=["导演"], suggestion_id=suggested[second])
    change_tags(store, team.researcher, tags.plan_merge, "导演", "电影")
    assert found(store) == [(4, 8, False, second, "导演")]
    assert found(store, as_of=two.at) == before
    assert found(store, as_of=one.at) == before[:1]
    assert found(store, "v1", as_of=two.at) == before


def test_a_tag_that_a_suggestion_has_twice_is_told_once(store, team, questions, live_model):
    """Two spellings of one tag: the verdict is on the one with the better rank."""
    proposed = [ProposedTag("Python", 6, 0.75, True, False), ProposedTag("PYTHON", 2, 0.25, True, False)]
    suggestion = store.run(lambda session: suggestions.record(session, questions[0], live_model, 8, 0.25, proposed))
    decide(store, questions[0], team.li, accepted=["Python"], suggestion_id=suggestion)
    assert found(store) == [(6, 8, True, questions[0], "python")]


def test_a_redaction_takes_no_votes_away(store, team, questions, suggested):
    decide(store, questions[0], team.li, accepted=["电影"], suggestion_id=suggested[questions[0]])
    store.run(lambda session: ledger.redact(session, questions[0], team.admin, reason="asked to"))
    assert found(store) == [(8, 8, True, questions[0], "电影")]
