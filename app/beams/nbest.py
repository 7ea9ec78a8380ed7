"""The N-best list as HTML and as JSON lines. All text is escaped."""

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.beams.thresholds import tags_over
from db.transfer.formats.escape import json_text
from l2a.search.voting import MAX_SHOWN
from l2a.text.cleaning import match_key

if TYPE_CHECKING:
    from l2a.suggestions import Constraints, Hypothesis, Suggestion, Suggestions


def hypothesis_rows(
    hypotheses: Sequence["Hypothesis"],
    suggestions: Sequence["Suggestion"],
    beam: int,
    nothing: str,
    orders: Mapping[str, str],
) -> str:
    """The N-best list as rows of an HTML table; each tag is the deeper the more votes it has. All text is escaped.

    orders: the names of the orders tags are written in; they get a column where a model writes in more than one.
    """
    votes = {match_key(tag.tag): tag.votes for tag in suggestions}
    written = {
        hypothesis.order: f"<td>{html.escape(orders.get(hypothesis.order, ''))}</td>" for hypothesis in hypotheses
    }
    if len(written) < 2:
        written = {}
    return "".join(
        f"<tr><td>{rank}</td><td>{_chips(hypothesis.tags, votes, beam, nothing)}</td>"
        f"{written.get(hypothesis.order, '')}<td>{hypothesis.log_probability:.2f}</td></tr>"
        for rank, hypothesis in enumerate(hypotheses, start=1)
    )


def tag_chips(tags: Sequence[str], suggestions: Sequence["Suggestion"], beam: int) -> str:
    """Tags in a line, coloured as in the list, with their votes."""
    votes = {match_key(tag.tag): tag.votes for tag in suggestions}
    return "".join(_chip(tag, votes.get(match_key(tag), 0), beam, with_votes=True) for tag in tags)


def to_jsonl(
    result: "Suggestions",
    *,
    question_id: int | None,
    title: str,
    description: str,
    threshold: float,
    constraints: "Constraints | None",
) -> str:
    """The N-best list, one hypothesis a line; every line says what it was searched for and how."""
    votes = {match_key(tag.tag): tag.votes for tag in result.suggestions}
    kept = tags_over(result.suggestions, result.beam, threshold)[:MAX_SHOWN]
    about = {
        "question_id": question_id,
        "title": title,
        "description": description,
        "model_version": result.model_version,
        "beam": result.beam,
        "threshold": threshold,
        "kept": list(kept),
        "ban": list(constraints.ban) if constraints else [],
        "first_tag": constraints.first_tag if constraints else None,
        "known_tags_only": bool(constraints and constraints.known_tags is not None),
    }
    return "".join(
        json_text(
            {
                "rank": rank,
                "tags": list(hypothesis.tags),
                "log_probability": hypothesis.log_probability,
                "order": hypothesis.order,
                "votes": [votes.get(match_key(tag), 0) for tag in hypothesis.tags],
                **about,
            }
        )
        + "\n"
        for rank, hypothesis in enumerate(result.hypotheses, start=1)
    )


def _chips(tags: Sequence[str], votes: Mapping[str, int], beam: int, nothing: str) -> str:
    if not tags:
        return f"<small>{html.escape(nothing)}</small>"
    return "".join(_chip(tag, votes.get(match_key(tag), 0), beam) for tag in tags)


def _chip(tag: str, votes: int, beam: int, *, with_votes: bool = False) -> str:
    depth = round(6 + 54 * min(1.0, votes / beam))  # the text stays readable on the deepest
    number = f" <small>{votes}</small>" if with_votes else ""
    return (
        f'<span class="l2a-chip" title="{votes} / {beam}" '
        f'style="background:color-mix(in srgb, var(--l2a-accent) {depth}%, transparent)">'
        f"{html.escape(tag)}{number}</span>"
    )
