"""Ridge regression of many tags at once, by conjugate gradients: no matrix of all pairs of questions is needed."""

import numpy as np
from scipy.sparse import csr_matrix, diags, hstack

TOLERANCE = 1e-3  # of the length of what is solved for
STEPS = 100
_TAGS_AT_ONCE = 256  # bounds the memory of weights that are not dropped yet


def weigh_words(
    questions: csr_matrix, given: csr_matrix, worth: np.ndarray, *, strength: float, smallest: float
) -> csr_matrix:
    """(words, tags), weights under `smallest` left out.

    questions: (n, words), rows of length one. given: (n, tags), 1 where a question has a tag. worth: (n,) how much each
    question counts.
    """
    roots = diags(np.sqrt(worth).astype(np.float32))
    rows, wanted = (roots @ questions).tocsr().astype(np.float32), (roots @ given).tocsc()
    found = [csr_matrix((questions.shape[1], 0), dtype=np.float32)]
    for first in range(0, given.shape[1], _TAGS_AT_ONCE):
        some = wanted[:, first : first + _TAGS_AT_ONCE].toarray().astype(np.float32)  # (n, some tags)
        weights = rows.T @ solve(rows, some, strength)  # (words, some tags)
        weights[np.abs(weights) < smallest] = 0
        found.append(csr_matrix(weights))
    return hstack(found, format="csr", dtype=np.float32)


def solve(rows: csr_matrix, wanted: np.ndarray, strength: float) -> np.ndarray:
    """(n, m): the solution of (rows rows' + strength) found = wanted. wanted: (n, m); it is used up."""
    back = rows.T.tocsr()
    found, step, rest = np.zeros_like(wanted), wanted.copy(), wanted
    length = (rest**2).sum(axis=0)
    enough = TOLERANCE**2 * length
    for _ in range(STEPS):
        if (length <= enough).all():
            break
        image = rows @ (back @ step) + strength * step
        size = length / np.maximum((step * image).sum(axis=0), 1e-30)
        found += size * step
        rest -= size * image
        before, length = length, (rest**2).sum(axis=0)
        step = rest + length / np.maximum(before, 1e-30) * step
    return found
