"""The dashboard's panels about learning, on a store with a tiny model that has a ranker."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.serving.suggester import Suggester
from app.shell.settings import Settings
from app.shell.store import open_store
from app.transfer.importer import import_file
from db.ledger import entries as ledger
from db.models import registry
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from l2a.checkpoint import save_tagger
from l2a.tagger import Tagger
from tests.app.conftest import ROOT
from tests.app.memory.conftest import WEIGHTS
from tests.l2a.ranking.priors import prior_of
from tests.learning_store import make_live

PAGE = "../pages/dashboard.py"
DECISIONS, BEAM, OPEN = 36, 4, 5


@pytest.fixture(scope="module")
def model(tiny_tagger, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("ranking") / "model"
    save_tagger(replace(tiny_tagger, prior=prior_of(WEIGHTS)), folder)
    return folder


@pytest.fixture(scope="module")
def filled(model, samples_path, tmp_path_factory) -> Path:
    """A store in which li answered questions, half of them at random: what the samples say was accepted or added, the
    rest that was shown rejected. Some more were looked at and put back."""
    path = tmp_path_factory.mktemp("filled") / "store.db"
    with open_store(Settings(database=f"sqlite:///{path}")) as store:
        chen, li = local_visitor(store, "chen").id, local_visitor(store, "li").id
        store.run(lambda session: set_shares(session, Shares(0.5, 0.0), by=chen))
        import_file(store, str(samples_path), source="samples", skip_bad=True)
        make_live(store, Tagger.load(model).version, str(model), chen)
        suggester = Suggester(store, Tagger.load, model, BEAM, memory=path.parent / "memory")
        for place in range(DECISIONS + OPEN):
            claim = store.run(lambda session: queue.claim(session, li))
            found = suggester.for_question(claim.question_id, claim.title, claim.description)
            if place >= DECISIONS:
                store.run(lambda session, claim=claim: queue.skip(session, claim.lease_id, li, "later"))
                continue
            shown = [tag.tag for tag in found.tags[: found.shown]]
            right = claim.prior_tags or ("无标签",)
            verdicts = {tag: "accepted" if tag in right else "rejected" for tag in shown}
            verdicts |= {tag: "added" for tag in right if tag not in shown}
            answer = ledger.Submission(
                claim.question_id, li, verdicts, suggestion_id=found.id, lease_id=claim.lease_id, shown=shown
            )
            store.run(lambda session, answer=answer: ledger.submit(session, answer))
        suggester.close()
    return path


@pytest.fixture
def app(monkeypatch, tmp_path, filled, model) -> AppTest:
    shutil.copy(filled, tmp_path / "store.db")
    monkeypatch.setenv("L2A_DATABASE", f"sqlite:///{tmp_path / 'store.db'}")
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    monkeypatch.setenv("L2A_MODEL", str(model))
    monkeypatch.setenv("L2A_BEAM", str(BEAM))
    opened = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    opened.session_state["as"] = "chen"
    return opened.switch_page(PAGE).run()


def words(app: AppTest) -> str:
    return "\n".join(item.value for kind in (app.markdown, app.caption, app.subheader) for item in kind)


def downloads(app: AppTest) -> set[str]:
    return {button.key.removeprefix("dashboard_csv_") for button in app.get("download_button")}


def test_suggestions_as_they_were_served(app):
    assert not app.exception
    found = words(app)
    for title in (
        "**Chance against acceptance, of the tags shown**",
        "**F1 over decisions**",
        "**Acceptance over decisions, of the tags shown**",
        "**Keys a question**",
    ):
        assert title in found
    assert "keys on average" in found
    assert "How far votes can be trusted" not in found  # this model orders by chance
    assert {
        "acceptance_by_chance",
        "decision_by_decision",
        "acceptance_over_decisions",
        "keys_a_question",
    } <= downloads(app)
    assert len(app.get("plotly_chart")) >= 4
    app.segmented_control(key="dashboard_among").set_value("judged").run()
    assert not app.exception
    assert "**Chance against acceptance, of the tags judged**" in words(app)


def test_filters_reach_them(app):
    app.toggle[0].set_value(True).run()  # random picks only
    assert not app.exception
    assert "**F1 over decisions**" in words(app)


def test_what_sources_are_worth_is_worked_out_when_asked_for(app):
    assert "What each source is worth" in words(app)
    assert "source_worth" not in downloads(app)
    app.button(key="dashboard_sources_button").click().run()
    assert not app.exception
    (rows,) = [table.value for table in app.dataframe if "Source" in table.value.columns]
    assert {"the model (votes and its own standing)", "precedents", "words, by decisions here"} <= set(rows["Source"])
    assert f"{DECISIONS} questions" in words(app)
    assert "source_worth" in downloads(app)
    assert "dashboard_sources_button" not in {button.key for button in app.button}


def test_what_the_last_decisions_taught_is_worked_out_when_asked_for(app, store_of):
    app.button(key="dashboard_taught_button").click().run()
    assert not app.exception
    assert f"{OPEN} open questions, with {DECISIONS} decisions and without" in words(app)
    assert "**Tags that rose**" in words(app)
    rows = [table.value for table in app.dataframe if "Chance before → now" in table.value.columns]
    assert rows
    assert all("→" in cell for cell in rows[0]["For example"])
    assert "taught" in downloads(app)
    # Another decision: what was found stays, with its moment, and can be worked out anew.
    li = local_visitor(store_of, "li").id
    store_of.run(lambda session: ledger.submit(session, ledger.Submission(90, li, {"编程": "added"})))
    app.run()
    assert "As of receipt" in words(app)
    assert "dashboard_taught_button" in {button.key for button in app.button}


@pytest.fixture
def store_of(app, tmp_path):
    with open_store(Settings(database=f"sqlite:///{tmp_path / 'store.db'}")) as opened:
        yield opened


def test_a_model_that_orders_by_votes_has_no_worths_and_its_votes_are_shown(app, store_of, tiny_model, tiny_tagger):
    chen = local_visitor(store_of, "chen").id
    make_live(store_of, tiny_tagger.version, str(tiny_model), chen)
    app.button(key="dashboard_sources_button").click().run()
    assert not app.exception
    assert "the live model orders by votes" in words(app)


def test_a_model_whose_files_are_gone_is_said(app, store_of, tmp_path):
    chen = local_visitor(store_of, "chen").id

    def gone(session):
        registry.register(session, "v9", str(tmp_path / "gone"))
        registry.promote(session, "v9", chen)

    store_of.run(gone)
    app.button(key="dashboard_taught_button").click().run()
    assert not app.exception
    assert "gone" in app.error[0].value
