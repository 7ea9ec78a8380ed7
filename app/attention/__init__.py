"""The screen Attention: where the model looks while it writes tags.

Without Streamlit: `weights`, `address`, `check`, `files`. The rest asks the models, chooses and draws; `paper` makes
figures for papers. Only the page imports from here.
"""
