"""Vectors of decided questions: the nearest are those of dense cosines, whatever came and went."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from l2a.data.questions import Question
from l2a.evidence.memory import meanings as keeping
from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.memory.meanings import Meanings
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import FoldedWords, PreparedQuestion
from l2a.text.hashing import hash_text
from l2a.text.segmenter import Segmenter


class Dice:
    """An encoder of a kind: each text has a vector that nothing explains."""

    def __init__(self, fingerprint: str = "dice", width: int = 24):
        self.fingerprint, self.width, self.asked = fingerprint, width, 0

    def encode(self, title: str, description: str = "") -> np.ndarray:
        self.asked += 1
        vector = np.random.default_rng(hash_text(f"{title}\n{description}")).normal(size=self.width)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def ask(title: str) -> PreparedQuestion:
    return PreparedQuestion(Question(title=title), FoldedWords([], []))


def put(meanings: Meanings, question: int, title: str) -> None:
    meanings.put(question, hash_text(title), title, "")


def expected(kept: dict[int, str], title: str, most: int) -> list[tuple[int, float]]:
    encoder = Dice()
    asked = encoder.encode(title).astype(float)
    found = sorted((-float(encoder.encode(text).astype(float) @ asked), number) for number, text in kept.items())
    return [(number, -likeness) for likeness, number in found[:most] if likeness < 0]


@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_are_those_of_dense_cosines(seed):
    chance, meanings, kept = random.Random(seed), Meanings(Dice()), {}
    for step in range(400):
        number = chance.randrange(150)
        if chance.random() < 0.3:
            meanings.forget(number)
            kept.pop(number, None)
        else:
            kept[number] = f"{number} {chance.randrange(3)}"
            put(meanings, number, kept[number])
        if step % 40 == 0:
            found, wanted = meanings.nearest(ask(str(step))), expected(kept, str(step), keeping.NEAREST)
            assert [number for number, _ in found] == [number for number, _ in wanted]
            assert [likeness for _, likeness in found] == pytest.approx([likeness for _, likeness in wanted], abs=1e-12)
    assert len(meanings) == len(kept)
    assert all(number in meanings for number in kept)


@given(st.permutations(range(60)), st.sets(st.integers(0, 59)))
def test_the_same_questions_in_any_order_are_found_the_same(order, gone):
    plain, mixed = Meanings(Dice()), Meanings(Dice())
    for number in range(60):
        if number not in gone:
            put(plain, number, str(number))
    for number in order:
        put(mixed, number, "something else")
        put(mixed, number, str(number))
    for number in gone:
        mixed.forget(number)
    for title in ("甲", "乙"):
        one, two = mixed.nearest(ask(title)), plain.nearest(ask(title))
        assert [number for number, _ in one] == [number for number, _ in two]
        assert [likeness for _, likeness in one] == pytest.approx([likeness for _, likeness in two], abs=1e-12)


def test_a_text_that_has_not_changed_is_not_read_again():
    encoder = Dice()
    meanings = Meanings(encoder)
    put(meanings, 1, "甲")
    put(meanings, 1, "甲")
    assert encoder.asked == 1
    put(meanings, 1, "乙")
    assert encoder.asked == 2
    assert len(meanings) == 1


def test_what_is_stored_gives_the_same_answers_and_holds_nothing_of_what_was_forgotten():
    meanings = Meanings(Dice())
    for number in range(80):
        put(meanings, number, str(number))
    gone = Dice().encode("7")
    meanings.forget(7)
    arrays = {name: array.copy() for name, array in meanings.arrays().items()}
    assert not any(np.allclose(row, gone) for row in arrays["meaning_vectors"])
    again = Meanings(Dice(), arrays)
    assert again.nearest(ask("甲")) == meanings.nearest(ask("甲"))
    for each in (again, meanings):
        put(each, 7, "7")
        each.forget(3)
    assert again.nearest(ask("甲")) == meanings.nearest(ask("甲"))
    assert Meanings(Dice(), Meanings(Dice()).arrays()).nearest(ask("甲")) == []


def test_vectors_of_another_encoder_are_refused_and_so_is_a_memory_without_any():
    meanings = Meanings(Dice())
    put(meanings, 1, "甲")
    with pytest.raises(ValueError, match="another sentence encoder"):
        Meanings(Dice("other"), meanings.arrays())
    memory = Memory(WordTable(), Segmenter())
    memory.put(DecidedQuestion(1, "甲", tags=("乙",)))
    with pytest.raises(ValueError, match="another sentence encoder"):
        Memory(WordTable(), Segmenter(), memory.arrays(), Dice())


def test_memory_keeps_a_vector_for_each_decided_question_and_for_no_other():
    segmenter, encoder = Segmenter(), Dice()
    memory = Memory(WordTable(), segmenter, encoder=encoder)
    for number in range(5):
        memory.put(DecidedQuestion(number, str(number), tags=("甲",)))
    memory.put(DecidedQuestion(3, "another text", tags=("甲",)))
    memory.put(DecidedQuestion(4, "4", tags=("乙",)))  # decided anew: the text is as it was
    assert encoder.asked == 6
    memory.forget(2)
    assert [number in memory.meanings for number in range(6)] == [True, True, False, True, True, False]
    again = Memory(WordTable(), segmenter, memory.arrays(), Dice())
    assert again.meanings.nearest(ask("甲")) == memory.meanings.nearest(ask("甲"))
    without = Memory(WordTable(), segmenter, memory.arrays())  # somebody has no encoder any more
    assert without.meanings is None
    assert len(without) == 4
    assert not [name for name in without.arrays() if name.startswith("meaning")]


def test_a_text_that_cannot_be_read_leaves_memory_as_it_was():
    encoder = Dice()
    memory = Memory(WordTable(), Segmenter(), encoder=encoder)
    memory.put(DecidedQuestion(1, "甲", tags=("乙",)))

    def fail(title: str, description: str = "") -> np.ndarray:
        raise OSError("no such file")

    encoder.encode = fail
    for number in (1, 2):
        with pytest.raises(OSError, match="no such file"):
            memory.put(DecidedQuestion(number, "丙", tags=("丁",)))
    assert (len(memory), memory.times_given("乙"), memory.times_given("丁")) == (1, 1, 0)
