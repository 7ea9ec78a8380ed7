"""When two spellings of a tag count as one.

The rule is that of the engine (`l2a.text.words.match_key`), written out again because neither package may import the
other; a test holds them equal.
"""

import unicodedata

from db.errors import Refused

LONGEST_TAG = 100  # characters of a new tag or spelling, wherever it is named; older ones may be longer
MAX_KEY_BYTES = 2_000  # PostgreSQL indexes no more than 2,700 bytes


def tag_key(text: str) -> str:
    """NFKC, casefold, control and format characters removed, runs of white space made one space."""
    visible = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return " ".join(folded.split())


def clean_tag(text: str) -> str:
    """A tag as it is stored: without control characters, which no format and no database keeps, and outer spaces."""
    return " ".join("".join(c for c in text if c.isspace() or unicodedata.category(c) != "Cc").split())


def check_tag(text: str) -> str:
    """The tag as it is stored; raises Refused for one that could not be stored or would be empty."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refused("tag.broken_emoji", tag=repr(text[:40])) from error
    key = tag_key(text)
    if not key:
        raise Refused("tag.nothing_left", tag=repr(text[:40]))
    if len(key.encode()) > MAX_KEY_BYTES:
        raise _too_long(text)
    return clean_tag(text)


def check_new_tag(text: str) -> str:
    """As `check_tag`, for a name that is to be made; raises Refused for a sentence where a tag should be."""
    name = check_tag(text)
    if len(name) > LONGEST_TAG:
        raise _too_long(name)
    return name


def _too_long(text: str) -> Refused:
    return Refused("tag.too_long", start=text[:20], length=len(text), most=LONGEST_TAG)
