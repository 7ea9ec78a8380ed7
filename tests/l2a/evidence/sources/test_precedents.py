"""Tags of decided questions like this one: shares by hand, and rejections."""

import math

import pytest

from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.evidence.source import Known
from l2a.evidence.sources import precedents
from l2a.evidence.sources.precedents import DOUBT, Precedents
from tests.l2a.evidence.sources.remembering import ask, figures, memory_of, opened, told

# Without a table all words weigh the same: the likeness of two titles of different words is what they share.
CATS = DecidedQuestion(1, "food sand", tags=("养猫",), rejected=("狗",))
FOOD = DecidedQuestion(2, "food bone", tags=("宠物", "养猫"))
MUSIC = DecidedQuestion(3, "吉他 钢琴", tags=("音乐",))


def found(*decided: DecidedQuestion, title: str):
    return opened("precedents", memory_of(*decided)).find(ask(title))


def test_shares_by_hand():
    likeness = figures(found(CATS, FOOD, MUSIC, title="food sand"))
    # The same words: 1. One of two words: 1 / 2. Squared: 1 and 1 / 4.
    total = 1 + 0.25 + DOUBT
    assert likeness == {
        "养猫": {"share": pytest.approx(1.25 / total), "nearest": pytest.approx(1.0)},
        "宠物": {"share": pytest.approx(0.25 / total), "nearest": pytest.approx(0.5)},
        "狗": {"share": 0.0, "nearest": 0.0, "refused": pytest.approx(1 / total)},
    }


def test_a_person_is_told_how_many_of_the_nearest_have_it():
    heard = told(found(CATS, FOOD, MUSIC, title="food sand"))
    assert heard["养猫"] == ("finding.precedents", 2, 2)
    assert heard["宠物"] == ("finding.precedents", 1, 2)
    assert heard["狗"] == ("finding.refused",)


def test_only_so_many_neighbours_count(monkeypatch):
    monkeypatch.setattr(precedents, "NEIGHBOURS", 1)
    assert set(figures(found(FOOD, MUSIC, DecidedQuestion(4, "food", tags=("另一个",)), title="food"))) == {"另一个"}


def test_rejections_weigh_for_nearly_the_same_question_only():
    """Half of the words are the same: 0.5, under NEAR_IDENTICAL."""
    assert precedents.NEAR_IDENTICAL == 0.6
    rejected = DecidedQuestion(1, "food sand", tags=("养猫",), rejected=("狗",))
    assert "狗" in figures(found(rejected, title="food sand"))
    assert "狗" not in figures(found(rejected, title="food bone"))


def test_who_has_a_tag_speaks_against_who_rejected_it():
    given, refused = (
        DecidedQuestion(1, "food sand", tags=("养猫",)),
        DecidedQuestion(2, "food sand", rejected=("养猫",)),
    )
    assert "refused" not in figures(found(given, refused, title="food sand"))["养猫"]  # one each
    twice = figures(found(given, refused, DecidedQuestion(3, "sand food", rejected=("养猫",)), title="food sand"))
    assert twice["养猫"]["refused"] == pytest.approx(1 / (3 + DOUBT))
    assert twice["养猫"]["share"] == pytest.approx(1 / (3 + DOUBT))


def test_a_faint_likeness_gives_a_small_share():
    title = "吉他 " + " ".join(f"word{n}" for n in range(9))
    (share,) = (one["share"] for one in figures(found(MUSIC, title=title)).values())
    likeness = math.sqrt(1 / 2) * figures(found(MUSIC, title=title))["音乐"]["nearest"] * math.sqrt(2)
    assert share == pytest.approx(likeness**2 / (likeness**2 + DOUBT))
    assert share < 0.5


def test_nothing_decided_nothing_told():
    assert found(title="food") == []
    assert found(MUSIC, title="food") == []
    assert Precedents.open(Known()) is None
