"""Suggesting only tags of a list, as long as that of NLPCC-2018: not at many times the cost of a free search."""

import time
from itertools import product

import pytest
import torch

from l2a.data.questions import Question, read_questions
from l2a.tagger import NO_CONSTRAINTS, Constraints, Tagger
from tests.conftest import SAMPLES
from tests.project.test_starter import STARTER

TAGS = 25_551


@pytest.fixture(scope="module")
def starter() -> Tagger:
    return Tagger.load(STARTER)


@pytest.fixture(scope="module")
def known(starter) -> tuple[str, ...]:
    """The starter's own tags, and as many made of their words as the list has."""
    words = [tag for tag in starter.frequencies if starter.codec.can_write(tag)][:200]
    made = dict.fromkeys(starter.frequencies)
    for first, second in product(words, words):
        if len(made) == TAGS:
            break
        made.setdefault(first + second)
    return tuple(made)


def test_a_long_list_costs_at_most_twice_a_free_search(starter, known):
    """Processor time on one thread, in turns, the best of three: other work slows down both."""
    assert len(known) == TAGS
    questions = list(read_questions(SAMPLES))[:8]
    constraints = Constraints(known_tags=known)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        starter.suggest(questions[:1], beam=48, constraints=constraints)  # the list is read once for all questions
        best = {constraints: float("inf"), NO_CONSTRAINTS: float("inf")}
        for _ in range(3):
            for wish in best:
                begin = time.process_time()
                starter.suggest(questions, beam=48, constraints=wish)
                best[wish] = min(best[wish], time.process_time() - begin)
    finally:
        torch.set_num_threads(threads)
    assert best[constraints] / best[NO_CONSTRAINTS] < 2


def test_words_of_the_list_are_numbered_once_for_all_questions(starter, known, monkeypatch):
    asked = []
    number = starter.codec.number

    def counted(word, extra_words=()):
        asked.append(word)
        return number(word, extra_words)

    monkeypatch.setattr(starter.codec, "number", counted)
    constraints = Constraints(known_tags=known[:-1])  # a list it has not met
    questions = list(read_questions(SAMPLES))[:6]
    starter.suggest(questions[:5], beam=8, constraints=constraints)
    begun = {starter.codec.tag_words(tag)[0] for tag in known[:-1]}
    assert len(asked) < 1.5 * len(begun)  # the first words of all tags, and few of those that follow
    asked.clear()
    starter.suggest(questions[5:], beam=8, constraints=constraints)
    assert len(asked) < 0.05 * len(begun)


def test_a_word_that_only_the_question_has_can_be_written_if_it_is_a_known_tag(starter):
    """It is copied; the same list serves a question that does not have it."""
    made_up = "囧唪唫"
    assert not starter.codec.can_write(made_up)
    source = starter.encode(Question(title=f"{made_up} {made_up}"))
    own = [word for word in source.extra_words if word in made_up]
    constraints = Constraints(known_tags=(*own, "电影"))
    with_word, without = (
        starter.suggest([Question(title=title)], beam=16, constraints=constraints)[0]
        for title in (f"{made_up} {made_up}", "有什么好看的科幻电影推荐？")
    )
    assert own
    assert {tag for h in with_word.hypotheses for tag in h.tags} >= {own[0]}
    assert {tag for h in without.hypotheses for tag in h.tags} == {"电影"}
