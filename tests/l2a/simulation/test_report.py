"""The table by hand, and a picture."""

import pytest

from l2a.simulation.report import draw, to_markdown
from l2a.simulation.simulate import OURS, Point


def point(method: str, seed: int, decisions: int, f1: float, **more) -> Point:
    return Point(method, seed, decisions, f1 + 0.02, f1 - 0.02, f1, more)


OWN = {"keys": 4.25, "keys_without": 9.0, "ranking_seconds": 0.005}
POINTS = [
    point(OURS, 1, 0, 0.20, seconds=0.0, **OWN),
    point(OURS, 1, 1000, 0.50, seconds=0.030, **OWN),
    point("ridge", 1, 1000, 0.40, seconds=9.0),
    point(OURS, 2, 0, 0.20, seconds=0.0, **OWN),
    point(OURS, 2, 1000, 0.60, seconds=0.050, **OWN),
    point("ridge", 2, 1000, 0.44, seconds=9.0),
]


def test_the_table_has_the_mean_over_the_orders_and_each_of_them():
    assert to_markdown(POINTS, {"Model": "abc", "beam": 4}).splitlines() == [
        "Position-weighted F1 (precision / recall) on the test questions in percent. Model abc, beam 4.",
        "",
        "| decisions | L2A | ridge | keys | without suggestions | ms a decision | ms a ranking |",
        "|---|---|---|---|---|---|---|",
        "| 0 | 20.0 [20.0 to 20.0] (22.0 / 18.0) | – | 4.2 | 9.0 | – | 5.0 |",
        "| 1,000 | 55.0 [50.0 to 60.0] (57.0 / 53.0) | 42.0 [40.0 to 44.0] (44.0 / 40.0) | 4.2 | 9.0 | 40.0 | 5.0 |",
        "",
        "F1 of each order:",
        "",
        "| method | seed | 0 | 1,000 |",
        "|---|---|---|---|",
        "| L2A | 1 | 20.0 | 50.0 |",
        "| L2A | 2 | 20.0 | 60.0 |",
        "| L2A | mean | 20.0 | 55.0 |",
        "| ridge | 1 | – | 40.0 |",
        "| ridge | 2 | – | 44.0 |",
        "| ridge | mean | – | 42.0 |",
    ]


def test_one_order_needs_no_spans():
    said = to_markdown(POINTS[:3], {}).splitlines()
    assert said[-1] == "| 1,000 | 50.0 (52.0 / 48.0) | 40.0 (42.0 / 38.0) | 4.2 | 9.0 | 30.0 | 5.0 |"


@pytest.mark.parametrize(("name", "begin"), [("curve.png", b"\x89PNG"), ("curve.svg", b"<?xml")])
@pytest.mark.parametrize("points", [POINTS, POINTS[:1]])
def test_the_picture_is_written(tmp_path, name, begin, points):
    draw(points, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begin)
