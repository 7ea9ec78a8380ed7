"""How long the browser tests waited for what, printed as one table when all tests are over; nothing fails by it."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median

import pytest

KEY = "browser_times"  # under which a worker hands its times to the process that prints

Times = dict[str, list[float]]
_times: Times = {}


def record(name: str, seconds: float) -> None:
    _times.setdefault(name, []).append(seconds)


@contextmanager
def timed(name: str) -> Iterator[None]:
    """Record how long the block takes; a block that fails is not counted."""
    begin = time.perf_counter()
    yield
    record(name, time.perf_counter() - begin)


def table(times: Mapping[str, list[float]]) -> list[str]:
    """A head and a line for each name, in the order of the alphabet; seconds."""
    width = max(map(len, times), default=0)
    lines = [f"{'':{width}}  {'times':>5}  {'median':>7}  {'slowest':>7}"]
    lines += [
        f"{name:{width}}  {len(values):5}  {median(values):7.2f}  {max(values):7.2f}"
        for name, values in sorted(times.items())
    ]
    return lines


def add(times: Mapping[str, list[float]]) -> None:
    """Take in what a worker recorded."""
    for name, values in times.items():
        _times.setdefault(name, []).extend(values)


def pytest_sessionfinish(session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[KEY] = _times


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error) -> None:
    # A worker that crashed has no output.
    add(getattr(node, "workeroutput", {}).get(KEY, {}))


def pytest_terminal_summary(terminalreporter) -> None:
    if _times:
        terminalreporter.section("waiting in the browser, in seconds")
        for line in table(_times):
            terminalreporter.write_line(line)
