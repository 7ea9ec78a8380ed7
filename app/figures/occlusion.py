"""The occlusion check as bars: how far a tag falls without each word, and how much attention the word got."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from app.figures.colours import ACCENT, LINE, QUIET
from app.figures.heatmap import shown, whole
from app.figures.labels import plain

ROW_HEIGHT = 22


def occlusion_figure(
    words: Sequence[str], drops: np.ndarray, attention: np.ndarray, labels: tuple[str, str]
) -> go.Figure:
    """Words down: how far the tag falls without each (bars) and how much attention it got (dots).

    Each has an axis of its own, above and below; both have their zero at one place and their greatest at one place, so
    that their orders can be compared. labels: fall, attention.
    """
    rows = list(range(len(words)))
    drops_scale = float(np.abs(drops).max(initial=0.0)) or 1.0
    attention_scale = float(attention.max(initial=0.0)) or 1.0
    fall, looked = map(plain, labels)
    figure = go.Figure()
    figure.add_bar(
        orientation="h",
        x=drops,
        y=rows,
        marker={"color": [ACCENT if drop >= 0 else QUIET for drop in drops]},
        hovertext=[f"{plain(whole(word))}<br>{fall} {drop:+.3f}" for word, drop in zip(words, drops, strict=True)],
        hoverinfo="text",
    )
    figure.add_scatter(
        mode="markers",
        x=attention,
        y=rows,
        xaxis="x2",
        marker={"color": LINE, "size": 8, "symbol": "diamond"},
        hovertext=[
            f"{plain(whole(word))}<br>{looked} {weight:.4f}" for word, weight in zip(words, attention, strict=True)
        ],
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
            "ticktext": [plain(shown(word)) for word in words],
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
