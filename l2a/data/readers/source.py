"""An open input file: found, unpacked, looked at, and handed on as lines of text or as pieces of checked UTF-8."""

import codecs
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from l2a.data.readers.complaints import Complaints, Name, place_of
from l2a.data.size_limits import NO_UPLOAD, Limits, TooLarge
from l2a.errors import InputError, SaidInLanguages
from l2a.messages import Message

STDIN = "-"
PIECE = 1 << 16  # bytes read at a time
_BOM = codecs.BOM_UTF8
DAMAGED = (gzip.BadGzipFile, EOFError, zlib.error)
_CHINESE = re.compile(r"[\x00-\x7f\u2010-\u2030\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")


@dataclass
class Source:
    """A file that is open for reading, with its first line already known."""

    path: str
    name: Name
    stream: io.BufferedReader
    head: bytes  # the first line that holds anything, or its beginning; no byte-order mark; empty for an empty file
    limits: Limits = NO_UPLOAD

    @property
    def is_plain_file(self) -> bool:
        """False for standard input and gzip, which can only be read from front to back."""
        return self.path != STDIN and not self.path.endswith(".gz")

    def lines(self, complaints: Complaints) -> Iterator[tuple[int, str]]:
        """(number, text) of each line, without byte-order mark; `complaints` hears of those too long or not UTF-8."""
        number = 0
        try:
            for number, raw in bounded_lines(self.stream, self.limits.line):
                if raw is None:
                    complaints.add(number, Message("row.too_long", {"longest": self.limits.shown_line}))
                    continue
                try:
                    yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    values = {"byte": raw[error.start], "column": error.start + 1, "advice": _encoding_advice(raw)}
                    complaints.add(number, Message("row.not_utf8", values))
        except DAMAGED as error:
            raise _damaged(self.name, number, error) from error

    def pieces(self) -> Iterator[bytes]:
        """The bytes of the file without byte-order mark, bit by bit; raises InputError where they are not UTF-8."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        line = 1
        try:
            piece = self.stream.read(PIECE).removeprefix(_BOM)
            while piece:
                try:
                    line += decoder.decode(piece).count("\n")
                except UnicodeDecodeError as error:
                    line += error.object.count(b"\n", 0, error.start)
                    around = error.object[error.object.rfind(b"\n", 0, error.start) + 1 :].split(b"\n")[0]
                    place = place_of(self.name, "line", line)
                    raise InputError("file.not_utf8", place=place, advice=_encoding_advice(around)) from error
                yield piece
                piece = self.stream.read(PIECE)
        except DAMAGED as error:
            raise _damaged(self.name, line - 1, error) from error


@contextmanager
def open_source(path: str | Path, expected: SaidInLanguages, limits: Limits = NO_UPLOAD) -> Iterator[Source]:
    """Open a file, plain or gzip, or standard input (`-`); raises InputError, which says what was `expected`."""
    name = Message("file.standard_input") if str(path) == STDIN else str(path)
    with _open(path, name, expected, limits) as raw:
        read_ahead = head = b""
        try:
            while not head.strip() and (line := raw.readline(PIECE)):
                head = line if read_ahead else line.removeprefix(_BOM)
                read_ahead += line
                if len(read_ahead) > limits.line:  # nothing but white space so far
                    raise TooLarge("limit.blank", file=name, most=limits.shown_line)
        except DAMAGED as error:
            raise _damaged(name, 0, error) from error
        stream: io.BufferedReader = io.BufferedReader(_Replay(read_ahead, raw), PIECE)
        yield Source(str(path), name, stream, head if head.strip() else b"", limits)


def bounded_lines(stream: io.BufferedReader, longest: int) -> Iterator[tuple[int, bytes | None]]:
    """(number from 1, bytes) of each line; None for one that is too long, of which no more is ever in memory."""
    number = 0
    while raw := stream.readline(longest + 1):
        number += 1
        if len(raw) <= longest:
            yield number, raw
            continue
        yield number, None
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(PIECE)


def open_unpacked(path: str | Path, name: Name, limits: Limits) -> io.BufferedReader:
    """The bytes of a file, those inside it if it is gzip; raises OSError."""
    if not str(path).endswith(".gz"):
        return open(path, "rb")
    return io.BufferedReader(_Unpacked(gzip.open(path, "rb"), name, limits), PIECE)


def _open(path: str | Path, name: Name, expected: SaidInLanguages, limits: Limits) -> io.BufferedReader:
    if str(path) == STDIN:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    if not Path(path).is_file():
        raise InputError("file.missing", file=name, expected=expected)
    try:
        return open_unpacked(path, name, limits)
    except OSError as error:
        raise InputError("file.not_opened", file=name, reason=error.strerror) from error


def _damaged(name: Name, line: int, error: Exception) -> InputError:
    place = Message("place.after_line", {"file": name, "number": line})
    return InputError("file.damaged_gzip", place=place, reason=str(error))


def _encoding_advice(raw: bytes) -> Message:
    """What to do about bytes that are not UTF-8: names the encoding where they give it away."""
    guess = _guess_encoding(raw)
    if guess is None:
        return Message("file.save_as_utf8")
    return Message("file.convert", {"encoding": guess})


def _guess_encoding(raw: bytes) -> str | None:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    try:
        # Any pair of high bytes is some character of GB18030: only text that is Chinese all through counts.
        return "GB18030" if _CHINESE.fullmatch(raw.decode("gb18030")) else None
    except UnicodeDecodeError:
        return None


class _Unpacked(io.RawIOBase):
    """What comes out of a gzip file, up to the limit."""

    def __init__(self, packed: gzip.GzipFile, name: Name, limits: Limits):
        self._packed, self._name, self._limits = packed, name, limits
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        data = self._packed.read1(len(buffer))
        self._size += len(data)
        if self._limits.unpacked is not None and self._size > self._limits.unpacked:
            raise TooLarge("limit.unpacked", file=self._name, most=self._limits.shown_unpacked)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()


class _Replay(io.RawIOBase):
    """What was read ahead to look at it, then the rest: a pipe cannot be wound back."""

    def __init__(self, read_ahead: bytes, rest: io.BufferedReader):
        self._read_ahead = read_ahead
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        # read1 hands on what there is, so that a slow pipe is passed on as it comes; readinto1 may wait for more.
        data = self._read_ahead or self._rest.read1(len(buffer))
        size = min(len(buffer), len(data))
        buffer[:size] = data[:size]
        self._read_ahead = data[size:]
        return size
