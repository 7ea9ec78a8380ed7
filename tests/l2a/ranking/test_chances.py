"""Accepting a tag of a list, once, never lowers its chance for a similar question; an undo restores all chances."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from l2a.config import VoteSettings
from l2a.data.questions import Question
from l2a.evidence.collection import Evidence
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Served
from l2a.suggestions import Hypothesis, Suggestions
from l2a.tagger import Tagger
from tests.l2a.ranking.priors import prior_of

ANIMALS = ["大象", "老虎", "狮子", "长颈鹿", "河马", "犀牛", "斑马", "袋鼠", "考拉", "企鹅", "海豚", "鲸鱼"]
LABELLED = [Question(id=animal, title=f"{animal}吃什么？", tags=(animal,)) for animal in ANIMALS]
LISTED = ["显微镜", "望远镜", "细菌"]
WORDS = ["怎么", "选", "用", "大象", "吃", "孩子", "便宜", "望远镜", "细菌", "哪里"]
TAGS = ["显微镜", "望远镜", "大象", "细菌", "科学", "动物"]

MEMORY_FIGURES = [
    "precedents.share",
    "precedents.share.root",
    "precedents.nearest",
    "words.score",
    "words.score.root",
    "mentions.title",
    "mentions.description",
    "habits.ever",
    "habits.often",
    "habits.usual",
    "habits.lately",
    "habits.together",
    "mentions.title*habits.ever",
    "votes.share*habits.ever",
    "mentions.title*votes.share",
]
titles = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map("".join)
n_best = st.lists(st.lists(st.sampled_from(TAGS), min_size=1, max_size=3, unique=True), max_size=4)


@st.composite
def priors(draw):
    """Memory never speaks for a tag with a weight against it; the model's own standing may be worth anything.

    Gives what `prior_of` takes: a failing example is then short.
    """
    weights = {name: draw(st.floats(0, 3)) for name in draw(st.sets(st.sampled_from(MEMORY_FIGURES)))}
    weights["precedents.refused"] = -draw(st.floats(0, 3))
    weights["model.standing"] = draw(st.floats(0, 8))
    scales = {name: draw(st.floats(0.05, 2)) for name in draw(st.sets(st.sampled_from(sorted(weights))))}
    return {"weights": weights, "scales": scales, "constant": draw(st.floats(-6, 1))}


@pytest.fixture(scope="module")
def tagger(tiny_tagger) -> Tagger:
    """A list that nobody has used, and what is believed of it; the hypotheses are the tests' own."""
    evidence = Evidence.build(LABELLED, LISTED, tiny_tagger.codec.segmenter)
    votes = VoteSettings({"listed": 4.0, "named": 0.2, "near": 0.2}, invented_worth=0.25)
    return replace(tiny_tagger, evidence=evidence, votes=votes)


def rank(tagger: Tagger, title: str, lists: list[list[str]], knowledge: Knowledge | None = None) -> Suggestions:
    hypotheses = [Hypothesis(tuple(tags), -float(place + 1)) for place, tags in enumerate(lists)]
    return tagger.rank(tagger.read(Question(title=title), only_hints=False), hypotheses, beam=8, knowledge=knowledge)


def chance(tagger: Tagger, knowledge: Knowledge, title: str, lists: list[list[str]], tag: str = "显微镜") -> float:
    (found,) = (one.chance for one in rank(tagger, title, lists, knowledge).suggestions if one.tag == tag)
    return found


@st.composite
def decisions(draw, *, may_accept: bool = False, may_reject: bool = True):
    """Questions decided before; nobody has accepted 显微镜 yet."""
    tags = TAGS if may_accept else [tag for tag in TAGS if tag != "显微镜"]
    return [
        (
            draw(titles),
            tuple(draw(st.lists(st.sampled_from(tags), max_size=3, unique=True))),
            tuple(draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True))) if may_reject else (),
            draw(n_best),
        )
        for _ in range(draw(st.integers(0, 5)))
    ]


def learn(tagger: Tagger, knowledge: Knowledge, number: int, title, tags, rejected, lists, *, is_served: bool) -> None:
    served = None
    if is_served:
        figures = {one.tag: one.figures for one in rank(tagger, title, lists, knowledge).suggestions}
        served = Served.judged(figures, tags, rejected)
    knowledge.learn(DecidedQuestion(number, title, tags=tags, rejected=rejected, number=number), served)


def before_and_after(
    tagger: Tagger, prior: dict, earlier, pair, lists, others, *, is_served: bool
) -> tuple[float, float]:
    """The chance of 显微镜 for the second question, before and after it was accepted for the first one."""
    tagger = replace(tagger, prior=prior_of(**prior))
    knowledge = tagger.new_knowledge()
    for number, one in enumerate(earlier, start=1):
        learn(tagger, knowledge, number, *one, is_served=is_served)
    before = chance(tagger, knowledge, pair[1], lists)
    learn(tagger, knowledge, 99, pair[0], ("显微镜", *others), (), lists, is_served=is_served)
    return before, chance(tagger, knowledge, pair[1], lists)


