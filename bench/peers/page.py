"""A page to read: every n-th question with its own tags and what each method gives it, right ones marked."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from l2a.data.questions import Question
from l2a.text.cleaning import match_key

_STYLE = """
body { font: 15px/1.6 system-ui, "Noto Sans CJK SC", sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color-scheme: light dark; }
h2 { font-size: 1.05rem; margin: 2rem 0 .2rem; }
p { margin: .2rem 0 .6rem; opacity: .75; }
td { padding: .1rem .8rem .1rem 0; vertical-align: top; }
td:first-child { white-space: nowrap; opacity: .7; }
b { color: #0f7b53; } b::before { content: "\\2713\\00a0"; }
"""
_LONGEST = 300  # characters of a description that are shown


def write_page(path: Path, questions: Sequence[Question], answers: Mapping[str, Sequence[Sequence[str]]], every: int):
    """answers: method -> the tags it keeps for each of `questions`."""
    parts = [f"<!doctype html><meta charset=utf-8><title>Side by side</title><style>{_STYLE}</style>"]
    parts.append(f"<h1>Every {every}th of {len(questions):,} questions</h1>")
    for place in range(0, len(questions), every):
        question = questions[place]
        own = {match_key(tag) for tag in question.tags}
        parts.append(f"<h2>{place + 1}. {html.escape(question.title)}</h2>")
        if question.description:
            parts.append(f"<p>{html.escape(question.description[:_LONGEST])}</p>")
        rows = [("its own tags", "、".join(map(html.escape, question.tags)))]
        rows += [(name, _marked(found[place], own)) for name, found in answers.items()]
        parts.append(
            "<table>" + "".join(f"<tr><td>{html.escape(a)}</td><td>{b}</td></tr>" for a, b in rows) + "</table>"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _marked(tags: Sequence[str], own: set[str]) -> str:
    shown = (f"<b>{html.escape(tag)}</b>" if match_key(tag) in own else html.escape(tag) for tag in tags)
    return "、".join(shown) or "–"
