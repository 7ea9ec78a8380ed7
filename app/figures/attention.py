"""Attention as a heatmap, and the occlusion check as bars."""

import html
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from app.figures.heatmap import CELL, DARK_SCALE, FONT_SIZE, LIGHT_SCALE, Heatmap, Measures, is_stacked, shown

DROP_COLOUR = "#1f8a78"  # readable on the light and on the dark ground
GAIN_COLOUR = "#9aa5a3"
ATTENTION_COLOUR = "#d08a2e"
HATCH_COLOUR = "rgba(138, 150, 147, 0.55)"
ROW_HEIGHT = 22


def heatmap_figure(heatmap: Heatmap, room: Measures, *, dark: bool, labels: tuple[str, str, str]) -> go.Figure:
    """Cells of one size whatever their number: the page scrolls, the words stay readable.

    room: with room for the labels of a second one, if it stands beside it. labels: row, column and weight, for the
    hover text.
    """
    row, column, weight = map(html.escape, labels)
    figure = go.Figure(
        go.Heatmap(
            z=heatmap.weights if heatmap.mask is None else np.where(heatmap.mask, np.nan, heatmap.weights),
            zmin=0.0,
            zmax=heatmap.darkest,
            colorscale=[list(stop) for stop in zip((0.0, 0.5, 1.0), DARK_SCALE if dark else LIGHT_SCALE, strict=True)],
            xgap=1,
            ygap=1,
            text=[[f"{row} {_whole(r)}<br>{column} {_whole(c)}" for c in heatmap.columns] for r in heatmap.rows],
            hovertemplate="%{text}<br>" + weight + " %{z:.4f}<extra></extra>",
            hoverongaps=False,
            showscale=False,
        )
    )
    if len(heatmap.masked):
        figure.add_trace(_hatching(heatmap.masked))
    count_rows, count_columns = heatmap.weights.shape
    ink = "#e4e9e7" if dark else "#1d2524"
    figure.update_layout(
        width=room.left + room.width + 16,
        height=room.above + CELL * len(heatmap.rows) + 12,
        margin={"l": room.left, "t": room.above, "r": 16, "b": 12, "autoexpand": False},
        annotations=[*_column_labels(heatmap.columns, ink), *_row_labels(heatmap.rows, ink)],
        shapes=[
            {"type": "line", "x0": -0.5, "x1": count_columns - 0.5, "y0": at - 0.5, "y1": at - 0.5}
            | {"line": {"width": 1, "color": "#8a9693"}}
            for at in heatmap.breaks
        ],
    )
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True, "ticks": ""}
    figure.update_xaxes(range=[-0.5, count_columns - 0.5], **bare)
    figure.update_yaxes(range=[count_rows - 0.5, -0.5], **bare)
    return figure


def occlusion_figure(words: Sequence[str], drops: np.ndarray, attention: np.ndarray, labels: tuple[str, str]):
    """Words down: how far the tag falls without each (bars) and how much attention it got (dots).

    Each has an axis of its own, above and below; both have their zero at one place and their greatest at one place, so
    that their orders can be compared. labels: fall, attention.
    """
    rows = list(range(len(words)))
    drops_scale = float(np.abs(drops).max(initial=0.0)) or 1.0
    attention_scale = float(attention.max(initial=0.0)) or 1.0
    fall, looked = map(html.escape, labels)
    figure = go.Figure()
    figure.add_bar(
        orientation="h",
        x=drops,
        y=rows,
        marker={"color": [DROP_COLOUR if drop >= 0 else GAIN_COLOUR for drop in drops]},
        hovertext=[f"{_whole(word)}<br>{fall} {drop:+.3f}" for word, drop in zip(words, drops, strict=True)],
        hoverinfo="text",
    )
    figure.add_scatter(
        mode="markers",
        x=attention,
        y=rows,
        xaxis="x2",
        marker={"color": ATTENTION_COLOUR, "size": 8, "symbol": "diamond"},
        hovertext=[f"{_whole(word)}<br>{looked} {weight:.4f}" for word, weight in zip(words, attention, strict=True)],
        hoverinfo="text",
    )
    lowest = min(0.0, float(drops.min(initial=0.0)) / drops_scale) - 0.05
    figure.update_layout(
        xaxis={
            "title": {"text": f"■ {fall}", "standoff": 4},
            "side": "top",
            "range": [lowest * drops_scale, 1.08 * drops_scale],
            "nticks": 5,
            "fixedrange": True,
            "zeroline": True,
        },
        xaxis2={
            "title": {"text": f"◆ {looked}", "standoff": 4},
            "side": "bottom",
            "overlaying": "x",
            "range": [lowest * attention_scale, 1.08 * attention_scale],
            "tickvals": _marks(attention_scale),
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        yaxis={
            "tickvals": rows,
            "ticktext": [_escaped(shown(word)) for word in words],
            "range": [len(words) - 0.5, -0.5],
            "showgrid": False,
            "fixedrange": True,
        },
        height=110 + ROW_HEIGHT * max(1, len(words)),
        margin={"l": 8, "r": 8, "t": 52, "b": 48},
        bargap=0.35,
        showlegend=False,
    )
    return figure


def _marks(greatest: float) -> list[float]:
    """From nothing up: there is no attention under nothing, whatever the other axis has there."""
    size = 10.0 ** np.floor(np.log10(greatest))
    step = next(step * size for step in (0.2, 0.5, 1.0, 2.0, 5.0) if greatest <= 4 * step * size)
    return [float(mark) for mark in np.arange(0.0, greatest * 1.0001, step).round(9)]


def _hatching(masked: np.ndarray) -> go.Scatter:
    """Three strokes through each cell; Plotly has no pattern for cells."""
    strokes = (((-0.5, 0.0), (0.0, -0.5)), ((-0.5, 0.5), (0.5, -0.5)), ((0.0, 0.5), (0.5, 0.0)))
    ends = [
        (column + end[0], row + end[1]) if end else (None, None)
        for row, column in masked
        for begin, stop in strokes
        for end in (begin, stop, None)
    ]
    x, y = zip(*ends, strict=True)
    line = {"width": 1, "color": HATCH_COLOUR}
    return go.Scatter(mode="lines", x=x, y=y, line=line, hoverinfo="skip", showlegend=False)


def _column_labels(words: Sequence[str], ink: str) -> list[dict]:
    """Over each column: hanzi upright, one under the other; anything else turned."""
    labels = []
    for place, word in enumerate(map(shown, words)):
        stacked = is_stacked(word)
        labels.append(
            {
                "x": place,
                "xref": "x",
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
                "yshift": 2,
                "text": "<br>".join(map(_escaped, word)) if stacked else _escaped(word),
                "textangle": 0 if stacked else -90,
                "showarrow": False,
                "font": {"size": FONT_SIZE, "color": ink},
                "borderpad": 0,
            }
        )
    return labels


def _row_labels(words: Sequence[str], ink: str) -> list[dict]:
    return [
        {
            "x": 0,
            "xref": "paper",
            "xanchor": "right",
            "xshift": -4,
            "y": place,
            "yref": "y",
            "text": _escaped(shown(word)),
        }
        | {"showarrow": False, "height": CELL, "font": {"size": FONT_SIZE, "color": ink}}
        for place, word in enumerate(words)
    ]


def _whole(word: str) -> str:
    """A word in a hover text."""
    return _escaped(shown(word, longest=1000))


def _escaped(word: str) -> str:
    """Plotly reads a little HTML in its texts: a word is shown as it is spelled."""
    return html.escape(word, quote=False)
