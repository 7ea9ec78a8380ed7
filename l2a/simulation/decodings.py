"""Hypotheses of questions, found once and kept in a file: a run that was stopped goes on, another order begins at once.

A question is known by its text, and decoded by itself: what is found depends on nothing but the question and the model.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from l2a.bulk.processes import in_order
from l2a.data.questions import Question
from l2a.simulation.stream import Asked
from l2a.suggestions import Hypothesis
from l2a.tagger import Tagger
from l2a.text.hashing import hash_text

FILE = "hypotheses.jsonl"
MANY = 50  # questions from which further processes are worth starting

Hypotheses = tuple[Hypothesis, ...]


@dataclass(frozen=True)
class Job:
    """What another process decodes with."""

    model: str
    decoder: str
    beam: int


class Worker:
    """One process with a model of its own."""

    def __init__(self, job: Job):
        import torch

        torch.set_num_threads(1)
        self._tagger, self._beam = Tagger.load(job.model, decoder=job.decoder), job.beam

    def __call__(self, question: Question) -> Hypotheses:
        return decode(self._tagger, question, self._beam)


def decode(tagger: Tagger, question: Question, beam: int) -> Hypotheses:
    """The N-best list of one question; raises InputError where nothing is left to read."""
    return tuple(tagger.decode([tagger.encode(question)], tagger.settings_with(beam))[0])


class Decodings:
    """The hypotheses of one model, beam and decoder; a file may hold those of several."""

    def __init__(self, tagger: Tagger, beam: int, path: Path):
        self._tagger, self._beam, self._path = tagger, beam, path
        self._made_by = {"model": tagger.version, "beam": beam, "decoder": tagger.decoder}
        self._found: dict[str, Hypotheses] = dict(self._read())

    def ask(self, questions: Iterable[Question]) -> list[Asked]:
        """Questions that were decoded, ready to be ranked at any time."""
        return [
            Asked(question, self._tagger.read(question, only_hints=False), self._found[_key(question)], self._beam)
            for question in questions
        ]

    def find(
        self, questions: Sequence[Question], *, model: str | None = None, processes: int = 1, quiet: bool = False
    ) -> int:
        """Decode what was not decoded before; how many that were.

        model: the tagger's folder; several processes load it from there.
        """
        missing = {_key(question): question for question in questions if _key(question) not in self._found}
        if not missing:
            return 0
        found: Iterator[Hypotheses]
        if model is None or processes == 1 or len(missing) < MANY:
            found = (decode(self._tagger, question, self._beam) for question in missing.values())
        else:
            job = Job(model, self._tagger.decoder, self._beam)
            found = in_order(Worker, job, missing.values(), processes)
        self._cut_off_half_a_line()
        bar = tqdm(found, total=len(missing), desc="decoding", unit=" questions", disable=quiet)
        with self._path.open("a", encoding="utf-8") as stream:
            for key, hypotheses in zip(missing, bar, strict=True):
                self._found[key] = hypotheses
                rows = [[one.tags, one.log_probability, one.order] for one in hypotheses]
                line = {"question": key, **self._made_by, "hypotheses": rows}
                print(json.dumps(line, ensure_ascii=False), file=stream, flush=True)
        return len(missing)

    def _read(self) -> Iterator[tuple[str, Hypotheses]]:
        if not self._path.is_file():
            return
        with self._path.open("rb") as stream:
            for line in stream:
                if not line.endswith(b"\n"):
                    return  # the run was killed while it wrote this
                try:
                    row = json.loads(line)
                except ValueError:  # damaged: the question is decoded again
                    continue
                if self._made_by.items() <= row.items():
                    yield row["question"], tuple(Hypothesis(tuple(tags), *rest) for tags, *rest in row["hypotheses"])

    def _cut_off_half_a_line(self) -> None:
        if not self._path.is_file():
            return
        with self._path.open("rb+") as stream:
            whole = sum(len(line) for line in stream if line.endswith(b"\n"))
            if whole < stream.seek(0, os.SEEK_END):
                stream.truncate(whole)


def _key(question: Question) -> str:
    text = f"{question.title}\n{question.description}"
    return f"{hash_text(text):016x}"
