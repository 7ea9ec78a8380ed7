"""Work for all cores of this machine: several processes, answers in the order of what was asked.

Each process makes its own worker once, from what it is given, and then answers one item after the other. Only a few
items are under way at a time, so that memory does not grow with their number.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from l2a.errors import L2AError

_AHEAD = 3  # items under way, times the processes

_answer: Callable[[Any], Any]  # of this process


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(make: Callable[[Any], Callable], given: Any, items: Iterable, processes: int) -> Iterator:
    """`make(given)(item)` for every item. `make`, `given`, the items and the answers travel between processes."""
    if processes <= 1:
        yield from map(make(given), items)
        return
    # Not forked: a copy of a process whose other threads are in the middle of something may wait for them for ever.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _begin, (make, given))
    under_way: deque = deque()
    items, failure = iter(items), None
    try:
        while failure is None:
            try:
                under_way.append(pool.submit(_do, next(items)))
            except StopIteration:
                break
            except L2AError as error:  # a bad line: what came before it is answered first
                failure = error
            if len(under_way) >= _AHEAD * processes:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool as error:
        raise L2AError("processes.ended") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if failure is not None:
        raise failure


def _begin(make: Callable[[Any], Callable], given: Any) -> None:
    global _answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked: it ends the others
    _answer = make(given)


def _do(item: Any) -> Any:
    return _answer(item)
