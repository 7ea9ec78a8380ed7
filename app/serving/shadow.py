"""A candidate in the shadow (db.models.shadow): the background work asks it about what people meet, after everything
that anybody waits for. Nobody is shown what it says; the gate compares it later without a search.
"""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.serving import hypotheses
from app.serving.model_queue import ModelQueue
from db.models import registry, shadow
from db.store.engine import Store
from l2a.data.questions import Question
from l2a.errors import L2AError

if TYPE_CHECKING:
    from l2a.tagger import Tagger

log = logging.getLogger(__name__)


class Models(Protocol):
    """Where its model comes from (app.serving.suggester)."""

    def folder_for(self, version: str) -> Path: ...
    def tagger(self, folder: Path | None = None) -> "Tagger": ...


def ask_one(store: Store, models: Models, queue: ModelQueue, beam: int | None) -> bool:
    """One question of those it has still to be asked about; False when there is none, or no model in the shadow."""
    with store.read() as session:
        standing = shadow.standing(session)
        state = registry.find(session, standing.version).state if standing is not None else ""
    if standing is None or not standing.left:
        return False
    if state in ("live", "pruned"):
        store.run(lambda session: shadow.stop(session, None))
        return False
    try:
        tagger = models.tagger(models.folder_for(standing.version))
    except L2AError as error:  # its files are gone, or damaged
        log.warning("%s leaves the shadow: %s", standing.version, error)
        store.run(lambda session: shadow.stop(session, None))
        return False
    settings = tagger.settings_with(beam)
    with store.read() as session:
        waiting = shadow.waiting(session, standing, settings.beam, 1)
    for asked in waiting:
        read = tagger.read(Question(title=asked.title, description=asked.description, id=str(asked.id)))
        with queue.alone(background=True):
            found = tagger.decode([read.source], settings)[0] if read.source.words else []
        hypotheses.keep(store, asked.id, tagger.version, settings.beam, found)
    return bool(waiting)
