"""Which epoch is kept: the one with the best F1 on dev."""


def is_better(f1: float, best_f1: float | None) -> bool:
    """Whether a later epoch with this F1 is better than the best one before it (None: there is none)."""
    # While no right tag is kept at all, the model that was trained longer is the better one.
    return best_f1 is None or f1 > best_f1 or best_f1 == 0
