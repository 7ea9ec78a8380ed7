"""Hints: listed tags in the text, tags of neighbours, and that a labelled question learns nothing from itself."""

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence import retriever as retrieval
from l2a.evidence.collection import Evidence, choose_hints, hint_words
from l2a.evidence.source import Finding, Hint, PreparedQuestion
from l2a.evidence.sources import near
from l2a.evidence.sources.listed import as_written
from l2a.text.cleaning import match_key
from l2a.text.marks import is_mark
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()
LABELLED = [
    Question(id="1", title="第一次养猫要准备什么？", tags=("宠物", "养猫")),
    Question(id="2", title="养猫的人都用什么猫粮？", tags=("宠物", "猫粮")),
    Question(id="3", title="怎样学好吉他？", tags=("吉他", "音乐")),
    Question(id="4", title="吉他和钢琴先学哪个？", tags=("音乐", "吉他", "钢琴")),
]
LISTED = ("显微镜", "猫粮", "镜", "iPhone 15")


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return Evidence.build(LABELLED, LISTED, SEGMENTER)


def hints(evidence: Evidence, title: str, **more) -> list[Hint]:
    return hints_of(evidence, Question(title=title, **more))


def hints_of(evidence: Evidence, question: Question, is_labelled: bool = False) -> list[Hint]:
    return choose_hints(evidence.find(PreparedQuestion.of(question, SEGMENTER, is_labelled=is_labelled)))


def likely(evidence: Evidence, title: str, description: str = "") -> list[Finding]:
    """The findings that have a probability."""
    found = evidence.find(PreparedQuestion.of(Question(title=title, description=description), SEGMENTER))
    return [one for one in found if one.probability is not None]


def tags(found: list[Hint], kind: str) -> list[str]:
    return [hint.tag for hint in found if hint.source == kind]


def test_a_listed_tag_that_nobody_gave_is_listed_and_one_that_was_given_is_named(evidence):
    found = hints(evidence, "猫粮要用显微镜看吗？")
    assert tags(found, "listed") == ["显微镜"]
    assert tags(found, "named") == ["猫粮"]


def test_a_single_hanzi_is_never_looked_for(evidence):
    assert tags(hints(evidence, "镜 子 碎 了"), "listed") == []


def test_spaces_and_case_do_not_matter(evidence):
    assert tags(hints(evidence, "要不要换 iphone 15？"), "listed") == ["iphone15"]


def test_the_tags_of_the_nearest_questions_come_first(evidence):
    near = tags(hints(evidence, "吉他怎样练？"), "near")
    assert set(near[:2]) == {"吉他", "音乐"}
    assert "宠物" not in near


def test_shares_of_neighbours_by_hand(evidence, monkeypatch):
    """With one neighbour each of its tags has the share 1: the strongest hint."""
    monkeypatch.setattr(near, "NEIGHBOURS", 1)
    assert {(h.tag, h.strength) for h in hints(evidence, "第一次养猫要准备什么") if h.source == "near"} == {
        ("宠物", 3),
        ("养猫", 3),
    }


def test_a_text_of_unknown_words_has_no_hints(evidence):
    assert hints(evidence, "囧囧囧") == []


def test_a_labelled_question_gets_nothing_from_itself(monkeypatch):
    monkeypatch.setattr(retrieval, "PRETENDED", 10**9)  # nothing is pretended away here
    alone = Evidence.build([LABELLED[0]], (), SEGMENTER)
    assert tags(hints_of(alone, LABELLED[0]), "near")  # the very text is there for anybody else
    own = hints_of(alone, LABELLED[0], is_labelled=True)
    assert tags(own, "near") == []
    assert tags(own, "named") == []
    assert tags(own, "listed") == ["养猫"]  # nobody else gave it


def test_a_labelled_question_pretends_not_to_know_some_tags(monkeypatch):
    built = Evidence.build(LABELLED, LISTED, SEGMENTER)
    monkeypatch.setattr(retrieval, "PRETENDED", 1)  # all of them
    found = hints_of(built, LABELLED[3], is_labelled=True)
    assert tags(found, "near") == []
    assert tags(found, "named") == []
    assert set(tags(found, "listed")) == {"吉他", "钢琴"}
    assert set(tags(hints_of(built, LABELLED[3]), "named")) == {"吉他", "钢琴"}  # only when it is trained on


