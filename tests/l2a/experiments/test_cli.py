import re
import shlex

import pytest

from l2a.experiments.catalogue import EXPERIMENTS
from l2a.experiments.cli import NAMES, build_parser, main


@pytest.fixture
def refusal(call, tmp_path):
    """The one line a refused command complains with."""

    def refusal(*arguments):
        code, out, err = call(*arguments, "--out", tmp_path / "out")
        assert (code, out) == (2, "")
        assert err.startswith("l2a.experiments: ")
        assert err.count("\n") == 1
        return err.removeprefix("l2a.experiments: ").strip()

    return refusal


def test_the_names_are_those_of_the_catalogue():
    assert tuple(EXPERIMENTS) == NAMES


def test_help_shows_an_example_that_can_be_typed(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    (example,) = re.findall(r"example: python -m l2a.experiments (.+?)\n*$", capsys.readouterr().out)
    assert build_parser().parse_args(shlex.split(example)).name == "all"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("main",), "--data DIR is missing"),
        (("main", "--data", "/no/such"), "no such file or folder. Give a folder"),
        (("main", "--data", "samples", "--seeds", "0"), "--seeds is 0; it must be at least 1."),
        (("main", "--data", "samples", "--max-minutes", "0"), "--max-minutes is 0; it must be more than 0."),
        (("main", "--data", "samples", "--max-minutes", "nan"), "--max-minutes is nan; it must be more than 0."),
        (("main", "--data", "samples", "--jobs", "0"), "--jobs is 0; it must be at least 1."),
        (("main", "--data", "samples", "--threads", "0"), "threads is 0; it must be at least 1."),
        (("report",), "there is no result yet. Run an experiment first."),
    ],
)
def test_bad_arguments_get_one_line(refusal, arguments, message):
    assert message in refusal(*arguments)


def test_a_bad_line_is_complained_of_before_anything_is_trained(refusal, call, tmp_path):
    for part in ("train", "dev", "test"):
        (tmp_path / f"{part}.jsonl").write_text('{"title": "标题", "tags": ["a"]}\n', encoding="utf-8")
    with open(tmp_path / "train.jsonl", "a", encoding="utf-8") as stream:
        stream.write("{\n")
    assert re.search(r"train\.jsonl, line 2: ", refusal("main", "--data", tmp_path))
    assert call("dataset", "--data", tmp_path, "--preset", "tiny", "--skip-bad", "--out", tmp_path / "more")[0] == 0


def test_an_unknown_name_lists_the_valid_ones(capsys):
    with pytest.raises(SystemExit) as end:
        main(["everything", "--data", "samples"])
    assert end.value.code == 2
    assert "coverage" in capsys.readouterr().err
