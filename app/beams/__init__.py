"""The screen Beams: the N-best list and how it votes.

Without Streamlit: `thresholds` (what is kept, at which threshold and beam) and `nbest` (the list as HTML and JSON
lines). `choices`, `searches` and `result` draw. Only the page imports from here.
"""
