"""Which question files an experiment reads: the Zhihu and Weibo folders, one folder, or one file that is split here.

A corpus has the parts train, dev and test; `open` is the paper's Test-open (section 4.3): every question of it has at
least one tag that training never has. Where no file is given for it, it is made of the test questions of that kind.
"""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from pathlib import Path

from l2a.data.questions import Question, read_questions
from l2a.data.tag_files import TagRow, read_tag_table
from l2a.errors import InputError
from l2a.messages import Message
from l2a.text.cleaning import match_key

PARTS = ("train", "dev", "test")
OPEN = "open"
FILE_NAMES = {"train": "train", "dev": "dev", "test": "test", OPEN: "test_open"}
SUFFIXES = (".jsonl", ".jsonl.gz", ".csv", ".csv.gz", ".parquet")
UNSPLIT = "questions"  # a folder with this file alone, such as `samples`, is split
TRAIN_SHARE = 0.7
EXPECTED = Message("experiments.expected", {"suffixes": ", ".join(SUFFIXES)})


@dataclass(frozen=True)
class Corpus:
    """One data set. Questions without tags say nothing about a method and are left out."""

    name: str
    files: Mapping[str, Path]
    lexicon: tuple[Path, ...] = ()  # lists of tags that exist, whether or not training has them
    is_opened: bool = True  # whether it has an open test; the paper has none on Weibo
    skip_bad: bool = False  # leave bad lines out

    @cached_property
    def parts(self) -> dict[str, list[Question]]:
        """dev, test and, of the main corpus, open. Training questions are not kept: there may be very many."""
        found = {part: self._read(part) for part in ("dev", "test")}
        if OPEN in self.files:
            found[OPEN] = self._read(OPEN)
        elif self.is_opened:
            found[OPEN] = [q for q in found["test"] if any(match_key(tag) not in self.known_keys for tag in q.tags)]
        return found

    @cached_property
    def training_tags(self) -> list[tuple[str, ...]]:
        """The tags of each training question."""
        return [question.tags for question in self.read_train()]

    @cached_property
    def known_keys(self) -> frozenset[str]:
        """Match keys of all training tags: a tag outside them is new."""
        return frozenset(match_key(tag) for tags in self.training_tags for tag in tags)

    @cached_property
    def listed(self) -> list[TagRow]:
        """All rows of the lists of tags; empty where there is no list."""
        return [row for path in self.lexicon for row in read_tag_table(path, skip_bad=True)]

    @property
    def has_open_file(self) -> bool:
        return OPEN in self.files

    def read(self) -> None:
        """Read every file now; raises InputError for a bad line before anything is trained."""
        for _ in (self.known_keys, self.parts, self.listed):
            pass

    def read_train(self) -> list[Question]:
        return self._read("train")

    def gold(self, part: str) -> list[tuple[str, ...]]:
        return [question.tags for question in self.parts[part]]

    def checksums(self) -> dict[str, str]:
        return {part: checksum(path) for part, path in self.files.items()}

    def _read(self, part: str) -> list[Question]:
        found = [q for q in read_questions(self.files[part], skip_bad=self.skip_bad) if q.tags]
        if not found:
            raise InputError("experiments.no_tags", path=self.files[part])
        return found


@dataclass(frozen=True)
class Corpora:
    """What `--data` names; `notes` say what is missing and what was done instead."""

    main: Corpus  # Zhihu in the paper
    weibo: Corpus | None = None
    notes: tuple[str, ...] = ()

    @property
    def all(self) -> list[Corpus]:
        return [corpus for corpus in (self.main, self.weibo) if corpus]


def find_corpora(data: Path, work: Path, skip_bad: bool = False) -> Corpora:
    """The corpora of `--data`; a file without parts is split into `work`. Raises InputError."""
    if not data.exists():
        raise InputError("experiments.missing", path=data, expected=EXPECTED)
    lexicon = _find_lexicon(data / "lexicon")
    weibo = None
    if data.is_dir() and (data / "zhihu").is_dir():
        main = _folder_corpus(data / "zhihu", "zhihu", lexicon)
        if (data / "weibo").is_dir():
            files = _folder_corpus(data / "weibo", "weibo", ()).files
            weibo = Corpus("weibo", {part: files[part] for part in PARTS}, is_opened=False)
    elif data.is_dir() and _find_file(data, "train"):
        main = _folder_corpus(data, data.resolve().name, lexicon)
    else:
        whole = data if data.is_file() else _find_file(data, UNSPLIT)
        if whole is None:
            raise _no_file(data, ["train", UNSPLIT])
        main = Corpus(data.resolve().name.partition(".")[0], split(whole, work, skip_bad), lexicon)
    notes = []
    if weibo is None:
        notes.append("The data has no folder weibo: the Weibo columns and tables are left out.")
    if not main.has_open_file:
        notes.append("There is no file test_open: the open test is made of the test questions with a new tag.")
    return Corpora(replace(main, skip_bad=skip_bad), weibo and replace(weibo, skip_bad=skip_bad), tuple(notes))


def split(path: Path, folder: Path, skip_bad: bool = False, seed: int = 1) -> dict[str, Path]:
    """Cut one file into train, dev, test and open test; the same file always gives the same parts."""
    questions = [question for question in read_questions(path, skip_bad=skip_bad) if question.tags]
    random.Random(seed).shuffle(questions)
    count = round(len(questions) * TRAIN_SHARE)
    train, rest = questions[:count], questions[count:]
    known = {match_key(tag) for question in train for tag in question.tags}
    new = [question for question in rest if any(match_key(tag) not in known for tag in question.tags)]
    opened = new[: len(rest) // 3]
    taken = set(map(id, opened))
    closed = [question for question in rest if id(question) not in taken]
    parts = {"train": train, "dev": closed[::2], "test": closed[1::2], OPEN: opened}
    if not all(parts.values()):
        raise InputError("experiments.too_few", path=path, count=len(questions))
    folder.mkdir(parents=True, exist_ok=True)
    return {part: _write(folder / f"{FILE_NAMES[part]}.jsonl", some) for part, some in parts.items()}


def _write(path: Path, questions: Sequence[Question]) -> Path:
    rows = (
        {"id": q.id, "source": q.source, "title": q.title, "description": q.description, "tags": q.tags}
        for q in questions
    )
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def _folder_corpus(folder: Path, name: str, lexicon: tuple[Path, ...]) -> Corpus:
    files = {part: _find_file(folder, stem) for part, stem in FILE_NAMES.items()}
    missing = [part for part in PARTS if files[part] is None]
    if missing:
        raise _no_file(folder, missing)
    return Corpus(name, {part: path for part, path in files.items() if path}, lexicon)


def _no_file(folder: Path, stems: Sequence[str | Message]) -> InputError:
    return InputError("experiments.no_part", folder=folder, missing=reduce(_and, stems), expected=EXPECTED)


def _and(first: str | Message, second: str | Message) -> str | Message:
    return Message("experiments.two_parts", {"first": first, "second": second})


def _find_file(folder: Path, stem: str) -> Path | None:
    return next((path for suffix in SUFFIXES if (path := folder / f"{stem}{suffix}").is_file()), None)


def _find_lexicon(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in folder.glob("*") if path.suffix in (".csv", ".tsv", ".txt")))


def checksum(path: Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:12]
