"""Labelled questions cut into words: the slow part of reading, so on all cores, and kept for the next time.

What was cut is kept in a folder under a name made of everything it depends on: the file's content, the dictionary
words, what hints are looked up in, and the text of the program that reads, cleans, cuts and looks up. A change of any
of them makes another name. A file about which something is to be said is not kept: it would be said only once.
"""

import gzip
import hashlib
import json
import os
import sys
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import jieba
import numpy as np
from tqdm import tqdm

from l2a.bulk.processes import cores, in_order
from l2a.data.questions import Question, ReadReport, count_lines, read_questions
from l2a.evidence.collection import Evidence, hint_words
from l2a.evidence.source import PreparedQuestion
from l2a.text.cleaning import join_question, match_key
from l2a.text.segmenter import Segmenter

MANY = 5_000  # lines from which processes and keeping are worth their while
# All modules that take part in reading and cutting, beside the readers.
_PROGRAM = ("errors.py", "bulk/processes.py", "training/cutting.py")  # and these rooms, whole:
_ROOMS = ("text", "data", "evidence", "messages")
_PORTION = 250  # questions that go to a process at a time
_MOST_BYTES = 1_000_000_000  # of all that is kept; the oldest goes first


@dataclass(frozen=True)
class Words:
    """A question cut into words."""

    id: str
    source: tuple[str, ...]
    tags: tuple[str, ...]
    rejected: tuple[str, ...] = ()  # turned down by people
    hints: tuple[str, ...] = ()  # what the network is told besides


@dataclass(frozen=True)
class QuestionCutter:
    """Cuts questions into words, and looks up what the network is told besides: all that this depends on."""

    segmenter: Segmenter
    max_length: int
    evidence: Evidence = field(default_factory=Evidence)

    def cut(self, questions: Sequence[Question]) -> list[Words]:
        return list(map(self._cut_one, questions))

    def _cut_one(self, question: Question) -> Words:
        clean_text, _ = join_question(question.title, question.description)
        words = self.segmenter.source_words(clean_text)[: self.max_length]
        hints: list[str] = []
        if self.evidence.sources:
            prepared = PreparedQuestion.of(question, self.segmenter, is_labelled=True)
            hints = hint_words(self.evidence.find(prepared, only_hints=True), self.segmenter)
        return Words(question.id, tuple(words), distinct_tags(question), question.rejected, tuple(hints))

    def fingerprint(self) -> str:
        """Another one when anything about the cutting is another."""
        versions = [jieba.__version__, unicodedata.unidata_version]
        digest = hashlib.sha256(json.dumps([versions, self.max_length, self.segmenter.words]).encode())
        for file in program_files():
            digest.update(file.read_bytes())
        for name, array in sorted(self.evidence.arrays.items()):
            digest.update(name.encode() + array.tobytes())
        return digest.hexdigest()


def program_files() -> list[Path]:
    """The program's own text, as far as it reads and cuts."""
    package = Path(__file__).parents[1]
    rooms = [file for room in _ROOMS for file in sorted((package / room).rglob("*.py"))]
    return [*(package / name for name in _PROGRAM), *rooms]


def distinct_tags(question: Question) -> tuple[str, ...]:
    """Its tags, the first spelling of each."""
    first: dict[str, str] = {}
    for tag in question.tags:
        first.setdefault(match_key(tag), tag)
    return tuple(first.values())


