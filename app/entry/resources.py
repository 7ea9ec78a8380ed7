"""What all sessions share, each made once: the only calls of cache_resource."""

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.emerging.search import EmergingSearch
from app.places import SAMPLES
from app.serving import model_folder
from app.serving.suggester import Suggester
from app.shell import session
from app.shell.settings import Settings
from app.shell.store import open_store
from app.transfer.importer import import_file
from db.figures import statistics as stats
from db.store.engine import Store
from db.tags.duplicates import DuplicateSearch
from db.tags.search.index import TagSearch

if TYPE_CHECKING:
    from l2a.tagger import Tagger


def load_tagger(folder: Path, decoder: str = "auto") -> "Tagger":
    """The tagger in a model folder; raises l2a.errors.CheckpointError, or SettingsError for the decoder."""
    import torch  # here and not above: seconds before the first page shows

    from l2a.tagger import Tagger

    # Threads of one search wait for each other; on cores that also serve pages that costs more than it gains.
    torch.set_num_threads(max(1, (os.cpu_count() or 2) // 2))
    return Tagger.load(folder, decoder=decoder)


@st.cache_resource(show_spinner=False)
def load_store(settings: Settings) -> Store:
    """The store, with its tables; a new one begins with the sample questions. Raises db.errors.StoreError.

    A failure is not kept: the next visit tries again.
    """
    store = open_store(settings)
    with store.read() as session:
        is_new = not stats.has_questions(session)
    if is_new and SAMPLES.is_file():
        import_file(store, str(SAMPLES), source="samples", skip_bad=True)
    model_folder.offer(store, settings.model, settings.model_update)  # an update of the program may have brought it
    return store


@st.cache_resource(show_spinner=False)
def load_suggester(settings: Settings) -> Suggester:
    """The shared model; the folder is read at the first question."""
    return Suggester(
        load_store(settings),
        lambda folder: load_tagger(folder, settings.decoder),
        settings.model,
        settings.beam,
        check=session.end_if_unwanted,
        update=settings.model_update,
        encoder=settings.encoder,
    )


@st.cache_resource(show_spinner=False)
def load_tag_search(settings: Settings) -> TagSearch:
    search = TagSearch(load_store(settings))
    # Built before anybody types: the first letter should not wait for dictionaries.
    threading.Thread(target=search.search, args=("",), name="tag-index", daemon=True).start()
    return search


@st.cache_resource(show_spinner=False)
def load_duplicates(settings: Settings) -> DuplicateSearch:
    """Compares the tags when it is first asked."""
    return DuplicateSearch(load_store(settings), load_tag_search(settings))


@st.cache_resource(show_spinner=False)
def load_emerging(settings: Settings) -> EmergingSearch:
    """Looks for names when it is first asked."""
    return EmergingSearch(load_store(settings), lambda: load_suggester(settings).tagger())
