"""Initial word vectors from a file (an option beyond the paper): `.npz` with `words` and `vectors`."""

import zlib
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import torch

from l2a.errors import InputError
from l2a.network.model import L2AModel
from l2a.text.vocabulary import FIRST_WORD, Vocabulary


def read_vectors(path: str | Path) -> tuple[dict[str, int], np.ndarray]:
    """(row of each word, vectors); raises InputError for a file of another kind."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            words, vectors = archive["words"], archive["vectors"].astype(np.float32)
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as error:
        raise InputError("vectors.other_kind", path=path, reason=str(error)) from error
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise InputError("vectors.odd_shape", path=path, words=len(words), shape=str(vectors.shape))
    return {str(word): row for row, word in enumerate(words)}, vectors


def fit_width(vectors: np.ndarray, width: int, seed: int = 0) -> np.ndarray:
    """Vectors of another width, brought to `width` by a random rotation (angles stay) or by PCA when narrower.

    Scaled to the size random initialisation gives, so that known and unknown words start alike.
    """
    vectors = vectors - vectors.mean(axis=0)
    given = vectors.shape[1]
    if given > width:
        sample = vectors[:20_000]
        _, axes = np.linalg.eigh(sample.T @ sample)  # columns, the main axis last; as many as given, for few words too
        vectors = vectors @ axes[:, ::-1][:, :width]
    elif given < width:
        rotation, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((width, width)))
        vectors = vectors @ rotation[:given].astype(np.float32)  # (words, width)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)  # a row of N(0, 1/width) has length 1


def initialise(model: L2AModel, source: Vocabulary, target: Vocabulary, path: str | Path) -> tuple[int, int]:
    """Copy vectors into the embedding tables; returns how many (source, target) words were found."""
    rows, found = read_vectors(path)
    vectors = torch.from_numpy(fit_width(found, model.config.width))

    def fill(table: torch.Tensor, words: tuple[str, ...], first_row: int) -> int:
        """table: rows whose first one is row `first_row` of the vocabulary's numbering."""
        filled = 0
        for number, word in enumerate(words, start=FIRST_WORD):
            place = number - first_row
            if 0 <= place < len(table) and word in rows:
                table[place] = vectors[rows[word]]
                filled += 1
        return filled

    with torch.no_grad():
        tables = model.source_table
        in_source = fill(tables.sparse.weight, source.words, tables.dense_rows) if tables.sparse is not None else 0
        if model.target_table is None:
            in_target = fill(tables.tied_rows, source.words, 0)
            return in_source + in_target, in_target
        return in_source, fill(model.target_table.weight, target.words, 0)
