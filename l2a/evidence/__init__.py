"""What else speaks for a tag besides the hypotheses; beyond the paper, and the paper's rooms know nothing of it.

`source` is the interface, `sources/` has one file a source, `collection` is the front door: others import `Evidence`.
`literal` finds tags in a text for the silver labels too.
"""
