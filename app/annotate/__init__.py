"""The screen Annotate: a person's desk (no Streamlit), what the board is told, the board itself."""
