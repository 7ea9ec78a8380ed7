"""A model in the shadow: it is asked about the questions that people meet, and nobody is shown what it says.

Its hypotheses are stored as those of the live one (db.models.decodings); the two can be compared then without a search.
At most one model runs so, for as many questions as somebody asked for.
"""

import json
from dataclasses import asdict, dataclass

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import Session

from db import people
from db.errors import Refused
from db.ledger.history import last_number
from db.models import registry, training_runs
from db.models.decided import first_decided_after
from db.store.moments import next_moment
from db.store.settings import put, values
from db.store.tables import Decoding, Entry, Lease, ModelVersion, Question

SETTING = "shadow"
MOST_QUESTIONS = 100_000


@dataclass(frozen=True)
class Shadow:
    version: str
    questions: int  # to be asked about
    since: int  # questions decided first after this line of the ledger count: it has learned of none of them
    begun_at: int  # the newest decoding there was then
    done: int = 0

    @property
    def left(self) -> int:
        return max(0, self.questions - self.done)


def start(session: Session, version: str, questions: int, person_id: int | None) -> Shadow:
    """In the place of the model that was in the shadow. Raises Refused for one that is live, or was pruned."""
    if person_id is not None:
        people.require(session, person_id, "change models")
    if not 0 < questions <= MOST_QUESTIONS:
        raise Refused("shadow.no_number", questions=questions, most=MOST_QUESTIONS)
    model = registry.find(session, version)
    if model.state in ("live", "pruned"):
        raise Refused(f"shadow.{model.state}", version=version)
    run = training_runs.made(session, version)
    since = last_number(session) if run is None else run.snapshot.get("last_entry", 0)
    newest = session.scalar(select(func.max(Decoding.id))) or 0
    shadow = Shadow(version, questions, since, newest)
    kept = {name: value for name, value in asdict(shadow).items() if name != "done"}
    put(session, SETTING, json.dumps(kept))
    _note(session, person_id, {"action": "shadow", "version": version, "questions": questions})
    return shadow


def stop(session: Session, person_id: int | None) -> Shadow | None:
    """The one that was in the shadow; what it found stays. `person_id` None is the program itself."""
    if person_id is not None:
        people.require(session, person_id, "change models")
    shadow = standing(session)
    if shadow is not None:
        put(session, SETTING, "")
        _note(session, person_id, {"action": "shadow ends", "version": shadow.version, "questions": shadow.done})
    return shadow


def standing(session: Session) -> Shadow | None:
    """Which model is in the shadow, and how far it is; None where none is."""
    kept = values(session, [SETTING]).get(SETTING)
    if not kept:
        return None
    shadow = Shadow(**json.loads(kept))
    done = select(func.count()).select_from(Decoding).join(ModelVersion, ModelVersion.id == Decoding.model_id)
    done = done.where(ModelVersion.version == shadow.version, Decoding.id > shadow.begun_at)
    return Shadow(**{**asdict(shadow), "done": session.scalars(done).one()})


def waiting(session: Session, shadow: Shadow, beam: int, limit: int) -> list[Question]:
    """Questions that it has still to be asked about, of those that were decided since its snapshot and those that lie
    before somebody; the ones that came first come first."""
    asked = exists().where(
        Decoding.question_id == Question.id,
        Decoding.beam == beam,
        Decoding.model_id == ModelVersion.id,
        ModelVersion.version == shadow.version,
    )
    held = exists().where(Lease.question_id == Question.id, Lease.state == "held")
    met = or_(Question.id.in_(first_decided_after(shadow.since)), held)
    query = select(Question).where(met, Question.redacted_at.is_(None), ~asked).order_by(Question.id)
    return list(session.scalars(query.limit(min(limit, shadow.left))))


def _note(session: Session, person_id: int | None, payload: dict) -> None:
    session.add(Entry(at=next_moment(session), kind="retrain", person_id=person_id, payload=payload))
    session.flush()
