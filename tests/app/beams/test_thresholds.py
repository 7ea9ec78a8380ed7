import json
from types import SimpleNamespace

import pytest

from app.beams.nbest import hypothesis_rows, tag_chips, to_jsonl
from app.beams.thresholds import BEAMS, make_constraints, tags_over, threshold_steps, try_beams
from app.figures.beams import threshold_figure
from l2a.tagger import Constraints
from tests.app.conftest import make_result

RESULT = make_result(("编程", 7), ("学习", 4), ("生活", 4), ("<i>x</i>", 1))  # of 8


def test_a_tag_needs_more_votes_than_the_threshold():
    assert tags_over(RESULT.suggestions, 8, 0.5) == ("编程",)
    assert tags_over(RESULT.suggestions, 8, 0.49) == ("编程", "学习", "生活")
    assert tags_over(make_result(("a", 7), beam=55).suggestions, 55, 7 / 55) == ()


def test_every_threshold_that_changes_the_result_is_a_step():
    assert [(step.votes, step.threshold, len(step.tags)) for step in threshold_steps(RESULT.suggestions, 8)] == [
        (0, 0.0, 4),
        (1, 0.125, 3),
        (4, 0.5, 1),
        (7, 0.875, 0),
    ]
    assert [step.tags for step in threshold_steps((), 8)] == [()]


def test_the_stairs_go_down_to_a_hundred_percent_and_name_tags_as_spelled():
    stairs, line = threshold_figure(
        threshold_steps(RESULT.suggestions, 8), threshold=0.25, labels=("threshold", "tags")
    ).data
    assert (list(stairs.x), list(stairs.y)) == ([0.0, 0.125, 0.5, 0.875, 1.0], [4, 3, 1, 0, 0])
    assert stairs.hovertext[0].endswith("&lt;i&gt;x&lt;/i&gt;")
    assert list(line.x) == [0.25, 0.25]


def test_no_wish_is_no_constraint():
    assert make_constraints([], None, None) is None
    assert make_constraints([], "", None) is None
    assert make_constraints(["a"], "b", None) == Constraints(ban=("a",), first_tag="b")
    assert make_constraints([], None, ()) == Constraints(known_tags=())


def test_every_beam_is_tried_with_the_same_threshold():
    rows = list(try_beams(lambda beam: make_result(("编程", beam), ("学习", beam // 4), beam=beam), 0.2))
    assert tuple(row.beam for row in rows) == BEAMS
    assert rows[0].kept == ("编程",)
    assert rows[-1].kept == ("编程", "学习")
    assert (rows[-1].voted, rows[-1].best) == (2, -1.0)


def test_tags_of_the_list_are_escaped_and_deeper_with_more_votes():
    rows = hypothesis_rows(RESULT.hypotheses, RESULT.suggestions, 8, "none", {})
    assert "&lt;i&gt;x&lt;/i&gt;" in rows
    assert "<i>" not in rows
    assert 'title="7 / 8" style="background:color-mix(in srgb, var(--l2a-accent) 53%' in rows  # 6 + 54 * 7 / 8
    empty = hypothesis_rows([SimpleNamespace(tags=(), log_probability=-1.0, order="")], (), 8, "no <tag>", {})
    assert "<small>no &lt;tag&gt;</small>" in empty
    assert "编程 <small>7</small>" in tag_chips(["编程"], RESULT.suggestions, 8)


@pytest.mark.parametrize("constraints", [None, Constraints(ban=("生活",), first_tag="编程")])
def test_each_line_of_the_export_stands_for_itself(constraints):
    written = to_jsonl(
        RESULT, question_id=3, title="标\u2028题", description="", threshold=0.25, constraints=constraints
    )
    lines = [json.loads(line) for line in written.splitlines()]
    assert len(lines) == 4
    assert lines[1] == {
        "rank": 2,
        "tags": ["学习"],
        "log_probability": -2.0,
        "order": "order1",
        "votes": [4],
        "question_id": 3,
        "title": "标\u2028题",
        "description": "",
        "model_version": "made-up-1",
        "beam": 8,
        "threshold": 0.25,
        "kept": ["编程", "学习", "生活"],
        "ban": ["生活"] if constraints else [],
        "first_tag": "编程" if constraints else None,
        "known_tags_only": False,
    }


def test_two_members_are_told_apart_and_one_is_not_named():
    made = [SimpleNamespace(tags=("编程",), log_probability=-1.0, order=order) for order in ("order1", "order2")]
    names = {"order1": "rare <first>", "order2": "frequent first"}
    rows = hypothesis_rows(made, (), 8, "none", names)
    assert "<td>rare &lt;first&gt;</td>" in rows
    assert "<td>frequent first</td>" in rows
    assert "rare" not in hypothesis_rows(made[:1], (), 8, "none", names)
