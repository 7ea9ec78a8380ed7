"""Who may see and do what: the one table that the store, pages, callbacks, downloads and commands ask.

docs/operations.md shows it to people; a test holds the two equal.
"""

from db.messages import Message
from db.store.tables import ROLES

_EVERYBODY = ROLES
_RESEARCHERS = ("researcher", "admin")
_ADMINS = ("admin",)

# An action -> the roles that may.
ALLOWED: dict[str, tuple[str, ...]] = {
    "decide about questions": _EVERYBODY,
    "see and take back one's own decisions": _EVERYBODY,
    "look into the model": _EVERYBODY,
    "see the team's totals": _EVERYBODY,
    "look at tags": _EVERYBODY,
    "see how similar questions were decided": _EVERYBODY,
    "see others' labels": _RESEARCHERS,
    "see who did what": _RESEARCHERS,
    "review": _RESEARCHERS,
    "export labels": _RESEARCHERS,
    "import questions": _RESEARCHERS,
    "change tags": _RESEARCHERS,
    "change the queue": _RESEARCHERS,
    "look at trainings": _RESEARCHERS,
    "change models": _ADMINS,
    "change people": _ADMINS,
    "redact": _ADMINS,
    "undo for others": _ADMINS,
}


def allows(role: str, action: str) -> bool:
    """Whether a role may do this; an action that is not in the table is a mistake of the program."""
    return role in ALLOWED[action]


def as_message(action: str) -> Message:
    """The action as the end of a sentence: "li is a moderator; to export labels takes ..."."""
    code = action.replace(" ", "_").replace("'", "")
    return Message(f"action.{code}")


def roles_needed(action: str) -> Message:
    """Who may, as one of them is called: "a researcher or admin"."""
    return Message(f"role.{'_or_'.join(ALLOWED[action])}")
