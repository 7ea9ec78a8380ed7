"""What the models say on the attention page, each asked once a visit: moving a control does not ask again."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from app.attention.choices import ChosenModel
from app.attention.tags import leave_out_unwritable
from app.entry.frame import Here
from app.entry.hint_words import shown_words
from app.entry.question_choice import ChosenQuestion
from app.shell.memory import remember
from app.shell.session import ATTENTION_KNOWN as KNOWN

if TYPE_CHECKING:
    from l2a.explain import Explanation, Occlusion
    from l2a.tagger import Suggestions

Answer = TypeVar("Answer")


def decode(here: Here, model: ChosenModel, question: ChosenQuestion) -> "Suggestions":
    call = partial(here.suggester.decode, question.title, question.description, folder=model.folder)
    return _once(call, "decode", model, question)


def explain(here: Here, model: ChosenModel, question: ChosenQuestion, tags: Sequence[str]) -> "Explanation | None":
    """This model's attention for the tags it can write; None, and a word about it, if there are none."""
    written = tuple(leave_out_unwritable(here.suggester, question, tags, model))
    if not written:
        return None
    call = partial(here.suggester.explain, question.title, question.description, written, folder=model.folder)
    found = _once(call, "explain", model, question, written)
    return replace(found, source_words=shown_words(found.source_words))


def occlude(
    here: Here, model: ChosenModel, question: ChosenQuestion, tags: tuple[str, ...], tag: int, how: str
) -> "Occlusion":
    """`tag`: the place of the one whose words are taken away."""
    call = partial(here.suggester.occlude, question.title, question.description, tags, tag, how, folder=model.folder)
    return _once(call, "occlude", model, question, tags, tag, how)


def _once(
    call: Callable[[], Answer], name: str, model: ChosenModel, question: ChosenQuestion, *rest: Hashable
) -> Answer:
    known = st.session_state.setdefault(KNOWN, {})
    return remember(known, (name, model.version, question.title, question.description, *rest), call)
