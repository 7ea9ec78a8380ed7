"""F1, acceptance and keys over decisions, as they were made."""

import numpy as np
import pytest

from app.dashboard.learned import effort, rolling
from db.figures.rate import JUDGED, SHOWN
from db.figures.servings import Judged
from l2a.measure.metrics import nlpcc_score


def decision(number: int, *, right: bool, pick: str = "ordered") -> Judged:
    """Two tags are shown and kept. Where they are right the first is accepted and the second left; else both are wrong
    and another is added."""
    if right:
        return Judged(number, pick, ("甲", "乙"), ("甲", "乙"), ("甲",), (), ())
    return Judged(number, pick, ("甲", "乙"), ("甲", "乙"), (), ("甲",), ("丙",))


def test_each_point_looks_back_on_its_window_alone():
    judged = [decision(number, right=number > 60) for number in range(1, 121)]
    (line,) = rolling.lines(judged).values()
    assert rolling.window_for(len(judged)) == 50
    assert line.decisions == 120
    assert line.places.tolist() == list(range(rolling.FEWEST, 121))
    by_place = dict(zip(line.places.tolist(), line.f1.tolist(), strict=True))
    assert by_place[60] == 0.0
    assert by_place[110] == pytest.approx(by_place[120])  # the last fifty are right from here on
    for place in (10, 75, 110):
        some = judged[max(0, place - 50) : place]
        expected = nlpcc_score([one.kept for one in some], [one.tags for one in some]).f1
        assert by_place[place] == pytest.approx(expected)
    shown = dict(zip(line.places.tolist(), line.acceptance[SHOWN].tolist(), strict=True))
    judged_only = dict(zip(line.places.tolist(), line.acceptance[JUDGED].tolist(), strict=True))
    assert (shown[60], shown[85], shown[120]) == (0.0, 0.25, 0.5)
    assert (judged_only[60], judged_only[85], judged_only[120]) == (0.0, 0.5, 1.0)


def test_random_questions_have_a_line_of_their_own_at_their_place_among_all():
    judged = [
        decision(number, right=number % 4 == 0, pick="random" if number % 4 == 0 else "direct")
        for number in range(1, 81)
    ]
    found = rolling.lines(judged)
    assert list(found) == ["ordered", "random"]
    assert (found["ordered"].decisions, found["random"].decisions) == (60, 20)
    assert found["random"].places.tolist() == list(range(40, 81, 4))
    assert set(found["random"].f1) != set(found["ordered"].f1) == {0.0}


def test_a_few_decisions_say_nothing():
    judged = [decision(number, right=True) for number in range(rolling.FEWEST - 1)]
    assert rolling.lines(judged) == {}
    assert rolling.lines([]) == {}
    judged += [decision(99, right=True, pick="random")]
    assert rolling.lines(judged) == {}


def test_many_decisions_are_thinned_out_and_looked_back_on_further():
    judged = [decision(number, right=bool(number % 3)) for number in range(1, 2_501)]
    (line,) = rolling.lines(judged).values()
    assert rolling.window_for(len(judged)) == 100
    assert len(line.places) <= rolling.POINTS
    assert line.places[-1] == 2_500
    some = judged[-100:]
    assert line.f1[-1] == pytest.approx(nlpcc_score([one.kept for one in some], [one.tags for one in some]).f1)


def test_nothing_shown_has_no_acceptance():
    judged = [Judged(number, "ordered", (), (), (), (), ("丙",)) for number in range(20)]
    (line,) = rolling.lines(judged).values()
    assert np.isnan(line.acceptance[SHOWN]).all()
    assert (line.f1 == 0).all()


def test_the_numbers_of_each_decision_can_be_taken_along():
    table = rolling.table([decision(7, right=True), decision(9, right=False, pick="random")])
    first, second = (dict(zip(table.heads, row, strict=True)) for row in table.rows)
    assert (first["receipt"], first["served"], first["kept"], first["tags"], first["kept_right"]) == (
        7,
        "ordered",
        2,
        1,
        1,
    )
    assert (first["accepted"], first["rejected"], first["unjudged"], first["added"]) == (1, 0, 1, 0)
    assert (second["served"], second["rejected"], second["added"], second["f1"]) == ("random", 1, 1, 0.0)
    assert rolling.table([]).rows == ()


SEARCH = effort.search_over({"电影": 5, "电视": 0, "编程": 1})


@pytest.mark.parametrize(
    ("kept", "shown", "accepted", "added", "keys", "without"),
    [
        # A digit for the one that is right, and Enter; by hand /, d, Enter, Enter.
        (("电影",), ("电影",), ("电影",), (), 2, 4),
        # A for all three that are kept.
        (("电影", "电视", "编程"), ("电影", "电视", "编程"), ("电影", "电视", "编程"), (), 2, 11),
        # A and the one that it got wrong are as many as two digits.
        (("电影", "电视", "编程"), ("电影", "电视", "编程"), ("电影", "编程"), (), 3, 7),
        # One that is shown, and one to look for: /, b, Enter.
        (("电影",), ("电影", "电视"), ("电视",), ("编程",), 5, 8),
        ((), (), (), ("编程",), 4, 4),
        (("电影",), ("电影",), (), (), 1, 1),
    ],
)
def test_keys_of_a_decision(kept, shown, accepted, added, keys, without):
    """电视 begins with the same letters as 电影, which is given more often: d finds 电影, ds finds 电视."""
    found = effort.effort([Judged(1, "ordered", kept, shown, accepted, (), added)], SEARCH)
    assert (found.with_suggestions, found.without) == ((keys,), (without,))


def test_keys_are_told_on_average_and_one_by_one():
    judged = [
        Judged(3, "ordered", ("电影",), ("电影",), ("电影",), (), ()),
        Judged(4, "ordered", (), (), (), (), ("编程",)),
    ]
    found = effort.effort(judged, SEARCH)
    assert (found.mean, found.mean_without) == (3.0, 4.0)
    assert effort.table(found).rows == ((3, 2, 4), (4, 4, 4))


def test_only_the_newest_decisions_count_keys(monkeypatch):
    monkeypatch.setattr(effort, "MOST", 2)
    judged = [Judged(number, "ordered", (), (), (), (), ("编程",)) for number in (3, 4, 5)]
    found = effort.effort(judged, SEARCH)
    assert (found.before, found.numbers) == (1, (4, 5))
