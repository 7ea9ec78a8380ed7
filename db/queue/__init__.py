"""Who gets which question next and for how long (`claims`), and in which order (`order`).

May read the ledger; the ledger knows nothing of it.
"""
