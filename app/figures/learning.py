"""Charts about learning: the loss of a training, differences with their intervals, how reliable votes are, and numbers
that change with every decision."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from app.figures.axes import count_axis
from app.figures.colours import ACCENT, LINE, QUIET
from app.figures.labels import plain
from app.figures.layout import HEIGHT, sized

LOSS_HEIGHT = 220
DIFFERENCE_HEIGHT = 130
ROW_HEIGHT = 26


def loss_chart(points: Sequence[tuple[int, float]], *, step: str, loss: str) -> go.Figure:
    """The loss at each logged step, and its running mean, which shows where it goes."""
    steps = [number for number, _ in points]
    losses = [value for _, value in points]
    figure = go.Figure()
    figure.add_scatter(mode="lines", x=steps, y=losses, line={"width": 1, "color": QUIET}, hoverinfo="skip")
    figure.add_scatter(
        mode="lines",
        x=steps,
        y=_running_mean(losses),
        line={"width": 2, "color": ACCENT},
        hovertemplate=f"{plain(step)} %{{x}}<br>{plain(loss)} %{{y:.3f}}<extra></extra>",
    )
    figure.update_xaxes(
        title=plain(step), fixedrange=True, showgrid=False, zeroline=False, **count_axis(max(steps, default=0))
    )
    figure.update_yaxes(title=plain(loss), fixedrange=True, zeroline=False)
    figure.update_layout(showlegend=False)
    sized(figure, LOSS_HEIGHT)
    figure.update_layout(margin={"l": 8, "r": 12, "t": 12, "b": 8})  # no legend that would need room
    return figure


def _running_mean(values: Sequence[float], keep: float = 0.8) -> list[float]:
    """Each value mixed with those before it; the first ones are not pulled towards zero."""
    found, mixed, weight = [], 0.0, 0.0
    for value in values:
        mixed, weight = keep * mixed + (1 - keep) * value, keep * weight + (1 - keep)
        found.append(mixed / weight)
    return found


def difference_chart(difference: float, interval: tuple[float, float], *, words: str, axis: str) -> go.Figure:
    """A difference in percentage points as a dot on its interval, with a line at zero: do they touch?"""
    low, high = (100 * end for end in interval)
    middle = 100 * difference
    reach = 1.15 * max(abs(low), abs(high), abs(middle), 1.0)
    figure = go.Figure()
    figure.add_scatter(
        mode="lines", x=[0, 0], y=[-1, 1], line={"dash": "dot", "width": 1.5, "color": LINE}, hoverinfo="skip"
    )
    figure.add_scatter(mode="lines", x=[low, high], y=[0, 0], line={"width": 6, "color": QUIET}, hoverinfo="skip")
    figure.add_scatter(
        mode="markers",
        x=[middle],
        y=[0],
        marker={"size": 14, "color": ACCENT},
        hovertext=[plain(words)],
        hoverinfo="text",
    )
    figure.update_yaxes(visible=False, range=[-1, 1], fixedrange=True)
    figure.update_xaxes(
        title={"text": plain(axis), "standoff": 12}, range=[-reach, reach], fixedrange=True, zeroline=False
    )
    figure.update_layout(showlegend=False)
    sized(figure, DIFFERENCE_HEIGHT)
    figure.update_layout(margin={"l": 8, "r": 12, "t": 8, "b": 8})
    return figure


def worth_chart(rows: Sequence[tuple[str, float, float, float]], *, axis: str) -> go.Figure:
    """(label, value, low, high) a row, the first on top: dots on their intervals, with a line at zero."""
    places = list(range(len(rows)))
    figure = go.Figure()
    figure.add_scatter(
        mode="lines",
        x=[0, 0],
        y=[-0.5, len(rows) - 0.5],
        line={"dash": "dot", "width": 1.5, "color": LINE},
        hoverinfo="skip",
    )
    figure.add_scatter(
        mode="markers",
        x=[value for _, value, _, _ in rows],
        y=places,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [high - value for _, value, _, high in rows],
            "arrayminus": [value - low for _, value, low, _ in rows],
            "thickness": 1.5,
            "width": 4,
            "color": ACCENT,
        },
        marker={"color": ACCENT, "size": 9},
        hovertext=[f"{plain(label)}<br>{value:+.3f} ({low:+.3f} – {high:+.3f})" for label, value, low, high in rows],
        hoverinfo="text",
    )
    figure.update_yaxes(
        tickvals=places,
        ticktext=[plain(label) for label, *_ in rows],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_xaxes(title={"text": plain(axis), "standoff": 8}, fixedrange=True, zeroline=False)
    figure.update_layout(showlegend=False)
    sized(figure, 70 + ROW_HEIGHT * max(3, len(rows)))
    figure.update_layout(margin={"l": 8, "r": 12, "t": 8, "b": 8})
    return figure


def decisions_chart(
    lines: Mapping[str, tuple[Sequence[int], Sequence[float]]], *, axis: str, value: str, as_share: bool
) -> go.Figure:
    """Name -> (number of the decision, value there): a line each, over decisions."""
    figure = go.Figure()
    shown = ".1%" if as_share else ".2f"
    for (name, (places, values)), colour in zip(lines.items(), (ACCENT, LINE), strict=False):
        figure.add_scatter(
            mode="lines",
            name=plain(name),
            x=list(places),
            y=list(values),
            line={"width": 2, "color": colour},
            hovertemplate=f"{plain(axis)} %{{x:,}}<br>{plain(name)}: %{{y:{shown}}}<extra></extra>",
        )
    most = max((max(places, default=0) for places, _ in lines.values()), default=0)
    figure.update_xaxes(title=plain(axis), fixedrange=True, showgrid=False, zeroline=False, **count_axis(most))
    figure.update_yaxes(title=plain(value), rangemode="tozero", fixedrange=True, zeroline=False)
    if as_share:
        figure.update_yaxes(tickformat=".0%", range=[0, 1.04], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_layout(showlegend=True)
    return sized(figure, HEIGHT + 30)


def reliability_chart(
    bins: Sequence[tuple[float, float, int, int]], *, votes: str, share: str, line: str, hover: Sequence[str]
) -> go.Figure:
    """(low, high, count, accepted) a bar: the share accepted by the share of votes, counts on top, and a diagonal."""
    figure = go.Figure()
    figure.add_bar(
        name=plain(share),
        x=[(low + high) / 2 for low, high, _, _ in bins],
        y=[accepted / count for *_, count, accepted in bins],
        width=[0.92 * (high - low) for low, high, _, _ in bins],
        text=[f"{count:,}" for _, _, count, _ in bins],
        textposition="outside",
        cliponaxis=False,
        marker={"color": ACCENT, "line": {"width": 0}},
        hovertext=[plain(words) for words in hover],
        hoverinfo="text",
    )
    figure.add_scatter(
        mode="lines",
        name=plain(line),
        x=[0, 1],
        y=[0, 1],
        line={"dash": "dot", "width": 1.5, "color": LINE},
        hoverinfo="skip",
    )
    figure.update_xaxes(
        title=plain(votes),
        range=[0, 1],
        tickformat=".0%",
        tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(range=[0, 1.12], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1], fixedrange=True)
    figure.update_layout(showlegend=True)
    return sized(figure, HEIGHT + 30)
