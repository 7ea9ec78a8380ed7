import errno
import hashlib
import io
import os
import stat
import subprocess
import sys
from contextlib import suppress

import pytest

from db.errors import ExportError, NotFound
from db.store.records import LabelledQuestion
from db.transfer.files import HashingStream, atomic_file
from db.transfer.formats import FORMATS
from tests.db.transfer.formats.conftest import cut


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"old")
    return path


def test_the_file_is_there_when_the_block_ends_and_not_before(target):
    with atomic_file(target) as stream:
        stream.write(b"new ")
        stream.write(b"content")
        stream.flush()
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new content"
    assert (stream.size, stream.sha256) == (11, hashlib.sha256(b"new content").hexdigest())
    assert os.listdir(target.parent) == ["export.jsonl"]


@pytest.mark.parametrize("error", [NotFound("gone"), OSError("of something else"), KeyboardInterrupt()])
def test_whatever_goes_wrong_the_old_file_stays_and_the_error_goes_through(target, error):
    def fail():
        with atomic_file(target) as stream:
            stream.write(b"half")
            raise error

    with pytest.raises(type(error)) as raised:
        fail()
    assert raised.value is error
    assert target.read_bytes() == b"old"
    assert os.listdir(target.parent) == ["export.jsonl"]


class FullDisk(io.BytesIO):
    """A file on a disk that has room for 1,000 bytes."""

    def write(self, data):
        if self.tell() + len(data) > 1000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.fixture
def full_disk(monkeypatch):
    def open_on_full_disk(path, mode):
        open(path, mode).close()
        return FullDisk()

    monkeypatch.setattr("db.transfer.files.open", open_on_full_disk, raising=False)


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("name", list(FORMATS))
def test_a_full_disk_is_explained_whatever_the_format(target, name):
    def export():
        with atomic_file(target) as stream, FORMATS[name].open(stream, cut) as writer:
            for number in range(100):
                writer.write(LabelledQuestion(number + 1, os.urandom(20).hex()))

    with pytest.raises(ExportError) as refused:
        export()
    assert str(refused.value) == (
        f"{target}: could not be written (No space left on device). The file that was there before is untouched. "
        "Free some space on that disk, or export to another one."
    )
    assert target.read_bytes() == b"old"
    assert os.listdir(target.parent) == ["export.jsonl"]


@pytest.mark.usefixtures("full_disk")
def test_going_on_after_a_failed_write_does_not_make_a_file_with_a_hole(target):
    def go_on():
        with atomic_file(target) as stream:
            with suppress(OSError):
                stream.write(b"x" * 2000)
            stream.write(b"rest")

    with pytest.raises(ExportError, match="No space left"):
        go_on()
    assert target.read_bytes() == b"old"


LIMITED = """
import resource, sys
from db.errors import ExportError
from db.transfer.files import atomic_file
from db.transfer.formats import FORMATS
from db.store.records import LabelledQuestion
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000) if sys.argv[3] != "1" else (100, 100))
try:
    with atomic_file(sys.argv[1]) as stream, FORMATS[sys.argv[2]].open(stream, str.split) as writer:
        for number in range(int(sys.argv[3])):
            writer.write(LabelledQuestion(number, "a question " * 10))
except ExportError as error:
    print(error)
"""


@pytest.mark.parametrize(("name", "rows"), [("jsonl", "1000"), ("csv", "1"), ("label-studio", "1000")])
def test_a_real_limit_of_the_system_leaves_the_old_file(target, name, rows):
    """With 1,000 rows a write fails; one row is buffered, and the last flush does."""
    command = [sys.executable, "-c", LIMITED, str(target), name, rows]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{target}: could not be written (File too large). The file that was there before is")
    assert (done.stderr, target.read_bytes()) == ("", b"old")
    assert os.listdir(target.parent) == ["export.jsonl"]


