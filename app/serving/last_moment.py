"""Decode once, rank at the last moment: hypotheses are stored ahead, and what is suggested is worked out from them when
the question is put before somebody, with everything decided up to then.

Only for models with a ranker. A memory that fails keeps no question from being served: it is ranked without.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.memory.apart import open_encoder
from app.memory.cache import Cache, folder_for
from app.memory.store_memory import NotReady, StoreMemory
from app.serving import stored_answer
from db.models import decodings, suggestions
from db.models.decodings import StoredDecoding
from db.models.suggestions import StoredSuggestion
from db.store.engine import Store
from l2a.data.questions import Question

if TYPE_CHECKING:
    from l2a.suggestions import Hypothesis, Suggestions
    from l2a.tagger import Tagger

log = logging.getLogger(__name__)


class LastMoment:
    """Ranks for one model, which has a ranker."""

    def __init__(
        self,
        store: Store,
        tagger: "Tagger",
        beam: int | None,
        folder: Path | None = None,
        encoder: Path | None = None,
    ):
        """folder: where memory is kept between two starts; None: see `folder_for`. encoder: folder of one of sentences,
        for those who have one."""
        self._store, self._tagger = store, tagger
        self._beam = tagger.settings_with(beam).beam
        cache = Cache(folder or folder_for(store), store, tagger.version)
        self.memory = StoreMemory(store, tagger, cache, open_encoder(encoder))

    def stored(self, question_id: int) -> StoredSuggestion | None:
        """The newest suggestion, where it knows all that was decided up to now."""
        found = self._newest(question_id)
        if found is None:
            return None
        number = self._number()
        return found if number in (None, found.ledger_number or 0) else None

    def decoding(self, question_id: int) -> StoredDecoding | None:
        with self._store.read() as session:
            return decodings.find(session, question_id, self._tagger.version, self._beam)

    def keep(self, question_id: int, found: "Suggestions") -> StoredDecoding | None:
        """Store the hypotheses that were found; None where nothing may be kept of the question."""
        hypotheses = [(one.tags, one.log_probability, one.order) for one in found.hypotheses]

        def work(session) -> int | None:
            return decodings.record(session, question_id, self._tagger.version, self._beam, hypotheses)

        number = self._store.run(work)
        return None if number is None else StoredDecoding(number, tuple(hypotheses))

    def rank(self, question_id: int, title: str, description: str, decoding: StoredDecoding) -> StoredSuggestion:
        """Suggestions with what is known now, stored."""
        from l2a.suggestions import Hypothesis

        hypotheses = [Hypothesis(*one) for one in decoding.hypotheses]
        answer, number = self._ranked(question_id, title, description, hypotheses)
        return stored_answer.record(
            self._store, question_id, answer, decoding_id=decoding.id, ledger_number=number or None
        )

    def _ranked(
        self, question_id: int, title: str, description: str, hypotheses: "Sequence[Hypothesis]"
    ) -> "tuple[Suggestions, int]":
        try:
            return self.memory.rank(question_id, title, description, hypotheses, self._beam)
        except NotReady as error:
            log.warning("question %d is ranked without what was decided here: %s", question_id, error)
        except Exception:
            log.exception("question %d is ranked without what was decided here", question_id)
        read = self._tagger.read(Question(title=title, description=description, id=str(question_id)))
        return self._tagger.rank(read, hypotheses, beam=self._beam), 0

    def _number(self) -> int | None:
        """The newest line that memory knows; None where it cannot say: what is stored knows more than nothing."""
        try:
            return self.memory.catch_up()
        except NotReady as error:
            log.warning("memory cannot catch up: %s", error)
        except Exception:
            log.exception("memory cannot catch up")
        return None

    def _newest(self, question_id: int) -> StoredSuggestion | None:
        with self._store.read() as session:
            found = suggestions.fresh(session, question_id)
        if found is None or found.mixed_votes:
            return None
        return found if (found.model_version, found.beam) == (self._tagger.version, self._beam) else None
