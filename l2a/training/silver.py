"""Silver labels: tags given by a program to unlabelled questions, to pre-train on before the gold ones.

Gold questions are few, unlabelled ones many. Three things label the latter, all learned from gold only:

* `LiteralMatcher` finds listed tags that stand verbatim in the text, among them tags that gold never has;
* `Forest` (Omikuji, linear classifiers for very many labels) finds tags that the text only implies;
* `Teacher` weighs the two: a logistic regression gives every candidate a probability, so that one cut-off
  decides how many tags a question gets. It learns on folds, from questions that the other two have not seen.

Nothing is ever measured against silver labels. Omikuji and scikit-learn are development requirements,
imported where they are used: suggesting tags needs neither.
"""

import gzip
import json
import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from l2a.data.questions import Question, read_questions
from l2a.errors import InputError, L2AError, SettingsError
from l2a.evidence.literal import LiteralMatcher
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter

# Chosen on the development questions for the position-weighted F1.
MIN_FIRST = 0.15  # probability from which the first tag is kept; below, the question stays unlabelled
MIN_FURTHER = 0.16  # the same for the other tags
MAX_TAGS = 5  # as many as the score looks at
BATCH = 2_000  # questions labelled at a time: bounds the memory


class Forest:
    """Omikuji on TF-IDF of a question's words: gold tags (as match keys) with scores."""

    def __init__(self, texts: Sequence[FoldedWords], gold: Sequence[frozenset[str]]):
        try:
            import omikuji
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ImportError as error:
            raise L2AError("silver.not_installed", module=error.name) from error
        self.keys = sorted(frozenset().union(*gold))
        number = {key: str(index) for index, key in enumerate(self.keys)}
        self._vectorizer = TfidfVectorizer(analyzer=FoldedWords.weighted, sublinear_tf=True)
        features = self._vectorizer.fit_transform(texts)
        with tempfile.TemporaryDirectory() as folder:  # Omikuji learns from a file only
            path = Path(folder) / "train.txt"
            with path.open("w", encoding="ascii") as out:
                print(*features.shape, len(self.keys), file=out)
                for row, keys in zip(_rows(features), gold, strict=True):
                    print(",".join(number[key] for key in sorted(keys)), *(f"{c}:{v:.5f}" for c, v in row), file=out)
            settings = omikuji.Model.default_hyper_param()
            # Wide, shallow, unbalanced trees ("Bonsai"): better on the development questions than the default's.
            settings.cluster_k, settings.collapse_every_n_layers, settings.cluster_balanced = 100, 5, False
            self._model = omikuji.Model.train_on_data(str(path), settings, n_threads=1)
        self._model.init_prediction_thread_pool(1)

    def predict(self, texts: Sequence[FoldedWords]) -> list[list[tuple[str, float]]]:
        """For each question up to ten (match key, score), the best first."""
        rows = _rows(self._vectorizer.transform(texts)) if texts else ()  # scikit-learn refuses an empty list
        return [[(self.keys[number], score) for number, score in self._model.predict(row, 10, 10)] for row in rows]


