"""Parts of pages that are more than one Streamlit call; what they draw as HTML is styled in style.css."""

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from app import session
from app.i18n import LANGUAGES

if TYPE_CHECKING:
    from l2a.tagger import Hypothesis, Suggestion


def header() -> None:
    """The name of the program and the language switch."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.html('<div class="l2a-name">L2A <span>Studio</span></div>', width="content")
        st.segmented_control(
            session.text("app.language"),
            list(LANGUAGES),
            required=True,
            format_func=LANGUAGES.get,
            key=session.LANGUAGE,
            on_change=session.keep_language,
            label_visibility="collapsed",
        )


def quoted_title(title: str) -> None:
    """The title a result was made for, exactly as written: not read as Markdown."""
    st.html(f'<div class="l2a-question">{html.escape(title)}</div>')


def suggestion_list(suggestions: Sequence["Suggestion"], *, beam: int, threshold: float) -> None:
    """Tags best first: name, votes as a bar with a mark at the threshold, share, probability, cue words."""
    rows = "".join(_suggestion_row(suggestion, beam, threshold) for suggestion in suggestions)
    st.html(f'<ol class="l2a-tags">{rows}</ol>')


def hypothesis_table(hypotheses: Sequence["Hypothesis"]) -> None:
    """The N-best list: rank, tags in the order they were written, log-probability."""
    rows = "".join(
        f"<tr><td>{rank}</td><td>{_chips(hypothesis.tags)}</td><td>{hypothesis.log_probability:.2f}</td></tr>"
        for rank, hypothesis in enumerate(hypotheses, start=1)
    )
    names = ("nbest.rank", "nbest.tags", "nbest.log_probability")
    heads = "".join(f'<th scope="col">{html.escape(session.text(name))}</th>' for name in names)
    st.html(
        f'<div class="l2a-scroll"><table class="l2a-nbest"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def plain(message: str) -> str:
    """A text to be shown as it is where Streamlit would read it as Markdown."""
    return re.sub(r"([\\`*_\[\]<>$~#|])", r"\\\1", message)


def percent(share: float) -> str:
    """A share of 1 as a percentage: 0.25 -> 25%, and one digit more under 10% so that small ones differ."""
    return f"{share:.0%}" if share >= 0.0995 or share == 0 else f"{share:.1%}"


def _suggestion_row(suggestion: "Suggestion", beam: int, threshold: float) -> str:
    new = ""
    if suggestion.is_new:
        hint = html.escape(session.text("result.new_hint"), quote=True)
        new = f'<span class="l2a-new" title="{hint}">{html.escape(session.text("result.new"))}</span>'
    facts = [
        session.text("result.share", share=percent(suggestion.share)),
        session.text("result.probability", probability=percent(suggestion.probability)),
    ]
    details = "".join(f"<span>{html.escape(fact)}</span>" for fact in facts)
    if suggestion.cues:
        words = "".join(f"<em>{html.escape(cue)}</em>" for cue in suggestion.cues)
        details += f'<span class="l2a-cues">{html.escape(session.text("result.cues"))} {words}</span>'
    votes = html.escape(session.text("result.votes", votes=suggestion.votes, beam=beam))
    return (
        f'<li><div class="l2a-head"><span class="l2a-tag">{html.escape(suggestion.tag)}</span>{new}'
        f'<span class="l2a-votes">{votes}</span></div>'
        f'<div class="l2a-bar"><i style="width:{_width(suggestion.share)}"></i>'
        f'<b style="left:{_width(threshold)}"></b></div>'
        f'<div class="l2a-facts">{details}</div></li>'
    )


def _chips(tags: Sequence[str]) -> str:
    if not tags:
        return f"<small>{html.escape(session.text('nbest.empty'))}</small>"
    return "".join(f'<span class="l2a-chip">{html.escape(tag)}</span>' for tag in tags)


def _width(share: float) -> str:
    return f"{100 * min(1.0, max(0.0, share)):.1f}%"
