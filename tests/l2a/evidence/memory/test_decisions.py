"""Memory is a function of the decisions in it: whatever came, changed and went, the same decisions say the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from l2a.data.questions import Question
from l2a.evidence.memory import decisions
from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import FoldedWords, Known, PreparedQuestion
from l2a.evidence.sources import source_classes
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()
WORDS = ["吉他", "怎样", "练", "Python", "机器学习", "猫", "？", "好", "c++"]
TAGS = ["吉他", "Python", "python", "机器学习", "机器 学习", "猫粮", "C++", "好", "咕噜兽"]
TABLE = WordTable.count([FoldedWords(WORDS[:4], []), FoldedWords(WORDS[:6], []), FoldedWords(WORDS, [])])
NAMES = [("吉他", "吉他", "音乐"), ("ML", "机器学习", None), ("音乐", "音乐", None), ("猫粮", "猫粮", "猫")]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
tag_sets = st.lists(st.sampled_from(TAGS), max_size=3, unique=True).map(tuple)
questions = st.builds(
    DecidedQuestion,
    question_id=st.integers(1, 7),
    title=texts,
    description=st.one_of(st.just(""), texts),
    tags=tag_sets,
    rejected=tag_sets,
    number=st.integers(1, 5),  # several decisions may come from one ledger line
)


def empty() -> Memory:
    memory = Memory(TABLE, SEGMENTER)
    memory.learn_names(NAMES)
    return memory


def answers(memory: Memory, title: str, description: str = "") -> dict[tuple[str, str], tuple]:
    """All that sources say: (source, tag) -> figures, and what a person is told; and which questions are like it."""
    question = PreparedQuestion.of(Question(title=title, description=description), SEGMENTER)
    opened = [source for each in source_classes() if (source := each.open(Known(memory=memory))) is not None]
    found = [finding for source in opened for finding in source.find(question)]
    found += [finding for source in opened for finding in source.judge(question, [*TAGS, "音乐", "猫"])]
    said = {(one.source, one.tag): (dict(one.figures), str(one.text)) for one in found}
    assert len(said) == len(found)
    return {**said, ("similar", ""): ({str(n): like for n, like in memory.similar(question, 5, 0.1)}, "")}


def same(memory: Memory, other: Memory, asked: list[str]) -> None:
    assert len(memory) == len(other)
    for title in asked:
        one, two = answers(memory, title), answers(other, title)
        assert one.keys() == two.keys()
        for key, (figures, text) in one.items():
            assert (figures, text) == (pytest.approx(two[key][0], abs=1e-9), two[key][1]), key


ASKED = ["吉他 怎样 练 ML", "Python 机器学习 好", "猫 猫粮", "机器 学习 C++ 咕噜兽"]


@settings(max_examples=60)
@given(st.data())
def test_any_way_to_the_same_decisions_says_the_same(data):
    """Put, changed, forgotten and put again in any order, as by submit, undo, decisions anew and merges."""
    memory, kept = empty(), {}
    for step in data.draw(st.lists(st.one_of(questions, st.integers(1, 7)), max_size=14)):
        if isinstance(step, int):
            memory.forget(step)
            kept.pop(step, None)
        else:
            memory.put(step)
            kept[step.question_id] = step
        if data.draw(st.booleans()):
            answers(memory, ASKED[0])  # what was looked up in between leaves nothing behind
    plain = empty()
    for question_id in data.draw(st.permutations(sorted(kept))):
        plain.put(kept[question_id])
    same(memory, plain, ASKED)
    assert {number for number in range(1, 8) if number in memory} == set(kept)


@settings(max_examples=30)
@given(st.lists(questions, max_size=8), questions)
def test_an_undo_says_what_was_said_before(decided, last):
    memory = empty()
    for one in decided:
        memory.put(one)
    before = [answers(memory, title) for title in ASKED]
    if last.question_id in memory:
        (again,) = [one for one in reversed(decided) if one.question_id == last.question_id][:1]
        memory.put(last)
        memory.put(again)
    else:
        memory.put(last)
        memory.forget(last.question_id)
    assert [answers(memory, title) for title in ASKED] == before  # to the last bit


@settings(max_examples=30)
@given(st.lists(questions, max_size=8), st.lists(questions, max_size=4))
def test_what_is_stored_goes_on_as_if_it_had_never_been_put_away(decided, later):
    memory = empty()
    for one in decided:
        memory.put(one)
    arrays = {name: np.array(array) for name, array in memory.arrays().items()}
    again = Memory(TABLE, SEGMENTER, arrays)
    again.learn_names(NAMES)
    same(again, memory, ASKED)
    for one in later:
        memory.put(one)
        again.put(one)
    same(again, memory, ASKED)
    for one in decided[:3]:
        memory.forget(one.question_id)
        again.forget(one.question_id)
    same(again, memory, ASKED)


def test_room_that_forgotten_questions_take_is_given_back(monkeypatch):
    monkeypatch.setattr(decisions, "_MANY_GONE", 3)
    monkeypatch.setattr(decisions, "_MANY_GONE_SHARE", 100)
    memory, plain = empty(), empty()
    for number in range(30):
        memory.put(DecidedQuestion(number, f"吉他 练 {number}", tags=("吉他",), number=number))
    for number in range(20):
        memory.forget(number)
    for number in range(20, 30):
        plain.put(DecidedQuestion(number, f"吉他 练 {number}", tags=("吉他",), number=number))
    same(memory, plain, ASKED)


def test_a_question_can_be_left_out_for_a_while():
    memory, plain = empty(), empty()
    decided = [DecidedQuestion(n, f"吉他 练 {n}", tags=("吉他", "音乐"), number=n) for n in (1, 2, 3)]
    for one in decided:
        memory.put(one)
    plain.put(decided[0])
    plain.put(decided[2])
    before = answers(memory, ASKED[0])
    with memory.without(2):
        same(memory, plain, ASKED)
    assert answers(memory, ASKED[0]) == before
    with memory.without(9):  # not decided
        assert answers(memory, ASKED[0]) == before
    with pytest.raises(RuntimeError), memory.without(2):
        raise RuntimeError
    assert answers(memory, ASKED[0]) == before


def test_the_newest_number_is_the_latest_decision_whenever_it_was_put():
    memory = empty()
    for number in (5, 1, 9, 3):
        memory.put(DecidedQuestion(number, "吉他", tags=("吉他",), number=number))
    assert memory.newest() == [(9, 9), (5, 5), (3, 3), (1, 1)]
    assert (memory.number_of(9), memory.number_of(2)) == (9, None)


def test_the_commonest_spelling_names_a_tag():
    memory = empty()
    for number, tag in enumerate(["python", "Python", "Python"]):
        memory.put(DecidedQuestion(number, "怎样 练", tags=(tag,)))
    assert {tag for source, tag in answers(memory, "怎样 练") if source == "words"} == {"Python"}
    memory.forget(1)
    memory.forget(2)
    assert {tag for source, tag in answers(memory, "怎样 练") if source == "words"} == {"python"}


def test_a_text_that_changed_is_read_anew():
    memory = empty()
    memory.put(DecidedQuestion(1, "吉他 练", tags=("吉他",)))
    memory.put(DecidedQuestion(1, "猫 好", tags=("猫粮",)))
    assert memory.similar(PreparedQuestion.of(Question(title="吉他"), SEGMENTER), 5, 0.0) == []
    assert [n for n, _ in memory.similar(PreparedQuestion.of(Question(title="猫"), SEGMENTER), 5, 0.0)] == [1]