def test_a_failed_rename_is_explained(target, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    refused = pytest.raises(
        ExportError, match=r"Permission denied\).*untouched\. Choose a folder that you may write to\."
    )
    with refused, atomic_file(target) as stream:
        stream.write(b"new")
    assert os.listdir(target.parent) == ["export.jsonl"]


def test_a_folder_that_may_not_be_written_to_is_explained(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("db.transfer.files.open", refuse, raising=False)
    refused = pytest.raises(
        ExportError, match=r"Read-only file system\)\. Nothing was left behind\. That disk can only"
    )
    with refused, atomic_file(tmp_path / "new.csv"):
        pass


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/a.csv", "there is no folder .*missing. Create it, or choose another folder"),
        ("folder", "this is a folder. Add the name of a file"),
        ("pipe", "this is a device or a pipe"),
        ("x" * 300, r"could not be written \(File name too long\).*Choose a shorter name"),
    ],
)
def test_places_where_no_file_can_be_are_refused(tmp_path, name, reason):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ExportError, match=reason), atomic_file(tmp_path / name) as stream:
        stream.write(b"x")
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_a_link_keeps_pointing_to_the_file_that_is_replaced(target):
    link = target.with_name("latest")
    link.symlink_to(target)
    with atomic_file(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_rights_are_those_of_the_old_file_or_the_usual_ones(target):
    target.chmod(0o640)
    usual = target.with_name("usual")
    usual.touch()
    for path in (target, target.with_name("fresh")):
        with atomic_file(path) as stream:
            stream.write(b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert path.stat().st_mode == usual.stat().st_mode


def test_the_hash_is_that_of_an_export_of_any_format(tmp_path):
    for name, entry in FORMATS.items():
        path = tmp_path / f"{name}{entry.suffix}"
        with atomic_file(path) as stream, entry.open(stream, cut) as writer:
            writer.write(LabelledQuestion(1, "问题", tags=("a",)))
        content = path.read_bytes()
        assert (stream.size, stream.sha256) == (len(content), hashlib.sha256(content).hexdigest())


def test_a_hashing_stream_takes_every_kind_of_bytes():
    inner = io.BytesIO()
    stream = HashingStream(inner, "export.jsonl")
    assert [stream.write(data) for data in (b"ab", bytearray(b"cd"), memoryview(b"ef"))] == [2, 2, 2]
    stream.flush()
    assert (inner.getvalue(), stream.tell(), stream.failure) == (b"abcdef", 6, None)
    assert stream.sha256 == hashlib.sha256(b"abcdef").hexdigest()


KILLED = """
import os, signal, sys
from db.transfer.files import atomic_file
with atomic_file(sys.argv[1]) as stream:
    stream.write(b"half of it")
    stream.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_export_left_goes_with_the_next_one(target):
    killed = subprocess.run([sys.executable, "-c", KILLED, str(target)], env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert killed.returncode == -9
    (left,) = target.parent.glob(".export-*.part")
    (target.parent / ".export-notes.txt").write_text("mine")
    with atomic_file(target.parent / "other.jsonl") as stream:
        assert not left.exists()
        stream.write(b"new")
    assert sorted(os.listdir(target.parent)) == [".export-notes.txt", "export.jsonl", "other.jsonl"]


def test_what_another_export_is_writing_stays(target):
    with atomic_file(target) as first:
        first.write(b"first")
        with atomic_file(target.parent / "other.jsonl") as second:
            second.write(b"second")
        first.write(b" and whole")
    assert target.read_bytes() == b"first and whole"
    assert sorted(os.listdir(target.parent)) == ["export.jsonl", "other.jsonl"]


def test_a_draft_that_a_tidy_neighbour_took_for_a_left_one_is_begun_again(target, monkeypatch):
    """Between its making and its lock a draft looks like one that was left behind."""
    from db.transfer import files

    made = []

    def open_and_lose(path, mode):
        made.append(path)
        file = open(path, mode)  # noqa: SIM115 - it is handed on
        if len(made) == 1:
            path.unlink()
        return file

    monkeypatch.setattr(files, "open", open_and_lose, raising=False)
    with atomic_file(target) as stream:
        stream.write(b"whole")
    assert len(made) == 2
    assert target.read_bytes() == b"whole"
