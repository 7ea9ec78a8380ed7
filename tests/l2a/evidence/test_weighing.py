"""What votes and findings are worth together, learned on folds."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence import weighing
from l2a.evidence.collection import Evidence
from l2a.evidence.source import Finding, PreparedQuestion
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()
THINGS = ("猫", "钢琴", "电影", "跑步", "咖啡", "股票", "手机", "数学")
LISTED = [*THINGS, "问题"]


def questions(count: int = 240) -> list[Question]:
    """Of two things in a title the first one is the tag, whatever lists say."""
    chance = random.Random(1)
    made = []
    for _ in range(count):
        one, two = chance.sample(THINGS, 2)
        made.append(Question(title=f"喜欢{one}的人会不会问{two}的问题？", tags=(one,)))
    return made


def build(gold) -> Evidence:
    return Evidence.build(list(gold), LISTED, SEGMENTER, learn=["linear"])


@pytest.fixture(scope="module")
def weighed() -> Evidence:
    return build(questions()).with_arrays(weighing.learn(questions(), build, SEGMENTER))


@dataclass(frozen=True)
class Voted:
    tag: str
    share: float
    probability: float = 0.5
    rank: int = 1
    best_hypothesis: int = 0


def find(evidence: Evidence, title: str, votes: Sequence[Voted] = ()) -> dict[str, float]:
    prepared = PreparedQuestion.of(Question(title=title), SEGMENTER)
    weighed = evidence.weigh(prepared, evidence.find(prepared), votes)
    return {one.tag: one.figures["probability"] for one in weighed}


def test_trees_tell_what_no_single_finding_does(weighed):
    found = find(weighed, "喜欢电影的人会不会问跑步的问题？")
    assert found["电影"] > 0.7
    assert found.get("跑步", 0.0) < 0.2


def test_what_was_learned_is_stored_and_grows_with_decisions(weighed):
    again = Evidence.of({name: array.copy() for name, array in weighed.arrays.items()})
    title = "喜欢咖啡的人会不会问股票的问题？"
    assert find(again, title) == find(weighed, title)
    grown = again.extended([Question(title="怎样观星？", tags=("天文",))], SEGMENTER)
    assert find(grown, title)["咖啡"] > 0.5


def test_votes_of_a_network_that_has_not_met_the_questions_are_weighed_too():
    """Which of the two things in a title is the tag, only the votes say."""
    chance = random.Random(2)
    gold = [Question(title=one.title, tags=(chance.choice(things_of(one.title)),)) for one in questions()]
    asked = []

    def ask(fold, evidence, held):
        asked.append((fold, list(held)))
        return [[Voted(one.tags[0], 0.9), Voted("云", 0.1, 0.01, 2, 7)] for one in held]

    evidence = build(gold).with_arrays(weighing.learn(gold, build, SEGMENTER, ask=ask))
    assert [(fold, len(held)) for fold, held in asked] == [(fold, 60) for fold in range(weighing.FOLDS)]
    assert {id(one) for _, held in asked for one in held} == {id(one) for one in gold}
    title = "喜欢电影的人会不会问跑步的问题？"
    for right, wrong in (("电影", "跑步"), ("跑步", "电影")):
        found = find(evidence, title, [Voted(right, 0.9), Voted("云", 0.1, 0.01, 2, 7)])
        assert found[right] > 0.8
        assert found.get(wrong, 0.0) < 0.2
    # A tag that only hypotheses name is weighed as well.
    assert "猫" in find(evidence, title, [Voted("猫", 0.9)])


def things_of(title: str) -> list[str]:
    return [thing for thing in THINGS if thing in title]


def test_too_few_right_tags_teach_nothing():
    assert weighing.learn(questions(12), build, SEGMENTER) == {}


def test_figures_of_a_tag_by_hand():
    evidence = build(questions(40))
    prepared = PreparedQuestion.of(Question(title="猫和电影", description="猫"), SEGMENTER)
    found = [Finding("猫", "near", {"probability": 0.5}), Finding("电影", "near", {"probability": 0.2})]
    tags, rows = weighing.describe(
        prepared,
        [*found, Finding("狗", "other", {})],
        [Voted("电影", 0.25, 0.099, 1, 3), Voted("鱼", 0.5)],
        evidence.retriever,
    )
    assert tags == ["猫", "电影", "鱼"]
    assert rows.shape == (3, weighing.FIGURES)
    # 电影 has the third place in the list; a single hanzi is not looked for, and 鱼 is not there.
    assert rows[:, -1].tolist() == [255 / 16, pytest.approx(np.log(3), abs=0.04), 255 / 16]
    of_votes = rows[:, -7:-1]
    assert of_votes[0].tolist() == pytest.approx([0, np.log(0.001), weighing.UNRANKED, weighing.NO_HYPOTHESIS, 0.5, 1])
    assert of_votes[1].tolist() == pytest.approx([0.25, np.log(0.1), 1, 3, 0.5, 1])
    assert of_votes[2, 5] == 0  # in no list
    rows = rows[:2]
    assert rows[:, 0].tolist() == pytest.approx([np.log(0.501), np.log(0.201)])
    assert rows[:, 1].tolist() == [0, 1]
    assert rows[:, 2].tolist() == pytest.approx([np.log(0.501)] * 2)
    at = 3 * len(weighing.SOURCES) + 5  # where it begins in the title
    assert rows[:, at].tolist() == [0, 2]
    assert rows[:, at + 2].tolist() == pytest.approx([np.log(2), 0])


def test_no_findings_no_tags():
    prepared = PreparedQuestion.of(Question(title="猫"), SEGMENTER)
    tags, rows = weighing.describe(prepared, [], [], build(questions(20)).retriever)
    assert (tags, rows.shape) == ([], (0, weighing.FIGURES))
