"""Trains what the experiments need: each model once, here one after the other or in several processes side by side.

Processes share nothing but the folder: each finished training is a part there. A process ends as soon as the one that
started it is gone, so a killed study leaves nobody behind who trains the same model as the next one.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import torch

from l2a.errors import L2AError
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import Method


class Trainings:
    """The trainings that are still missing; as a context manager it ends what runs when the block is left."""

    def __init__(self, study: Study, needs: Iterable[Need], jobs: int = 1, on_done: Callable[[], None] = lambda: None):
        self.study, self.on_done = study, on_done
        self.missing = {study.name_of(need): need for need in needs if not study.is_done(need)}
        self._pool: ProcessPoolExecutor | None = None
        self._futures: dict[str, Future] = {}
        if jobs > 1 and len(self.missing) > 1:
            self._start(min(jobs, len(self.missing)))

    def __enter__(self) -> "Trainings":
        return self

    def __exit__(self, *_) -> None:
        if self._pool is None:
            return
        if not self.missing:  # nobody works any more: they can be waited for
            self._pool.shutdown()
            return
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():  # leaving the block early must not take minutes
            process.terminate()

    def finish(self, need: Need) -> None:
        """Return once this one is trained; raises what its training raised."""
        name = self.study.name_of(need)
        if name not in self.missing:
            return
        if self._pool:
            self._wait(self._futures[name])
            try:
                self._futures[name].result()
            except BrokenProcessPool as error:
                raise L2AError("experiments.training_ended", name=name) from error
        else:
            self.study.run(need)
            self.on_done()
        del self.missing[name]

    def _start(self, jobs: int) -> None:
        # Not forked: a copy of a process that used threads can wait forever for a lock of theirs.
        self._pool = ProcessPoolExecutor(
            jobs,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_process,
            initargs=(replace(self.study, quiet=True), torch.get_num_threads()),
        )
        for name, need in self.missing.items():
            self._futures[name] = self._pool.submit(_train, need.method, need.corpus.name, need.seed)
        self._pending = set(self._futures.values())

    def _wait(self, future: Future) -> None:
        """Tell of every training that ends, not only of the one that is waited for."""
        while future in self._pending:
            done, self._pending = wait(self._pending, return_when=FIRST_COMPLETED)
            for _ in done:
                self.on_done()


_study: Study  # of a training process


def _begin_process(study: Study, threads: int) -> None:
    global _study
    _study = study
    torch.set_num_threads(threads)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches every process; one of them has something to say
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:  # always so in a training process
        parent.join()
        os._exit(1)


def _train(method: Method, corpus_name: str, seed: int) -> None:
    """By name: the process has the corpus, with all its questions, from the beginning."""
    (corpus,) = (corpus for corpus in _study.corpora.all if corpus.name == corpus_name)
    _study.run(Need(method, corpus, seed))
