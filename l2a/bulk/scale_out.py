"""Suggestions for large files: on several processes of this machine, or on several machines with Ray Data
(requirements-ray.txt).

The file is read here, by the same reader as ever, and handed out as text in the very windows that one process would
cut. So the answers are the same to the last digit, and so is what is said about a bad line.
"""

import json
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from l2a.bulk.json_lines import json_line
from l2a.bulk.processes import in_order
from l2a.data.questions import Question
from l2a.errors import SettingsError
from l2a.tagger import WINDOW, Constraints

WINDOWS_A_ROUND = 256  # in memory at a time
CPUS_A_WORKER = 0.5  # Ray's own processes need the rest: workers that claim all cores would wait for ever


@dataclass(frozen=True)
class Job:
    """How every worker is to answer."""

    model: str
    beam: int | None
    threshold: float | None
    batch_size: int
    constraints: Constraints
    every_tag: bool
    decoder: str  # see `l2a.tagger.choose_decoder`; each machine chooses for itself


class Worker:
    """One process with a model of its own."""

    def __init__(self, job: Job):
        import torch

        from l2a.tagger import Tagger

        torch.set_num_threads(1)
        self._job, self._tagger = job, Tagger.load(job.model, decoder=job.decoder)

    def __call__(self, row: dict) -> dict:
        questions = [Question(**fields) for fields in json.loads(row["window"])]
        job = self._job
        answers = self._tagger.suggest(
            questions,
            beam=job.beam,
            threshold=job.threshold,
            batch_size=job.batch_size,
            constraints=job.constraints,
        )
        return {"lines": "\n".join(json_line(answer, every_tag=job.every_tag) for answer in answers)}


def suggest_in_processes(questions: Iterable[Question], job: Job, processes: int) -> Iterator[str]:
    """A line of suggestions for each question, in their order; every process has a model and one thread."""
    if processes < 1:
        raise SettingsError("settings.no_jobs", jobs=processes)
    windows = _windows(iter(questions), job.batch_size * WINDOW)
    for row in in_order(Worker, job, windows, processes):
        yield from row["lines"].split("\n")


def suggest_on_ray(questions: Iterable[Question], job: Job, workers: int) -> Iterator[str]:
    """A line of suggestions for each question, in their order. Raises SettingsError without Ray."""
    if workers < 1:
        raise SettingsError("settings.no_ray_workers", workers=workers)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise SettingsError("settings.no_ray") from error
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # what it says of its plans is nothing a user asked
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    remaining = iter(questions)
    size = job.batch_size * WINDOW
    while windows := list(islice(_windows(remaining, size), WINDOWS_A_ROUND)):
        done = ray.data.from_items(windows).map(
            Worker,  # type: ignore[arg-type]  # Ray takes classes and says so, but its annotation does not
            fn_constructor_args=(job,),
            compute=ray.data.ActorPoolStrategy(size=min(workers, len(windows))),
            num_cpus=CPUS_A_WORKER,
        )
        for row in done.iter_rows():
            yield from row["lines"].split("\n")


def _windows(questions: Iterator[Question], size: int) -> Iterator[dict]:
    while window := list(islice(questions, size)):
        fields = [{"id": q.id, "title": q.title, "description": q.description} for q in window]
        yield {"window": json.dumps(fields, ensure_ascii=False)}
