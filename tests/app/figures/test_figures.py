from datetime import date
from types import SimpleNamespace

import pytest

from app.beams.thresholds import threshold_steps
from app.figures.axes import count_axis
from app.figures.beams import threshold_figure
from app.figures.dashboard import days_chart, tags_chart, times_chart
from app.figures.learning import loss_chart
from app.figures.votes import LOOKS, VoteLabels, votes_chart
from tests.app.conftest import make_result

LABELS = VoteLabels(
    votes="votes", threshold="threshold 25%", new="new", voters={v: v for v in LOOKS}, fewer="{votes} of {count}".format
)


def chart(*votes):
    result = make_result(*votes)
    return votes_chart(
        result.suggestions, kept=len(result.kept), beam=result.beam, threshold=result.threshold, labels=LABELS
    )


def voted(tag, votes, *voters, written=0):
    return SimpleNamespace(tag=tag, votes=votes, voters=voters, written=written, is_new=False)


def voters_chart(*suggestions):
    return votes_chart(suggestions, kept=1, beam=8, threshold=0.25, labels=LABELS)


def test_every_voted_tag_has_a_bar_and_the_line_stands_at_the_votes_to_exceed():
    bars, numbers, line = chart(("编程", 7), ("2024*", 4), ("生活", 1)).data
    assert (list(bars.x), list(bars.y), bars.name) == ([7, 4, 1], [0, 1, 2], "votes")
    assert list(numbers.text) == ["7", "4", "1"]
    assert list(line.x) == [2.0, 2.0]  # 0.25 of 8
    assert line.name == "threshold 25%"


def test_the_best_tag_is_on_top_and_kept_and_new_ones_are_marked():
    axis = chart(("编程", 7), ("2024*", 4), ("生活", 1)).layout.yaxis
    assert list(axis.ticktext) == ["✓ 编程", "✓ 2024 (new)", "生活"]
    assert list(axis.range) == [2.5, -0.5]  # turned round: row 0 above


def test_more_than_five_tags_over_the_threshold_count_as_kept_only_where_they_were():
    figure = chart(*((f"标签{n}", 8) for n in range(7)))
    assert [text.startswith("✓") for text in figure.layout.yaxis.ticktext] == [True] * 5 + [False] * 2
    assert list(figure.data[0].marker.opacity) == [1.0] * 5 + [0.5] * 2


def test_long_tags_are_cut_on_the_axis_and_markup_is_shown_as_written():
    figure = chart(("一二三四五六七八九十甲乙丙", 7), ("<i>x</i>", 6))
    assert list(figure.layout.yaxis.ticktext) == ["✓ 一二三四五六七八九十甲…", "✓ &lt;i&gt;x&lt;/i&gt;"]
    assert figure.data[0].hovertext[0] == "一二三四五六七八九十甲乙丙<br>7 / 8 votes"


def test_bars_show_whose_votes_they_are_for_every_tag():
    figure = voters_chart(
        voted("编程", 7, ("hypotheses", 4.0), ("near", 1.5), ("linear", 1.5), written=4),
        voted("书", 2, ("named", 1.0), ("listed", 1.25)),
        voted("生活", 1, ("hypotheses", 1.0), written=1),
    )
    bars = {bar.name: dict(zip(bar.y, bar.x, strict=True)) for bar in figure.data if bar.type == "bar"}
    assert bars == {"hypotheses": {0: 4.0, 2: 1.0}, "lists": {1: 2.0}, "near": {0: 1.5}, "linear": {0: 1.5}}
    assert figure.layout.barmode == "stack"
    assert figure.layout.showlegend
    numbers = figure.data[-2]
    assert list(numbers.text) == ["7 = 4 + 3", "2 = 0 + 2", "1"]


def test_voters_differ_by_pattern_and_hypotheses_alone_are_solid():
    shapes = [pattern for _, pattern in LOOKS.values()]
    assert shapes[0] == ""
    assert len(set(shapes)) == len(shapes)


def test_a_bar_ends_at_the_tags_votes_whatever_was_rounded_off_or_cut_at_n():
    tags = (
        voted("满", 8, ("hypotheses", 6.0), ("near", 9.0), written=6),
        voted("造的", 3, ("hypotheses", 1.25), ("near", 2.0), written=5),
        voted("少", 0, ("hypotheses", 0.25), written=1),
    )
    figure = voters_chart(*tags)
    for row, tag in enumerate(tags):
        ends = sum(x for bar in figure.data if bar.type == "bar" for x, y in zip(bar.x, bar.y, strict=True) if y == row)
        assert ends == pytest.approx(tag.votes)
    hypotheses = figure.data[0]
    assert hypotheses.x[0] == 6.0  # what is too much is not taken from them
    assert "hypotheses: 1.2 of 5" in hypotheses.hovertext[1]
    assert "near: 9" in hypotheses.hovertext[0]


@pytest.mark.parametrize(
    ("most", "step"), [(0, 1), (1, 1), (6, 1), (7, 2), (12, 2), (13, 5), (48, 10), (61, 20), (12345, 5000)]
)
def test_marks_of_a_count_are_whole_and_few(most, step):
    assert count_axis(most)["dtick"] == step


def test_all_axes_that_count_are_marked_with_whole_numbers():
    axes = [
        days_chart([date(2026, 1, 2)], {"chen": [1]}).layout.yaxis,
        tags_chart(["编程"], {"uses": [1]}).layout.xaxis,
        times_chart([(0.0, 2.0, 1), (2.0, None, 1)], middle=1.0, axis="seconds", words="median").layout.yaxis,
        threshold_figure(threshold_steps((), 8), threshold=0.25, labels=("threshold", "tags")).layout.yaxis,
        loss_chart([(1, 2.0), (2, 1.0)], step="step", loss="loss").layout.xaxis,
    ]
    assert [(axis.tickmode, axis.dtick, axis.tickformat) for axis in axes] == [
        ("linear", 1, ",d"),
        ("linear", 1, ",d"),
        ("linear", 1, ",d"),
        ("linear", 1, ",d"),
        ("linear", 1, ",d"),
    ]


def test_the_axis_of_votes_is_marked_with_whole_numbers_up_to_n():
    assert list(chart(("编程", 1)).layout.xaxis.tickvals) == [0, 2, 4, 6, 8]


def test_stacked_days_are_counted_together():
    figure = days_chart([date(2026, 1, 2), date(2026, 1, 3)], {"chen": [5, 1], "li": [5, 1]})
    assert figure.layout.yaxis.dtick == 2
