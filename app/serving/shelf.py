"""Models beside the live one, loaded when somebody wants to look at them: a few, the last used ones."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from l2a.tagger import Tagger

ROOM = 2  # as many as can be compared on one page; each is as large in memory as the live model


class Shelf:
    """Loads a model for those who want it, while nobody else waits."""

    def __init__(self, load: Callable[[Path], "Tagger"], room: int = ROOM):
        self._load = load
        self._room = room
        self._lock = threading.Lock()  # held for a look only, never while a model is loaded
        self._kept: OrderedDict[tuple[Path, str | None], Future[Tagger]] = OrderedDict()  # last used last

    def get(self, folder: Path, version: str | None) -> "Tagger":
        """The model in a folder that holds this version now. Raises what loading it raises; that is not kept."""
        key = (folder, version)
        with self._lock:
            known = self._kept.get(key)
            model = self._kept[key] = known or Future()
            self._kept.move_to_end(key)
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)
        if known is None:
            try:
                model.set_result(self._load(folder))
            except BaseException as error:
                model.set_exception(error)
                with self._lock:
                    if self._kept.get(key) is model:
                        del self._kept[key]
        return model.result()
