"""docs/sources.md: its table is what there is, and its example is a source that works as it stands there."""

import re
import sys
from dataclasses import replace

import pytest

from l2a.data.questions import Question
from l2a.evidence import sources
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.evidence.sources import source_classes, source_names
from l2a.messages import CATALOGUE
from l2a.ranking.ranker import Served
from l2a.suggestions import Hypothesis
from tests.l2a.ranking.priors import prior_of
from tests.project.source import ROOT

PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"`(\w+)\.py` in that folder:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows() -> dict[str, list[str]]:
    """source -> its cells in the table."""
    found = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    return {name: cells.split(" | ") for name, cells in found}


def test_the_table_has_every_source_with_its_figures():
    assert sorted(rows()) == source_names()
    for source in source_classes():
        own = set(re.findall(r"`(\w+)`", source.__doc__))  # the tests of each source have all its figures
        told = set(re.findall(r"`(\w+)`", rows()[source.name][1])) - set(source_names())
        assert own, source.name
        assert told - {"precision"} == own, source.name


def test_the_table_says_what_people_are_told():
    for name, cells in rows().items():
        own = (ROOT / "l2a" / "evidence" / "sources" / f"{name}.py").read_text(encoding="utf-8")
        codes = set(re.findall(r'"(finding\.\w+)"', own))
        assert codes or name == "weighed", name  # it has no words of its own
        for code in codes:
            words = re.split(r"\{\w+\}", CATALOGUE[code]["en"])
            last = max(words, key=len).strip()
            assert last.removeprefix("stands in the ").removeprefix("of ") in cells[2], (name, code)


@pytest.fixture
def example(tmp_path, monkeypatch) -> str:
    """The page's example as a file more in the folder of sources; its name."""
    name, text = EXAMPLE.groups()
    assert len([line for line in text.splitlines() if line.strip()]) <= 30
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(folder)])
    yield name
    sys.modules.pop(f"{sources.__name__}.{name}", None)


def test_the_example_is_found_says_what_it_says_and_moves_a_chance(example, tiny_tagger):
    assert example in source_names()
    tagger = replace(tiny_tagger, prior=prior_of({"model.standing": 2.0}))
    knowledge = tagger.new_knowledge()
    titles = ["怎样 学 吉他", "怎样 学 吉他", "怎样 学 吉他", "吉他 和 钢琴 先 学 哪个"]
    tags = [("吉他", "音乐"), ("吉他",), ("吉他",), ("钢琴",)]
    for number, (title, own) in enumerate(zip(titles, tags, strict=True)):
        knowledge.learn(DecidedQuestion(number, title, tags=own, number=number))

    def rank() -> dict:
        read = tagger.read(Question(title="怎样 学 吉他"))
        answer = tagger.rank(read, [Hypothesis(("电影",), -1.0)], beam=8, knowledge=knowledge)
        return {tag.tag: tag for tag in answer.suggestions}

    before = rank()
    assert {tag: one.figures.get(f"{example}.agreed", 0.0) for tag, one in before.items()} == {
        "吉他": 1.0,
        "音乐": pytest.approx(1 / 3, abs=1e-5),
        "钢琴": 0.0,
        "电影": 0.0,
    }
    (finding,) = (one for one in before["音乐"].findings if one.source == example)
    assert finding.text.in_language("en") == "1 of 3 similar questions have it"

    for number in range(100, 140):  # what it speaks for is right, and nothing else is known of it
        figures = {"甲": {f"{example}.agreed": 1.0}, "乙": {"model.standing": 0.2}}
        knowledge.learn(DecidedQuestion(number, f"{number}", tags=("甲",), number=number),
                        Served.judged(figures, ["甲"], ["乙"]))  # fmt: skip
    assert knowledge.ranker.weights[f"{example}.agreed"] > 0
    without = knowledge.ranker_without([example])
    assert f"{example}.agreed" not in without.weights
    after = rank()
    assert after["吉他"].chance > before["吉他"].chance
    assert after["吉他"].chance > without.chance(after["吉他"].figures)
    assert after["吉他"].findings[0].source == example  # what moves the chance most is told first
