"""Names in a text that nobody has used as a tag; beyond the paper, whose promise they serve.

`tokens` cuts a text without a dictionary, `counts` says how often and how freely runs of tokens stand in a large text,
`usage` how listed tags begin and end and between what they stand, `spans` describes every run of a title with these
figures. `finder` is the front door, `learning` makes one.
"""
