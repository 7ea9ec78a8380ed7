"""Moderators at work, all at once: real sessions of the running app, over websocket and in browsers.

    python bench/moderators.py --questions QUESTIONS.jsonl [--people 20 --browsers 2 --minutes 3] [--retrain]

Starts the app on a store of its own with the starter model, lets everybody think 5 to 15 seconds (seeded) over each
question, and prints how long it took from a submit to the next question on the screen. Every receipt is then looked
up in the store. With --retrain everybody works again while the model is being trained, and the ratio is printed.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PATIENCE = 60.0  # seconds until a moderator gives up
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"


@dataclass
class Work:
    """What one moderator did."""

    name: str
    waits: list[float] = field(default_factory=list)  # seconds from each submit to the next question
    receipts: list[int] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class BoardSession:
    """A session without a browser: speaks the app's websocket protocol and sees what the board is told."""

    def __init__(self, socket, name: str):
        self._socket = socket
        self._name = name
        self._page = ""
        self._yes = ""
        self.component = ""
        self.fragment = ""
        self.board: dict = {}

    async def open(self) -> None:
        """The address asks for a name, and a click on the button says yes."""
        await self._rerun()
        if self._yes:
            await self._rerun(click=self._yes)

    async def submit(self, nonce: str) -> None:
        tags = self.board["tags"]
        verdicts = [[tags[0]["tag"], "accepted"]] if tags else [["其他", "added"]]
        item = self.board["item"]
        message = {
            "type": "submit",
            "nonce": nonce,
            "item": item["id"],
            "lease": item["lease"],
            "verdicts": verdicts,
            "seconds": 1.0,
        }
        await self._rerun(trigger=[{"event": "act", "value": message}])

    async def _rerun(self, trigger: list | None = None, click: str = "") -> None:
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg()
        message.rerun_script.query_string = f"as={self._name}"
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.context_info.locale = "zh-CN"
        if click:
            button = message.rerun_script.widget_states.widgets.add()
            button.id, button.trigger_value = click, True
        if trigger is not None:
            message.rerun_script.fragment_id = self.fragment
            own = message.rerun_script.widget_states.widgets.add()
            own.id, own.json_value = self.component, "{}"
            state = message.rerun_script.widget_states.widgets.add()
            state.id = f"$$STREAMLIT_INTERNAL_KEY_{self.component}__events"
            state.json_trigger_value = json.dumps(trigger)
        await self._socket.send(message.SerializeToString())
        await self._read_run()

    async def _read_run(self) -> None:
        """Read until the script has finished."""
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        while True:
            message = ForwardMsg.FromString(await asyncio.wait_for(self._socket.recv(), PATIENCE))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self._page = message.new_session.page_script_hash
            elif kind == "delta":
                element = message.delta.new_element
                if element.WhichOneof("type") == "exception":
                    raise RuntimeError(element.exception.message)
                if element.WhichOneof("type") == "button" and "person-take" in element.button.id:
                    self._yes = element.button.id
                if element.WhichOneof("type") == "bidi_component":
                    self.component = element.bidi_component.id
                    self.fragment = message.delta.fragment_id
                    self.board = json.loads(element.bidi_component.json)
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return


async def moderate_by_socket(url: str, name: str, turns: "Turns") -> Work:
    """Work as one moderator over a websocket."""
    from websockets.asyncio.client import connect

    work = Work(name)
    address = url.replace("http://", "ws://") + "/_stcore/stream"
    try:
        async with connect(address, subprotocols=["streamlit"], origin=url, max_size=None) as socket:
            session = BoardSession(socket, name)
            await session.open()
            async for _ in turns.of(name):
                if not session.board.get("item"):
                    break
                before, nonce = session.board["item"]["id"], uuid.uuid4().hex
                begun = time.perf_counter()
                await session.submit(nonce)
                receipt, item = session.board["receipt"], session.board["item"]
                if not receipt or receipt["nonce"] != nonce or (item and item["id"] == before):
                    raise RuntimeError(f"no receipt for question {before}: {session.board.get('error')}")
                work.waits.append(time.perf_counter() - begun)
                work.receipts.append(_number(receipt["text"]))
                work.questions.append(before)
    except Exception as error:  # a benchmark reports what went wrong and with whom
        work.errors.append(f"{name}: {type(error).__name__}: {error}")
    return work


