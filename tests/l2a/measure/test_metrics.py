"""Expected values are worked out by hand in the comments.

The weights of positions 1..5 are 1 / ln(3..7):
0.910239, 0.721348, 0.621335, 0.558111, 0.513898; their sum is 3.324931.
"""

from dataclasses import astuple

import pytest

from l2a.data.questions import Question
from l2a.measure import metrics
from l2a.measure.metrics import CueCoverage, Meaningless, NewTags, PresentAbsent, Score, TagFrequency
from l2a.text.segmenter import Segmenter


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


def test_perfect_predictions_score_one():
    gold = [["电影", "科幻电影"], ["篮球"]]
    assert metrics.nlpcc_score(gold, gold) == Score(1.0, 1.0, 1.0)
    assert metrics.score_at(gold, gold) == Score(1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("predictions", "gold"), [([[], []], [["电影"], ["篮球"]]), ([[]], [[]]), ([], []), ([["a"]], [[]])]
)
def test_nothing_predicted_or_nothing_wanted_scores_zero(predictions, gold):
    assert metrics.nlpcc_score(predictions, gold) == Score(0.0, 0.0, 0.0)
    assert metrics.score_at(predictions, gold) == Score(0.0, 0.0, 0.0)


def test_precision_is_weighted_by_position_over_the_whole_set():
    predictions = [["电影", "小说", "音乐", "动画", "游戏"], ["足球", "篮球"]]
    gold = [["电影", "音乐", "文学"], ["篮球"]]
    score = metrics.nlpcc_score(predictions, gold)
    # correct a position: 1, 1 (篮球), 1 (音乐), 0, 0; predicted a position: 2, 2, 1, 1, 1
    # P = (0.910239 + 0.721348 + 0.621335) / (2 * 0.910239 + 2 * 0.721348 + 0.621335 + 0.558111 + 0.513898)
    #   = 2.252922 / 4.956518 = 0.454537;  R = 3 / 4;  F1 = 2 * 0.454537 * 0.75 / 1.204537 = 0.566032
    assert score.precision == pytest.approx(0.454537, abs=1e-6)
    assert score.recall == 0.75
    assert score.f1 == pytest.approx(0.566032, abs=1e-6)


def test_an_early_hit_is_worth_more_than_a_late_one():
    wrong = ["甲", "乙", "丙", "丁"]
    # 0.910239 / 3.324931 = 0.273762 and 0.513898 / 3.324931 = 0.154559
    assert metrics.nlpcc_score([["电影", *wrong]], [["电影"]]).precision == pytest.approx(0.273762, abs=1e-6)
    assert metrics.nlpcc_score([[*wrong, "电影"]], [["电影"]]).precision == pytest.approx(0.154559, abs=1e-6)


def test_fewer_than_five_predictions_are_not_punished_for_the_missing_ones():
    # one prediction, right: P = 0.910239 / 0.910239 = 1, R = 1 / 2, F1 = 2 / 3
    score = metrics.nlpcc_score([["电影"]], [["电影", "科幻"]])
    assert (score.precision, score.recall) == (1.0, 0.5)
    assert score.f1 == pytest.approx(2 / 3)


def test_only_the_first_five_predictions_count():
    # The sixth is right but is not read; the true tags are all counted, six of them.
    tags = ["一", "二", "三", "四", "五", "六"]
    assert metrics.nlpcc_score([["甲", "乙", "丙", "丁", "戊", "一"]], [["一"]]) == Score(0.0, 0.0, 0.0)
    score = metrics.nlpcc_score([tags], [tags])
    assert score.precision == 1.0
    assert score.recall == pytest.approx(5 / 6)


def test_a_repeated_prediction_is_correct_once():
    # positions 1 and 2 are the same tag: P = 0.910239 / (0.910239 + 0.721348) = 0.557886; R = 1 / 1
    score = metrics.nlpcc_score([["NBA", "ＮＢＡ"]], [["nba"]])
    assert score.precision == pytest.approx(0.557886, abs=1e-6)
    assert score.recall == 1.0
    assert metrics.score_at([["NBA", "ＮＢＡ"]], [["nba"]]).precision == 0.5


def test_a_true_tag_given_twice_counts_once():
    assert metrics.nlpcc_score([["电影"]], [["电影", "电影"]]).recall == 1.0


@pytest.mark.parametrize("spelling", ["NBA", "nba", "ＮＢＡ", " nba ", "n\u200bba"])
def test_spellings_of_one_tag_are_equal(spelling):
    assert metrics.nlpcc_score([[spelling]], [["Nba"]]).f1 == 1.0


def test_plain_score_at_k():
    predictions = [["电影", "小说", "音乐"], ["足球", "篮球"]]
    gold = [["电影", "音乐"], ["篮球"]]
    # @1: 1 of 2 predictions, 1 of 3 tags, F1 = 2 * 1 / (2 + 3);  @2: 2 of 4, 2 of 3;  @5: 3 of 5, 3 of 3
    assert astuple(metrics.score_at(predictions, gold, 1)) == pytest.approx((1 / 2, 1 / 3, 2 / 5))
    assert astuple(metrics.score_at(predictions, gold, 2)) == pytest.approx((1 / 2, 2 / 3, 4 / 7))
    assert astuple(metrics.score_at(predictions, gold)) == pytest.approx((3 / 5, 1.0, 6 / 8))


