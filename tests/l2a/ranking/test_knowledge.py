"""What people decided, ready to be asked: in and out by the number of the question, whatever the order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.memory.word_table import WordTable
from l2a.ranking import knowledge as knowing
from l2a.ranking import ranker as ranking
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Ranker, Served
from l2a.text.segmenter import Segmenter
from tests.l2a.ranking.priors import prior_of

SEGMENTER = Segmenter()
PRIOR = prior_of({"votes.share": 1.0, "words.score": 0.5})


def empty() -> Knowledge:
    return Knowledge(Memory(WordTable(), SEGMENTER), PRIOR)


def decided(question: int, number: int, tags=("电影",)) -> DecidedQuestion:
    return DecidedQuestion(question, f"有什么科幻片？{question}", tags=tags, number=number)


def served(seed: int) -> Served:
    chance = random.Random(seed)
    figures = {tag: {"votes.share": chance.random(), "words.score": chance.random()} for tag in "甲乙丙"}
    return Served.judged(figures, chance.sample("甲乙丙", 1), chance.sample("丁甲", 1))


def test_the_ranker_is_fitted_on_what_was_served_the_newest_last():
    known = empty()
    assert known.ranker == Ranker.shipped(PRIOR)
    for question, number in ((1, 30), (2, 10), (3, 20)):
        known.learn(decided(question, number), served(question))
    known.learn(decided(4, 40))  # nobody knows how it was served
    assert known.served == [served(2), served(3), served(1)]
    assert known.ranker == Ranker.shipped(PRIOR).fitted([served(2), served(3), served(1)])
    assert (len(known.memory), known.ranker.decisions) == (4, 3)


def test_a_new_decision_takes_the_place_of_the_old_one():
    known = empty()
    known.learn(decided(1, 1), served(1))
    known.learn(decided(2, 2), served(2))
    known.learn(decided(1, 3), served(9))
    assert known.served == [served(2), served(9)]
    known.learn(decided(1, 4))  # decided anew, and not served: what was served before has no verdict any more
    assert known.served == [served(2)]


@given(st.data())
def test_any_way_to_the_same_decisions_gives_the_same_ranker(data):
    """Learned, changed, forgotten and learned again in any order: weights and cut of the final decisions."""
    final = {question: data.draw(st.integers(0, 9)) for question in data.draw(st.sets(st.integers(1, 6)))}
    steps = data.draw(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 9)), max_size=8))
    known = empty()
    for question, seed in steps:
        known.learn(decided(question, question), served(seed))
        if data.draw(st.booleans()):
            known.forget(question)
    for question in range(1, 7):
        if question not in final:
            known.forget(question)
    for question in data.draw(st.permutations(sorted(final))):
        known.learn(decided(question, question), served(final[question]))
    plain = empty()
    for question in sorted(final):
        plain.learn(decided(question, question), served(final[question]))
    assert known.ranker.weights == pytest.approx(plain.ranker.weights, abs=1e-12)
    assert known.ranker.constant == pytest.approx(plain.ranker.constant, abs=1e-12)
    assert known.ranker.cut == plain.ranker.cut
    assert known.ranker.decisions == plain.ranker.decisions == len(final)


def test_forgetting_the_last_decision_restores_the_chances_from_before_it():
    known = empty()
    for question in range(1, 8):
        known.learn(decided(question, question), served(question))
    figures = {"votes.share": 0.5, "words.score": 0.25}
    before = known.ranker.chance(figures)
    known.learn(decided(8, 8), served(8))
    assert known.ranker.chance(figures) != before
    known.forget(8)
    assert known.ranker.chance(figures) == before
    known.forget(8)  # nothing happens
    assert known.ranker.chance(figures) == before


def test_the_ranker_is_fitted_once_and_again_when_something_changed(monkeypatch):
    fits = []
    real = ranking.fit
    monkeypatch.setattr(ranking, "fit", lambda *rows: fits.append(1) or real(*rows))
    known = empty()
    known.learn(decided(1, 1), served(1))
    assert [known.ranker.cut, known.ranker.cut]
    assert len(fits) == 1
    known.learn(decided(2, 2))  # nothing was served
    assert known.ranker
    assert len(fits) == 1
    known.forget(1)
    assert known.ranker == Ranker.shipped(PRIOR)


def test_what_a_source_is_worth_can_be_asked():
    known = empty()
    for question in range(1, 8):
        known.learn(decided(question, question), served(question))
    without = known.ranker_without(["words"])
    assert set(without.weights) == {"votes.share"}
    assert set(known.ranker.weights) == {"votes.share", "words.score"}


def test_only_the_newest_servings_are_fitted_on(monkeypatch):
    for module in (knowing, ranking):
        monkeypatch.setattr(module, "WINDOW", 3)
    known = empty()
    for question in range(1, 12):
        known.learn(decided(question, question), served(question))
    newest = [served(question) for question in (9, 10, 11)]
    assert known.ranker == Ranker.shipped(PRIOR).fitted(newest)
    known.forget(11)
    assert known.ranker == Ranker.shipped(PRIOR).fitted([served(question) for question in (8, 9, 10)])
