"""The screen Dashboard: what people decided and how the model fared.

Without Streamlit: `period`, `groups`, `vote_reliability`, `tables`. `loading` keeps what was counted, `choices` are the
filters, `panel` frames each chart of `work`, `acceptance` and `agreement`. Only the page imports from here.
"""
