"""Knowledge of one's own, to try something out on: what is served with does not notice."""

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.memory import taking_in
from app.memory.cache import Cache
from app.memory.position import OtherLedger, lines_after
from app.memory.taking_in import Progress
from db.store.engine import Store
from l2a.errors import L2AError
from l2a.evidence.encoder import SentenceEncoder
from l2a.ranking.knowledge import Knowledge

if TYPE_CHECKING:
    from l2a.tagger import Tagger

log = logging.getLogger(__name__)


def open_encoder(folder: Path | None) -> SentenceEncoder | None:
    """None without one; one that cannot be used is only mentioned: memory does without."""
    try:
        return None if folder is None else SentenceEncoder(folder)
    except L2AError as error:
        log.error("memory does without the sentence encoder: %s", error)
        return None


def knowledge_apart(
    store: Store,
    tagger: "Tagger",
    cache: Cache | None = None,
    progress: Progress = lambda done, total: None,
    *,
    encoder: SentenceEncoder | None = None,
) -> Knowledge | None:
    """Everything that was decided up to now; None for a model that orders tags by votes.

    cache: where somebody may have kept most of it; without, and where that is of no use, it is built, which takes long.
    """
    found = None if cache is None else cache.load(tagger, encoder)
    if found is not None:
        knowledge, position = found
        try:
            with store.read() as session:
                lines, _ = lines_after(session, position, time.time())
                taking_in.take_in(session, knowledge, lines)
                taking_in.take_in_names(session, knowledge, None)
            return knowledge
        except OtherLedger:  # a backup was restored since
            pass
    built = tagger.new_knowledge(encoder)
    if built is not None:
        with store.read() as session:
            taking_in.build(session, built, progress)
            taking_in.take_in_names(session, built, None)
    return built
