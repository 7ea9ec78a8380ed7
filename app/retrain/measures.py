"""What came of a training: the gate's findings (app.learning.gate, stored as JSON), ready to show."""

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
        "seconds": lambda side: f"{side['seconds_per_question']:.2f}",
    }
    return [(name, read(live), read(candidate)) for name, read in readers.items()]


def changed_tags(found: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Tags that the candidate suggests worse, the worst first, and better, the best first."""
    tags = found["tags"]
    worse = [tag for tag in tags if tag["change"] < 0]
    better = [tag for tag in tags if tag["change"] > 0]
    return worse, better[::-1]


def is_sure(found: dict[str, Any]) -> bool:
    """Whether the gate itself speaks for the candidate: it may go live without a second question."""
    return found["verdict"] == gate.VERDICTS[0]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"


def _part(some: int, whole: int) -> str:
    return f"{some:,} / {whole:,} ({_percent(some / whole)})" if whole else f"{some:,} / {whole:,}"
