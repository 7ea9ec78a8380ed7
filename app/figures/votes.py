"""Tags against votes: whose votes they are, and the threshold as a line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from app.figures.axes import count_axis
from app.figures.colours import ACCENT, BLUE, LINE, PINK
from app.figures.labels import plain, shortened

if TYPE_CHECKING:
    from l2a.tagger import Suggestion

LONGEST_LABEL = 12  # characters; longer tags are cut on the axis and whole in the hover text
ROW_HEIGHT = 30  # pixels
WIDER = 1.45  # than the longest bar: room for the numbers
ABOVE = 118  # pixels for the legend and the axis
FAINT = 0.5  # opacity of the bars of tags that are not kept
HYPOTHESES = "hypotheses"
# Colour and pattern by who votes. Hypotheses are solid, the rest is hatched: nobody needs the colours to tell.
LOOKS = {
    HYPOTHESES: (ACCENT, ""),
    "lists": ("#b0702a", "/"),
    "near": (BLUE, "."),
    "linear": (PINK, "x"),
}
GROUPS = {"named": "lists", "listed": "lists"}  # both are tags of a list that stand in the text


@dataclass(frozen=True)
class VoteLabels:
    """The words of the votes chart in the visitor's language."""

    votes: str
    threshold: str
    new: str
    voters: Mapping[str, str]  # of LOOKS
    fewer: Callable[..., str]  # of votes and count: a made-up tag that counts for less than its hypotheses


def votes_chart(
    suggestions: Sequence["Suggestion"], *, kept: int, beam: int, threshold: float, labels: VoteLabels
) -> go.Figure:
    """Votes of every voted tag as horizontal bars, best on top, with a line at the votes a tag must exceed.

    kept: how many of `suggestions`, which come best first, were kept; they have a tick before their name. Suggestions
    that do not say whose their votes are (those of the store) have bars of one kind.
    """
    figure = go.Figure()
    parts = [_parts(suggestion) for suggestion in suggestions]
    for voter, (colour, pattern) in LOOKS.items():
        rows = [row for row, part in enumerate(parts) if part.get(voter)]
        if not rows:
            continue
        known = any(_said(suggestions[row]) for row in rows)
        figure.add_bar(
            orientation="h",
            name=plain(labels.voters[voter] if known else labels.votes),
            x=[parts[row][voter] for row in rows],
            y=rows,
            marker={
                "color": colour,
                "opacity": [1.0 if row < kept else FAINT for row in rows],
                "line": {"width": 1, "color": colour},
                "pattern": {"shape": pattern, "fillmode": "replace", "fgcolor": colour, "size": 6, "solidity": 0.45},
            },
            hovertext=[_hover(suggestions[row], beam, labels) for row in rows],
            hoverinfo="text",
        )
    figure.add_scatter(
        mode="text",
        x=[beam * WIDER] * len(suggestions),  # in a column of their own, where no bar and no line crosses them
        y=list(range(len(suggestions))),
        text=[_sum(suggestion, part) for suggestion, part in zip(suggestions, parts, strict=True)],
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
        y=[-0.5, len(suggestions) - 0.5],
        line={"dash": "dot", "width": 1.5, "color": LINE},
        hoverinfo="skip",
    )
    # Rows are numbered: a tag such as 2024 would otherwise be taken for a number, and two cut tags for one.
    figure.update_yaxes(
        tickvals=list(range(len(suggestions))),
        ticktext=[_label(suggestion, labels.new, row < kept) for row, suggestion in enumerate(suggestions)],
        range=[len(suggestions) - 0.5, -0.5],
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
        height=ABOVE + 8 + ROW_HEIGHT * max(1, len(suggestions)),
        margin={"l": 8, "r": 8, "t": ABOVE, "b": 8},
        bargap=0.35,
        barmode="stack",
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


def _said(suggestion: "Suggestion") -> dict[str, float]:
    """Votes by who gave them, before rounding; empty where that is not known."""
    found: dict[str, float] = {}
    for voter, votes in getattr(suggestion, "voters", ()):
        group = GROUPS.get(voter, voter)
        found[group] = found.get(group, 0.0) + votes
    return found


def _parts(suggestion: "Suggestion") -> dict[str, float]:
    """Votes by who gave them, which together are the tag's: what is rounded off or over N is taken from the others."""
    found = _said(suggestion)
    own = min(float(suggestion.votes), found.pop(HYPOTHESES, 0.0))
    others = sum(found.values())
    if not others:
        return {HYPOTHESES: float(suggestion.votes)}
    share = (suggestion.votes - own) / others
    return {HYPOTHESES: own} | {voter: votes * share for voter, votes in found.items()}


def _sum(suggestion: "Suggestion", parts: Mapping[str, float]) -> str:
    """The number at the end of a bar: with that of the hypotheses and that of the rest, if there is one."""
    own = round(parts[HYPOTHESES])
    rest = suggestion.votes - own
    return f"{suggestion.votes} = {own} + {rest}" if rest > 0 else str(suggestion.votes)


def _hover(suggestion: "Suggestion", beam: int, labels: VoteLabels) -> str:
    lines = [plain(suggestion.tag), f"{suggestion.votes} / {beam} {plain(labels.votes)}"]
    for voter, votes in _said(suggestion).items():
        number = f"{votes:.1f}".removesuffix(".0")
        if voter == HYPOTHESES and votes < suggestion.written:
            number = labels.fewer(votes=number, count=suggestion.written)
        lines.append(plain(f"{labels.voters[voter]}: {number}"))
    return "<br>".join(lines)


def _label(suggestion: "Suggestion", new: str, kept: bool) -> str:
    tag = shortened(suggestion.tag, LONGEST_LABEL)
    return plain(f"{'✓ ' if kept else ''}{tag}{f' ({new})' if suggestion.is_new else ''}")
