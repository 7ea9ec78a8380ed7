"""Codes of messages that are put together from a word of the store: each is in the catalogue."""

import pytest

from db.access import ALLOWED, as_message, roles_needed
from db.errors import Refused
from db.messages import CATALOGUE, Message
from db.store.free_text import LONGEST, fit
from db.store.input_checks import check_number
from db.store.tables import ENTRY_KINDS, LEASE_STATES, ROLES


@pytest.mark.parametrize("action", ALLOWED)
def test_every_action_ends_a_sentence(action):
    assert str(as_message(action)) == action
    assert as_message(action).in_language("zh") != action
    if ALLOWED[action] != ROLES:  # what everybody may do is refused to nobody
        assert roles_needed(action).code in CATALOGUE


def test_every_role_kind_of_entry_and_end_of_a_lease_has_a_name():
    names = [f"role.{role}" for role in ROLES]
    names += [f"entry.{kind}" for kind in ENTRY_KINDS if kind not in ("decision", "review", "undo")]
    names += [f"lease.{state}" for state in LEASE_STATES if state not in ("held", "expired")]
    names += ["verdict.accepted", "verdict.rejected"]  # what is added needs no suggestion
    assert [name for name in names if name not in CATALOGUE] == []


@pytest.mark.parametrize("what", ["question", "person", "suggestion", "lease", "entry", "search"])
def test_a_bad_number_says_of_what_in_both_languages(what):
    with pytest.raises(Refused) as caught:
        check_number(-1, what)
    assert str(caught.value) == f"-1 is not the number of {Message(f'value.{what}')}. Nothing was stored."
    assert caught.value.in_language("zh") == (f"-1 不是{CATALOGUE[f'value.{what}']['zh']}的编号。没有保存任何内容。")


@pytest.mark.parametrize(("what", "name"), [("comment", "备注"), ("reason", "原因"), ("flag", "标记")])
def test_a_text_that_is_too_long_says_which_in_both_languages(what, name):
    assert what in LONGEST
    with pytest.raises(Refused) as caught:
        fit("长" * 6_000, what)
    assert str(caught.value) == (
        f"The {what} has 6,000 characters, but at most {LONGEST[what]:,} are kept. Nothing was stored; shorten it."
    )
    assert caught.value.in_language("zh").startswith(f"{name}有 6,000 个字符，但最多保存 {LONGEST[what]:,} 个。")
