import math

import pytest

from l2a.data.questions import Question
from l2a.experiments.corpora import Corpus
from l2a.experiments.report.scoring import score_part
from l2a.experiments.training.runs import keep_voted
from l2a.suggestions import Suggestion, Suggestions


def corpus_of(write_questions, test) -> Corpus:
    train = write_questions("train", [Question("训练", tags=("猫", "狗"), id="t")])
    dev = write_questions("dev", [Question("开发", tags=("猫",), id="d")])
    return Corpus("x", {"train": train, "dev": dev, "test": write_questions("test", test)})


def test_views_by_hand(write_questions):
    questions = [
        Question("一", tags=("猫", "新词"), id="1"),
        Question("二", tags=("新词",), id="2"),
        Question("三", tags=("狗",), id="3", partial_tags=True),
    ]
    answers = [["猫", "新词"], ["新词"], ["猫"]]
    found = score_part(answers, corpus_of(write_questions, questions), "test")
    first, second = 1 / math.log(3), 1 / math.log(4)
    assert found["all"]["questions"] == 3
    assert found["all"]["recall"] == 3 / 4
    assert found["all"]["precision"] == pytest.approx((2 * first + second) / (3 * first + second))
    # Seen only: the second question is left without a tag and goes; 新词 of the first answer stays, and is wrong.
    assert found["seen"]["questions"] == 2
    assert found["seen"]["recall"] == 1 / 2
    assert found["seen"]["precision"] == pytest.approx(first / (2 * first + second))
    assert (found["complete"]["questions"], found["complete"]["recall"]) == (2, 1.0)
    assert {key: found["new"][key] for key in ("correct", "predicted", "gold")} == {
        "correct": 2,
        "predicted": 2,
        "gold": 2,
    }


def voted(**votes) -> Suggestions:
    suggestions = tuple(
        Suggestion(tag, n, n / 8, rank, 0.0, False, False, (), n, 0)
        for rank, (tag, n) in enumerate(sorted(votes.items(), key=lambda item: -item[1]), start=1)
    )
    return Suggestions("1", suggestions, (), (), 8, 0.25, "v")


def test_a_tag_is_kept_with_more_votes_than_the_share_and_at_most_five_are():
    answers = [voted(a=8, b=3, c=2), voted(), voted(a=8, b=8, c=8, d=8, e=8, f=8)]
    assert keep_voted(answers, 0.25) == [["a", "b"], [], ["a", "b", "c", "d", "e"]]
    assert keep_voted(answers[:1], 0.0) == [["a", "b", "c"]]
    # A threshold that is a number of votes divided by the beam keeps its meaning despite rounding.
    assert keep_voted([voted(a=7)], 7 / 8) == [[]]
