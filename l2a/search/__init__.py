"""Beam search over a step function (`beam`, the reference), rules for hypotheses, and N-best `voting`.

Nothing here knows a model; `fast/` does, and finds the same lists for less work.
"""
