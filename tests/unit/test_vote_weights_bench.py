"""Weights of the vote: counted like the tagger counts, and chosen by the rule that is stated."""

from types import SimpleNamespace

from bench.vote_weights import Outcome, best_with, count_new, vote
from l2a.data import Question
from l2a.retrieval import Evidence


def test_votes_under_other_weights():
    answer = SimpleNamespace(
        beam=8,
        hypotheses=[
            SimpleNamespace(tags=("电影", "造的"), log_probability=-1.0),
            SimpleNamespace(tags=("电影", "造的"), log_probability=-2.0),
        ],
    )
    found = [Evidence("电影", "near", 0.5), Evidence("显微镜", "listed", 0.25), Evidence("书", "named", 0.5)]
    tagger = SimpleNamespace(_is_invented=lambda tag: tag == "造的")
    votes = {one.tag: one.votes for one in vote(answer, found, tagger, (2.0, 0.0, 0.5, 0.25))}
    # 2 + 8 * 0.5 * 0.5; 8 * 2 * 0.25; half of a vote rounds up to one; a weight of 0 brings nothing.
    assert votes == {"电影": 4, "显微镜": 4, "造的": 1}


def test_new_tags_are_those_the_training_questions_never_have():
    questions = [Question(title="甲", tags=("旧", "新")), Question(title="乙", tags=("旧",))]
    assert count_new([["旧", "新"], ["新"]], questions, frozenset({"旧"})) == (1, 2)


def test_the_best_f1_with_enough_new_tags_is_chosen():
    few, many = Outcome(0.38, 5, 20, 8, (1, 0, 0, 1)), Outcome(0.36, 9, 50, 8, (2, 0, 0, 1))
    assert best_with([few, many], 3) == few
    assert best_with([few, many], 6) == many
    assert best_with([few, many], 50) == many  # no choice has so many
