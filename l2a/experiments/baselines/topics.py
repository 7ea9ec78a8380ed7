"""The topic model behind Topical Attention: scikit-learn's LDA over the words of the training questions."""

from collections.abc import Sequence

import numpy as np

from l2a.errors import InputError
from l2a.experiments.training.scales import CLOCK
from l2a.text.cleaning import is_word_like

PIECE = 512  # questions learned from at a time
MOST_COMMON = 0.2  # words in more questions than this are no topic's words
VOCABULARY = 20_000


class TopicModel:
    """Learns topics and gives a question's share of each."""

    def __init__(self, topics: int, seed: int = 1):
        try:
            from sklearn.decomposition import LatentDirichletAllocation
            from sklearn.feature_extraction.text import CountVectorizer
        except ImportError as error:
            raise InputError("experiments.no_sklearn") from error
        self.topics, self.seed = topics, seed
        self._vectorizer = CountVectorizer
        self._lda = LatentDirichletAllocation(topics, learning_method="online", random_state=seed)

    def learn(self, questions: Sequence[Sequence[str]], passes: int, stop_at: float) -> None:
        """Learn from the words of each question, so many times or until the clock (`scales.CLOCK`) says `stop_at`."""
        counts = self._count(questions)
        self._lda.set_params(total_samples=counts.shape[0])
        order = np.random.default_rng(self.seed)
        for _ in range(passes):
            shuffled = order.permutation(counts.shape[0])
            for first in range(0, len(shuffled), PIECE):
                self._lda.partial_fit(counts[shuffled[first : first + PIECE]])
                if CLOCK() > stop_at:
                    return

    def weigh(self, questions: Sequence[Sequence[str]]) -> np.ndarray:
        """(Q, Z) float32: each question's share of every topic, rows sum to 1."""
        if not questions:
            return np.zeros((0, self.topics), dtype=np.float32)
        return self._lda.transform(self._counter.transform(questions)).astype(np.float32)

    def _count(self, questions: Sequence[Sequence[str]]):
        """Word counts (Q, words); a set so small that no word comes twice is counted without any limit."""
        for limits in ({"min_df": 2, "max_df": MOST_COMMON}, {}):
            self._counter = self._vectorizer(analyzer=_word_like, max_features=VOCABULARY, **limits)
            try:
                return self._counter.fit_transform(questions)
            except ValueError:  # no word is left
                continue
        raise InputError("experiments.no_words")


def _word_like(words: Sequence[str]) -> list[str]:
    return [word for word in words if is_word_like(word)]
