"""The ledger: every decision as a numbered line that is never changed. A change of mind is a new line.

Each function here is one transaction's work: the caller opens it (`Store.write` or `Store.run`) and has a receipt when
it has committed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from db import people
from db.errors import NotFound, Refused
from db.ledger import redaction
from db.ledger.labels import read_lines
from db.ledger.replay import POSITIVE, LedgerLine, current_opinions, in_force, undone_by
from db.ledger.submission import Submission, answered_suggestion, check, cleaned, digest, digest_of, judge
from db.ledger.tally import lock_item, recount
from db.messages import Message
from db.store import locks
from db.store.clock import read_clock
from db.store.free_text import REDACTED, fit, storable
from db.store.input_checks import check_key, check_number, check_tags
from db.store.moments import next_moment
from db.store.tables import Comment, Entry, Lease, QueueItem, Verdict
from db.tags.names import tag_key
from db.tags.planning import ensure_tags
from db.tags.view import TagView


@dataclass(frozen=True)
class Receipt:
    """Proof that something was stored: the number finds it again."""

    number: int
    at: datetime
    kind: str
    question_id: int | None
    standing: str | None = None  # answer or second_opinion
    replaces: int | None = None
    repeated: bool = False  # the request had been stored before; nothing new was
    warnings: tuple[Message, ...] = field(default=())


def submit(session: Session, submission: Submission) -> Receipt:
    """Store a decision. It is never lost: late, or after others have answered, it becomes a second opinion.

    Raises NotFound or Refused for a decision that makes no sense; nothing is stored then.
    """
    check(submission)
    people.require(session, submission.person_id)
    locks.keep_tags(session)
    item = lock_item(session, submission.question_id)
    request = digest_of(submission)
    if (before := _repeated(session, submission.idempotency_key, request)) is not None:
        return before
    lease = _lease(session, submission)
    pick = lease.pick if lease is not None else "direct"
    suggestion, version = answered_suggestion(session, submission, pick)
    verdicts = judge(session, submission, suggestion)
    lines = read_lines(session, [submission.question_id]).get(submission.question_id, [])
    mine = _opinion_of(submission.person_id, lines)
    standing = mine.standing if mine is not None else _next_standing(item, lines)
    if lease is None and mine is None:
        lease = _lease_of_record(session, submission)
    _end_leases(session, submission, lease)
    entry = Entry(
        at=next_moment(session, (line.at for line in lines)),
        kind="decision",
        person_id=submission.person_id,
        question_id=submission.question_id,
        suggestion_id=submission.suggestion_id,
        lease_id=lease.id if lease is not None else None,
        target=mine.number if mine is not None else None,
        standing=standing,
        pick=pick,
        model_version=version,
        seconds=submission.seconds,
        flag=fit(submission.flag, "flag") if submission.flag else None,
        idempotency_key=submission.idempotency_key,
        digest=request,
    )
    _write(session, item, entry, verdicts, submission.comment)
    warnings = ensure_tags(
        session, {text for text, verdict in verdicts.items() if verdict in POSITIVE}, submission.person_id
    )
    recount(session, item)
    return _receipt(entry, warnings=warnings)


def review(
    session: Session,
    question_id: int,
    person_id: int,
    tags: Sequence[str],
    *,
    comment: str = "",
    idempotency_key: str | None = None,
) -> Receipt:
    """Settle what a question's labels are, whatever the opinions said. It needs no more answers then."""
    check_number(question_id, "question")
    check_tags(tags)
    check_key(idempotency_key)
    fit(comment, "comment")
    people.require(session, person_id, "review")
    locks.keep_tags(session)
    item = lock_item(session, question_id)
    request = digest(["review", question_id, person_id, sorted(tags), comment])
    if (before := _repeated(session, idempotency_key, request)) is not None:
        return before
    chosen = cleaned(tags)
    lines = read_lines(session, [question_id]).get(question_id, [])
    verdicts = _settled(session, chosen, current_opinions(lines))
    standing = [line for line in in_force(lines) if line.kind == "review"]
    entry = Entry(
        at=next_moment(session, (line.at for line in lines)),
        kind="review",
        person_id=person_id,
        question_id=question_id,
        target=standing[-1].number if standing else None,
        idempotency_key=idempotency_key,
        digest=request,
    )
    _write(session, item, entry, verdicts, comment)
    warnings = ensure_tags(session, set(chosen.values()), person_id)
    recount(session, item)
    return _receipt(entry, warnings=warnings)


