"""Figures for a paper: what is in the files, whatever the words and the fonts are."""

import html
import re
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest

from app.figures import heatmap_files
from app.figures.heatmap import Heatmap, make_comparable
from app.figures.heatmap_files import KINDS, Panel, Titles, can_draw, write

SVG = "{http://www.w3.org/2000/svg}"
TITLES = Titles("写出的词", "问题中的词", "注意力权重")
STARTS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
VERSION = "a-model-whose-name-is-far-longer-than-its-few-columns-0123456789abcdef"


def small(**more) -> Heatmap:
    return Heatmap(("跑步", " "), ("膝盖", "<b>", "?"), np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]]), **more)


def svg(*panels: Panel, about: str = "") -> str:
    return write(panels, TITLES, about, "svg").decode()


def texts(picture: str) -> list[str]:
    """The words of an SVG whose letters are shapes: each is named in a comment before its shapes."""
    return [html.unescape(text.strip()) for text in re.findall(r"<!-- (.*?) -->", picture, re.S)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [("$x$", "$\\frac"), ("\x00a\ud800<script>", "--> -- <b>"), ("", "龘" * 30)])
def test_every_kind_of_file_takes_any_word(kind, words):
    heatmap = Heatmap(words, words, np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[False, True], [False, False]]))
    picture = write([Panel(heatmap, words[0] or "x")], TITLES, "about " + words[1], kind)
    assert picture.startswith(STARTS[kind])
    if kind == "svg":
        ElementTree.fromstring(picture)
        assert b"<script" not in picture


def test_a_figure_names_its_axes_its_colours_and_the_whole_model():
    found = texts(svg(Panel(small(breaks=(1,)), f"模型 {VERSION}")))
    assert {"膝盖", "<b>", "?", "跑步", "␣", *(TITLES.rows, TITLES.columns, TITLES.weight)} <= set(found)
    assert VERSION in "".join(found).replace("\n", "")
    assert {"0.0", "0.2", "1.0"} <= set(found)  # of the colour bar


def test_all_columns_are_named_in_one_direction():
    picture = svg(Panel(small(), "v"))
    turns = {
        word: re.search(rf"<!-- {re.escape(word)} -->.*?rotate\((-?\d+)", picture, re.S).group(1)
        for word in ("膝盖", "?")
    }
    assert turns == {"膝盖": "-45", "?": "-45"}


def test_masked_cells_are_hatched():
    mask = np.array([[False, True, True], [False, False, False]])
    assert "<pattern" not in svg(Panel(small(), "v"))
    picture = svg(Panel(small(mask=mask), "v"))
    assert len(re.findall(r"fill: url\(#\w+\)", picture)) == 2


def test_two_models_share_their_columns_their_scale_and_one_colour_bar():
    panels = [Panel(heatmap, f"model {n}") for n, heatmap in enumerate(make_comparable([small(), small()]))]
    found = texts(svg(*panels))
    assert [found.count(word) for word in ("膝盖", "跑步", "model 0", "model 1", TITLES.weight)] == [1, 2, 1, 1, 1]


def test_a_pdf_holds_the_glyphs_of_its_hanzi():
    picture = write([Panel(small(), "模型")], TITLES, "关于", "pdf")
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", picture, re.S)
    held = picture + b"".join(_inflated(stream) for stream in streams)
    assert b"/FontDescriptor" in held
    assert b"CJK" in held


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_what_is_shown_stands_in_the_files_description():
    assert "说明 &lt;i&gt;" in svg(Panel(small(), "v"), about="说明 <i>\x07")


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
def test_without_a_font_that_has_hanzi_only_the_svg_is_offered_and_keeps_its_words(monkeypatch):
    monkeypatch.setattr(heatmap_files, "hanzi_font", lambda: None)
    assert [can_draw(kind) for kind in KINDS] == [True, False, False]
    root = ElementTree.fromstring(svg(Panel(small(), "模型")))
    assert {"膝盖", "跑步", "模型"} <= {(text.text or "").strip() for text in root.iter(f"{SVG}text")}
