"""The screen Tags: the list, one tag in a dialog, likely duplicates, changes.

Without Streamlit: `tag_table`, `field`, `changing`, `markup`; `controls/` are components of our own. The rest draws,
and `outcome` says what became of a change. Only the page imports from here.
"""
