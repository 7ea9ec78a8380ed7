"""Opening a store: what is refused, how the two databases are set up, and what readers and writers see."""

import contextlib
import logging
import socket
from threading import Barrier, BrokenBarrierError, Thread

import pytest
from sqlalchemy import URL, text
from sqlalchemy.exc import DBAPIError

from db.errors import ConnectionFailed, StoreError
from db.store import schema
from db.store.engine import Store, parse_url
from tests.db.actions import scalar
from tests.db.conftest import with_database


def put(store: Store, name: str, value: str = "1") -> None:
    with store.write() as session:
        session.execute(
            text("INSERT INTO settings (name, value) VALUES (:name, :value)"), {"name": name, "value": value}
        )


def count(session) -> int:
    return session.scalar(text("SELECT count(*) FROM settings"))


@pytest.fixture
def sqlite_store(sqlite_template, tmp_path):
    path = tmp_path / "own.db"
    path.write_bytes(sqlite_template.read_bytes())
    with Store(f"sqlite:///{path}") as opened:
        yield opened


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_store_in_memory_is_refused(url):
    with pytest.raises(ConnectionFailed, match="A store in memory would lose every decision"):
        Store(url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://user:secret@host/name", "mysql is not a kind of store"),
        ("store.db", "store.db is not the URL of a store"),
        ("", " is not the URL of a store"),
        ("postgresql://user:secret@host:port/name", r"postgresql:\.\.\. is not the URL of a store"),
    ],
)
def test_what_is_no_stores_url_is_refused_with_an_example_and_without_its_password(url, message):
    with pytest.raises(ConnectionFailed, match=message) as raised:
        Store(url)
    assert "Give sqlite:///path/to/file.db or postgresql://user:password@host/name" in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_every_way_to_say_postgresql_means_the_same_driver(scheme):
    parsed = parse_url(f"{scheme}://user:secret@host/name")
    assert (parsed.drivername, parsed.host, parsed.database) == ("postgresql+psycopg", "host", "name")


def test_a_url_is_shown_without_its_password():
    with Store("postgresql://user:secret@host/name") as store:
        assert store.shown_url == "postgresql+psycopg://user:***@host/name"
        assert store.path is None


def test_a_server_that_cannot_be_reached_is_named_without_the_password():
    with socket.socket() as free:  # bound and not listening: nobody answers at this port
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with Store(f"postgresql://user:secret@127.0.0.1:{port}/name") as store:
            for use in (lambda: schema.prepare(store), lambda: store.run(count), lambda: scalar(store, "SELECT 1")):
                with pytest.raises(
                    ConnectionFailed, match=f"user:\\*\\*\\*@127.0.0.1:{port}/name cannot be reached"
                ) as raised:
                    use()
                assert "Check that the server runs" in str(raised.value)
                assert "secret" not in str(raised.value)


def test_a_database_that_does_not_exist_is_a_connection_that_failed(postgresql_uri):
    nowhere = pytest.raises(ConnectionFailed, match='database "nowhere" does not exist')
    with Store(with_database(postgresql_uri, "nowhere")) as store, nowhere:
        schema.prepare(store)


def test_a_folder_that_is_not_there_is_a_connection_that_failed(tmp_path):
    with Store(f"sqlite:///{tmp_path / 'missing' / 'store.db'}") as store:
        with pytest.raises(ConnectionFailed, match=r"cannot be reached .*Check that the folder exists"):
            store.run(count)
        schema.prepare(store)  # makes the folder
        assert store.run(count) == 0


def test_a_folder_in_the_place_of_the_file_is_a_connection_that_failed(tmp_path):
    with Store(f"sqlite:///{tmp_path}") as store, pytest.raises(ConnectionFailed, match="cannot be reached"):
        schema.prepare(store)


def test_a_store_opened_read_only_says_that_it_may_not_be_written(sqlite_store):
    sqlite_store.close()
    address = URL.create("sqlite", database=f"file:{sqlite_store.path}", query={"mode": "ro", "uri": "true"})
    with Store(address) as read_only, pytest.raises(StoreError, match="may not be written"):
        put(read_only, "a")


@pytest.mark.parametrize("content", [b"some notes, longer than a header" * 20, b"SQLite format 3\0" * 9])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    refused = pytest.raises(ConnectionFailed, match=r"damaged or not a database .*Restore a backup")
    with Store(f"sqlite:///{path}") as store, refused:
        schema.prepare(store)
    assert path.read_bytes() == content


def test_sqlite_is_durable_and_holds_to_its_references(sqlite_store):
    for opened, query_only in ((sqlite_store.write, 0), (sqlite_store.read, 1)):
        with opened() as session:
            pragmas = {
                name: session.scalar(text(f"PRAGMA {name}"))
                for name in ("journal_mode", "synchronous", "foreign_keys", "query_only", "busy_timeout")
            }
        assert pragmas == {
            "journal_mode": "wal",
            "synchronous": 2,  # FULL
            "foreign_keys": 1,
            "query_only": query_only,
            "busy_timeout": 60_000,
        }


