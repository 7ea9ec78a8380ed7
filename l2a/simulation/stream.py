"""A simulated moderator, who knows the right tags of questions and answers them one by one.

What a stream leaves are servings: each was ranked before it was decided, with what had been decided until then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from l2a.data.questions import Question
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Served
from l2a.suggestions import Hypothesis, Suggestions
from l2a.tagger import ReadQuestion, Tagger
from l2a.text.cleaning import match_key

STORED = 30  # candidates of a serving that are kept, the likeliest: what a person adds by hand may be among them


@dataclass(frozen=True)
class Asked:
    """A question with its right tags, taken in and decoded once, so that it can be ranked at any time."""

    question: Question
    read: ReadQuestion
    hypotheses: tuple[Hypothesis, ...]
    beam: int

    @classmethod
    def of(cls, tagger: Tagger, question: Question, answer: Suggestions) -> "Asked":
        return cls(question, tagger.read(question, only_hints=False), answer.hypotheses, answer.beam)

    def ranked(self, tagger: Tagger, knowledge: Knowledge | None = None) -> Suggestions:
        return tagger.rank(self.read, self.hypotheses, beam=self.beam, knowledge=knowledge)


@dataclass(frozen=True)
class Turn:
    """A question that was answered: as it was ranked before, and how it was decided."""

    asked: Asked
    answer: Suggestions
    decided: DecidedQuestion


def decide(asked: Asked, answer: Suggestions, number: int) -> DecidedQuestion:
    """Of the tags that are shown the right ones are accepted, the others rejected; what is missing is added."""
    question = asked.question
    right = set(map(match_key, question.tags))
    rejected = tuple(tag.tag for tag in answer.shown if match_key(tag.tag) not in right)
    return DecidedQuestion(
        number,
        question.title,
        question.description,
        question.source,
        question.tags,
        rejected,
        at=float(number),
        number=number,
    )


def answer_all(
    tagger: Tagger, knowledge: Knowledge, stream: Sequence[Asked], *, ranker_learns: bool = True
) -> Iterator[Turn]:
    """One decision after the other; each is known when the next question is ranked.

    ranker_learns: False where its weights are not wanted: only memory follows then, which is quicker.
    """
    for number, asked in enumerate(stream, start=1):
        answer = asked.ranked(tagger, knowledge)
        decided = decide(asked, answer, number)
        figures = {tag.tag: tag.figures for tag in answer.suggestions[:STORED]}
        served = Served.judged(figures, decided.tags, decided.rejected) if ranker_learns else None
        knowledge.learn(decided, served)
        yield Turn(asked, answer, decided)


def served_whole(answer: Suggestions, tags: Sequence[str]) -> Served:
    """A serving of which everything is known: what is not right is wrong."""
    return Served.judged({tag.tag: tag.figures for tag in answer.suggestions}, tags, is_complete=True)
