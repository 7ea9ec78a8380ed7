"""The screen History: decisions with their ways back, and conflicts to settle.

Without Streamlit: `filters`, `ways_back`, `listing`, `agreement`, `markup`; `rows/` is a component of our own. The rest
chooses, acts and draws. Only the page imports from here.
"""