def undo(session: Session, number: int, person_id: int, *, idempotency_key: str | None = None) -> Receipt:
    """Take an entry about a question back, by a new entry; works the next day too. An undo can be undone.

    A decision that comes back when the question has all its answers by now is a second opinion.
    """
    check_key(idempotency_key)
    person = people.require(session, person_id)
    target = find_entry(session, number)
    if target.kind not in ("decision", "review", "undo"):
        raise Refused("entry.own_way_back", number=number, kind=Message(f"entry.{target.kind}"))
    if target.person_id != person_id:
        people.require(session, person.id, "undo for others")
    locks.keep_tags(session)
    question_id = question_of(target)
    item = lock_item(session, question_id)
    request = digest(["undo", number, person_id])
    if (before := _repeated(session, idempotency_key, request)) is not None:
        return before
    lines = read_lines(session, [question_id])[question_id]
    if (undo_in_force := undone_by(lines).get(number)) is not None:
        raise Refused("entry.taken_back", number=number, undo=undo_in_force)
    entry = Entry(
        at=next_moment(session, (line.at for line in lines)),
        kind="undo",
        person_id=person_id,
        question_id=question_id,
        target=number,
        standing=_standing_after_undo(item, lines, number),
        idempotency_key=idempotency_key,
        digest=request,
    )
    session.add(entry)
    session.flush()
    _match_leases(session, question_id)
    recount(session, item)
    return _receipt(entry)


def redact(session: Session, question_id: int, person_id: int, *, reason: str) -> Receipt:
    """Remove a question's words for good, wherever the store has them (db.ledger.redaction).

    Decisions, receipts and numbers stay as they are.
    """
    people.require(session, person_id, "redact")
    locks.keep_tags(session)
    question = redaction.lock_question(session, question_id, to_redact=True)
    item = lock_item(session, question_id)
    if question is None:
        raise NotFound("question.not_found", question=question_id)
    if question.redacted_at is not None:
        raise Refused("question.redacted_already", question=question_id)
    entry = Entry(
        at=next_moment(session),
        kind="redact",
        person_id=person_id,
        question_id=question_id,
        payload={"reason": storable(reason)},
    )
    session.add(entry)
    session.flush()
    redaction.remove_words(session, question, entry.at)
    item.overlap = 0  # never served again, not even to those who have it now
    for lease in session.scalars(select(Lease).where(Lease.question_id == question_id, Lease.state == "held")):
        lease.state, lease.ended_at = "released", entry.at
    recount(session, item)
    return _receipt(entry)


def find_receipt(session: Session, number: int) -> Receipt:
    """The receipt with this number; raises NotFound."""
    return _receipt(find_entry(session, number))


def find_by_key(session: Session, idempotency_key: str) -> Receipt | None:
    """The receipt of what was stored under this key, if anything was."""
    entry = session.scalar(select(Entry).where(Entry.idempotency_key == idempotency_key))
    return None if entry is None else _receipt(entry, repeated=True)


def find_entry(session: Session, number: int) -> Entry:
    entry = session.get(Entry, check_number(number, "entry"))
    if entry is None:
        raise NotFound("entry.not_found", number=number)
    return entry


def question_of(entry: Entry) -> int:
    """The question of a decision, a review, an undo or a redaction: each is about one."""
    assert entry.question_id is not None
    return entry.question_id


def _settled(session: Session, chosen: Mapping[str, str], opinions: Sequence[LedgerLine]) -> dict[str, str]:
    """Text -> verdict of a review: what an opinion held is accepted or rejected, what only the reviewer named added."""
    held = {v.key: v.text for opinion in opinions for v in opinion.verdicts if v.verdict in POSITIVE}
    view = TagView(session)
    view.load([*chosen, *held])
    meant = {view.resolve(key, text)[0] for key, text in held.items()}
    verdicts = {text: "accepted" if view.resolve(key, text)[0] in meant else "added" for key, text in chosen.items()}
    taken = {view.resolve(key, text)[0] for key, text in chosen.items()}
    rejected = {text: "rejected" for key, text in held.items() if view.resolve(key, text)[0] not in taken}
    return {**verdicts, **rejected}


