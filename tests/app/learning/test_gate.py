"""The gate's figures by hand, and what it says about better, worse and equal candidates."""

import random
from dataclasses import replace

import pytest

from app.learning.gate import ENOUGH, Answers, Case, compare, difference_interval
from l2a.measure.metrics import nlpcc_score

QUESTIONS = [Case(1, ("电影", "科幻"), ("小说",)), Case(2, ("做饭",), ("旅行", "美食"), "ordered")]
LIVE = Answers(
    "live", (("电影", "小说"), ("旅行", "美食")), seconds=2.0, known=frozenset({"电影", "小说", "旅行", "美食"})
)
CANDIDATE = Answers("new", (("电影", "科幻"), ("做饭", "美食")), seconds=1.0, known=frozenset({"电影", "科幻", "美食"}))


def test_figures_of_two_questions_by_hand():
    found = compare(QUESTIONS, LIVE, CANDIDATE)
    assert found.verdict == "too few decisions"
    assert (found.live["accepted"], found.live["accepted_suggested"]) == (3, 1)
    assert (found.live["rejected"], found.live["rejected_avoided"]) == (3, 0)
    assert (found.candidate["accepted_suggested"], found.candidate["rejected_avoided"]) == (3, 2)
    assert found.live["recall"] == pytest.approx(1 / 3)
    assert found.candidate["recall"] == 1.0
    assert found.candidate["new_tags"] == {"correct": 1, "predicted": 1, "gold": 1, "precision": 1.0, "recall": 1.0}
    assert (found.live["seconds_per_question"], found.candidate["seconds_per_question"]) == (2.0, 1.0)
    assert found.difference == pytest.approx(found.candidate["f1"] - found.live["f1"])


def test_tags_that_got_worse_come_first():
    worse = replace(CANDIDATE, tags=(("科幻",), ("做饭", "汽车")))
    changes = compare(QUESTIONS, LIVE, worse).tags
    assert [change["tag"] for change in changes[:2]] == ["汽车", "电影"]
    assert changes[0] == {"tag": "汽车", "change": -1, "right": [0, 0], "wrong": [0, 1]}
    assert changes[1] == {"tag": "电影", "change": -1, "right": [1, 0], "wrong": [0, 0]}
    assert {change["tag"]: change["change"] for change in changes}["小说"] == 1  # a wrong one that is gone


def make(count: int, seed: int, right: float) -> tuple[list[Case], Answers]:
    """Questions of three tags each, and a model that names each of them with probability `right`, else another."""
    picker = random.Random(seed)
    questions = [Case(n, tuple(f"标签{(n * 7 + i) % 40}" for i in range(3))) for n in range(count)]
    said = tuple(tuple(t if picker.random() < right else f"错{t}" for t in q.tags) for q in questions)
    return questions, Answers(f"{seed}", said, 1.0)


@pytest.mark.parametrize(("right", "verdict"), [(0.75, "better"), (0.45, "worse"), (0.6, "not distinguishable")])
def test_verdicts(right, verdict):
    questions, live = make(600, 1, 0.6)
    _, candidate = make(600, 2, right)
    found = compare(questions, live, candidate)
    assert found.verdict == verdict
    assert found.interval[0] < found.difference < found.interval[1]


def test_one_decision_less_than_enough_is_too_few():
    questions, live = make(ENOUGH, 1, 0.3)
    _, candidate = make(ENOUGH, 2, 0.9)
    assert compare(questions, live, candidate).verdict == "better"
    fewer = [replace(answers, tags=answers.tags[1:]) for answers in (live, candidate)]
    assert compare(questions[1:], *fewer).verdict == "too few decisions"


def test_no_held_out_decision_at_all():
    empty = Answers("v", (), None)
    found = compare([], empty, empty)
    assert (found.verdict, found.questions, found.interval) == ("too few decisions", 0, (0.0, 0.0))
    assert found.parts["random"]["questions"] == found.parts["ordered"]["questions"] == 0
    assert found.candidate["seconds_per_question"] is None


def test_random_and_ordered_questions_are_told_apart():
    """At random the candidate is better, in order it is worse; together they make up for it."""
    questions, live = make(400, 1, 0.6)
    _, better = make(400, 2, 0.8)
    _, worse = make(400, 3, 0.4)
    at_random = {n for n in range(400) if n % 2}
    questions = [replace(q, part="random" if n in at_random else "ordered") for n, q in enumerate(questions)]
    mixed = tuple((better if n in at_random else worse).tags[n] for n in range(400))
    found = compare(questions, live, replace(live, tags=mixed), since=17)
    assert found.verdict == "not distinguishable"
    assert {part: (each["questions"], each["verdict"]) for part, each in found.parts.items()} == {
        "random": (200, "better"),
        "ordered": (200, "worse"),
    }
    for part in found.parts.values():
        assert part["interval"][0] < part["difference"] == pytest.approx(part["candidate"] - part["live"])
    assert found.since == 17
    few = [replace(q, part="ordered" if n else "random") for n, q in enumerate(questions)]
    assert compare(few, live, live).parts["random"]["verdict"] == "too few decisions"


def test_interval_agrees_with_a_plain_bootstrap():
    questions, live = make(150, 3, 0.5)
    _, candidate = make(150, 4, 0.6)
    picker, differences = random.Random(5), []
    for _ in range(600):
        drawn = [picker.randrange(150) for _ in range(150)]
        gold = [questions[i].tags for i in drawn]
        scores = [nlpcc_score([answers.tags[i] for i in drawn], gold).f1 for answers in (live, candidate)]
        differences.append(scores[1] - scores[0])
    differences.sort()
    low, high = difference_interval(questions, live, candidate)
    assert low == pytest.approx(differences[15], abs=0.02)
    assert high == pytest.approx(differences[-16], abs=0.02)
