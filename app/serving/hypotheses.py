"""Hypotheses between the engine and the store, for whoever searches ahead of the need."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from db.models import decodings
from db.store.engine import Store

if TYPE_CHECKING:
    from l2a.suggestions import Hypothesis


def find(store: Store, question_id: int, version: str, beam: int) -> "list[Hypothesis] | None":
    """What a registered version found for a question with so many hypotheses; None where it was not asked."""
    from l2a.suggestions import Hypothesis

    with store.read() as session:
        stored = decodings.find(session, question_id, version, beam)
    return None if stored is None else [Hypothesis(*one) for one in stored.hypotheses]


def keep(store: Store, question_id: int, version: str, beam: int, found: "Sequence[Hypothesis]") -> None:
    """Nothing is kept of a question that was redacted meanwhile."""
    rows = [(one.tags, one.log_probability, one.order) for one in found]
    store.run(lambda session: decodings.record(session, question_id, version, beam, rows))
