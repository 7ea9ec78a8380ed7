"""The screen Export: which labels go out, as which file, and what changed since an earlier one.

Without Streamlit: `filters`, `formats`, `contents`, `file_head`, `files`, `earlier`; the rest chooses and draws. Only
the page imports from here; files are written and compared in app.transfer.
"""
