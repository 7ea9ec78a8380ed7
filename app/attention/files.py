"""The numbers that the attention page lets one take away: CSV and NPZ. Pictures: app/figures/heatmap_files.py."""

import csv
import io
from typing import TYPE_CHECKING

import numpy as np

from app.figures.heatmap import Heatmap
from db.transfer.formats.escape import guard

if TYPE_CHECKING:
    from l2a.explain import Explanation


def to_csv(heatmap: Heatmap) -> bytes:
    """One weight a line: a word that occurs twice stays two. With the mark that makes Excel read UTF-8."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["row", "row_word", "column", "column_word", "weight"])
    for i, row_word in enumerate(heatmap.rows):
        for j, column_word in enumerate(heatmap.columns):
            weight = f"{heatmap.weights[i, j]:.6f}"
            writer.writerow([i + 1, guard(row_word), j + 1, guard(column_word), weight])
    return ("\ufeff" + stream.getvalue()).encode()


def to_npz(explanation: "Explanation", heatmap: Heatmap) -> bytes:
    """All weights of all layers and heads, the words, and the matrix that was shown; numpy.load reads it."""
    arrays: dict[str, np.ndarray] = {
        "shown": heatmap.weights,
        "cross": explanation.cross,
        "log_probabilities": explanation.log_probabilities,
        "tag_of_step": np.array(explanation.tag_of_step, dtype=np.int64),
        "source_words": np.array(explanation.source_words, dtype=np.str_),
        "input_words": np.array(explanation.input_words, dtype=np.str_),
        "output_words": np.array(explanation.output_words, dtype=np.str_),
        "tags": np.array(explanation.tags, dtype=np.str_),
        "model_version": np.array(explanation.model_version, dtype=np.str_),
    }
    if explanation.self is not None:
        arrays["self"] = explanation.self
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()
