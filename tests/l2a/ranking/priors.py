"""Where rankers begin in the tests: weights that a test names, and a cut that it chooses."""

from collections.abc import Mapping

from l2a.ranking.ranker import CUTS, Prior


def prior_of(
    weights: Mapping[str, float],
    *,
    constant: float = -2.0,
    cut: float = 0.3,
    scales: Mapping[str, float] | None = None,
) -> Prior:
    """All that is right is kept at the cut, and nothing anywhere else."""
    assert cut in CUTS
    curve = tuple((1.0, 1.0, 1.0, 1.0) if other == cut else (0.0, 1.0, 0.0, 1.0) for other in CUTS)
    return Prior(dict(weights), dict(scales or {}), constant, curve)
