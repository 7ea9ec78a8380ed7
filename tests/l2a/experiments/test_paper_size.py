"""The measurement at the paper's size, here at the size of `tiny`: every step runs and is reported."""

import json
import sys

from bench import paper_size
from l2a.config import preset


def test_every_step_is_measured(monkeypatch, capsys):
    monkeypatch.setattr(paper_size, "preset", lambda name: preset("tiny"))
    monkeypatch.setattr(sys, "argv", ["paper_size.py", "--threads", "1", "--words", "5"])
    paper_size.main()
    size, *steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert size["weights"] > 0
    assert [step["what"].split(",")[0] for step in steps] == [
        "first training step",
        "training step",
        "evaluation step",
        "suggestion",
    ]
    assert all(step["seconds"] >= 0 and step["peak_memory_mb"] > 0 for step in steps)
