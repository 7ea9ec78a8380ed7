"""A made-up tagger and a fresh store for the page tests, and an app that uses them."""

import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from app.entry import resources
from db.store import schema
from db.store.engine import Store

ROOT = Path(__file__).resolve().parents[2]
BEAM, THRESHOLD = 8, 0.25


def make_result(*votes: tuple[str, int], beam: int = BEAM, threshold: float = THRESHOLD, notes: tuple = ()):
    """A result in which tags got `votes`; a tag that ends in * is new (the star is taken off)."""
    suggestions = tuple(
        SimpleNamespace(
            tag=tag.rstrip("*"),
            votes=count,
            share=count / beam,
            rank=rank,
            probability=count / beam / 2,
            kept=count > threshold * beam,
            is_new=tag.endswith("*"),
            cues=(tag[:2],),
            best_hypothesis=rank - 1,
            chance=None,
            findings=(),
            figures={},
        )
        for rank, (tag, count) in enumerate(votes, start=1)
    )
    return SimpleNamespace(
        suggestions=suggestions,
        kept=tuple(suggestion for suggestion in suggestions if suggestion.kept)[:5],
        hypotheses=tuple(
            SimpleNamespace(tags=(s.tag,), log_probability=-float(s.rank), order="order1") for s in suggestions
        ),
        beam=beam,
        threshold=threshold,
        model_version="made-up-1",
        notes=notes,
        cut=None,
        shown=tuple(suggestion for suggestion in suggestions if suggestion.kept or suggestion.share > 0.05)[:10],
        precedents=(),
    )


@dataclass
class FakeTagger:
    """Answers every question with `result`, or raises it where it is an error; remembers what it was asked."""

    result: object = None
    version: str = "made-up-1"
    prior: None = None  # it has no ranker: tags are ordered by votes
    asked: list = field(default_factory=list)
    beams: list = field(default_factory=list)

    def suggest(self, questions, *, beam=None, threshold=None, **_):
        self.asked += questions
        self.beams.append(beam)
        if isinstance(self.result, Exception):
            raise self.result
        return [self.result for _ in questions]

    def settings_with(self, beam=None, threshold=None):
        return SimpleNamespace(beam=beam or BEAM, threshold=threshold or THRESHOLD)


@pytest.fixture(scope="session")
def made_tables(tmp_path_factory) -> Path:
    """A SQLite store with its tables and nothing in them."""
    path = tmp_path_factory.mktemp("made") / "store.db"
    with Store(f"sqlite:///{path}") as store:
        schema.prepare(store)
    return path


# What the program's files say does not change while tests run.
_newest_revision, _known_revisions = cache(schema.newest_revision), cache(schema.known_revisions)
_scan = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def _tables_are_copied(monkeypatch, made_tables):
    """Migrating a new store through all revisions takes longer than most tests; that it works is tested in tests/db."""
    migrate = schema.migrate

    def copy(store, to="head", **options):
        if to != "head" or store.path is None or schema.current_revision(store) != schema.EMPTY:
            return migrate(store, to, **options)
        with closing(sqlite3.connect(made_tables)) as made, closing(sqlite3.connect(store.path)) as new:
            made.backup(new)
        return None

    monkeypatch.setattr(schema, "migrate", copy)
    monkeypatch.setattr(schema, "newest_revision", _newest_revision)
    monkeypatch.setattr(schema, "known_revisions", _known_revisions)


@pytest.fixture(autouse=True)
def _components_are_found_once(monkeypatch):
    """Every page under test would read what all installed packages say of themselves."""
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", _scan)


@pytest.fixture(autouse=True)
def _empty_caches():
    """Resources outlive a test otherwise."""
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def _nobody_works_ahead(monkeypatch):
    """A background thread would outlive its test, and its store."""
    monkeypatch.setattr("app.serving.suggester.Suggester.look_ahead", lambda self, order: None)


@pytest.fixture
def store_url(monkeypatch, tmp_path) -> str:
    """A store of the test's own, which the app opens."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    return url


@pytest.fixture
def tagger(monkeypatch, tmp_path, store_url) -> FakeTagger:
    """The tagger that the app will find in its model folder."""
    fake = FakeTagger(make_result(("编程语言", 7), ("学习路线*", 4), ("生活", 1)))
    folder = tmp_path / "model"
    folder.mkdir()
    monkeypatch.setenv("L2A_MODEL", str(folder))
    monkeypatch.setattr(resources, "load_tagger", lambda folder, decoder: fake)
    return fake


@pytest.fixture
def open_app(monkeypatch, store_url):
    """Call it for the first page, run once, in Chinese unless told otherwise, as a person called chen."""

    def open_page(language: str = "zh", person: str = "chen") -> AppTest:
        monkeypatch.setenv("L2A_LANGUAGE", language)
        page = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=30)
        page.session_state["as"] = person
        return page.run()

    return open_page


@pytest.fixture(autouse=True)
def _main_module_stays():
    """A page that is run takes the place of `__main__`, and processes that a later test starts would run it again."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
