"""From votes and evidence to one chance; beyond the paper, which orders tags by votes.

`candidates` gathers what speaks for each tag as figures, `ranker` turns figures into a chance and learns from verdicts,
`knowledge` is what a store's people decided, ready to be asked, and `kept` how that is kept on disk: others import
`Ranker`, `Served` and `Knowledge`.
"""
