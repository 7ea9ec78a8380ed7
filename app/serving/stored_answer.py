"""What a model answered, as the store keeps it."""

from typing import TYPE_CHECKING

from db.models import suggestions
from db.models.suggestions import ProposedTag, StoredSuggestion
from db.store.engine import Store
from db.store.records import ToldFinding

if TYPE_CHECKING:
    from l2a.suggestions import Suggestion, Suggestions

MOST_TAGS = 30  # nobody looks further down


def record(
    store: Store,
    question_id: int,
    answer: "Suggestions",
    *,
    decoding_id: int | None = None,
    ledger_number: int | None = None,
) -> StoredSuggestion:
    """decoding_id: the stored hypotheses it was ranked from. ledger_number: the newest line that memory knew."""
    tags = [_proposed(tag, answer) for tag in answer.suggestions[:MOST_TAGS]]

    def work(session) -> StoredSuggestion:
        number = suggestions.record(
            session,
            question_id,
            answer.model_version,
            answer.beam,
            answer.threshold,
            tags,
            decoding_id=decoding_id,
            ledger_number=ledger_number,
            cut=answer.cut,
            shown=len(answer.shown),
            precedents=[(one.question_id, one.likeness) for one in answer.precedents],
        )
        return suggestions.find(session, number)

    return store.run(work)


def _proposed(tag: "Suggestion", answer: "Suggestions") -> ProposedTag:
    told = [(finding.source, finding.text) for finding in tag.findings if finding.text is not None]
    return ProposedTag(
        tag=tag.tag,
        votes=tag.votes,
        probability=tag.probability,
        kept=tag.kept,
        is_new=tag.is_new,
        cues=tuple(tag.cues),
        hypothesis=() if tag.best_hypothesis is None else tuple(answer.hypotheses[tag.best_hypothesis].tags),
        chance=tag.chance,
        evidence=tuple(ToldFinding(source, text.code, text.values) for source, text in told),
        figures=tag.figures,
    )
