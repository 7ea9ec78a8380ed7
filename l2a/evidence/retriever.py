"""What a model keeps of its labelled questions and of listed tags, in which sources of evidence look things up.

Nothing of the labelled questions can be read back: words and listed tags are kept as hashes, only the names of
tags that were given to questions are kept as names.

A labelled question never gets hints from itself, or the network would learn to copy its answer. It also pretends not
to know one tag in four: its tags are all known, being its own, and a network that never met an unknown one among the
right answers would learn that a listed tag nobody has used is always wrong. And of one tag in eight it is told nothing:
a network that is told of every listed tag in a text never learns to copy a name by itself.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from l2a.data.questions import Question
from l2a.evidence.aliases import Aliases
from l2a.evidence.arrays import (
    RANK_STEPS,
    UNKNOWN_RANK,
    given_arrays,
    hashed,
    is_telling,
    keys_of,
    name_arrays,
    precision_arrays,
    read_names,
    spellings_of,
    squeeze,
    voting_arrays,
    word_arrays,
)
from l2a.evidence.belief import describe, fit
from l2a.evidence.growth import grow_arrays
from l2a.evidence.hashed_tags import HashedTags
from l2a.evidence.literal import MIN_PRECISION, Precision, TextMatch
from l2a.evidence.source import IN_TEXT, FoldedWords, Hint, PreparedQuestion, hash_question, strength_of
from l2a.text.cleaning import match_key
from l2a.text.hashing import hash_text, hash_word
from l2a.text.segmenter import Segmenter

LEAST_EXAMPLES = 10  # right listed tags nobody else gave, for a belief about such tags to mean anything
PRETENDED = 4  # one tag in so many is unknown to a labelled question; precisions are then those met outside
UNTOLD = 8  # of one tag in so many a labelled question is told nothing, right or wrong: silence must not give it away
_STRENGTHS = (0.2, 0.4)  # precisions from which a hint is stronger


class TagInText(NamedTuple):
    """A listed tag that stands in a text."""

    tag: str  # as it was given most often, or, never given, as the list has it
    is_given: bool
    precision: float  # how often such a match was right
    words: int
    place: int  # among the tags in the text

    def hint(self, source: str) -> Hint:
        rank = (-self.precision * self.words**0.5, self.place)
        return Hint(self.tag, source, strength_of(self.precision, _STRENGTHS), IN_TEXT, rank)


class Retriever:
    """Labelled questions and listed tags, as arrays; made by `build`, stored by `arrays`."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self.arrays = dict(arrays)  # everything it consists of, for storing
        self.tags = read_names(arrays)
        self._keys = [match_key(tag) for tag in self.tags]
        self._columns = {int(word): column for column, word in enumerate(arrays["words"])}
        self._rarity = arrays["rarity"].astype(np.float32)
        rows, width, given = len(arrays["digests"]), len(arrays["words"]), arrays["given"]
        self.questions = csr_matrix(  # (labelled questions, words), rows of length one
            (arrays["weights"].astype(np.float32), arrays["indices"], arrays["starts"]), shape=(rows, width)
        )
        self.by_word = self.questions.T.tocsr()
        self.given = csr_matrix(  # (labelled questions, tags)
            (np.ones(len(given), dtype=np.float32), given, arrays["given_starts"]), shape=(rows, len(self.tags))
        )
        self._counts = np.asarray(self.given.sum(axis=0)).ravel() if rows else np.zeros(len(self.tags))
        self._places: dict[int, list[int]] = {}  # where a text stands among the labelled questions
        for place, digest in enumerate(arrays["digests"].tolist()):
            self._places.setdefault(digest, []).append(place)
        self._listed = HashedTags(arrays["listed"], arrays["beginnings"])
        self._named_tag = {hash_text(key): place for place, key in enumerate(map(squeeze, self._keys))}
        self._found, self._right = arrays["found"], arrays["right"]  # (listed, 2): in titles, in descriptions
        self._precision = Precision.counted(self._found.sum(axis=0, dtype=float), self._right.sum(axis=0, dtype=float))
        # Models made before listed tags could vote have neither of these.
        self._voting = HashedTags(arrays["voting"], arrays["voting_beginnings"]) if "voting" in arrays else None
        self._ranks = arrays.get("voting_rank", np.zeros(0))
        self.belief = arrays.get("belief", np.zeros(0))  # (8,) how right listed tags are told from wrong ones

    @classmethod
    def build(
        cls,
        questions: Sequence[Question],
        listed: Iterable[str],
        segmenter: Segmenter,
        voting: Iterable[str] = (),
    ) -> "Retriever":
        """From labelled questions and a list of tags; the tags of the questions are listed too.

        voting: further tags, which may vote where they stand in a text but give no hints.
        """
        questions = [question for question in questions if question.tags]
        listed, voting = list(listed), list(voting)
        names = spellings_of(questions)
        keys = keys_of(filter(is_telling, (*names.values(), *listed)))
        texts = [FoldedWords.of(question, segmenter) for question in questions]
        arrays = {
            **name_arrays(list(names.values())),
            **given_arrays(questions, {key: place for place, key in enumerate(names)}),
            **hashed(keys),
            **word_arrays(texts),
        }
        own = [keys_of(question.tags) for question in questions]
        finder = HashedTags(arrays["listed"], arrays["beginnings"])
        arrays |= precision_arrays(len(keys), [finder.matches(words) for words in texts], own)
        arrays |= voting_arrays(keys | keys_of(filter(is_telling, voting)), texts, listed)
        arrays |= Aliases.learn([*names.values(), *listed, *voting], keys | keys_of(voting), texts, own)
        arrays["belief"] = cls(arrays)._learn_belief(texts, own)
        return cls(arrays)

    def extended(self, questions: Sequence[Question], segmenter: Segmenter) -> "Retriever":
        """With further labelled questions, the decisions of people: they replace the labels a text had.

        Words keep the rarity they had: what the model has learned to make of its hints must go on to hold.
        """
        decided: dict[int, list[Question]] = {}
        for question in questions:
            if question.tags:
                decided.setdefault(hash_question(question), []).append(question)
        changed = [q for digest, same in decided.items() if not self._has(digest, same) for q in same]
        if not changed:
            return self
        return Retriever(grow_arrays(self.arrays, changed, segmenter))

    def _has(self, digest: int, questions: Sequence[Question]) -> bool:
        """Whether this text is there with just the labels that these questions, all of this text, have."""
        there = {frozenset(self._keys[tag] for tag in self.given[row].indices) for row in self._places.get(digest, [])}
        return there == {frozenset(map(match_key, question.tags)) for question in questions}

    def is_listed(self, tag: str) -> bool:
        """Whether a tag is in a list or was ever given."""
        key = squeeze(match_key(tag))
        lists = (self._listed, self._voting) if self._voting else (self._listed,)
        return hash_text(key) in self._named_tag or any(key in each for each in lists)

    def rank(self, tag: str) -> float:
        """Logarithm of its place in the list, the best known first; UNKNOWN_RANK for a tag that is not there."""
        place = self._voting.place(squeeze(match_key(tag))) if self._voting and len(self._ranks) else None
        return UNKNOWN_RANK if place is None else float(self._ranks[place]) / RANK_STEPS

    def times_given(self, tag: str) -> float:
        """Labelled questions that have a tag."""
        place = self._named_tag.get(hash_text(squeeze(match_key(tag))))
        return 0.0 if place is None else float(self._counts[place])

    # --- what sources look up --------------------------------------------------------------------------------------

    def own_rows(self, question: PreparedQuestion) -> list[int]:
        """Rows of the question itself, which are to be left out."""
        return self._places.get(question.digest, []) if question.is_labelled else []

    def is_known(self, question: PreparedQuestion, tag: int) -> bool:
        """False where a labelled question pretends not to know a tag."""
        if not question.is_labelled:
            return True
        key = self._keys[tag]
        return hash_text(f"{question.digest} {key}") % PRETENDED != 0 and self._is_told(question, squeeze(key))

    def _is_told(self, question: PreparedQuestion, key: str) -> bool:
        """False where a labelled question must do without a tag. key: its matching key without spaces."""
        return not question.is_labelled or hash_text(f"untold {question.digest} {key}") % UNTOLD != 0

    def vector(self, question: PreparedQuestion) -> tuple[np.ndarray, np.ndarray]:
        """TF-IDF of a text: columns and weights of its words, of length one; empty where it has no known word."""
        words = map(hash_word, question.words.weighted())
        counts = Counter(self._columns[word] for word in words if word in self._columns)
        columns = np.fromiter(counts, dtype=np.int64, count=len(counts))
        weights = 1 + np.log(np.fromiter(counts.values(), dtype=np.float32, count=len(counts)))
        weights = weights * self._rarity[columns]
        return columns, weights / max(np.linalg.norm(weights), 1e-9)

    def matches(self, question: PreparedQuestion) -> list[TagInText]:
        """Tags that stand in the text, junk left out."""
        return list(self._matches(question))

    def _matches(self, question: PreparedQuestion) -> Iterator[TagInText]:
        own = self.own_rows(question)
        for place, match in enumerate(self._listed.matches(question.words)):
            if not self._is_told(question, match.key):
                continue
            seen, right = self._found[match.place].astype(float), self._right[match.place].astype(float)  # (2,) each
            tag = self._named_tag.get(hash_text(match.key))
            count = 0 if tag is None else self._counts[tag]
            if own:
                mine = 0 if tag is None else sum(tag in self.given[row].indices for row in own)
                seen[match.column] -= len(own)
                right[match.column], count = right[match.column] - mine, count - mine
            if tag is not None and not self.is_known(question, tag):
                seen, right, count = np.zeros(2), np.zeros(2), 0
            precision = self._precision.of(match.column, seen, right)
            if precision >= MIN_PRECISION:
                name = self.tags[tag] if tag is not None and count > 0 else None
                shown = match.key if name is None else name
                yield TagInText(shown, name is not None, precision, match.words, place)

    def unused(self, words: FoldedWords, own: set[str] | None = None) -> Iterator[tuple[TextMatch, list[float]]]:
        """Tags that may vote, stand in the text and were given to no question, described.

        own: the tags of a labelled question, which is then left out of all counts; None for another question.
        """
        if self._voting is None:
            return
        found = self._voting.matches(words)
        for match in found:
            tag = self._named_tag.get(hash_text(match.key))
            count = 0 if tag is None else self._counts[tag]
            if count - (own is not None and match.key in own) <= 0:
                seen = float(self.arrays["voting_seen"][match.place]) - (own is not None)
                yield match, describe(match, words, len(found), seen)

    def _learn_belief(self, texts: Sequence[FoldedWords], keys: Sequence[set[str]]) -> np.ndarray:
        """How to tell right listed tags from wrong ones, from those that nobody else gave: (8,), or nothing."""
        found = [
            (described, match.key in own)
            for words, own in zip(texts, keys, strict=True)
            for match, described in self.unused(words, own)
        ]
        is_right = np.array([right for _, right in found], dtype=bool)
        if is_right.sum() < LEAST_EXAMPLES:
            return np.zeros(0)
        return fit(np.array([described for described, _ in found]), is_right)
