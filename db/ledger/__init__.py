"""Decisions: what is written down, what its lines add up to, and the way back. One rule of undo, used by all.

From outside: `entries`, `submission`, `labels`, `history`, `desk_work`, `notes`, `decided_since` (what memory reads);
`replay` (the rule of undo is there) and `similarity` are pure; `tally` keeps a question's counts. It knows neither
queue nor figures.
"""
