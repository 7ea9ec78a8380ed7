"""Calls the store's command line in this process, on SQLite files: result, complaints and exit code."""

import json
import shutil
from dataclasses import dataclass
from functools import partial

import pytest

from app.cli import build_parser, main
from app.transfer.importer import import_file
from db import people
from db.ledger import entries as ledger
from db.ledger.submission import Submission
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.store import schema
from db.store.engine import Store

QUESTIONS = (
    {"id": "a1", "source": "zhihu", "title": "零基础学编程从哪里开始？", "tags": ["编程", "自学"]},
    {"id": "a2", "source": "zhihu", "title": "跑步伤膝盖吗？", "description": "体重一百七。", "tags": ["跑步"]},
    {"id": "b1", "source": "guokr", "title": "量子力学怎么入门？", "tags": []},
    {"id": "b2", "source": "guokr", "title": "有什么好看的电影？", "tags": ["电影", "生活"]},
)


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A store with its tables and nothing in them."""
    path = tmp_path_factory.mktemp("template") / "store.db"
    with Store(f"sqlite:///{path}") as store:
        schema.prepare(store)
    return path


@pytest.fixture
def path(template, tmp_path, monkeypatch):
    """The file of the store that commands use by default; the user is called chen."""
    file = tmp_path / "store.db"
    shutil.copy(template, file)
    monkeypatch.setenv("L2A_DATABASE", f"sqlite:///{file}")
    monkeypatch.setattr("getpass.getuser", lambda: "chen")
    return file


@pytest.fixture
def store(path):
    with Store(f"sqlite:///{path}") as opened:
        yield opened


@pytest.fixture(scope="session")
def parser():
    return build_parser()


@pytest.fixture
def call(path, capsys, parser, monkeypatch):
    """Run a command without its progress bars; gives back (exit code, standard output, standard error)."""

    monkeypatch.setattr("app.cli.build_parser", lambda: parser)  # building it takes longer than many a command

    def call(*arguments):
        capsys.readouterr()
        quiet = () if arguments[0] == "diff" else ("--quiet",)
        code = main([*map(str, arguments), *quiet])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def answer(call):
    """What a command that goes well prints."""

    def answer(*arguments):
        code, out, err = call(*arguments)
        assert code == 0, err
        assert err == ""
        return out

    return answer


@pytest.fixture
def refusal(call):
    """The one line a refused command complains with."""

    def refusal(*arguments):
        code, _, err = call(*arguments)
        assert code == 2
        assert err.startswith("app: ")
        assert err.count("\n") == 1
        return err.removeprefix("app: ").strip()

    return refusal


@pytest.fixture
def write_file(tmp_path):
    def write(*lines, name="questions.jsonl", encoding="utf-8"):
        rows = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        file = tmp_path / name
        file.write_bytes("".join(f"{row}\n" for row in rows).encode(encoding))
        return file

    return write


@dataclass(frozen=True)
class Team:
    chen: int  # admin
    zhao: int  # researcher
    li: int  # moderator
    wang: int  # moderator


def hire(session) -> Team:
    chen = people.add(session, "chen", "admin").id
    zhao = people.add(session, "zhao", "researcher", by=chen).id
    return Team(chen, zhao, *(people.add(session, name, by=chen).id for name in ("li", "wang")))


@pytest.fixture
def team(store):
    return store.run(hire)


@pytest.fixture(scope="session")
def filled_template(template, tmp_path_factory):
    folder = tmp_path_factory.mktemp("filled")
    file, questions = folder / "store.db", folder / "questions.jsonl"
    shutil.copy(template, file)
    questions.write_text("".join(f"{json.dumps(question)}\n" for question in QUESTIONS))
    with Store(f"sqlite:///{file}") as store:
        hired = store.run(hire)
        import_file(store, str(questions), person_id=hired.chen)
    return file, hired


@pytest.fixture
def filled(filled_template, path):
    """A store with the four questions, numbered from 1, and a team."""
    file, hired = filled_template
    shutil.copy(file, path)
    return hired


def submit(store, team, question, person, *tags, **more):
    verdicts = {tag.removeprefix("-"): "rejected" if tag.startswith("-") else "added" for tag in tags}
    submission = Submission(question, getattr(team, person), verdicts, **more)
    return store.run(lambda session: ledger.submit(session, submission)).number


@pytest.fixture
def decide(filled, store):
    """Store a decision; gives back its number. Tags with a minus in front are rejected, the others are added."""

    return partial(submit, store, filled)


@pytest.fixture
def suggested(filled, store):
    """The number of a suggestion of the live model v1 for question 1: 编程 and 计算机."""

    def record(session):
        registry.register(session, "v1", "models/v1")
        registry.promote(session, "v1", filled.chen)
        tags = [ProposedTag("编程", 8, 0.9, True, False), ProposedTag("计算机", 5, 0.4, True, False)]
        return suggestions.record(session, 1, "v1", 8, 0.25, tags)

    return store.run(record)


class Terminal:
    """Standard input with somebody at it."""

    def __init__(self, typed: str):
        self._typed = typed

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self._typed


@pytest.fixture
def at_terminal(monkeypatch):
    def type_in(typed):
        monkeypatch.setattr("sys.stdin", Terminal(f"{typed}\n"))

    return type_in
