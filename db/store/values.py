"""Values that come from outside, looked at before anything is stored or asked of the database; raises Refused.

A browser can send whatever it likes, and a program may be wrong: neither database may be the one to find out.
"""

from collections.abc import Iterable

from db.errors import Refused

BIGGEST_NUMBER = 2**63 - 1  # a row's number, in both databases
LONGEST_KEY = 200  # characters of an idempotency key
MOST_TAGS = 1_000  # in one decision
LONGEST_TIME = 366 * 24 * 3600.0  # seconds; a page that stays open over the holidays is no mistake
SHOWN = 40  # characters of a bad value in a message


def check_number(number: object, what: str) -> int:
    """The number of a row: of a question, a lease, a suggestion or an entry."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= BIGGEST_NUMBER:
        raise Refused(f"{short(number)} is not the number of {what}. Nothing was stored.")
    return number


def check_seconds(seconds: object) -> float | None:
    """The time that a decision took; None where nobody measured it."""
    if seconds is None:
        return None
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not is_time(seconds):
        raise Refused(
            f"{short(seconds)} is not a time in seconds: it must be from 0 to {LONGEST_TIME:,.0f}. Nothing was stored."
        )
    return float(seconds)


def is_time(seconds: float) -> bool:
    """Whether a number can be the seconds that a decision took; older versions stored any."""
    return 0 <= seconds <= LONGEST_TIME  # what is no number is not


def check_key(key: object) -> None:
    """An idempotency key: short and printable, so that every database finds it again."""
    if key is not None and not (isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and key.isprintable()):
        raise Refused(
            f"{short(key)} is not an idempotency key: it must be a text of 1 to {LONGEST_KEY} printable characters. "
            "Nothing was stored."
        )


def check_tags(tags: object) -> None:
    """Several tags as they were given; what each may look like is db.tags.names' business."""
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise Refused(f"{short(tags)} is not a list of tags. Nothing was stored.")
    given = list(tags)
    if len(given) > MOST_TAGS:
        raise Refused(f"{len(given):,} tags are too many for one question: at most {MOST_TAGS:,}. Nothing was stored.")
    for tag in given:
        if not isinstance(tag, str):
            raise Refused(f"{short(tag)} is not a tag: a tag is a text. Nothing was stored.")


def short(value: object) -> str:
    """A value as a message shows it: a part of it, if it is long."""
    if isinstance(value, int) and abs(value) > BIGGEST_NUMBER:
        written = hex(value)  # Python writes no number of thousands of digits otherwise
    else:
        written = repr(value[:SHOWN] if isinstance(value, str | list | tuple) else value)
    return written if len(written) <= SHOWN else f"{written[:SHOWN]}…"
