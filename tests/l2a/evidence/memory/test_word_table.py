"""How rare words are: weights by hand, and that nothing but the table decides them."""

import math

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.memory.word_table import LEAST_TEXTS, WordTable
from l2a.evidence.source import FoldedWords
from l2a.text.hashing import hash_word
from l2a.text.segmenter import Segmenter

TEXTS = (
    [FoldedWords(["吉他", "的"], ["的", "琴"])] * 3 + [FoldedWords(["猫", "的"], [])] * 2 + [FoldedWords(["，"], [])]
)


def rarity(texts: int, of: int) -> float:
    return math.log((of + 1) / (texts + 0.5) + 1)


def weights(table: WordTable, words: FoldedWords) -> dict[int, float]:
    hashes, found = table.vector(words)
    return dict(zip(hashes, found.tolist(), strict=True))


def test_words_are_counted_by_texts_and_the_rare_ones_are_as_good_as_unknown():
    table = WordTable.count(TEXTS)
    counted = dict(zip(table.arrays["words"].tolist(), table.arrays["texts"].tolist(), strict=True))
    assert counted == {hash_word("吉他"): 3, hash_word("的"): 5, hash_word("琴"): 3}  # 猫: 2 texts, under LEAST_TEXTS
    assert LEAST_TEXTS == 3
    assert table.arrays["size"].tolist() == [6]


def test_weights_by_hand():
    """(1 + ln tf) x ln((N + 1) / (df + 0.5) + 1), the title three times, marks left out, of length one."""
    table = WordTable.count(TEXTS)
    found = weights(table, FoldedWords(["吉他", "？"], ["吉他", "的", "没见过"]))
    raw = {
        "吉他": (1 + math.log(4)) * rarity(3, 6),
        "的": rarity(5, 6),
        "没见过": rarity(0, 6),
    }
    length = math.sqrt(sum(value**2 for value in raw.values()))
    assert found == pytest.approx({hash_word(word): value / length for word, value in raw.items()}, rel=1e-6)
    assert sum(value**2 for value in found.values()) == pytest.approx(1, abs=1e-6)


def test_without_a_table_all_words_are_alike():
    found = weights(WordTable(), FoldedWords(["甲", "乙"], []))
    assert list(found.values()) == pytest.approx([math.sqrt(0.5)] * 2)
    assert WordTable().arrays == {}


@pytest.mark.parametrize("words", [FoldedWords([], []), FoldedWords(["，", "？"], ["！"])])
def test_a_text_without_words_has_an_empty_vector(words):
    hashes, found = WordTable.count(TEXTS).vector(words)
    assert (hashes, len(found)) == ([], 0)


def test_what_is_stored_gives_the_same_weights():
    table = WordTable.count(TEXTS)
    again = WordTable({name: array.copy() for name, array in table.arrays.items()})
    words = FoldedWords.of(Question(title="吉他的琴弦", description="猫"), Segmenter())
    assert weights(again, words) == weights(table, words)
    assert {name: array.tolist() for name, array in again.arrays.items()} == {
        name: array.tolist() for name, array in table.arrays.items()
    }


def test_nothing_of_the_texts_can_be_read_back():
    assert all(array.dtype.kind in "uf" for array in WordTable.count(TEXTS).arrays.values())
    stored = b"".join(np.ascontiguousarray(array).tobytes() for array in WordTable.count(TEXTS).arrays.values())
    assert "吉他".encode() not in stored
