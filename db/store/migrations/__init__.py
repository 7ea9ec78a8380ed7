"""Schema migrations; `db.store.schema` runs them."""
