"""What a session has worked out already: kept until it is out of date, or forgotten."""

from collections.abc import Callable, Hashable, MutableMapping
from typing import Any, TypeVar

import streamlit as st

REMEMBERED = 24  # results kept for a visitor who moves to and fro

Result = TypeVar("Result")


def forget(*keys: str) -> None:
    for key in keys:
        st.session_state.pop(key, None)


# The values of `known` are what their keys' makers gave, of any type: each key is used with one maker only.
def remember(known: MutableMapping[Hashable, Any], key: Hashable, make: Callable[[], Result]) -> Result:
    """`make()`, or what it gave before for this key; the oldest results are forgotten."""
    if key not in known:
        known[key] = make()
        for old in list(known)[:-REMEMBERED]:
            del known[old]
    return known[key]


def kept(name: str) -> tuple:
    """What a remembered result was worked out from; empty if there is none."""
    return st.session_state.get(name, ((),))[0]


def remembered(name: str, key: tuple, work: Callable[[], Result]) -> Result:
    """The result of `work`, done once for each `key` in a session."""
    if name not in st.session_state or st.session_state[name][0] != key:
        st.session_state[name] = (key, work())
    return st.session_state[name][1]
