import pytest

from l2a.experiments.report.tables import count_spread, escape, mean, score_cells, spread, table


def test_a_table_is_markdown_and_bars_in_cells_do_not_break_it():
    assert table(("a", "b"), [(1, "x|y"), ("line\nbreak", "")]) == (
        "| a | b |\n|---|---|\n| 1 | x\\|y |\n| line break |  |"
    )


@pytest.mark.parametrize(
    ("shares", "text"),
    [([], "–"), ([0.1234], "12.3"), ([0.10, 0.13, 0.16], "13.0 (10.0 to 16.0)"), ([0.2, 0.2], "20.0 (20.0 to 20.0)")],
)
def test_spread_is_mean_lowest_and_highest(shares, text):
    assert spread(shares) == text


def test_mean_of_nothing_is_said():
    assert mean([]) == "–"
    assert mean([0.5, 0.25]) == "37.5"


def test_score_cells_give_the_spread_of_f1_only():
    scores = [{"precision": 0.5, "recall": 0.2, "f1": 0.3}, {"precision": 0.7, "recall": 0.4, "f1": 0.5}]
    assert score_cells(scores) == ["60.0", "30.0", "40.0 (30.0 to 50.0)"]


@pytest.mark.parametrize(("counts", "text"), [([], "–"), ([7], "7"), ([7, 7], "7"), ([1, 2, 6], "3.0 (1 to 6)")])
def test_counts_are_averaged_too(counts, text):
    assert count_spread(counts) == text


def test_nothing_in_a_cell_is_taken_for_markup():
    assert escape("C:\\dir") == "C:\\\\dir"
    assert escape("<s>") == "&lt;s>"
