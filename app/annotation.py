"""One person's desk: the question on it, the decisions that leave it. No Streamlit here.

Whatever comes from the browser is checked again: a message must name the question that is on the desk, and a message
that comes twice (a held key, a lost connection) is answered with the receipt of the first.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.suggester import Suggester
from db import ledger, queue
from db.engine import Store
from db.errors import Refused, StoreError
from db.ledger import Receipt, Submission
from db.queue import Claim
from db.suggestions import StoredSuggestion
from l2a.errors import InputError, L2AError

SHOWN = 10  # tags on the board: as many as there are digits
FIRST_PAGE_SHARE = 0.05  # of the votes; what gets less is noise and is not put before people

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class QueueChoice:
    """Which questions somebody wants."""

    order: str = "oldest"
    source: str | None = None
    tag: str | None = None


@dataclass(frozen=True)
class Item:
    """A question on the desk. `trouble` says why there are no suggestions, if the model failed."""

    claim: Claim
    suggestion: StoredSuggestion | None
    trouble: str = ""

    @property
    def shown(self) -> tuple:
        """The suggested tags that are put before a person, best first."""
        if self.suggestion is None:
            return ()
        floor = FIRST_PAGE_SHARE * self.suggestion.beam
        return tuple(tag for tag in self.suggestion.tags if tag.kept or tag.votes > floor)[:SHOWN]


@dataclass(frozen=True)
class Look:
    """A weight for each word of the question."""

    words: Sequence[str]
    weights: Sequence[float]


@dataclass(frozen=True)
class Outcome:
    """What became of a message: a receipt, a skip, or a complaint."""

    nonce: str
    receipt: Receipt | None = None
    skipped: bool = False
    undone: int | None = None  # the number of the entry that was taken back
    error: Exception | None = None


@dataclass
class Desk:
    """What a session remembers about one person's work."""

    item: Item | None = None
    outcome: Outcome | None = None
    last: list[int] = field(default_factory=list)  # receipts of this session that can be undone, newest last


def take(desk: Desk, store: Store, suggester: Suggester, person_id: int, choice: QueueChoice) -> None:
    """Put the next question on the desk, or the one this person holds already; None when nothing is left."""
    claim = store.run(
        lambda session: queue.claim(session, person_id, order=choice.order, source=choice.source, tag=choice.tag)
    )
    suggester.look_ahead(choice.order)
    desk.item = None if claim is None else _with_suggestion(claim, suggester)


def keep(desk: Desk, store: Store, person_id: int) -> None:
    """Tell the queue that the question on the desk is still being worked on."""
    if desk.item is not None:
        store.run(lambda session: queue.heartbeat(session, desk.item.claim.lease_id, person_id))


def look(item: Item, name: str, suggester: Suggester) -> Look | None:
    """Where the model that made the suggestion looked while it wrote this tag; None for a tag it did not show, or one
    that it cannot write: the tag list may vote for what stands further down in the text than the model reads.

    Raises L2AError where that model is gone: another one, live by now, would have looked elsewhere.
    """
    tag = next((tag for tag in item.shown if tag.tag == name), None)
    if tag is None:
        return None
    written = list(tag.hypothesis) or [tag.tag]
    folder = suggester.folder_for(item.suggestion.model_version)
    try:
        explanation = suggester.explain(item.claim.title, item.claim.description, written, folder=folder)
    except InputError:
        if tag.hypothesis:
            raise
        return None
    return Look(explanation.source_words, explanation.tag_attention(written.index(tag.tag)))


def act(desk: Desk, message: Mapping, store: Store, suggester: Suggester, person_id: int, choice: QueueChoice) -> None:
    """Do what a message from the board asks, then have the next question ready. Complaints go to `desk.outcome`."""
    nonce = str(message.get("nonce", ""))
    if desk.outcome is not None and desk.outcome.nonce == nonce and desk.outcome.error is None:
        return  # sent again after it was done
    try:
        outcome = _DOING[str(message.get("type"))](desk, message, store, person_id)
    except KeyError:
        outcome = Outcome(nonce, error=Refused("The page sent something this version does not know. Reload it."))
    except (StoreError, L2AError) as error:
        outcome = Outcome(nonce, error=error)
    desk.outcome = outcome
    if outcome.error is None:
        if outcome.undone is None:
            _take_next(desk, store, suggester, person_id, choice)
        else:
            _take_back(desk, store, suggester, person_id, outcome.undone)


