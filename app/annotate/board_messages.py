"""What the board sends, taken apart and checked: whoever sits at a browser can send anything.

A message that makes no sense raises Refused, which the page answers on the board.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.shell.messages import message
from db.errors import Refused
from db.ledger.submission import JUDGED
from db.store.free_text import fit
from db.store.input_checks import check_number, check_seconds, check_tags, short

LONGEST_QUERY = 100  # characters of a tag search
_NONCE = re.compile(r"[0-9A-Za-z-]{1,64}")
_RECEIPT = re.compile(r"S?[0-9]{1,19}")


@dataclass(frozen=True)
class Submit:
    """A decision about a question."""

    nonce: str
    item: int
    verdicts: Mapping[str, str]
    lease: int | None
    seconds: float | None
    comment: str
    flag: str | None


@dataclass(frozen=True)
class Skip:
    nonce: str
    item: int
    reason: str


@dataclass(frozen=True)
class Undo:
    """Take back what goes by this receipt, as the board showed it: pressed twice, it does not take back two."""

    nonce: str
    target: str


@dataclass(frozen=True)
class Query:
    """Search for a tag; `sequence` tells the browser which of its questions was answered."""

    text: str
    sequence: int


@dataclass(frozen=True)
class EvidenceWish:
    """Somebody wants to see what led to a tag."""

    item: int
    tag: str


def nonce_of(message: object) -> str:
    """The number that a message goes by; empty where it has none that could be sent back."""
    nonce = message.get("nonce") if isinstance(message, Mapping) else None
    return nonce if isinstance(nonce, str) and _NONCE.fullmatch(nonce) else ""


def read_act(message: object) -> Submit | Skip | Undo:
    """A decision, a skip or an undo."""
    fields = _fields(message)
    nonce, kind = nonce_of(fields), fields.get("type")
    if not nonce or not isinstance(kind, str):
        raise _unknown()
    if kind == "undo":
        target = fields.get("target")
        if not isinstance(target, str) or not _RECEIPT.fullmatch(target):
            raise _unknown()
        return Undo(nonce, target)
    if kind == "skip":
        return Skip(nonce, check_number(fields.get("item"), "question"), fit(fields.get("reason"), "reason"))
    if kind != "submit":
        raise _unknown()
    lease, flag = fields.get("lease"), fields.get("flag")
    return Submit(
        nonce=nonce,
        item=check_number(fields.get("item"), "question"),
        verdicts=_verdicts(fields.get("verdicts")),
        lease=None if lease is None else check_number(lease, "lease"),
        seconds=check_seconds(fields.get("seconds")),
        comment=fit(fields.get("comment", ""), "comment"),
        flag=None if flag is None else fit(flag, "flag") or None,
    )


def read_query(message: object) -> Query:
    fields = _fields(message)
    text, sequence = fields.get("text"), fields.get("sequence")
    if not isinstance(text, str):
        raise _unknown()
    return Query(text[:LONGEST_QUERY], check_number(sequence, "search"))


def read_evidence_wish(message: object) -> EvidenceWish:
    fields = _fields(message)
    check_tags([fields.get("tag")])
    return EvidenceWish(check_number(fields.get("item"), "question"), fields["tag"])


def _unknown() -> Refused:
    return Refused(message("annotate.unknown_message"))


def _fields(message: object) -> Mapping:
    if not isinstance(message, Mapping):
        raise _unknown()
    return message


def _verdicts(pairs: object) -> dict[str, str]:
    """Tag -> verdict. Sent as pairs: an object of JavaScript has names of its own, and a tag may be one of them."""
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise _unknown()
    check_tags([tag for tag, _ in pairs])
    verdicts: dict[str, str] = {}
    for tag, verdict in pairs:
        if verdict not in JUDGED:
            raise Refused(
                message("annotate.not_a_verdict", verdict=short(verdict), tag=short(tag), verdicts=", ".join(JUDGED))
            )
        if tag in verdicts:
            raise Refused(message("annotate.tag_twice", tag=tag[:40]))
        verdicts[tag] = verdict
    return verdicts
