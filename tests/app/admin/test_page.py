"""Import and queue: files in, and what an admin changes; each change is looked up in the store."""

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import func, select
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.admin import importing as queue_import
from app.admin import orders
from app.admin.orders import Order
from app.shell.settings import Settings
from app.shell.store import open_store
from db import people
from db.figures import admin_log
from db.models import registry
from db.queue.shares import get_shares
from db.store.tables import Import, Question, QueueItem
from l2a.errors import InputError
from tests.app.conftest import ROOT

PAGE = "../pages/queue.py"


class Upload(io.BytesIO):
    """An uploaded file as Streamlit hands it over."""

    def __init__(self, name: str, content: bytes):
        super().__init__(content)
        self.name, self.file_id = name, "id"


@pytest.fixture
def store(monkeypatch, tmp_path, samples_path):
    from app.transfer.importer import import_file

    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    monkeypatch.setenv("L2A_IMPORT_FOLDER", str(tmp_path))
    monkeypatch.setenv("L2A_MODEL", str(tmp_path / "starter"))  # not there, so it is not offered
    opened = open_store(Settings(database=url))
    import_file(opened, str(samples_path), source="samples", skip_bad=True)
    local_visitor(opened, "chen")
    local_visitor(opened, "li")
    yield opened
    opened.close()


@pytest.fixture
def admin(store) -> int:
    return local_visitor(store, "chen").id


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "new.jsonl"
    rows = [{"id": str(n), "title": f"第{n}个新问题是什么？", "tags": ["新"]} for n in (1, 2, 3)]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def open_page(person: str = "chen", tab: str | None = None) -> AppTest:
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.session_state["as"] = person
    app.context["timezone"] = "Asia/Shanghai"
    app.switch_page(PAGE)
    if tab is not None:
        app.session_state["queue_tab"] = tab
    return app.run()


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def questions(store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(Question))


# --- the page --------------------------------------------------------------------------------------------------------


def test_a_moderator_does_not_get_here(store):
    app = open_page("li")
    assert not [button for button in app.button if button.label in ("Dry run", "Import")]


def test_a_file_is_imported_after_a_dry_run(store, file):
    before = questions(store)
    app = open_page()
    assert not app.exception
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value(str(file)).run()
    assert next(button for button in app.button if button.label == "Import").disabled
    press(app, "Dry run")
    assert not app.exception
    assert {metric.label: metric.value for metric in app.metric}["New questions"] == "3"
    assert questions(store) == before
    press(app, "Import")
    assert not app.exception
    assert questions(store) == before + 3


def test_a_path_that_is_no_file_is_said_to_be_none(store, tmp_path):
    app = open_page()
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value(str(tmp_path)).run()
    assert "not a regular file" in app.error[0].value
    press(app, "Dry run")
    assert "Choose a file" in app.error[-1].value
    assert not app.metric


def test_a_file_of_no_use_is_refused_with_its_line(store, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"title": "好问题是什么样的？"}\n{"title": 3}\n', encoding="utf-8")
    app = open_page()
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value(str(path)).run()
    press(app, "Dry run")
    assert not app.exception
    assert "line 2" in app.error[0].value


def test_shares_and_overlap_are_changed_under_the_visitors_name(store, admin):
    app = open_page(tab="Queue")
    assert not app.exception
    next(box for box in app.number_input if box.label == "Random (%)").set_value(25.0)
    press(app, "Save")
    next(box for box in app.number_input if box.label == "Opinions").set_value(2)
    press(app, "Apply")
    assert not app.exception
    with store.read() as session:
        assert get_shares(session).random == 0.25
        assert set(session.scalars(select(QueueItem.overlap))) == {2}
        assert {line.person for line in admin_log.recent(session, ("queue",))} == {"chen"}


def test_people_are_added_changed_and_deactivated(store):
    app = open_page(tab="People")
    next(box for box in app.text_input if box.label == "Name" and not box.value).set_value("wang")
    press(app, "Add")
    assert not app.exception
    with store.read() as session:
        assert people.find(session, "wang").role == "moderator"
    next(box for box in app.selectbox if box.label == "Name").set_value("wang")
    app.selectbox(key="queue_new_role").set_value("researcher")
    press(app, "Change role")
    with store.read() as session:
        assert people.find(session, "wang").role == "researcher"
    next(box for box in app.selectbox if box.label == "Name").set_value("chen")
    press(app, "Deactivate")
    assert "last admin" in app.error[0].value


def test_a_deactivated_person_is_activated_again(store, admin):
    app = open_page(tab="People")
    assert "Activate again" not in [button.label for button in app.button]  # nobody to choose
    store.run(lambda session: people.deactivate(session, "li", by=admin))
    app.run()
    app.selectbox(key="queue_inactive").set_value("li")
    press(app, "Activate again")
    assert not app.exception
    assert "li is active again." in app.success[0].value
    with store.read() as session:
        assert people.find(session, "li").active
    assert "Activate again" not in [button.label for button in app.button]


