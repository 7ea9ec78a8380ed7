import pytest

from l2a.config import DecodeSettings, ModelConfig
from l2a.data.questions import Question
from l2a.measure.reachability import Reachable, count_reachable
from l2a.tagger import Tagger
from l2a.text.codec import Codec
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def tagger():
    """Knows the target words 师范, 大学 and Python, from the labels 师范大学 and Python; counting needs no network."""
    codec = Codec(Segmenter(), Vocabulary([]), Vocabulary(["师范", "大学", "Python"]), max_source_length=6)
    return Tagger(
        model=None,
        codec=codec,
        config=ModelConfig(),
        settings=DecodeSettings(),
        frequencies={"师范大学": 3, "Python": 1},
    )


QUESTIONS = [
    # 河北师范大学: new, 河北 only in the question; 师范大学: a label; 清华大学: new, 清华 is nowhere.
    Question(title="在河北师范大学上学", tags=("河北师范大学", "师范大学", "清华大学")),
    # 大学师范: new and written with target words; 跑步: new, copied.
    Question(title="跑步", tags=("大学师范", "跑步")),
    Question(title="没有标签"),
]


def test_pairs_are_counted(tagger):
    assert count_reachable(QUESTIONS, tagger) == Reachable(
        tags=5, by_words=2, by_copying=4, new_tags=4, new_by_words=1, new_by_copying=3
    )


def test_new_means_outside_the_labels_given(tagger):
    counts = count_reachable(QUESTIONS, tagger, seen=["跑步", "大学师范", "清华大学", "河北师范大学"])
    assert (counts.new_tags, counts.new_by_words, counts.new_by_copying) == (1, 1, 1)  # 师范大学
    assert counts.tags == 5


def test_another_spelling_of_a_label_is_not_new_but_its_word_is_unknown(tagger):
    counts = count_reachable([Question(title="自学", tags=("PYTHON",))], tagger)
    assert counts == Reachable(tags=1)


def test_words_the_model_does_not_read_cannot_be_copied(tagger):
    near = Question(title="甲 乙 丙 丁 戊 跑步", tags=("跑步",))  # the sixth word
    far = Question(title="甲 乙 丙 丁 戊 己 跑步", tags=("跑步",))
    assert count_reachable([near], tagger).by_copying == 1
    assert count_reachable([far], tagger).by_copying == 0


def test_no_questions_give_zeros(tagger):
    assert count_reachable([], tagger).to_dict() == dict.fromkeys(Reachable().to_dict(), 0)


def test_the_table_for_people(tagger):
    lines = count_reachable(QUESTIONS, tagger).render().splitlines()
    assert [line.split() for line in lines] == [
        ["all", "tags", "new", "tags"],
        ["question-tag", "pairs", "5", "4"],
        ["writable", "with", "target", "words", "2", "1"],
        ["writable", "with", "copying", "too", "4", "3"],
    ]
    assert len({len(line) for line in lines}) == 1
