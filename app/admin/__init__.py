"""The screen Import and queue: questions and tags come in, the queue, people, models.

Without Streamlit: `importer` (files into the store), `orders` (an import as a page asks for it), `redaction`. A tab
each: `importing` (also on the page Tags), `queue`, `people`, `models`. The command line imports `importer` and
`redaction`.
"""