def test_a_model_is_promoted_and_rolled_back(store, admin, monkeypatch, tmp_path):
    def register(session):
        registry.register(session, "v1", str(tmp_path))
        registry.promote(session, "v1", admin)
        registry.register(session, "v2", str(tmp_path))

    store.run(register)
    app = open_page(tab="Models")
    assert not app.exception
    next(box for box in app.selectbox if box.label == "Version").set_value("v2").run()
    press(app, "Make it live")
    with store.read() as session:
        assert registry.live(session).version == "v2"
    press(app, "Roll back")
    with store.read() as session:
        assert registry.live(session).version == "v2"  # it asks once
    press(app, "Go back to it")
    assert not app.exception
    with store.read() as session:
        assert registry.live(session).version == "v1"
    assert app.button(key="queue_back").disabled
    assert "nothing to go back to" in app.button(key="queue_back").help


# --- what stands behind it -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero", "/", "", "-", "nowhere.jsonl", "a\0b"])
def test_only_a_regular_file_is_read(path, tmp_path):
    with pytest.raises(InputError):
        orders.find_file(path, tmp_path)


def test_only_files_below_the_folder_are_read(tmp_path):
    folder, other = tmp_path / "import", tmp_path / "import-not"
    for made in (folder / "deep", other):
        made.mkdir(parents=True)
        (made / "q.jsonl").write_text("{}")
    (folder / "link.jsonl").symlink_to(other / "q.jsonl")
    (folder / "links").symlink_to(other)
    assert orders.find_file("deep/q.jsonl", folder) == folder / "deep" / "q.jsonl"
    assert orders.find_file(f" {folder}/deep/../deep/q.jsonl ", folder) == folder / "deep" / "q.jsonl"
    outside = ["/proc/self/environ", "/etc/passwd", "../import-not/q.jsonl", "link.jsonl", "links/q.jsonl", "/nowhere"]
    for path in (*outside, str(other / "q.jsonl")):
        with pytest.raises(InputError, match=r"is not below .*import, .*L2A_IMPORT_FOLDER"):
            orders.find_file(path, folder)


def test_a_secret_of_the_server_does_not_come_back_in_an_error(store, monkeypatch):
    monkeypatch.setenv("L2A_REPLAY", "hunter2")
    app = open_page()
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value("/proc/self/environ").run()
    press(app, "Dry run")
    assert "IMPORT" in app.error[0].value
    assert not any("hunter2" in shown.value for shown in (*app.error, *app.code, *app.warning, *app.markdown))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("environ.csv", "PASSWORD=hunter2\0HOME=/"),
        ("environ.jsonl", "PASSWORD=hunter2"),
        ("key.csv", "hunter2\n"),
        ("key.json", "hunter2"),
        ("key.json", '["hunter2"]'),
        ("key.json", '[{"data": {"hunter2": 1}}]'),
        ("key.jsonl", '{"hunter2": 1}'),
        ("key.jsonl", '"hunter2"'),
        ("key.parquet", "hunter2"),
        ("key.tsv", "hunter2\tb"),
    ],
)
@pytest.mark.parametrize("fmt", [None, "doccano"])
def test_an_error_repeats_nothing_of_a_file_without_questions(store, admin, tmp_path, name, content, fmt):
    path = tmp_path / name
    path.write_text(content)
    for kind in ("questions", "tags") if name == "key.tsv" else ("questions",):  # a lone line is a tag
        for skip_bad in (False, True):
            try:
                order = Order(kind, "x", fmt=fmt, skip_bad=skip_bad)
                said = [str(one) for one in orders.run_order(store, order, path, admin, dry_run=True).messages]
            except InputError as error:
                said = (str(error),)
            assert said
            assert "hunter2" not in "".join(said)


