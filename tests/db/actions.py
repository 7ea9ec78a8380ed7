"""What people do in a store, as short calls: each is one transaction of its own."""

from datetime import datetime

from sqlalchemy import select, text

from db.ledger import entries as ledger
from db.ledger import labels
from db.models import suggestions
from db.models.suggestions import ProposedTag
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from db.store.engine import Store
from db.store.tables import Base, Entry, Lease, QueueItem, Tag, Verdict
from db.tags import planning as tags


def claim(store: Store, person_id: int, **options) -> queue.Claim | None:
    return store.run(lambda session: queue.claim(session, person_id, **options))


def claimed_ids(store: Store, person_id: int, **options) -> list[int]:
    """Everything that the queue still has for a person, in the order it is served."""
    served = []
    while (got := claim(store, person_id, another=True, **options)) is not None:
        served.append(got.question_id)
    return served


def decide(store: Store, question_id: int, person_id: int, *added: str, **options) -> ledger.Receipt:
    """A decision: the tags that are added, or `verdicts` as an option."""
    verdicts = options.pop("verdicts", None) or dict.fromkeys(added, "added")
    return submit(store, question_id=question_id, person_id=person_id, verdicts=verdicts, **options)


def submit(store: Store, **options) -> ledger.Receipt:
    return store.run(lambda session: ledger.submit(session, ledger.Submission(**options)))


def undo(store: Store, receipt: ledger.Receipt, person_id: int, **options) -> ledger.Receipt:
    return store.run(lambda session: ledger.undo(session, receipt.number, person_id, **options))


def review(store: Store, question_id: int, person_id: int, *chosen: str, **options) -> ledger.Receipt:
    return store.run(lambda session: ledger.review(session, question_id, person_id, chosen, **options))


def suggest(
    store: Store,
    question_id: int,
    votes: dict[str, int],
    *,
    version: str = "v1",
    beam: int = 4,
    kept: int = 1,
    figures: bool = False,
    **options,
) -> int:
    """A suggestion whose tags have so many votes of the beam; `kept`: the votes a tag needs to be shown. `figures`: a
    ranker saw the votes. All else goes to `record`."""

    def propose(tag: str, count: int) -> ProposedTag:
        seen = {"votes": count / beam} if figures else {}
        return ProposedTag(tag, count, count / beam, count >= kept, False, figures=seen)

    proposed = [propose(*item) for item in votes.items()]
    return store.run(lambda session: suggestions.record(session, question_id, version, beam, 0.5, proposed, **options))


def change_tags(store: Store, person_id: int, plan, *arguments: str, **options) -> int:
    """Plan a change of tags and carry it out; the number of its entry."""

    def work(session):
        return tags.carry_out(session, plan(session, *arguments, **options), person_id)

    return store.run(work)


def dry_run(store: Store, plan, *arguments, **options) -> tags.Plan:
    with store.read() as session:
        return plan(session, *arguments, **options)


def counts(plan: tags.Plan) -> tuple[int, int, int]:
    """What a dry run counts: decisions, questions, prior labels."""
    return plan.decisions, plan.questions, plan.prior_labels


def find_tag(store: Store, name: str) -> Tag:
    with store.read() as session:
        return tags.find(session, name)


def spellings_of(store: Store, name: str) -> list[str]:
    with store.read() as session:
        return tags.names(session, tags.find(session, name).id)


def all_tags(store: Store) -> list:
    """All tags and spellings as they stand."""
    rows = (
        "SELECT id, name, status, merged_into_id, parent_id, external_id, definition FROM tags ORDER BY id",
        "SELECT key, text, tag_id FROM tag_names ORDER BY key",
    )
    with store.read() as session:
        return [session.execute(text(statement)).all() for statement in rows]


def look(store: Store, question_id: int, at: datetime | None = None) -> labels.QuestionView:
    with store.read() as session:
        return labels.look_at(session, question_id, at)


def tags_of(store: Store, question_id: int, at: datetime | None = None) -> list[str]:
    return sorted(look(store, question_id, at).settled.tags)


def verdicts_of(store: Store, number: int) -> dict[str, str]:
    with store.read() as session:
        rows = select(Verdict.text, Verdict.verdict).where(Verdict.entry_number == number).order_by(Verdict.place)
        return dict(session.execute(rows).all())


def entry(store: Store, number: int) -> Entry:
    with store.read() as session:
        return ledger.find_entry(session, number)


def item(store: Store, question_id: int) -> QueueItem:
    with store.read() as session:
        return session.get_one(QueueItem, question_id)


def lease(store: Store, lease_id: int) -> Lease:
    with store.read() as session:
        return session.get_one(Lease, lease_id)


def expire(store: Store, lease_id: int) -> None:
    """Let a lease have run out a second ago."""
    with store.write() as session:
        session.execute(
            text("UPDATE leases SET expires_at = claimed_at - 1000000 WHERE id = :lease"), {"lease": lease_id}
        )


def serve_in_order(store: Store) -> None:
    """No question is set aside for the random or the blind pool."""
    share(store, random=0.0, blind=0.0)


def share(store: Store, **shares: float) -> None:
    store.run(lambda session: set_shares(session, Shares(**shares)))


def scalar(store: Store, statement: str, **values):
    """The one value that a statement in plain SQL gives."""
    with store.read() as session:
        return session.scalar(text(statement), values)


def contents(store: Store) -> dict[str, list[str]]:
    """Every row of every table of this program's models, in their columns."""
    with store.read() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(*table.columns)).all()))
            for table in Base.metadata.sorted_tables
        }