async def moderate_in_browser(browser, url: str, name: str, turns: "Turns") -> Work:
    """Work as one moderator at a keyboard."""
    from playwright.async_api import expect

    work = Work(name)
    context = await browser.new_context(locale="zh-CN", viewport={"width": 1280, "height": 720})
    page = await context.new_page()
    number = page.locator(".meta span").first
    try:
        await page.goto(f"{url}/?as={name}")
        await page.locator(".st-key-person-take button").click(timeout=PATIENCE * 1000)
        await number.wait_for(timeout=PATIENCE * 1000)
        async for _ in turns.of(name):
            await page.wait_for_timeout(350)  # a person does not decide what has just come
            before = await number.inner_text()
            await page.keyboard.press("1")
            begun = time.perf_counter()
            await page.keyboard.press("Enter")
            if not await page.locator(".tag").count():
                await page.keyboard.press("Enter")  # no tag at all: asked whether that is meant
            await expect(number).not_to_have_text(before, timeout=PATIENCE * 1000)
            work.waits.append(time.perf_counter() - begun)
            work.receipts.append(_number(await page.locator(".state").inner_text()))
            work.questions.append(int(before.removeprefix("#")))
    except Exception as error:
        work.errors.append(f"{name}: {type(error).__name__}: {error}")
    finally:
        await context.close()
    return work


@dataclass(frozen=True)
class Turns:
    """How long each moderator thinks over each question, and when all stop."""

    seed: int
    shortest: float
    longest: float
    seconds: float = float("inf")
    each: int = 1_000_000

    async def of(self, name: str) -> AsyncIterator[int]:
        thinking = random.Random(f"{self.seed}-{name}")
        end = time.monotonic() + self.seconds
        for number in range(self.each):
            await asyncio.sleep(thinking.uniform(self.shortest, self.longest))
            if time.monotonic() > end:
                return
            yield number


async def work_together(url: str, people: int, browsers: int, turns: Turns) -> list[Work]:
    """Everybody at once: `browsers` of the people in Chromium, the others over websocket."""
    names = [f"moderator-{number:02d}" for number in range(1, people + 1)]
    async with _chromium(browsers) as chromium:
        jobs = [moderate_in_browser(chromium, url, name, turns) for name in names[:browsers]]
        jobs += [moderate_by_socket(url, name, turns) for name in names[browsers:]]
        return list(await asyncio.gather(*jobs))


@asynccontextmanager
async def _chromium(wanted: int):
    if not wanted:
        yield None
        return
    from playwright.async_api import async_playwright

    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=SWITCHES.split())
        yield browser
        await browser.close()


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report(works: list[Work], seconds: float) -> None:
    waits = waits_of(works)
    if not waits:
        print("nobody decided anything")
        return
    print(f"{len(works)} moderators, {len(waits)} decisions in {seconds:.0f} s")
    print(
        f"from submit to next question: p50 {statistics.median(waits):.2f} s, p95 {percentile(waits, 0.95):.2f} s, "
        f"max {max(waits):.2f} s"
    )
    for error in (error for work in works for error in work.errors):
        print(f"error: {error}")


def waits_of(works: list[Work]) -> list[float]:
    return [wait for work in works for wait in work.waits]


def work_while_training(args, folder: Path, url: str, database: str, before: list[float]) -> list[Work]:
    """Everybody once more, beside a training that lasts as long as they work."""
    from app.learning import process
    from app.learning.recipe import Options
    from app.shell.settings import Settings
    from db.store.engine import Store

    settings = Settings(database=database, runs=folder / "runs")
    with Store(database) as store:
        run = process.start(settings, store, None, Options(minutes=60 * 24, epochs=1000))
        while (now := process.look(store)) is not None and not (now.phase == "training" and now.done):
            time.sleep(1)
        begun = time.perf_counter()
        turns = Turns(args.seed + 1, *args.think, seconds=60 * args.minutes)
        works = asyncio.run(work_together(url, args.people, args.browsers, turns))
        report(works, time.perf_counter() - begun)
        now = process.look(store)
        steps = f"{now.done} steps" if now is not None else "it ended before the people did"
        ratio = percentile(waits_of(works), 0.95) / percentile(before, 0.95)
        print(f"while training ({steps}): p95 is {ratio:.2f} times that without")
        while (run := process.look(store)) is not None:
            process.stop(store, run, None)
            time.sleep(2)
    return works


