"""What memory costs is measured on a store that is filled as it says."""

import pytest

from bench import memory
from db.store import schema
from db.store.engine import Store
from l2a.places import STARTER
from l2a.tagger import Tagger


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    found = f"sqlite:///{tmp_path_factory.mktemp('bench') / 'store.db'}"
    with pytest.MonkeyPatch.context() as patched, Store(found) as store:
        patched.setattr(memory, "SERVED", 10)
        patched.setattr(memory, "EXTRA", 8)
        patched.setattr(memory, "TAGS", 300)
        schema.prepare(store)
        memory.fill(store, 40, STARTER, Tagger.load(STARTER))
    return found


@pytest.mark.parametrize("step", memory.STEPS)
def test_each_step_is_measured(url, tmp_path, step, monkeypatch):
    monkeypatch.setattr(memory, "EXTRA", 8)
    monkeypatch.setattr(memory, "TAGS", 300)
    known = []
    rank = memory.StoreMemory.rank
    monkeypatch.setattr(
        memory.StoreMemory, "rank", lambda self, *asked: (rank(self, *asked), known.append(self.status()))[0]
    )
    found = memory.measure(step, url, tmp_path, STARTER, 40, 5)
    assert all(value >= 0 for what, value in found.items() if "MB" not in what)
    if "rank" in step:
        assert len(known) == 5
        decided = 5 if "decide" in step else 0
        assert (known[-1]["decisions"], known[-1]["ranked_on"]) == (40 + decided, 10)
        assert found["p95_ms"] >= found["p50_ms"] > 0
