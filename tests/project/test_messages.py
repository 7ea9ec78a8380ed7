"""Errors carry a code: every code is in its package's catalogue, in both languages, with the blanks that are filled."""

import ast
import string
from pathlib import Path

import pytest

import db.messages
import l2a.messages

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"l2a": l2a.messages, "db": db.messages}


def blanks(text: str) -> set[str]:
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_fill_the_same_blanks(package):
    for code, texts in PACKAGES[package].CATALOGUE.items():
        assert set(texts) == {"en", "zh"}, code
        assert all(text.strip() for text in texts.values()), code
        assert blanks(texts["en"]) == blanks(texts["zh"]), code


def test_engine_and_store_have_the_same_message():
    first, second = ((ROOT / package / "messages" / "message.py").read_text(encoding="utf-8") for package in PACKAGES)
    assert first == second


def made_messages(package: str):
    """(place, code, names of values) of every message or error that the package makes with a code written out."""
    names = {"Message"} | {node.name for node in ast.walk(ast.parse((ROOT / package / "errors.py").read_text("utf-8")))
                           if isinstance(node, ast.ClassDef)}  # fmt: skip
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and getattr(node.func, "id", None) in names:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


@pytest.mark.parametrize("package", PACKAGES)
def test_every_code_is_known_and_its_blanks_are_filled(package):
    catalogue = PACKAGES[package].CATALOGUE
    for place, node in made_messages(package):
        code = node.args[0]
        if isinstance(code, ast.JoinedStr):  # put together: its beginning is that of codes
            start = code.values[0]
            assert isinstance(start, ast.Constant), place
            assert any(known.startswith(start.value) for known in catalogue), place
        if not isinstance(code, ast.Constant):  # a code that is chosen, or a message that was made elsewhere
            continue
        assert code.value in catalogue, place
        if node.func.id != "Message" and all(keyword.arg for keyword in node.keywords):
            assert {keyword.arg for keyword in node.keywords} == blanks(catalogue[code.value]["en"]), place
