"""TF-IDF and a linear support vector machine for every tag (one against the rest).

Solver: liblinear's dual coordinate descent (scikit-learn's LinearSVC), with its seed fixed. The thousands of
machines are trained one by one and forgotten as soon as they have answered: kept, they would fill gigabytes.
"""

import warnings

import numpy as np

from bench.peers.material import Material, Variants
from l2a.simulation.peers import best_columns

SEED = 1


def one_against_rest(material: Material) -> Variants:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    learn, answer = material.features
    names, labels = material.label_matrix
    scores = np.empty((answer.shape[0], len(names)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a ranking needs no last digit
        for column in range(len(names)):
            wanted = labels[:, column]
            if wanted.all():  # a tag of every question needs no machine
                scores[:, column] = 1.0
                continue
            machine = LinearSVC(C=1.0, dual=True, tol=0.1, max_iter=50, random_state=SEED).fit(learn, wanted)
            scores[:, column] = machine.decision_function(answer)
    return {"": best_columns(names, scores)}
