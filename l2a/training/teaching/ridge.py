"""Ridge regression of every tag on TF-IDF, by conjugate gradients: questions may count for less than others.

The closed form of `l2a.simulation.peers.rank_by_ridge`; its matrix of all pairs of questions would take gigabytes
beside thousands of topic pages. Nothing is random.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from l2a.evidence.ridge import weigh_words
from l2a.evidence.source import FoldedWords
from l2a.training.teaching.forest import vectorise

STRENGTH = 2.0  # chosen on dev, gold with pages beside it
LEAST_GIVEN = 2  # labelled questions that must have a tag
SMALLEST = 0.01  # of a weight that is kept
MOST = 10  # tags named for a question


class Ridge:
    """Labelled questions as weights of words for tags; a tag's score is a rough probability."""

    def __init__(self, texts: Sequence[FoldedWords], keys: Sequence[frozenset[str]], weights: Sequence[float]):
        """keys: the match keys of each text's tags. weights: how much each text counts."""
        from scipy.sparse import csr_matrix

        self._vectorizer, features = vectorise(texts)
        times = Counter(key for own in keys for key in own)
        self.keys = sorted(key for key, count in times.items() if count >= LEAST_GIVEN)
        place = {key: column for column, key in enumerate(self.keys)}
        pairs = [(row, place[key]) for row, own in enumerate(keys) for key in own if key in place]
        rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        given = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(texts), len(self.keys)))
        # (words, tags)
        self._weights = weigh_words(features, given, np.asarray(weights), strength=STRENGTH, smallest=SMALLEST)

    def predict(self, texts: Sequence[FoldedWords]) -> list[list[tuple[str, float]]]:
        """For each question up to ten (match key, score), the best first."""
        if not texts or not self.keys:
            return [[] for _ in texts]
        scores = (self._vectorizer.transform(texts).astype(np.float32) @ self._weights).tocsr()
        found = []
        for start, end in zip(scores.indptr, scores.indptr[1:], strict=False):
            columns, values = scores.indices[start:end], scores.data[start:end]
            order = np.lexsort((columns, -values))[:MOST]
            found.append([(self.keys[columns[at]], float(values[at])) for at in order if values[at] > 0])
        return found
