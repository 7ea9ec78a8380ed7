"""Names that come up in the store's questions and are no tag yet: looked for by the live model, kept, told about.

`search` reads the questions and asks the engine; `about` says of one name how many questions, since when, what it may
belong to. No Streamlit: the page Tags and the command `tags emerging` stand on it.
"""
