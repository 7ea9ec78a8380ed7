"""The ranker that ships with the starter: what was accepted once is never less likely for a similar question."""

import random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from l2a.data.questions import Question, read_questions
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Served
from l2a.suggestions import Suggestions
from l2a.tagger import Tagger
from l2a.text.cleaning import match_key
from tests.conftest import SAMPLES
from tests.project.test_starter import STARTER

BEAM = 8


class Asked(NamedTuple):
    """A question with its hypotheses, and the tags that stand in it, are in a list, and were never given."""

    question: Question
    answer: Suggestions
    listed: tuple[str, ...]


def listed_tags(answer: Suggestions) -> tuple[str, ...]:
    return tuple(
        one.tag
        for one in answer.suggestions
        if any(found.source == "listed" and found.probability is not None for found in one.findings)
    )


@pytest.fixture(scope="module")
def starter() -> Tagger:
    return Tagger.load(STARTER)


@pytest.fixture(scope="module")
def asked(starter) -> list[Asked]:
    questions = list(read_questions(SAMPLES))[:40]
    answers = starter.suggest(questions, beam=BEAM)
    found = [Asked(question, answer, listed_tags(answer)) for question, answer in zip(questions, answers, strict=True)]
    assert sum(bool(one.listed) for one in found) > 10
    return found


def rank(starter: Tagger, one: Asked, question: Question, knowledge: Knowledge) -> Suggestions:
    return starter.rank(starter.read(question), one.answer.hypotheses, beam=BEAM, knowledge=knowledge)


def decide(starter: Tagger, knowledge: Knowledge, number: int, one: Asked, tags, rejected) -> None:
    """As a moderator does: what was shown is judged, and it is known how it was shown."""
    answer = rank(starter, one, one.question, knowledge)
    right = set(map(match_key, tags))
    wrong = tuple(tag for tag in rejected(answer) if match_key(tag) not in right)
    served = Served.judged({tag.tag: tag.figures for tag in answer.suggestions[:30]}, tags, wrong)
    question = one.question
    decided = DecidedQuestion(
        number, question.title, question.description, tags=tuple(tags), rejected=wrong, number=number
    )
    knowledge.learn(decided, served)


def shown(answer: Suggestions) -> list[str]:
    return [tag.tag for tag in answer.shown]


REJECTED = {
    "none": lambda answer: [],
    "shown": shown,
    "all": lambda answer: [tag.tag for tag in answer.suggestions],
}


@settings(max_examples=100)
@given(
    which=st.integers(0, 10**6),
    earlier=st.lists(st.integers(0, 39), max_size=8, unique=True),
    dropped=st.floats(0, 0.5),
    rejected=st.sampled_from(sorted(REJECTED)),
    seed=st.integers(0, 10**6),
)
def test_accepting_a_listed_tag_once_never_lowers_its_chance(starter, asked, which, earlier, dropped, rejected, seed):
    """For the same question and for one with up to half of the words of its title left out; whatever was decided before
    it, and though everything else that was shown for it is rejected at the same time."""
    chance = random.Random(seed)
    one, tag = (pairs := [(one, tag) for one in asked for tag in one.listed])[which % len(pairs)]
    words = starter.codec.segmenter.source_words(one.question.title)
    kept = sorted(chance.sample(range(len(words)), max(1, round(len(words) * (1 - dropped)))))
    similar = Question(title="".join(words[place] for place in kept), description=one.question.description)
    knowledge = starter.new_knowledge()

    def now(question: Question) -> float:
        ranked = rank(starter, one, question, knowledge).suggestions
        return next((each.chance for each in ranked if match_key(each.tag) == match_key(tag)), 0.0)

    others = [asked[place] for place in earlier if asked[place] is not one]
    others = [other for other in others if match_key(tag) not in set(map(match_key, other.question.tags))]
    for number, other in enumerate(others, start=1):
        decide(starter, knowledge, number, other, other.question.tags, shown)
    before = [now(question) for question in (one.question, similar)]
    decide(starter, knowledge, 99, one, [tag], REJECTED[rejected])
    after = [now(question) for question in (one.question, similar)]
    assert after[0] >= before[0]
    assert after[1] >= before[1]
    knowledge.forget(99)
    assert [now(question) for question in (one.question, similar)] == before


def test_it_begins_with_a_weight_against_a_tag_for_rejections_alone(starter):
    against = {name for name, weight in starter.prior.weights.items() if weight < 0}
    assert against <= {"precedents.refused"}
    assert starter.prior.weights["model.standing"] > 0


def test_a_tag_rejected_for_the_same_question_sinks(starter, asked):
    """Not only its own chance falls: it is no longer the first."""
    fell = []
    for one in asked[:15]:
        knowledge = starter.new_knowledge()
        first = rank(starter, one, one.question, knowledge).suggestions[0]
        decide(starter, knowledge, 1, one, [], lambda answer, tag=first.tag: [tag])
        (again,) = (each for each in rank(starter, one, one.question, knowledge).suggestions if each.tag == first.tag)
        assert again.chance < first.chance
        fell.append(again.rank > 1)
    assert sum(fell) > 7
