"""Which tags a model could write at all: with its target words alone, and with copying from the question."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from l2a.data.questions import Question
from l2a.tagger import Tagger
from l2a.text.cleaning import match_key


@dataclass(frozen=True)
class Reachable:
    """Question-tag pairs; new ones are those in no seen label."""

    tags: int = 0
    by_words: int = 0  # every word is in the target vocabulary
    by_copying: int = 0  # every word is there or in the question
    new_tags: int = 0
    new_by_words: int = 0
    new_by_copying: int = 0

    def to_dict(self) -> dict[str, int]:
        return asdict(self)

    def render(self) -> str:
        rows = [
            ("", "all tags", "new tags"),
            ("question-tag pairs", self.tags, self.new_tags),
            ("writable with target words", self.by_words, self.new_by_words),
            ("writable with copying too", self.by_copying, self.new_by_copying),
        ]
        return "\n".join(f"{name:<30}{every!s:>12}{new!s:>12}" for name, every, new in rows)


def count_reachable(questions: Iterable[Question], tagger: Tagger, seen: Iterable[str] | None = None) -> Reachable:
    """Count over labelled questions. `seen`: the labels a tag must be missing from to be new (the model's own)."""
    known = tagger.known_keys if seen is None else frozenset(map(match_key, seen))
    counts = dict.fromkeys(asdict(Reachable()), 0)
    for question in questions:
        words = tagger.read(question, only_hints=True).source.words
        for tag in question.tags:
            needed = tagger.codec.tag_words(tag)
            by_words = all(word in tagger.codec.target for word in needed)
            by_copying = all(word in tagger.codec.target or word in words for word in needed)
            counts["tags"] += 1
            counts["by_words"] += by_words
            counts["by_copying"] += by_copying
            if match_key(tag) not in known:
                counts["new_tags"] += 1
                counts["new_by_words"] += by_words
                counts["new_by_copying"] += by_copying
    return Reachable(**counts)
