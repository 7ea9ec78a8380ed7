"""The live model for all sessions: it answers people first, and works ahead of them when nobody waits.

The store says which model is live. Every claim looks again, so that several processes on one store notice a promotion
at their next question.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.serving import model_folder, shadow, stored_answer
from app.serving.last_moment import LastMoment
from app.serving.model_folder import folder_of
from app.serving.model_queue import ModelQueue
from app.serving.shelf import Shelf
from app.shell.messages import message
from db.errors import StoreError
from db.models import registry, suggestions
from db.models.suggestions import StoredSuggestion
from db.store.engine import Store
from l2a.data.questions import Question
from l2a.errors import L2AError

if TYPE_CHECKING:
    from db.store.tables import Question as StoredQuestion
    from l2a.explain import Explanation, Occlusion
    from l2a.tagger import Constraints, Suggestions, Tagger

AHEAD = 24  # questions of each pool that should have their suggestions before anybody asks
AT_ONCE = 1  # decoded together in the background: a person who comes meanwhile waits for these
IDLE_SECONDS = 5.0  # the background work looks again after so long, even if nobody claimed anything

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LiveModel:
    version: str
    folder: Path
    tagger: "Tagger"


class NoModel(L2AError):
    """No model is live, or its folder is gone; the text says what to do."""


class Suggester:
    """The shared model of a process."""

    def __init__(
        self,
        store: Store,
        load: Callable[[Path], "Tagger"],
        first: Path,
        beam: int | None = None,
        check: Callable[[], None] = lambda: None,
        update: str = "ask",
        memory: Path | None = None,
        encoder: Path | None = None,
    ):
        """`first` is the model folder that a store without a live model begins with. `update` says what becomes of a
        version that has taken the place of the live one's files (Settings.model_update). `memory` is the folder where
        memory is kept between two starts; None: see `app.memory.cache.folder_for`. `encoder` is that of a sentence
        encoder for memory, if there is one.

        `check` is called now and then while a search that is not stored waits for its turn: it raises what ends the
        script of somebody who is gone, and so takes the search out of the line.
        """
        self._store = store
        self._load = load
        self._first = first
        self._beam = beam
        self._check = check
        self._update = update
        self._memory, self._encoder = memory, encoder
        self._queue = ModelQueue()
        self._loading = threading.Lock()
        self._live: LiveModel | None = None
        self._making = threading.Lock()
        self._ranking: tuple[LiveModel, LastMoment] | None = None
        self._others = Shelf(self._load_folder)
        self._wake = threading.Event()
        self._closed = False
        self._orders: dict[str, None] = {"oldest": None}
        self._worker: threading.Thread | None = None

    def live(self) -> LiveModel:
        """The live model, loaded anew if another was promoted. Raises NoModel or l2a.errors.CheckpointError."""
        with self._loading:
            with self._store.read() as session:
                model = registry.live(session)
            if model is None:
                model = self._begin()
            if self._live is None or self._live.version != model.version:
                self._live = self._load_live(model.version, folder_of(model.path))
            return self._live

    def _load_live(self, version: str, folder: Path) -> LiveModel:
        """The registered version; where its folder holds another by now, that one is offered, or taken."""
        tagger = self._load_folder(folder)
        if tagger.version != version:
            model_folder.offer(self._store, folder, self._update)
            with self._store.read() as session:
                live = registry.live(session)
            version = live.version if live is not None else version
        if tagger.version != version:
            raise NoModel(message("model.live_files_gone", version=version, folder=folder, found=tagger.version))
        return LiveModel(version, folder, tagger)

    def _begin(self):
        """Register and promote the first model of a new store."""
        tagger = self._load_folder(self._first)

        def promote(session):
            if (live := registry.live(session)) is not None:  # another process was quicker
                return live
            model = registry.register(session, tagger.version, model_folder.shown(self._first))
            return registry.promote(session, model.version, None)

        model = self._store.run(promote)
        if model.version == tagger.version:
            self._live = LiveModel(model.version, folder_of(model.path), tagger)
        return model

    def _load_folder(self, folder: Path) -> "Tagger":
        if not folder.is_dir():
            raise NoModel(message("model.no_folder", folder=folder))
        return self._load(folder)

    def warm_up(self) -> None:
        """Have the live model there before anybody asks, and its memory soon. Raises L2AError or StoreError."""
        self._ranking_of(self.live())

    def _ranking_of(self, model: LiveModel) -> LastMoment | None:
        """What ranks this model's suggestions at the last moment; None for a model that orders them by votes."""
        if model.tagger.prior is None:
            return None
        with self._making:
            if self._ranking is None or self._ranking[0] is not model:
                before = self._ranking
                self._ranking = model, LastMoment(self._store, model.tagger, self._beam, self._memory, self._encoder)
                self._ranking[1].memory.start()
                if before is not None:  # somebody may go back to that model
                    threading.Thread(target=before[1].memory.close, name="memory-close", daemon=True).start()
            return self._ranking[1]

    def for_question(self, question_id: int, title: str, description: str) -> StoredSuggestion:
        """The live model's suggestion, stored; worked out now if nobody did before. Raises L2AError or StoreError.

        Of a model with a ranker it knows everything that was decided up to now.
        """
        model = self.live()
        ranking = self._ranking_of(model)
        if ranking is None:
            return self._by_votes(model, question_id, title, description)
        if (stored := ranking.stored(question_id)) is not None:
            return stored
        decoding = ranking.decoding(question_id)
        if decoding is None:
            result = self._search(model, question_id, title, description, lambda: ranking.decoding(question_id) is None)
            decoding = ranking.decoding(question_id) if result is None else ranking.keep(question_id, result)
            if decoding is None and result is not None:  # redacted meanwhile: hypotheses are made of its words
                return stored_answer.record(self._store, question_id, result)
        if decoding is None:  # it was there a moment ago: somebody made another model live
            return self.for_question(question_id, title, description)
        return ranking.rank(question_id, title, description, decoding)

    def _by_votes(self, model: LiveModel, question_id: int, title: str, description: str) -> StoredSuggestion:
        """What does not depend on what was decided: stored once for all."""
        stored = self._stored(question_id, model)
        if stored is not None:
            return stored
        # The background work may have been at it.
        result = self._search(model, question_id, title, description, lambda: self._stored(question_id, model) is None)
        if result is not None:
            return stored_answer.record(self._store, question_id, result)
        stored = self._stored(question_id, model)
        # One that was there a moment ago and is gone, because somebody made another model live, is worked out anew.
        return stored if stored is not None else self.for_question(question_id, title, description)

    def _search(
        self, model: LiveModel, question_id: int, title: str, description: str, is_needed: Callable[[], bool]
    ) -> "Suggestions | None":
        # Not checked: who has gone finds the suggestion when coming back, and so does whoever gets the question next.
        question = Question(title=title, description=description, id=str(question_id))
        return self._queue.suggest(model.tagger, question, beam=self._beam, is_needed=is_needed)

    def _stored(self, question_id: int, model: LiveModel) -> StoredSuggestion | None:
        with self._store.read() as session:
            stored = suggestions.fresh(session, question_id)
        beam = self._beam or model.tagger.settings_with().beam
        return stored if stored is not None and stored.beam == beam and not stored.mixed_votes else None

    def decode(
        self,
        title: str,
        description: str = "",
        *,
        beam: int | None = None,
        threshold: float | None = None,
        constraints: "Constraints | None" = None,
        folder: Path | None = None,
    ) -> "Suggestions":
        """A search of a person's own, not stored. `folder`: another model than the live one."""
        found = self._queue.suggest(
            self.tagger(folder),
            Question(title=title, description=description),
            beam=beam or self._beam,
            threshold=threshold,
            constraints=constraints,
            check=self._check,
        )
        assert found is not None  # only what may turn out not to be needed goes without an answer
        return found

    def explain(
        self, title: str, description: str, tags: Sequence[str], *, folder: Path | None = None
    ) -> "Explanation":
        """Attention over the words of a question while these tags are written."""
        from l2a.explain import explain

        tagger = self.tagger(folder)
        with self._queue.alone():
            return explain(tagger, Question(title=title, description=description), list(tags))

    def occlude(
        self, title: str, description: str, tags: Sequence[str], tag: int, how: str, *, folder: Path | None = None
    ) -> "Occlusion":
        """How far a tag's probability falls when a word is taken away."""
        from l2a.explain import occlude

        tagger = self.tagger(folder)
        with self._queue.alone(check=self._check):
            return occlude(tagger, Question(title=title, description=description), list(tags), tag, how)

    def tagger(self, folder: Path | None = None) -> "Tagger":
        """The live model's tagger, or that in another folder."""
        if folder is None:
            return self.live().tagger
        version, live = model_folder.version_in(folder), self._live
        if live is not None and live.folder == folder and version in (live.version, None):
            return live.tagger
        return self._others.get(folder, version)

    def folder_for(self, version: str) -> Path:
        """The folder that a version was registered with. Raises NoModel where another version is there by now, and
        db.errors.NotFound."""
        with self._store.read() as session:
            path = registry.find(session, version).path
        folder = folder_of(path)
        if folder.is_dir() and not model_folder.is_there(version, path):
            raise NoModel(message("model.files_gone", version=version, folder=folder))
        return folder

    def prepare(self, waiting: "Sequence[StoredQuestion]") -> None:
        """The live model's suggestions for these questions, worked out together and stored; people go first."""
        if not waiting:
            return
        model = self.live()
        ranking = self._ranking_of(model)
        questions = [Question(title=q.title, description=q.description, id=str(q.id)) for q in waiting]
        with self._queue.alone(background=True):
            results = model.tagger.suggest(questions, beam=self._beam)
            # Still in its turn: a person who waits for one of these finds it, and does not search again.
            if ranking is None:
                for question, result in zip(waiting, results, strict=True):
                    stored_answer.record(self._store, question.id, result)
                return
            found = [ranking.keep(question.id, result) for question, result in zip(waiting, results, strict=True)]
        # Ranked already, though it will be again when it is served: the orders of the queue go by it.
        for question, decoding in zip(waiting, found, strict=True):
            if decoding is not None:
                ranking.rank(question.id, question.title, question.description, decoding)

    # --- working ahead -----------------------------------------------------------------------------------------------

    def look_ahead(self, order: str) -> None:
        """Somebody works in this order: have the next suggestions ready."""
        self._orders.pop(order, None)
        self._orders[order] = None
        if self._worker is None:
            self._worker = threading.Thread(target=self._work_ahead, name="look-ahead", daemon=True)
            self._worker.start()
        self._wake.set()

    def close(self) -> None:
        """End the work ahead, after the questions it is at; whoever closes the store closes this first."""
        self._closed = True
        self._wake.set()
        if self._worker is not None:
            self._worker.join()
        with self._making:
            if self._ranking is not None:
                self._ranking[1].memory.close()

    def _work_ahead(self) -> None:
        while not self._closed:
            self._wake.wait(timeout=IDLE_SECONDS)
            self._wake.clear()
            try:
                while not self._closed and (self._prepare_some() or self._ask_the_shadow()):
                    pass
            except (L2AError, StoreError) as error:  # people see the same error on their page; this must not end
                log.warning("cannot work ahead: %s", error)
            except Exception:
                log.exception("working ahead failed")

    def _prepare_some(self) -> bool:
        """Suggestions for a few of the next questions; False when there is nothing to do."""
        self.live()  # a store without one gets its first model now
        with self._store.read() as session:
            waiting = suggestions.next_without(session, tuple(self._orders)[-3:], AHEAD)[:AT_ONCE]
        self.prepare(waiting)
        return bool(waiting)

    def _ask_the_shadow(self) -> bool:
        """One question for a candidate that nobody sees, when there is nothing else to do."""
        return shadow.ask_one(self._store, self, self._queue, self._beam)
