"""What the options of a choice are called."""

from collections.abc import Callable, Mapping
from typing import Any


def called(names: Mapping[Any, str]) -> Callable[[Any], str]:
    """For `format_func`: each option by its name. One that is not among them, as an older visit may have left in the
    session, is called what it is."""
    return lambda option: names.get(option, str(option))
