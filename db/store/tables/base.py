"""What all tables have in common: their base, types of columns, kinds of constraints and indexes."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, Integer, MetaData, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase

from db.store.clock import Moment

# SQLite numbers rows by itself only in a column that is plainly INTEGER.
BigId = BigInteger().with_variant(Integer, "sqlite")
Json = JSON().with_variant(JSONB, "postgresql")
# Without this, None would be stored as the word null of JSON, which is not NULL.
JsonOrNull = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_is_known")


def partial_index(name: str, where: str, *columns: str, unique: bool = False) -> Index:
    """An index over the rows for which `where` is true only: small, however many rows are done with.

    SQLite uses it only for a query that says the same words, and there a truth value is said `= 1`.
    """
    sqlite_where = text(where if "=" in where else f"{where} = 1")
    return Index(name, *columns, unique=unique, sqlite_where=sqlite_where, postgresql_where=text(where))


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, dict: Json}  # noqa: RUF012
