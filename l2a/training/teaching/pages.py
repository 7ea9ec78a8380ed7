"""Topic pages: questions with the topics on whose pages they stood. Weak labels: many are right, most tags missing."""

import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from l2a.data.questions import Question, read_questions

WEIGHT = 0.3  # of such a question beside a gold one; chosen on dev


class Page(NamedTuple):
    """A question with all topics it stood under, and with those that are above no other one of them."""

    question: Question
    leaf_tags: tuple[str, ...]

    def as_question(self) -> Question:
        """People give the topic itself, hardly ever those above it."""
        return replace(self.question, tags=self.leaf_tags)


def read_pages(path: str | Path) -> list[Page]:
    """JSONL only: `leaf_tags` is no field of other question files."""
    with Path(path).open(encoding="utf-8") as lines:
        leaves = [tuple(json.loads(line)["leaf_tags"]) for line in lines if line.strip()]
    return [Page(*row) for row in zip(read_questions(path), leaves, strict=True) if row[0].tags]
