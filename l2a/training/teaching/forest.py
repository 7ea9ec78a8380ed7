"""Omikuji, linear classifiers for very many labels, on the words of labelled questions."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from l2a.errors import L2AError
from l2a.evidence.source import FoldedWords


class Forest:
    """Omikuji on TF-IDF of a question's words: gold tags (as match keys) with scores."""

    def __init__(self, texts: Sequence[FoldedWords], gold: Sequence[frozenset[str]]):
        try:
            import omikuji
        except ImportError as error:
            raise L2AError("silver.not_installed", module=error.name) from error
        self.keys = sorted(frozenset().union(*gold))
        number = {key: str(index) for index, key in enumerate(self.keys)}
        self._vectorizer, features = vectorise(texts)
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


def vectorise(texts: Sequence[FoldedWords]):
    """A fitted vectorizer and the TF-IDF of these texts: a sparse matrix, rows of length one."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError as error:
        raise L2AError("silver.not_installed", module=error.name) from error
    vectorizer = TfidfVectorizer(analyzer=FoldedWords.weighted, sublinear_tf=True)
    return vectorizer, vectorizer.fit_transform(texts)


def _rows(matrix) -> Iterator[list[tuple[int, float]]]:
    """The (column, value) pairs of each row of a sparse matrix, as Omikuji reads them."""
    for start, end in zip(matrix.indptr, matrix.indptr[1:], strict=False):
        yield list(zip(matrix.indices[start:end].tolist(), matrix.data[start:end].tolist(), strict=True))
