"""Who gets which question next and for how long (`claims`, `serving`), in which `order`, and in what `shares`.

From outside also `reopening` and `check` (are the counts right?). It reads the ledger; the ledger knows nothing of it.
"""
