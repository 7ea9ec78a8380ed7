"""One person's desk: the question on it, the decisions that leave it. No Streamlit here.

Whatever comes from the browser is checked again: a message must name the question that is on the desk, and a message
that comes twice (a held key, a lost connection) is answered with the receipt of the first.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING

from app.annotate.board_messages import Skip, Submit, Undo, nonce_of, read_act
from app.serving.suggester import Suggester
from app.shell.messages import message
from db.errors import Refused, SaidInLanguages, StoreError
from db.ledger import desk_work
from db.ledger import entries as ledger
from db.ledger.desk_work import Choices, Done, TakenBack
from db.ledger.entries import Receipt, Submission
from db.models.suggestion_rows import StoredSuggestion
from db.queue import claims as queue
from db.queue.claims import Claim
from db.spellings.names import LONGEST_TAG, tag_key
from db.store.engine import Store
from db.store.records import ProposedTag
from l2a.errors import InputError, L2AError

if TYPE_CHECKING:
    import numpy as np

SHOWN = 10  # tags on the board at most: as many as there are digits
AWAY_SECONDS = 20 * 60  # a page that nobody has touched for so long does not hold on to its question any more
FIRST_PAGE_SHARE = 0.05  # of the votes, where nobody said how many are worth showing; what gets less is noise

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
    trouble: SaidInLanguages | None = None
    choices: Choices | None = None  # of the decision that was just taken back, to go on from

    @property
    def shown(self) -> tuple[ProposedTag, ...]:
        """The suggested tags that are put before a person, best first: few where few are likely."""
        if self.suggestion is None:
            return ()
        tags, floor = self.suggestion.tags, FIRST_PAGE_SHARE * self.suggestion.beam
        if self.suggestion.shown is not None:
            worth = tags[: self.suggestion.shown]
        else:
            worth = tuple(tag for tag in tags if tag.kept or tag.votes > floor)
        return tuple(tag for tag in worth if len(tag.tag) <= LONGEST_TAG)[:SHOWN]


@dataclass(frozen=True)
class WordWeights:
    """A weight for each word of the question's own; what the model was told besides is left out."""

    words: Sequence[str]
    weights: "Sequence[float] | np.ndarray"


@dataclass(frozen=True)
class Outcome:
    """What became of a message: a receipt, a skip, or a complaint."""

    nonce: str
    receipt: Receipt | None = None
    skipped: Done | None = None
    undone: TakenBack | None = None
    error: Exception | None = None


@dataclass
class Desk:
    """What a session remembers about one person's work."""

    item: Item | None = None
    outcome: Outcome | None = None
    active_at: float = field(default_factory=monotonic)  # the last sign that somebody is there


def take(desk: Desk, store: Store, suggester: Suggester, person_id: int, choice: QueueChoice) -> None:
    """Put the next question on the desk, or the one this person holds already; None when nothing is left."""
    touch(desk)
    claim = store.run(
        lambda session: queue.claim(session, person_id, order=choice.order, source=choice.source, tag=choice.tag)
    )
    suggester.look_ahead(choice.order)
    desk.item = None if claim is None else _with_suggestion(claim, suggester)


def put_back(desk: Desk, store: Store, person_id: int) -> None:
    """Clear the desk for another queue: the question on it goes back to where it came from."""
    item, desk.item = desk.item, None
    if item is None:
        return
    try:
        store.run(lambda session: queue.release(session, item.claim.lease_id, person_id))
    except StoreError as error:  # it is in nobody's hands any more, or its lease runs out
        log.info("not put back: %s", error)


def keep(desk: Desk, store: Store, person_id: int) -> None:
    """Tell the queue that the question on the desk is still being worked on, if somebody is there to do it.

    A tab that was left open goes on asking for ever: its question goes back when its lease runs out.
    """
    item = desk.item
    if item is not None and monotonic() - desk.active_at < AWAY_SECONDS:
        store.run(lambda session: queue.heartbeat(session, item.claim.lease_id, person_id))


def touch(desk: Desk) -> None:
    """Somebody did something on the page."""
    desk.active_at = monotonic()


def where_it_looked(item: Item, name: str, suggester: Suggester) -> WordWeights | None:
    """Where the model that made the suggestion looked while it wrote this tag; None for a tag it did not show, or one
    that it cannot write: other evidence may speak for a tag of which the model knows no word.

    Raises L2AError where that model is gone: another one, live by now, would have looked elsewhere.
    """
    tag = next((tag for tag in item.shown if tag.tag == name), None)
    if tag is None or item.suggestion is None:
        return None
    hypothesis = [tag_key(other) for other in tag.hypothesis]
    place = hypothesis.index(tag_key(tag.tag)) if tag_key(tag.tag) in hypothesis else None
    written = [tag.tag] if place is None else list(tag.hypothesis)
    folder = suggester.folder_for(item.suggestion.model_version)
    try:
        explanation = suggester.explain(item.claim.title, item.claim.description, written, folder=folder)
    except InputError:
        if place is not None:
            raise
        return None
    own = len(explanation.source_words) - explanation.hints
    return WordWeights(explanation.source_words[:own], explanation.tag_attention(place or 0)[:own])


