"""L2A_PROMOTE=better: a candidate goes live by itself only over the version it was compared with."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from app.learning.gate import Comparison
from app.learning.recipe import Options
from app.learning.worker import Work
from db import people
from db.errors import Refused
from db.models import registry, training_runs
from tests.learning_store import make_live, run_of

BETTER = Comparison("better", 250, {}, {}, 0.05, (0.01, 0.09), ())


@pytest.fixture
def chen(store) -> int:
    return store.run(lambda session: people.add(session, "chen", "admin")).id


@pytest.fixture
def work(settings, store, chen, tmp_path, monkeypatch) -> Work:
    """A run whose training and gate take no time: its candidate is v2, better than v1, which is live."""
    (tmp_path / "v1").mkdir()
    make_live(store, "v1", str(tmp_path / "v1"), chen)
    run = store.run(lambda session: training_runs.begin(session, chen, Options().to_dict()))
    work = Work(replace(settings, promote="better"), store, run.id)
    monkeypatch.setattr(work, "_take_snapshot", lambda: SimpleNamespace(hash="abc", train=3, last_entry=0))
    monkeypatch.setattr(work, "_train", lambda live, questions: "v2")
    monkeypatch.setattr(work, "_compare", lambda *given: BETTER)
    return work


def live(store) -> str:
    with store.read() as session:
        return registry.live(session).version


def test_a_better_candidate_goes_live_over_what_it_was_compared_with(store, work):
    work.do()
    assert live(store) == "v2"


def test_it_does_not_take_the_place_of_what_an_admin_promoted_meanwhile(store, work, chen, monkeypatch):
    def compare(*given):
        make_live(store, "v3", "models/v3", chen)  # in a session of the admin's own
        return BETTER

    monkeypatch.setattr(work, "_compare", compare)
    work.do()
    assert live(store) == "v3"
    run = run_of(store, 1)
    assert (run.state, run.candidate) == ("finished", "v2")


def test_nothing_is_trained_from_files_that_are_another_version(store, work, tmp_path):
    (tmp_path / "v1" / "config.json").write_text('{"kind": "l2a-tagger", "version": "v7"}')
    with pytest.raises(Refused, match="The files of v1, which is live, are gone"):
        work.do()


def test_a_candidate_that_went_live_meanwhile_is_not_compared_with_itself(store, work, chen, monkeypatch, tmp_path):
    (tmp_path / "v2").mkdir()
    make_live(store, "v2", str(tmp_path / "v2"), chen)
    monkeypatch.setattr(work, "_compare", lambda *given: pytest.fail("compared with itself"))
    with pytest.raises(Refused, match="v2 is live by now, so there is nothing to compare it with"):
        work.do()


def test_a_comparison_that_is_better_now_promotes_as_a_training_would(store, work, chen, monkeypatch):
    """Too few decisions when the training ended; then there were enough."""
    monkeypatch.setattr(work, "_compare", lambda *given: replace(BETTER, verdict="too few decisions"))
    work.do()
    assert live(store) == "v1"
    store.run(lambda session: training_runs.compare_again(session, work.run_id, chen))
    monkeypatch.setattr(work, "_compare", lambda *given: BETTER)
    work.do()
    assert live(store) == "v2"
