"""From question files to numbered training examples: read, segment, count, build vocabularies, batch."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, TypeVar

from l2a.config import ModelConfig, TrainingConfig
from l2a.errors import InputError
from l2a.evidence.collection import Evidence
from l2a.text.codec import Codec, EncodedSource
from l2a.text.ordering import FIRST_SYMBOLS, count_tags, member_of, members, order_tags
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import Vocabulary, build_vocabularies
from l2a.training.cutting import QuestionCutter, Words, cut_file


@dataclass(frozen=True)
class Example:
    """A question ready for training; its target sequence is written when a batch is made."""

    id: str
    source: EncodedSource
    tags: tuple[str, ...]
    rejected: tuple[str, ...] = ()


@dataclass
class TrainingSet:
    """Numbered examples with all that was learned from the words."""

    train: list[Example]
    pretrain: list[Example]
    frequencies: Mapping[str, int]
    source: Vocabulary
    target: Vocabulary
    # Of an older training set, mixed in so that it is not forgotten.
    replay: list[Example] = field(default_factory=list)


def read_words(
    paths: Iterable[str | Path],
    segmenter: Segmenter,
    max_length: int,
    *,
    evidence: Evidence | None = None,
    skip_bad: bool = False,
    notes: list[str] | None = None,
    quiet: bool = False,
    cache: Path | None = None,
) -> list[Words]:
    """Questions with tags, cut into words. Questions without tags teach nothing: they are counted and left out."""
    cutter = QuestionCutter(segmenter, max_length, evidence or Evidence())
    found: list[Words] = []
    untagged = 0
    for path in paths:
        words, left_out = cut_file(path, cutter, skip_bad=skip_bad, notes=notes, quiet=quiet, cache=cache)
        found += words
        untagged += left_out
    if notes is not None and untagged:
        notes.append(f"{untagged} questions without tags left out")
    return found


def build_training_set(
    train: Sequence[Words],
    pretrain: Sequence[Words],
    segmenter: Segmenter,
    model: ModelConfig,
    codec_of,
) -> tuple[TrainingSet, Codec]:
    """Vocabularies and numbered examples. `codec_of(source, target)` makes the model's codec."""
    if not train:
        raise InputError("training.no_tags")
    frequencies = count_tags(words.tags for words in (*train, *pretrain))
    source_counts = Counter(word for one in (*train, *pretrain) for word in (*one.source, *one.hints))
    if model.kind == "label":
        target_counts = Counter(frequencies)
    else:
        target_counts = Counter()
        for tag, count in frequencies.items():
            for word in segmenter.split(tag):
                target_counts[word] += count
    source, target = build_vocabularies(
        source_counts,
        target_counts,
        max_source_words=model.source_vocabulary,
        max_target_words=model.target_vocabulary,
        min_source_count=model.min_source_count,
        shared=model.share_embeddings,
    )
    codec = codec_of(source, target)
    return TrainingSet(number(train, codec), number(pretrain, codec), frequencies, source, target), codec


def number(words: Sequence[Words], codec: Codec) -> list[Example]:
    # The spelling of ordinary words is not needed again; dropping it keeps large sets small.
    encoded = (replace(codec.encode_words(w.source, hints=w.hints), words=()) for w in words)
    return [Example(w.id, source, w.tags, w.rejected) for w, source in zip(words, encoded, strict=True)]


class HasSource(Protocol):
    @property
    def source(self) -> EncodedSource: ...


Batched = TypeVar("Batched", bound=HasSource)


def make_batches(examples: Sequence[Batched], batch_size: int, seed: str) -> list[list[Batched]]:
    """Length-bucketed batches in a random order that depends on `seed` alone.

    Questions are shuffled, sorted by length inside large pools, and cut; then the batches are shuffled.
    """
    shuffler = random.Random(seed)
    shuffled = list(examples)
    shuffler.shuffle(shuffled)
    pool = batch_size * 50
    batches: list[list[Batched]] = []
    for first in range(0, len(shuffled), pool):
        part = sorted(shuffled[first : first + pool], key=lambda example: len(example.source.ids))
        batches.extend(part[i : i + batch_size] for i in range(0, len(part), batch_size))
    shuffler.shuffle(batches)
    return batches


def target_sequences(
    examples: Sequence[Example], codec: Codec, training: TrainingConfig, frequencies: Mapping[str, int], epoch: int
) -> Iterator[list[int]]:
    """Each example's target numbers, its tags in the order of the member that learns it in this epoch."""
    for example in examples:
        ordered = order_tags(
            example.tags,
            members(training.order)[member_of(training.order, example.id, epoch)],
            frequencies,
            seed=training.seed,
            key=example.id,
            epoch=epoch if training.reshuffle else 0,
        )
        yield codec.encode_tags(ordered[: training.max_tags], example.source.extra_words)


def first_symbols(examples: Sequence[Example], training: TrainingConfig, epoch: int) -> list[int]:
    """What the member reads first that learns each example in this epoch."""
    return [FIRST_SYMBOLS[member_of(training.order, example.id, epoch)] for example in examples]
