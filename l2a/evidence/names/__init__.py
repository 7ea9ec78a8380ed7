"""Names in texts: which words of a question people would call a tag, and which of them nobody has as one yet."""
