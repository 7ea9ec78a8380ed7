"""The project's model with its own threshold: the side that the peers are compared with."""

from collections.abc import Sequence
from pathlib import Path

from bench.peers.cache import Cache, checksum
from l2a.data.questions import Question
from l2a.tagger import Tagger

BATCH = 8  # questions decoded together


def answer(tagger: Tagger, path: Path, questions: Sequence[Question], beam: int, cache: Cache) -> list[list[str]]:
    """The tags it keeps for the questions of a file, the best first."""

    def decode() -> list[list[str]]:
        stream = tagger.suggest_stream(questions, beam=beam, batch_size=BATCH)
        return [[suggestion.tag for suggestion in found.kept] for found in stream]

    return cache.get("starter", (tagger.version, checksum(path), str(beam)), decode)[0]
