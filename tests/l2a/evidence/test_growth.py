"""Decisions of people come into a retriever: rows as if they had always been there, and the last word is theirs."""

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.arrays import precision_arrays, voting_arrays
from l2a.evidence.collection import Evidence
from l2a.evidence.literal import TextMatch
from l2a.evidence.retriever import Retriever
from l2a.evidence.source import FoldedWords, Hint, PreparedQuestion
from l2a.text.hashing import hash_text
from l2a.text.segmenter import Segmenter
from tests.l2a.evidence.test_retriever import LABELLED, LISTED, hints_of, tags

SEGMENTER = Segmenter()
MANY = 70_000  # more than 16 bits can count


@pytest.fixture(scope="module")
def retriever() -> Retriever:
    return Retriever.build(LABELLED, LISTED, SEGMENTER)


def hints(retriever: Retriever, title: str) -> list[Hint]:
    return hints_of(Evidence(retriever), Question(title=title))


# --- names


ODD = [
    Question(id="1", title="第一次养猫要准备什么？", tags=("养\n猫", "宠物")),
    Question(id="2", title="怎样学好吉他？", tags=("\n", "吉他", "音乐\r\n", "\ud800")),
]


def test_a_line_end_in_a_tag_shifts_no_other_tag():
    built = Retriever.build(ODD, (), SEGMENTER)
    expected = {"养\n猫", "宠物", "\n", "吉他", "音乐\r\n", "\ud800"}
    assert set(built.tags) == expected
    assert set(tags(hints(built, "怎样学好吉他"), "near")) == {"\n", "吉他", "音乐\r\n", "\ud800"}
    again = Retriever({name: array.copy() for name, array in built.arrays.items()})
    assert again.tags == built.tags
    grown = again.extended([Question(title="钢琴几岁学？", tags=("钢\n琴",))], SEGMENTER)
    assert grown.tags == [*built.tags, "钢\n琴"]
    assert tags(hints(grown, "钢琴几岁学"), "near") == ["钢\n琴"]


def test_names_of_before_joined_by_line_ends_are_still_read(retriever):
    older = {name: array for name, array in retriever.arrays.items() if name != "tag_starts"}
    older["tags"] = np.frombuffer("\n".join(retriever.tags).encode(), dtype=np.uint8)
    assert Retriever(older).tags == retriever.tags
    assert hints(Retriever(older), "吉他怎样练？") == hints(retriever, "吉他怎样练？")
    grown = Retriever(older).extended([Question(title="钢琴几岁学？", tags=("钢\n琴",))], SEGMENTER)
    assert grown.tags == [*retriever.tags, "钢\n琴"]
    assert Retriever({**older, "tags": np.zeros(0, np.uint8)}).tags == []


# --- counters


def test_counts_beyond_16_bits_do_not_wrap():
    counted = precision_arrays(1, [[TextMatch(0, "健康", 1, 0)]] * MANY, [{"健康"}] * MANY)
    assert counted["found"].tolist() == [[MANY, 0]]
    assert counted["right"].tolist() == [[MANY, 0]]
    assert voting_arrays({"健康"}, [FoldedWords(["健康"], [])] * MANY, ())["voting_seen"].tolist() == [MANY]


def test_counters_of_before_go_on_beyond_16_bits(retriever):
    place = retriever.arrays["listed"].tolist().index(hash_text("吉他"))
    older = dict(retriever.arrays)
    for name in ("found", "right"):
        older[name] = older[name].astype(np.uint16)
        older[name][place] = 65_535, 0
    older["voting_seen"] = np.full(len(older["voting"]), 65_535, dtype=np.uint16)
    grown = Retriever(older).extended([Question(title="吉他弦多久换一次？", tags=("吉他",))], SEGMENTER)
    assert grown.arrays["found"][grown.arrays["listed"].tolist().index(hash_text("吉他"))].tolist() == [65_536, 0]
    assert grown.arrays["right"][grown.arrays["listed"].tolist().index(hash_text("吉他"))].tolist() == [65_536, 0]
    assert grown.arrays["voting_seen"][grown.arrays["voting"].tolist().index(hash_text("吉他"))] == 65_536


# --- rows


MORE = [
    Question(id="5", title="养猫的细菌要用显微镜看吗？", description="猫粮和钢琴", tags=("显微镜", "生物")),
    Question(id="6", title="养猫的人会弹吉他吗？", tags=("吉他",)),
]


def likeness(retriever: Retriever, question: Question) -> float:
    """Of a question with its own row: the greatest there is."""
    columns, weights = retriever.vector(PreparedQuestion(question, FoldedWords.of(question, SEGMENTER)))
    return float((weights @ retriever.by_word[columns]).max())


