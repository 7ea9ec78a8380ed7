"""The experiments by name, in the order of the paper; `all` runs them in this order."""

from l2a.experiments.results import (
    attention_maps,
    counts,
    frequency,
    main_tables,
    meaningless_table,
    unseen,
    variants,
    voting_figure,
)
from l2a.experiments.study import Experiment, Need, Study


def _nothing(study: Study) -> list[Need]:
    return []


EXPERIMENTS: dict[str, Experiment] = {
    "coverage": Experiment("Cues: full tags and tag words in the question", _nothing, counts.coverage),
    "frequency": Experiment("Tag frequency: abstract against specific", _nothing, frequency.frequency),
    "dataset": Experiment("The data sets", _nothing, counts.dataset),
    "main": Experiment("Multi-label classification", main_tables.needs, main_tables.main_tables),
    "unseen": Experiment("Unseen tags: the open test", unseen.unseen_needs, unseen.unseen),
    "nbest": Experiment("N-best voting", voting_figure.order1_needs, voting_figure.nbest),
    "meaningless": Experiment("Meaningless tags", voting_figure.order1_needs, meaningless_table.meaningless_table),
    "positions": Experiment("Local positional encoding", variants.positions_needs, variants.positions),
    "architecture": Experiment("Model architecture", variants.architecture_needs, variants.architecture),
    "attention": Experiment("Attention", attention_maps.attention_needs, attention_maps.attention),
}
