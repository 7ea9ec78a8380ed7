"""How many tags each threshold leaves."""

from collections.abc import Sequence
from typing import Protocol

import plotly.graph_objects as go

from app.figures.axes import count_axis
from app.figures.colours import ACCENT, LINE
from app.figures.labels import plain

NAMED = 8  # tags in a hover text


class Step(Protocol):
    """From a threshold on, as a share of the beam, these tags are left."""

    @property
    def threshold(self) -> float: ...

    @property
    def tags(self) -> Sequence[str]: ...


def threshold_figure(steps: Sequence[Step], *, threshold: float, labels: tuple[str, str]) -> go.Figure:
    """Stairs going down: tags with more votes than the threshold. labels: of the threshold and of the tags."""
    across, up = map(plain, labels)
    most = max((len(step.tags) for step in steps), default=0)
    last = [*steps, steps[-1]] if steps else []  # the lowest stair goes on to 100%
    figure = go.Figure(
        go.Scatter(
            mode="lines",
            line={"shape": "hv", "color": ACCENT, "width": 2},
            x=[*(step.threshold for step in steps), 1.0][: len(last)],
            y=[len(step.tags) for step in last],
            hovertext=[f"{len(step.tags)} {up}<br>{_names(step.tags)}" for step in last],
            hoverinfo="text",
        )
    )
    figure.add_scatter(
        mode="lines",
        x=[threshold, threshold],
        y=[0, most + 0.5],
        line={"dash": "dot", "width": 1.5, "color": LINE},
        hoverinfo="skip",
    )
    figure.update_xaxes(title=across, range=[0, 1.02], tickformat=".0%", fixedrange=True, zeroline=False)
    figure.update_yaxes(title=up, range=[0, most + 0.5], fixedrange=True, zeroline=False, **count_axis(most))
    figure.update_layout(height=240, margin={"l": 8, "r": 16, "t": 8, "b": 8}, showlegend=False)
    return figure


def _names(tags: Sequence[str]) -> str:
    return "<br>".join(plain(tag) for tag in tags[:NAMED]) + ("<br>…" if len(tags) > NAMED else "")
