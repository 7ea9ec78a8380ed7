"""Texts in figures: as they are spelled, and not too long for their place."""

import html


def plain(text: str) -> str:
    """Plotly reads a little HTML in its texts: names, tags and words are shown as they are spelled.

    Quotes stay as they are: Plotly would show what HTML writes for them.
    """
    return html.escape(text, quote=False)


def shortened(text: str, longest: int) -> str:
    """With at most `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
