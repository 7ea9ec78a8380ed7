"""GET /health: do the model and the database answer? For a watchdog or a load balancer; anybody may ask.

The answer holds single words and version numbers, no addresses and no messages: those go to the log, without passwords.
Torch is not loaded for it: a model that nobody has used yet is judged by its folder.
"""

import json
import logging
import os
import threading
import time
import tomllib
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from safetensors import SafetensorError, safe_open
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from app import places
from app.serving.model_folder import folder_of
from app.shell.settings import Settings
from db.errors import SchemaError, StoreError
from db.models import registry
from db.store import schema
from db.store.engine import Store
from l2a.errors import SettingsError

PATH = "/health"
PATIENCE = 5.0  # seconds; a database that takes longer counts as not answering
KEEP = 2.0  # seconds that an answer is good for: nobody can wear the database out by asking
JSON_FILES = ("config.json", "vocabulary.json", "frequencies.json")
WEIGHTS = "model.safetensors"

OK, NEW, MISSING, DAMAGED, OTHER = "ok", "new", "missing", "damaged", "other version"
UNREACHABLE, SILENT, UNKNOWN, WRONG = "unreachable", "no answer", "unknown", "wrong"
HEALTHY = (OK, NEW)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Report:
    """One word about each part; `model_version` is what the live model's folder says."""

    database: str
    model: str
    model_version: str | None = None
    settings: str = OK

    @property
    def is_healthy(self) -> bool:
        return self.settings == OK and self.database in HEALTHY and self.model == OK

    def to_dict(self) -> dict[str, str | None]:
        words = {"model": self.model, "database": self.database, "settings": self.settings}
        return {**words, "model_version": self.model_version, "version": program_version()}


@dataclass(frozen=True)
class StoreState:
    """What the database said: a word, and the live model's folder and version where one is live."""

    word: str
    folder: Path | None = None
    version: str | None = None


class Watch:
    """One look at a time, whose answer serves everybody who asks meanwhile and shortly after."""

    def __init__(self, patience: float = PATIENCE, keep: float = KEEP):
        self._patience = patience
        self._keep = keep
        self._lock = threading.Lock()
        self._report: Report | None = None
        self._until = 0.0
        self._running: Future[StoreState] | None = None

    def report(self) -> Report:
        """At most `patience` seconds of waiting, whatever the database does."""
        with self._lock:
            if self._report is None or time.monotonic() >= self._until:
                self._report = self._look()
                self._until = time.monotonic() + self._keep
            return self._report

    def _look(self) -> Report:
        try:
            settings = Settings.from_environment()
        except SettingsError as error:
            log.warning("health: %s", error)
            return Report(database=UNKNOWN, model=UNKNOWN, settings=WRONG)
        state = self._ask_store(settings)
        word, version = look_at_model(state.folder or settings.model, state.version)
        return Report(database=state.word, model=word, model_version=version)

    def _ask_store(self, settings: Settings) -> StoreState:
        """In a thread of its own, and never in a second one: a database that hangs must not use threads up."""
        if self._running is None or self._running.done():
            self._running = Future()
            threading.Thread(target=_fulfil, args=(self._running, settings), name="health", daemon=True).start()
        try:
            return self._running.result(timeout=self._patience)
        except TookTooLong:
            return StoreState(SILENT)


def _fulfil(future: "Future[StoreState]", settings: Settings) -> None:
    try:
        future.set_result(look_at_store(settings))
    except BaseException:  # whatever it is, the one who asked gets a word and not an exception
        log.exception("health: the database could not be looked at")
        future.set_result(StoreState(UNREACHABLE))


def look_at_store(settings: Settings) -> StoreState:
    """Connects, checks the tables' version, and asks which model is live; changes and creates nothing."""
    try:
        with Store(settings.database) as store:
            if store.path is not None and not store.path.exists():  # connecting would make the file
                return StoreState(NEW if _can_make(store.path) else UNREACHABLE)
            revision = schema.check(store)
            if revision == schema.EMPTY:
                return StoreState(NEW)
            if revision != schema.newest_revision():
                return StoreState(OTHER)
            with store.read() as session:
                live = registry.live(session)
            return StoreState(OK) if live is None else StoreState(OK, folder_of(live.path), live.version)
    except SchemaError as error:
        log.warning("health: %s", error)
        return StoreState(OTHER)
    except StoreError as error:
        log.warning("health: %s", error)
        return StoreState(UNREACHABLE)


def look_at_model(folder: Path, version: str | None = None) -> tuple[str, str | None]:
    """A word about a model folder, and its version. `version` is the one that should be there; None: any.

    Reads the JSON files and the header of the weights, which says how long that file must be; not the weights.
    """
    if not folder.is_dir():
        return MISSING, None
    try:
        config, *_ = [json.loads((folder / name).read_bytes()) for name in JSON_FILES]
        found = config["version"]
        with safe_open(folder / WEIGHTS, framework="numpy") as weights:
            named = len(weights.keys())
    except FileNotFoundError:
        return MISSING, None
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        log.warning("health: the model folder %s cannot be read: %s", folder, error)
        return DAMAGED, None
    if not named or not isinstance(found, str):
        return DAMAGED, None
    return (OK if version in (None, found) else OTHER), found


@cache
def program_version() -> str:
    try:
        if places.IS_INSTALLED:
            return metadata.version("l2a-studio")
        return tomllib.loads((places.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError, metadata.PackageNotFoundError):
        return UNKNOWN


def route() -> Route:
    """What streamlit_app.py adds to Streamlit's own routes."""
    watch = Watch()

    async def answer(_: Request) -> JSONResponse:
        report = await run_in_threadpool(watch.report)
        code = 200 if report.is_healthy else 503
        return JSONResponse(report.to_dict(), status_code=code, headers={"Cache-Control": "no-store"})

    return Route(PATH, answer, methods=["GET"])


def _can_make(path: Path) -> bool:
    """Whether the folder of a new store is there to be written, or can be made."""
    parent = next((folder for folder in path.absolute().parents if folder.is_dir()), None)
    return parent is not None and os.access(parent, os.W_OK)
