"""How tags are given here: by hand, for tags that others named, and never a tag of its own."""

from math import log1p

import pytest

from l2a.evidence.memory import decisions
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.evidence.sources import habits
from l2a.evidence.sources.habits import DOUBT, TOLD_FROM
from tests.l2a.evidence.sources.remembering import ask, figures, memory_of, opened, told

DECIDED = (
    DecidedQuestion(1, "一", tags=("吉他", "音乐"), number=1),
    DecidedQuestion(2, "二", tags=("吉他", "音乐"), number=2),
    DecidedQuestion(3, "三", tags=("音乐",), number=3),
    DecidedQuestion(4, "四", tags=("养猫",), rejected=("音乐",), number=4),
)


def judged(*decided: DecidedQuestion, title: str, tags):
    return opened("habits", memory_of(*decided)).judge(ask(title), tags)


def test_how_often_by_hand():
    found = figures(judged(*DECIDED, title="怎么学", tags=["音乐", "养猫", "没给过"]))
    assert found["音乐"] == {
        "ever": 1.0,
        "often": pytest.approx(log1p(3)),
        "usual": pytest.approx(3 / (4 + DOUBT)),
        "lately": pytest.approx(3 / (4 + DOUBT)),
    }
    assert found["养猫"]["often"] == pytest.approx(log1p(1))
    assert "没给过" not in found


def test_it_names_no_tag_of_its_own():
    source = opened("habits", memory_of(*DECIDED))
    assert source.find(ask("音乐")) == []
    assert source.judge(ask("音乐"), []) == []


def test_spellings_of_a_tag_are_one():
    found = figures(judged(DecidedQuestion(1, "一", tags=("Python",)), title="怎么学", tags=["PYTHON"]))
    assert found["PYTHON"]["ever"] == 1.0


def test_only_the_latest_count_as_lately(monkeypatch):
    for module in (decisions, habits):
        monkeypatch.setattr(module, "RECENT", 2)
    memory = memory_of(*DECIDED)
    source = opened("habits", memory)
    found = figures(source.judge(ask("怎么学"), ["音乐", "吉他", "养猫"]))
    assert [found[tag].get("lately", 0.0) * (2 + DOUBT) for tag in ("音乐", "吉他", "养猫")] == pytest.approx([1, 0, 1])
    memory.forget(4)
    found = figures(source.judge(ask("怎么学"), ["音乐", "吉他", "养猫"]))
    assert [found[tag]["lately"] * (2 + DOUBT) for tag in ("音乐", "吉他")] == pytest.approx([2, 1])
    assert "养猫" not in found


def test_tags_that_go_with_one_in_the_title():
    """吉他 stands in the title; 音乐 was given with it twice of two times."""
    found = figures(judged(*DECIDED, title="吉他怎么学", tags=["音乐", "养猫", "吉他"]))
    assert found["音乐"]["together"] == pytest.approx(2 / (2 + 1))
    assert "together" not in found["养猫"]
    assert "together" not in found["吉他"]  # itself says nothing of itself
    found = figures(opened("habits", memory_of(*DECIDED)).judge(ask("怎么学", "吉他"), ["音乐"]))
    assert "together" not in found["音乐"]  # in the description only


def test_the_tag_above_one_in_the_title():
    memory = memory_of(*DECIDED)
    memory.learn_names([("钢琴", "钢琴", "乐器"), ("乐器", "乐器", None)])
    found = opened("habits", memory).judge(ask("钢琴怎么学"), ["乐器", "音乐"])
    assert figures(found)["乐器"] == {"above": 1.0}
    assert told(found)["乐器"] == ("finding.above",)


def test_a_person_is_told_of_what_is_given_often_lately():
    assert TOLD_FROM == 5
    many = [DecidedQuestion(n, str(n), tags=("音乐", *(["吉他"] if n < 4 else [])), number=n) for n in range(7)]
    heard = told(judged(*many, title="怎么学", tags=["音乐", "吉他"]))
    assert heard == {"音乐": ("finding.lately", 7, 7)}
