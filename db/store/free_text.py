"""Comments, reasons and other free text, made fit to be stored: a broken emoji must not cost anybody a decision."""

from db.errors import Refused
from db.messages import Message

LONGEST = {"comment": 5_000, "reason": 1_000, "flag": 200}  # characters of what people write beside their decisions
REDACTED = "[redacted]"  # what stands in the place of a text that was removed for good


def storable(text: str) -> str:
    """Without NUL, which no database keeps, and without outer white space; half of a surrogate pair becomes U+FFFD."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "").strip()


def fit(text: object, what: str) -> str:
    """The comment, reason or flag (`what`) as it is stored; raises Refused for what is no text, or too long a one."""
    if not isinstance(text, str):
        raise Refused("text.not_a_text", what=Message(f"text.{what}"))
    if len(text) > LONGEST[what]:
        raise Refused("text.too_long", what=Message(f"text.{what}"), length=len(text), longest=LONGEST[what])
    return storable(text)


def shown(text: str | None, what: str) -> str:
    """A stored text as pages show it: an older version kept ones of any length."""
    text = text or ""
    return text if len(text) <= LONGEST[what] else f"{text[: LONGEST[what]]}…"
