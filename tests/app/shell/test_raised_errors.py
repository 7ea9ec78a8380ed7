"""Really raised errors, of all three packages, are said in Chinese; names and what a library says stay as they are."""

import json

import pytest
from sqlalchemy import text as sql

from app.serving.suggester import Suggester
from app.shell.error_text import said
from app.shell.settings import Settings
from app.transfer.importer import import_file
from db import people
from db.ledger import entries as ledger
from db.models import registry
from db.queue import claims as queue
from db.spellings.names import check_tag
from db.spellings.new_tags import ensure_tags
from db.store import schema
from db.store.engine import Store, parse_url
from db.tags import planning as tags
from db.tags.importing import IncomingTag, import_tags
from db.transfer import files
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.checkpoint import load_tagger
from l2a.config import DecodeSettings
from l2a.data import questions as data


@pytest.fixture
def store(tmp_path):
    with Store(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        schema.prepare(opened)
        opened.run(lambda session: people.add(session, "chen", "admin"))
        opened.run(lambda session: people.add(session, "li", "moderator", by=1))
        yield opened


def chinese(work, *args, **options) -> str:
    """What the error that `work` raises says in Chinese."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the text is what is looked at
        work(*args, **options)
    return said(caught.value, "zh")


def in_store(store, work, *args, **options) -> str:
    return chinese(store.run, lambda session: work(session, *args, **options))


def test_what_the_store_refuses(store):
    assert in_store(store, people.require, 2, "change tags") == ("“li”的角色是标注员，而更改标签需要研究员或管理员。")
    assert in_store(store, people.require, 2, "change people") == "“li”的角色是标注员，而更改人员需要管理员。"
    assert in_store(store, people.find, "wu") == "没有名叫“wu”的人员。已有：chen, li。"
    assert in_store(store, people.change_role, "chen", "moderator", by=1) == (
        "“chen”是最后一个管理员。请先让别人当管理员。"
    )
    assert in_store(store, queue.set_overlap, 0) == "每题意见数不能是 0，至少要 1。"
    assert in_store(store, registry.find, "v9") == "没有模型版本 v9。现在还没有登记任何版本。"
    assert in_store(store, ledger.undo, 1, 1) == "回执 1 记的是人员的改动，要用另外的办法撤销。"
    assert in_store(store, ledger.undo, 77, 1) == "没有回执 77。"


def test_what_is_wrong_with_a_tag(store):
    assert chinese(check_tag, "长" * 3000) == f"“{'长' * 20}……”作为标签太长：有 3,000 个字符，标签最多 100 个字符。"
    assert chinese(check_tag, "\x07") == "'\\x07' 不能作为标签：去掉控制字符后什么也不剩。"
    store.run(lambda session: ensure_tags(session, ["电影", "影片"], 1))
    assert in_store(store, tags.plan_alias, "电影", "影片") == "“影片”已经表示“影片”。请改为合并两者。"
    assert in_store(store, tags.plan_alias, "电影", "电影") == "“电影”已经表示“电影”。"
    assert in_store(store, tags.plan_status, "电影", "active") == "“电影”的状态已经是“有效”。"


def test_names_are_never_translated(store):
    """A tag may be called like a word of the catalogue, or like a whole message."""
    assert in_store(store, tags.find, "review") == "没有标签“review”。请查找一下，或先添加它。"
    assert in_store(store, tags.find, "the title is empty") == "没有标签“the title is empty”。请查找一下，或先添加它。"


def test_the_summary_of_a_change_of_tags_and_of_its_way_back(store):
    store.run(lambda session: ensure_tags(session, ["电影", "影片"], 1))
    number = store.run(lambda session: tags.carry_out(session, tags.plan_merge(session, "影片", "电影"), 1))
    plan = store.run(lambda session: tags.plan_undo(session, number))
    assert said(plan.summary, "zh") == f"撤销回执 {number}：把“影片”并入“电影”。"


def test_a_store_that_cannot_be_used(store, tmp_path):
    assert chinese(parse_url, "mysql:secret@host") == (
        "mysql:... 不是数据库的地址。请写成 sqlite:///path/to/file.db 或 postgresql://user:password@host/name。"
    )
    store.run(lambda session: session.execute(sql("UPDATE alembic_version SET version_num = '9999'")))
    assert chinese(schema.check, store) == (
        f"{store.shown_url} 由更新版本的 L2A Studio 写成（表的版本是 9999，本程序只认识到 "
        f"{schema.newest_revision()}）。请更新程序；没有改动任何内容。"
    )
    with Store(f"sqlite:///{tmp_path}/no-such-folder/store.db") as nowhere:
        assert in_store(nowhere, people.everyone) == (
            f"连不上数据库 {nowhere.shown_url}（unable to open database file）。请检查文件夹是否存在、是否可写。"
        )


def test_an_export_that_cannot_be_written(tmp_path):
    def write(path):
        with files.atomic_file(path):
            pass

    assert chinese(write, tmp_path) == f"{tmp_path}：这是文件夹。请再加上文件名。"
    name = tmp_path / ("x" * 300)
    assert chinese(write, name) == (f"{name}：写不进去（File name too long）。没有留下任何内容。请用短一些的文件名。")


def test_the_line_of_a_question_file(tmp_path):
    file = tmp_path / "q.jsonl"

    def read(content: bytes, path=file, **options):
        path.write_bytes(content)
        return list(data.read_questions(path, **options))

    assert chinese(read, b'{"title": "a"}\n{"title": " "}\n') == (
        f"{file}，第 2 行：标题是空的。请改正这一行，或用 --skip-bad 跳过这样的行。"
    )
    assert chinese(read, '{"title": "怎么学编程？"}'.encode("gb18030")) == (
        f"{file}，第 1 行：不是 UTF-8（第 12 列的字节 0xd4）；文件看起来是 GB18030，"
        "请这样转换：iconv -f GB18030 -t UTF-8。请改正这一行，或用 --skip-bad 跳过这样的行。"
    )
    assert chinese(read, b'[{"data": {"title": "a"}}, 7]', fmt="label-studio") == (
        f"{file}，第 2 个任务：这里应当是 JSON 对象，而不是 int。请改正这个任务，或用 --skip-bad 跳过这样的任务。"
    )
    table = tmp_path / "q.csv"
    assert chinese(read, b"\nname,topic\n", table) == (
        f"{table}，第 2 行：表头缺少列 id 和 title；现有的列是 name, topic。"
        "应有的列：id,title,description,tags,source,url；列表用 | 连接。"
    )
    assert chinese(read, b"title,tags\na,b,c\n", table) == (
        f"{table}，第 2 行：有 3 列，而表头有 2 列。请改正这一行，或用 --skip-bad 跳过这样的行。"
    )


def test_the_bad_lines_of_an_import(store, tmp_path):
    file = tmp_path / "q.jsonl"
    file.write_text('{"title": "a"}\n{"title": 5}\n', encoding="utf-8")
    for options, stored in (({"dry_run": True}, "这是试运行，没有保存任何内容。"), ({}, "这次没有保存任何内容。")):
        assert chinese(import_file, store, str(file), person_id=1, **options) == (
            f"{file}，第 2 行：“title”必须是字符串，而不是 int。{stored}"
        )
    rows = [IncomingQuestion(1, "一", external_id="7"), IncomingQuestion(2, "二", external_id="7")]
    report = import_questions(store, [*rows, IncomingQuestion(3, "三", tags=("\x07",))], name="q", fingerprint="q")
    assert [said(message, "zh") for message in report.messages] == [
        "q，第 3 行：'\\x07' 不能作为标签：去掉控制字符后什么也不剩。",
        "q，第 2 行：id 7 已经用于另一段文字（第 1 行），原文保持不变；请给新的文字另一个 id",
    ]
    again = import_questions(store, rows[1:], name="q", fingerprint="r")
    assert [said(message, "zh") for message in again.messages] == [
        "q，第 2 行：id 7 已经用于另一段文字（问题 1），原文保持不变；请给新的文字另一个 id"
    ]
    rows = [IncomingTag(1, "动画", aliases=("卡通",)), IncomingTag(2, "漫画", aliases=("卡通",))]
    report = import_tags(store, rows, 1, name="t")
    assert [said(message, "zh") for message in report.messages] == [
        "t，第 2 行：别名“卡通”已经表示另一个标签；如果两者相同，请合并"
    ]
    store.run(lambda session: tags.carry_out(session, tags.plan_alias(session, "漫画", "连环画"), 1))
    with store.read() as session:
        assert said(tags.plan_undo(session, report.entry).summary, "zh") == (
            f"撤销回执 {report.entry} 的一部分：来自 t 的标签。其中 1 个标签或别名保留，因为已被使用或之后改过：漫画"
        )


def test_models_and_settings(store, tmp_path):
    assert chinese(DecodeSettings, beam=0).startswith("beam 的值是 0；必须是 1 到 ")
    assert chinese(DecodeSettings, beam=0).endswith("之间的整数。")
    assert chinese(load_tagger, tmp_path / "none") == (
        f"{tmp_path / 'none'}：没有这个模型文件夹。请给出由 `python -m l2a train` 写成的文件夹的路径。"
    )
    (tmp_path / "config.json").write_text(json.dumps({"kind": "other"}))
    assert "config.json 不属于 L2A 模型" in chinese(load_tagger, tmp_path)
    assert chinese(Suggester(store, load_tagger, tmp_path / "gone").live) == (
        f"没有模型文件夹 {tmp_path / 'gone'}。请把模型放到那里，或启用别的版本：python -m app models list。"
    )
    assert chinese(Settings.from_environment, {"L2A_BEAM": "many"}) == (
        "L2A_BEAM 的值是 'many'，但必须是不小于 1 的整数。请改正或取消它。"
    )
    assert chinese(Settings.from_environment, {"L2A_BEAN": "5"}).startswith(
        "L2A_BEAN：没有这项设置。设置有 L2A_MODEL, "
    )


def test_english_readers_and_unknown_texts_are_left_alone(store):
    with pytest.raises(Exception, match="There is no tag 无") as caught:
        store.run(lambda session: tags.find(session, "无"))
    assert said(caught.value, "en") == "There is no tag 无. Search for it, or add it first."
    for unknown in ("the *tag* is odd. Change it.", "[Errno 28] No space left on device", "", "a: b"):
        assert said(unknown, "zh") == said(OSError(unknown), "zh") == unknown
