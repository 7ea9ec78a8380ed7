"""The screen Import and queue: questions and tags come in, the queue, people, models.

Without Streamlit: `orders`, an import as a page asks for it. A tab each: `importing` (also on the page Tags), `queue`,
`people`, `models`; `done` says what was done. Only pages import from here.
"""
