from datetime import date

import pytest

from app.beams.thresholds import threshold_steps
from app.figures.axes import count_axis
from app.figures.beams import threshold_figure
from app.figures.dashboard import days_chart, tags_chart, times_chart
from app.figures.learning import decisions_chart, loss_chart, worth_chart
from app.figures.votes import VoteLabels, votes_chart
from db.store.records import ProposedTag
from tests.app.conftest import make_result

LABELS = VoteLabels(votes="votes", threshold="threshold 25%", new="new")


def chart(*votes):
    result = make_result(*votes)
    return votes_chart(
        result.suggestions, kept=len(result.kept), beam=result.beam, threshold=result.threshold, labels=LABELS
    )


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


def test_a_tag_of_the_store_has_its_bar_like_any_other():
    tags = [ProposedTag("编程", 7, 0.5, True, False), ProposedTag("书", 2, 0.1, False, True)]
    figure = votes_chart(tags, kept=1, beam=8, threshold=0.25, labels=LABELS)
    assert [list(bar.x) for bar in figure.data if bar.type == "bar"] == [[7, 2]]
    assert list(figure.layout.yaxis.ticktext) == ["✓ 编程", "书 (new)"]


def test_where_no_tag_has_a_vote_there_is_an_empty_chart():
    assert list(chart().data[0].x) == []


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


def test_what_sources_are_worth_is_drawn_on_intervals_with_zero_in_sight():
    figure = worth_chart([("words", 2.0, 1.0, 4.0), ("<i>", -0.5, -2.0, 1.0)], axis="points")
    zero, dots = figure.data
    assert list(zero.x) == [0, 0]
    assert list(dots.x) == [2.0, -0.5]
    assert (list(dots.error_x.array), list(dots.error_x.arrayminus)) == ([2.0, 1.5], [1.0, 1.5])
    assert list(figure.layout.yaxis.ticktext) == ["words", "&lt;i&gt;"]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]  # the first on top
    assert dots.hovertext[1] == "&lt;i&gt;<br>-0.500 (-2.000 – +1.000)"


def test_lines_over_decisions_are_shares_or_numbers():
    lines = {"<b>": ([10, 11], [0.5, 0.6]), "random": ([10], [float("nan")])}
    shares = decisions_chart(lines, axis="decision", value="F1", as_share=True)
    assert [trace.name for trace in shares.data] == ["&lt;b&gt;", "random"]
    assert list(shares.data[0].y) == [0.5, 0.6]
    assert list(shares.layout.yaxis.range) == [0, 1.04]
    keys = decisions_chart({"with": ([1, 2], [3.0, 4.0])}, axis="decision", value="keys", as_share=False)
    assert keys.layout.yaxis.range is None
    assert "%{y:.2f}" in keys.data[0].hovertemplate
