"""The database itself: opening it, its tables and their migrations, its clock, locks and waiting line, copies of it.

Everybody in `db` imports from here, and this room knows none of the others; from outside `engine`, `schema`, `tables`,
`backup`, `records`, `input_checks`, `free_text`.
"""
