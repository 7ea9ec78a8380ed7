"""The attention page: a typed text, both heatmaps in every way, the check, the files, the link, two models."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import eventually
from tests.e2e.screens.screen import PATIENCE, Screen
from tests.e2e.timing import timed

TITLE = "零基础自学 Python，三个月能达到什么水平？"
WORDS = ["零", "基础", "自学", "Python", ",", "三个", "月", "能", "达到", "什么", "水平", "?"]
TAGS = ["编程", "自学"]
WEIGHTS_AND_WORDS = (
    "plot => [JSON.stringify(plot.data[0].z), plot.layout.annotations.map(one => one.text.replaceAll('<br>', ''))]"
)
BARS = "plot => [plot.data[0].type, plot.data[0].hovertext, JSON.stringify(plot.data[0].x)]"


@pytest.fixture
def screen(open_screen) -> Screen:
    """The page with a typed text and typed tags."""
    screen = open_screen("attention")
    screen.pick("attention-from", "自己输入")
    with timed("attention: typed text to heatmap"):
        screen.write(screen.widget("attention-title"), TITLE)
        expect(screen.plots("attention-map*")).to_be_visible(timeout=PATIENCE)
    screen.pick("attention-tags-from", "手写")
    screen.see("请写下至少一个标签")
    screen.write(screen.widget("attention-tags"), "、".join(TAGS))
    expect(screen.plots("attention-map*")).to_be_visible(timeout=PATIENCE)
    return screen


def drawn(screen: Screen) -> tuple[str, list[str]]:
    """The weights of the heatmap as they came, and the words at its sides."""
    return both_drawn(screen, count=1)[0]


def both_drawn(screen: Screen, count: int = 2) -> list[tuple[str, list[str]]]:
    return [(weights, words) for weights, words in screen.read_plots("attention-map*", WEIGHTS_AND_WORDS, count)]


def falls(screen: Screen) -> list:
    """The kind of the occlusion check's bars, what they say, and how long they are."""
    return screen.read_plots("attention-check-*", BARS)[0]


def look(screen: Screen, key: str, name: str | re.Pattern) -> None:
    """Choose another way to look, and wait until the heatmap is another one."""
    before = drawn(screen)
    with timed("attention: another view"):
        screen.pick(key, name)
        eventually(lambda: drawn(screen) != before)


def numbers(screen: Screen) -> dict[tuple[int, int], float]:
    """The weights of the CSV by row and column, both from 1."""
    _, content = screen.download(screen.widget("attention-csv*"))
    return {(int(line["row"]), int(line["column"])): float(line["weight"]) for line in read_csv(content)}


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def row_sums(weights: dict[tuple[int, int], float]) -> list[float]:
    return [
        sum(value for (row, _), value in weights.items() if row == each) for each in sorted({r for r, _ in weights})
    ]


def test_every_way_to_look_at_both_kinds_of_attention(screen):
    screen.see("写每个词时对问题各词的注意力")
    assert drawn(screen)[1][: len(WORDS)] == WORDS
    mean = numbers(screen)
    assert row_sums(mean) == pytest.approx([1.0] * len(row_sums(mean)), abs=1e-4)
    look(screen, "attention-how", "最大")
    highest = numbers(screen)
    assert all(highest[place] >= mean[place] for place in mean)
    look(screen, "attention-how", "单个头")
    one_head = numbers(screen)
    assert row_sums(one_head) == pytest.approx([1.0] * len(row_sums(mean)), abs=1e-4)
    assert all(highest[place] >= one_head[place] - 1e-6 for place in one_head)
    before = drawn(screen)
    screen.select(screen.widget("attention-head"), "2")
    eventually(lambda: drawn(screen) != before)
    second = numbers(screen)
    assert second != one_head
    assert all(highest[place] >= second[place] - 1e-6 for place in second)
    look(screen, "attention-how", "展开")
    screen.see("沿解码器各层")
    question_share = row_sums(numbers(screen))
    look(screen, "attention-kind", "解码器自身")
    screen.see("写每个词时对已写各词的注意力")
    own = numbers(screen)
    assert [a + b for a, b in zip(question_share, row_sums(own), strict=True)] == pytest.approx(
        [1.0] * len(question_share), abs=1e-4
    )
    look(screen, "attention-how", "平均")
    assert drawn(screen)[1][0] == "&lt;s&gt;"
    assert {value for (row, column), value in numbers(screen).items() if column > row} == {0.0}  # nothing unwritten yet


