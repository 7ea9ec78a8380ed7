"""Tags that the words of a question speak for, as a linear model of the labelled questions has it.

Ridge regression of every tag on the TF-IDF of the words, in closed form, all tags at once: the least-squares estimate
of a 0/1 answer, so a score is a rough probability. It knows what the network saw too seldom to learn, is worked out in
seconds, and can be worked out again whenever decisions are added.

Solved by questions, not by words: (X Xᵀ + ridge) A = Y, weights = Xᵀ A, with X (questions, words) and Y (questions,
tags). Of the weights only those that matter are kept, as a sparse (words, tags) matrix.
"""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import csr_matrix, hstack

from l2a.evidence.retriever import Retriever
from l2a.evidence.source import Finding, PreparedQuestion, RetrieverSource
from l2a.messages import Message

# Chosen on the development questions: dropping what is smaller, or rarer, changes nothing there.
RIDGE = 1.0
LEAST_GIVEN = 2  # questions that must have a tag
SMALLEST = 0.02  # of a weight that is kept
LEAST_SCORE = 0.05  # of a tag that is worth a mention
MOST_QUESTIONS = 15_000  # the newest of them: their products with each other must fit into memory, 0.9 GB
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
    joined = hstack(found, format="csr", dtype=np.float32)
    return {
        "linear_starts": joined.indptr.astype(np.int32),
        "linear_tags": learned[joined.indices].astype(np.uint16 if tags < 2**16 else np.int32),
        "linear_weights": joined.data.astype(np.float16),
    }


class LinearTags:
    """The weights, ready to be asked."""

    def __init__(self, arrays: Mapping[str, np.ndarray], words: int, tags: int):
        self._weights = csr_matrix(
            (
                arrays["linear_weights"].astype(np.float32),
                arrays["linear_tags"].astype(np.int32),
                arrays["linear_starts"],
            ),
            shape=(words, tags),
        )

    def likely(self, columns: np.ndarray, weights: np.ndarray) -> list[tuple[int, float]]:
        """Tags with their probability, the likeliest first.

        columns, weights: the TF-IDF of a question, of length one.
        """
        scores = weights @ self._weights[columns]  # (tags,)
        found = np.flatnonzero(scores >= LEAST_SCORE)
        order = found[np.argsort(-scores[found], kind="stable")]
        return [(int(tag), min(1.0, float(scores[tag]))) for tag in order]


class Linear(RetrieverSource):
    """`probability`: the score."""

    name, rank, needs = "linear", 2, "linear_starts"

    def __init__(self, retriever: Retriever):
        super().__init__(retriever)
        self._model = LinearTags(retriever.arrays, len(retriever.arrays["words"]), len(retriever.tags))

    @classmethod
    def learn(cls, retriever: Retriever) -> dict[str, np.ndarray]:
        return fit(retriever.questions, retriever.given)

    def find(self, question: PreparedQuestion) -> list[Finding]:
        likely = self._model.likely(*question.once(self.retriever.vector))
        return [
            Finding(self.retriever.tags[tag], self.name, {"probability": share}, text=Message("finding.linear"))
            for tag, share in likely
        ]


SOURCE = Linear
