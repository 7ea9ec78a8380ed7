"""Writes a file whole or not at all: a reader sees the old one or the new one, never half of it."""

import errno
import hashlib
import io
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from db.errors import ExportError

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows
    flock = None

DRAFT = ".export-{}.part"  # short: the name of the file itself may be as long as names can be

_ADVICE = {
    errno.ENOSPC: "Free some space on that disk, or export to another one.",
    errno.EDQUOT: "Your quota is used up: free some space, or export to another disk.",
    errno.EFBIG: "The file would be larger than its disk or your limits allow: export to another disk, or in parts.",
    errno.EACCES: "Choose a folder that you may write to.",
    errno.EPERM: "Choose a folder that you may write to.",
    errno.EROFS: "That disk can only be read: choose another folder.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
}


class HashingStream(io.BufferedIOBase):
    """A binary stream to write to that knows the size and SHA-256 of what went through it.

    name: the file it is going to be.
    failure: the OSError of the first write that failed, if one did: libraries in between may hide it.
    """

    def __init__(self, stream: BinaryIO, name: str):
        self._stream = stream
        self.name = name
        self._hash = hashlib.sha256()
        self.size = 0
        self.failure: OSError | None = None

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def write(self, data) -> int:
        with self._noting_failure():
            self._stream.write(data)
        self._hash.update(data)
        self.size += memoryview(data).nbytes
        return memoryview(data).nbytes

    def flush(self) -> None:
        """Hand everything on; the stream itself is opened and closed by its owner."""
        if not self._stream.closed:
            with self._noting_failure():
                self._stream.flush()

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.failure = self.failure or error
            raise


@contextmanager
def atomic_file(path: str | Path) -> Iterator[HashingStream]:
    """Yield a stream that becomes the file at `path` when the block ends, and leaves no trace if it fails.

    The stream's `size` and `sha256` stay readable afterwards. The data is on the disk before the name points to it.
    Raises ExportError if the file cannot be written; whatever else the block raises goes through as it is.
    """
    target = _target(path)
    _remove_left_drafts(target.parent)
    try:
        file, draft = _open_draft(target.parent)
    except OSError as error:
        raise explain(path, error) from error
    stream = HashingStream(file, str(target))
    try:
        yield stream
        if stream.failure is not None:  # someone went on after a failed write: there is a hole in the file
            raise stream.failure
        try:
            _finish(file, draft, target)
        except OSError as error:
            raise explain(path, error) from error
    except BaseException as error:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            draft.unlink()
        if stream.failure is not None and isinstance(error, Exception) and not isinstance(error, ExportError):
            raise explain(path, stream.failure) from error
        raise
    _sync_folder(target.parent)


def _target(path: str | Path) -> Path:
    """The file to write, behind a symbolic link if there is one: replacing the link would cut it off."""
    target = Path(os.path.realpath(path))
    try:
        target.stat()
    except FileNotFoundError:
        pass
    except OSError as error:  # such as a name that is too long
        raise explain(path, error) from error
    if not target.parent.is_dir():
        raise ExportError(f"{path}: there is no folder {target.parent}. Create it, or choose another folder.")
    if target.is_dir():
        raise ExportError(f"{path}: this is a folder. Add the name of a file to it.")
    if target.exists() and not target.is_file():
        raise ExportError(f"{path}: this is a device or a pipe, which cannot be replaced. Give the name of a file.")
    return target


def _open_draft(folder: Path) -> tuple[BinaryIO, Path]:
    """A new draft, locked as long as it is open: that tells it from those of programs that were killed."""
    while True:
        draft = folder / DRAFT.format(secrets.token_hex(8))
        file = open(draft, "xb")  # noqa: SIM115 - closed before the file gets its name
        if flock is None:
            return file, draft
        with suppress(OSError):  # not every file system has locks: then drafts are never taken for left ones
            flock(file, LOCK_EX)
        if draft.exists():
            return file, draft
        file.close()  # somebody took it for a left one, before it was locked


def _remove_left_drafts(folder: Path) -> None:
    """Remove the drafts of programs that were killed: nobody holds their locks any more."""
    if flock is None:
        return
    for draft in folder.glob(DRAFT.format("*")):
        with suppress(OSError), open(draft, "ab") as file:  # locked, or not ours: it stays
            flock(file, LOCK_EX | LOCK_NB)
            draft.unlink()


def _finish(file: BinaryIO, draft: Path, target: Path) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()
    if target.exists():
        shutil.copymode(target, draft)
    os.replace(draft, target)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut; not every file system can, and the file is there either way."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def explain(path: str | Path | None, error: OSError) -> ExportError:
    """What went wrong with the file at `path` (None: it is in memory, and what failed is a temporary one)."""
    kept = (
        "The file that was there before is untouched." if path and os.path.exists(path) else "Nothing was left behind."
    )
    advice = _ADVICE.get(error.errno, "Check the disk and its folder, then export again.")
    shown = path or tempfile.gettempdir()
    return ExportError(f"{shown}: could not be written ({error.strerror or error}). {kept} {advice}")
