"""What came of a training: the gate's findings (app.learning.gate, stored as JSON), ready to show."""

from dataclasses import dataclass
from typing import Any

from app.learning import gate


def measures(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(name of the measure, live, candidate): the name is the end of a text's key, the values are ready to show."""
    live, candidate = found["live"], found["candidate"]
    readers = {
        "precision": lambda side: _percent(side["precision"]),
        "recall": lambda side: _percent(side["recall"]),
        "f1": lambda side: _percent(side["f1"]),
        "accepted": lambda side: _part(side["accepted_suggested"], side["accepted"]),
        "avoided": lambda side: _part(side["rejected_avoided"], side["rejected"]),
        "new": lambda side: _part(side["new_tags"]["correct"], side["new_tags"]["predicted"]),
        "seconds": lambda side: _seconds(side["seconds_per_question"]),
    }
    return [(name, read(live), read(candidate)) for name, read in readers.items()]


@dataclass(frozen=True)
class Part:
    """Both on the questions that were served in one way."""

    name: str  # one of app.learning.gate.PARTS
    questions: int
    verdict: str
    live: str
    candidate: str
    difference: str  # with its interval; a dash where there is no question


def parts(found: dict[str, Any]) -> list[Part]:
    """None of what an older version found."""
    return [_as_part(name, found["parts"][name]) for name in gate.PARTS if name in found.get("parts", {})]


def _as_part(name: str, part: dict[str, Any]) -> Part:
    if not part["questions"]:
        return Part(name, 0, part["verdict"], "–", "–", "–")
    low, high = part["interval"]
    difference = f"{100 * part['difference']:+.1f} ({100 * low:+.1f} … {100 * high:+.1f})"
    live, candidate = _percent(part["live"]), _percent(part["candidate"])
    return Part(name, part["questions"], part["verdict"], live, candidate, difference)


def changed_tags(found: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Tags that the candidate suggests worse, the worst first, and better, the best first."""
    tags = found["tags"]
    worse = [tag for tag in tags if tag["change"] < 0]
    better = [tag for tag in tags if tag["change"] > 0]
    return worse, better[::-1]


def is_sure(found: dict[str, Any]) -> bool:
    """Whether the gate itself speaks for the candidate: it may go live without a second question."""
    return found["verdict"] == gate.VERDICTS[0]


def _seconds(number: float | None) -> str:
    """None where all hypotheses had been found before."""
    return "–" if number is None else f"{number:.2f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"


def _part(some: int, whole: int) -> str:
    return f"{some:,} / {whole:,} ({_percent(some / whole)})" if whole else f"{some:,} / {whole:,}"