@pytest.mark.parametrize("question", MORE)
def test_a_new_question_is_like_itself(retriever, question):
    grown = retriever.extended(MORE, SEGMENTER)
    assert likeness(grown, question) == pytest.approx(1, abs=1e-3)
    again = grown.extended([Question(title="钢琴几岁学？", tags=("钢琴",))], SEGMENTER)
    assert likeness(again, question) == pytest.approx(1, abs=1e-3)


def test_old_words_keep_their_rarity_and_a_new_one_is_as_rare_as_among_all_rows(retriever):
    grown = retriever.extended(MORE, SEGMENTER)
    count = len(retriever.arrays["words"])
    assert grown.arrays["words"][:count].tolist() == retriever.arrays["words"].tolist()
    assert grown.arrays["rarity"][:count].tolist() == retriever.arrays["rarity"].tolist()
    # Of six rows two have 吗, and one has each other new word: log(7 / 3) + 1 and log(7 / 2) + 1.
    assert sorted(set(grown.arrays["rarity"][count:].tolist())) == pytest.approx([1.8473, 2.2528], abs=1e-3)


def test_a_new_question_counts_against_listed_tags_that_stand_in_it(retriever):
    """养猫 stands in both new titles, 猫粮 in a description, and nobody gave them there."""
    grown = retriever.extended(MORE, SEGMENTER)
    whole = Retriever.build([*LABELLED, *MORE], LISTED, SEGMENTER)
    for name in ("listed", "found", "right"):
        assert grown.arrays[name].tolist() == whole.arrays[name].tolist(), name
    place = grown.arrays["listed"].tolist().index(hash_text("养猫"))
    assert (grown.arrays["found"][place].tolist(), grown.arrays["right"][place].tolist()) == ([4, 0], [1, 0])
    seen = retriever.arrays["voting"].tolist().index(hash_text("养猫"))
    assert (retriever.arrays["voting_seen"][seen], grown.arrays["voting_seen"][seen]) == (2, 4)


# --- corrections


CORRECTED = Question(id="1", title="第一次养猫要准备什么？", tags=("新手", "宠物"))


def test_a_corrected_label_replaces_the_old_one(retriever):
    assert set(tags(hints(retriever, CORRECTED.title), "near")) >= {"养猫", "宠物"}
    grown = retriever.extended([CORRECTED], SEGMENTER)
    assert set(tags(hints(grown, "第一次准备"), "near")) == {"新手", "宠物"}
    assert len(grown.arrays["digests"]) == len(LABELLED)
    assert likeness(grown, CORRECTED) == pytest.approx(1, abs=1e-3)
    place = grown.arrays["listed"].tolist().index(hash_text("养猫"))
    # It still stands in two titles, and is the tag of neither.
    assert (grown.arrays["found"][place].tolist(), grown.arrays["right"][place].tolist()) == ([2, 0], [0, 0])
    assert tags(hints(grown, "养猫"), "named") == []
    whole = Retriever.build([CORRECTED, *LABELLED[1:]], [*LISTED, "养猫"], SEGMENTER)
    for name in ("listed", "found", "right"):
        assert grown.arrays[name].tolist() == whole.arrays[name].tolist(), name


def test_a_correction_can_be_corrected(retriever):
    twice = retriever.extended([CORRECTED], SEGMENTER).extended([LABELLED[0]], SEGMENTER)
    for title in ("第一次养猫要准备什么？", "养猫的人都用什么猫粮？", "吉他怎样练？"):
        assert {(h.tag, h.source) for h in hints(twice, title)} == {(h.tag, h.source) for h in hints(retriever, title)}
    assert twice.arrays["right"].sum() == retriever.arrays["right"].sum()


def test_the_same_labels_change_nothing(retriever):
    respelled = Question(id="x", title="怎样学好吉他？", tags=("音乐", "吉他"))
    assert retriever.extended([*LABELLED, respelled], SEGMENTER) is retriever


def test_corrections_reach_the_linear_model():
    labelled = [Question(id=str(n), title=f"吉他怎样练？{n}", tags=("吉他",)) for n in range(4)]
    built = Evidence.build(labelled, (), SEGMENTER, learn=["linear"])
    corrected = [Question(id=q.id, title=q.title, tags=("音乐",)) for q in labelled]
    asked = PreparedQuestion.of(Question(title="吉他怎样练？"), SEGMENTER)
    found = built.extended(corrected, SEGMENTER).find(asked)
    assert {one.tag for one in found if one.source == "linear"} == {"音乐"}
