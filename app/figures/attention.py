"""Attention as a heatmap, and the occlusion check as bars."""

import html
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from app.heatmap_svg import CELL, DARK_SCALE, FONT_SIZE, LIGHT_SCALE, Heatmap, cut, is_stacked, measure

DROP_COLOUR = "#1f8a78"  # readable on the light and on the dark ground
GAIN_COLOUR = "#9aa5a3"
ATTENTION_COLOUR = "#d08a2e"
ROW_HEIGHT = 22


def heatmap_figure(heatmap: Heatmap, *, dark: bool, labels: tuple[str, str, str]) -> go.Figure:
    """Cells of one size whatever their number: the page scrolls, the words stay readable.

    labels: row, column and weight, for the hover text.
    """
    room = measure(heatmap)
    row, column, weight = map(html.escape, labels)
    figure = go.Figure(
        go.Heatmap(
            z=heatmap.weights,
            zmin=0.0,
            zmax=heatmap.darkest,
            colorscale=[list(stop) for stop in zip((0.0, 0.5, 1.0), DARK_SCALE if dark else LIGHT_SCALE, strict=True)],
            xgap=1,
            ygap=1,
            text=[[f"{row} {_shown(r)}<br>{column} {_shown(c)}" for c in heatmap.columns] for r in heatmap.rows],
            hovertemplate="%{text}<br>" + weight + " %{z:.4f}<extra></extra>",
            showscale=False,
        )
    )
    count_rows, count_columns = heatmap.weights.shape
    ink = "#e4e9e7" if dark else "#1d2524"
    figure.update_layout(
        width=room.left + room.width + 16,
        height=room.above + room.height + 12,
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

    Both are divided by their greatest, so that their orders can be compared. labels: fall, attention.
    """
    rows = list(range(len(words)))
    drops_scale = float(np.abs(drops).max(initial=0.0)) or 1.0
    attention_scale = float(attention.max(initial=0.0)) or 1.0
    fall, looked = map(html.escape, labels)
    figure = go.Figure()
    figure.add_bar(
        orientation="h",
        name=fall,
        x=drops / drops_scale,
        y=rows,
        marker={"color": [DROP_COLOUR if drop >= 0 else GAIN_COLOUR for drop in drops]},
        hovertext=[f"{_shown(word)}<br>{fall} {drop:+.3f}" for word, drop in zip(words, drops, strict=True)],
        hoverinfo="text",
    )
    figure.add_scatter(
        mode="markers",
        name=looked,
        x=attention / attention_scale,
        y=rows,
        marker={"color": ATTENTION_COLOUR, "size": 7},
        hovertext=[f"{_shown(word)}<br>{looked} {weight:.4f}" for word, weight in zip(words, attention, strict=True)],
        hoverinfo="text",
    )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[_shown(cut(word)) for word in words],
        range=[len(words) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
    )
    lowest = min(0.0, float(drops.min(initial=0.0)) / drops_scale)
    figure.update_xaxes(range=[lowest - 0.05, 1.08], showticklabels=False, fixedrange=True)
    figure.update_layout(
        height=50 + ROW_HEIGHT * max(1, len(words)),
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        bargap=0.35,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom"},
    )
    return figure


def _column_labels(words: Sequence[str], ink: str) -> list[dict]:
    """Over each column: hanzi upright, one under the other; anything else turned."""
    labels = []
    for place, word in enumerate(map(cut, words)):
        stacked = is_stacked(word)
        labels.append(
            {
                "x": place,
                "xref": "x",
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
                "yshift": 2,
                "text": "<br>".join(map(_shown, word)) if stacked else _shown(word),
                "textangle": 0 if stacked else -90,
                "showarrow": False,
                "font": {"size": FONT_SIZE, "color": ink},
                "borderpad": 0,
            }
        )
    return labels


def _row_labels(words: Sequence[str], ink: str) -> list[dict]:
    return [
        {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -4, "y": place, "yref": "y", "text": _shown(cut(word))}
        | {"showarrow": False, "height": CELL, "font": {"size": FONT_SIZE, "color": ink}}
        for place, word in enumerate(words)
    ]


def _shown(word: str) -> str:
    """Plotly reads a little HTML in its texts: a word is shown as it is spelled."""
    return html.escape(word, quote=False)
