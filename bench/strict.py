"""The strict open test of bench/quality.py: every tag that gold never has is taken out of all that is learned from.

The open test's tags are new to gold, but most of them stand in a tag list. Here they stand nowhere: `write_data` copies
the data without them, the starter's recipe trains on the copy, `ensure_absent` looks for what is left, and `describe`
counts what was named right all the same. Texts stay as they are, so a tag can be found in its question, or composed.
"""

import argparse
import csv
import io
import json
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.starter import Answer
from l2a.data.questions import Question, read_questions
from l2a.evidence.arrays import keys_of
from l2a.measure.metrics import judge_predictions, nlpcc_score
from l2a.tagger import Tagger
from l2a.text.cleaning import match_key

ROOT = Path(__file__).resolve().parent.parent
STARTER = ROOT / "models" / "starter"
TRAINED_FROM = ("zhihu", "lexicon", "juejin")  # folders that the starter's recipe reads
ASKED = ("test.jsonl", "test_open.jsonl")  # of zhihu: what the answers are measured with
NEVER = "never.txt"  # the tags themselves, for the silver labels: names in texts would bring them back
LISTS_MISS = "1"  # told to the recipe: the lists lack every new tag that is asked for, and it cannot know that
LABELS = ("tags", "leaf_tags")
NAMES, PARENTS = ("name", "tag", "topicname"), ("parentname", "parentid")  # columns of tag lists


class Left(Exception):
    """A removed tag is still in something that was learned from."""


@dataclass(frozen=True)
class Removed:
    """The tags that were taken out, as keys without spaces: a list finds a tag in a text that way."""

    keys: frozenset[str]

    def has(self, tag: str) -> bool:
        return not self.keys.isdisjoint(keys_of([tag]))


def find_removed(data: Path) -> Removed:
    """The tags of the open test that gold training never has."""
    zhihu = data / "zhihu"
    gold = {tag for question in read_questions(zhihu / "train.jsonl") for tag in question.tags}
    asked = {tag for question in read_questions(zhihu / "test_open.jsonl") for tag in question.tags}
    known = set(map(match_key, gold))
    return Removed(frozenset(keys_of(tag for tag in asked if match_key(tag) not in known)))


def write_data(data: Path, out: Path) -> Removed:
    """Copies the data to train from without those tags; files in which nothing has a tag are linked."""
    removed = find_removed(data)
    files = [path for folder in TRAINED_FROM for path in sorted((data / folder).glob("*")) if path.is_file()]
    for path in files:
        target = out / path.relative_to(data)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".jsonl" and not (path.parent.name == "zhihu" and path.name in ASKED):
            _write(target, _without_labels(path, removed))
        elif path.suffix in (".csv", ".tsv"):
            _write(target, _without_rows(path, removed))
        elif not target.exists():
            target.unlink(missing_ok=True)  # a link to where the data was before
            target.symlink_to(path.resolve())
    _write(out / NEVER, "".join(f"{key}\n" for key in sorted(removed.keys)))
    return removed


def _write(path: Path, text: str) -> None:
    """Unless it is there: a training may be reading it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _without_labels(path: Path, removed: Removed) -> str:
    """The lines without the removed labels; a question that is left with none goes, one that had none stays."""
    kept = []
    for line in filter(str.strip, path.read_text(encoding="utf-8").split("\n")):
        row = json.loads(line)
        had = bool(row.get("tags"))
        for name in LABELS:
            if name in row:
                row[name] = [tag for tag in row[name] if not removed.has(tag)]
        if row.get("tags") or not had:
            kept.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(kept)


def _without_rows(path: Path, removed: Removed) -> str:
    """A tag list without the rows of removed tags; where one is only the parent, that cell says None."""
    delimiter = "\t" if path.suffix == ".tsv" else ","
    # As csv reads it with a header: quotes of one row must not swallow the next.
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), delimiter=delimiter))
    header = [cell.strip().lower() for cell in rows[0]]
    name = next(place for place, cell in enumerate(header) if cell in NAMES)
    parents = [place for place, cell in enumerate(header) if cell in PARENTS]
    out = io.StringIO()
    write = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    write.writerow(rows[0])
    for row in rows[1:]:
        if len(row) <= name or removed.has(row[name]):
            continue
        if any(removed.has(row[place]) for place in parents):
            row = ["None" if place in parents else cell for place, cell in enumerate(row)]
        write.writerow(row)
    return out.getvalue()


def prepare(args: argparse.Namespace) -> None:
    """Points the arguments of bench/quality.py to the filtered data, and to a model and silver labels made from it."""
    folder = args.cache / "strict-data"
    args.removed = write_data(args.data, folder)
    if args.pages:
        pages = folder / "pages.jsonl"
        _write(pages, _without_labels(args.pages, args.removed))
        args.pages = pages
    args.data = folder
    if args.model == STARTER:
        args.model = train(folder, args.cache / f"strict-model-{args.seed}", args.seed)
    beside = args.model.parent / "silver.jsonl.gz"  # the recipe leaves it there
    if args.silver is None and beside.exists():
        args.silver = beside


def train(data: Path, out: Path, seed: int) -> Path:
    """The starter's recipe, once for a folder: an hour or more. One that was stopped goes on where it was."""
    if not (out / "trained").exists():
        command = [str(ROOT / "tools" / "train_starter.sh"), str(data), str(out), str(seed), LISTS_MISS]
        subprocess.run(command, check=True)
        (out / "trained").touch()
    return out / "model"


