"""A store of an older version of the program, opened with another starter model in the old one's place."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.annotate import desk as annotation
from app.annotate.desk import Desk, QueueChoice
from app.entry.resources import load_store, load_suggester
from app.serving import model_folder
from app.serving.suggester import NoModel, Suggester
from app.shell.settings import Settings
from db import people
from db.figures import statistics as stats
from db.ledger import labels
from db.models import registry, suggestions
from db.store import schema
from db.store.engine import Store

OLD_STORE = Path(__file__).parents[2] / "stores" / "version_0_1_0.sql"
OLD = "414fec76bf14"  # the starter of version 0.1.0, which decided nothing about questions 2 to 4
CHEN = 1


@pytest.fixture
def old_store(tmp_path, store_url) -> Path:
    with closing(sqlite3.connect(tmp_path / "store.db")) as connection:
        connection.executescript(OLD_STORE.read_text(encoding="utf-8"))
    return tmp_path / "store.db"


@pytest.fixture
def starter(tmp_path, tiny_model, monkeypatch) -> Path:
    """Where the old starter was registered: another model is there now."""
    folder = tmp_path / "project" / "models" / "starter"
    shutil.copytree(tiny_model, folder)
    monkeypatch.setattr("app.serving.model_folder.ROOT", tmp_path / "project")
    monkeypatch.setenv("L2A_MODEL", str(folder))
    monkeypatch.setenv("L2A_BEAM", "4")
    return folder


@pytest.fixture
def new(starter) -> str:
    return model_folder.read_version(starter)[0]


def states(store: Store) -> dict[str, str]:
    with store.read() as session:
        return {model.version: model.state for model in registry.everything(session)}


def submit(desk: Desk, store: Store, suggester: Suggester, person_id: int, nonce: str) -> None:
    """The question on the desk is tagged by hand."""
    claim = desk.item.claim
    message = {
        "type": "submit",
        "nonce": nonce,
        "item": claim.question_id,
        "lease": claim.lease_id,
        "verdicts": [["电影", "added"]],
    }
    annotation.act(desk, message, store, suggester, person_id, QueueChoice(), datetime.min.replace(tzinfo=UTC))
    assert desk.outcome.error is None


def test_people_go_on_tagging_by_hand_and_the_new_version_is_offered(old_store, new):
    settings = Settings.from_environment()
    store, suggester, desk = load_store(settings), load_suggester(settings), Desk()
    assert states(store) == {OLD: "live", new: "candidate"}  # before anybody needs a model
    annotation.take(desk, store, suggester, CHEN, QueueChoice())
    assert desk.item.claim.title == "有哪些好看的电影推荐？"
    assert desk.item.suggestion is None
    assert str(desk.item.trouble).startswith(f"{OLD} is live, but its files are gone: ")
    assert str(desk.item.trouble).endswith(f" or by python -m app models promote {new}.")
    submit(desk, store, suggester, CHEN, "2")
    with store.read() as session:
        assert stats.overview(session).entries["decision"] == 2


def test_the_page_says_it_and_goes_on(old_store, new, open_app):
    page = open_app("en")
    assert not page.exception
    assert [warning.value for warning in page.warning if new in warning.value]
    page = open_app("zh")
    assert [warning.value for warning in page.warning if "但它的文件已经不在了" in warning.value]


def test_promoted_it_suggests(old_store, new):
    settings = Settings.from_environment()
    store, suggester = load_store(settings), load_suggester(settings)
    with pytest.raises(NoModel):
        suggester.live()
    store.run(lambda session: registry.promote(session, new, CHEN))
    assert suggester.for_question(2, "有哪些好看的电影推荐？", "").model_version == new
    assert states(store) == {OLD: "retired", new: "live"}


def test_by_a_setting_it_is_taken(old_store, new, monkeypatch):
    monkeypatch.setenv("L2A_MODEL_UPDATE", "take")
    settings = Settings.from_environment()
    store = load_store(settings)
    assert states(store) == {OLD: "retired", new: "live"}
    assert load_suggester(settings).for_question(2, "有哪些好看的电影推荐？", "").model_version == new


def test_the_command_line_offers_it_too(old_store, new, capsys):
    from app.cli import main

    assert main(["suggest"]) == 2
    assert f"python -m app models promote {new}." in capsys.readouterr().err
    assert states(Store(f"sqlite:///{old_store}")) == {OLD: "live", new: "candidate"}


def test_the_setting_does_not_put_a_starter_above_a_model_from_elsewhere(
    old_store, starter, new, tmp_path, monkeypatch
):
    """What was trained here stays live: only files that took the place of the live ones are taken."""
    monkeypatch.setenv("L2A_MODEL_UPDATE", "take")
    with Store(f"sqlite:///{old_store}") as store:
        store.run(lambda session: registry.register(session, "trained", str(tmp_path / "runs" / "model")))
        store.run(lambda session: registry.promote(session, "trained", CHEN))
    assert states(load_store(Settings.from_environment())) == {OLD: "retired", "trained": "live", new: "candidate"}


def test_where_the_old_model_looked_is_not_shown_by_the_new_one(old_store, starter, new):
    settings = Settings.from_environment()
    store, suggester = load_store(settings), load_suggester(settings)
    with store.read() as session:
        (stored,) = suggestions.history(session, 1)
    assert stored.model_version == OLD
    with pytest.raises(NoModel, match=f"The files of {OLD} are gone"):
        suggester.folder_for(OLD)
    assert suggester.folder_for(new) == starter


def test_the_app_backs_the_old_store_up_into_the_folder_that_is_set(old_store, new, open_app, tmp_path, monkeypatch):
    kept = tmp_path / "kept" / "backups"  # it is made
    monkeypatch.setenv("L2A_BACKUPS", str(kept))
    page = open_app("en")
    assert not page.exception
    (backup,) = kept.iterdir()
    assert backup.name.startswith("store.db.0002-")
    assert (revision(backup), revision(old_store)) == ("0002", schema.newest_revision())
    assert list(old_store.parent.glob("*.backup")) == []


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


# --- whatever the model does -----------------------------------------------------------------------------------------


def check_tagging_by_hand(trouble: str) -> None:
    """A question comes without suggestions and with `trouble`, is tagged by hand, and so is the one after it."""
    settings = Settings.from_environment()
    store, suggester, desk = load_store(settings), load_suggester(settings), Desk()
    chen = store.run(lambda session: people.add(session, "chen", "admin")).id
    annotation.take(desk, store, suggester, chen, QueueChoice())
    answered = []
    for nonce in ("1", "2"):
        assert desk.item.suggestion is None
        assert trouble in str(desk.item.trouble)
        answered.append(desk.item.claim.question_id)
        submit(desk, store, suggester, chen, nonce)
    with store.read() as session:
        assert stats.overview(session).entries["decision"] == 2
        assert [labels.look_at(session, question).settled.tags for question in answered] == [("电影",), ("电影",)]
    assert len(set(answered)) == 2


@pytest.mark.usefixtures("store_url")
@pytest.mark.parametrize("failure", [RuntimeError("out of memory"), KeyError("weights"), RecursionError()])
def test_whatever_the_model_does_the_question_is_tagged_by_hand(tagger, failure):
    tagger.result = failure
    check_tagging_by_hand(f"The model failed with an error of its own ({type(failure).__name__}).")


def cut_off(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


@pytest.mark.usefixtures("store_url")
@pytest.mark.parametrize(
    ("name", "damage", "trouble"),
    [
        ("model.safetensors", cut_off, "model.safetensors is damaged or cut off ("),
        ("model.safetensors", Path.unlink, "model.safetensors is missing. The folder is incomplete; copy it again."),
        ("config.json", cut_off, "config.json cannot be read ("),
        ("config.json", Path.unlink, "config.json is missing. The folder is incomplete; copy it again."),
    ],
)
def test_whatever_is_left_of_the_model_the_question_is_tagged_by_hand(starter, name, damage, trouble):
    damage(starter / name)
    check_tagging_by_hand(f"{starter}: {trouble}")
