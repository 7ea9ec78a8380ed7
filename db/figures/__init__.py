"""Numbers about the work: counts, acceptance, agreement, the dashboard, the log of changes.

Reads only; `rate` and `agreement` are pure.
"""