def check_store(url: str, works: list[Work]) -> list[str]:
    """What is wrong with the store after the work: lost or doubled decisions."""
    from db.errors import NotFound
    from db.ledger.entries import find_receipt
    from db.queue.check import find_inconsistencies
    from db.store.engine import Store

    receipts = [
        (receipt, question) for work in works for receipt, question in zip(work.receipts, work.questions, strict=True)
    ]
    wrong = []
    if len({receipt for receipt, _ in receipts}) != len(receipts):
        wrong.append("a receipt was given twice")
    if len({question for _, question in receipts}) != len(receipts):
        wrong.append("a question was given to two people")
    with Store(url) as store, store.read() as session:
        for receipt, question in receipts:
            try:
                if find_receipt(session, receipt).question_id != question:
                    wrong.append(f"receipt {receipt} is about another question")
            except NotFound:
                wrong.append(f"receipt {receipt} is lost")
        wrong += map(str, find_inconsistencies(session))
    return wrong


class Running(NamedTuple):
    url: str
    database: str  # the URL of the store
    pid: int


@contextmanager
def running_app(folder: Path, settings: Mapping[str, str] = {}, options: Sequence[str] = ()) -> Iterator["Running"]:
    """The app on a free port with a store in `folder`, further settings, and options of the server."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    database = f"sqlite:///{folder / 'l2a.db'}"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("L2A_", "STREAMLIT_"))}
    command = [sys.executable, "-m", "streamlit", "run", "--server.port", str(port), "--server.headless", "true"]
    with open(folder / "server.log", "wb") as log:
        process = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env={**inherited, "L2A_DATABASE": database, **settings},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://localhost:{port}"
        _wait_for(url)
        yield Running(url, database, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("the app did not start")


def _number(text: str) -> int:
    return int("".join(c for c in text if c.isdigit()) or -1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", required=True, help="a file of questions for the queue")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--browsers", type=int, default=2, help="how many of the people use a browser")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--think", type=float, nargs=2, default=(5.0, 15.0), metavar=("LEAST", "MOST"))
    parser.add_argument("--ahead", type=float, default=30.0, help="seconds the app may prepare before people come")
    parser.add_argument("--limit", type=int, default=2000, help="questions to import")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--retrain", action="store_true", help="once more while the model is being trained")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder), args.questions, args.limit)
        with running_app(Path(folder)) as (url, database, _):
            asyncio.run(work_together(url, 1, 0, Turns(args.seed, 0.1, 0.1, each=1)))  # loads the model
            time.sleep(args.ahead)
            begun = time.perf_counter()
            turns = Turns(args.seed, *args.think, seconds=60 * args.minutes)
            works = asyncio.run(work_together(url, args.people, args.browsers, turns))
            report(works, time.perf_counter() - begun)
            if args.retrain:
                works += work_while_training(args, Path(folder), url, database, waits_of(works))
        wrong = check_store(database, works)
        if any(work.errors for work in works):
            print((Path(folder) / "server.log").read_text(encoding="utf-8", errors="replace")[-4000:])
    print("store: " + ("; ".join(wrong) if wrong else "every receipt found, nothing lost or doubled"))
    return 1 if wrong or any(work.errors for work in works) else 0


def _fill(folder: Path, questions: str, limit: int) -> None:
    from itertools import islice

    from db.store import schema
    from db.store.engine import Store
    from db.transfer.importing import IncomingQuestion, import_questions
    from l2a.data.questions import read_questions

    with Store(f"sqlite:///{folder / 'l2a.db'}") as store:
        schema.prepare(store)
        rows = (
            IncomingQuestion(question.line, question.title, question.description)
            for question in islice(read_questions(questions, skip_bad=True), limit)
        )
        import_questions(store, rows, name="bench", fingerprint="bench")


if __name__ == "__main__":
    sys.exit(main())
