"""Between text and numbers: cleaning, cutting into words, vocabularies, the order of tags, codec, padded batches.

Knows neither files nor the network. Others import any module here.
"""
