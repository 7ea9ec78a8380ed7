"""Schema migrations; `db.schema` runs them."""
