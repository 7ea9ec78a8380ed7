import math

import pytest
import torch

from l2a.network.positions import encoding_table, global_positions, local_positions
from l2a.text.vocabulary import DELIMITER, END, PAD, START

MOVIE, SCIENCE, FICTION, STAR, WARS = range(5, 10)
# movie | science fiction movie | Star Wars |
PAPER_EXAMPLE = [MOVIE, DELIMITER, SCIENCE, FICTION, MOVIE, DELIMITER, STAR, WARS, DELIMITER]


def test_local_positions_of_the_papers_example():
    assert local_positions(torch.tensor([PAPER_EXAMPLE])).tolist() == [[0, 1, 0, 1, 2, 3, 0, 1, 2]]


def test_the_start_symbol_is_at_0_and_the_first_word_too():
    tokens = torch.tensor([[START, *PAPER_EXAMPLE]])
    assert local_positions(tokens).tolist() == [[0, 0, 1, 0, 1, 2, 3, 0, 1, 2]]


def test_every_row_of_a_batch_is_counted_by_itself():
    tokens = torch.tensor(
        [
            [START, STAR, WARS, DELIMITER, MOVIE],
            [START, MOVIE, DELIMITER, END, PAD],
            [START, DELIMITER, DELIMITER, MOVIE, WARS],
        ]
    )
    assert local_positions(tokens).tolist() == [[0, 0, 1, 2, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]]


def test_one_symbol_is_at_0():
    assert local_positions(torch.tensor([[START], [MOVIE]])).tolist() == [[0], [0]]


def test_global_positions_count_through():
    tokens = torch.tensor([[START, *PAPER_EXAMPLE], [START, *PAPER_EXAMPLE]])
    assert global_positions(tokens).tolist() == [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] * 2


@pytest.mark.parametrize(
    ("position", "column", "expected"),
    [
        (0, 0, 0.0),
        (0, 1, 1.0),
        (3, 0, math.sin(3)),
        (3, 1, math.cos(3 / 10_000 ** (1 / 6))),  # 2c+1 = 1
        (3, 2, math.sin(3 / 10_000 ** (2 / 6))),
        (7, 3, math.cos(7 / 10_000 ** (3 / 6))),  # 2c+1 = 3: cos(0.07)
        (7, 4, math.sin(7 / 10_000 ** (4 / 6))),
        (19, 5, math.cos(19 / 10_000 ** (5 / 6))),
    ],
)
def test_encoding_follows_the_papers_formula(position, column, expected):
    assert encoding_table(20, 6)[position, column].item() == pytest.approx(expected, abs=1e-6)


def test_an_odd_column_has_a_wavelength_of_its_own():
    # Vaswani et al. would give cos(3 / 10000^0) = cos(3) = -0.98999 in column 1.
    assert encoding_table(4, 2)[3].tolist() == pytest.approx([0.14112001, 0.99955003], abs=1e-6)  # sin(3), cos(0.03)


def test_encoding_has_one_row_a_position():
    table = encoding_table(5, 8)
    assert table.shape == (5, 8)
    assert table.dtype == torch.float32
    assert len({tuple(row) for row in table.tolist()}) == 5
