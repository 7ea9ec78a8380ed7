"""The store and the engine agree on when two spellings of a tag are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.tags.names import tag_key
from l2a.text.cleaning import match_key

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too


@given(ANY_TEXT)
def test_the_keys_of_store_and_engine_are_the_same(text):
    assert tag_key(text) == match_key(text)


@given(ANY_TEXT)
def test_a_key_is_its_own_key(text):
    assert tag_key(tag_key(text)) == tag_key(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ＰＹＴＨＯＮ", "python"),
        ("  机器 \t 学习\n", "机器 学习"),
        ("Stra\u00dfe", "strasse"),
        ("电\u200b影", "电影"),
        ("\u0000", ""),
    ],
)
def test_a_key_is_folded(text, key):
    assert tag_key(text) == match_key(text) == key
