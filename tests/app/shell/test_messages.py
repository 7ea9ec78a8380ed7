"""What the app itself says carries a code: each is in the catalogue, in both languages, with the blanks filled."""

import ast
import json
import string

import pytest

from app.shell.error_text import said
from app.shell.messages import Replaced, message
from app.shell.settings import ROOT
from app.shell.texts.messages import CATALOGUE
from db.errors import Refused
from db.ledger.stored_text import StoredText, keep
from l2a.errors import InputError

BUILT = ("command.kind_", "training.phase_")  # beginnings of codes that are put together
ERROR_MODULES = ("db/errors.py", "l2a/errors.py")


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def calls_in(*folders: str):
    """(place, name of what is called, call) of every call by a plain name."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node.func.id, node


def error_names() -> set[str]:
    """The errors of the engine and the store, and those that the app derives from them."""
    files = [*(ROOT / name for name in ERROR_MODULES), *sorted((ROOT / "app").rglob("*.py"))]
    classes = [
        node
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    names = {"L2AError", "StoreError"}
    for _ in range(4):  # as deep as they are derived
        names |= {found.name for found in classes if names & {getattr(base, "id", "") for base in found.bases}}
    return names


@pytest.mark.parametrize("code", CATALOGUE)
def test_both_languages_fill_the_same_blanks(code):
    texts = CATALOGUE[code]
    assert list(texts) == ["en", "zh"]
    assert blanks(texts["en"]) == blanks(texts["zh"])
    assert any("\u4e00" <= character <= "\u9fff" for character in texts["zh"])


def test_every_code_is_known_and_its_blanks_are_filled():
    used = set()
    for place, name, call in calls_in("app", "pages"):
        code = call.args[0] if call.args else None
        if name != "message" or not isinstance(code, ast.Constant | ast.JoinedStr):
            continue
        if isinstance(code, ast.JoinedStr):
            assert any(code.values[0].value == beginning for beginning in BUILT), place
            continue
        used.add(code.value)
        assert {keyword.arg for keyword in call.keywords} == blanks(CATALOGUE[code.value]["en"]), place
    assert {code for code in CATALOGUE if not code.startswith(BUILT)} - used == set()
    assert len(used) > 40  # so the walk finds them


def test_no_error_of_the_app_is_a_bare_text():
    names = error_names()
    assert {"Refused", "InputError", "Overloaded", "BadLine", "NoModel"} <= names
    bare = [
        place
        for place, name, call in calls_in("app", "pages")
        if name in names and call.args and isinstance(call.args[0], ast.Constant | ast.JoinedStr | ast.BinOp)
    ]
    assert bare == []


def test_a_message_is_said_in_either_language():
    found = message("annotate.tag_twice", tag="电影")
    assert str(found) == said(found, "en") == "电影 is named twice."
    assert said(found, "zh") == said(Refused(found), "zh") == "“电影”写了两次。"


def test_what_fills_a_blank_is_said_in_the_same_language():
    inner = InputError(message("export.none_readable", name="a.csv"))
    outer = message("import.broken_rows_stay", complaint=inner, done=1200)
    assert str(outer) == (
        "a.csv: not an export; none of its lines could be read. The first 1,200 rows are stored and stay."
    )
    assert outer.in_language("zh") == "a.csv：不是导出的文件，没有一行能读取。前 1,200 行已经保存并保留。"


def test_a_message_with_another_name_in_it():
    found = Replaced(message("export.none_readable", name="/tmp/x/a.csv"), "/tmp/x/", "")
    assert str(found).startswith("a.csv: not an export")
    assert said(InputError(found), "zh").startswith("a.csv：不是导出的文件")
    assert said(Replaced("/tmp/x/a.csv is odd", "/tmp/x/", ""), "zh") == "a.csv is odd"


def test_what_became_of_a_run_is_stored_in_either_language():
    gone = message("training.gone", process=7, machine=message("training.no_machine"), phase="x")
    kept = StoredText(json.loads(json.dumps(keep(gone))))
    assert said(kept, "zh").startswith("训练进程（7，机器 未知）已经不在了")
    assert said(kept, "en") == str(kept) == str(gone)
    assert said(StoredText(keep("The disk is full.")), "zh") == "The disk is full."
