"""Several pieces of work at once, each on one thread of its own.

PyTorch shares out single operations among threads, which then wait for each other in every one of them; small
operations gain little from it. Pieces of work that have nothing to do with each other are better shared out whole.
"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import torch


def side_by_side(act: Callable[[Any], None], items: Iterable) -> None:
    """`act(item)` for every item, on as many threads as PyTorch may use here."""
    list(_pool(torch.get_num_threads()).map(act, items))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    all_there = threading.Barrier(threads + 1)

    def begin() -> None:
        torch.get_num_threads()  # a thread's first look takes over what holds for all, and would do so afterwards
        torch.set_num_threads(1)  # holds for this thread, and for threads that do not exist yet
        all_there.wait()

    pool = ThreadPoolExecutor(threads, thread_name_prefix="l2a-side", initializer=begin)
    for _ in range(threads):
        pool.submit(lambda: None)
    all_there.wait()
    torch.set_num_threads(threads)  # what threads to come begin with
    return pool