pairs = st.tuples(titles, titles).map(lambda pair: ("显微镜" + pair[0], "显微镜" + pair[1]))
other_tags = st.lists(st.sampled_from(TAGS[1:]), max_size=2, unique=True)


@settings(max_examples=50)
@given(prior=priors(), earlier=decisions(), pair=pairs, lists=n_best, others=other_tags)
def test_what_memory_knows_of_an_accepted_tag_never_lowers_its_chance(tagger, prior, earlier, pair, lists, others):
    """Whatever was decided before it, rejections of the tag among it; the weights stay as they were shipped."""
    before, after = before_and_after(tagger, prior, earlier, pair, lists, others, is_served=False)
    assert after >= before - 1e-12


@settings(max_examples=50)
@given(prior=priors(), earlier=decisions(may_reject=False), pair=pairs, lists=n_best, others=other_tags)
def test_nor_does_what_the_ranker_learns_from_accepted_tags(tagger, prior, earlier, pair, lists, others):
    before, after = before_and_after(tagger, prior, earlier, pair, lists, others, is_served=True)
    assert after >= before - 1e-12


def test_the_first_acceptance_of_a_listed_tag_is_no_jump_down(tagger):
    """What this is about: a listed tag's weight was 4, and fell to 0.2 as soon as it counted as given before."""
    prior = {"weights": {"model.standing": 6.0}, "constant": -4.0}  # the tag list alone, and nothing of memory
    before, after = before_and_after(tagger, prior, [], ("显微镜怎么选", "显微镜怎么用"), [], (), is_served=True)
    assert after >= before > 0.5


@settings(max_examples=25)
@given(prior=priors(), earlier=decisions(may_accept=True), last=decisions(may_accept=True), asked=titles, lists=n_best)
def test_an_undo_restores_the_chances_from_before_it(tagger, prior, earlier, last, asked, lists):
    tagger = replace(tagger, prior=prior_of(**prior))
    knowledge = tagger.new_knowledge()
    for number, one in enumerate(earlier, start=1):
        learn(tagger, knowledge, number, *one, is_served=True)
    before = rank(tagger, asked, lists, knowledge)
    for number, one in enumerate(last, start=100):
        learn(tagger, knowledge, number, *one, is_served=True)
    for number, _ in enumerate(last, start=100):
        knowledge.forget(number)
    assert rank(tagger, asked, lists, knowledge) == before


@settings(max_examples=25)
@given(prior=priors(), earlier=decisions(), pair=pairs, lists=n_best)
def test_a_rejected_tag_sinks_for_the_same_question(tagger, prior, earlier, pair, lists):
    """By what memory says alone: the more others have accepted it for the same words the less it sinks."""
    prior["weights"]["precedents.refused"] -= 0.1
    tagger = replace(tagger, prior=prior_of(**prior))
    knowledge = tagger.new_knowledge()
    for number, one in enumerate(earlier, start=1):
        learn(tagger, knowledge, number, *one, is_served=False)
    before = chance(tagger, knowledge, pair[0], lists)
    knowledge.learn(DecidedQuestion(99, pair[0], rejected=("显微镜",), number=99))
    after = chance(tagger, knowledge, pair[0], lists)
    assert after < before or before > 1 - 1e-9  # there is no more between it and 1


def test_a_tag_in_no_list_is_suggested_after_three_decisions_and_is_not_after_their_undo(tagger):
    weights = {"model.standing": 6.0, "precedents.share": 2.0, "words.score": 2.0, "mentions.title": 1.0}
    tagger = replace(tagger, prior=prior_of(weights, constant=-3.0))
    knowledge = tagger.new_knowledge()
    for number, title in enumerate(["咕噜兽怎么养", "咕噜兽吃什么", "哪里有咕噜兽"], start=1):
        learn(tagger, knowledge, number, title, ("咕噜兽",), (), [["动物"]], is_served=True)
    answer = rank(tagger, "孩子喜欢咕噜兽", [["动物"]], knowledge)
    assert answer.kept[0].tag == "咕噜兽"
    assert {precedent.question_id for precedent in answer.precedents} == {1, 2, 3}
    for number in (1, 2, 3):
        knowledge.forget(number)
    answer = rank(tagger, "孩子喜欢咕噜兽", [["动物"]], knowledge)
    assert "咕噜兽" not in {one.tag for one in answer.suggestions}
    assert answer.precedents == ()
