"""What the gate compares on: decisions that neither model has learned from, both ranked with the same memory.

Two kinds of questions are tested. Those that were decided first after the newest snapshot that either model goes back
to; and those of the half of the random share that no model is ever trained on, whenever they were decided.

Memory is what both would be ranked with if it had stood still at that snapshot: the decisions up to there, none of a
tested question. So nothing differs but the networks and what each looks up by itself. Hypotheses do not depend on
decisions: those that are stored (served, or found in the shadow) are used, others are found now and stored.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from app.learning import gate, snapshot
from app.memory import taking_in
from app.memory.apart import knowledge_apart, open_encoder
from app.memory.cache import Cache, folder_for
from app.serving import hypotheses
from db.models import registry, training_runs
from db.models.decided import DecidedQuestion, decided_first_after, decided_questions
from db.store.engine import Store
from db.store.tables import ModelVersion

if TYPE_CHECKING:
    from l2a.ranking.knowledge import Knowledge
    from l2a.tagger import Tagger


@dataclass(frozen=True)
class Trial:
    """What both are tested on."""

    since: int  # the last line of the ledger that either may have learned from
    questions: tuple[DecidedQuestion, ...]

    @property
    def cases(self) -> list[gate.Case]:
        return [gate.Case(q.question_id, q.tags, q.rejected, _part(q)) for q in self.questions]


def choose(session: Session, *versions: str, snapshot_at: int) -> Trial:
    """The questions to test these versions on, the oldest first. snapshot_at: the last line of the candidate's own
    snapshot, which is written down as its version's only when its run has ended."""
    since = max(snapshot_at, *(learned_up_to(session, version) for version in versions))
    later = decided_first_after(session, since)
    chosen = (q for q in decided_questions(session) if snapshot.is_held_out(q) or q.question_id in later)
    return Trial(since, tuple(chosen))


def learned_up_to(session: Session, version: str) -> int:
    """The last line of the ledger in a snapshot that this version goes back to; 0 for one that none was made for."""
    newest = 0
    model: ModelVersion | None = registry.find(session, version)
    while model is not None:
        run = training_runs.made(session, model.version)
        newest = max(newest, run.snapshot.get("last_entry", 0) if run is not None else 0)
        model = session.get(ModelVersion, model.parent_id) if model.parent_id is not None else None
    return newest


def remember(
    store: Store,
    tagger: "Tagger",
    trial: Trial,
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    encoder: Path | None = None,
) -> "Knowledge | None":
    """What was decided up to the trial's line, without what is tested; None for a model that orders tags by votes.

    encoder: folder of that of sentences, if memory has one.
    """
    cache = Cache(folder_for(store), store, tagger.version)
    knowledge = knowledge_apart(store, tagger, cache, progress, encoder=open_encoder(encoder))
    if knowledge is None:
        return None
    with store.read() as session:
        unseen = decided_first_after(session, trial.since) | {question.question_id for question in trial.questions}
        for question in unseen:
            knowledge.forget(question)
        taking_in.read_servings(session, knowledge)  # of those that are left
    return knowledge


def knows_alike(one: "Tagger", other: "Tagger") -> bool:
    """Whether memory made for the one is the other's too."""
    if one.prior != other.prior or one.table.arrays.keys() != other.table.arrays.keys():
        return False
    same_words = one.codec.segmenter.words == other.codec.segmenter.words
    return same_words and all((one.table.arrays[name] == other.table.arrays[name]).all() for name in one.table.arrays)


def answer(
    store: Store,
    tagger: "Tagger",
    trial: Trial,
    knowledge: "Knowledge | None",
    beam: int | None = None,
    beat: Callable[[int], None] = lambda done: None,
) -> gate.Answers:
    """What a registered model keeps for each question. `beat` hears how many are answered; what it raises ends it."""
    from l2a.data.questions import Question

    settings = tagger.settings_with(beam)
    tags: list[tuple[str, ...]] = []
    spent, searched = 0.0, 0
    for asked in trial.questions:
        beat(len(tags))
        question = Question(title=asked.title, description=asked.description, id=str(asked.question_id))
        read = tagger.read(question, only_hints=False)
        if not read.source.words:  # nothing is left to read
            tags.append(())
            continue
        found = hypotheses.find(store, asked.question_id, tagger.version, settings.beam)
        if found is None:
            begun = time.monotonic()
            (found,) = tagger.decode([read.source], settings)
            spent, searched = spent + time.monotonic() - begun, searched + 1
            hypotheses.keep(store, asked.question_id, tagger.version, settings.beam, found)
        ranked = tagger.rank(read, found, beam=settings.beam, knowledge=knowledge)
        tags.append(tuple(suggestion.tag for suggestion in ranked.kept))
    seconds = spent / searched if searched else None
    return gate.Answers(tagger.version, tuple(tags), seconds, frozenset(tagger.frequencies))


def _part(question: DecidedQuestion) -> str:
    at_random = all(pick in snapshot.SET_ASIDE for pick in question.picks)
    return gate.RANDOM if at_random else gate.ORDERED
