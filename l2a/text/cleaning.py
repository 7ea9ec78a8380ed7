"""What is taken out of a text before it is cut, and when two spellings count as one."""

import re
import unicodedata
from functools import lru_cache

MAX_CHARACTERS = 20_000  # a question is cut here before segmentation; the model reads far less

_URL = re.compile(
    r"(?:https?|ftp)://[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+"
    r"|www\.[a-z0-9][^\s\u3000-\u9fff\uff00-\uffef]*",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)  # the same words and tags are asked for all the time
def match_key(text: str) -> str:
    """The form under which two spellings count as the same: for comparing only, never for storing.

    NFKC, casefold, control and format characters removed, runs of white space made one space.
    """
    text = unicodedata.normalize("NFKC", _drop_invisible(text, ("Cc", "Cf"))).casefold()
    return _fold_spaces(unicodedata.normalize("NFKC", text))


def clean(text: str) -> str:
    """NFKC, without URLs and control characters, white space folded: what the segmenter reads."""
    # URLs go before NFKC, while a full-width comma or bracket still ends them, and after it, for full-width URLs.
    text = unicodedata.normalize("NFKC", _drop_invisible(_URL.sub(" ", text), ("Cc", "Cf", "Cs")))
    return _fold_spaces(_URL.sub(" ", text))


def join_question(title: str, description: str = "") -> tuple[str, bool]:
    """Title and description as one clean text, and whether it had to be cut at MAX_CHARACTERS."""
    raw = f"{title} {description}" if description else title
    was_cut = len(raw) > MAX_CHARACTERS
    return clean(raw[:MAX_CHARACTERS]), was_cut


def _drop_invisible(text: str, categories: tuple[str, ...]) -> str:
    """Without characters of these Unicode categories; tabs and line ends are control characters too, but stay."""
    return "".join(c for c in text if c.isspace() or unicodedata.category(c) not in categories)


def _fold_spaces(text: str) -> str:
    # Last of all: removing a character can leave two spaces side by side.
    return " ".join(text.split())


def is_word_like(word: str) -> bool:
    """True for a word that carries meaning by itself: it has a letter, a digit or a hanzi."""
    return any(c.isalnum() for c in word)
