"""Decisions: what is written down, what its lines add up to, and the way back. One rule of undo, used by all.

From outside: `entries`, `submission`, `labels`, `history`, `desk_work`, `notes`; `replay` is pure.
"""
