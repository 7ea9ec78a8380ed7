"""The charts of the dashboard: plain values and words in, figures out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import plotly.graph_objects as go

from app.figures.axes import count_axis
from app.figures.colours import ACCENT, LINE, PEOPLE, QUIET
from app.figures.labels import plain, shortened
from app.figures.layout import HEIGHT, sized

ROW_HEIGHT = 24
LONGEST_LABEL = 12


@dataclass(frozen=True)
class Point:
    """A share with its interval; `low` and `high` as shares too. `count` is what it is a share of."""

    label: str
    share: float
    low: float
    high: float
    count: int
    details: str = ""  # more for the hover text


def days_chart(days: Sequence[date], series: Mapping[str, Sequence[int]]) -> go.Figure:
    """Decisions a day as bars, one colour a name, on top of each other."""
    figure = go.Figure()
    for place, (name, counts) in enumerate(series.items()):
        figure.add_bar(
            name=plain(name),
            x=list(days),
            y=list(counts),
            marker={"color": PEOPLE[min(place, len(PEOPLE) - 1)], "line": {"width": 0}},
            hovertemplate=f"%{{x|%Y-%m-%d}}<br>{plain(name)}: %{{y}}<extra></extra>",
        )
    # Numbers only: Plotly would write the names of months in English.
    several = days and days[0].year != days[-1].year
    figure.update_xaxes(tickformat="%Y-%m-%d" if several else "%m-%d", type="date", fixedrange=True, showgrid=False)
    if len(days) <= 8:  # otherwise a few days are marked by hours
        figure.update_xaxes(tickvals=list(days))
    figure.update_yaxes(rangemode="tozero", fixedrange=True, zeroline=False, **count_axis(_highest(series)))
    figure.update_layout(barmode="stack", bargap=0.25, showlegend=len(series) > 1)
    return sized(figure, HEIGHT)


def share_chart(
    points: Sequence[Point], *, axis: str, share: str, reference: Sequence[float] = (), line: str = ""
) -> go.Figure:
    """Shares as dots with their intervals; under each label the number it is out of. `reference`: a line to compare."""
    figure = go.Figure()
    places = list(range(len(points)))
    if reference:
        figure.add_scatter(
            mode="lines",
            name=plain(line),
            x=places,
            y=list(reference),
            line={"dash": "dot", "width": 1.5, "color": LINE},
            hoverinfo="skip",
        )
    figure.add_scatter(
        mode="markers",
        name=plain(share),
        x=places,
        y=[point.share for point in points],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [point.high - point.share for point in points],
            "arrayminus": [point.share - point.low for point in points],
            "thickness": 1.5,
            "width": 5,
            "color": ACCENT,
        },
        marker={"color": ACCENT, "size": 9},
        hovertext=[_share_hover(point) for point in points],
        hoverinfo="text",
    )
    # Numbered places: a label such as 10 or 2024 would otherwise be taken for a number.
    ticks = [f"{_cut(point.label)}<br>n={point.count:,}" for point in points]
    figure.update_xaxes(
        title=plain(axis),
        tickvals=places,
        ticktext=ticks,
        tickangle=0,
        range=[-0.6, max(1, len(points)) - 0.4],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1], fixedrange=True)
    figure.update_layout(showlegend=bool(reference))
    return sized(figure, HEIGHT + 30)


def tags_chart(tags: Sequence[str], series: Mapping[str, Sequence[int]]) -> go.Figure:
    """Counts of tags as horizontal bars, the first tag on top; the first series in the accent colour."""
    figure = go.Figure()
    rows = list(range(len(tags)))
    for (name, counts), colour in zip(series.items(), (ACCENT, QUIET), strict=False):
        figure.add_bar(
            orientation="h",
            name=plain(name),
            x=list(counts),
            y=rows,
            marker={"color": colour, "line": {"width": 0}},
            hovertext=[f"{plain(tag)}<br>{plain(name)}: {n:,}" for tag, n in zip(tags, counts, strict=True)],
            hoverinfo="text",
        )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[_cut(tag) for tag in tags],
        range=[len(tags) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
    )
    figure.update_xaxes(rangemode="tozero", fixedrange=True, zeroline=False, **count_axis(_highest(series)))
    figure.update_layout(barmode="stack", bargap=0.3, showlegend=len(series) > 1)
    return sized(figure, 80 + ROW_HEIGHT * max(3, len(tags)))


def times_chart(bars: Sequence[tuple[float, float | None, int]], *, middle: float, axis: str, words: str) -> go.Figure:
    """How many decisions took so many seconds, with a line at the median."""
    width = bars[0][1] - bars[0][0] if bars[0][1] is not None else 1
    figure = go.Figure()
    figure.add_bar(
        x=[low + width / 2 for low, _, _ in bars],
        y=[count for *_, count in bars],
        width=width * 0.9,
        marker={"color": ACCENT, "line": {"width": 0}},
        hovertext=[f"{low:g}–{high:g} s: {n:,}" if high else f"≥ {low:g} s: {n:,}" for low, high, n in bars],
        hoverinfo="text",
        showlegend=False,
    )
    figure.add_scatter(
        mode="lines",
        name=plain(words),
        x=[middle, middle],
        y=[0, max(count for *_, count in bars)],
        line={"dash": "dot", "width": 1.5, "color": LINE},
        hoverinfo="skip",
    )
    figure.update_xaxes(title=plain(axis), rangemode="tozero", fixedrange=True, showgrid=False, zeroline=False)
    highest = max(count for *_, count in bars)
    figure.update_yaxes(rangemode="tozero", fixedrange=True, zeroline=False, **count_axis(highest))
    figure.update_layout(showlegend=True)
    return sized(figure, HEIGHT)


def _highest(series: Mapping[str, Sequence[int]]) -> int:
    """Of bars on top of each other."""
    return max((sum(stack) for stack in zip(*series.values(), strict=True)), default=0)


def _share_hover(point: Point) -> str:
    first = f"{plain(point.label)}<br>{point.share:.1%} ({point.low:.0%}–{point.high:.0%}), n = {point.count:,}"
    return f"{first}<br>{plain(point.details)}" if point.details else first


def _cut(text: str) -> str:
    return plain(shortened(text, LONGEST_LABEL))
