"""Pairs of characters as TF-IDF, by hand; and a linear model that reads them beside words."""

import math

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.collection import Evidence
from l2a.evidence.pairs import Pairs
from l2a.evidence.source import FoldedWords, PreparedQuestion
from l2a.evidence.sources.linear import Linear
from l2a.text.hashing import hash_word
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()


def text(title: str, description: str = "") -> FoldedWords:
    return FoldedWords(list(title), list(description))


def test_a_title_counts_three_times_and_what_is_rare_counts_more():
    pairs = Pairs.learn([text("甲乙丙"), text("甲乙"), text("甲乙"), text("乙丙"), text("", "乙丙")])
    assert len(pairs) == 2  # both stand in three texts
    columns, weights = pairs.vector(text("甲乙", "乙丙，丁"))
    common = math.log(6 / 4) + 1  # alike for both
    expected = np.array([(1 + math.log(3)) * common, common])
    expected /= np.linalg.norm(expected)
    found = {int(pairs.arrays["pair_keys"][column]): weight for column, weight in zip(columns, weights, strict=True)}
    assert found[hash_word("甲乙")] == pytest.approx(expected[0], abs=1e-3)
    assert found[hash_word("乙丙")] == pytest.approx(expected[1], abs=1e-3)


def test_pairs_go_across_words_and_not_across_marks():
    pairs = Pairs.learn([FoldedWords(["手机", "壳", "，", "好"], [])] * 3)
    assert set(pairs.arrays["pair_keys"].tolist()) == {hash_word("手机"), hash_word("机壳")}


def test_a_rare_pair_is_not_kept_and_an_unknown_one_says_nothing():
    pairs = Pairs.learn([text("甲乙")] * 2)
    assert len(pairs) == 0
    assert [len(part) for part in pairs.vector(text("甲乙"))] == [0, 0]
    assert Pairs.learn([text("甲乙")] * 3).matrix([text("丙丁"), text("甲乙")]).toarray().tolist() == [[0], [1]]


def test_a_linear_model_knows_a_name_that_is_cut_in_another_way():
    """Words are unlike in every question; only the pair is the same."""
    gold = [Question(title=f"问{word}甲乙{word}", tags=("天文",)) for word in "猫狗鱼鸟马牛"]
    gold += [Question(title=f"问{word}", tags=("动物",)) for word in ("猫猫", "狗狗", "鱼鱼", "鸟鸟", "马马", "牛牛")]
    evidence = Evidence.build(gold, (), SEGMENTER)
    labelled = [PreparedQuestion(one, FoldedWords([one.title], [])) for one in gold]
    learned = evidence.with_arrays(Linear.learn_with(evidence.retriever, labelled, []))
    prepared = PreparedQuestion(Question(title="甲乙"), FoldedWords(["甲乙"], []))
    found = {one.tag: one.figures["probability"] for one in learned.find(prepared) if one.source == "linear"}
    assert list(found) == ["天文"]
    grown = learned.extended([Question(title="怎样钓鱼？", tags=("钓鱼",))], SEGMENTER)
    assert {one.tag for one in grown.find(prepared.afresh()) if one.source == "linear"} == {"天文"}
