"""A real server and a real browser. The server ends by its own process id; its log is printed when a test fails."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e import second_go, timing

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")  # as in tools/ensure_browser.sh
START_SECONDS = 60

_people = count(1)

# Five seconds are Playwright's own, and too few for two browsers and two servers on two cores.
expect.set_options(timeout=20_000)


@dataclass(frozen=True)
class Server:
    """A running app; `log` is where it writes, `started` when its process began (time.monotonic)."""

    url: str
    log: Path
    started: float
    pid: int


def pytest_collection_modifyitems(items) -> None:
    second_go.mark(items, Path(__file__).parent)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """The browser of the machine, kept from calling anyone."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail("No Chromium was found. Run: bash tools/ensure_browser.sh")
    switches = (
        "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync"
    )
    return {**browser_type_launch_args, "executable_path": path, "args": switches.split()}


@pytest.fixture(scope="session")
def server(tiny_model, tmp_path_factory) -> Iterator[Server]:
    """The app with the tiny model, on a free port of localhost, started as `make run` does."""
    folder = tmp_path_factory.mktemp("server")
    settings = {"L2A_MODEL": str(tiny_model), "L2A_DATABASE": f"sqlite:///{folder / 'l2a.db'}"}
    with start_server(folder / "server.log", settings) as running:
        yield running


@pytest.fixture
def person(request) -> str:
    """Everybody has a desk of their own, at a second go too: what one test leaves is in nobody else's way."""
    return f"{request.node.originalname[5:40]}-{next(_people)}"


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def start_server(
    log: Path,
    environment: Mapping[str, str],
    *,
    port: int | None = None,
    options: Sequence[str] = (),
    folder: Path = ROOT,
) -> Iterator[Server]:
    """The app in `folder` as `make run` starts it, with the L2A_ settings in `environment`; it ends with the block."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", "--server.port", str(port), "--server.headless", "true"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("L2A_", "STREAMLIT_"))}
    started = time.monotonic()
    with open(log, "ab") as output:
        process = subprocess.Popen(
            [*command, *options],
            cwd=folder,
            env={**inherited, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        running = Server(f"http://localhost:{port}", log, started, process.pid)
        _wait_until_healthy(running, process)
        timing.record("server start to its first answer", time.monotonic() - started)
        yield running
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_healthy(server: Server, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=5) as answer:
                if answer.read() == b"ok":
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.1)
    what = f"ended with code {process.returncode}" if process.poll() is not None else "did not answer"
    pytest.fail(f"The server {what}. Its log:\n{server.log.read_text(errors='replace')}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    server = getattr(item, "funcargs", {}).get("server")
    if report.failed and isinstance(server, Server):
        report.sections.append(("Server log", server.log.read_text(errors="replace")))
    return report
