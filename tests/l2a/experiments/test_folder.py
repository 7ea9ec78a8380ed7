import pytest

from l2a.errors import InputError
from l2a.experiments.report.folder import Folder, Result


def test_a_finished_part_is_not_made_again(tmp_path):
    calls = []

    def make():
        calls.append(1)
        return {"tags": ("甲", "乙"), "f1": 0.25}

    for _ in range(2):
        assert Folder(tmp_path).part("runs/zhihu/cnn-seed-1", make) == {"tags": ["甲", "乙"], "f1": 0.25}
    assert len(calls) == 1


def test_a_part_that_failed_is_not_kept(tmp_path):
    folder = Folder(tmp_path)

    def fail():
        raise InputError("no")

    with pytest.raises(InputError):
        folder.part("x", fail)
    assert folder.part("x", lambda: {"n": 1}) == {"n": 1}


def test_a_damaged_part_is_named(tmp_path):
    folder = Folder(tmp_path)
    folder.part("x", dict)
    folder.part_path("x").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.json: not valid JSON .* Delete the file"):
        folder.part("x", dict)


def test_results_of_another_setup_are_refused(tmp_path):
    folder = Folder(tmp_path)
    setup = {"preset": "tiny", "minutes": 1.0, "data": {"zhihu": {"train": "abc"}}}
    folder.check_setup(setup)
    folder.check_setup(setup)
    with pytest.raises(InputError, match=r"another setup \(preset: 'tiny', minutes: 1\.0\)\. Give .*--out"):
        folder.check_setup({**setup, "preset": "small", "minutes": 4.0})


def test_a_result_is_json_markdown_and_a_picture(tmp_path):
    folder = Folder(tmp_path)
    assert folder.result("main") is None
    folder.write_result("main", "Title", Result({"x": 1}, "text\n", lambda path: path.write_bytes(b"png")))
    assert folder.result("main") == {"experiment": "main", "title": "Title", "x": 1}
    assert (tmp_path / "main" / "result.md").read_text() == "## Title\n\ntext\n\n![Title](picture.png)\n"
    assert (tmp_path / "main" / "picture.png").read_bytes() == b"png"
