"""Runs the migrations on the connection that `db.store.schema` hands over. Alembic loads this file by its path."""

from alembic import context

from db.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite alters a table by making a new one
)
context.run_migrations()
