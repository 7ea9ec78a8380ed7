"""Texts in figures: as they are spelled, and not too long for their place."""

import ast
from pathlib import Path

import pytest

import app.figures
from app.figures.labels import plain, shortened


def test_a_text_is_shown_as_it_is_spelled():
    assert plain("<b>\"C++\" & 'R'</b>") == "&lt;b&gt;\"C++\" &amp; 'R'&lt;/b&gt;"


@pytest.mark.parametrize(("text", "short"), [("四个汉字", "四个汉字"), ("五个汉字了", "五个汉…"), ("", "")])
def test_a_long_text_is_cut_and_says_so(text, short):
    assert shortened(text, 4) == short


def test_figures_escape_in_one_place_only():
    folder = Path(app.figures.__file__).parent
    escaping = [
        path.name
        for path in sorted(folder.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "escape"
    ]
    assert escaping == ["labels.py"]
