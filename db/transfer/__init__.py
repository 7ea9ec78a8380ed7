"""Questions in, labels out: import, export, files written whole or not at all, one module a format.

From outside: `importing`, `export`, `relabelling`, `question_search`.
"""
