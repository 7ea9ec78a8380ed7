"""The decoders that `bench/decode.py` compares, all with random weights and of the same size.

A candidate is a function without arguments that decodes one batch and returns its hypotheses. All of them take as
many steps as asked for: the end symbol is held back, so that no luck with random weights ends a search early.
"""

from collections.abc import Callable
from dataclasses import dataclass

Candidate = Callable[[], list]


@dataclass(frozen=True)
class Load:
    """What is decoded: the defaults are the paper's decoder, and the task's beam."""

    batch: int = 1
    beam: int = 48
    steps: int = 20
    source_words: int = 30
    vocabulary: int = 18_966
    width: int = 512
    heads: int = 8
    feed_forward: int = 2048
    layers: int = 4
    threads: int = 2
