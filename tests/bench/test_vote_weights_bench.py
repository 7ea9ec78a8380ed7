"""Weights of the vote: counted like the tagger counts, and chosen by the rule that is stated."""

from types import SimpleNamespace

from bench.vote_weights import Outcome, choose, count_new, frontier, vote
from l2a.data.questions import Question
from l2a.evidence.source import Finding


def test_votes_under_other_weights():
    answer = SimpleNamespace(
        beam=8,
        hypotheses=[
            SimpleNamespace(tags=("电影", "造的"), log_probability=-1.0),
            SimpleNamespace(tags=("电影", "造的"), log_probability=-2.0),
        ],
    )
    found = [
        Finding("电影", "near", {"probability": 0.5}),
        Finding("显微镜", "listed", {"probability": 0.25}),
        Finding("书", "named", {"probability": 0.5}),
        Finding("显微镜", "linear", {"probability": 0.125}),
    ]
    tagger = SimpleNamespace(is_invented=lambda tag: tag == "造的")
    votes = {one.tag: one.votes for one in vote(answer, found, tagger, (2.0, 0.0, 0.5, 1.0, 0.25))}
    # 2 + 8 * 0.5 * 0.5; 8 * 2 * 0.25 + 8 * 1 * 0.125; half of a vote rounds up to one; a weight of 0 brings nothing.
    assert votes == {"电影": 4, "显微镜": 5, "造的": 1}


def test_new_tags_are_those_the_training_questions_never_have():
    questions = [Question(title="甲", tags=("旧", "新")), Question(title="乙", tags=("旧",))]
    assert count_new([["旧", "新"], ["新"]], questions, frozenset({"旧"})) == (1, 2)


def outcome(f1: float, right: int, listed: float = 1) -> Outcome:
    return Outcome(f1, right, 50, 8, (listed, 0, 0, 0, 1))


def test_the_most_new_tags_for_half_a_point_are_chosen():
    found = [outcome(0.38, 5), outcome(0.378, 7), outcome(0.376, 7, 2), outcome(0.36, 9)]
    assert choose(found) == found[1]  # of equally many the better F1
    assert choose(found[:1]) == found[0]


def test_the_frontier_has_no_choice_that_another_beats_twice():
    found = [outcome(0.38, 5), outcome(0.37, 4), outcome(0.36, 9), outcome(0.35, 8)]
    assert frontier(found) == [found[0], found[2]]
