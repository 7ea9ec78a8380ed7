import io

import numpy as np
import pytest

from app.attention import files as attention_files
from app.figures.heatmap import Heatmap, is_stacked, make_comparable, measure, shown
from app.figures.heatmap_screen import heatmap_figure
from app.figures.occlusion import occlusion_figure

LABELS = ("writes", "looks at", "weight")


def small(**more) -> Heatmap:
    return Heatmap(("跑步", "</s>"), ("膝盖", "<b>", "?"), np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]]), **more)


def draw(heatmap: Heatmap, dark: bool = False):
    return heatmap_figure(heatmap, measure(heatmap), dark=dark, labels=LABELS)


def test_hanzi_are_stacked_and_other_words_are_turned():
    assert [is_stacked(word) for word in ("膝盖", "，", "?", "<s>", "A股")] == [True, True, True, False, False]


def test_sixty_words_keep_the_size_of_a_cell():
    many = Heatmap(("a",), ("词",) * 60, np.full((1, 60), 1 / 60))
    assert measure(many).width == 60 * 26
    assert draw(many).layout.width == measure(many).left + 60 * 26 + 16


def test_long_words_are_cut_and_spaces_can_be_seen():
    assert shown("一二三四五六七八九十甲乙") == "一二三四五六七八九十甲乙"
    assert shown("一二三四五六七八九十甲乙丙") == "一二三四五六七八九十甲…"
    assert [shown(word) for word in (" ", "\u3000", "", "a b", "\x00")] == ["␣", "␣", "␣", "a b", "␣"]


def test_the_darkest_colour_is_shared_or_the_greatest_weight_and_never_zero():
    assert small().darkest == 1.0
    assert small(top=2.0).darkest == 2.0
    assert Heatmap(("a",), ("b",), np.zeros((1, 1))).darkest == 1.0


def test_two_models_get_one_scale_and_the_same_columns():
    first = Heatmap(("a", "b"), ("三个", "月", "能"), np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]))
    second = Heatmap(("a",), ("三", "个月", "能"), np.array([[0.7, 0.8, 0.9]]))
    one, other = make_comparable([first, second])
    assert one.columns == other.columns == ("三个", "月", "三", "个月", "能")
    assert one.darkest == other.darkest == 0.9
    assert one.weights.tolist() == [[0.1, 0.2, 0.0, 0.0, 0.3], [0.4, 0.5, 0.0, 0.0, 0.6]]
    assert one.mask[0].tolist() == [False, False, True, True, False]
    assert other.weights.tolist() == [[0.0, 0.0, 0.7, 0.8, 0.9]]
    assert other.mask.tolist() == [[True, True, False, False, False]]
    room = measure(one, other)
    assert {draw_in.layout.margin.l for draw_in in (draw(one), draw(other))} == {room.left}


def test_what_was_masked_stays_so_beside_another_model():
    mask = np.array([[False, True], [False, False]])
    own = Heatmap(("a", "b"), ("<s>", "a"), np.array([[1.0, 0.0], [0.5, 0.5]]), mask)
    beside = Heatmap(("a",), ("<s>", "c"), np.array([[1.0, 0.0]]))
    one, _ = make_comparable([own, beside])
    assert (one.columns, one.mask.tolist()) == (("<s>", "a", "c"), [[False, True, True], [False, False, True]])


def test_the_figure_names_words_as_they_are_spelled():
    figure = draw(small(breaks=(1,)), dark=True)
    (trace,) = figure.data
    assert trace.text[0][1] == "writes 跑步<br>looks at &lt;b&gt;"
    assert trace.colorscale[0][1] == "#1c2423"
    labels = [note.text for note in figure.layout.annotations]
    assert labels == ["膝<br>盖", "&lt;b&gt;", "?", "跑步", "&lt;/s&gt;"]
    assert [note.textangle for note in figure.layout.annotations][:2] == [0, -90]
    assert len(figure.layout.shapes) == 1


def test_masked_cells_are_hatched_and_have_no_weight():
    cells, hatching = draw(small(mask=np.array([[False, True, False], [False, False, False]]))).data
    assert np.isnan(cells.z[0][1])
    assert not np.isnan(cells.z[1]).any()
    ends = [(x, y) for x, y in zip(hatching.x, hatching.y, strict=True) if x is not None]
    assert all(0.5 <= x <= 1.5 and -0.5 <= y <= 0.5 for x, y in ends)


def test_occlusion_bars_tell_help_from_harm_on_axes_with_numbers():
    figure = occlusion_figure(("膝盖", "<b>"), np.array([2.0, -1.0]), np.array([0.1, 0.4]), ("fall", "attention"))
    bars, dots = figure.data
    assert (list(bars.x), list(dots.x), dots.xaxis) == ([2.0, -1.0], [0.1, 0.4], "x2")
    assert bars.marker.color[0] != bars.marker.color[1]
    assert bars.hovertext[1] == "&lt;b&gt;<br>fall -1.000"
    falls, looks = figure.layout.xaxis, figure.layout.xaxis2
    assert (falls.title.text, looks.title.text) == ("■ fall", "◆ attention")
    assert falls.showticklabels is not False
    assert list(looks.tickvals) == [0.0, 0.1, 0.2, 0.3, 0.4]
    # Both zeros are at one place, and both greatest.
    assert falls.range[0] / 2.0 == pytest.approx(looks.range[0] / 0.4)
    assert falls.range[1] / 2.0 == pytest.approx(looks.range[1] / 0.4)


@pytest.mark.parametrize("greatest", [1.0, 0.003, 0.37, 0.0])
def test_the_axis_of_attention_has_a_few_numbers_and_none_under_zero(greatest):
    figure = occlusion_figure(("a",), np.array([-1.0]), np.array([greatest]), ("fall", "attention"))
    marks = figure.layout.xaxis2.tickvals
    assert marks[0] == 0
    assert 3 <= len(marks) <= 6


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
    from tests.app.attention.test_page import make_explanation

    return make_explanation(["跑步"])
