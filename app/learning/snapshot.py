"""The training set: what the ledger said at one moment, split for good into training and held-out decisions.

Held out is a fixed half of the questions that were set aside when they were imported, to be served at random or
without suggestions: they say how good a model is without favour. Whether a question belongs to that half depends on
its text alone, so none of them is ever trained on, now or later. A training question that is nearly the same as a
held-out one is left out too.

The same moment gives the same rows again, and the same hash; only a redaction reaches back.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy.orm import Session

from app.learning.near_duplicates import near_duplicates
from app.shell.messages import message
from db.errors import Refused
from db.models.decided import DecidedQuestion, Material, count_material, decided_questions, last_entry
from db.transfer.files import atomic_file

HELD_OUT_SHARE = 0.5  # of the random and blind questions; changing it would test models on what they were trained on
# Last digits of hashes. The first ones decide which pool a question is in (db.queue.shares): by them all of a random
# share of up to a half would be held out.
HELD_OUT_DIGITS = tuple(digit for digit in "0123456789abcdef" if int(digit, 16) / 16 < HELD_OUT_SHARE)
SET_ASIDE = ("random", "blind")
TRAIN, HELD_OUT, ABOUT = "train.jsonl", "held_out.jsonl", "snapshot.json"


@dataclass(frozen=True)
class About:
    """What a snapshot says of itself; kept with the run and in the store."""

    hash: str
    as_of: str | None  # the moment, ISO 8601
    last_entry: int
    train: int
    rejected: int  # rejected tags in the training rows
    held_out: int
    near_duplicates: int  # left out: too much like a held-out question
    reserved: int  # of the held-out half, but asked for by somebody: neither trained on nor tested


@dataclass(frozen=True)
class Snapshot:
    about: About
    train: tuple[DecidedQuestion, ...]
    held_out: tuple[DecidedQuestion, ...]


def is_reserved(question: DecidedQuestion) -> bool:
    """Whether it belongs to the half that is never trained on."""
    return question.pool in SET_ASIDE and question.text_hash.endswith(HELD_OUT_DIGITS)


def is_held_out(question: DecidedQuestion) -> bool:
    """Whether it says how good a model is: never trained on, and nobody asked for it."""
    return is_reserved(question) and all(pick in SET_ASIDE for pick in question.picks)


def count(session: Session) -> Material:
    """How much there is for a snapshot now, without reading any text: near duplicates are still among it."""
    return count_material(session, SET_ASIDE, HELD_OUT_DIGITS)


def take(session: Session, as_of: datetime | None = None) -> Snapshot:
    """The decisions up to a moment (None: now)."""
    newest = last_entry(session)
    as_of = as_of or (newest[1] if newest else None)
    train, held_out, reserved = [], [], 0
    for question in decided_questions(session, as_of):
        if not is_reserved(question):
            train.append(question)
        elif is_held_out(question):
            held_out.append(question)
        else:
            reserved += 1
    alike = near_duplicates([_text(q) for q in train], [_text(q) for q in held_out])
    train = [question for place, question in enumerate(train) if place not in alike]
    about = About(
        hash=_hash(train, held_out),
        as_of=as_of.isoformat() if as_of else None,
        last_entry=newest[0] if newest else 0,
        train=len(train),
        rejected=sum(len(question.rejected) for question in train),
        held_out=len(held_out),
        near_duplicates=len(alike),
        reserved=reserved,
    )
    return Snapshot(about, tuple(train), tuple(held_out))


def rebuild(session: Session, about: About) -> Snapshot:
    """The same snapshot again; raises Refused where the store no longer gives the same rows."""
    found = take(session, datetime.fromisoformat(about.as_of) if about.as_of else None)
    if found.about.hash != about.hash:
        raise Refused(message("training.other_snapshot", as_of=about.as_of, hash=about.hash[:12]))
    return found


def write(snapshot: Snapshot, folder: Path) -> None:
    """Write the training and held-out rows and what they are; ABOUT comes last, so a whole folder has it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in ((TRAIN, snapshot.train), (HELD_OUT, snapshot.held_out)):
        with atomic_file(folder / name) as stream:
            for row in rows:
                stream.write(_line(row))
    with atomic_file(folder / ABOUT) as stream:
        stream.write(json.dumps(asdict(snapshot.about), indent=1).encode() + b"\n")


def read_about(folder: Path) -> About | None:
    """What the snapshot in a folder is; None where there is none, or not all of it."""
    path = folder / ABOUT
    return About(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def is_whole(folder: Path) -> bool:
    """Whether the snapshot in a folder still has all its rows: a redaction takes some away."""
    about = read_about(folder)
    if about is None:
        return False
    rows = []
    for name in (TRAIN, HELD_OUT):
        with open(folder / name, "rb") as stream:
            rows.append(sum(1 for _ in stream))
    return rows == [about.train, about.held_out]


def forget(folder: Path, questions: set[int]) -> int:
    """Take these questions out of the snapshot in a folder; returns how many rows went. Raises OSError."""
    gone = 0
    for path in (folder / TRAIN, folder / HELD_OUT):
        if path.is_file():
            gone += _without(path, questions)
    return gone


def _without(path: Path, questions: set[int]) -> int:
    def stays(line: bytes) -> bool:
        return int(json.loads(line)["id"]) not in questions

    with open(path, "rb") as stream:
        gone = sum(not stays(line) for line in stream)
    if gone:
        with open(path, "rb") as stream, atomic_file(path) as kept:
            for line in filter(stays, stream):
                kept.write(line)
    return gone


def _text(question: DecidedQuestion) -> str:
    return f"{question.title} {question.description}"


def _line(question: DecidedQuestion) -> bytes:
    """A row that l2a.data.questions reads."""
    row = {
        "id": str(question.question_id),
        "title": question.title,
        "description": question.description,
        "tags": list(question.tags),
        "rejected": list(question.rejected),
        "source": question.source,
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n"


def _hash(train: list[DecidedQuestion], held_out: list[DecidedQuestion]) -> str:
    digest = hashlib.sha256()
    for rows in (train, held_out):
        for row in rows:
            digest.update(_line(row))
        digest.update(b"\n")
    return digest.hexdigest()
