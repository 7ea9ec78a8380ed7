"""Rows of word weights: the nearest ones are those of plain matrix products, whatever came and went."""

import random

import numpy as np
import pytest

from l2a.evidence.memory.rows import Rows

WORDS = 40


def row_of(chance: random.Random) -> tuple[list[int], np.ndarray]:
    words = chance.sample(range(1000, 1000 + WORDS), chance.randrange(1, 9))
    weights = np.array([chance.random() + 0.1 for _ in words], dtype=np.float32)
    return words, weights / np.linalg.norm(weights)


def dense(words: list[int], weights: np.ndarray) -> np.ndarray:
    found = np.zeros(WORDS)
    found[np.array(words) - 1000] = weights
    return found


def expected(kept: dict[int, np.ndarray], question: np.ndarray, most: int) -> list[tuple[int, float]]:
    """(question, cosine), the nearest first, of equal ones the lower number."""
    cosines = [(-round(float(vector @ question), 6), number) for number, vector in kept.items()]
    return [(number, -cosine) for cosine, number in sorted(cosines) if cosine < 0][:most]


def found_by(rows: Rows, words, weights, most) -> list[tuple[int, float]]:
    near = rows.nearest(words, weights, most)
    ids = [int(rows.ids[row]) for row in near.rows.tolist()]
    return list(zip(ids, near.likeness.tolist(), strict=True))


def same(found: list[tuple[int, float]], wanted: list[tuple[int, float]]) -> None:
    """The same likeness in every place, and where no two are about equal the same questions."""
    assert [likeness for _, likeness in found] == pytest.approx([likeness for _, likeness in wanted], abs=2e-6)
    values = [likeness for _, likeness in wanted]
    for place, (number, likeness) in enumerate(wanted[:-1]):  # the last one's equal may have been cut off
        if sum(abs(likeness - other) < 5e-6 for other in values) == 1:
            assert found[place][0] == number


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_are_those_of_dense_cosines(seed):
    chance, rows, kept, place_of = random.Random(seed), Rows(), {}, {}
    for number in chance.sample(range(10_000), 300):
        words, weights = row_of(chance)
        place_of[number], kept[number] = rows.add(number, words, weights), dense(words, weights)
        if chance.random() < 0.3:
            gone = chance.choice(list(kept))
            rows.take_out(place_of.pop(gone))
            del kept[gone]
        if chance.random() < 0.2:
            words, weights = row_of(chance)
            for most in (1, 7, 1000):
                same(found_by(rows, words, weights, most), expected(kept, dense(words, weights), most))
    assert len(rows) == 300
    assert rows.there.tolist() == sorted(place_of.values())


def test_equal_rows_come_by_the_number_of_their_question_also_where_not_all_are_wanted():
    rows, weights = Rows(), np.array([0.6, 0.8], dtype=np.float32)
    for number in (9, 3, 7, 1):
        rows.add(number, [5, 6], weights)
    for most in (1, 2, 3, 4):
        assert [number for number, _ in found_by(rows, [5, 6], weights, most)] == [1, 3, 7, 9][:most]


def test_words_that_no_row_has_find_nothing():
    rows = Rows()
    assert found_by(rows, [1], np.ones(1, np.float32), 5) == []
    rows.add(1, [5], np.ones(1, np.float32))
    assert found_by(rows, [6], np.ones(1, np.float32), 5) == []
    assert found_by(rows, [], np.zeros(0, np.float32), 5) == []
    rows.add(2, [], np.zeros(0, np.float32))  # a question of marks alone
    assert found_by(rows, [5], np.ones(1, np.float32), 5) == [(1, 1.0)]


def test_the_matrix_of_some_rows_gives_their_products():
    chance, rows, vectors = random.Random(1), Rows(), []
    for number in range(60):
        words, weights = row_of(chance)
        rows.add(number, words, weights)
        vectors.append(dense(words, weights))
    wanted = np.array([4, 0, 59, 17])
    found = rows.matrix(wanted)
    table = np.array(vectors)[wanted]
    np.testing.assert_allclose((found @ found.T).toarray(), table @ table.T, atol=1e-6)
    assert rows.matrix(np.zeros(0, dtype=np.int64)).shape[0] == 0


def test_what_is_stored_has_the_rows_that_are_there_and_gives_the_same_answers():
    chance, rows = random.Random(2), Rows()
    for number in range(100):
        rows.add(number, *row_of(chance))
    for row in range(0, 100, 3):
        rows.take_out(row)
    again = Rows({name: array.copy() for name, array in rows.arrays().items()})
    assert len(again) == len(rows.there) == 66
    for _ in range(10):
        words, weights = row_of(chance)
        assert found_by(again, words, weights, 20) == found_by(rows, words, weights, 20)
    rows.add(200, [1000, 1001], np.array([0.6, 0.8], dtype=np.float32))
    again.add(200, [1000, 1001], np.array([0.6, 0.8], dtype=np.float32))
    words, weights = [1001, 1000], np.array([0.8, 0.6], dtype=np.float32)
    assert found_by(again, words, weights, 20) == found_by(rows, words, weights, 20)
    empty = Rows({name: array.copy() for name, array in Rows().arrays().items()})
    assert found_by(empty, words, weights, 20) == []


def test_a_row_that_was_taken_out_comes_back():
    rows, weights = Rows(), np.ones(1, np.float32)
    row = rows.add(1, [5], weights)
    rows.take_out(row)
    assert found_by(rows, [5], weights, 3) == []
    rows.bring_back(row)
    assert found_by(rows, [5], weights, 3) == [(1, 1.0)]