class Teacher:
    """Labels questions as the gold ones are labelled: a few tags, the likely ones, the likeliest first."""

    def __init__(self, gold: Sequence[Question], tags: Iterable[str], segmenter: Segmenter, folds: int = 4):
        """Learn from `gold`; `tags` are looked for literally. Raises InputError if gold is too small."""
        self.segmenter, self.tags = segmenter, tuple(tags)
        gold = [question for question in gold if question.tags]
        if len(gold) < folds:
            raise InputError("silver.too_few", count=len(gold), needed=folds)
        rows: list[list[float]] = []
        labels: list[bool] = []
        for fold in range(folds):
            self._learn([question for index, question in enumerate(gold) if index % folds != fold])
            held = gold[fold::folds]
            for question, candidates in zip(held, self._candidates(held), strict=True):
                keys = set(map(match_key, question.tags))
                rows.extend(candidates.values())
                labels.extend(key in keys for key in candidates)
        if len(set(labels)) < 2:
            raise InputError("silver.too_unlike")
        self._learn(gold)
        from sklearn.linear_model import LogisticRegression

        self._ranker = LogisticRegression(max_iter=1000, C=10).fit(rows, labels)

    def rank(self, questions: Sequence[Question]) -> list[list[tuple[str, float]]]:
        """For each question every candidate tag with its probability, the likeliest first."""
        found = self._candidates(questions)
        rows = [row for candidates in found for row in candidates.values()]
        values = iter(self._ranker.predict_proba(rows)[:, 1].tolist() if rows else ())
        ranked = [[(self._spelling[key], next(values)) for key in candidates] for candidates in found]
        return [sorted(candidates, key=lambda pair: pair[1], reverse=True) for candidates in ranked]

    def label(self, questions: Sequence[Question]) -> list[Question]:
        """The questions with silver tags (none where nothing is likely enough), their source `silver`."""
        labelled = []
        for question, ranked in zip(questions, self.rank(questions), strict=True):
            tags = [tag for place, (tag, p) in enumerate(ranked) if p >= (MIN_FURTHER if place else MIN_FIRST)]
            labelled.append(replace(question, tags=tuple(tags[:MAX_TAGS]), source="silver"))
        return labelled

    def _learn(self, gold: Sequence[Question]) -> None:
        texts = [FoldedWords.of(question, self.segmenter) for question in gold]
        keys = [frozenset(map(match_key, question.tags)) for question in gold]
        self._count = Counter(key for one in keys for key in one)
        # A tag is written as gold writes it most often, otherwise as the list does: the first spelling wins.
        tags = [tag for tag, _ in Counter(tag for q in gold for tag in q.tags).most_common()] + list(self.tags)
        self._spelling = {match_key(tag): tag for tag in reversed(tags)}
        self._matcher = LiteralMatcher(tags, self.segmenter)
        self._matcher.learn(texts, keys)
        self._forest = Forest(texts, keys)

    def _candidates(self, questions: Sequence[Question]) -> list[dict[str, list[float]]]:
        """For each question: match key of a candidate -> the numbers its probability is made of."""
        texts = [FoldedWords.of(question, self.segmenter) for question in questions]
        found: list[dict[str, list[float]]] = []
        for words, forest in zip(texts, self._forest.predict(texts), strict=True):
            literal = {match_key(match.tag): (place, match) for place, match in enumerate(self._matcher.rank(words))}
            scored = {key: (place, score) for place, (key, score) in enumerate(forest)}
            best = max((score for _, score in forest), default=0.0)
            found.append({})
            for key in scored | literal:
                place, score = scored.get(key, (10, 0.0))
                numbers = [_log(score), 1 / (1 + place), _log(best), self._count[key] > 0, _log(1 + self._count[key])]
                place, match = literal.get(key, (0, None))
                if match:  # with the logarithm of the odds, which is what a logistic regression adds up
                    odds = _log(match.score / (1.001 - match.score))
                    numbers += [1.0, match.in_title, odds, match.words, 1 / (1 + place), _log(score)]
                found[-1][key] = numbers + [0.0] * (11 - len(numbers))
        return found


def _log(value: float) -> float:
    return math.log(max(value, 1e-4))


def _rows(matrix) -> Iterator[list[tuple[int, float]]]:
    """The (column, value) pairs of each row of a sparse matrix, as Omikuji reads them."""
    for start, end in zip(matrix.indptr, matrix.indptr[1:], strict=False):
        yield list(zip(matrix.indices[start:end].tolist(), matrix.data[start:end].tolist(), strict=True))


@dataclass
class SilverReport:
    """What became of the unlabelled questions."""

    read: int = 0
    written: int = 0
    excluded: int = 0  # their title is one of the gold or evaluation titles
    untagged: int = 0  # nothing was likely enough
    tags: int = 0
    distinct_tags: int = 0
    seconds: float = 0.0


def write_silver(
    unlabelled_path: str | Path,
    gold_path: str | Path,
    lexicon_tags: Iterable[str],
    out_path: str | Path,
    exclude: Iterable[str | Path] = (),
    limit: int | None = None,
    progress: bool = True,
) -> SilverReport:
    """Label the questions of a file and write those that got tags, as gzipped JSONL.

    Questions with a title of the gold file or of an `exclude` file are left out, so that no evaluation
    question is trained on; of the `exclude` files nothing but the titles is used.
    """
    if limit is not None and limit < 1:
        raise SettingsError("silver.no_limit", limit=limit)
    start, report = time.monotonic(), SilverReport()
    distinct: set[str] = set()
    titles = {match_key(question.title) for path in (gold_path, *exclude) for question in read_questions(path)}
    teacher = Teacher(list(read_questions(gold_path)), lexicon_tags, Segmenter())
    questions = islice(read_questions(unlabelled_path), limit)
    Path(out_path).parent.mkdir(parents=True, exist_ok=True)
    bar = tqdm(desc="silver labels", unit=" questions", total=limit, disable=not progress)
    with gzip.open(out_path, "wt", encoding="utf-8") as out, bar:
        while batch := list(islice(questions, BATCH)):
            kept = [question for question in batch if match_key(question.title) not in titles]
            labelled = [question for question in teacher.label(kept) if question.tags]
            for question in labelled:
                row = {name: getattr(question, name) for name in ("id", "source", "title", "description", "tags")}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                report.tags += len(question.tags)
                distinct.update(question.tags)
            report.read += len(batch)
            report.written += len(labelled)
            report.excluded += len(batch) - len(kept)
            report.untagged += len(kept) - len(labelled)
            bar.update(len(batch))
    report.distinct_tags, report.seconds = len(distinct), round(time.monotonic() - start, 1)
    return report
