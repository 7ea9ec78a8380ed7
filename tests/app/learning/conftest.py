"""A SQLite store of a test's own."""

import pytest

from app.shell.settings import Settings
from app.shell.store import open_store


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path / 'store.db'}", runs=tmp_path / "runs")


@pytest.fixture
def store(settings):
    with open_store(settings) as opened:
        yield opened
