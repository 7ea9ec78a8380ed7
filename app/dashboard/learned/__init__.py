"""What decisions teach, on the dashboard: each suggestion as it was served, before its own answer was learned from.

Without Streamlit: `rolling` (how suggestions fared over decisions), `effort` (keys a question), `sources` (what each
kind of evidence is worth), `taught` (tags that rose and fell). `panels` draws what is always there, `asked` what is
worked out when somebody asks for it.
"""
