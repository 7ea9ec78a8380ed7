"""What axes of several figures have in common."""

from typing import TypedDict

STEPS = (1, 2, 5)
MOST_MARKS = 6


class CountAxis(TypedDict):
    """As Plotly wants it."""

    tickmode: str
    tick0: int
    dtick: int
    tickformat: str


def count_axis(most: float) -> CountAxis:
    """The marks of an axis that counts, up to `most`: whole numbers, each once. Plotly would mark 0.5 of a decision."""
    size = 1
    while True:
        for step in STEPS:
            if most <= step * size * MOST_MARKS:
                return {"tickmode": "linear", "tick0": 0, "dtick": step * size, "tickformat": ",d"}
        size *= 10
