"""Memory of one store for one model: it reads what is new in the ledger, then ranks with what it knows.

One lock: whoever ranks has caught up and is disturbed by nobody. What takes long, reading the cache or building
everything anew, happens beside it in a thread of its own, and is there for all at once when it is done.
"""

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from app.memory import taking_in
from app.memory.cache import Cache, forget
from app.memory.own_titles import OwnTitles
from app.memory.position import OtherLedger, Position, lines_after, newest
from app.memory.taking_in import Progress
from db.errors import StoreError
from db.store.engine import Store
from l2a.data.questions import Question
from l2a.evidence.memory.meanings import Encoder
from l2a.ranking.knowledge import Knowledge

if TYPE_CHECKING:
    from l2a.suggestions import Hypothesis, Suggestions
    from l2a.tagger import Tagger

PATIENCE_SECONDS = 10.0  # after it began to be made, questions that come are ranked without it
SAVE_CHANGES = 500  # lines taken in before the cache is written again, or
SAVE_SECONDS = 15 * 60  # so long after the first of them

log = logging.getLogger(__name__)


class NotReady(Exception):
    """Memory is still being built, or could not be."""


@dataclass
class _Known:
    knowledge: Knowledge
    position: Position
    names: int  # revision of the store's tags
    unsaved: int = 0  # lines taken in since it was kept
    unsaved_since: float = 0.0


