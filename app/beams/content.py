"""What the beams page shows, without drawing it: votes at every threshold, other beams, the list as HTML and JSONL."""

import html
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from db.transfer.formats.escape import json_text
from l2a.search.voting import MAX_SHOWN, is_kept
from l2a.text.cleaning import match_key

if TYPE_CHECKING:
    from l2a.tagger import Constraints, Hypothesis, Suggestion, Suggestions

BEAMS = (1, 2, 4, 8, 16, 32, 48)
LARGEST_BEAM = 48


@dataclass(frozen=True)
class ThresholdStep:
    """From `votes` votes on (and under those of the next step) the threshold leaves these tags."""

    votes: int  # a tag needs more than these
    threshold: float  # as a share of the beam
    tags: tuple[str, ...]


@dataclass(frozen=True)
class BeamRow:
    """What one beam size gives."""

    beam: int
    kept: tuple[str, ...]
    voted: int  # tags with at least one vote
    best: float | None  # log-probability of the best hypothesis
    seconds: float


def tags_over(suggestions: Sequence["Suggestion"], beam: int, threshold: float) -> tuple[str, ...]:
    """All tags with more votes than the threshold, best first; the first MAX_SHOWN of them are kept."""
    return tuple(tag.tag for tag in suggestions if is_kept(tag.votes, beam, threshold))


def threshold_steps(suggestions: Sequence["Suggestion"], beam: int) -> list[ThresholdStep]:
    """Every threshold at which the result changes, lowest first."""
    counts = sorted({0, *(tag.votes for tag in suggestions)})
    return [ThresholdStep(votes, votes / beam, tags_over(suggestions, beam, votes / beam)) for votes in counts]


def make_constraints(ban: Sequence[str], first_tag: str | None, known_tags: tuple[str, ...] | None):
    """A person's wishes for one search; None without any."""
    if not ban and not first_tag and known_tags is None:
        return None
    from l2a.tagger import Constraints  # here and not above: it brings torch in

    return Constraints(ban=tuple(ban), first_tag=first_tag or None, known_tags=known_tags)


def try_beams(decode: Callable[[int], "Suggestions"], threshold: float) -> Iterator[BeamRow]:
    """The result at each size of BEAMS, one after the other."""
    for beam in BEAMS:
        begin = time.perf_counter()
        result = decode(beam)
        yield BeamRow(
            beam=beam,
            kept=tags_over(result.suggestions, beam, threshold)[:MAX_SHOWN],
            voted=len(result.suggestions),
            best=result.hypotheses[0].log_probability if result.hypotheses else None,
            seconds=time.perf_counter() - begin,
        )


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


def other_votes(tags: Sequence[str], suggestions: Sequence["Suggestion"]) -> list[tuple[str, int]]:
    """Which of the tags have votes that are not of hypotheses, and how many; fewer than none for a made-up tag."""
    others = {match_key(tag.tag): tag.votes - tag.written for tag in suggestions}
    return [(tag, others[match_key(tag)]) for tag in tags if others.get(match_key(tag))]


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
        "other_votes": dict(other_votes(kept, result.suggestions)),
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