def _write(session: Session, item: QueueItem, entry: Entry, verdicts: Mapping[str, str], comment: str) -> None:
    session.add(entry)
    session.flush()  # the entry's number, before its verdicts
    session.add_all(
        Verdict(entry_number=entry.number, key=tag_key(text), text=text, verdict=verdict, place=place)
        for place, (text, verdict) in enumerate(verdicts.items())
    )
    if text := fit(comment, "comment"):
        # On a question that was redacted meanwhile, the text of a late comment would quote what is gone.
        session.add(Comment(entry_number=entry.number, text=REDACTED if item.overlap == 0 else text))
    session.flush()


def _receipt(entry: Entry, *, repeated: bool = False, warnings: Sequence[Message] = ()) -> Receipt:
    return Receipt(
        number=entry.number,
        at=entry.at,
        kind=entry.kind,
        question_id=entry.question_id,
        standing=entry.standing,
        replaces=entry.target,
        repeated=repeated,
        warnings=tuple(warnings),
    )


def _repeated(session: Session, key: str | None, digest: str) -> Receipt | None:
    """The receipt of a request that was stored before under the same key."""
    if key is None:
        return None
    entry = session.scalar(select(Entry).where(Entry.idempotency_key == key))
    if entry is None:
        return None
    if entry.digest != digest:
        raise Refused("decision.key_used", key=key, number=entry.number)
    return _receipt(entry, repeated=True)


def _lease(session: Session, submission: Submission) -> Lease | None:
    if submission.lease_id is None:
        return session.scalar(
            select(Lease).where(
                Lease.question_id == submission.question_id,
                Lease.person_id == submission.person_id,
                Lease.state == "held",
            )
        )
    lease = session.get(Lease, submission.lease_id, populate_existing=True)
    if lease is None or (lease.question_id, lease.person_id) != (submission.question_id, submission.person_id):
        raise Refused("decision.other_lease", lease=submission.lease_id)
    return lease


def _lease_of_record(session: Session, submission: Submission) -> Lease:
    """A lease that begins and ends here, so that the queue does not serve an answered question to its author."""
    now = read_clock(session)
    lease = Lease(
        question_id=submission.question_id,
        person_id=submission.person_id,
        pick="direct",
        state="submitted",
        claimed_at=now,
        expires_at=now,
        ended_at=now,
    )
    session.add(lease)
    session.flush()
    return lease


def _end_leases(session: Session, submission: Submission, lease: Lease | None) -> None:
    """The lease that was answered, whatever became of it meanwhile, and any newer one of the same person."""
    held = session.scalars(
        select(Lease).where(
            Lease.question_id == submission.question_id,
            Lease.person_id == submission.person_id,
            Lease.state == "held",
        )
    ).all()
    for ended in {*held} if lease is None else {*held, lease}:
        if ended.state != "submitted":
            ended.state, ended.ended_at = "submitted", read_clock(session)
    session.flush()


def _next_standing(item: QueueItem, lines: Sequence[LedgerLine]) -> str:
    """Of one more person's opinion."""
    return "answer" if len(current_opinions(lines)) < max(1, item.overlap) else "second_opinion"


def _standing_after_undo(item: QueueItem, lines: Sequence[LedgerLine], target: int) -> str | None:
    """How the opinion that the undo is about stands from then on; None if it takes one away, or is about a review."""
    entries = {line.number: line for line in lines}
    root = entries[target]
    while root.kind == "undo" and root.target is not None:
        root = entries[root.target]
    if root.kind != "decision":
        return None
    coming = LedgerLine(max(entries) + 1, root.at, "undo", person_id=None, target=target)
    if _opinion_of(root.person_id, [*lines, coming]) is None:
        return None
    held = _opinion_of(root.person_id, lines)
    return held.standing if held is not None else _next_standing(item, lines)


def _opinion_of(person_id: int | None, lines: Sequence[LedgerLine]) -> LedgerLine | None:
    return next((opinion for opinion in current_opinions(lines) if opinion.person_id == person_id), None)


def _match_leases(session: Session, question_id: int) -> None:
    """People without an opinion may be served the question again; people with one may not."""
    lines = read_lines(session, [question_id])[question_id]
    holding = {line.person_id for line in current_opinions(lines)}
    for lease in session.scalars(
        select(Lease).where(Lease.question_id == question_id, Lease.state.in_(("submitted", "undone")))
    ):
        lease.state = "submitted" if lease.person_id in holding else "undone"
    session.flush()
