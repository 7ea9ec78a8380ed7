"""The database itself: opening it, its tables and their migrations, its clock, locks and line, backup and check.

Everybody in `db` imports from here; from outside `engine`, `schema`, `tables`, `settings`, `backup`, `check`.
"""
