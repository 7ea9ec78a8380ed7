"""What the ledger's lines about one question add up to. Pure: lines in, labels out; no database.

The rules, in one place:

* an undo takes its target out of force; an undo of an undo puts it back;
* a person's opinion is their latest decision in force;
* an opinion stands as an answer or a second one, as its decision says, or the undo that brought it back: what comes
  back when the question has all its answers by now is a second opinion;
* opinions given as answers count for the labels; second opinions count only where there is no answer;
* the labels are the tags that more than half of the counting opinions hold; a review in force settles them instead;
* a question is in conflict when the opinions (second ones too) do not hold the same tags and no review is in force.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from db.ledger.similarity import mean_pairwise_similarity

POSITIVE = ("accepted", "added")


@dataclass(frozen=True)
class VerdictLine:
    key: str
    text: str
    verdict: str


@dataclass(frozen=True)
class LedgerLine:
    """An entry about a question: a decision, a review or an undo. `verdicts` are in the order they were given."""

    number: int
    at: datetime
    kind: str
    person_id: int | None
    target: int | None = None
    standing: str | None = None
    pick: str | None = None
    model_version: str | None = None
    verdicts: tuple[VerdictLine, ...] = ()
    flag: str | None = None
    suggestion_id: int | None = None  # the suggestion that a decision answers


# Which tag a spelling means: (key, text) -> (key of the tag's name, its name).
Resolve = Callable[[str, str], tuple[str, str]]


@dataclass(frozen=True)
class Settled:
    """A question as the ledger has it."""

    state: str  # none, single, agreed, conflict or reviewed
    tags: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    opinions: tuple[LedgerLine, ...] = ()  # one a person, all of them, oldest first
    counting: tuple[LedgerLine, ...] = ()  # those behind the labels: the answers, or the review
    agreement: float | None = None


def as_written(key: str, text: str) -> tuple[str, str]:
    return key, text


def undos_in_force(undos: Iterable[tuple[int, int | None]]) -> dict[int, int]:
    """Entry -> the undo in force that takes it back, from the (number, target) of all undos about some questions.

    The rule of undo, for all who need it: an undo can only be undone by a later one, so the latest are looked at first.
    """
    taken_back: dict[int, int] = {}
    for number, target in sorted(undos, reverse=True):
        if target is not None and number not in taken_back:
            taken_back[target] = number
    return taken_back


def undone_by(lines: Iterable[LedgerLine]) -> dict[int, int]:
    """Entry -> the undo in force that takes it back."""
    return undos_in_force((line.number, line.target) for line in lines if line.kind == "undo")


def in_force(lines: Iterable[LedgerLine]) -> list[LedgerLine]:
    """Decisions and reviews that no undo in force takes back, oldest first."""
    ordered = sorted(lines, key=lambda line: line.number)
    undone = undone_by(ordered)
    return [line for line in ordered if line.kind != "undo" and line.number not in undone]


def current_opinions(lines: Iterable[LedgerLine]) -> list[LedgerLine]:
    """Each person's latest decision in force with the standing it has by now, oldest first."""
    lines = list(lines)
    latest = {line.person_id: line for line in in_force(lines) if line.kind == "decision"}
    for person_id, standing in _brought_back(lines).items():
        if person_id in latest:
            latest[person_id] = replace(latest[person_id], standing=standing)
    return sorted(latest.values(), key=lambda line: line.number)


def settle(lines: Sequence[LedgerLine], resolve: Resolve = as_written) -> Settled:
    """What the lines about one question add up to."""
    opinions = current_opinions(lines)
    reviews = [line for line in in_force(lines) if line.kind == "review"]
    sets = [frozenset(_resolved(line, POSITIVE, resolve)) for line in opinions]
    agreement = mean_pairwise_similarity(sets)
    if reviews:
        state, counting = "reviewed", reviews[-1:]
    elif not opinions:
        return Settled(state="none")
    else:
        counting = [line for line in opinions if line.standing == "answer"] or opinions
        state = "single" if len(opinions) == 1 else "agreed" if len(set(sets)) == 1 else "conflict"
    holders: dict[str, int] = {}
    names: dict[str, str] = {}
    for line in counting:
        for key, name in _resolved(line, POSITIVE, resolve).items():
            holders[key] = holders.get(key, 0) + 1
            names[key] = name
    chosen = [key for key, count in holders.items() if 2 * count > len(counting)]
    rejected = _merged(counting, ("rejected",), resolve, leave_out=set(chosen))
    unjudged = _merged(counting, ("unjudged",), resolve, leave_out={*chosen, *rejected})
    return Settled(
        state=state,
        tags=tuple(names[key] for key in chosen),
        rejected=tuple(rejected.values()),
        unjudged=tuple(unjudged.values()),
        opinions=tuple(opinions),
        counting=tuple(counting),
        agreement=agreement,
    )


def _brought_back(lines: Sequence[LedgerLine]) -> dict[int | None, str]:
    """Person -> the standing that an undo gave their opinion, if they decided nothing since."""
    standings: dict[int | None, str] = {}
    whose: dict[int | None, int | None] = {}  # entry -> the person whose opinion it makes or changes
    for line in sorted(lines, key=lambda line: line.number):
        if line.kind == "decision":
            whose[line.number] = line.person_id
            standings.pop(line.person_id, None)
        elif line.kind == "undo" and line.target in whose:
            whose[line.number] = person_id = whose[line.target]
            standings.pop(person_id, None)
            if line.standing is not None:
                standings[person_id] = line.standing
    return standings


def _resolved(line: LedgerLine, verdicts: tuple[str, ...], resolve: Resolve) -> dict[str, str]:
    """Key -> name of the tags a line gives one of these verdicts, in its order."""
    return dict(resolve(verdict.key, verdict.text) for verdict in line.verdicts if verdict.verdict in verdicts)


def _merged(lines, verdicts, resolve: Resolve, leave_out: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        found.update({k: name for k, name in _resolved(line, verdicts, resolve).items() if k not in leave_out})
    return found
