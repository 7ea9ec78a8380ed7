"""Silver labels: tags given by a program to unlabelled questions, to pre-train on before the gold ones.

Gold questions are few, unlabelled ones many. What labels the latter (`l2a.training.teaching`) learns from gold and from
topic pages:

* `LiteralMatcher` finds listed tags that stand verbatim in the text, among them tags that gold never has; `Aliases`
  those that stand there under another spelling, `NameFinder` names that are in no list;
* `Forest` (Omikuji, linear classifiers for very many labels) and `Ridge` find tags that the text only implies;
* `Teacher` weighs them: a logistic regression gives every candidate a probability, so that one cut-off decides how
  many tags a question gets. It learns on folds, from questions that the others have not seen.

Nothing is ever measured against silver labels. Omikuji and scikit-learn are development requirements,
imported where they are used: suggesting tags needs neither.
"""

import gzip
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from l2a.bulk.processes import cores, in_order
from l2a.data.questions import Question, read_questions
from l2a.errors import SettingsError
from l2a.evidence.arrays import keys_of
from l2a.evidence.names.finder import Name, NameFinder
from l2a.evidence.names.learning import learn, oldest_first
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter
from l2a.training.teaching.pages import read_pages
from l2a.training.teaching.teacher import FindNames, Teacher

BATCH = 2_000  # questions labelled at a time: bounds the memory
_Batch = tuple[list[Question], int]  # questions to label, and how many more were read


@dataclass
class SilverReport:
    """What became of the questions."""

    read: int = 0
    written: int = 0
    excluded: int = 0  # their title is one of the gold or evaluation titles
    untagged: int = 0  # nothing was likely enough
    tags: int = 0
    distinct_tags: int = 0
    names: int = 0  # tags that are in no list and were never given
    distinct_names: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class SilverSources:
    """What is labelled, and what the teacher learns from."""

    unlabelled: str | Path
    gold: str | Path
    tags: Sequence[str]  # of a list, looked for in the text
    exclude: Sequence[str | Path] = ()  # files whose titles are left out
    pages: str | Path | None = None  # topic pages: weak labels, and questions to label besides
    further: Sequence[str] = ()  # tags of further lists
    names: Path | None = None  # statistics of names; learned and kept there if there are none yet
    never: Sequence[str] = ()  # tags that no question gets, found as a name or otherwise


def write_silver(
    sources: SilverSources, out_path: str | Path, limit: int | None = None, progress: bool = True
) -> SilverReport:
    """Label the questions of a file and those of topic pages and write those that got tags, as gzipped JSONL.

    Questions with a title of the gold file or of an `exclude` file are left out, so that no evaluation
    question is trained on; of the `exclude` files nothing but the titles is used.
    limit: of unlabelled questions.
    """
    if limit is not None and limit < 1:
        raise SettingsError("silver.no_limit", limit=limit)
    start, report = time.monotonic(), SilverReport()
    distinct: dict[str, bool] = {}  # tag -> whether it is a name only
    gold = list(read_questions(sources.gold))
    files = (sources.gold, *sources.exclude)
    titles = {match_key(question.title) for path in files for question in read_questions(path)}
    pages = [] if sources.pages is None else [page.as_question() for page in read_pages(sources.pages)]
    pages = [page for page in pages if match_key(page.title) not in titles]
    finder = _read_names(sources.names, sources, gold, titles) if sources.names else None
    find_names = finding(finder.arrays if finder else None)
    teacher = Teacher(gold, sources.tags, Segmenter(), pages=pages, further=sources.further, names=find_names)
    never = keys_of(sources.never)
    unlabelled = islice(read_questions(sources.unlabelled), limit)
    questions = chain(pages, (replace(question, tags=()) for question in unlabelled))
    Path(out_path).parent.mkdir(parents=True, exist_ok=True)
    bar = tqdm(desc="silver labels", unit=" questions", total=limit and limit + len(pages), disable=not progress)
    with gzip.open(out_path, "wt", encoding="utf-8") as out, bar:
        for (kept, read), names in _named(_batches(questions, titles), finder):
            labelled = [_without(question, never) for question in teacher.label(kept, names)]
            labelled = [question for question in labelled if question.tags]
            for question in labelled:
                row = {name: getattr(question, name) for name in ("id", "source", "title", "description", "tags")}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                report.tags += len(question.tags)
                distinct |= {tag: not teacher.is_listed(tag) for tag in question.tags}
                report.names += sum(distinct[tag] for tag in question.tags)
            report.read += read
            report.written += len(labelled)
            report.excluded += read - len(kept)
            report.untagged += len(kept) - len(labelled)
            bar.update(read)
    report.distinct_tags, report.distinct_names = len(distinct), sum(distinct.values())
    report.seconds = round(time.monotonic() - start, 1)
    return report


def _without(question: Question, never: set[str]) -> Question:
    return replace(question, tags=tuple(tag for tag in question.tags if never.isdisjoint(keys_of([tag]))))


def _batches(questions: Iterator[Question], titles: set[str]) -> Iterator[_Batch]:
    while batch := list(islice(questions, BATCH)):
        yield [question for question in batch if match_key(question.title) not in titles], len(batch)


def _named(batches: Iterator[_Batch], finder: NameFinder | None) -> Iterator[tuple[_Batch, list[list[Name]]]]:
    """Each batch with the names in its titles: the slow part of labelling, so on all cores."""
    return in_order(naming, finder.arrays if finder else None, batches, cores() if finder else 1)


def naming(arrays: Mapping[str, np.ndarray] | None) -> Callable[[_Batch], tuple[_Batch, list[list[Name]]]]:
    """Maybe in another process."""
    find = finding(arrays)
    return lambda batch: (batch, find(batch[0]))


def finding(arrays: Mapping[str, np.ndarray] | None) -> FindNames:
    """What finds the names of questions; without statistics it finds none."""
    if arrays is None:
        return lambda questions: [[] for _ in questions]
    finder = NameFinder(arrays, Segmenter())
    return lambda questions: [finder.find(one.title, one.description) for one in questions]


def _read_names(path: Path, sources: SilverSources, gold: Sequence[Question], titles: set[str]) -> NameFinder:
    """The statistics in the file; where there is none they are learned and kept there. titles: to leave out."""
    if path.exists():
        with np.load(path) as stored:
            return NameFinder(dict(stored), Segmenter())
    texts = oldest_first(read_questions(sources.unlabelled))
    texts = [text for text in texts if match_key(text) not in titles]
    finder = learn(texts, [*sources.tags, *sources.further], gold, Segmenter())
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        # Any: numpy's own type for this call takes its other options for arrays.
        np.savez(out, **finder.arrays)  # type: ignore[arg-type]
    return finder
