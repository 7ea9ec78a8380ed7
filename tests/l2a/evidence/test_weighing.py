"""What all findings are worth together, learned on folds."""

import random

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


def find(evidence: Evidence, title: str) -> dict[str, float]:
    found = evidence.find(PreparedQuestion.of(Question(title=title), SEGMENTER))
    return {one.tag: one.figures["probability"] for one in found if one.source == "weighed"}


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


def test_hints_alone_are_not_weighed(weighed):
    prepared = PreparedQuestion.of(questions()[0], SEGMENTER)
    assert not any(one.source == "weighed" for one in weighed.find(prepared, only_hints=True))


def test_too_few_right_tags_teach_nothing():
    assert weighing.learn(questions(12), build, SEGMENTER) == {}


def test_figures_of_a_tag_by_hand():
    evidence = build(questions(40))
    prepared = PreparedQuestion.of(Question(title="猫和电影", description="猫"), SEGMENTER)
    found = [Finding("猫", "near", {"probability": 0.5}), Finding("电影", "near", {"probability": 0.2})]
    tags, rows = weighing.describe(prepared, [*found, Finding("狗", "other", {})], evidence.retriever)
    assert tags == ["猫", "电影"]
    assert rows.shape == (2, weighing.FIGURES)
    assert rows[:, 0].tolist() == pytest.approx([np.log(0.501), np.log(0.201)])
    assert rows[:, 1].tolist() == [0, 1]
    assert rows[:, 2].tolist() == pytest.approx([np.log(0.501)] * 2)
    at = 3 * len(weighing.SOURCES) + 5  # where it begins in the title
    assert rows[:, at].tolist() == [0, 2]
    assert rows[:, at + 2].tolist() == pytest.approx([np.log(2), 0])


def test_no_findings_no_tags():
    prepared = PreparedQuestion.of(Question(title="猫"), SEGMENTER)
    tags, rows = weighing.describe(prepared, [], build(questions(20)).retriever)
    assert (tags, rows.shape) == ([], (0, weighing.FIGURES))
