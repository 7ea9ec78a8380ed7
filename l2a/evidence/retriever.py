"""What is known about a question before the model reads it, given to the encoder as further source words.

Two things are looked up: tags that stand in the question (of a tag list and of the labelled questions), and the
tags of the labelled questions most like it. Each becomes a hint: a mark that says where it comes from and how much
such hints are worth, and then the tag's words, so that attention can weigh it and copying can write it.

    在 河北 师范 大学 上学 是 ... ‹listed 3› 河北 师范 大学 ‹near 2› 大学 生活

Nothing of the labelled questions can be read back: words and listed tags are kept as hashes, only the names of
tags that were given to questions are kept as names.

The same findings vote beside the hypotheses (`evidence`, l2a/search/voting.py), each with its estimated probability;
so may what a linear model of the labelled questions finds likely (l2a/evidence/linear.py).

A labelled question never gets hints from itself, or the model would learn to copy its answer. It also pretends not
to know one tag in four: its tags are all known, being its own, and a model that never met an unknown one among the
right answers would learn that a listed tag nobody has used is always wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from l2a.data.questions import Question
from l2a.evidence.arrays import (
    given_arrays,
    hash_question,
    hash_word,
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
from l2a.evidence.growth import grow_arrays
from l2a.evidence.linear import LinearTags
from l2a.evidence.linear import fit as fit_linear
from l2a.evidence.listed import ListedTags, Run, as_written, describe, fit, hash_text, probability
from l2a.evidence.literal import MIN_PRECISION, STRENGTH, Cut
from l2a.text.cleaning import clean, match_key
from l2a.text.segmenter import Segmenter

NEIGHBOURS = 20  # labelled questions whose tags are counted
MOST_NEAR, MOST_NAMED = 6, 5  # hints of each kind, at most
LEAST_EXAMPLES = 10  # right listed tags nobody else gave, for a belief about such tags to mean anything
PRETENDED = 4  # one tag in so many is unknown to a labelled question; precisions are then those met outside
# Worth of a hint, from its estimated precision: 1, 2 or 3.
_NAMED_STEPS, _NEAR_STEPS = (0.2, 0.4), (0.1, 0.25)
KINDS = ("named", "listed", "near")
MARKS = {f"‹{kind} {worth}›": kind for kind in KINDS for worth in (1, 2, 3)}  # the segmenter never makes such words


@dataclass(frozen=True)
class Hint:
    """A tag that something speaks for."""

    tag: str
    kind: str  # named: stands in the text and was given before; listed: stands in it, never given; near: of neighbours
    worth: int  # 1 to 3

    @property
    def mark(self) -> str:
        return f"‹{self.kind} {self.worth}›"


class Evidence(NamedTuple):
    """A tag that something speaks for, and how likely it is right as far as that goes."""

    tag: str
    kind: str  # as of a hint, or linear
    probability: float


class Retriever:
    """Labelled questions and listed tags, as arrays; made by `build`, stored by `arrays`."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._arrays = dict(arrays)
        self.tags = read_names(arrays)
        self._keys = [match_key(tag) for tag in self.tags]
        self._columns = {int(word): column for column, word in enumerate(arrays["words"])}
        self._rarity = arrays["rarity"].astype(np.float32)
        rows, width, given = len(arrays["digests"]), len(arrays["words"]), arrays["given"]
        self._questions = csr_matrix(  # (labelled questions, words), rows of length one
            (arrays["weights"].astype(np.float32), arrays["indices"], arrays["starts"]), shape=(rows, width)
        )
        self._by_word = self._questions.T.tocsr()
        self._given = csr_matrix(  # (labelled questions, tags)
            (np.ones(len(given), dtype=np.float32), given, arrays["given_starts"]), shape=(rows, len(self.tags))
        )
        self._counts = np.asarray(self._given.sum(axis=0)).ravel() if rows else np.zeros(len(self.tags))
        self._places: dict[int, list[int]] = {}  # where a text stands among the labelled questions
        for place, digest in enumerate(arrays["digests"].tolist()):
            self._places.setdefault(digest, []).append(place)
        self._listed = ListedTags(arrays["listed"], arrays["beginnings"])
        self._named_tag = {hash_text(key): place for place, key in enumerate(map(squeeze, self._keys))}
        self._found, self._right = arrays["found"], arrays["right"]  # (listed, 2): in titles, in descriptions
        found, right = self._found.sum(axis=0, dtype=float), self._right.sum(axis=0, dtype=float)
        self._average = (right + 1) / (found + 4)  # (2,) precision of a match in the title, in the description
        # Models made before listed tags could vote have neither of these.
        self._voting = ListedTags(arrays["voting"], arrays["voting_beginnings"]) if "voting" in arrays else None
        self._belief = arrays.get("belief", np.zeros(0))  # (8,) how right listed tags are told from wrong ones
        self._linear = LinearTags(arrays, width, len(self.tags)) if "linear_starts" in arrays else None

    @classmethod
    def build(
        cls,
        questions: Sequence[Question],
        listed: Iterable[str],
        segmenter: Segmenter,
        voting: Iterable[str] = (),
        *,
        linear: bool = False,
    ) -> "Retriever":
        """From labelled questions and a list of tags; the tags of the questions are listed too.

        voting: further tags, which may vote where they stand in a text but give no hints.
        linear: with a linear model of the questions, which may vote too.
        """
        questions = [question for question in questions if question.tags]
        names = spellings_of(questions)
        keys = keys_of(filter(is_telling, (*names.values(), *listed)))
        cuts = [Cut.of(question, segmenter) for question in questions]
        arrays = {
            **name_arrays(list(names.values())),
            **given_arrays(questions, {key: place for place, key in enumerate(names)}),
            **hashed(keys),
            **word_arrays(cuts),
        }
        own = [keys_of(question.tags) for question in questions]
        finder = ListedTags(arrays["listed"], arrays["beginnings"])
        runs = [finder.runs(one) for one in cuts]
        arrays |= precision_arrays(len(keys), runs, own)
        arrays |= voting_arrays(keys | keys_of(filter(is_telling, voting)), cuts)
        arrays["belief"] = cls(arrays)._learn_belief(cuts, own)
        return cls(arrays).with_linear() if linear else cls(arrays)

    def with_linear(self) -> "Retriever":
        """With a linear model of the labelled questions as they are now."""
        return Retriever({**self._arrays, **fit_linear(self._questions, self._given)})

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
        grown = Retriever(grow_arrays(self._arrays, changed, segmenter))
        return grown.with_linear() if self._linear else grown

    def _has(self, digest: int, questions: Sequence[Question]) -> bool:
        """Whether this text is there with just the labels that these questions, all of this text, have."""
        there = {frozenset(self._keys[tag] for tag in self._given[row].indices) for row in self._places.get(digest, [])}
        return there == {frozenset(map(match_key, question.tags)) for question in questions}

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Everything it consists of, for storing."""
        return self._arrays

    def hints(self, question: Question, segmenter: Segmenter, *, is_labelled: bool = False) -> list[Hint]:
        """What speaks for which tags, the strongest of each kind first.

        `is_labelled`: the question may be among the labelled ones; what it says about itself is then left out.
        """
        one, digest = Cut.of(question, segmenter), hash_question(question)
        own = self._places.get(digest, []) if is_labelled else []

        def is_known(tag: int) -> bool:
            return not is_labelled or hash_text(f"{digest} {self._keys[tag]}") % PRETENDED != 0

        named = sorted(self._literal(one, own, is_known), key=lambda found: -found.precision * found.run.words**0.5)
        near = [(tag, share) for tag, share in self._near(one, own) if is_known(tag)]
        return [
            *(Hint(found.tag, found.kind, _worth(found.precision, _NAMED_STEPS)) for found in named[:MOST_NAMED]),
            *(Hint(self.tags[tag], "near", _worth(share, _NEAR_STEPS)) for tag, share in near[:MOST_NEAR]),
        ]

    def hint_words(self, question: Question, segmenter: Segmenter, *, is_labelled: bool = False) -> list[str]:
        """The hints as source words."""
        found = self.hints(question, segmenter, is_labelled=is_labelled)
        return [word for hint in found for word in (hint.mark, *segmenter.source_words(clean(hint.tag)))]

    def evidence(self, question: Question, segmenter: Segmenter) -> list[Evidence]:
        """Everything that speaks for a tag of a question nobody has labelled; a tag may be there twice."""
        one = Cut.of(question, segmenter)
        found = [Evidence(self.tags[tag], "near", float(share)) for tag, share in self._near(one, [])]
        if self._linear:
            likely = self._linear.likely(*self._vector(one))
            found += [Evidence(self.tags[tag], "linear", share) for tag, share in likely]
        found += [
            Evidence(match.tag, "named", match.precision)
            for match in self._literal(one, [], lambda tag: True)
            if match.kind == "named"
        ]
        if len(self._belief):
            texts = clean(question.title), clean(question.description)
            found += [
                Evidence(as_written(run.key, *texts), "listed", probability(self._belief, described))
                for run, described in self._unused(one, own=None)
            ]
        return found

    def is_listed(self, tag: str) -> bool:
        """Whether a tag is in a list or was ever given."""
        key = squeeze(match_key(tag))
        lists = (self._listed, self._voting) if self._voting else (self._listed,)
        return hash_text(key) in self._named_tag or any(key in each for each in lists)

    def _learn_belief(self, cuts: Sequence[Cut], keys: Sequence[set[str]]) -> np.ndarray:
        """How to tell right listed tags from wrong ones, from those that nobody else gave: (8,), or nothing."""
        found = [
            (described, run.key in own)
            for one, own in zip(cuts, keys, strict=True)
            for run, described in self._unused(one, own)
        ]
        is_right = np.array([right for _, right in found], dtype=bool)
        if is_right.sum() < LEAST_EXAMPLES:
            return np.zeros(0)
        return fit(np.array([described for described, _ in found]), is_right)

    def _unused(self, one: Cut, own: set[str] | None) -> Iterator[tuple[Run, list[float]]]:
        """Tags that may vote, stand in the text and were given to no question, described.

        own: the tags of a labelled question, which is then left out of all counts; None for another question.
        """
        runs = self._voting.runs(one)
        for run in runs:
            tag = self._named_tag.get(hash_text(run.key))
            count = 0 if tag is None else self._counts[tag]
            if count - (own is not None and run.key in own) <= 0:
                seen = float(self._arrays["voting_seen"][run.place]) - (own is not None)
                yield run, describe(run, one, len(runs), seen)

    def _literal(self, one: Cut, own: list[int], is_known: Callable[[int], bool]) -> Iterator["_Match"]:
        """Tags that stand in the text, junk left out."""
        for run in self._listed.runs(one):
            seen, right = self._found[run.place].astype(float), self._right[run.place].astype(float)  # (2,) each
            tag = self._named_tag.get(hash_text(run.key))
            count = 0 if tag is None else self._counts[tag]
            if own:
                mine = 0 if tag is None else sum(tag in self._given[row].indices for row in own)
                seen[run.column] -= len(own)
                right[run.column], count = right[run.column] - mine, count - mine
            if tag is not None and not is_known(tag):
                seen, right, count = np.zeros(2), np.zeros(2), 0
            prior = STRENGTH * self._average.mean()
            gain = (right.sum() + prior) / (seen @ self._average + prior)
            precision = min(1.0, self._average[run.column] * gain)
            if precision >= MIN_PRECISION:
                name, kind = (self.tags[tag], "named") if count > 0 else (run.key, "listed")
                yield _Match(name, kind, precision, run)

    def _near(self, one: Cut, own: list[int]) -> list[tuple[int, float]]:
        """Tags of the questions most like this one, with their share of the likeness, the greatest first."""
        columns, weights = self._vector(one)
        if not self._questions.shape[0] or not len(columns):
            return []
        cosines = weights @ self._by_word[columns]  # (labelled questions,)
        cosines[own] = 0
        like = np.flatnonzero(cosines > 0)
        if not len(like):
            return []
        if len(like) > NEIGHBOURS:  # sorting thousands for twenty took a quarter of the time
            like = np.sort(like[np.argpartition(-cosines[like], NEIGHBOURS)[:NEIGHBOURS]])
        nearest = like[np.argsort(-cosines[like], kind="stable")]
        shares = cosines[nearest] @ self._given[nearest] / cosines[nearest].sum()  # (tags,)
        voted = np.flatnonzero(shares)
        return [(int(tag), float(shares[tag])) for tag in voted[np.argsort(-shares[voted], kind="stable")]]

    def _vector(self, one: Cut) -> tuple[np.ndarray, np.ndarray]:
        """TF-IDF of a text: columns and weights of its words, of length one; empty where it has no known word."""
        counts = Counter(self._columns[word] for word in map(hash_word, one.weighted()) if word in self._columns)
        columns = np.fromiter(counts, dtype=np.int64, count=len(counts))
        weights = 1 + np.log(np.fromiter(counts.values(), dtype=np.float32, count=len(counts)))
        weights = weights * self._rarity[columns]
        return columns, weights / max(np.linalg.norm(weights), 1e-9)


class _Match(NamedTuple):
    """A tag that stands in the text."""

    tag: str
    kind: str  # named or listed
    precision: float  # how often such a match was right
    run: Run


def _worth(precision: float, steps: Sequence[float]) -> int:
    return 1 + sum(precision >= step for step in steps)
