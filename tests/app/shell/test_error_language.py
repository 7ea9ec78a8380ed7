"""Every page says what is wrong in the visitor's language. (The texts: test_raised_errors.py.)"""

import json

import pytest
from streamlit.testing.v1 import AppTest

from app.annotate.desk import Desk, Outcome
from app.serving.suggester import Suggester
from app.shell import outcome
from app.shell.messages import message
from app.shell.settings import ROOT
from db.errors import NotFound, Refused
from db.spellings.new_tags import ensure_tags
from db.store.engine import Store
from db.tags import planning as tags
from l2a.errors import CheckpointError, InputError

NOTHING_LEFT = NotFound(message("annotate.nothing_left"))
NOT_AN_EXPORT = InputError(message("export.none_readable", name="a.csv"))


@pytest.fixture
def open_page(tagger, monkeypatch):
    """A page in Chinese as chen, the admin, sees it."""

    def open_named(name: str, **state) -> AppTest:
        monkeypatch.setenv("L2A_LANGUAGE", "zh")
        app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        for key, value in {"as": "chen", **state}.items():
            app.session_state[key] = value
        app.switch_page(f"../pages/{name}.py").run()
        assert not app.exception
        return app

    return open_named


def raising(error: Exception):
    def work(*_, **__):
        raise error

    return work


def test_a_wrong_setting(monkeypatch):
    monkeypatch.setenv("L2A_BEAM", "many")
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=30)
    app.context["locale"] = "zh-CN"
    app.run()
    assert [error.value for error in app.error] == [
        "设置有误：L2A\\_BEAM 的值是 'many'，但必须是不小于 1 的整数。请改正或取消它。"
    ]


def test_a_store_that_cannot_be_opened(open_app, monkeypatch):
    monkeypatch.setenv("L2A_DATABASE", "mysql://host/name")
    app = open_app("zh")
    assert [element.value for element in app.text] == [
        "不支持 mysql 这种数据库。请写成 sqlite:///path/to/file.db 或 postgresql://user:password@host/name。"
    ]


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("annotate", "db.figures.statistics.source_names"),
        ("attention", "app.entry.question_choice.choose"),
        ("beams", "app.entry.question_choice.choose"),
        ("history", "db.ledger.history.count_conflicts"),
        ("dashboard", "db.figures.dashboard.gather"),
        ("queue", "app.admin.importing.draw"),
    ],
)
def test_a_store_that_fails_on_a_page(open_page, monkeypatch, name, broken):
    monkeypatch.setattr(broken, raising(NOTHING_LEFT))
    assert "今天没有可以撤销的了。更早的决定请在“历史”页撤销。" in [element.value for element in open_page(name).text]


def test_a_model_that_cannot_be_loaded(open_app, tagger, monkeypatch):
    wrong = CheckpointError(message("model.config_of_another_kind", folder="m"))
    monkeypatch.setattr("app.entry.resources.load_tagger", raising(wrong))
    app = open_app("zh")
    assert "m：config.json 不是 L2A 模型的。" in app.warning[0].value


def test_a_refused_decision_on_the_board(open_page):
    app = open_page(
        "annotate", desk=Desk(outcome=Outcome("n1", error=Refused(message("annotate.tag_twice", tag="电影"))))
    )
    (board,) = (found for found in app.get("bidi_component") if found.proto.component_name == "l2a_board")
    assert json.loads(board.proto.json)["error"] == {"nonce": "n1", "text": "“电影”写了两次。"}


@pytest.mark.parametrize(("name", "asked"), [("beams", "decode"), ("attention", "live")])
def test_a_refusal_of_the_model(open_page, monkeypatch, name, asked):
    monkeypatch.setattr(Suggester, asked, raising(NOT_AN_EXPORT))
    assert [error.value for error in open_page(name).error] == ["没有完成：a.csv：不是导出的文件，没有一行能读取。"]


def test_a_refused_undo(open_page):
    refused = outcome.Outcome("error.refused", {"message": message("tags.not_a_change", number=7)}, done=False)
    app = open_page("history", history_said=refused, history_section="conflicts")
    assert [error.value for error in app.error] == ["没有完成：7 不是标签改动的回执号。"]


def test_a_refused_export(open_page, monkeypatch):
    monkeypatch.setattr("app.export.contents.count", raising(NOTHING_LEFT))
    monkeypatch.setattr("app.export.contents.preview", raising(NOTHING_LEFT))
    assert [error.value for error in open_page("export").error] == [
        "没有完成：今天没有可以撤销的了。更早的决定请在“历史”页撤销。"
    ]


def test_bad_lines_of_an_import(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("L2A_IMPORT_FOLDER", str(tmp_path))
    path = tmp_path / "bad.jsonl"
    path.write_text('{"title": "好问题是什么样的？"}\n{"title": 3}\n', encoding="utf-8")
    app = open_page("queue")
    app.button_group(key="queue_origin").set_value("path").run()
    app.text_input(key="queue_path").set_value(str(path)).run()
    app.button(key="queue_dry_run").click().run()
    assert app.error[0].value.startswith("没有完成：bad.jsonl，第 2 行：“title”必须是字符串，而不是 int。这是试运行")
    app.toggle(key="queue_skip_bad").set_value(True).run()
    app.button(key="queue_dry_run").click().run()
    assert [code.value for code in app.code] == ["bad.jsonl，第 2 行：“title”必须是字符串，而不是 int"]


def test_what_cannot_be_done_to_a_tag_and_what_was_done(open_page, store_url):
    with Store(store_url) as store:
        open_page("tags")  # makes the store
        store.run(lambda session: ensure_tags(session, ["甲", "乙"], 1))
        with store.read() as session:
            one = tags.find(session, "甲").id
        app = open_page("tags", tags_open=(one, "merge"), tags_typed="𠮷没有的")
        assert [warning.value for warning in app.warning] == ["没有标签“𠮷没有的”。请查找一下，或先添加它。"]
        number = store.run(lambda session: tags.carry_out(session, tags.plan_merge(session, "甲", "乙"), 1))
        app = open_page("tags", tags_section="changes")
        assert "把“甲”并入“乙”。" in [element.value for element in app.text]
        store.run(lambda session: tags.carry_out(session, tags.plan_undo(session, number), 1))  # somebody was quicker
    app.button(key=f"tags_undo_{number}").click().run()
    assert app.error[0].value.startswith("没有完成：“")
