"""The tags whose writing is looked at: whose they are, and which of them a model can write."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from app.attention.address import split_tags
from app.attention.choices import ChosenModel, choose_side_by_side
from app.entry.frame import Here
from app.entry.labels_seen import OTHERS, snapshot
from app.entry.question_choice import ChosenQuestion
from app.serving.suggester import Suggester
from app.shell.session import ATTENTION_TAGS as TAGS
from app.shell.session import ATTENTION_TAGS_FROM as TAGS_FROM
from app.shell.session import text
from app.shell.widgets import plain
from db.ledger import labels

if TYPE_CHECKING:
    from l2a.tagger import Suggestions, Tagger

TAG_SOURCES = ("model", "decisions", "typed")


def writable(tagger: "Tagger", title: str, description: str, tags: Sequence[str]) -> tuple[list[str], list[str]]:
    """(tags this model can write for this question, those it cannot). Raises InputError for a text without words."""
    from l2a.data.questions import Question

    extra = tagger.encode(Question(title=title, description=description)).extra_words
    can = [tag for tag in tags if tagger.codec.can_write(tag, extra)]
    return can, [tag for tag in tags if tag not in can]


def choose_tags(here: Here, question: ChosenQuestion, decode: Callable[[], "Suggestions"]) -> list[str]:
    """The tags whose writing is looked at; empty after saying why there are none."""
    names = {source: text(f"attention.{source}") for source in TAG_SOURCES}
    with st.container(horizontal=True):
        source = choose_side_by_side("attention.tags_from", names, TAGS_FROM)
        if source == "typed":
            st.session_state.setdefault(TAGS, "")
            tags = split_tags(st.text_input(text("attention.tags"), key=TAGS, persist_state="session", max_chars=500))
        else:
            tags, note = _decided(here, question) if source == "decisions" else _suggested(decode)
            with st.container(gap="xsmall"):
                st.caption(note)
                st.text("、".join(tags))
    if source == "typed" and not tags:
        st.info(text("attention.no_tags"))
    return tags


def leave_out_unwritable(
    suggester: Suggester, question: ChosenQuestion, tags: Sequence[str], model: ChosenModel
) -> list[str]:
    """The tags this model can write here; names the others."""
    can, cannot = writable(suggester.tagger(model.folder), question.title, question.description, tags)
    if cannot:
        st.warning(plain(text("attention.cannot", version=model.version, tags="、".join(cannot))))
    return can


def _suggested(decode: Callable[[], "Suggestions"]) -> tuple[list[str], str]:
    with st.spinner(text("attention.working")):
        result = decode()
    if result.kept:
        return [tag.tag for tag in result.kept], text("attention.tags_kept")
    best = [hypothesis.tags for hypothesis in result.hypotheses if hypothesis.tags][:1]
    return (list(best[0]), text("attention.not_kept")) if best else ([], text("attention.no_model_tags"))


def _decided(here: Here, question: ChosenQuestion) -> tuple[list[str], str]:
    """What was decided, as the history page would show it to this visitor, or else what the question came with."""
    if question.id is None:
        return [], text("attention.only_stored")
    sees_all = here.may(OTHERS)
    with here.store.read() as reading:
        decided = snapshot(reading, question.id, None, {}, here.visitor, sees_all=sees_all)
        prior = labels.look_at(reading, question.id).prior_tags
    if decided is not None and decided.tags:
        return list(decided.tags), text("attention.tags_decided" if sees_all else "attention.tags_own")
    if prior:
        return list(prior), text("attention.prior" if sees_all else "attention.prior_own")
    return [], text("attention.no_decision" if sees_all else "attention.no_own_decision")
