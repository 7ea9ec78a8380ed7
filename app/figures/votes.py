"""Tags against votes, with the threshold as a line."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

if TYPE_CHECKING:
    from l2a.tagger import Suggestion

KEPT_COLOUR = "#1f8a78"  # all are readable on the light and on the dark ground
DROPPED_COLOUR = "#9aa5a3"
LINE_COLOUR = "#d08a2e"
LONGEST_LABEL = 12  # characters; longer tags are cut on the axis and whole in the hover text
ROW_HEIGHT = 30  # pixels


@dataclass(frozen=True)
class VoteLabels:
    """The words of the votes chart in the visitor's language."""

    votes: str
    kept: str
    dropped: str
    threshold: str
    new: str


def votes_chart(
    suggestions: Sequence["Suggestion"], *, kept: int, beam: int, threshold: float, labels: VoteLabels
) -> go.Figure:
    """Votes of every voted tag as horizontal bars, best on top, with a line at the votes a tag must exceed.

    kept: how many of `suggestions`, which come best first, were kept.
    """
    figure = go.Figure()
    numbered = list(enumerate(suggestions))
    for rows, name, colour in (
        (numbered[:kept], labels.kept, KEPT_COLOUR),
        (numbered[kept:], labels.dropped, DROPPED_COLOUR),
    ):
        figure.add_bar(
            orientation="h",
            name=name,
            x=[suggestion.votes for _, suggestion in rows],
            y=[row for row, _ in rows],
            text=[str(suggestion.votes) for _, suggestion in rows],
            textposition="outside",
            cliponaxis=False,
            marker={"color": colour},
            # Plotly reads a little HTML in its texts: a tag is shown as it is spelled.
            hovertext=[
                f"{html.escape(suggestion.tag)}<br>{suggestion.votes} / {beam} {html.escape(labels.votes)}"
                for _, suggestion in rows
            ],
            hoverinfo="text",
            showlegend=bool(rows),
        )
    needed = threshold * beam
    figure.add_scatter(
        mode="lines",
        name=html.escape(labels.threshold),
        x=[needed, needed],
        y=[-0.5, len(suggestions) - 0.5],
        line={"dash": "dot", "width": 1.5, "color": LINE_COLOUR},
        hoverinfo="skip",
    )
    # Rows are numbered: a tag such as 2024 would otherwise be taken for a number, and two cut tags for one.
    figure.update_yaxes(
        tickvals=list(range(len(suggestions))),
        ticktext=[_label(suggestion, labels.new) for suggestion in suggestions],
        range=[len(suggestions) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
    )
    figure.update_xaxes(title=labels.votes, range=[0, beam * 1.06], fixedrange=True, zeroline=False)
    figure.update_layout(
        height=110 + ROW_HEIGHT * max(1, len(suggestions)),
        margin={"l": 8, "r": 16, "t": 36, "b": 8},
        bargap=0.35,
        barmode="overlay",
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom"},
    )
    return figure


def _label(suggestion: "Suggestion", new: str) -> str:
    tag = suggestion.tag if len(suggestion.tag) <= LONGEST_LABEL else suggestion.tag[: LONGEST_LABEL - 1] + "…"
    return html.escape(f"{tag} ({new})" if suggestion.is_new else tag)