def test_different_lengths_are_refused_with_both_numbers():
    with pytest.raises(ValueError, match="2 lists of predictions but 3 lists of gold"):
        metrics.nlpcc_score([["a"], ["b"]], [["a"], ["b"], ["c"]])
    with pytest.raises(ValueError, match="1 texts but 2 lists of gold"):
        metrics.present_absent_recall(["a"], [["a"], ["b"]], [["a"], ["b"]])


def test_k_below_one_is_refused():
    with pytest.raises(ValueError, match="k is 0"):
        metrics.score_at([["a"]], [["a"]], 0)


def test_new_tags_are_those_training_never_had():
    predictions = [["河北师范大学", "大学", "河北大学"], ["Java", "元宇宙"]]
    gold = [["河北师范大学", "大学"], ["元宇宙", "区块链游戏", "java"]]
    # new predictions: 河北师范大学 (right), 河北大学 (wrong), 元宇宙 (right);
    # new gold tags: 河北师范大学, 元宇宙, 区块链游戏. Training spells java in full-width letters.
    found = metrics.new_tags(predictions, gold, ["大学", "ＪＡＶＡ"])
    assert found == NewTags(correct=2, predicted=3, gold=3)
    assert found.precision == pytest.approx(2 / 3)
    assert found.to_dict() == {
        "correct": 2,
        "predicted": 3,
        "gold": 3,
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(2 / 3),
    }


def test_no_new_tags_give_a_precision_of_zero():
    assert metrics.new_tags([["a"]], [["a"]], ["a"]).precision == 0.0


def test_meaningless_outputs_are_in_no_known_list():
    hypotheses = [["电影", "科幻"], ["电影", "影科"], ["影科", "Science Fiction"], ["星球"]]
    # seven outputs; 影科 twice and 星球 once are known nowhere
    found = metrics.meaningless(hypotheses, ["电影"], {"科幻"}, ["science fiction"])
    assert found == Meaningless(count=3, total=7)
    assert found.share == pytest.approx(3 / 7)
    assert metrics.meaningless([["电影"]], ["电影"]).share == 0.0  # after voting


def test_meaningless_reads_generators_and_survives_no_outputs():
    assert metrics.meaningless((tags for tags in ()), (tag for tag in "甲乙")) == Meaningless(0, 0)
    assert metrics.meaningless([], []).to_dict() == {"count": 0, "total": 0, "share": 0.0}


def test_recall_of_present_and_absent_tags():
    texts = ["用ＰＹＴＨＯＮ写爬虫难吗", "周末看什么"]
    predictions = [["Python", "编程"], ["电影"]]
    gold = [["python", "爬虫", "编程"], ["电影", "生活"]]
    # present: python (predicted), 爬虫 (not); absent: 编程 (predicted), 电影 (predicted), 生活 (not)
    found = metrics.present_absent_recall(texts, predictions, gold)
    assert found == PresentAbsent(present_correct=1, present_total=2, absent_correct=2, absent_total=3)
    assert found.present_recall == 0.5
    assert found.absent_recall == pytest.approx(2 / 3)


def test_cue_coverage_counts_full_tags_and_their_words(segmenter):
    questions = [
        Question("有什么好看的科幻电影", "最好是关于太空的", ("科幻电影", "太空旅行", "美国电影")),
        Question("怎么学 C++", "", ("C++ (语言)",)),
        Question("没有标签的问题"),
    ]
    # full tags: 科幻电影 is a substring, the other three are not: 1 of 4
    # words: 科幻 电影 | 太空 旅行 | 美国 电影 | C++ 语言, the brackets are no words: 科幻 电影 太空 电影 C++ = 5 of 8
    found = metrics.cue_coverage(questions, segmenter)
    assert found == CueCoverage(tags=4, tags_found=1, words=8, words_found=5)
    assert (found.full_tags, found.tag_words) == (0.25, 0.625)
    assert metrics.cue_coverage([], segmenter).to_dict()["full_tags"] == 0.0


def test_a_tag_word_must_be_a_word_of_the_text_not_a_part_of_one(segmenter):
    # C is a substring of CBA but not a word of the text; as a full tag it is found all the same.
    assert metrics.cue_coverage([Question("喜欢看 CBA 吗", "", ("C",))], segmenter) == CueCoverage(1, 1, 1, 0)


def test_tag_frequencies_rank_by_count_then_by_spelling():
    table = metrics.tag_frequencies([["电影", "NBA"], ["nba", "ＮＢＡ", "b"], ["电影", "a"], ["电影"]])
    # 电影 is on three questions, NBA on two (its two spellings on one question count once), a and b on one each
    assert table == [
        TagFrequency(1, "电影", 3),
        TagFrequency(2, "NBA", 2),
        TagFrequency(3, "a", 1),
        TagFrequency(4, "b", 1),
    ]
    assert metrics.tag_frequencies([["a", "b"], ["b"]], top=1) == [TagFrequency(1, "b", 2)]
    assert metrics.tag_frequencies([]) == []


def test_a_score_turns_into_a_plain_dict():
    assert metrics.nlpcc_score([["a"]], [["a"]]).to_dict() == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
