"""A person's decision about a question, and the check that it makes sense before it is stored (db.ledger.entries)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.errors import Refused
from db.ledger.replay import POSITIVE
from db.messages import Message
from db.store.free_text import fit
from db.store.input_checks import check_key, check_number, check_seconds, check_tags, short
from db.store.tables import ModelVersion, SuggestedTag, Suggestion
from db.tags.names import check_tag, tag_key
from db.tags.view import TagView

JUDGED = ("accepted", "rejected", "added")


@dataclass(frozen=True)
class Submission:
    """One person's decision about one question.

    `verdicts` maps a tag to accepted, rejected or added. `shown` are the tags the person saw; by default those the
    suggestion kept. What was shown and not judged is stored as unjudged. The same `idempotency_key` sent again gives
    the same receipt.
    """

    question_id: int
    person_id: int
    verdicts: Mapping[str, str]
    suggestion_id: int | None = None
    lease_id: int | None = None
    shown: Sequence[str] | None = None
    seconds: float | None = None
    comment: str = ""
    flag: str | None = None
    idempotency_key: str | None = None


def check(submission: Submission) -> None:
    """Raises Refused for a value that is of the wrong kind, too long or no number, before anything is looked up."""
    check_number(submission.question_id, "question")
    check_number(submission.person_id, "person")
    if submission.suggestion_id is not None:
        check_number(submission.suggestion_id, "suggestion")
    if submission.lease_id is not None:
        check_number(submission.lease_id, "lease")
    if not isinstance(submission.verdicts, Mapping):
        raise Refused("decision.no_verdicts", value=short(submission.verdicts))
    check_tags(submission.verdicts)
    for tag, verdict in submission.verdicts.items():
        if verdict not in JUDGED:
            raise Refused(
                "decision.no_such_verdict", verdict=short(verdict), tag=short(tag), verdicts=", ".join(JUDGED)
            )
    if submission.shown is not None:
        check_tags(submission.shown)
    check_seconds(submission.seconds)
    fit(submission.comment, "comment")
    fit(submission.flag or "", "flag")
    check_key(submission.idempotency_key)


def digest_of(submission: Submission) -> str:
    """Tells a repeated request from another one under the same key."""
    # Not the time spent and not the lease: a client that sends again may have a newer value of either.
    return digest(
        [
            submission.question_id,
            submission.person_id,
            sorted(submission.verdicts.items()),
            submission.suggestion_id,
            submission.comment,
            submission.flag,
        ]
    )


def digest(request: list) -> str:
    return hashlib.sha256(json.dumps(request, ensure_ascii=True).encode()).hexdigest()


def answered_suggestion(
    session: Session, submission: Submission, pick: str
) -> tuple[dict[str, SuggestedTag], str | None]:
    """Key -> tag of the suggestion that is answered, and the version of the model that made it."""
    if submission.suggestion_id is None:
        return {}, None
    if pick == "blind":
        raise Refused("decision.served_blind")
    found = session.execute(
        select(Suggestion.question_id, ModelVersion.version)
        .join(ModelVersion, ModelVersion.id == Suggestion.model_id)
        .where(Suggestion.id == submission.suggestion_id)
        .with_for_update(read=True, key_share=True, of=Suggestion)  # nobody may prune what is being answered
    ).one_or_none()
    if found is None or found.question_id != submission.question_id:
        raise Refused("decision.other_suggestion", suggestion=submission.suggestion_id, question=submission.question_id)
    tags = session.scalars(
        select(SuggestedTag).where(SuggestedTag.suggestion_id == submission.suggestion_id).order_by(SuggestedTag.rank)
    )
    return {tag.key: tag for tag in tags}, found.version


def judge(session: Session, submission: Submission, suggestion: Mapping[str, SuggestedTag]) -> dict[str, str]:
    """Text -> verdict, the shown tags first, as they were shown; raises Refused for what makes no sense."""
    spelled = cleaned(submission.verdicts)  # in the same order
    given = {
        key: (text, verdict) for (key, text), verdict in zip(spelled.items(), submission.verdicts.values(), strict=True)
    }
    view = TagView(session)
    view.load(given)
    meant: dict[int, str] = {}
    for key, (text, verdict) in given.items():
        if verdict != "added" and key not in suggestion:
            raise Refused("decision.not_suggested", tag=text, verdict=Message(f"verdict.{verdict}"))
        tag = view.tag_id(key)
        if tag is not None and (verdict in POSITIVE) != (given[meant.setdefault(tag, key)][1] in POSITIVE):
            raise Refused("decision.same_tag", tag=text, other=given[meant[tag]][0])
    if submission.shown is None:
        shown = {key: tag.text for key, tag in suggestion.items() if tag.kept}
    else:
        shown = cleaned(submission.shown)
        if strange := [text for key, text in shown.items() if key not in suggestion]:
            raise Refused("decision.shown_not_suggested", tags=", ".join(strange), suggestion=submission.suggestion_id)
    verdicts: dict[str, str] = {}
    for key, text in shown.items():
        _, verdict = given.pop(key, (text, "unjudged"))
        # Typing a tag that was on offer is taking the offer.
        verdicts[text] = "accepted" if verdict == "added" else verdict
    verdicts.update(given.values())
    return verdicts


def cleaned(tags: Iterable[str]) -> dict[str, str]:
    """Key -> tag as it is to be stored; raises Refused for an empty or a doubled tag."""
    found: dict[str, str] = {}
    for given in tags:
        text = check_tag(given)
        if tag_key(text) in found:
            raise Refused("decision.named_twice", tag=text)
        found[tag_key(text)] = text
    return found
