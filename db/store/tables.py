"""The tables. What each is for stands in its docstring; how they are used stands in the module named there.

Tags inside decisions, suggestions and prior labels are kept as they were written, with their `key` (db.tags.names).
Which
tag a key means is asked of `tag_names` when labels are read, so that renaming, merging and splitting never touch a
decision, and can be taken back.
"""

from datetime import datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from db.store.clock import Moment, database_now

ROLES = ("moderator", "researcher", "admin")
POOLS = ("ordered", "random", "blind")
PICKS = (*POOLS, "direct")  # direct: asked for by its id, not served by the queue
LEASE_STATES = ("held", "submitted", "skipped", "released", "expired", "undone")
MODEL_STATES = ("candidate", "live", "retired", "pruned")  # pruned: its files are gone
TAG_STATES = ("active", "deprecated", "merged")
VERDICTS = ("accepted", "rejected", "added", "unjudged")
STANDINGS = ("answer", "second_opinion")
ENTRY_KINDS = (
    "decision",
    "review",
    "undo",
    "redact",
    "tag",
    "person",
    "queue",
    "register",
    "promote",
    "rollback",
    "retrain",
    "prune",
)
IMPORT_STATES = ("running", "finished")
RUN_STATES = ("running", "finished", "failed", "cancelled", "lost")  # lost: its process is gone

# SQLite numbers rows by itself only in a column that is plainly INTEGER.
BigId = BigInteger().with_variant(Integer, "sqlite")
Json = JSON().with_variant(JSONB, "postgresql")
# Without this, None would be stored as the word null of JSON, which is not NULL.
JsonOrNull = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_is_known")


def _partial_index(name: str, where: str, *columns: str, unique: bool = False) -> Index:
    """An index over the rows for which `where` is true only: small, however many rows are done with.

    SQLite uses it only for a query that says the same words, and there a truth value is said `= 1`.
    """
    sqlite_where = text(where if "=" in where else f"{where} = 1")
    return Index(name, *columns, unique=unique, sqlite_where=sqlite_where, postgresql_where=text(where))


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, dict: Json}  # noqa: RUF012


class Setting(Base):
    """A number or text the whole store shares: shares of the queue, the revision of the tags (db.store.settings)."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(String, primary_key=True)
    value: Mapped[str] = mapped_column(String)


class Person(Base):
    """Who does things (db.people)."""

    __tablename__ = "people"
    __table_args__ = (one_of("role", ROLES),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(String, unique=True)
    role: Mapped[str]
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(default=database_now())


class Import(Base):
    """A file that was read in, and how far: what makes a broken import resumable (db.transfer.importing)."""

    __tablename__ = "imports"
    __table_args__ = (one_of("state", IMPORT_STATES),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str]
    fingerprint: Mapped[str] = mapped_column(index=True)  # of the file and the options that change what is stored
    state: Mapped[str] = mapped_column(default="running")
    rows_done: Mapped[int] = mapped_column(default=0)
    added: Mapped[int] = mapped_column(default=0)
    duplicates: Mapped[int] = mapped_column(default=0)
    bad: Mapped[int] = mapped_column(default=0)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    started_at: Mapped[datetime] = mapped_column(default=database_now())
    finished_at: Mapped[datetime | None]


class Question(Base):
    """A question's text, once. Only a redaction ever changes it (db.transfer.importing, db.ledger.entries)."""

    __tablename__ = "questions"
    __table_args__ = (Index(None, "source", "external_id"),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    source: Mapped[str] = mapped_column(default="")
    external_id: Mapped[str] = mapped_column(default="")
    url: Mapped[str] = mapped_column(default="")  # of the original; only http and https
    title: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    # Stays after a redaction, so that importing the old file again does not bring the text back.
    text_hash: Mapped[str] = mapped_column(String(64), unique=True)
    import_id: Mapped[int | None] = mapped_column(ForeignKey("imports.id"))
    created_at: Mapped[datetime] = mapped_column(default=database_now())
    redacted_at: Mapped[datetime | None]


class PriorLabel(Base):
    """A tag the question came with (db.transfer.importing)."""

    __tablename__ = "prior_labels"
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True, index=True)
    text: Mapped[str]
    place: Mapped[int]


# Each order of the queue and the columns it sorts by, after the answers so far: first opinions come before second
# ones, so that nobody wades through what they answered themselves.
QUEUE_ORDERS = {
    "oldest": ("question_id",),
    "uncertain": ("certainty", "question_id"),
    "rare": ("rarest_uses", "question_id"),
    "random": ("random_key", "question_id"),
}


NO_TAGS = 2**31 - 1  # in `rarest_uses`: nothing is known of its tags, so it comes last


