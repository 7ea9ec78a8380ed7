"""What all sessions share, each loaded once: the only calls of cache_resource."""

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.settings import ROOT
from app.suggester import Suggester
from l2a.data import Question, read_questions
from l2a.errors import InputError

if TYPE_CHECKING:
    from l2a.tagger import Tagger

SAMPLES = ROOT / "samples" / "questions.jsonl"


def load_tagger(folder: Path) -> "Tagger":
    """The tagger in a model folder; raises l2a.errors.CheckpointError."""
    from l2a.tagger import Tagger  # here and not above: it brings torch in, seconds before the first page shows

    return Tagger.load(folder)


@st.cache_resource(show_spinner=False)
def load_suggester(folder: Path) -> Suggester:
    """The shared suggester for a model folder. A failure is not kept: the next visit tries again."""
    return Suggester(load_tagger(folder))


@st.cache_resource(show_spinner=False)
def load_samples() -> tuple[Question, ...]:
    """The sample questions; none where the file is missing or damaged, for the page works without them."""
    try:
        return tuple(read_questions(SAMPLES, skip_bad=True))
    except InputError:
        return ()
