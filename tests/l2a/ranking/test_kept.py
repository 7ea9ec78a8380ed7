"""Knowledge on disk: whole or not at all, the same chances to the last digit, and nothing of what was let go of."""

import os

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import PreparedQuestion
from l2a.ranking import kept, knowledge, ranker
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Served
from l2a.text.segmenter import Segmenter
from tests.l2a.ranking.priors import prior_of

SEGMENTER, TABLE = Segmenter(), WordTable()
PRIOR = prior_of({"votes.share": 3.0, "precedents.share": 4.0, "words.score": 2.0})
FIGURES = {"电影": {"votes.share": 0.7, "words.score": 0.25}, "音乐": {"votes.share": 0.1}, "跑步": {}}


def made(*numbers: int) -> Knowledge:
    """Knowledge of these questions, each served before."""
    found = Knowledge(Memory(TABLE, SEGMENTER), PRIOR)
    for number in numbers:
        tags = ("电影", "Music") if number % 2 else ("音乐", "music")
        decided = DecidedQuestion(
            number, f"第{number}部电影好看吗？", "说说看", tags=tags, rejected=("跑步",), number=number
        )
        found.learn(decided, Served.judged(FIGURES, tags, ("跑步",)))
    return found


def saved(one: Knowledge, folder) -> Knowledge:
    one.save(folder / "k", {"number": 7, "called": "电影"})
    again, about = Knowledge.load(folder / "k", TABLE, SEGMENTER, PRIOR)
    assert about == {"number": 7, "called": "电影"}
    assert kept.read_about(folder / "k") == about
    return again


def said(one: Knowledge) -> list:
    """Everything that sources say of a question, in whatever order, and the ranker's weights."""
    question = PreparedQuestion.of(Question(title="哪部电影的音乐好看又好听？"), SEGMENTER)
    found = [sorted(source.find(question), key=lambda finding: finding.tag) for source in one.sources]
    judged = [source.judge(question, ["电影", "音乐", "MUSIC"]) for source in one.sources]
    return [found, judged, one.ranker.weights, one.ranker.constant, one.ranker.cut, one.ranker.decisions]


def test_what_was_saved_says_the_same(tmp_path):
    one = made(1, 2, 3, 4, 5)
    one.forget(2)
    assert said(saved(one, tmp_path)) == said(one) == said(made(1, 3, 4, 5))


def test_nothing_is_a_thing_to_save_too(tmp_path):
    again = saved(made(), tmp_path)
    assert len(again.memory) == 0
    again.learn(DecidedQuestion(1, "电影", tags=("电影",), number=1))
    assert again.memory.times_given("电影") == 1


def test_it_can_be_learned_on_and_forgotten_from(tmp_path):
    again = saved(made(1, 2, 3), tmp_path)
    again.forget(1)
    again.learn(DecidedQuestion(9, "好看的音乐", tags=("音乐",), number=9))
    straight = made(2, 3)
    straight.learn(DecidedQuestion(9, "好看的音乐", tags=("音乐",), number=9))
    assert said(again) == said(straight)


def test_what_was_let_go_of_is_not_in_the_file(tmp_path):
    one = made(1, 2)
    one.learn(DecidedQuestion(3, "显微镜", tags=("显微镜",), number=3))
    one.forget(3)
    one.save(tmp_path / "k", {})
    assert "显微镜".encode() not in (tmp_path / "k").read_bytes()


def test_what_is_being_written_stays_as_it_was(tmp_path):
    """Arrays are taken quickly and written without haste, while more is learned."""
    one = made(1, 2, 3)
    before, arrays = said(one), one.arrays()
    for number in range(10, 300):
        one.learn(DecidedQuestion(number, f"电影和音乐{number}", tags=("别的",), number=number))
    one.forget(2)
    kept.write(tmp_path / "k", arrays, {})
    assert said(Knowledge.load(tmp_path / "k", TABLE, SEGMENTER, PRIOR)[0]) == before


def test_any_damage_is_noticed(tmp_path):
    file = tmp_path / "k"
    made(1, 2, 3).save(file, {"about": "x" * 20})
    content = file.read_bytes()
    for place in range(0, len(content), 97):
        damaged = bytearray(content)
        damaged[place] ^= 4
        file.write_bytes(damaged)
        with pytest.raises(ValueError):  # noqa: PT011 - of many kinds, according to what is damaged
            kept.read(file)
    for size in (0, 5, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:size])
        with pytest.raises(ValueError):  # noqa: PT011
            kept.read(file)
    file.write_bytes(content)
    assert kept.read(file)[1] == {"about": "x" * 20}
    with pytest.raises(FileNotFoundError):
        kept.read(tmp_path / "nothing")


def test_another_format_is_none_of_ours(tmp_path, monkeypatch):
    made(1).save(tmp_path / "k", {})
    monkeypatch.setattr(kept, "FORMAT", "l2a-knowledge-99")
    for read in (kept.read, kept.read_about):
        with pytest.raises(ValueError, match="another format"):
            read(tmp_path / "k")


def test_writing_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    one = made(1, 2)
    one.save(tmp_path / "k", {"which": "old"})

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        one.save(tmp_path / "k", {"which": "new"})
    assert kept.read_about(tmp_path / "k") == {"which": "old"}
    assert [file.name for file in tmp_path.iterdir()] == ["k"]


def test_servings_come_back_as_they_were(tmp_path):
    served = {
        5: (9, Served([{"a": 0.1, "b": -2.5}, {}], [1.0, None], 3)),
        3: (11, Served([], [], 0)),
        8: (12, Served([{"b": 1 / 3}], [0.0], 0)),
    }
    assert kept.read_served(kept.served_arrays(served)) == served
    assert kept.read_served(kept.served_arrays({})) == {}


def test_only_the_newest_servings_are_kept_and_a_gap_is_said(monkeypatch, tmp_path):
    for module in (knowledge, ranker):
        monkeypatch.setattr(module, "WINDOW", 4)
    monkeypatch.setattr(knowledge, "SPARE", 2)
    one = made(*range(1, 9))
    one.drop_old()  # few enough as it is
    assert (len(one._served), one.known_from, one.is_complete) == (8, 0, True)
    whole = said(made(*range(1, 10)))
    one = made(*range(1, 10))
    one.drop_old()
    assert (sorted(one._served), one.known_from, one.is_complete) == ([4, 5, 6, 7, 8, 9], 4, True)
    assert said(one) == whole
    one = saved(one, tmp_path)
    one.forget(9)
    one.forget(8)
    assert one.is_complete
    one.forget(7)
    assert not one.is_complete  # 3 would be among the newest four
    for number in (1, 2, 3):
        one.serve(number, number, made(number).served[0])
    one.known_from = 0
    assert one.is_complete
    assert said(one) == said(made(*range(1, 7)))


def test_arrays_are_plain(tmp_path):
    arrays = made(1, 2).arrays()
    assert all(isinstance(array, np.ndarray) and array.dtype != object for array in arrays.values())
