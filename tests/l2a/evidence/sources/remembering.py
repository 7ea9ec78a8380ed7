"""Memories for the tests of the sources that look things up in one."""

from l2a.data.questions import Question
from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import Finding, Known, PreparedQuestion
from l2a.evidence.sources import source_classes
from l2a.text.segmenter import Segmenter

SEGMENTER = Segmenter()


def memory_of(*decided: DecidedQuestion) -> Memory:
    memory = Memory(WordTable(), SEGMENTER)
    for one in decided:
        memory.put(one)
    return memory


def ask(title: str, description: str = "") -> PreparedQuestion:
    return PreparedQuestion.of(Question(title=title, description=description), SEGMENTER)


def opened(name: str, memory: Memory):
    (source,) = (each for each in source_classes() if each.name == name)
    return source.open(Known(memory=memory))


def figures(found: list[Finding]) -> dict[str, dict[str, float]]:
    return {one.tag: dict(one.figures) for one in found}


def told(found: list[Finding]) -> dict[str, tuple]:
    """What a person is told: the code, and the values in their order."""
    return {one.tag: (one.text.code, *one.text.values.values()) for one in found if one.text}