def test_a_header_of_questions_is_repeated_so_that_it_can_be_corrected(store, admin, tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(f"question,labels,{'x' * 50}\n")
    with pytest.raises(InputError, match=r"it has question, labels, x{40}…\. Expected"):
        orders.run_order(store, Order("questions", "x"), path, admin, dry_run=True)


def test_a_team_has_no_import_by_path_until_somebody_says_from_where(monkeypatch, tmp_path):
    for name in ("L2A_IMPORT_FOLDER", "L2A_MODE"):
        monkeypatch.delenv(name, raising=False)
    assert Settings.from_environment().import_from == ROOT / "data" / "import"
    monkeypatch.setenv("L2A_MODE", "team")
    assert Settings.from_environment().import_from is None
    monkeypatch.setenv("L2A_IMPORT_FOLDER", str(tmp_path))
    assert Settings.from_environment().import_from == tmp_path


def test_without_a_folder_the_page_offers_no_path(store, monkeypatch):
    monkeypatch.setattr(Settings, "import_from", property(lambda self: None))
    app = open_page()
    assert app.button_group(key="queue_origin").options == ["an upload"]
    assert "queue_path" not in [box.key for box in app.text_input]


def test_a_bomb_is_refused_with_the_limit_and_its_setting(store, admin, tmp_path):
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb") as out:
        out.write(b'{"title": "' + b"a" * (2 << 20))
    limits = Settings().limits
    for kind in ("questions", "tags"):
        with pytest.raises(InputError, match=r"line 1: longer than 1 MB \(L2A_LINE_MB\)"):
            orders.run_order(store, Order(kind, "x"), path, admin, dry_run=True, limits=limits)
    with gzip.open(path, "wb") as out:
        out.write(b'{"title": "a"}\n' * (1 << 17))
    small = Settings(unpacked_mb=1).limits
    with pytest.raises(InputError, match=r"more than 1 MB \(L2A_UNPACKED_MB\) when it is unpacked"):
        orders.run_order(store, Order("questions", "x"), path, admin, dry_run=True, limits=small)


def test_an_upload_is_on_disk_under_its_name_and_gone_afterwards():
    with orders.kept_upload(Upload("../../x/问题 (1).jsonl", b"abc")) as path:
        assert (path.name, path.read_bytes()) == ("问题 (1).jsonl", b"abc")
    assert not path.exists()
    assert not path.parent.exists()


@pytest.mark.parametrize(
    ("name", "safe"),
    [("a.jsonl", "a.jsonl"), ("..", "upload"), ("C:\\x\\b.csv", "b.csv"), ("a\nb\0.txt", "a_b_.txt"), ("/", "upload")],
)
def test_names_of_uploads_are_made_safe(name, safe):
    assert orders.safe_name(name) == safe


def test_long_names_keep_their_end():
    assert orders.safe_name("长" * 300 + ".jsonl.gz").endswith(".jsonl.gz")
    assert len(orders.safe_name("长" * 300 + ".jsonl.gz").encode()) < 255


def test_a_dry_run_stores_nothing_and_the_messages_name_the_file_alone(store, admin, tmp_path):
    path = tmp_path / "mixed.jsonl"
    path.write_text('{"title": "一个新的问题吗？"}\n{"title": ""}\n', encoding="utf-8")
    before = questions(store)
    order = Order("questions", "x", source="s", skip_bad=True)
    seen = []
    outcome = orders.run_order(store, order, path, admin, dry_run=True, progress=lambda *done: seen.append(done))
    assert (outcome.rows, outcome.added, outcome.bad, questions(store)) == (1, 1, 1, before)
    assert not any(str(tmp_path) in str(message) for message in outcome.messages)
    assert "mixed.jsonl" in str(outcome.messages[0])
    assert seen == [(1, 2)]
    orders.run_order(store, order, path, admin, dry_run=False)
    assert questions(store) == before + 1
    assert orders.run_order(store, order, path, admin, dry_run=True).duplicates == 1
    with pytest.raises(InputError) as stopped:
        orders.run_order(store, replace(order, skip_bad=False), path, admin, dry_run=True)
    assert str(tmp_path) not in str(stopped.value)


def test_an_upload_is_known_by_its_own_name(store, admin, monkeypatch):
    upload = Upload("../问题 (1).jsonl", '{"title": "一个新的问题吗？"}\n'.encode())
    here = SimpleNamespace(store=store, visitor=SimpleNamespace(id=admin), settings=Settings())
    monkeypatch.setattr(queue_import.st, "session_state", {"lang": "en"})
    queue_import._run(here, Order("questions", "x"), upload, None, dry_run=False)
    with store.read() as session:
        newest = session.scalar(select(Import.name).order_by(Import.id.desc()).limit(1))
    assert newest == "问题 (1).jsonl"


def test_an_uploaded_tag_list_is_known_by_its_own_name(store, admin, tmp_path):
    path = tmp_path / "tags.csv"
    path.write_text("name,aliases\n电影甲,movie甲\n", encoding="utf-8")
    orders.run_order(store, Order("tags", "x"), path, admin, dry_run=False, name="tags.csv")
    with store.read() as session:
        assert admin_log.recent(session, ("tag",))[0].summary == "Tags from tags.csv."


def test_a_tag_list_is_imported(store, admin, tmp_path):
    path = tmp_path / "tags.csv"
    path.write_text("name,parent,aliases\n电影甲,艺术甲,movie甲|影片甲\n", encoding="utf-8")
    outcome = orders.run_order(store, Order("tags", "x"), path, admin, dry_run=False)
    assert (outcome.added, outcome.aliases, outcome.parents, outcome.bad) == (2, 2, 1, 0)


def test_the_language_may_change_while_a_tab_is_open(store):
    app = open_page(tab="People")
    app.session_state["lang"] = "zh"
    app.run()
    assert not app.exception
    assert [tab.label for tab in app.tabs] == ["导入", "队列", "人员", "模型"]


def test_a_pruned_version_and_what_was_done_to_models_have_words(store, admin):
    from db.models import training_runs

    def work(session):
        registry.register(session, "v1", "models/starter")
        registry.promote(session, "v1", admin)
        registry.register(session, "v2", "models/starter")
        registry.prune(session, "v2", admin)
        training_runs.begin(session, admin, {})

    store.run(work)
    app = open_page(tab="Models")
    assert not app.exception
    models, log = (table.value for table in app.dataframe)
    assert dict(zip(models["Version"], models["State"], strict=True)) == {"v1": "live", "v2": "pruned"}
    assert log["What"].to_list()[:2] == ["retrain: run 1, action begin", "prune: version v2"]
    assert "v2" not in next(box for box in app.selectbox if box.label == "Version").options
