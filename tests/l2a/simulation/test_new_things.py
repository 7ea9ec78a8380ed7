"""Questions about new things, and a file that holds none."""

import pytest

from l2a.errors import InputError
from l2a.simulation.new_things import KEPT, TUNE, read_things
from tests.project.source import ROOT


def test_the_projects_own_questions_have_a_name_each_and_two_halves():
    things = read_things(ROOT / "samples" / "new_things.jsonl")
    assert [sum(thing.half == half for thing in things) for half in (TUNE, KEPT)] == [30, 30]
    assert all(thing.name in thing.question.title for thing in things)


def test_a_row_without_a_half_is_kept_aside(tmp_path):
    path = tmp_path / "things.jsonl"
    path.write_text('{"title": "咕噜兽吃什么？", "name": "咕噜兽"}\n\n', encoding="utf-8")
    (thing,) = read_things(path)
    assert (thing.name, thing.half, thing.question.title) == ("咕噜兽", KEPT, "咕噜兽吃什么？")


@pytest.mark.parametrize("line", ['{"title": "咕噜兽吃什么？"}', "[]", "{"])
def test_another_line_is_named(tmp_path, line):
    path = tmp_path / "things.jsonl"
    path.write_text(f'{{"title": "一", "name": "一"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"things.jsonl, line 2 is no question about a new thing"):
        read_things(path)