class StoreMemory:
    """Safe to share between threads. Raises NotReady or db.errors.StoreError where what it needs cannot be had."""

    def __init__(self, store: Store, tagger: "Tagger", cache: Cache | None = None, encoder: Encoder | None = None):
        """cache: where it is kept between two starts; None: nowhere. encoder: of sentences, for those who have one."""
        if tagger.prior is None:
            raise ValueError("a model without a ranker has no use for memory")
        self._store, self._tagger, self._cache, self._encoder = store, tagger, cache, encoder
        self._lock = threading.RLock()
        self._known: _Known | None = None
        self._loading = threading.Lock()
        self._loader: threading.Thread | None = None
        self._loader_began = 0.0
        self._saving = threading.Lock()
        self._saver: threading.Thread | None = None
        self._titles = None if tagger.names is None else OwnTitles(tagger.names)
        self._forgotten = 0  # redactions that were taken in: what was kept before is not to be written any more

    # --- asking ------------------------------------------------------------------------------------------------------

    def catch_up(self) -> int:
        """The number of the newest line that it knows from now on."""
        with self._lock:
            return self._up_to_date().position.number

    def rank(
        self, question_id: int, title: str, description: str, hypotheses: "Sequence[Hypothesis]", beam: int
    ) -> "tuple[Suggestions, int]":
        """Suggestions with all that was decided up to now, and the newest line that they know.

        What was decided about the question itself is left out: it would be its own precedent.
        """
        with self._lock:
            known = self._up_to_date()
            read = self._tagger.read(Question(title=title, description=description, id=str(question_id)))
            with known.knowledge.memory.without(question_id):
                ranked = self._tagger.rank(read, hypotheses, beam=beam, knowledge=known.knowledge)
            return ranked, known.position.number

    def status(self) -> dict[str, Any]:
        """What it knows, as plain values; the same are said of the cache."""
        with self._lock:
            known = self._up_to_date()
            return _about(known, self._tagger.version)

    # --- being there -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Have it there soon; who asks before waits for it."""
        with self._loading:
            if self._known is None and (self._loader is None or not self._loader.is_alive()):
                self._loader = threading.Thread(target=self._load_for_others, name="memory", daemon=True)
                self._loader_began = time.monotonic()
                self._loader.start()

    def load(self) -> None:
        """From the cache, or built anew where that is of no use."""
        known = self._from_cache() or self._built(lambda done, total: None, 1)
        with self._lock:
            self._known = known
        self._save_sometimes()

    def rebuild(self, progress: Progress = lambda done, total: None, *, cores: int = 1) -> None:
        """Anew from the ledger, whatever is kept; and kept."""
        known = self._built(progress, cores)
        with self._lock:
            self._known = known
        self.save()

    def save(self) -> None:
        """Keep it, with what is new by now. What cannot be kept is built again the next time."""
        if self._cache is None:
            return
        with self._saving:
            try:
                with self._lock:
                    known = self._caught_up()
                    if known is None:
                        return
                    forgotten, known.unsaved = self._forgotten, 0
                    if not known.position.number:  # an empty ledger could be anybody's
                        return
                    arrays, about = known.knowledge.arrays(), _about(known, self._tagger.version)
                self._cache.save(arrays, about)
                with self._lock:
                    if forgotten != self._forgotten:  # a question was redacted while its words were written
                        forget(self._cache.folder, self._store)
            except (OSError, OtherLedger, StoreError) as error:
                log.warning("memory is not kept: %s", error)

    def close(self) -> None:
        """Keep what is new; whoever closes the store closes this first."""
        for thread in (self._loader, self._saver):
            if thread is not None:
                thread.join()
        if self._known is not None and self._known.unsaved:
            self.save()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _up_to_date(self) -> _Known:
        """With the lock held."""
        try:
            known = self._caught_up()
        except OtherLedger:
            log.warning("another ledger is there than before: memory is built anew")
            known = self._known = None
        if known is None:
            self._wait()
            known = self._caught_up()
        if known is None:
            raise NotReady("memory is still being built, or could not be")
        self._save_sometimes()
        return known

    def _wait(self) -> None:
        """Lets go of the lock meanwhile: others may wait too, and who builds hands over what was built."""
        self.start()
        if self._loader is None:
            return
        self._lock.release()
        try:
            self._loader.join(max(0.0, self._loader_began + PATIENCE_SECONDS - time.monotonic()))
        finally:
            self._lock.acquire()

    def _caught_up(self) -> _Known | None:
        """With the lock held; None as long as nothing is there. Raises OtherLedger."""
        known = self._known
        if known is not None:
            with self._store.read() as session:
                self._take_in(session, known)
        return known

    def _take_in(self, session: Session, known: _Known) -> None:
        now = time.time()
        lines, position = lines_after(session, known.position, now)
        if lines:
            taking_in.take_in(session, known.knowledge, lines)
            known.unsaved_since = known.unsaved_since if known.unsaved else now
            known.unsaved += len(lines)
        if any(line.kind == "redact" for line in lines):
            self._forgotten += 1
            if self._titles is not None:
                self._titles.forget()
            known.unsaved = max(known.unsaved, SAVE_CHANGES)
            if self._cache is not None:
                forget(self._cache.folder, self._store)
        known.position = position
        known.names = taking_in.take_in_names(session, known.knowledge, known.names)
        if self._titles is not None:
            self._titles.catch_up(session)

    def _load_for_others(self) -> None:
        try:
            self.load()
        except Exception:  # who waits for it does without; the next one tries again
            log.exception("memory could not be read")

    def _from_cache(self) -> _Known | None:
        found = None if self._cache is None else self._cache.load(self._tagger, self._encoder)
        if found is None:
            return None
        knowledge, position = found
        try:
            with self._store.read() as session:
                known = _Known(knowledge, position, taking_in.take_in_names(session, knowledge, None))
                self._take_in(session, known)
        except OtherLedger:
            log.info("what was kept is of another ledger than the store's: memory is built anew")
            return None
        return known

    def _built(self, progress: Progress, cores: int) -> _Known:
        knowledge = self._tagger.new_knowledge(self._encoder)
        assert knowledge is not None  # the model has a ranker
        with self._store.read() as session:
            position = newest(session, time.time())
            taking_in.build(session, knowledge, progress, cores=cores)
            names = taking_in.take_in_names(session, knowledge, None)
        return _Known(knowledge, position, names, unsaved=SAVE_CHANGES)

    def _save_sometimes(self) -> None:
        with self._lock:
            known = self._known
            if known is None or self._cache is None or not known.unsaved:
                return
            waited = time.time() - known.unsaved_since > SAVE_SECONDS
            is_saving = self._saver is not None and self._saver.is_alive()
            if not is_saving and (known.unsaved >= SAVE_CHANGES or waited):
                self._saver = threading.Thread(target=self.save, name="memory-cache", daemon=True)
                self._saver.start()


def _about(known: _Known, version: str) -> dict[str, Any]:
    return {
        "version": version,
        "position": known.position.to_dict(),
        "decisions": len(known.knowledge.memory),
        "ranked_on": len(known.knowledge.served),
    }
