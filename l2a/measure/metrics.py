"""Measures of suggested tags: the NLPCC-2018 task 6 score and the counts behind the paper's tables.

Tags are compared by `match_key`, so `ＮＢＡ` and `nba` are one tag. Shares, precisions and recalls are
fractions from 0 to 1, and 0 where there is nothing to divide by. A prediction that repeats an earlier one of
the same question takes a place without being correct a second time.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import chain
from operator import add

from l2a.data.questions import Question
from l2a.search.voting import POSITION_WEIGHTS
from l2a.text.cleaning import clean, is_word_like, join_question, match_key
from l2a.text.segmenter import Segmenter

POSITIONS = 5  # a Zhihu question carries at most five tags; later predictions are not read

WEIGHTS = POSITION_WEIGHTS  # of each position in the NLPCC score

TagLists = Sequence[Sequence[str]]  # one list of tags a question


@dataclass(frozen=True)
class Score:
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> "Score":
        return cls(precision, recall, _share(2 * precision * recall, precision + recall))

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def nlpcc_score(predictions: TagLists, gold: TagLists) -> Score:
    """The official score: precision weighs position i with 1 / log(i + 2), i = 1..5; recall does not.

    P = sum_i(correct_i / log(i + 2)) / sum_i(predicted_i / log(i + 2)), where both counts run over the whole
    set; R = correct predictions / all true tags. Raises ValueError if the lengths differ.
    """
    predicted, correct = [0] * POSITIONS, [0] * POSITIONS
    for verdicts in judge_predictions(predictions, gold, POSITIONS):
        for position, (_, is_correct) in enumerate(verdicts):
            predicted[position] += 1
            correct[position] += is_correct
    precision = _share(_weigh(correct), _weigh(predicted))
    return Score.of(precision, _share(sum(correct), _count_tags(gold)))


def score_at(predictions: TagLists, gold: TagLists, k: int = POSITIONS) -> Score:
    """Plain micro-averaged precision, recall and F1 of the first k predictions, every position weighing the same."""
    verdicts = [is_correct for row in judge_predictions(predictions, gold, k) for _, is_correct in row]
    return Score.of(_share(sum(verdicts), len(verdicts)), _share(sum(verdicts), _count_tags(gold)))


@dataclass(frozen=True)
class NewTags:
    """Predictions that training never saw (paper section 4.3, column "#new"), counted by occurrence."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        return _share(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        return _share(self.correct, self.gold)

    def to_dict(self) -> dict[str, float]:
        return {**asdict(self), "precision": self.precision, "recall": self.recall}


def new_tags(predictions: TagLists, gold: TagLists, training_tags: Iterable[str], k: int = POSITIONS) -> NewTags:
    """How many of the first k predictions are in none of `training_tags`, and how many of these are right."""
    known = match_keys(training_tags)
    new = [is_correct for row in judge_predictions(predictions, gold, k) for key, is_correct in row if key not in known]
    return NewTags(correct=sum(new), predicted=len(new), gold=sum(len(match_keys(tags) - known) for tags in gold))


@dataclass(frozen=True)
class Meaningless:
    """Outputs that are no tag anywhere (paper section 4.6, table "Translation errors")."""

    count: int
    total: int

    @property
    def share(self) -> float:
        return _share(self.count, self.total)

    def to_dict(self) -> dict[str, float]:
        return {**asdict(self), "share": self.share}


def meaningless(outputs: Iterable[Iterable[str]], *known_lists: Iterable[str]) -> Meaningless:
    """How many generated tags are in none of the known lists (training tags, a lexicon, the gold tags).

    outputs: before voting, one list of tags for every hypothesis; after voting, one for every question. Every
    occurrence counts, as in the paper, where 48 hypotheses a question make 1,076,588 outputs.
    """
    known = match_keys(chain.from_iterable(known_lists))
    counts = Counter(chain.from_iterable(outputs))  # a million outputs are few distinct tags: each is keyed once
    return Meaningless(sum(n for tag, n in counts.items() if match_key(tag) not in known), counts.total())


@dataclass(frozen=True)
class PresentAbsent:
    """Recall of the gold tags that stand in the question's text, and of those that do not."""

    present_correct: int
    present_total: int
    absent_correct: int
    absent_total: int

    @property
    def present_recall(self) -> float:
        return _share(self.present_correct, self.present_total)

    @property
    def absent_recall(self) -> float:
        return _share(self.absent_correct, self.absent_total)

    def to_dict(self) -> dict[str, float]:
        return {**asdict(self), "present_recall": self.present_recall, "absent_recall": self.absent_recall}


def present_absent_recall(
    texts: Sequence[str], predictions: TagLists, gold: TagLists, k: int = POSITIONS
) -> PresentAbsent:
    """Recall of the first k predictions, split by whether the gold tag is a substring of the question's text."""
    if len(texts) != len(gold):
        raise ValueError(f"{len(texts)} texts but {len(gold)} lists of gold tags: one of each a question is needed")
    correct: Counter[bool] = Counter()
    total: Counter[bool] = Counter()
    for text, verdicts, tags in zip(texts, judge_predictions(predictions, gold, k), gold, strict=True):
        found = {key for key, is_correct in verdicts if is_correct}
        text_key = match_key(text)
        for key in match_keys(tags):
            total[key in text_key] += 1
            correct[key in text_key] += key in found
    return PresentAbsent(correct[True], total[True], correct[False], total[False])


