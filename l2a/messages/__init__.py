"""What the engine says to people: every message by its code, in English and Chinese, one module a subject.

Errors (`l2a.errors`) and notes carry a `Message`; `str` renders English, `in_language` any of the two.
"""

from collections.abc import Mapping

from l2a.messages import evidence, experiments, files, foreign, models, questions, rows, settings, simulation, training
from l2a.messages.message import Message, say

CATALOGUE: Mapping[str, Mapping[str, str]] = {
    **evidence.TEXTS,
    **experiments.TEXTS,
    **files.TEXTS,
    **foreign.TEXTS,
    **models.TEXTS,
    **questions.TEXTS,
    **rows.TEXTS,
    **settings.TEXTS,
    **simulation.TEXTS,
    **training.TEXTS,
}

__all__ = ["CATALOGUE", "Message", "say"]
