"""What people decided, as sources of evidence look it up; beyond the paper.

`decisions` is the front door: `Memory` takes decided questions in and lets go of them again. `word_table` says how rare
a word is, `rows` keeps the questions' words and finds the questions most like one, `outcomes` keeps what was decided
about each, `names` finds tags' names in a text. `growing` and `pairs` are the flat arrays that they consist of.
`meanings` keeps the questions as vectors, for those who have a sentence encoder.
"""