@dataclass(frozen=True)
class CueCoverage:
    """How much of the tags the input already holds (paper Table 1); counts add up over questions."""

    tags: int = 0
    tags_found: int = 0
    words: int = 0
    words_found: int = 0

    def __add__(self, other: "CueCoverage") -> "CueCoverage":
        return CueCoverage(
            self.tags + other.tags,
            self.tags_found + other.tags_found,
            self.words + other.words,
            self.words_found + other.words_found,
        )

    @property
    def full_tags(self) -> float:
        return _share(self.tags_found, self.tags)

    @property
    def tag_words(self) -> float:
        return _share(self.words_found, self.words)

    def to_dict(self) -> dict[str, float]:
        return {**asdict(self), "full_tags": self.full_tags, "tag_words": self.tag_words}


def cue_coverage(questions: Iterable[Question], segmenter: Segmenter) -> CueCoverage:
    """Share of the full tags, and of the words of the tags, found in the questions' texts."""
    texts = ((join_question(question.title, question.description)[0], question.tags) for question in questions)
    counts = (count_cues(text, segmenter.source_words(text), tags, segmenter) for text, tags in texts)
    return reduce(add, counts, CueCoverage())


def count_cues(text: str, source_words: Iterable[str], tags: Iterable[str], segmenter: Segmenter) -> CueCoverage:
    """The cues of one question: `text` is its clean text, `source_words` are the words of that text.

    A full tag is found as a substring of the text. A word of a tag is found as a word of the segmented text, not
    as a substring: words are what the model reads, and a tag word such as `C` is a substring of almost anything.
    Punctuation and white space inside tags are not words.
    """
    text_key = match_key(text)
    known_words = match_keys(source_words)
    tag_of = {match_key(tag): tag for tag in tags}
    words = [match_key(word) for tag in tag_of.values() for word in tag_words(tag, segmenter)]
    return CueCoverage(
        tags=len(tag_of),
        tags_found=sum(key in text_key for key in tag_of),
        words=len(words),
        words_found=sum(word in known_words for word in words),
    )


def tag_words(tag: str, segmenter: Segmenter) -> list[str]:
    """The words of a tag that carry meaning, cleaned and cut as a question is."""
    return [word for word in segmenter.split(clean(tag)) if is_word_like(word)]


@dataclass(frozen=True)
class TagFrequency:
    """One line of the frequency table: rank 1 is the most frequent tag."""

    rank: int
    tag: str
    count: int

    def to_dict(self) -> dict[str, int | str]:
        return asdict(self)


class TagCounter:
    """Counts the questions that carry each tag; the first spelling seen is the one shown."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()  # by match key
        self._spellings: dict[str, str] = {}

    def add(self, tags: Iterable[str]) -> None:
        """Count the tags of one question; a tag given twice counts once."""
        keyed = [(match_key(tag), tag) for tag in tags]
        self.counts.update({key for key, _ in keyed})
        for key, tag in keyed:
            self._spellings.setdefault(key, tag)

    def spellings(self) -> Iterable[str]:
        """Each distinct tag once, as it is shown."""
        return self._spellings.values()

    def table(self, top: int | None = None) -> list[TagFrequency]:
        """The `top` most frequent tags; equal counts are ranked by match key, so the table is always the same."""
        ranked = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:top]
        return [TagFrequency(rank, self._spellings[key], n) for rank, (key, n) in enumerate(ranked, start=1)]


def tag_frequencies(tag_lists: Iterable[Iterable[str]], top: int | None = None) -> list[TagFrequency]:
    """Rank, tag and number of questions that carry it (paper section 3.3, table on tag frequency)."""
    counter = TagCounter()
    for tags in tag_lists:
        counter.add(tags)
    return counter.table(top)


def judge_predictions(predictions: TagLists, gold: TagLists, k: int = POSITIONS) -> list[list[tuple[str, bool]]]:
    """For every question, (match key, is it correct) of its first k predictions."""
    if len(predictions) != len(gold):
        raise ValueError(
            f"{len(predictions)} lists of predictions but {len(gold)} lists of gold tags: "
            "one of each a question is needed"
        )
    if k < 1:
        raise ValueError(f"k is {k}; at least one prediction must be looked at")
    return [_judge(predicted[:k], match_keys(tags)) for predicted, tags in zip(predictions, gold, strict=True)]


def _judge(predicted: Sequence[str], wanted: set[str]) -> list[tuple[str, bool]]:
    verdicts: list[tuple[str, bool]] = []
    for key in map(match_key, predicted):
        verdicts.append((key, key in wanted))
        wanted = wanted - {key}  # a repetition is not correct again
    return verdicts


def match_keys(tags: Iterable[str]) -> set[str]:
    return {match_key(tag) for tag in tags}


def _count_tags(gold: TagLists) -> int:
    return sum(len(match_keys(tags)) for tags in gold)


def _weigh(counts: Sequence[int]) -> float:
    return sum(count * weight for count, weight in zip(counts, WEIGHTS, strict=True))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
