from app.figures.votes import VoteLabels, votes_chart
from tests.app.conftest import make_result

LABELS = VoteLabels(votes="votes", kept="kept", dropped="not kept", threshold="threshold 25%", new="new")


def chart(*votes):
    result = make_result(*votes)
    return votes_chart(
        result.suggestions, kept=len(result.kept), beam=result.beam, threshold=result.threshold, labels=LABELS
    )


def test_every_voted_tag_has_a_bar_and_the_line_stands_at_the_votes_to_exceed():
    kept, dropped, line = chart(("编程", 7), ("2024*", 4), ("生活", 1)).data
    assert (list(kept.x), list(kept.y)) == ([7, 4], [0, 1])
    assert (list(dropped.x), list(dropped.y)) == ([1], [2])
    assert list(line.x) == [2.0, 2.0]  # 0.25 of 8
    assert line.name == "threshold 25%"


def test_the_best_tag_is_on_top_and_new_ones_are_marked():
    axis = chart(("编程", 7), ("2024*", 4)).layout.yaxis
    assert list(axis.ticktext) == ["编程", "2024 (new)"]
    assert list(axis.range) == [1.5, -0.5]  # turned round: row 0 above


def test_more_than_five_tags_over_the_threshold_count_as_kept_only_where_they_were():
    kept, dropped, _ = chart(*((f"标签{n}", 8) for n in range(7))).data
    assert (len(kept.x), len(dropped.x)) == (5, 2)


def test_long_tags_are_cut_on_the_axis_and_markup_is_shown_as_written():
    figure = chart(("一二三四五六七八九十甲乙丙", 7), ("<i>x</i>", 6))
    assert list(figure.layout.yaxis.ticktext) == ["一二三四五六七八九十甲…", "&lt;i&gt;x&lt;/i&gt;"]
    assert figure.data[0].hovertext[0] == "一二三四五六七八九十甲乙丙<br>7 / 8 votes"
