"""The decision store: questions, tags, suggestions, the queue, the ledger, model versions, exports.

Rows in, rows out: this package knows neither Streamlit nor the model. `db.store.engine.Store` is the front door.
"""
