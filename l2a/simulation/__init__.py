"""A simulated moderator, who knows the right tags: what decisions teach, measured; and where a ranker begins, fitted.

`stream` answers questions one by one; `shipping` fits the weights that ship with a model on what streams leave;
`simulate` follows the learning curve (`decodings` keeps hypotheses, `keys` counts what a person would press, `peers` is
what others make of the same decisions) and `report` shows it. Others import any of them.
"""
