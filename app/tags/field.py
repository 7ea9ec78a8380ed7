"""A field that offers tags while somebody types."""

from collections.abc import Sequence

from app.shell.i18n import Text
from db.tags.search.matching import TagMatch

OFFERED = 8  # while somebody types


def box_data(
    label: str, typed: str, matches: Sequence[TagMatch] | None, text: Text, scheme: str, *, focus: bool = False
) -> dict[str, object]:
    """A field with what it offers; without matches it is a plain text field."""
    return {
        "label": label,
        "text": typed,
        "scheme": scheme,
        "longest": 100,
        "completes": matches is not None,
        "placeholder": text("tags.search_hint") if matches is not None else "",
        "matches": [
            {"name": match.name, "about": _about(match, text)} for match in matches or () if match.name != typed
        ],
        "focus": focus,
    }


def _about(match: TagMatch, text: Text) -> str:
    found_as = f"{match.matched} · " if match.matched != match.name else ""
    return found_as + text("tags.uses", uses=f"{match.uses:,}")
