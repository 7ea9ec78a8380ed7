"""Values that come from outside, looked at before anything is stored or asked of the database; raises Refused.

A browser can send whatever it likes, and a program may be wrong: neither database may be the one to find out.
"""

from collections.abc import Iterable

from db.errors import Refused
from db.messages import Message

BIGGEST_NUMBER = 2**63 - 1  # a row's number, in both databases
LONGEST_KEY = 200  # characters of an idempotency key
MOST_TAGS = 1_000  # in one decision
LONGEST_TIME = 366 * 24 * 3600.0  # seconds; a page that stays open over the holidays is no mistake
SHOWN = 40  # characters of a bad value in a message


def check_number(number: object, what: str) -> int:
    """The number of a row: `what` is question, person, suggestion, lease, entry or search."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= BIGGEST_NUMBER:
        raise Refused("value.not_a_number", value=short(number), what=Message(f"value.{what}"))
    return number


def check_seconds(seconds: object) -> float | None:
    """The time that a decision took; None where nobody measured it."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not is_time(seconds):
        raise Refused("value.not_seconds", value=short(seconds), longest=LONGEST_TIME)
    return float(seconds)


def is_time(seconds: float) -> bool:
    """Whether a number can be the seconds that a decision took; older versions stored any."""
    return 0 <= seconds <= LONGEST_TIME  # what is no number is not


def check_key(key: object) -> None:
    """An idempotency key: short and printable, so that every database finds it again."""
    if key is not None and not (isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and key.isprintable()):
        raise Refused("value.not_a_key", value=short(key), longest=LONGEST_KEY)


def check_tags(tags: object) -> None:
    """Several tags as they were given; what each may look like is db.tags.names' business."""
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise Refused("value.not_tags", value=short(tags))
    given = list(tags)
    if len(given) > MOST_TAGS:
        raise Refused("value.too_many_tags", count=len(given), most=MOST_TAGS)
    for tag in given:
        if not isinstance(tag, str):
            raise Refused("value.not_a_tag", value=short(tag))


def short(value: object) -> str:
    """A value as a message shows it: a part of it, if it is long."""
    if isinstance(value, int) and abs(value) > BIGGEST_NUMBER:
        written = hex(value)  # Python writes no number of thousands of digits otherwise
    else:
        written = repr(value[:SHOWN] if isinstance(value, str | list | tuple) else value)
    return written if len(written) <= SHOWN else f"{written[:SHOWN]}…"
