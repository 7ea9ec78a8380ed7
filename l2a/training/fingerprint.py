"""What a training run's result depends on, in a few lines: a run goes on only where all of it is as it was.

Content is kept as a hash, so that the other file of equal length is noticed; plain numbers are kept as they are, so
that a person can be told which one is another.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from l2a.config import TrainingConfig
from l2a.data.questions import Question
from l2a.tagger import Tagger
from l2a.training.dataset import TrainingSet


def describe_run(
    tagger: Tagger,
    data: TrainingSet,
    dev: Sequence[Question],
    training: TrainingConfig,
    *,
    processes: int,
    tunes_threshold: bool,
) -> dict[str, Any]:
    """Every part by its name; plain enough for JSON."""
    examples = (*data.train, *data.pretrain, *data.replay)
    arrays = tagger.evidence.arrays
    return {
        "model": tagger.config.to_dict(),
        "training": training.to_dict(),
        "decode": {**tagger.settings.to_dict(), **tagger.votes.to_dict(), "tunes_threshold": tunes_threshold},
        "train": len(data.train),
        "pretrain": len(data.pretrain),
        "source": len(data.source),
        "target": len(data.target),
        "dev": len(dev),
        "words": _hash(
            *(
                part
                for example in examples
                for part in (
                    example.source.ids.tobytes(),
                    _joined((example.id, *example.tags, "", *example.rejected)),
                )
            ),
            *(_joined(vocabulary.words) for vocabulary in (data.source, data.target)),
        ),
        # Words that neither vocabulary has can be copied all the same.
        "copied words": _hash(
            *(
                part
                for example in (examples if tagger.config.copy else ())
                for part in (example.source.copy_ids.tobytes(), _joined(example.source.extra_words))
            )
        ),
        "frequencies": _hash(_joined(f"{tag}\0{count}" for tag, count in sorted(data.frequencies.items()))),
        "dev questions": _hash(*(_joined((q.title, q.description, *q.tags, "")) for q in dev)),
        "retriever": hash_arrays(arrays) if arrays else "",
        # Threads and processes share out sums, whose last digits depend on how; processes draw their own dropout.
        "threads": torch.get_num_threads(),
        "processes": processes,
    }


def find_changes(begun: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is another now, in words. What a run of an older program did not note cannot be compared."""
    return [
        f"{name} {begun[name]}, now {value}" if isinstance(value, int) else name
        for name, value in now.items()
        if name in begun and begun[name] != value
    ]


def hash_arrays(arrays: Mapping[str, np.ndarray]) -> str:
    return _hash(*(part for name, array in sorted(arrays.items()) for part in (name.encode(), array.tobytes())))


def _joined(texts: Iterable[str]) -> bytes:
    return "\0".join(texts).encode("utf-8", "surrogatepass")


def _hash(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:12]
