"""Answers that took long to compute, kept in a folder: a rerun reads them."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


class Cache:
    """JSON files named after what they were computed from; without a folder nothing is kept."""

    def __init__(self, folder: Path | None):
        self.folder = folder

    def get(self, name: str, parts: Iterable[str], compute: Callable[[], Any]) -> tuple[Any, bool]:
        """The value of `compute`, and whether it came from the folder; `parts` say what it depends on."""
        if self.folder is None:
            return json.loads(json.dumps(compute())), False  # the same types, whether read or computed
        digest = hashlib.sha256(json.dumps([name, *parts]).encode()).hexdigest()[:16]
        path = self.folder / f"{name}-{digest}.json"
        if path.exists():
            return json.loads(path.read_text(encoding="utf-8")), True
        text = json.dumps(compute(), ensure_ascii=False)
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)  # a run that is stopped leaves no half file
        return json.loads(text), False


def checksum(*paths: Path) -> str:
    """Of the contents of files, in the order given."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()
