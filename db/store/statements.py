"""Statements that go past the session's objects, or past SQLAlchemy altogether."""

from typing import Any

from sqlalchemy import Connection, CursorResult, Delete, Update
from sqlalchemy.orm import Session


def change_rows(session: Session, statement: Update | Delete) -> int:
    """Run an UPDATE or DELETE whatever objects the session holds; returns how many rows it changed."""
    result = session.execute(statement.execution_options(synchronize_session=False))
    assert isinstance(result, CursorResult)  # as for every statement that returns no rows
    return result.rowcount


def run_outside_transaction(connection: Connection, statement: str) -> list[Any]:
    """Run a statement of SQLite's on the driver's own connection: SQLAlchemy would begin a transaction before it."""
    raw = connection.connection.dbapi_connection
    assert raw is not None  # the connection is open
    return raw.execute(statement).fetchall()  # rows of any kind, as SQLite answers