def default_cache() -> Path:
    """Where a person's programs keep what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "l2a-studio" / "words"


def cut_file(
    path: str | Path,
    cutter: QuestionCutter,
    *,
    skip_bad: bool = False,
    notes: list[str] | None = None,
    quiet: bool = False,
    cache: Path | None = None,
) -> tuple[list[Words], int]:
    """The questions of a file that say something about tags, and how many say nothing and were left out."""
    lines = count_lines(path) if Path(path).is_file() else None
    is_large = lines is not None and lines >= MANY
    kept = cache / f"{_name(path, cutter)}.jsonl.gz" if cache and is_large else None
    if kept and (found := _load(kept)) is not None:
        return found
    report, untagged = ReadReport(), 0
    bar = tqdm(total=lines, desc=f"reading {Path(path).name}", unit=" questions", disable=quiet)

    def labelled() -> Iterator[Question]:
        nonlocal untagged
        for question in read_questions(path, skip_bad=skip_bad, report=report):
            if question.tags or question.rejected:
                yield question
            else:
                untagged += 1
                bar.update()

    words: list[Words] = []
    with bar:
        for portion in _cut_all(labelled(), cutter, cores() if is_large else 1):
            words.extend(portion)
            bar.update(len(portion))
    if notes is not None:
        notes += map(str, report.notes)
    if report.bad and notes is not None:
        notes.append(f"{path}: {report.bad} bad lines left out; the first: {report.messages[0]}")
    if kept and not report.bad and not report.notes:
        _keep(kept, words, untagged)
    return words, untagged


def _cut_all(questions: Iterator[Question], cutter: QuestionCutter, processes: int) -> Iterator[list[Words]]:
    portions = iter(lambda: list(islice(questions, _PORTION if processes > 1 else 1)), [])
    if processes > 1:
        parts = (cutter.segmenter.words, cutter.max_length, cutter.evidence.arrays)
        cut = in_order(_cutting_from, parts, portions, processes)
    else:
        cut = map(cutter.cut, portions)
    for portion in cut:
        yield [_shared(words) for words in portion]


def _cutting_from(
    parts: tuple[tuple[str, ...], int, dict[str, np.ndarray]],
) -> Callable[[Sequence[Question]], list[Words]]:
    """In another process: the same cutter, made of what can travel there."""
    dictionary, max_length, arrays = parts
    return QuestionCutter(Segmenter(dictionary), max_length, Evidence.of(arrays)).cut


def _shared(words: Words) -> Words:
    """Interned: a hundred thousand questions share a few tens of thousands of words."""
    parts = (tuple(map(sys.intern, part)) for part in (words.source, words.tags, words.rejected, words.hints))
    return Words(words.id, *parts)


def forget(cache: Path) -> None:
    """Remove all that is kept, for words that must go; it can be made again."""
    for file in cache.glob("*"):
        file.unlink(missing_ok=True)


# --- what is kept --------------------------------------------------------------------------------------------------


def _name(path: str | Path, cutter: QuestionCutter) -> str:
    with open(path, "rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    # The name's ending says how the file is read.
    return hashlib.sha256(f"{content} {Path(path).name} {cutter.fingerprint()}".encode()).hexdigest()[:32]


def _load(path: Path) -> tuple[list[Words], int] | None:
    """What was kept, or None if it is not there or not whole."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head = json.loads(next(file))
            words = [_shared(Words(*json.loads(line))) for line in file]
        if len(words) != head["questions"]:
            return None
        os.utime(path)  # used: it is not the oldest any more
        return words, head["untagged"]
    except (OSError, EOFError, ValueError, KeyError, TypeError, StopIteration, zlib.error):
        return None


def _keep(path: Path, words: list[Words], untagged: int) -> None:
    """Only a convenience: what cannot be kept is cut again the next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        writing = path.with_name(f"{path.name}.{os.getpid()}.writing")
        with gzip.open(writing, "wt", encoding="utf-8", compresslevel=1) as file:
            file.write(json.dumps({"questions": len(words), "untagged": untagged}) + "\n")
            for one in words:
                parts = [one.id, one.source, one.tags, one.rejected, one.hints]
                file.write(json.dumps(parts, ensure_ascii=False) + "\n")
        writing.replace(path)
        _make_room(path.parent)
    except OSError:
        return


def _make_room(folder: Path) -> None:
    files = sorted(folder.glob("*"), key=lambda file: file.stat().st_mtime, reverse=True)
    total = 0
    for place, file in enumerate(files):
        total += file.stat().st_size
        if total > _MOST_BYTES and place:  # the newest stays, whatever its size
            file.unlink(missing_ok=True)
