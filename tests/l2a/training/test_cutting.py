"""Large files are cut on several processes and kept: the same words, and never those of another file."""

import ast
import gzip
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from l2a.data.questions import read_questions
from l2a.evidence.collection import Evidence
from l2a.text.segmenter import Segmenter
from l2a.training import cutting
from l2a.training.cutting import QuestionCutter, cut_file


@pytest.fixture(scope="module")
def cutter(samples_path):
    segmenter = Segmenter(["深度学习"])
    questions = list(read_questions(samples_path))
    return QuestionCutter(segmenter, 30, Evidence.build(questions[:80], ["编程", "电影"], segmenter))


@pytest.fixture
def is_large(monkeypatch):
    monkeypatch.setattr(cutting, "MANY", 10)
    monkeypatch.setattr(cutting, "cores", lambda: 2)


def test_several_processes_cut_what_one_cuts(cutter, samples_path, is_large, monkeypatch):
    together = cut_file(samples_path, cutter, quiet=True)
    monkeypatch.setattr(cutting, "MANY", 10**9)
    alone = cut_file(samples_path, cutter, quiet=True)
    assert together == alone
    assert any(words.hints for words in alone[0])


@pytest.mark.parametrize("is_packed", [False, True])
def test_what_was_cut_is_kept(cutter, samples_path, is_large, tmp_path, monkeypatch, is_packed):
    path, kept = samples_path, tmp_path / "kept"
    if is_packed:
        path = tmp_path / "questions.jsonl.gz"
        path.write_bytes(gzip.compress(samples_path.read_bytes()))
    first = cut_file(path, cutter, quiet=True, cache=kept)
    assert len(list(kept.iterdir())) == 1
    monkeypatch.setattr(QuestionCutter, "cut", None)  # nothing is cut again
    monkeypatch.setattr(cutting, "in_order", None)
    assert cut_file(path, cutter, quiet=True, cache=kept) == first


@pytest.mark.parametrize("change", ["file", "dictionary", "length", "evidence"])
def test_anything_else_has_another_name(cutter, samples_path, tmp_path, change):
    path = tmp_path / samples_path.name
    path.write_bytes(samples_path.read_bytes())
    before = cutting._name(path, cutter)
    assert cutting._name(samples_path, cutter) == before
    if change == "file":
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"title": "又一个问题", "tags": ["新"]}) + "\n")
    elif change == "dictionary":
        cutter = replace(cutter, segmenter=Segmenter(["深度学习", "机器学习"]))
    elif change == "length":
        cutter = replace(cutter, max_length=31)
    else:
        cutter = replace(cutter, evidence=Evidence())
    assert cutting._name(path, cutter) != before


def imported_by(module, found):
    """The modules of `l2a` that it imports, and those that they import."""
    if module.__name__ in found:
        return found
    found[module.__name__] = module
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "l2a":
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in (name for name in names if name in sys.modules and name != "l2a"):
                imported_by(sys.modules[name], found)
    return found


def test_the_name_depends_on_all_of_the_program_that_reads_and_cuts():
    modules = imported_by(cutting, {})
    assert {
        "l2a.text.cleaning",
        "l2a.text.segmenter",
        "l2a.data.questions",
        "l2a.data.readers.jsonl",
        "l2a.evidence.retriever",
    } <= modules.keys()
    assert {Path(module.__file__) for module in modules.values()} <= set(cutting.program_files())


def test_another_text_of_the_program_gives_another_name(cutter, samples_path, monkeypatch):
    names = {cutting._name(samples_path, cutter)}
    package, read = Path(cutting.__file__).parents[1], Path.read_bytes
    changed = ["data/questions.py", "text/segmenter.py", "data/readers/unescape.py", "data/readers/source.py"]
    for file in map(package.joinpath, changed):
        monkeypatch.setattr(Path, "read_bytes", lambda path, file=file: read(path) + (b"#" if path == file else b""))
        names.add(cutting._name(samples_path, cutter))
    assert len(names) == 1 + len(changed)


def test_what_was_not_read_is_named_the_second_time_too(cutter, samples_path, is_large, tmp_path):
    rows = [json.loads(line) for line in samples_path.read_text(encoding="utf-8").splitlines()]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps({**row, "topics": ["a"]}) + "\n" for row in rows), encoding="utf-8")
    for _ in range(2):
        notes = []
        cut_file(path, cutter, notes=notes, quiet=True, cache=tmp_path / "kept")
        assert ['"topics" looks like labels' in note for note in notes] == [True]


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"x" + data])
def test_a_damaged_file_is_cut_again(cutter, samples_path, is_large, tmp_path, damage):
    first = cut_file(samples_path, cutter, quiet=True, cache=tmp_path)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert cut_file(samples_path, cutter, quiet=True, cache=tmp_path) == first
    assert len(kept.read_bytes()) == len(whole)


def test_a_file_with_bad_lines_is_not_kept(cutter, samples_path, is_large, tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text(samples_path.read_text(encoding="utf-8") + "no JSON\n", encoding="utf-8")
    notes = []
    cut_file(path, cutter, skip_bad=True, notes=notes, quiet=True, cache=tmp_path / "kept")
    assert "1 bad lines left out" in notes[0]
    assert not (tmp_path / "kept").exists()


def test_the_oldest_goes_when_there_is_too_much(tmp_path, monkeypatch):
    for age, name in enumerate(["new", "middle", "old"]):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    monkeypatch.setattr(cutting, "_MOST_BYTES", 250)
    cutting._make_room(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["middle", "new"]


def test_a_folder_that_cannot_be_written_does_no_harm(cutter, samples_path, is_large, tmp_path):
    (tmp_path / "file").write_text("in the way")
    words, _ = cut_file(samples_path, cutter, quiet=True, cache=tmp_path / "file" / "kept")
    assert words