def test_a_labelled_question_is_told_nothing_of_some_tags(monkeypatch):
    built = Evidence.build(LABELLED, ("显微镜", *LISTED), SEGMENTER)
    question = Question(title="养猫要用显微镜看猫粮吗？", tags=("显微镜",))
    monkeypatch.setattr(retrieval, "PRETENDED", 10**9)  # nothing is pretended away here
    monkeypatch.setattr(retrieval, "UNTOLD", 1)  # all of them
    assert hints_of(built, question, is_labelled=True) == []
    told = hints_of(built, question)  # anybody else is told of all three
    assert (tags(told, "listed"), set(tags(told, "named"))) == (["显微镜"], {"猫粮", "养猫"})
    assert "宠物" in tags(told, "near")


def test_one_tag_in_eight_of_a_labelled_question_is_untold():
    names = [f"显微镜{chr(letter)}" for letter in range(ord("a"), ord("z") + 1)]
    built = Evidence.build([], names, SEGMENTER)
    questions = [Question(title=f"{name}好用吗？{turn}", tags=(name,)) for name in names for turn in range(10)]
    untold = sum(not hints_of(built, question, is_labelled=True) for question in questions)
    assert 20 <= untold <= 45  # of 260
    assert all(hints_of(built, question) for question in questions)


def test_what_is_stored_gives_the_same_hints(evidence):
    again = Evidence.of({name: array.copy() for name, array in evidence.arrays.items()})
    for title in ("吉他怎样练？", "猫粮要用显微镜看吗？"):
        assert hints(again, title) == hints(evidence, title)


def test_nothing_of_the_questions_is_stored_as_text(evidence):
    assert len(bytes(evidence.arrays["tags"]).decode()) == sum(map(len, evidence.retriever.tags))
    assert set(map(match_key, evidence.retriever.tags)) == {match_key(tag) for q in LABELLED for tag in q.tags}
    assert all(array.dtype != object and array.dtype.kind in "uif" for array in evidence.arrays.values())
    stored = b"".join(np.ascontiguousarray(array).tobytes() for array in evidence.arrays.values())
    assert "准备".encode() not in stored
    assert "显微镜".encode() not in stored


def test_hint_words_are_marks_followed_by_the_words_of_the_tag(evidence):
    question = PreparedQuestion.of(Question(title="猫粮要用显微镜看吗？"), SEGMENTER)
    words = hint_words(evidence.find(question), SEGMENTER)
    assert is_mark(words[0])
    assert "".join(word for word in words if not is_mark(word)).startswith("猫粮")


def test_without_labelled_questions_only_the_list_speaks():
    empty = Evidence.build([], LISTED, SEGMENTER)
    assert hints(empty, "显微镜怎么用？") == [Hint("显微镜", "listed", 2)]


# --- further questions


MORE = [
    Question(id="5", title="显微镜下的细菌长什么样？", tags=("显微镜", "生物")),
    Question(id="6", title="吉他弦多久换一次？", tags=("吉他",)),
    LABELLED[0],
]


def test_new_questions_become_neighbours_and_their_tags_are_named(evidence):
    grown = evidence.extended(MORE, SEGMENTER)
    found = hints(grown, "显微镜能看到细菌吗？")
    assert tags(found, "named") == ["显微镜"]
    assert set(tags(found, "near")) >= {"显微镜", "生物"}
    assert tags(hints(evidence, "显微镜能看到细菌吗？"), "listed") == ["显微镜"]  # the old one is as it was
    assert tags(hints(grown, "第一次养猫"), "near")[:2] == tags(hints(evidence, "第一次养猫"), "near")[:2]


def test_a_question_that_is_there_already_is_not_counted_twice(evidence):
    grown = evidence.extended(MORE, SEGMENTER)
    assert len(grown.arrays["digests"]) == len(LABELLED) + 2
    assert evidence.extended([LABELLED[0]], SEGMENTER).arrays["found"].tolist() == evidence.arrays["found"].tolist()


