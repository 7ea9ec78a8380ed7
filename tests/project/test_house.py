"""The house stays one to find one's way in: short modules, few side by side, rooms that say what they are for."""

import ast
from collections import Counter

import pytest

from tests.project.source import PACKAGES, ROOT, python_files

LONGEST = 400  # lines
SIDE_BY_SIDE = 14  # modules in a folder
FOLDER_SUFFIXES = ("_view", "_parts", "_panels", "_tabs")  # a folder says it better

HOUSE = [path for path in python_files() if path.relative_to(ROOT).parts[0] in (*PACKAGES, "pages")]
MIGRATIONS = ROOT / "db" / "store" / "migrations" / "versions"  # one more with every change of the tables, never edited


def test_no_module_is_too_long():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in HOUSE if path.parent != MIGRATIONS}
    assert {str(path.relative_to(ROOT)): lines for path, lines in lengths.items() if lines > LONGEST} == {}


def test_no_folder_has_too_many_modules():
    beside = Counter(path.parent for path in HOUSE if path.name != "__init__.py" and path.parent != MIGRATIONS)
    assert {str(folder.relative_to(ROOT)): count for folder, count in beside.items() if count > SIDE_BY_SIDE} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_says_what_lives_there(package):
    silent = []
    for folder in sorted({path.parent for path in HOUSE if path.relative_to(ROOT).parts[0] == package} - {MIGRATIONS}):
        init = folder / "__init__.py"
        if not init.is_file() or not ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))):
            silent.append(str(folder.relative_to(ROOT)))
    assert silent == []


def test_no_suffix_stands_for_a_folder():
    assert [str(path.relative_to(ROOT)) for path in HOUSE if path.stem.endswith(FOLDER_SUFFIXES)] == []


def test_tests_mirror_the_rooms():
    """A room with tests has them in a folder of the same name; tests of a single module may lie above it."""
    folders = {
        path.parent.relative_to(ROOT / "tests") for path in python_files() if path.is_relative_to(ROOT / "tests")
    }
    mirrored = [folder for folder in folders if folder.parts and folder.parts[0] in PACKAGES]
    assert [str(folder) for folder in mirrored if not (ROOT / folder).is_dir()] == []
