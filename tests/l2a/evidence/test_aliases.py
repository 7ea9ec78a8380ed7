"""Other spellings of listed tags, and how often they are right."""

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.aliases import Aliases, spellings
from l2a.evidence.arrays import keys_of
from l2a.evidence.collection import Evidence
from l2a.evidence.source import FoldedWords, PreparedQuestion
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()
TAGS = ["比特币(Bitcoin)", "围城(小说)", "活着(小说)", "英雄联盟（LOL）", "猫"]
TITLES = ("比特币为什么会跌？", "现在买比特币晚了吗？", "比特币的钱包怎么用？", "听说比特币要涨？")


def learned(own: str, times: int = 12) -> Aliases:
    gold = [Question(title=title, tags=(own,)) for title in TITLES * (times // 4)]
    texts = [FoldedWords.of(question, SEGMENTER) for question in gold]
    return Aliases(Aliases.learn(TAGS, keys_of(TAGS), texts, [keys_of(question.tags) for question in gold]))


def found(aliases: Aliases, title: str) -> dict[str, bool]:
    return {one.tag: one.is_inside for one in aliases.find(FoldedWords.of(Question(title=title), SEGMENTER))}


def test_name_and_brackets_are_spellings_and_kinds_are_none():
    assert spellings(TAGS) == {
        "比特币": ("比特币(Bitcoin)", False),
        "bitcoin": ("比特币(Bitcoin)", True),
        "围城": ("围城(小说)", False),
        "活着": ("活着(小说)", False),
        "英雄联盟": ("英雄联盟（LOL）", False),
        "lol": ("英雄联盟（LOL）", True),
    }
    assert spellings(["苹果(水果)", "苹果(公司)"]) == {
        "苹果": ("苹果(水果)", False),  # of two tags the earlier one has it
        "水果": ("苹果(水果)", True),
        "公司": ("苹果(公司)", True),
    }


def test_a_spelling_in_the_text_names_the_whole_tag():
    aliases = learned("比特币(Bitcoin)")
    assert found(aliases, "买比特币还是黄金？") == {"比特币(Bitcoin)": False}
    assert found(aliases, "bitcoin 值得买吗？") == {"比特币(Bitcoin)": True}
    assert found(aliases, "猫为什么怕水？") == {}
    assert "Bitcoin" in aliases
    assert "猫" not in aliases


def test_what_was_right_before_is_likelier():
    right, wrong = learned("比特币(Bitcoin)"), learned("理财")
    (one,) = right.find(FoldedWords.of(Question(title="比特币是什么？"), SEGMENTER))
    assert right.probability(one) > 0.5
    (other,) = wrong.find(FoldedWords.of(Question(title="比特币是什么？"), SEGMENTER))
    assert wrong.probability(other) is None  # never right, so nothing was learned


def test_a_labelled_question_leaves_itself_out():
    aliases = learned("比特币(Bitcoin)")
    words = FoldedWords.of(Question(title=TITLES[0]), SEGMENTER)
    (mine,), (other,) = aliases.find(words, keys_of(["比特币(Bitcoin)"])), aliases.find(words)
    right = [np.expm1(one.described[8]) for one in (mine, other)]
    assert right == pytest.approx([11, 12])


def test_the_source_says_so_and_travels_with_the_model():
    gold = [Question(title=title, tags=("比特币(Bitcoin)",)) for title in TITLES * 3]
    evidence = Evidence.build(gold, TAGS, SEGMENTER)
    again = Evidence.of({name: array.copy() for name, array in evidence.arrays.items()})
    for one in (evidence, again, again.extended([Question(title="围城好看吗？", tags=("围城(小说)",))], SEGMENTER)):
        findings = one.find(PreparedQuestion.of(Question(title="比特币还会涨吗？"), SEGMENTER))
        (told,) = [finding for finding in findings if finding.source == "aliased"]
        assert told.tag == "比特币(Bitcoin)"
        assert told.probability is not None
        assert told.probability > 0.5
        assert told.text is not None
        assert told.text.code == "finding.aliased"