def test_growing_gives_what_building_at_once_gives_but_for_rarities(evidence):
    grown, whole = evidence.extended(MORE, SEGMENTER), Evidence.build([*LABELLED, *MORE[:2]], LISTED, SEGMENTER)
    for name in ("listed", "beginnings", "found", "right", "given_starts", "starts"):
        assert grown.arrays[name].tolist() == whole.arrays[name].tolist(), name
    assert set(grown.arrays["words"].tolist()) == set(whole.arrays["words"].tolist())
    assert set(grown.retriever.tags) == set(whole.retriever.tags)


def test_evidence_has_probabilities_of_everything_that_speaks_for_a_tag(evidence):
    found = likely(evidence, "第一次养猫要买显微镜吗？")
    kinds = {(one.tag, one.source) for one in found}
    assert {("宠物", "near"), ("养猫", "near"), ("养猫", "named")} <= kinds
    assert all(0 < one.probability <= 1 for one in found)
    # Four labelled questions teach nothing about listed tags that nobody gave.
    assert not [one for one in found if one.source == "listed"]


def test_a_belief_is_learned_from_tags_that_nobody_else_gave():
    """Twelve animals, each the tag of one question whose title names it; what only a description names is no tag."""
    animals = ["大象", "老虎", "狮子", "长颈鹿", "河马", "犀牛", "斑马", "袋鼠", "考拉", "企鹅", "海豚", "鲸鱼"]
    things = ["桌子", "椅子", "台灯", "书架", "地毯", "窗帘", "沙发", "茶几", "衣柜", "镜子", "花瓶", "挂钟"]
    labelled = [
        Question(id=animal, title=f"{animal}吃什么？", description=f"我家有{thing}。", tags=(animal,))
        for animal, thing in zip(animals, things, strict=True)
    ]
    learned = Evidence.build(labelled, [*animals, *things, "显微镜", "望远镜"], SEGMENTER)
    found = likely(learned, "显微镜吃什么？", "我家有望远镜。")
    believed = {one.tag: one.probability for one in found if one.source == "listed"}
    assert set(believed) == {"显微镜", "望远镜"}
    assert believed["显微镜"] > 0.5 > believed["望远镜"]
    kept = Evidence.of({name: array.copy() for name, array in learned.arrays.items()})
    assert likely(kept, "显微镜吃什么？") == likely(learned, "显微镜吃什么？")
    grown = learned.extended([Question(title="望远镜怎么选？", tags=("望远镜",))], SEGMENTER)
    assert grown.arrays["belief"].tolist() == learned.arrays["belief"].tolist()


def test_a_listed_tag_is_spelled_as_in_the_text():
    assert as_written("iphone15pro", "换 iPhone 15 Pro 吗", "") == "iPhone 15 Pro"
    assert as_written("c++", "怎么办？", "学 C++ 难吗") == "C++"
    assert as_written("ß", "STRASSE") == "ß"  # folded otherwise than letter by letter: as the list has it


def test_is_listed_knows_the_list_and_what_was_given(evidence):
    assert all(map(evidence.is_listed, ("显微镜", "iphone15", "宠物", "猫粮")))
    assert not evidence.is_listed("望远镜")


def test_a_retriever_of_before_has_no_belief(evidence):
    older = Evidence.of({name: array for name, array in evidence.arrays.items() if name != "belief"})
    assert "listed" not in {one.source for one in likely(older, "显微镜怎么用？")}


def test_a_voting_list_votes_and_gives_no_hints():
    animals = ["大象", "老虎", "狮子", "长颈鹿", "河马", "犀牛", "斑马", "袋鼠", "考拉", "企鹅", "海豚", "鲸鱼"]
    labelled = [Question(id=animal, title=f"{animal}吃什么？", tags=(animal,)) for animal in animals]
    learned = Evidence.build(labelled, ["显微镜"], SEGMENTER, voting=["望远镜"])
    found = likely(learned, "望远镜和显微镜")
    assert {one.tag for one in found if one.source == "listed"} == {"望远镜", "显微镜"}
    assert tags(hints(learned, "望远镜和显微镜"), "listed") == ["显微镜"]
    assert learned.is_listed("望远镜")
    grown = learned.extended([Question(title="怎样观星？", tags=("天文",))], SEGMENTER)
    assert likely(grown, "望远镜") == likely(learned, "望远镜")
