"""Texts in rows: said in both languages later, whoever said them first."""

import json
import pickle

import pytest

from db.errors import Refused
from db.ledger.stored_text import StoredText, keep
from db.messages import Message

RENAME = Message("tag_change.rename", {"name": "电影", "new": "Movie"})


class OfTheEngine:
    """A message of another package."""

    def in_language(self, language: str) -> str:
        return {"en": "out of memory\0", "zh": "内存不够"}[language]


def read_again(text) -> StoredText:
    return StoredText(json.loads(json.dumps(keep(text))))


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        (RENAME, "Rename 电影 to Movie.", "把“电影”改名为“Movie”。"),
        (
            Message("tag_change.undo", {"number": 7, "summary": RENAME}),
            "Take back entry 7: Rename 电影 to Movie.",
            "撤销回执 7：把“电影”改名为“Movie”。",
        ),
        (
            Message("tag_change.details", {"name": "电影", "details": [Message("tag_change.definition")] * 2}),
            "Change definition, definition of 电影.",
            "更改“电影”的说明、说明。",
        ),
        (
            Refused("tag.too_long", start="a", length=3000, most=100),
            "a… is too long for a tag: 3,000 characters; a tag has at most 100.",
            "“a……”作为标签太长：有 3,000 个字符，标签最多 100 个字符。",
        ),
        (Refused(OfTheEngine()), "out of memory", "内存不够"),
        (OfTheEngine(), "out of memory", "内存不够"),
        ("Merge a into b.\0", "Merge a into b.", "Merge a into b."),
        ("", "", ""),
    ],
)
def test_a_text_is_said_in_both_languages_after_it_was_stored(text, english, chinese):
    found = read_again(text)
    assert found == english
    assert (found.in_language("en"), found.in_language("zh")) == (english, chinese)
    again = read_again(found)
    assert (again, again.in_language("zh")) == (english, chinese)
    assert read_again(Message("tag_change.undo", {"number": 1, "summary": found})).in_language("zh") == (
        f"撤销回执 1：{chinese}"
    )


def test_what_is_kept_are_code_and_values():
    assert keep(RENAME) == {"code": "tag_change.rename", "values": {"name": "电影", "new": "Movie"}}
    assert keep(Message("tag_change.undo", {"number": 7, "summary": StoredText("Merge a into b.")})) == {
        "code": "tag_change.undo",
        "values": {"number": 7, "summary": "Merge a into b."},
    }


@pytest.mark.parametrize(
    "kept",
    [
        {"code": "tag_change.of_a_newer_version", "values": {"name": "电影"}},
        {"code": "tag_change.rename", "values": {"name": "电影"}},
    ],
)
def test_a_text_of_another_version_is_shown_as_far_as_it_is_known(kept):
    text = StoredText(kept)
    assert text == text.in_language("zh") == f"{kept['code']}, 电影"


def test_a_text_travels_between_processes():
    found = pickle.loads(pickle.dumps(read_again(RENAME)))
    assert (found, found.in_language("zh")) == ("Rename 电影 to Movie.", "把“电影”改名为“Movie”。")