def act(
    desk: Desk,
    message: object,
    store: Store,
    suggester: Suggester,
    person_id: int,
    choice: QueueChoice,
    since: datetime,
) -> None:
    """Do what a message from the board asks, then have the next question ready. Complaints go to `desk.outcome`.

    since: when the person's day began; an undo goes back no further.
    """
    touch(desk)
    nonce = nonce_of(message)
    if nonce and desk.outcome is not None and desk.outcome.nonce == nonce and desk.outcome.error is None:
        return  # sent again after it was done
    try:
        asked = read_act(message)
        if isinstance(asked, Undo):
            outcome = _undo(asked, store, person_id, since)
        elif isinstance(asked, Skip):
            outcome = _skip(desk, asked, store, person_id)
        else:
            outcome = _submit(desk, asked, store, person_id)
    except (StoreError, L2AError) as error:
        outcome = Outcome(nonce, error=error)
    desk.outcome = outcome
    if outcome.error is None:
        if outcome.undone is None:
            _take_next(desk, store, suggester, person_id, choice)
        else:
            _take_back(desk, store, suggester, person_id, outcome.undone)


def complain(desk: Desk, error: Exception) -> None:
    """Answer a message that is no decision and made no sense: the board shows it, and the question stays."""
    desk.outcome = Outcome("", error=error)


def _submit(desk: Desk, asked: Submit, store: Store, person_id: int) -> Outcome:
    item = desk.item
    if item is None or item.claim.question_id != asked.item:
        # Not what is on the desk: sent twice, or before a reload. The key says whether it was stored then.
        item = None
    key = f"board-{asked.nonce}"
    submission = Submission(
        question_id=asked.item,
        person_id=person_id,
        verdicts=asked.verdicts,
        suggestion_id=item.suggestion.id if item is not None and item.suggestion is not None else None,
        lease_id=asked.lease,
        shown=[tag.tag for tag in item.shown] if item is not None and item.suggestion is not None else None,
        seconds=asked.seconds,
        comment=asked.comment,
        flag=asked.flag,
        idempotency_key=key,
    )
    if item is None:
        receipt = store.run(lambda session: ledger.find_by_key(session, key))
        if receipt is None:
            raise _not_on_desk()
    else:
        receipt = store.run(lambda session: ledger.submit(session, submission))
    return Outcome(asked.nonce, receipt=receipt)


def _skip(desk: Desk, asked: Skip, store: Store, person_id: int) -> Outcome:
    if desk.item is not None and desk.item.claim.question_id == asked.item:
        lease = desk.item.claim.lease_id
        store.run(lambda session: queue.skip(session, lease, person_id, asked.reason))
    with store.read() as session:
        skipped = desk_work.find_skip(session, person_id, asked.item)
    if skipped is None:  # neither now nor before the page was loaded again
        raise _not_on_desk()
    return Outcome(asked.nonce, skipped=skipped)


def _not_on_desk() -> Refused:
    return Refused(message("annotate.not_on_desk"))


def _undo(asked: Undo, store: Store, person_id: int, since: datetime) -> Outcome:
    def take_back(session) -> TakenBack:
        done = desk_work.latest(session, person_id, since)
        if done is None:
            raise Refused(message("annotate.nothing_left"))
        if done.receipt != asked.target:
            raise Refused(message("annotate.done_meanwhile"))
        return desk_work.take_back(session, done, person_id, idempotency_key=f"board-{asked.nonce}")

    return Outcome(asked.nonce, undone=store.run(take_back))


def _take_next(desk: Desk, store: Store, suggester: Suggester, person_id: int, choice: QueueChoice) -> None:
    """The next question; where the store is gone by now the desk stays empty, and the page says why when it looks."""
    desk.item = None
    try:
        take(desk, store, suggester, person_id, choice)
    except StoreError as error:
        log.warning("stored, but there is no next question: %s", error)


def _take_back(desk: Desk, store: Store, suggester: Suggester, person_id: int, undone: TakenBack) -> None:
    """Put the question of what was undone on the desk, choices included, and what was there back into the queue."""

    def swap(session) -> Claim:
        if desk.item is not None and desk.item.claim.question_id != undone.done.question_id:
            queue.release(session, desk.item.claim.lease_id, person_id)
        return queue.claim_question(session, person_id, undone.done.question_id)

    try:
        claim = store.run(swap)
    except StoreError as error:  # somebody else has it by now: the undo stands, the desk stays as it is
        log.info("undone, but not taken back: %s", error)
        return
    desk.item = replace(_with_suggestion(claim, suggester), choices=undone.choices)


def _with_suggestion(claim: Claim, suggester: Suggester) -> Item:
    if claim.blind:
        return Item(claim, None)
    try:
        return Item(claim, suggester.for_question(claim.question_id, claim.title, claim.description))
    except (L2AError, StoreError) as error:  # people can tag without a model, and are told
        return Item(claim, None, trouble=error.message)
    except Exception as error:  # whatever it is: the question can be tagged by hand
        log.exception("no suggestions for question %d", claim.question_id)
        return Item(claim, None, trouble=message("model.failed", kind=type(error).__name__))
