"""An export on the disk, ready to be taken: where it lies and when it goes."""

import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from app.export.contents import Progress
from app.transfer.exporter import export_file
from db.store.engine import Store
from db.transfer.export import ExportFilter, Manifest, manifest_path
from db.transfer.formats import FORMATS

SMALL = 2_000  # questions that the ledger knows: counted and written at once, without being asked
FOLDER = "l2a-export-"  # how the temporary folders' names begin
KEPT_SECONDS = 24 * 3600  # longer than any session waits for its download


class Prepared:
    """An export on the disk, in a folder of its own that goes when nothing needs it any more.

    The download button holds on to it too (it is handed `open`), so that a click finds the file even if the page has
    prepared another one meanwhile.
    """

    def __init__(self, folder: Path, path: Path, manifest: Manifest):
        self.path = path
        self.manifest = manifest
        self._finalizer = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def open(self) -> BinaryIO:
        """The file to read; for the download button, which calls it in a thread of its own on a click."""
        return open(self.path, "rb")

    def manifest_text(self) -> str:
        return manifest_path(self.path).read_text(encoding="utf-8")

    @property
    def manifest_values(self) -> dict[str, object]:
        return asdict(self.manifest)


def prepare(
    store: Store, chosen: ExportFilter, format_name: str, number: int, progress: Progress = lambda done, total: None
) -> Prepared:
    """Write an export and its manifest; raises StoreError. `number`: the newest entry, for the file's name."""
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=FOLDER))
    try:
        path = folder / f"l2a-{format_name}-{number}{FORMATS[format_name].suffix}"
        return Prepared(folder, path, export_file(store, path, format_name, chosen, progress=progress))
    except BaseException:  # also when the page is run anew in the middle
        shutil.rmtree(folder, ignore_errors=True)
        raise


def shown_size(size: float) -> str:
    """`size`: in bytes."""
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"


def _sweep() -> None:
    """Remove what servers left behind that were ended by a signal: no finalizer runs then."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):  # another process is at it, or it is another user's
            if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
