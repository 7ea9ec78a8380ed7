"""What became of a click, before anything is drawn: a text of the interface and what fills its blanks. No Streamlit.

app.shell.feedback shows it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from db.errors import StoreError


@dataclass(frozen=True)
class Outcome:
    """`key` and `values` are a text of the interface; `number` is the entry that can be taken back, if one can."""

    key: str
    values: Mapping[str, object]
    number: int | None = None
    done: bool = True


def attempted(work: Callable[[], Outcome]) -> Outcome:
    """What `work` says, or why the store refused it."""
    try:
        return work()
    except StoreError as error:
        return Outcome("error.refused", {"message": error.message}, done=False)
