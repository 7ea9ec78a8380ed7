"""What people decided in this store, as the live model's ranker knows it: caught up with the ledger before it is asked.

From outside: `store_memory`, `cache` (where it is kept between two starts) and `apart` (knowledge to try something out
on). `position` says up to which line of the ledger it has read, `taking_in` puts what was decided into the engine's
knowledge, `cutting` uses several cores for it.
"""
