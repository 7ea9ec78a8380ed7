"""Figures of tags: what hypotheses and sources say of each, gathered under one key."""

import math

import pytest

from l2a.config import VoteSettings
from l2a.data.questions import Question
from l2a.evidence.source import Finding, PreparedQuestion, Source
from l2a.ranking.candidates import FAINT, gather
from l2a.search.voting import count_votes
from l2a.text.segmenter import Segmenter

QUESTION = PreparedQuestion.of(Question(title="怎样学 Python？"), Segmenter())
VOTES = count_votes([["Python", "编程"], ["Python"], ["造的"]], [-1.0, -2.0, -3.0], beam=4)


class Judge(Source):
    """Says of each tag that was named how long it is."""

    name, rank = "judge", 9
    asked: list

    def __init__(self):
        self.asked = []

    @classmethod
    def open(cls, known):
        return cls()

    def find(self, question):
        raise AssertionError("not asked here")

    def judge(self, question, tags):
        self.asked += tags
        return [Finding(tag, self.name, {"letters": len(tag)}) for tag in tags if tag != "编程"]


def figures_of(findings=(), judges=(), *, weights=None, invented=()) -> dict[str, dict[str, float]]:
    found = gather(
        QUESTION,
        VOTES,
        findings,
        judges,
        weights=weights or VoteSettings(),
        is_invented=lambda tag: tag in invented,
    )
    return {candidate.tag: dict(candidate.figures) for candidate in found}


def standing(value: float) -> float:
    return round(math.log1p(min(1.0, value) / FAINT) / math.log1p(1 / FAINT), 5)


def test_votes_alone():
    found = figures_of()
    assert list(found) == ["Python", "编程", "造的"]
    assert found["Python"] == {
        "votes.share": 0.5,
        "votes.share.root": round(math.sqrt(0.5), 5),
        "votes.probability": round(math.exp(-1) + math.exp(-2), 5),
        "model.standing": standing(0.5),
    }


def test_evidence_is_added_up_by_weight_and_1_at_most():
    weights = VoteSettings({"near": 0.5, "listed": 4.0}, invented_worth=0.25)
    findings = [
        Finding("PYTHON", "near", {"probability": 0.5}),  # another spelling of the same tag
        Finding("显微镜", "listed", {"probability": 0.1}),
        Finding("显微镜", "listed", {"precision": 0.9}),  # for the network only
        Finding("编程", "listed", {"probability": 0.9}),
        Finding("编程", "linear", {"probability": 0.9}),  # has no weight
    ]
    found = figures_of(findings, weights=weights, invented={"造的", "显微镜"})
    assert list(found) == ["Python", "编程", "造的", "显微镜"]
    assert found["Python"]["model.standing"] == standing(0.5 + 0.5 * 0.5)
    assert found["Python"]["near.probability"] == 0.5
    assert found["编程"]["model.standing"] == standing(1.0) == 1.0
    # What the model made up counts for less; what only a list has was made up by nobody.
    assert found["造的"]["model.standing"] == standing(0.25 * 0.25)
    assert found["显微镜"]["model.standing"] == standing(0.4)
    assert found["显微镜"]["listed.precision"] == 0.9
    assert "votes.share" not in found["显微镜"]


def test_of_two_findings_of_a_source_the_greater_figure_counts():
    findings = [Finding("新", "words", {"score": value}) for value in (0.25, 0.5, 0.36)]
    assert figures_of(findings)["新"] == {"words.score": 0.5, "words.score.root": round(math.sqrt(0.5), 5)}


def test_two_figures_together_and_roots():
    findings = [
        Finding("Python", "mentions", {"title": 1.0}),
        Finding("Python", "habits", {"ever": 1.0}),
        Finding("Python", "precedents", {"share": 0.25}),
        Finding("编程", "mentions", {"title": 1.0}),
    ]
    found = figures_of(findings)
    assert found["Python"]["mentions.title*habits.ever"] == 1.0
    assert found["Python"]["votes.share*habits.ever"] == 0.5
    assert found["Python"]["mentions.title*votes.share"] == 0.5
    assert found["Python"]["precedents.share.root"] == 0.5
    assert found["编程"]["mentions.title*votes.share"] == 0.25
    assert not [name for name in found["编程"] if "habits" in name]


def test_judges_hear_of_every_tag_once_and_bring_none():
    judge = Judge()
    found = figures_of([Finding("显微镜", "near", {"probability": 0.5})], [judge])
    assert judge.asked == ["Python", "编程", "造的", "显微镜"]
    assert list(found) == judge.asked
    assert found["显微镜"]["judge.letters"] == 3
    assert "judge.letters" not in found["编程"]


def test_a_figure_of_nothing_is_left_out():
    assert figures_of([Finding("新", "words", {"score": 0.0, "faint": 1e-7})])["新"] == {}


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.3, 1.0])
def test_standing_goes_from_0_to_1_and_keeps_the_order(share):
    def of(value: float) -> float:
        weights = VoteSettings({"near": 1.0})
        return figures_of([Finding("新", "near", {"probability": value})], weights=weights)["新"].get(
            "model.standing", 0.0
        )

    assert 0.0 <= of(share) <= 1.0
    assert of(share) <= of(min(1.0, share + 0.01))
    assert (of(share) == 0.0) == (share == 0.0)