def _submit(desk: Desk, message: Mapping, store: Store, person_id: int) -> Outcome:
    question_id, item = message.get("item"), desk.item
    if item is None or item.claim.question_id != question_id:
        # Not what is on the desk: sent twice, or before a reload. The key says whether it was stored then.
        item = None
    submission = Submission(
        question_id=int(question_id),
        person_id=person_id,
        verdicts={str(tag): str(verdict) for tag, verdict in dict(message.get("verdicts") or {}).items()},
        suggestion_id=item.suggestion.id if item is not None and item.suggestion is not None else None,
        lease_id=message.get("lease"),
        shown=[tag.tag for tag in item.shown] if item is not None and item.suggestion is not None else None,
        seconds=float(message.get("seconds") or 0.0),
        comment=str(message.get("comment") or ""),
        flag=message.get("flag") or None,
        idempotency_key=f"board-{message.get('nonce')}",
    )
    if item is None:
        receipt = store.run(lambda session: ledger.find_by_key(session, submission.idempotency_key))
        if receipt is None:
            raise Refused("This question is not on your desk any more. Nothing was stored; the next one is here.")
    else:
        receipt = store.run(lambda session: ledger.submit(session, submission))
    if receipt.number not in desk.last:
        desk.last.append(receipt.number)
    return Outcome(str(message["nonce"]), receipt=receipt)


def _skip(desk: Desk, message: Mapping, store: Store, person_id: int) -> Outcome:
    if desk.item is not None and desk.item.claim.question_id == message.get("item"):
        lease = desk.item.claim.lease_id
        store.run(lambda session: queue.skip(session, lease, person_id, str(message.get("reason") or "")))
    return Outcome(str(message["nonce"]), skipped=True)


def _undo(desk: Desk, message: Mapping, store: Store, person_id: int) -> Outcome:
    if not desk.last:
        raise Refused("There is nothing of this session to take back. The history page takes back older decisions.")
    number = desk.last[-1]
    receipt = store.run(
        lambda session: ledger.undo(session, number, person_id, idempotency_key=f"board-{message.get('nonce')}")
    )
    desk.last.pop()
    return Outcome(str(message["nonce"]), receipt=receipt, undone=number)


def _take_next(desk: Desk, store: Store, suggester: Suggester, person_id: int, choice: QueueChoice) -> None:
    """The next question; where the store is gone by now the desk stays empty, and the page says why when it looks."""
    desk.item = None
    try:
        take(desk, store, suggester, person_id, choice)
    except StoreError as error:
        log.warning("stored, but there is no next question: %s", error)


_DOING = {"submit": _submit, "skip": _skip, "undo": _undo}


def _take_back(desk: Desk, store: Store, suggester: Suggester, person_id: int, number: int) -> None:
    """Put the question of an undone entry on the desk, and what was there back into the queue."""

    def swap(session) -> Claim:
        if desk.item is not None:
            queue.release(session, desk.item.claim.lease_id, person_id)
        question = ledger.find_entry(session, number).question_id
        return queue.claim_question(session, person_id, question)

    try:
        claim = store.run(swap)
    except StoreError as error:  # somebody else has it by now: the undo stands, the desk stays as it is
        log.info("undone, but not taken back: %s", error)
        return
    desk.item = _with_suggestion(claim, suggester)


def _with_suggestion(claim: Claim, suggester: Suggester) -> Item:
    if claim.blind:
        return Item(claim, None)
    try:
        return Item(claim, suggester.for_question(claim.question_id, claim.title, claim.description))
    except L2AError as error:  # people can tag without a model, and are told
        return Item(claim, None, trouble=str(error))
