"""Where memory is kept between two starts: a file a store and model version. A convenience: it can be made again."""

import hashlib
import logging
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jieba
import numpy as np

import l2a
from app.memory.position import Position
from app.places import DATA
from db.store.engine import Store
from l2a.evidence.memory.meanings import Encoder
from l2a.ranking import kept
from l2a.ranking.knowledge import Knowledge

if TYPE_CHECKING:
    from l2a.tagger import Tagger

MOST_FILES = 3  # of one store: somebody may go back to the version before
# The program's own text, as far as it says what is in such a file.
_PROGRAM = ("text", "evidence/memory", "evidence/source.py", "evidence/arrays.py", "ranking/kept.py")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Cache:
    """The file of one store and one model version."""

    folder: Path
    store: Store
    version: str

    @property
    def path(self) -> Path:
        return self.folder / f"{store_name(self.store)}-{self.version}.safetensors"

    def load(self, tagger: "Tagger", encoder: Encoder | None = None) -> tuple[Knowledge, Position] | None:
        """None where nothing is kept that can be used."""
        if tagger.prior is None:
            return None
        try:
            about = self.about()
            if about is None or about["program"] != program():
                return None
            knowledge, _ = Knowledge.load(self.path, tagger.table, tagger.codec.segmenter, tagger.prior, encoder)
            return knowledge, Position.from_dict(about["position"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("memory is made anew: %s cannot be used: %s", self.path, error)
            return None

    def about(self) -> dict[str, Any] | None:
        """What the file says of itself; None without one, or where it cannot be read."""
        try:
            return kept.read_about(self.path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            log.warning("%s cannot be read: %s", self.path, error)
            return None

    def save(self, arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
        """Raises OSError; the file that was there stays whole then."""
        kept.write(self.path, arrays, {**about, "program": program()})
        files = sorted(_files(self.folder, self.store), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in files[MOST_FILES:]:
            old.unlink(missing_ok=True)


def folder_for(store: Store) -> Path:
    """Beside a SQLite store; of one on a server, on this machine."""
    return (DATA if store.path is None else store.path.absolute().parent) / "memory"


def forget(folder: Path, store: Store) -> None:
    """Remove all that is kept of a store, for words that must go."""
    for file in _files(folder, store):
        file.unlink(missing_ok=True)


def store_name(store: Store) -> str:
    """Tells stores apart, without saying where one is."""
    where = store.bare_url if store.path is None else str(store.path.resolve())
    return hashlib.sha256(where.encode()).hexdigest()[:12]


@cache
def program() -> str:
    """Another one when questions may be cut, weighted or kept in another way."""
    digest = hashlib.sha256(f"{jieba.__version__} {unicodedata.unidata_version} {np.__version__}".encode())
    package = Path(l2a.__file__).parent
    for name in _PROGRAM:
        place = package / name
        for file in sorted(place.glob("*.py")) if place.is_dir() else [place]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _files(folder: Path, store: Store) -> list[Path]:
    return list(folder.glob(f"{store_name(store)}-*.safetensors"))
