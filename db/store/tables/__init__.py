"""The tables. What each is for stands in its docstring; how they are used stands in the module named there.

Tags inside decisions, suggestions and prior labels are kept as they were written, with their `key`
(db.spellings.names). Which tag a key means is asked of `tag_names` when labels are read, so that renaming, merging and
splitting never touch a decision, and can be taken back.
"""

from db.store.tables.base import Base
from db.store.tables.ledger import ENTRY_KINDS, STANDINGS, VERDICTS, Comment, Entry, Verdict
from db.store.tables.models import (
    MODEL_STATES,
    RUN_STATES,
    Decoding,
    ModelVersion,
    SuggestedTag,
    Suggestion,
    TrainingRun,
)
from db.store.tables.people import ROLES, Person, Setting
from db.store.tables.questions import IMPORT_STATES, Import, PriorLabel, Question
from db.store.tables.queue import (
    LEASE_STATES,
    NO_TAGS,
    PICKS,
    POOLS,
    QUEUE_ORDERS,
    Lease,
    QueueCount,
    QueueItem,
    QueueTag,
)
from db.store.tables.tags import TAG_STATES, DistinctTags, RefusedName, Tag, TagChange, TagName

__all__ = [
    "ENTRY_KINDS",
    "IMPORT_STATES",
    "LEASE_STATES",
    "MODEL_STATES",
    "NO_TAGS",
    "PICKS",
    "POOLS",
    "QUEUE_ORDERS",
    "ROLES",
    "RUN_STATES",
    "STANDINGS",
    "TAG_STATES",
    "VERDICTS",
    "Base",
    "Comment",
    "Decoding",
    "DistinctTags",
    "Entry",
    "Import",
    "Lease",
    "ModelVersion",
    "Person",
    "PriorLabel",
    "Question",
    "QueueCount",
    "QueueItem",
    "QueueTag",
    "RefusedName",
    "Setting",
    "SuggestedTag",
    "Suggestion",
    "Tag",
    "TagChange",
    "TagName",
    "TrainingRun",
    "Verdict",
]
