"""Tags against votes: in how many hypotheses each stands, and the threshold as a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import plotly.graph_objects as go

from app.figures.axes import count_axis
from app.figures.colours import ACCENT, LINE
from app.figures.labels import plain, shortened

LONGEST_LABEL = 12  # characters; longer tags are cut on the axis and whole in the hover text
ROW_HEIGHT = 30  # pixels
WIDER = 1.2  # than the longest bar: room for the numbers
ABOVE = 96  # pixels for the legend and the axis
FAINT = 0.5  # opacity of the bars of tags that are not kept


class Voted(Protocol):
    """A tag and the hypotheses that contain it."""

    @property
    def tag(self) -> str: ...

    @property
    def votes(self) -> int: ...

    @property
    def is_new(self) -> bool: ...


@dataclass(frozen=True)
class VoteLabels:
    """The words of the votes chart in the visitor's language."""

    votes: str
    threshold: str
    new: str


def votes_chart(tags: Sequence[Voted], *, kept: int, beam: int, threshold: float, labels: VoteLabels) -> go.Figure:
    """Votes of every voted tag as horizontal bars, best on top, with a line at the votes a tag must exceed.

    kept: how many of `tags`, which come best first, were kept; they have a tick before their name.
    """
    rows = list(range(len(tags)))
    figure = go.Figure(
        go.Bar(
            orientation="h",
            name=plain(labels.votes),
            x=[tag.votes for tag in tags],
            y=rows,
            marker={"color": ACCENT, "opacity": [1.0 if row < kept else FAINT for row in rows]},
            hovertext=[f"{plain(tag.tag)}<br>{tag.votes} / {beam} {plain(labels.votes)}" for tag in tags],
            hoverinfo="text",
        )
    )
    figure.add_scatter(
        mode="text",
        x=[beam * WIDER] * len(tags),  # in a column of their own, where no bar and no line crosses them
        y=rows,
        text=[str(tag.votes) for tag in tags],
        textposition="middle left",
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )
    needed = threshold * beam
    figure.add_scatter(
        mode="lines",
        name=plain(labels.threshold),
        x=[needed, needed],
        y=[-0.5, len(tags) - 0.5],
        line={"dash": "dot", "width": 1.5, "color": LINE},
        hoverinfo="skip",
    )
    # Rows are numbered: a tag such as 2024 would otherwise be taken for a number, and two cut tags for one.
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[_label(tag, labels.new, row < kept) for row, tag in enumerate(tags)],
        range=[len(tags) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
    )
    # Above the bars: many of them scroll, and the axis would be out of sight.
    figure.update_xaxes(
        title={"text": labels.votes, "standoff": 10},
        side="top",
        range=[0, beam * WIDER],
        fixedrange=True,
        zeroline=False,
        tickvals=list(range(0, beam + 1, count_axis(beam)["dtick"])),  # nothing has more votes, though there is room
    )
    figure.update_layout(
        height=ABOVE + 8 + ROW_HEIGHT * max(1, len(tags)),
        margin={"l": 8, "r": 8, "t": ABOVE, "b": 8},
        bargap=0.35,
        showlegend=True,
        legend={
            "orientation": "h",
            "traceorder": "normal",
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
        },
    )
    return figure


def _label(tag: Voted, new: str, kept: bool) -> str:
    name = shortened(tag.tag, LONGEST_LABEL)
    return plain(f"{'✓ ' if kept else ''}{name}{f' ({new})' if tag.is_new else ''}")