def test_a_block_that_ends_commits_and_one_that_raises_takes_all_back(store):
    put(store, "kept")

    def fail(session):
        session.execute(text("INSERT INTO settings (name, value) VALUES ('lost', '1')"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.run(fail)
    with pytest.raises(ZeroDivisionError), store.write() as session:
        fail(session)
    assert scalar(store, "SELECT count(*) FROM settings") == 1


def test_a_reader_cannot_write(store):
    for statement in (
        "INSERT INTO settings (name, value) VALUES ('a', '1')",
        "UPDATE settings SET value = '2'",
        "CREATE TABLE more (id INTEGER)",
    ):
        with pytest.raises(StoreError, match="may not be written"), store.read() as session:
            session.execute(text(statement))
    assert scalar(store, "SELECT count(*) FROM settings") == 0


def test_a_reader_sees_one_snapshot_while_others_write(store):
    put(store, "first")
    with store.read() as session:
        assert count(session) == 1
        put(store, "second")  # does not wait for the reader
        assert count(session) == 1
        with store.read() as other:
            assert count(other) == 2
        assert count(session) == 1
    assert scalar(store, "SELECT count(*) FROM settings") == 2


def test_a_value_that_sounds_like_a_failure_is_not_taken_for_one(store):
    """PostgreSQL quotes values in its messages; the disk is not full because somebody is called so."""
    for value in ("full", "locked", "readonly", "malformed"):
        put(store, value)
        with pytest.raises(DBAPIError) as raised:
            put(store, value)
        assert type(raised.value).__name__ == "IntegrityError"


def test_a_transaction_that_was_broken_off_is_tried_again(store, monkeypatch):
    class Deadlock(Exception):
        sqlstate = "40P01"

    attempts = []

    def work(session):
        attempts.append(session)
        session.execute(text("INSERT INTO settings (name, value) VALUES ('a', '1')"))
        if len(attempts) < 3:
            raise DBAPIError("statement", {}, Deadlock("deadlock detected"))
        return "done"

    monkeypatch.setattr("db.store.engine.time.sleep", lambda seconds: None)
    assert store.run(work) == "done"
    assert (len(attempts), scalar(store, "SELECT count(*) FROM settings")) == (3, 1)


def test_a_transaction_that_is_broken_off_every_time_says_so(store, monkeypatch):
    class Deadlock(Exception):
        sqlstate = "40P01"

    def work(session):
        raise DBAPIError("statement", {}, Deadlock("deadlock detected"))

    monkeypatch.setattr("db.store.engine.time.sleep", lambda seconds: None)
    with pytest.raises(
        StoreError, match=r"Others were writing the same rows \(deadlock detected\)\. Nothing was stored"
    ):
        store.run(work)


def test_two_writers_that_lock_each_other_out_both_get_through(url):
    """A real deadlock on PostgreSQL; on SQLite writers stand in line, so there is none."""
    with Store(url) as store:
        put(store, "a", "0")
        put(store, "b", "0")
        both_hold_one = Barrier(2)

        def work(order: str):
            def change(session):
                for place, name in enumerate(order):
                    session.execute(text(f"UPDATE settings SET value = value || '{order}' WHERE name = '{name}'"))
                    if place == 0 and not store.is_sqlite:
                        with contextlib.suppress(BrokenBarrierError):  # the second attempt is alone
                            both_hold_one.wait(timeout=10)
                        both_hold_one.abort()

            store.run(change)

        threads = [Thread(target=work, args=(order,)) for order in ("ab", "ba")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        values = [scalar(store, f"SELECT value FROM settings WHERE name = '{name}'") for name in "ab"]
    assert values[0] == values[1]
    assert sorted([values[0][1:3], values[0][3:5]]) == ["ab", "ba"]


TEXT = "谁也不该在日志里读到这句话"


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO people (name, role, active, created_at) VALUES (:text, :text, NULL, 1)",  # the failing row
        "INSERT INTO settings (name, value) VALUES (:text, '1'), (:text, '2')",  # the key that is there already
        "INSERT INTO nowhere (name) VALUES (:text)",
        "UPDATE settings SET name = CAST(CAST(:text AS VARCHAR) AS JSON)",
    ],
)
def test_what_people_wrote_is_in_no_error_and_no_log(store, statement, caplog):
    put(store, "some")
    try:
        with store.write() as session:
            session.execute(text(statement), {"text": TEXT})
            session.execute(text("INSERT INTO nowhere VALUES (:text)"), {"text": TEXT})
    except Exception:
        logging.getLogger("test").exception("failed")
    assert "Traceback" in caplog.text
    assert TEXT not in caplog.text
    assert ascii(TEXT)[1:-1] not in caplog.text
