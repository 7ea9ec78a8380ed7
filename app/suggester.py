"""The shared model behind one lock: sessions take turns.

Two searches at once on the same cores take as long as one after the other, and the first one waits for both.
"""

import threading
from typing import TYPE_CHECKING

from l2a.data import Question

if TYPE_CHECKING:
    from l2a.tagger import Suggestions, Tagger


class Suggester:
    """A tagger that many sessions may call."""

    def __init__(self, tagger: "Tagger"):
        self._tagger = tagger
        self._lock = threading.Lock()

    def suggest(self, title: str, description: str = "", *, beam: int | None = None) -> "Suggestions":
        """Suggestions for one question; None as `beam` means the model's own. Raises l2a.errors.L2AError."""
        with self._lock:
            (result,) = self._tagger.suggest([Question(title=title, description=description)], beam=beam)
        return result
