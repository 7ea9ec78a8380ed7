from collections import Counter

import pytest

from l2a.text.vocabulary import (
    DELIMITER,
    END,
    FIRST_WORD,
    PAD,
    SPECIALS,
    START,
    UNKNOWN,
    Vocabulary,
    build_vocabularies,
    most_frequent,
)


def test_words_are_numbered_after_the_five_special_symbols():
    vocabulary = Vocabulary(["电影", "科幻"])
    assert (PAD, START, END, DELIMITER, UNKNOWN, FIRST_WORD) == (0, 1, 2, 3, 4, 5)
    assert len(vocabulary) == 7
    assert vocabulary.numbers(["科幻", "电影", "没有"]) == [6, 5, UNKNOWN]
    assert [vocabulary.word(number) for number in (5, 6)] == ["电影", "科幻"]
    assert "电影" in vocabulary
    assert "没有" not in vocabulary


@pytest.mark.parametrize("spelling", ["<pad>", "<s>", "</s>", "|", "<unk>"])
def test_a_word_spelled_like_a_special_symbol_is_an_ordinary_word(spelling):
    assert Vocabulary(["电影"]).number(spelling) == UNKNOWN
    vocabulary = Vocabulary(["电影", spelling])
    assert vocabulary.number(spelling) == 6
    assert vocabulary.word(6) == spelling


def test_special_symbols_are_shown_by_their_sign():
    assert tuple(Vocabulary([]).word(number) for number in range(FIRST_WORD)) == SPECIALS


def test_a_word_given_twice_is_refused():
    with pytest.raises(ValueError, match="each word once"):
        Vocabulary(["电影", "电影"])


def test_most_frequent_ranks_by_count_then_by_spelling():
    counts = {"b": 2, "c": 3, "a": 2, "d": 1}
    assert most_frequent(Counter(counts)) == ["c", "a", "b", "d"]
    assert most_frequent(Counter(dict(reversed(counts.items())))) == ["c", "a", "b", "d"]
    assert most_frequent(Counter(counts), limit=2) == ["c", "a"]
    assert most_frequent(Counter(counts), at_least=2) == ["c", "a", "b"]


def test_sizes_include_the_special_symbols():
    counts = Counter({f"词{i:02}": 50 - i for i in range(20)})
    source, target = build_vocabularies(counts, counts, max_source_words=15, max_target_words=8)
    assert (len(source), len(target)) == (15, 8)
    assert target.words == ("词00", "词01", "词02")


def test_without_a_cap_every_target_word_stays():
    source, target = build_vocabularies(Counter("aab"), Counter("xyz"), max_source_words=100)
    assert (source.words, target.words) == (("a", "b"), ("x", "y", "z"))


@pytest.mark.parametrize("size", [0, 3, 5])
def test_a_size_that_leaves_no_room_for_words_gives_none(size):
    source, target = build_vocabularies(Counter("abcdef"), Counter("xyz"), max_source_words=size, max_target_words=size)
    assert source.words == target.words == ()


def test_rare_source_words_are_left_out():
    source, target = build_vocabularies(Counter("aab"), Counter("ccd"), max_source_words=100, min_source_count=2)
    assert (source.words, target.words) == (("a",), ("c", "d"))


def test_a_shared_source_vocabulary_begins_with_the_target_vocabulary():
    source_counts = Counter({"的": 100, "电影": 50, "看": 10, "少": 1})
    target_counts = Counter({"科幻": 9, "电影": 8})
    source, target = build_vocabularies(source_counts, target_counts, max_source_words=9, shared=True)
    assert target.words == ("科幻", "电影")
    assert source.words == ("科幻", "电影", "的", "看")  # 9 with the five special symbols
    assert all(source.number(word) == target.number(word) for word in target.words)


def test_a_shared_source_vocabulary_is_never_smaller_than_the_target():
    source, target = build_vocabularies(Counter("ab"), Counter("vwxyz"), max_source_words=7, shared=True)
    assert source.words == target.words == ("v", "w", "x", "y", "z")


def test_the_same_counts_always_give_the_same_numbers():
    words = ["b", "a", "d", "c"]
    first = build_vocabularies(Counter(words), Counter(words), max_source_words=8)
    second = build_vocabularies(Counter(words[::-1]), Counter(words[::-1]), max_source_words=8)
    assert [v.words for v in first] == [v.words for v in second] == [("a", "b", "c"), ("a", "b", "c", "d")]
