"""A heatmap on the screen, drawn by Plotly; what it shows: app/figures/heatmap.py."""

import numpy as np
import plotly.graph_objects as go

from app.figures.colours import DARK_SCALE, GREY, INK, LIGHT_INK, LIGHT_SCALE
from app.figures.heatmap import CELL, FONT_SIZE, Heatmap, Measures, is_stacked, whole
from app.figures.labels import plain

HATCH_COLOUR = "rgba(138, 150, 147, 0.55)"


def heatmap_figure(heatmap: Heatmap, room: Measures, *, dark: bool, labels: tuple[str, str, str]) -> go.Figure:
    """Cells of one size whatever their number: the page scrolls, the words stay readable.

    room: with room for the labels of a second one, if it stands beside it. labels: row, column and weight, for the
    hover text.
    """
    row, column, weight = map(plain, labels)
    figure = go.Figure(
        go.Heatmap(
            z=heatmap.shown_weights,
            zmin=0.0,
            zmax=heatmap.darkest,
            colorscale=[list(stop) for stop in zip((0.0, 0.5, 1.0), DARK_SCALE if dark else LIGHT_SCALE, strict=True)],
            xgap=1,
            ygap=1,
            text=[
                [f"{row} {plain(whole(r))}<br>{column} {plain(whole(c))}" for c in heatmap.columns]
                for r in heatmap.rows
            ],
            hovertemplate="%{text}<br>" + weight + " %{z:.4f}<extra></extra>",
            hoverongaps=False,
            showscale=False,
        )
    )
    if len(heatmap.masked):
        figure.add_trace(_hatching(heatmap.masked))
    count_rows, count_columns = heatmap.weights.shape
    ink = LIGHT_INK if dark else INK
    figure.update_layout(
        width=room.left + room.width + 16,
        height=room.above + CELL * len(heatmap.rows) + 12,
        margin={"l": room.left, "t": room.above, "r": 16, "b": 12, "autoexpand": False},
        annotations=[*_column_labels(heatmap, ink), *_row_labels(heatmap, ink)],
        shapes=[
            {"type": "line", "x0": -0.5, "x1": count_columns - 0.5, "y0": at - 0.5, "y1": at - 0.5}
            | {"line": {"width": 1, "color": GREY}}
            for at in heatmap.breaks
        ],
    )
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True, "ticks": ""}
    figure.update_xaxes(range=[-0.5, count_columns - 0.5], **bare)
    figure.update_yaxes(range=[count_rows - 0.5, -0.5], **bare)
    return figure


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


def _column_labels(heatmap: Heatmap, ink: str) -> list[dict[str, object]]:
    """Over each column: hanzi upright, one under the other; anything else turned."""
    labels = []
    for place, word in enumerate(heatmap.column_labels()):
        stacked = is_stacked(word)
        labels.append(
            {
                "x": place,
                "xref": "x",
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
                "yshift": 2,
                "text": "<br>".join(map(plain, word)) if stacked else plain(word),
                "textangle": 0 if stacked else -90,
                "showarrow": False,
                "font": {"size": FONT_SIZE, "color": ink},
                "borderpad": 0,
            }
        )
    return labels


def _row_labels(heatmap: Heatmap, ink: str) -> list[dict[str, object]]:
    return [
        {
            "x": 0,
            "xref": "paper",
            "xanchor": "right",
            "xshift": -4,
            "y": place,
            "yref": "y",
            "text": plain(word),
        }
        | {"showarrow": False, "height": CELL, "font": {"size": FONT_SIZE, "color": ink}}
        for place, word in enumerate(heatmap.row_labels())
    ]
