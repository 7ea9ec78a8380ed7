"""The project's model with its own threshold: the side that the peers are compared with."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.peers.cache import Cache, checksum
from l2a.data.questions import Question
from l2a.suggestions import Suggestions
from l2a.tagger import Tagger

BATCH = 8  # questions decoded together


@dataclass(frozen=True)
class Answer:
    """What it says of a question. The best first; `written` is what hypotheses hold, `candidates` all it weighs."""

    kept: list[str]
    written: list[str]
    candidates: list[str]

    @classmethod
    def of(cls, found: Suggestions) -> "Answer":
        written = dict.fromkeys(tag for one in found.hypotheses for tag in one.tags)
        return cls([one.tag for one in found.kept], list(written), [one.tag for one in found.suggestions])


def answer(tagger: Tagger, path: Path, questions: Sequence[Question], beam: int, cache: Cache) -> list[Answer]:
    """For the questions of a file."""

    def decode() -> list[dict]:
        stream = tagger.suggest_stream(questions, beam=beam, batch_size=BATCH)
        return [asdict(Answer.of(found)) for found in stream]

    rows, _ = cache.get("starter", (tagger.version, checksum(path), str(beam), "with candidates"), decode)
    return [Answer(**row) for row in rows]