class QueueItem(Base):
    """Where a question stands in the queue; every count here can be worked out again from leases and ledger.

    Its own narrow table, because a claim rewrites the row and all its indexes. `is_open` is
    `answers + holders < overlap` unless a review settled the question (db.queue.claims).
    """

    __tablename__ = "queue_items"
    __table_args__ = (
        one_of("pool", POOLS),
        *(
            _partial_index(f"ix_queue_{'source_' * bool(first)}{name}", "is_open", *first, "pool", "answers", *keys)
            for first in ((), ("source",))
            for name, keys in QUEUE_ORDERS.items()
        ),
        _partial_index("ix_queue_conflict", "conflict", "question_id"),
    )
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"), primary_key=True, autoincrement=False)
    source: Mapped[str] = mapped_column(default="")
    pool: Mapped[str]
    overlap: Mapped[int] = mapped_column(default=1)
    answers: Mapped[int] = mapped_column(default=0)
    holders: Mapped[int] = mapped_column(default=0)
    is_open: Mapped[bool] = mapped_column(default=True)
    conflict: Mapped[bool] = mapped_column(default=False)
    reviewed: Mapped[bool] = mapped_column(default=False)
    # Both are small for what should come first: every order is ascending, so that each has a plain index.
    certainty: Mapped[float] = mapped_column(default=0.0)  # minus the vote entropy of the live model's suggestion
    rarest_uses: Mapped[int] = mapped_column(default=NO_TAGS)  # uses of its rarest suggested or prior tag
    random_key: Mapped[float]  # uniform in [0, 1), fixed when the question comes in


class QueueCount(Base):
    """The number of open questions is the sum of these rows; triggers on `queue_items` write them (triggers.py)."""

    __tablename__ = "queue_counts"
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    open: Mapped[int] = mapped_column(BigInteger)


class QueueTag(Base):
    """Which questions a queue filtered by tag serves: those that came with the tag or were suggested it."""

    __tablename__ = "queue_tags"
    key: Mapped[str] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"), primary_key=True)


class Lease(Base):
    """A question in somebody's hands, now or once (db.queue.claims)."""

    __tablename__ = "leases"
    __table_args__ = (
        one_of("state", LEASE_STATES),
        one_of("pick", PICKS),
        _partial_index("ix_leases_expiry", "state = 'held'", "expires_at"),
        _partial_index("uq_leases_held", "state = 'held'", "question_id", "person_id", unique=True),
        Index("ix_leases_person", "person_id", "question_id", "state"),
    )
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"))
    person_id: Mapped[int] = mapped_column(BigId, ForeignKey("people.id"))
    pick: Mapped[str]
    ordering: Mapped[str | None]  # the order asked for, where the pick is "ordered"
    state: Mapped[str] = mapped_column(default="held")
    claimed_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    reason: Mapped[str | None]  # of a skip


class ModelVersion(Base):
    """A model that was registered; exactly one is live (db.models.registry)."""

    __tablename__ = "model_versions"
    __table_args__ = (
        one_of("state", MODEL_STATES),
        _partial_index("uq_model_versions_live", "state = 'live'", "state", unique=True),
    )
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    version: Mapped[str] = mapped_column(unique=True)  # a hash of weights, config and vocabularies
    path: Mapped[str]
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("model_versions.id"))
    training_data: Mapped[str | None]  # checksum of the export it was trained on
    metrics: Mapped[dict] = mapped_column(default=dict)
    state: Mapped[str] = mapped_column(default="candidate")
    registered_at: Mapped[datetime] = mapped_column(default=database_now())


class TrainingRun(Base):
    """A training on what people decided, from the wish to its outcome; at most one runs (db.models.training_runs)."""

    __tablename__ = "training_runs"
    __table_args__ = (
        one_of("state", RUN_STATES),
        _partial_index("uq_training_runs_running", "state = 'running'", "state", unique=True),
    )
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    state: Mapped[str] = mapped_column(default="running")
    phase: Mapped[str] = mapped_column(default="")
    done: Mapped[int] = mapped_column(default=0)  # of `total` steps of the phase
    total: Mapped[int] = mapped_column(default=0)
    message: Mapped[str] = mapped_column(default="")
    options: Mapped[dict] = mapped_column(default=dict)
    folder: Mapped[str] = mapped_column(default="")
    host: Mapped[str] = mapped_column(default="")
    pid: Mapped[int | None]
    pid_started: Mapped[float | None]  # tells the process from a later one with the same number
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    snapshot: Mapped[dict] = mapped_column(default=dict)  # which decisions it was trained on
    candidate: Mapped[str | None]  # the model version that came of it
    gate: Mapped[dict | None] = mapped_column(JsonOrNull)  # how the candidate compares with the live version
    requested_by: Mapped[int | None] = mapped_column(BigId, ForeignKey("people.id"))
    requested_at: Mapped[datetime] = mapped_column(default=database_now())
    beat_at: Mapped[datetime] = mapped_column(default=database_now())  # the last sign of life
    ended_at: Mapped[datetime | None]


