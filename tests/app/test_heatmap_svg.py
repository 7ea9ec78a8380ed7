import io
from xml.etree import ElementTree

import numpy as np
import pytest

from app import attention_files
from app.figures.attention import heatmap_figure, occlusion_figure
from app.heatmap_svg import Heatmap, colour, cut, fit, is_stacked, measure, to_svg

SVG = "{http://www.w3.org/2000/svg}"
LABELS = ("writes", "looks at", "weight")


def small(**more) -> Heatmap:
    return Heatmap(("跑步", "</s>"), ("膝盖", "<b>", "?"), np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]]), **more)


def test_an_svg_has_a_cell_for_each_weight_with_both_words_in_its_tooltip():
    root = ElementTree.fromstring(to_svg(small(heading=("问题 & <i>", "跑步"), breaks=(1,))))
    cells = [rect for rect in root.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    assert len(cells) == 6
    assert cells[0].find(f"{SVG}title").text == "跑步 → 膝盖: 0.5000"
    assert cells[1].find(f"{SVG}title").text == "跑步 → <b>: 0.2500"
    assert cells[5].get("fill") == "#06382f"  # the greatest weight
    assert cells[3].get("fill") == "#f1f6f4"  # nothing
    assert root.find(f"{SVG}title").text == "问题 & <i> 跑步"
    assert len(list(root.iter(f"{SVG}path"))) == 1
    assert "Noto Sans CJK SC" in root.get("font-family")


def test_characters_that_xml_forbids_are_left_out_and_no_markup_gets_in():
    words = ("\x00a\ud800<script>",)
    svg = to_svg(Heatmap(words, words, np.array([[1.0]])))
    ElementTree.fromstring(svg)
    assert "<script" not in svg
    svg.encode()


def test_hanzi_are_stacked_and_other_words_are_turned():
    svg = to_svg(small())
    assert ">膝</tspan><tspan" in svg
    assert 'rotate(-90)">&lt;b&gt;</text>' in svg
    assert [is_stacked(word) for word in ("膝盖", "，", "?", "<s>", "A股")] == [True, True, True, False, False]


def test_sixty_words_keep_the_size_of_a_cell():
    many = Heatmap(("a",), ("词",) * 60, np.full((1, 60), 1 / 60))
    assert measure(many).width == 60 * 26
    figure = heatmap_figure(many, dark=False, labels=LABELS)
    assert figure.layout.width == measure(many).left + 60 * 26 + 16


@pytest.mark.parametrize(
    ("weight", "expected"), [(0.0, "#000000"), (1.0, "#808080"), (2.0, "#ffffff"), (9.0, "#ffffff"), (-1.0, "#000000")]
)
def test_colours_lie_between_the_stops(weight, expected):
    assert colour(weight, 2.0, ("#000000", "#808080", "#ffffff")) == expected


def test_long_words_and_lines_are_cut():
    assert cut("一二三四五六七八九十甲乙") == "一二三四五六七八九十甲乙"
    assert cut("一二三四五六七八九十甲乙丙") == "一二三四五六七八九十甲…"
    assert fit("一二三四五", 70) == "一二三四五"
    assert fit("一二三四五", 60) == "一二三…"


def test_the_darkest_colour_is_shared_or_the_greatest_weight_and_never_zero():
    assert small().darkest == 1.0
    assert small(top=2.0).darkest == 2.0
    assert Heatmap(("a",), ("b",), np.zeros((1, 1))).darkest == 1.0


def test_the_figure_names_words_as_they_are_spelled():
    figure = heatmap_figure(small(breaks=(1,)), dark=True, labels=LABELS)
    (trace,) = figure.data
    assert trace.text[0][1] == "writes 跑步<br>looks at &lt;b&gt;"
    assert trace.colorscale[0][1] == "#1c2423"
    labels = [note.text for note in figure.layout.annotations]
    assert labels == ["膝<br>盖", "&lt;b&gt;", "?", "跑步", "&lt;/s&gt;"]
    assert [note.textangle for note in figure.layout.annotations][:2] == [0, -90]
    assert len(figure.layout.shapes) == 1


def test_occlusion_bars_are_scaled_by_the_greatest_and_tell_help_from_harm():
    bars, dots = occlusion_figure(
        ("膝盖", "<b>"), np.array([2.0, -1.0]), np.array([0.1, 0.4]), ("fall", "attention")
    ).data
    assert list(bars.x) == [1.0, -0.5]
    assert list(dots.x) == [0.25, 1.0]
    assert bars.marker.color[0] != bars.marker.color[1]
    assert bars.hovertext[1] == "&lt;b&gt;<br>fall -1.000"


def test_a_png_is_drawn_without_pyplot_also_of_signs_that_mathtext_would_read():
    picture = attention_files.to_png(
        Heatmap(("$x$",), ("$\\frac", "膝盖"), np.array([[0.5, 0.5]]), heading=("题" * 90,))
    )
    assert picture.startswith(b"\x89PNG")


def test_csv_has_a_line_for_each_weight_and_starts_no_formula():
    lines = attention_files.to_csv(Heatmap(("=1+1",), ("膝盖", "膝盖"), np.array([[0.25, 0.75]]))).decode()
    assert lines.splitlines() == [
        "\ufeffrow,row_word,column,column_word,weight",
        "1,'=1+1,1,膝盖,0.250000",
        "1,'=1+1,2,膝盖,0.750000",
    ]


def test_npz_holds_everything_and_needs_no_pickle(explanation):
    heatmap = small()
    with np.load(io.BytesIO(attention_files.to_npz(explanation, heatmap)), allow_pickle=False) as file:
        assert file["cross"].shape == (2, 2, 3, 2)
        assert file["self"].shape == (2, 2, 3, 3)
        assert list(file["source_words"]) == ["膝盖", "疼"]
        assert str(file["model_version"]) == "v1"
        assert np.array_equal(file["shown"], heatmap.weights)


@pytest.fixture
def explanation():
    from tests.app.test_attention_page import make_explanation

    return make_explanation(["跑步"])
