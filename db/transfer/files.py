"""Writes a file whole or not at all: a reader sees the old one or the new one, never half of it."""

import errno
import hashlib
import io
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from db.errors import ExportError
from db.messages import Message

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock

DRAFT = ".export-{}.part"  # short: the name of the file itself may be as long as names can be

_ADVICE = {
    errno.ENOSPC: Message("export.disk_full"),
    errno.EDQUOT: Message("export.quota"),
    errno.EFBIG: Message("export.too_large"),
    errno.EACCES: Message("export.may_not"),
    errno.EPERM: Message("export.may_not"),
    errno.EROFS: Message("export.read_only"),
    errno.ENAMETOOLONG: Message("export.long_name"),
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
        raise ExportError("export.no_folder", path=path, folder=target.parent)
    if target.is_dir():
        raise ExportError("export.is_folder", path=path)
    if target.exists() and not target.is_file():
        raise ExportError("export.is_device", path=path)
    return target


def _open_draft(folder: Path) -> tuple[BinaryIO, Path]:
    """A new draft, locked as long as it is open: that tells it from those of programs that were killed."""
    while True:
        draft = folder / DRAFT.format(secrets.token_hex(8))
        file = open(draft, "xb")  # noqa: SIM115 - closed before the file gets its name
        if sys.platform == "win32":
            return file, draft
        with suppress(OSError):  # not every file system has locks: then drafts are never taken for left ones
            flock(file, LOCK_EX)
        if draft.exists():
            return file, draft
        file.close()  # somebody took it for a left one, before it was locked


def _remove_left_drafts(folder: Path) -> None:
    """Remove the drafts of programs that were killed: nobody holds their locks any more."""
    if sys.platform == "win32":
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
    about: dict[str, object] = {
        "path": path or tempfile.gettempdir(),
        "why": error.strerror or str(error),
        "advice": _ADVICE.get(error.errno or 0, Message("export.check_disk")),
    }
    if path and os.path.exists(path):
        return ExportError("export.not_replaced", **about)
    return ExportError("export.not_written", **about)
