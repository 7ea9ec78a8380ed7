"""A made-up tagger and a fresh store for the page tests, and an app that uses them."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.entry import resources

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
            written=count,
            best_hypothesis=rank - 1,
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
    )


@dataclass
class FakeTagger:
    """Answers every question with `result`, or raises it where it is an error; remembers what it was asked."""

    result: object = None
    version: str = "made-up-1"
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
