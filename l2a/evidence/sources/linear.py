"""Tags that the words of a question speak for, as a linear model of the labelled questions has it.

Ridge regression of every tag on the TF-IDF of the words, in closed form, all tags at once: the least-squares estimate
of a 0/1 answer, so a score is a rough probability. It knows what the network saw too seldom to learn, is worked out in
seconds, and can be worked out again whenever decisions are added.

With weak labels (`learn_with`) it reads pairs of characters besides: names that the segmenter cuts in many ways.

Solved by questions, not by words: (X Xᵀ + ridge) A = Y, weights = Xᵀ A, with X (questions, words) and Y (questions,
tags). Of the weights only those that matter are kept, as a sparse (words, tags) matrix.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix, hstack, vstack

from l2a.evidence.growth import LINEAR_KEPT
from l2a.evidence.pairs import Pairs
from l2a.evidence.retriever import Retriever
from l2a.evidence.ridge import weigh_words
from l2a.evidence.source import Finding, FoldedWords, PreparedQuestion, RetrieverSource
from l2a.messages import Message
from l2a.text.cleaning import match_key

# Chosen on the development questions: dropping what is smaller, or rarer, changes nothing there.
RIDGE = 1.0
LEAST_GIVEN = 2  # questions that must have a tag
SMALLEST = 0.02  # of a weight that is kept
LEAST_SCORE = 0.05  # of a tag that is worth a mention
MOST_QUESTIONS = 15_000  # the newest of them: their products with each other must fit into memory, 0.9 GB
FURTHER_WORTH, FURTHER_RIDGE = 0.3, 2.0  # of questions with weak labels, and of the ridge with them
OF_WORDS, OF_PAIRS = 0.8, 0.6  # lengths of the two parts of a question's vector, where it has both
PAIRED = "pair_linear"  # what the names of the arrays with weights of pairs begin with
_TAGS_AT_ONCE = 256  # bounds the memory of weights that are not dropped yet


def fit(questions: csr_matrix, given: csr_matrix) -> dict[str, np.ndarray]:
    """questions: (n, words), rows of length one; given: (n, tags), 1 where a question has a tag."""
    from scipy.linalg import cho_factor, cho_solve  # a good part of a second, and only training needs it

    width, tags = questions.shape[1], given.shape[1]
    questions, given = questions[-MOST_QUESTIONS:], given[-MOST_QUESTIONS:].tocsc()
    learned = np.flatnonzero(np.diff(given.indptr) >= LEAST_GIVEN)
    found = [csr_matrix((width, 0), dtype=np.float32)]
    if len(learned):
        alike = (questions @ questions.T).toarray()  # (n, n)
        alike[np.diag_indices_from(alike)] += RIDGE
        factor = cho_factor(alike, lower=True, overwrite_a=True, check_finite=False)
        for first in range(0, len(learned), _TAGS_AT_ONCE):
            wanted = given[:, learned[first : first + _TAGS_AT_ONCE]].toarray()  # (n, some tags)
            weights = questions.T @ cho_solve(factor, wanted, overwrite_b=True, check_finite=False)  # (words, tags)
            weights[np.abs(weights) < SMALLEST] = 0
            found.append(csr_matrix(weights))
    return as_arrays(hstack(found, format="csr", dtype=np.float32), learned, tags)


def fit_with(words: csr_matrix, pairs: csr_matrix, tags: csr_matrix, labelled: int) -> dict[str, np.ndarray]:
    """As `fit`, of words (n, words) and pairs (n, pairs); behind the labelled questions stand others, whose tags are
    right less often. tags: (n, tags)."""
    worth = np.where(np.arange(words.shape[0]) < labelled, 1.0, FURTHER_WORTH)
    tags = tags.tocsc()
    learned = np.flatnonzero(np.diff(tags.indptr) >= LEAST_GIVEN)
    both = hstack([OF_WORDS * words, OF_PAIRS * pairs], format="csr", dtype=np.float32)
    weights = weigh_words(both, tags[:, learned], worth, strength=FURTHER_RIDGE, smallest=SMALLEST)
    width = words.shape[1]
    return {
        **as_arrays(OF_WORDS * weights[:width], learned, tags.shape[1]),
        **as_arrays(OF_PAIRS * weights[width:], learned, tags.shape[1], PAIRED),
        # It cannot be worked out again from what the model keeps.
        LINEAR_KEPT: np.ones(1, np.uint8),
    }


def as_arrays(weights: csr_matrix, learned: np.ndarray, tags: int, name: str = "linear") -> dict[str, np.ndarray]:
    """weights: (words, learned tags). learned: their places among the tags."""
    return {
        f"{name}_starts": weights.indptr.astype(np.int32),
        f"{name}_tags": learned[weights.indices].astype(np.uint16 if tags < 2**16 else np.int32),
        f"{name}_weights": weights.data.astype(np.float16),
    }


class LinearTags:
    """The weights, ready to be asked."""

    def __init__(self, arrays: Mapping[str, np.ndarray], words: int, tags: int):
        """words: that questions are described by."""
        self._weights = _read(arrays, "linear", words, tags)
        self._pairs = Pairs(arrays) if f"{PAIRED}_starts" in arrays else None
        self._of_pairs = _read(arrays, PAIRED, len(self._pairs), tags) if self._pairs else None

    def likely(self, columns: np.ndarray, weights: np.ndarray, text: FoldedWords) -> list[tuple[int, float]]:
        """Tags with their probability, the likeliest first.

        columns, weights: the TF-IDF of a question, of length one.
        """
        scores = weights @ self._weights[columns]  # (tags,)
        if self._pairs is not None and self._of_pairs is not None:
            columns, weights = self._pairs.vector(text)
            scores = scores + weights @ self._of_pairs[columns]
        found = np.flatnonzero(scores >= LEAST_SCORE)
        order = found[np.argsort(-scores[found], kind="stable")]
        return [(int(tag), min(1.0, float(scores[tag]))) for tag in order]


def _read(arrays: Mapping[str, np.ndarray], name: str, words: int, tags: int) -> csr_matrix:
    """(words, tags)"""
    starts = arrays[f"{name}_starts"]
    return csr_matrix(
        (
            arrays[f"{name}_weights"].astype(np.float32),
            arrays[f"{name}_tags"].astype(np.int32),
            np.pad(starts, (0, words + 1 - len(starts)), mode="edge"),  # words that came later have no weights
        ),
        shape=(words, tags),
    )


class Linear(RetrieverSource):
    """`probability`: the score."""

    name, rank, needs = "linear", 2, "linear_starts"

    def __init__(self, retriever: Retriever):
        super().__init__(retriever)
        self._model = LinearTags(retriever.arrays, len(retriever.arrays["words"]), len(retriever.tags))

    @classmethod
    def learn(cls, retriever: Retriever) -> dict[str, np.ndarray]:
        if LINEAR_KEPT in retriever.arrays:
            return {}
        return fit(retriever.questions, retriever.given)

    @classmethod
    def learn_with(
        cls, retriever: Retriever, labelled: Sequence[PreparedQuestion], further: Sequence[PreparedQuestion]
    ) -> dict[str, np.ndarray]:
        """What is stored where further questions with weak labels are learned from; tags that no labelled question
        has are passed over. labelled: those of the retriever, in its order."""
        place = {match_key(tag): number for number, tag in enumerate(retriever.tags)}
        vectors = [retriever.vector(question) for question in further]
        tags = [
            sorted({place[key] for tag in question.question.tags if (key := match_key(tag)) in place})
            for question in further
        ]
        width = retriever.questions.shape[1]
        rows = _matrix([columns for columns, _ in vectors], [weights for _, weights in vectors], width)
        given = _matrix(tags, [np.ones(len(own)) for own in tags], len(retriever.tags))
        texts = [question.words for question in (*labelled, *further)]
        pairs = Pairs.learn(texts)
        words, all_tags = vstack([retriever.questions, rows]).tocsr(), vstack([retriever.given, given])
        return {**pairs.arrays, **fit_with(words, pairs.matrix(texts), all_tags, len(labelled))}

    def find(self, question: PreparedQuestion) -> list[Finding]:
        likely = self._model.likely(*question.once(self.retriever.vector), question.words)
        return [
            Finding(self.retriever.tags[tag], self.name, {"probability": share}, text=Message("finding.linear"))
            for tag, share in likely
        ]


def _matrix(columns: Sequence[Sequence[int]] | Sequence[np.ndarray], values: Sequence[np.ndarray], width: int):
    starts = np.cumsum([0, *map(len, columns)])
    return csr_matrix(
        (
            np.concatenate([np.zeros(0), *values]).astype(np.float32),
            np.concatenate([np.zeros(0, np.int64), *columns]).astype(np.int64),
            starts,
        ),
        shape=(len(columns), width),
    )


SOURCE = Linear
