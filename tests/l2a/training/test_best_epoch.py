import pytest

from l2a.training.best_epoch import is_better


@pytest.mark.parametrize(
    ("f1", "best", "expected"),
    [
        (0.0, None, True),
        (0.2, 0.1, True),
        (0.1, 0.1, False),
        (0.05, 0.1, False),
        (0.0, 0.0, True),  # nothing right so far: longer training is better
    ],
)
def test_the_best_epoch_is_the_one_with_the_higher_f1(f1, best, expected):
    assert is_better(f1, best) == expected
