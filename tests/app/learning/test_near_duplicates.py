"""Near-duplicates, against comparing every pair."""

from hypothesis import given
from hypothesis import strategies as st

from app.learning.near_duplicates import near_duplicates, pieces


def test_pieces_ignore_case_width_and_punctuation():
    assert pieces("ＡＢc-d！") == pieces("abcd") == {"abc", "bcd"}
    assert pieces("电影") == {"电影"}
    assert pieces("？！") == frozenset()


def test_a_changed_word_or_mark_is_still_the_same_question():
    asked = ["怎样评价今年上映的这部科幻电影？", "孩子不爱吃饭怎么办"]
    assert near_duplicates(asked, ["怎样评价今年上映的那部科幻电影"], likeness=0.6) == {0}
    assert near_duplicates(asked, ["孩子不爱吃饭，怎么办？？"]) == {1}
    assert near_duplicates(asked, ["孩子挑食怎么办", "电影"]) == set()


def test_texts_without_letters_are_like_nothing():
    assert near_duplicates(["？"], ["！"]) == set()


@given(
    st.lists(st.text(alphabet="甲乙丙丁", max_size=12), max_size=8),
    st.lists(st.text(alphabet="甲乙丙丁", max_size=12), max_size=8),
    st.sampled_from([0.3, 0.5, 0.7, 0.9, 1.0]),
)
def test_same_as_comparing_every_pair(texts, others, likeness):
    def alike(a: str, b: str) -> bool:
        one, two = pieces(a), pieces(b)
        return bool(one and two) and len(one & two) / len(one | two) >= likeness

    expected = {place for place, text in enumerate(texts) if any(alike(text, other) for other in others)}
    assert near_duplicates(texts, others, likeness) == expected
