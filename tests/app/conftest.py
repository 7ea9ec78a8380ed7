"""A made-up tagger for the page tests, and an app that uses it."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app import resources

ROOT = Path(__file__).resolve().parents[2]


def make_result(*votes: tuple[str, int], beam: int = 8, threshold: float = 0.25, notes: tuple = ()):
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
        )
        for rank, (tag, count) in enumerate(votes, start=1)
    )
    return SimpleNamespace(
        suggestions=suggestions,
        kept=tuple(suggestion for suggestion in suggestions if suggestion.kept)[:5],
        hypotheses=tuple(SimpleNamespace(tags=(s.tag,), log_probability=-float(s.rank)) for s in suggestions),
        beam=beam,
        threshold=threshold,
        model_version="made-up-1",
        notes=notes,
    )


@dataclass
class FakeTagger:
    """Answers every question with `result`, or raises it where it is an error; remembers what it was asked."""

    result: object = None
    asked: list = field(default_factory=list)
    beams: list = field(default_factory=list)

    def suggest(self, questions, *, beam=None, threshold=None):
        self.asked += questions
        self.beams.append(beam)
        if isinstance(self.result, Exception):
            raise self.result
        return [self.result for _ in questions]


@pytest.fixture(autouse=True)
def _empty_caches():
    """Resources outlive a test otherwise."""
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.fixture
def tagger(monkeypatch, tmp_path) -> FakeTagger:
    """The tagger that the app will find in its model folder."""
    fake = FakeTagger(make_result(("编程语言", 7), ("学习路线*", 4), ("生活", 1)))
    monkeypatch.setenv("L2A_MODEL", str(tmp_path))
    monkeypatch.setattr(resources, "load_tagger", lambda folder: fake)
    return fake


@pytest.fixture
def open_app(monkeypatch):
    """Call it for a page that has run once, in Chinese unless told otherwise."""

    def open_page(language: str = "zh") -> AppTest:
        monkeypatch.setenv("L2A_LANGUAGE", language)
        return AppTest.from_file(ROOT / "app" / "main.py", default_timeout=30).run()

    return open_page