class Suggestion(Base):
    """What one model proposed for one question, with the settings it was asked with (db.models.suggestions)."""

    __tablename__ = "suggestions"
    __table_args__ = (UniqueConstraint("question_id", "model_id", "beam", "threshold"),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"))
    model_id: Mapped[int] = mapped_column(BigId, ForeignKey("model_versions.id"), index=True)
    beam: Mapped[int]
    threshold: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=database_now())


class SuggestedTag(Base):
    """One tag of a suggestion."""

    __tablename__ = "suggested_tags"
    suggestion_id: Mapped[int] = mapped_column(BigId, ForeignKey("suggestions.id"), primary_key=True)
    rank: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]
    key: Mapped[str]
    votes: Mapped[int]
    probability: Mapped[float]
    kept: Mapped[bool]
    is_new: Mapped[bool]
    cues: Mapped[list] = mapped_column(Json, default=list)  # words of the question that the tag shares
    hypothesis: Mapped[list] = mapped_column(Json, default=list)  # the tags of the best hypothesis that holds it


class Entry(Base):
    """A line of the ledger; its number is the receipt. Never changed and never deleted: triggers see to it (db.ledger).

    `target` is the entry that this one takes back (undo) or replaces (a change of mind).
    """

    __tablename__ = "entries"
    __table_args__ = (
        one_of("kind", ENTRY_KINDS),
        Index(None, "question_id", "number"),
        Index(None, "person_id", "number"),
        Index(None, "person_id", "at"),
        Index(None, "kind", "number"),
        {"sqlite_autoincrement": True},  # a number is never given twice
    )
    number: Mapped[int] = mapped_column(BigId, primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str]
    person_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("people.id"))
    question_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("questions.id"))
    suggestion_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("suggestions.id"), index=True)
    lease_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("leases.id"))
    target: Mapped[int | None] = mapped_column(BigId, ForeignKey("entries.number"), index=True)
    standing: Mapped[str | None]  # of a decision, or of the one that an undo brings back
    pick: Mapped[str | None]
    model_version: Mapped[str | None]
    seconds: Mapped[float | None]  # time spent
    flag: Mapped[str | None]
    idempotency_key: Mapped[str | None] = mapped_column(unique=True)
    digest: Mapped[str | None]  # of the request, to tell a repetition from a key used twice
    payload: Mapped[dict] = mapped_column(default=dict)


class Verdict(Base):
    """What one entry says about one tag; append-only like its entry."""

    __tablename__ = "verdicts"
    __table_args__ = (one_of("verdict", VERDICTS),)
    entry_number: Mapped[int] = mapped_column(BigId, ForeignKey("entries.number"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True, index=True)
    text: Mapped[str]
    verdict: Mapped[str]
    place: Mapped[int]


class Comment(Base):
    """Free text of an entry, apart from it, so that a redaction can empty it without touching the ledger."""

    __tablename__ = "comments"
    entry_number: Mapped[int] = mapped_column(BigId, ForeignKey("entries.number"), primary_key=True)
    text: Mapped[str]


class Tag(Base):
    """A tag (db.tags.planning). A merged one stays, and leads to the tag it was merged into."""

    __tablename__ = "tags"
    __table_args__ = (one_of("status", TAG_STATES),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str]
    status: Mapped[str] = mapped_column(default="active")
    merged_into_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("tags.id"), index=True)
    parent_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("tags.id"), index=True)
    external_id: Mapped[str | None] = mapped_column(index=True)
    definition: Mapped[str] = mapped_column(default="")
    uses: Mapped[int] = mapped_column(default=0)  # as of the last recount
    first_seen_at: Mapped[datetime] = mapped_column(default=database_now())
    first_seen_by: Mapped[int | None] = mapped_column(BigId, ForeignKey("people.id"))
    revision: Mapped[int] = mapped_column(BigId, default=0, index=True)  # the tags' revision that last changed it


class TagName(Base):
    """A spelling and the tag it means: the name of each tag, and its aliases."""

    __tablename__ = "tag_names"
    key: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    tag_id: Mapped[int] = mapped_column(BigId, ForeignKey("tags.id"), index=True)


class TagChange(Base):
    """What a tag operation changed, before and after: the way back, and the way to a past day; append-only."""

    __tablename__ = "tag_changes"
    entry_number: Mapped[int] = mapped_column(BigId, ForeignKey("entries.number"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    tag_id: Mapped[int | None] = mapped_column(BigId, index=True)  # a row of tags ...
    key: Mapped[str | None] = mapped_column(index=True)  # ... or a row of tag_names
    before: Mapped[dict]
    after: Mapped[dict]


class DistinctTags(Base):
    """Two tags that look like one, and somebody said that they are two (db.tags.distinct)."""

    __tablename__ = "distinct_tags"
    __table_args__ = (CheckConstraint("first_id < second_id", name="once"),)
    first_id: Mapped[int] = mapped_column(BigId, ForeignKey("tags.id"), primary_key=True)
    second_id: Mapped[int] = mapped_column(BigId, ForeignKey("tags.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(BigId, ForeignKey("people.id"))
    at: Mapped[datetime] = mapped_column(default=database_now())
