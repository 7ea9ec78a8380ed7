"""How much of a file is held in memory at once: a small file may unpack to more than a machine has."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from l2a.errors import InputError

MB = 1 << 20
_BRACKETS_AND_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]')


@dataclass(frozen=True)
class Limits:
    """What is read. The defaults are for files that somebody names on their own machine."""

    line: int = 64 * MB  # bytes of a line, or of a record, row or task that is no line
    unpacked: int | None = None  # bytes that come out of a packed file (gzip, Parquet); None: however many
    depth: int = 50  # levels of lists and objects in JSON; a real task of Label Studio has about seven
    settings: Mapping[str, str] = field(default_factory=dict)  # what each is set by, for messages

    @property
    def shown_line(self) -> str:
        return self._shown("line", f"{self.line / MB:g} MB")

    @property
    def shown_unpacked(self) -> str:
        return self._shown("unpacked", f"{(self.unpacked or 0) / MB:g} MB")

    @property
    def shown_depth(self) -> str:
        return self._shown("depth", str(self.depth))

    def _shown(self, name: str, value: str) -> str:
        return f"{value} ({self.settings[name]})" if name in self.settings else value


NO_UPLOAD = Limits()


class TooLarge(InputError):
    """A file that goes beyond a limit in a way that leaves nothing to go on with."""


def is_too_deep(text: str, depth: int) -> bool:
    """Whether a JSON text has more levels than that; it is not parsed for it."""
    if text.count("[") + text.count("{") <= depth:
        return False
    level = 0
    for match in _BRACKETS_AND_TEXTS.finditer(text):
        found = match.group()
        if found in "[{":
            level += 1
            if level > depth:
                return True
        elif found in "]}":
            level -= 1
    return False
