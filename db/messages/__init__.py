"""What the store says to people: every message by its code, in English and Chinese, one module a subject.

Errors (`db.errors`) and notes carry a `Message`; `str` renders English, `in_language` any of the two.
"""

from collections.abc import Mapping

from db.messages import ledger, models, people, queue, store, tags, transfer
from db.messages.message import Message, say

CATALOGUE: Mapping[str, Mapping[str, str]] = {
    **store.MESSAGES,
    **ledger.MESSAGES,
    **queue.MESSAGES,
    **people.MESSAGES,
    **tags.MESSAGES,
    **models.MESSAGES,
    **transfer.MESSAGES,
}

__all__ = ["CATALOGUE", "Message", "say"]
