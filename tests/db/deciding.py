"""Short ways to make decisions in tests."""

from db.ledger import entries as ledger
from db.ledger.entries import Receipt, Submission
from db.models import suggestions
from db.models.suggestions import ProposedTag
from db.store.engine import Store


def decide(store: Store, question_id: int, person_id: int, **verdicts_and_options) -> Receipt:
    """Submit a decision; `added`, `accepted` and `rejected` are lists of tags, all else goes to Submission."""
    verdicts = {
        tag: verdict for verdict in ("accepted", "rejected", "added") for tag in verdicts_and_options.pop(verdict, ())
    }
    submission = Submission(question_id, person_id, verdicts, **verdicts_and_options)
    return store.run(lambda session: ledger.submit(session, submission))


def suggest(store: Store, question_id: int, version: str, beam: int = 8, **votes: int) -> int:
    """Record a suggestion; tags with more than a quarter of the votes are kept."""
    ranked = sorted(votes.items(), key=lambda item: -item[1])
    tags = [ProposedTag(tag, count, count / beam, count > beam / 4, False) for tag, count in ranked]
    return store.run(lambda session: suggestions.record(session, question_id, version, beam, 0.25, tags))
