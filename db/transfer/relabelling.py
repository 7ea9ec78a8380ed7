"""Rows of a file whose question is here already, with other labels: an export that was edited elsewhere, for one.

A row says something new unless its tags are the question's labels of now (or, where nobody decided, the ones it came
with) or the opinion that the person who brings the file has already. Spellings of one tag are one tag.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.ledger import entries as ledger
from db.ledger.labels import settle_all
from db.ledger.notes import NO_NOTES, Notes
from db.ledger.replay import POSITIVE, Settled
from db.ledger.submission import Submission
from db.store.tables import Person, PriorLabel
from db.tags.names import tag_key
from db.tags.view import TagView

Tags = Sequence[str]


def other_labels(session: Session, rows: Mapping[int, Tags], person_id: int | None = None) -> dict[int, Tags]:
    """Question -> tags, of those rows that carry other labels than the store. `person_id`: whose opinion counts too."""
    ids = list(rows)
    view = TagView(session)
    settled = settle_all(session, ids, view=view)
    prior: dict[int, list[tuple[str, str]]] = {}
    for question, key, text in session.execute(
        select(PriorLabel.question_id, PriorLabel.key, PriorLabel.text).where(PriorLabel.question_id.in_(ids))
    ):
        prior.setdefault(question, []).append((key, text))
    spelled = {question: [(tag_key(tag), tag) for tag in tags] for question, tags in rows.items()}
    view.load(key for some in (*prior.values(), *spelled.values()) for key, _ in some)

    def meant(spellings) -> frozenset[str]:
        return frozenset(view.resolve(key, text)[0] for key, text in spellings)

    def known(question: int) -> list[frozenset[str]]:
        about = settled.get(question, Settled(state="none"))
        if about.state == "none":
            return [meant(prior.get(question, ()))]
        own = [line for line in about.opinions if line.person_id == person_id]
        opinions = [[(v.key, v.text) for v in line.verdicts if v.verdict in POSITIVE] for line in own]
        return [meant((tag_key(tag), tag) for tag in about.tags), *map(meant, opinions)]

    return {question: rows[question] for question in ids if meant(spelled[question]) not in known(question)}


def record(
    session: Session, rows: Mapping[int, Tags], person_id: int, notes: Mapping[int, Notes] | None = None
) -> list[int]:
    """Store each row's tags, flags and comments as this person's decision; gives back the receipts' numbers."""
    numbers = []
    name = session.get_one(Person, person_id).name if rows else ""
    for question, tags in rows.items():
        by_key = {tag_key(tag): tag for tag in reversed(tags)}  # of two spellings the first counts
        verdicts = {by_key[key]: "added" for key in dict.fromkeys(map(tag_key, tags))}
        flag, comment = (notes or {}).get(question, NO_NOTES).of_one(name)
        said = Submission(question, person_id, verdicts, flag=flag, comment=comment)
        numbers.append(ledger.submit(session, said).number)
    return numbers