def test_tags_by_hand_and_the_occlusion_check(screen):
    assert set(TAGS) <= set(drawn(screen)[1])
    kind, texts, first = falls(screen)
    assert (kind, [text.split("<br>")[0] for text in texts]) == ("bar", WORDS)
    assert all(re.search(r"下降 [+-]\d+\.\d{3}$", text) for text in texts)
    screen.see(re.compile(r"与注意力的等级相关：[+-]\d\.\d\d"))
    with timed("attention: occlusion check of another tag"):
        screen.select(screen.widget("attention-checked*"), TAGS[1])
        eventually(lambda: falls(screen)[2] != first)
    screen.write(screen.widget("attention-tags"), "编程、龘龘齉")
    screen.see(re.compile("写不出，已略去：龘龘齉"))
    eventually(lambda: "自学" not in drawn(screen)[1][len(WORDS) :])
    assert "编程" in drawn(screen)[1]
    assert "龘龘齉" not in drawn(screen)[1]


def test_the_figure_in_three_kinds_of_file_and_its_numbers(screen):
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        with timed(f"attention: {kind.upper()} downloaded"):
            name, picture = screen.download(screen.widget(f"attention-{kind}"))
        assert re.fullmatch(rf"attention-typed-cross-mean-\w+\.{kind}", name)
        assert picture.startswith(start)
        if kind == "svg":
            words = re.findall(r"<!-- (.*?) -->", picture.decode())  # each before the shapes of its letters
            assert {*WORDS, *TAGS, "写出的词", "问题中的词", "注意力权重"} <= set(words)
            assert TITLE in "".join(ElementTree.fromstring(picture).itertext())
    name, table = screen.download(screen.widget("attention-csv*"))
    assert name.endswith(".csv")
    lines = read_csv(table)
    assert [line["column_word"] for line in lines if line["row"] == "1"] == WORDS
    assert set(TAGS) <= {line["row_word"] for line in lines}


def test_the_map_says_that_it_goes_on_only_where_it_does(screen):
    note = screen.main.locator(".l2a-continues")
    expect(note).to_be_hidden()
    screen.page.set_viewport_size({"width": 360, "height": 800})
    expect(note).to_be_visible()
    expect(note).to_contain_text("向右滚动")


def test_the_link_repeats_the_view_for_somebody_else(screen, open_screen):
    look(screen, "attention-how", "单个头")
    before = drawn(screen)
    screen.select(screen.widget("attention-head"), "2")
    eventually(lambda: drawn(screen) != before)
    link = screen.main.locator("[data-testid=stCode]").last  # the first is the figure's caption
    expect(link).to_contain_text("head=2", timeout=PATIENCE)
    with timed("attention: a link opened"):
        other = open_screen(link.inner_text().strip(), person="zhao")
        expect(other.plots("attention-map*")).to_be_visible(timeout=PATIENCE)
    eventually(lambda: drawn(other) == drawn(screen))
    expect(other.widget("attention-title").locator("input")).to_have_value(TITLE)
    expect(other.widget("attention-how").get_by_role("radio", name="单个头")).to_be_checked()


def test_two_models_side_by_side(screen, studio):
    alone = drawn(screen)
    with timed("attention: a second model beside"):
        screen.select(screen.widget("attention-beside"), studio.other_version)
        expect(screen.plots("attention-map*")).to_have_count(2, timeout=60_000)
    assert len(screen.read_plots("attention-check-*", BARS, 2)) == 2
    eventually(lambda: len({weights for weights, _ in both_drawn(screen)}) == 2)
    (first, _), (second, words) = both_drawn(screen)
    assert first == alone[0] != second
    assert set(TAGS) <= set(words)
    scales = screen.read_plots("attention-map*", "plot => plot.data[0].zmax", 2)
    assert scales[0] == scales[1]  # one scale, or the colours could not be compared
    link = screen.main.locator("[data-testid=stCode]").last  # the first is the figure's caption
    expect(link).to_contain_text(f"beside={studio.other_version}")


def test_a_question_of_the_store_with_what_people_decided(open_screen, studio):
    screen = open_screen("attention?question=1", language="en")
    expect(screen.plots("attention-map*")).to_be_visible(timeout=PATIENCE)
    screen.see("Where the decoder looked in the question as it wrote each word")
    screen.pick("attention-tags-from", "Decided")
    screen.see("Tags people decided on")
    eventually(lambda: "Python" in drawn(screen)[1] and "编程" not in drawn(screen)[1])
    assert json.loads(drawn(screen)[0])
