"""Questions about things younger than a model's lists, each with the one name that must be among its tags.

JSON lines with `title` and `name`, and perhaps `description`, `id` and `half`: `tune`, or `kept` for those that nothing
may be chosen on. A row without a half is kept aside.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from l2a.data.questions import Question
from l2a.errors import InputError

TUNE, KEPT = "tune", "kept"


@dataclass(frozen=True)
class NewThing:
    """A question and the one tag that must be among those that are kept for it."""

    question: Question
    half: str

    @property
    def name(self) -> str:
        return self.question.tags[0]


def read_things(path: str | Path) -> list[NewThing]:
    """Raises InputError that names the line that is none."""
    things = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            question = Question(row["title"], row.get("description", ""), (row["name"],), id=row.get("id", ""))
            things.append(NewThing(question, row.get("half", KEPT)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError("simulation.no_new_thing", path=path, line=number, reason=str(error)) from error
    return things
