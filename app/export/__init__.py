"""The screen Export: which labels go out, as which file, and what changed since an earlier one.

Without Streamlit: `exporter`, `filters`, `formats`, `contents`, `file_head`, `files`, `earlier`, `difference`; the rest
chooses and draws. The command line imports `exporter` and `difference`.
"""
