import json

import pytest

from l2a.data.questions import Question
from l2a.measure.metrics import CueCoverage, TagFrequency
from l2a.measure.statistics import describe, render
from l2a.text.segmenter import Segmenter


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


QUESTIONS = [
    Question("喜欢 电影", "", ("电影", "科幻电影")),  # 2 source words
    Question("电影 音乐 小说", "", ("电影", "电影")),  # 3, a tag given twice
    Question("今天 天气", "https://example.com/a", ()),  # 2, the URL is no word
    Question("一 二 三 四 五 六", "", ("a", "b", "c", "d", "e", "f")),  # 6
]


def test_describe_counts_rows_tags_and_words(segmenter):
    stats = describe(iter(QUESTIONS), segmenter, top=2)
    assert (stats.rows, stats.rows_without_tags, stats.rows_with_more_than_5_tags) == (4, 1, 1)
    # pairs: 2 + 1 + 0 + 6; distinct: 电影 科幻电影 a..f, all but 电影 on one question only
    assert (stats.tags, stats.distinct_tags, stats.tags_seen_once) == (9, 8, 7)
    assert stats.tags_per_question == 3.0  # 9 pairs on the three rows with tags
    assert stats.words_per_tag == pytest.approx(9 / 8)  # 科幻电影 has two words, the other seven have one
    # lengths in order: 2 2 3 6; half of the rows have no more than 2 words, 95% (all four) no more than 6
    assert (stats.source_words_median, stats.source_words_p95) == (2, 6)
    # full tags found: 电影, 电影; words found: 电影, (科幻) 电影, 电影 of 1 + 2 + 1 + 6
    assert stats.cues == CueCoverage(tags=9, tags_found=2, words=10, words_found=3)
    assert stats.top_tags == (TagFrequency(1, "电影", 2), TagFrequency(2, "a", 1))


def test_an_empty_file_is_described_without_a_crash(segmenter):
    stats = describe([], segmenter)
    assert (stats.rows, stats.tags_per_question, stats.words_per_tag, stats.source_words_p95) == (0, 0.0, 0.0, 0)
    assert "rank" not in render(stats)


def test_spellings_of_one_tag_are_counted_together(segmenter):
    questions = [Question("问题", "", (tag,)) for tag in ("NBA", "nba", "ＮＢＡ")]
    stats = describe(questions, segmenter)
    assert stats.top_tags == (TagFrequency(1, "NBA", 3),)


def test_questions_are_not_kept_in_memory(segmenter):
    alive = 0

    class Counted(Question):
        def __del__(self):
            nonlocal alive
            alive -= 1

    def stream():
        nonlocal alive
        for number in range(50):
            alive += 1
            yield Counted(f"第 {number} 问", "", ("电影",))
            assert alive <= 2  # the one just handed out and the one before

    assert describe(stream(), segmenter).rows == 50


def test_render_shows_every_number_and_the_frequency_table(segmenter):
    text = render(describe(QUESTIONS * 300, segmenter, top=1))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines == [
        "rows 1,200",
        "rows without tags 300",
        "rows with more than 5 tags 300",
        "question-tag pairs 2,700",
        "distinct tags 8",
        "tags seen once 0",
        "tags a question (with tags) 3.00",
        "words a tag 1.12",
        "source words, median 2",
        "source words, 95th percentile 6",
        "full tags found in the text 22.2%",
        "tag words found in the text 30.0%",
        "",
        "rank count tag",
        "1 600 电影",
    ]


def test_a_tag_with_a_line_end_stays_on_one_line(segmenter):
    assert render(describe([Question("问题", "", ("甲\n乙",))], segmenter)).splitlines()[-1].endswith("甲 乙")


def test_stats_turn_into_json(segmenter):
    data = json.loads(json.dumps(describe(QUESTIONS, segmenter, top=1).to_dict()))
    assert data["cues"]["tag_words"] == 0.3
    assert data["top_tags"] == [{"rank": 1, "tag": "电影", "count": 2}]
