"""Pages, fragments, callbacks and downloads ask the one table, again at the moment of the action."""

import signal
import socket
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from app.access.auth import Visitor
from app.entry import frame
from app.entry.frame import PAGES, Here
from app.learning import process
from app.shell.settings import Settings
from app.shell.store import open_store
from db import people
from db.access import allows
from db.errors import Refused
from db.store.tables import ROLES
from tests.app.conftest import ROOT


@pytest.fixture
def store(store_url, tagger, monkeypatch):
    """One person for each role, called like it."""
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    opened = open_store(Settings(database=store_url))

    def hire(session) -> None:
        admin = people.add(session, "admin", "admin").id
        for role in ("moderator", "researcher"):
            people.add(session, role, role, by=admin)

    opened.run(hire)
    yield opened
    opened.close()


def find(store, name: str) -> people.Person:
    with store.read() as session:
        return people.find(session, name)


def here_as(store, name: str) -> Here:
    person = find(store, name)
    return Here(Settings(), store, Visitor(person.id, person.name, person.role))


def make_moderator(store, name: str) -> None:
    admin = find(store, "admin").id
    store.run(lambda session: people.change_role(session, name, "moderator", by=admin))


@pytest.mark.parametrize("role", ROLES)
def test_each_role_opens_the_pages_of_the_table_and_no_other(store, monkeypatch, role):
    monkeypatch.setattr("app.entry.question_choice.choose", lambda page, store: None)  # no model is asked
    for page in PAGES:
        app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        app.session_state["as"] = role
        app.switch_page(f"../pages/{page.name}.py").run()
        assert not app.exception
        told = [*(item.value for item in app.info), *(item.value for item in app.text)]
        refused = any("needs another role" in words for words in told)
        assert refused != any(allows(role, action) for action in page.actions), page.name


def test_a_researcher_finds_the_tabs_of_the_queue_that_they_may_use(store):
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.session_state["as"] = "researcher"
    app.switch_page("../pages/queue.py").run()
    assert [tab.label for tab in app.tabs] == ["Import", "Queue"]


def test_what_somebody_may_is_asked_at_that_moment(store):
    here = here_as(store, "researcher")
    file = here.asking("export labels", lambda: b"labels")
    assert (file(), here.may("review")) == (b"labels", True)
    make_moderator(store, "researcher")
    assert here.visitor.role == "researcher"  # as the page was drawn
    assert not here.may("review")
    with pytest.raises(Refused, match="researcher is a moderator; to export labels takes a researcher or admin"):
        file()


def test_a_fragment_asks_again_each_time_it_runs(store, monkeypatch):
    here, drawn, told = here_as(store, "researcher"), [], []
    monkeypatch.setattr(frame, "explain", lambda heading, message, hint="": told.append(message))
    monkeypatch.setattr(frame, "text", lambda key: key)
    monkeypatch.setattr(frame, "said", str)
    fragment = frame.guarded(here, "retrain")(lambda: drawn.append(1))
    fragment()
    make_moderator(store, "researcher")
    fragment()
    assert (drawn, len(told)) == ([1], 1)
    assert "to look at trainings takes a researcher or admin" in told[0]


def test_only_those_who_may_change_models_kill_a_training(store, monkeypatch):
    killed = []
    monkeypatch.setattr(process.os, "killpg", lambda pid, how: killed.append((pid, how)))
    monkeypatch.setattr(process, "_is_process", lambda run: True)
    run = SimpleNamespace(id=1, pid=12, host=socket.gethostname(), cancel_requested=True)
    for role in ("moderator", "researcher"):
        with pytest.raises(Refused, match="to change models takes an admin"):
            process.stop(store, run, find(store, role).id)
    assert killed == []
    process.stop(store, run, find(store, "admin").id)
    assert killed == [(12, signal.SIGKILL)]