def ensure_absent(removed: Removed, tagger: Tagger, sources: Mapping[str, Iterable[str]]) -> None:
    """Raises Left if the model knows a removed tag, or one of the sources has it.

    sources: by what they are called, the tags of what peers learn from.
    """
    for where, tags in sources.items():
        _ensure(removed, where, tags)
    _ensure(removed, "the model's training labels", tagger.frequencies)
    retriever = tagger.evidence.retriever
    if retriever:
        _ensure(removed, "the model's labelled questions", retriever.tags)
        _ensure(removed, "the model's lists", filter(retriever.is_listed, removed.keys))


def _ensure(removed: Removed, where: str, tags: Iterable[str]) -> None:
    left = sorted(filter(removed.has, tags))
    if left:
        raise Left(f"{len(left)} removed tags are still in {where}, such as {left[0]!r}; train on the filtered data")


def newness(tagger: Tagger, known: frozenset[str]) -> Callable[[str], bool]:
    """Whether a key is strictly new: in no list or label that is left. known: keys of what peers learn from."""
    retriever = tagger.evidence.retriever

    def is_new(key: str) -> bool:
        return key not in known and key not in tagger.known_keys and not (retriever and retriever.is_listed(key))

    return is_new


def figures(
    answers: Mapping[str, Sequence[Sequence[str]]],
    own: Sequence[Answer],
    questions: Sequence[Question],
    removed: Removed,
    is_new: Callable[[str], bool],
) -> dict[str, Any]:
    """What every method named of the removed tags, and where the starter, whose answers are `own`, had them at all."""
    return {
        "asked": asked_for(questions, removed),
        "methods": {name: describe(found, questions, is_new) for name, found in answers.items()},
        "anywhere": {
            "written": right_anywhere([one.written for one in own], questions, removed),
            "candidates": right_anywhere([one.candidates for one in own], questions, removed),
        },
    }


def describe(
    answers: Sequence[Sequence[str]], questions: Sequence[Question], is_new: Callable[[str], bool]
) -> dict[str, Any]:
    """What a method named of the tags that it could know from no list and no label."""
    gold = [question.tags for question in questions]
    verdicts = [
        (is_right, key in match_key(question.text))
        for question, row in zip(questions, judge_predictions(answers, gold), strict=True)
        for key, is_right in row
        if is_new(key)
    ]
    right = [in_text for is_right, in_text in verdicts if is_right]
    return {
        "right": len(right),
        "right_in_text": sum(right),
        "suggested": len(verdicts),
        "precision": len(right) / len(verdicts) if verdicts else 0.0,
        "f1": nlpcc_score(answers, gold).f1,
    }


def asked_for(questions: Sequence[Question], removed: Removed) -> dict[str, int]:
    """How many removed tags the questions ask for, and how many of them stand in the question or in its title."""
    pairs = [(match_key(tag), question) for question in questions for tag in question.tags if removed.has(tag)]
    return {
        "pairs": len(pairs),
        "in_text": sum(key in match_key(question.text) for key, question in pairs),
        "in_title": sum(key in match_key(question.title) for key, question in pairs),
    }


def right_anywhere(written: Sequence[Iterable[str]], questions: Sequence[Question], removed: Removed) -> int:
    """How many removed tags of the questions stand among what was written for them, kept or not."""
    found = 0
    for tags, question in zip(written, questions, strict=True):
        found += len(set(map(match_key, filter(removed.has, question.tags))) & set(map(match_key, tags)))
    return found
