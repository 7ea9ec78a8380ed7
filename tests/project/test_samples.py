"""The questions about new things: well formed, none twice, and two halves of the same size."""

import json

from tests.project.source import ROOT


def test_every_new_thing_stands_in_its_question_and_only_once_in_the_file():
    lines = (ROOT / "samples" / "new_things.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [set(row) for row in rows] == [{"id", "title", "name", "half"}] * 60
    assert [row["id"] for row in rows] == [f"new-{number:02}" for number in range(1, 61)]
    assert [row["half"] for row in rows] == ["tune", "kept"] * 30
    assert [row["name"] for row in rows if row["name"] not in row["title"]] == []
    assert len({row["name"].casefold() for row in rows}) == len({row["title"] for row in rows}) == 60
