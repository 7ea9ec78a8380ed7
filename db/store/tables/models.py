"""Model versions, their trainings and what they suggested."""

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from db.store.clock import database_now
from db.store.tables.base import Base, BigId, Json, JsonOrNull, one_of, partial_index

MODEL_STATES = ("candidate", "live", "retired", "pruned")  # pruned: its files are gone
RUN_STATES = ("running", "finished", "failed", "cancelled", "lost")  # lost: its process is gone


class ModelVersion(Base):
    """A model that was registered; exactly one is live (db.models.registry)."""

    __tablename__ = "model_versions"
    __table_args__ = (
        one_of("state", MODEL_STATES),
        partial_index("uq_model_versions_live", "state = 'live'", "state", unique=True),
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
        partial_index("uq_training_runs_running", "state = 'running'", "state", unique=True),
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


class Decoding(Base):
    """Hypotheses of one model about one question, best first: expensive, and the same whatever people decide meanwhile
    (db.models.decodings). What is suggested is worked out from them when the question is served."""

    __tablename__ = "decodings"
    __table_args__ = (UniqueConstraint("question_id", "model_id", "beam"),)
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"))
    model_id: Mapped[int] = mapped_column(BigId, ForeignKey("model_versions.id"), index=True)
    beam: Mapped[int]
    hypotheses: Mapped[list] = mapped_column(Json)  # [tags, log probability, order] each
    created_at: Mapped[datetime] = mapped_column(default=database_now())


class Suggestion(Base):
    """What one model proposed for one question, with the settings it was asked with and the decisions it knew
    (db.models.suggestions)."""

    __tablename__ = "suggestions"
    __table_args__ = (
        UniqueConstraint(
            "question_id", "model_id", "beam", "threshold", "ledger_number", "mixed_votes", name="uq_suggestions_known"
        ),
    )
    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    question_id: Mapped[int] = mapped_column(BigId, ForeignKey("questions.id"))
    model_id: Mapped[int] = mapped_column(BigId, ForeignKey("model_versions.id"), index=True)
    beam: Mapped[int]
    threshold: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=database_now())
    decoding_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("decodings.id"), index=True)
    # The newest line of the ledger that it knew. 0 and not NULL where it knew none: no NULL is equal to another, so
    # the constraint above would let in any number of them.
    ledger_number: Mapped[int] = mapped_column(BigId, default=0, server_default=sql("0"))
    cut: Mapped[float | None]  # chance above which a tag is kept; NULL where the model orders by votes
    shown: Mapped[int | None]  # how many of its first tags are worth showing
    # Made before votes, evidence and chance were kept apart: its votes are no votes only. True where nothing is said,
    # for then an older program wrote it.
    mixed_votes: Mapped[bool] = mapped_column(default=False, server_default=sql("true"))
    precedents: Mapped[list] = mapped_column(Json, default=list, server_default=sql("'[]'"))  # [question, likeness]


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
    chance: Mapped[float | None]  # that a person accepts it
    # What a person was told, [source, code, values] each; and what the ranker saw, as it was before anybody judged.
    evidence: Mapped[list] = mapped_column(Json, default=list, server_default=sql("'[]'"))
    figures: Mapped[dict] = mapped_column(default=dict, server_default=sql("'{}'"))
