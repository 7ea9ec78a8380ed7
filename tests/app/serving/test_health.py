"""The health report: what counts as well, how long it may take, and what it must not say."""

import asyncio
import json
import shutil
import subprocess
import sys
import threading
import time

import pytest

from app.serving import health
from app.shell.settings import ROOT, Settings
from db import people
from db.models import registry
from db.store import schema
from db.store.engine import Store

STARTER = ROOT / "models" / "starter"


@pytest.fixture
def model(tmp_path):
    """A copy of the starter model, to be spoilt."""
    return shutil.copytree(STARTER, tmp_path / "model")


@pytest.fixture
def settings(tmp_path, model, monkeypatch) -> Settings:
    monkeypatch.setenv("L2A_MODEL", str(model))
    monkeypatch.setenv("L2A_DATABASE", f"sqlite:///{tmp_path}/l2a.db")
    return Settings.from_environment()


@pytest.fixture
def store(settings):
    with Store(settings.database) as store:
        schema.prepare(store)
        yield store


def ask(route) -> tuple[int, dict]:
    """What a request to the route is answered."""
    response = asyncio.run(route.endpoint(None))
    return response.status_code, json.loads(response.body)


def test_all_is_well(settings, store):
    version = json.loads((STARTER / "config.json").read_text())["version"]
    status, answer = ask(health.route())
    assert status == 200
    assert answer == {
        "model": "ok",
        "database": "ok",
        "settings": "ok",
        "model_version": version,
        "version": health.program_version(),
    }
    assert answer["version"][0].isdigit()


def test_a_store_that_the_first_visit_will_make_is_well_and_is_not_made(settings):
    assert ask(health.route())[0] == 200
    assert health.look_at_store(settings).word == "new"
    assert not list(settings.model.parent.glob("l2a.db*"))


def test_a_store_that_cannot_be_made_is_not_well(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(health.os, "access", lambda *_: False)
    assert health.look_at_store(settings).word == "unreachable"


def test_a_file_that_is_no_store_is_not_well(settings, tmp_path):
    (tmp_path / "l2a.db").write_bytes(b"not a database at all, whatever its name says" * 30)
    status, answer = ask(health.route())
    assert (status, answer["database"], answer["model"]) == (503, "unreachable", "ok")


def test_a_store_of_another_version_is_not_well(settings, store):
    with store.writer.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert ask(health.route())[1]["database"] == "other version"


def test_no_server_and_no_password_in_the_answer_or_the_log(monkeypatch, caplog):
    monkeypatch.setenv("L2A_DATABASE", "postgresql://l2a:pa55w0rd@127.0.0.1:9/l2a")
    assert health.look_at_store(Settings.from_environment()).word == "unreachable"
    status, answer = ask(health.route())
    assert (status, answer["model"]) == (503, "ok")
    assert "127.0.0.1" not in json.dumps(answer)
    assert "health: The store" in caplog.text
    assert "pa55w0rd" not in json.dumps(answer) + caplog.text


def test_a_wrong_setting_is_not_well_and_is_not_quoted(monkeypatch):
    monkeypatch.setenv("L2A_BEAM", "a-lot")
    status, answer = ask(health.route())
    assert (status, answer["settings"], answer["database"]) == (503, "wrong", "unknown")
    assert "a-lot" not in json.dumps(answer)


def test_a_database_that_hangs_costs_one_thread_and_little_time(settings, monkeypatch):
    release, asked = threading.Event(), []

    def hang(_):
        asked.append(1)
        release.wait(30)
        return health.StoreState("ok")

    monkeypatch.setattr(health, "look_at_store", hang)
    watch = health.Watch(patience=0.1, keep=0)
    started = time.monotonic()
    assert [watch.report().database for _ in range(3)] == ["no answer"] * 3
    assert time.monotonic() - started < 5
    assert len(asked) == 1
    release.set()
    deadline = time.monotonic() + 10
    while watch.report().database != "ok" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert watch.report().database == "ok"


def test_an_answer_is_kept_for_a_moment(settings, monkeypatch):
    asked = []
    monkeypatch.setattr(health, "look_at_store", lambda _: asked.append(1) or health.StoreState("ok"))
    watch = health.Watch(keep=60)
    assert watch.report() is watch.report()
    assert len(asked) == 1


def test_a_failure_nobody_thought_of_is_a_word_too(settings, monkeypatch):
    def fail(_):
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(health, "look_at_store", fail)
    assert ask(health.route())[1]["database"] == "unreachable"


@pytest.mark.parametrize("name", [*health.JSON_FILES, health.WEIGHTS])
def test_a_model_without_one_of_its_files_is_missing(model, name):
    (model / name).unlink()
    assert health.look_at_model(model) == ("missing", None)


@pytest.mark.parametrize("name", [*health.JSON_FILES, health.WEIGHTS])
def test_a_model_with_a_file_cut_short_is_damaged(model, name):
    content = (model / name).read_bytes()
    (model / name).write_bytes(content[: len(content) // 2])
    assert health.look_at_model(model) == ("damaged", None)


def test_no_folder_is_missing(tmp_path):
    assert health.look_at_model(tmp_path / "nothing") == ("missing", None)


def test_the_live_model_is_the_one_that_counts(settings, store, model):
    version = json.loads((model / "config.json").read_text())["version"]
    with store.write() as session:
        admin = people.add(session, "chen", "admin")
        registry.register(session, version, str(model))
        registry.promote(session, version, admin.id)
    assert ask(health.route())[:2][1]["model"] == "ok"
    with store.write() as session:
        registry.register(session, "another", str(model))
        registry.promote(session, "another", people.find(session, "chen").id)
    status, answer = ask(health.route())
    assert (status, answer["model"], answer["model_version"]) == (503, "other version", version)
    shutil.rmtree(model)
    assert ask(health.route())[1]["model"] == "missing"


def test_the_file_names_are_those_of_the_checkpoint():
    from l2a import checkpoint

    assert health.JSON_FILES == (checkpoint.CONFIG, checkpoint.VOCABULARY, checkpoint.FREQUENCIES)
    assert health.WEIGHTS == checkpoint.WEIGHTS


def test_torch_is_not_loaded_for_it(settings, store):
    program = (
        "import sys, streamlit_app\nfrom app.serving import health\n"
        "assert health.Watch().report().is_healthy\nprint('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1:] == ["False"], done.stderr
