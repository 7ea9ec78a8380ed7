"""Nearest neighbours: the tags of the most similar gold questions, by TF-IDF cosine."""

import numpy as np

from bench.peers.material import Material, Variants
from l2a.simulation.peers import best_columns

NEIGHBOURS = (3, 5, 10, 20, 40)


def vote(material: Material) -> Variants:
    """A neighbour votes for its tags with its cosine; a tag's score is its share of all votes."""
    learn, answer = material.features
    names, labels = material.label_matrix
    cosines = (answer @ learn.T).toarray()  # (questions, gold): rows have length one
    nearest = np.argsort(-cosines, axis=1, kind="stable")
    found = {}
    for count in NEIGHBOURS:
        scores = np.zeros((len(cosines), len(names)))
        for row, columns in enumerate(nearest[:, :count]):
            weights = cosines[row, columns]
            scores[row] = weights @ labels[columns] / max(weights.sum(), 1e-9)
        ranking = best_columns(names, scores)
        found[f"{count} neighbours"] = [[pair for pair in pairs if pair[1] > 0] for pairs in ranking]
    return found
