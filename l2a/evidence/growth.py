"""A retriever's arrays with the decisions of people in them, as if those questions had been there from the beginning.

What the old questions were cannot be read back from the arrays, so a tag that is listed only now is not looked for in
them; everything else is counted again or comes out the same.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.arrays import (
    count_texts,
    given_arrays,
    hashed,
    is_telling,
    keys_of,
    name_arrays,
    precision_arrays,
    read_names,
    spellings_of,
    word_arrays,
)
from l2a.evidence.hashed_tags import HashedTags
from l2a.evidence.source import FoldedWords, hash_question
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter

Arrays = Mapping[str, np.ndarray]
LINEAR_KEPT = "linear_kept"  # where a linear model learned from questions that are not kept
_KEPT = ("voting", "voting_beginnings", "voting_rank", "belief")  # how far listed tags are believed was learned once
# So were other spellings of theirs, what all findings together are worth, and a linear model of more than is kept here.
_KEPT_KINDS = ("alias", "weighs")


def grow_arrays(old: Arrays, questions: Sequence[Question], segmenter: Segmenter) -> dict[str, np.ndarray]:
    """questions: labelled ones; of a text that is there already only these labels remain."""
    names = read_names(old)
    number = {match_key(name): place for place, name in enumerate(names)}
    fresh = {key: name for key, name in spellings_of(questions).items() if key not in number}
    number |= {key: len(names) + place for place, key in enumerate(fresh)}
    texts = [FoldedWords.of(question, segmenter) for question in questions]
    is_left = ~np.isin(old["digests"], [hash_question(question) for question in questions])  # (old rows,)
    given, tags = given_arrays(questions, number), hashed(keys_of(filter(is_telling, fresh.values())))
    words = word_arrays(texts, old["words"], old["rarity"], int(is_left.sum()))
    arrays = {
        **name_arrays([*names, *fresh.values()]),
        "given": _joined(_rows(old, "given", "given_starts", is_left), given["given"]),
        "given_starts": _joined_starts(old["given_starts"], is_left, given["given_starts"]),
        "digests": _joined(old["digests"][is_left], given["digests"]),
        "listed": np.union1d(old["listed"], tags["listed"]),
        "beginnings": np.union1d(old["beginnings"], tags["beginnings"]),
        "words": words["words"],
        "rarity": words["rarity"],
        "indices": _joined(_rows(old, "indices", "starts", is_left), words["indices"]),
        "weights": _joined(_rows(old, "weights", "starts", is_left), words["weights"]),
        "starts": _joined_starts(old["starts"], is_left, words["starts"]),
        **{name: array for name, array in old.items() if name in _KEPT or name.startswith(_kept_kinds(old))},
    }
    arrays |= _precisions(old, arrays["listed"], arrays["beginnings"], names, questions, texts)
    if "voting" in old:
        is_there = np.isin(given["digests"], old["digests"])
        new = [words for words, there in zip(texts, is_there, strict=True) if not there]
        seen = count_texts(old["voting"], old["voting_beginnings"], new)
        arrays["voting_seen"] = old["voting_seen"].astype(seen.dtype) + seen
    return arrays


def _kept_kinds(old: Arrays) -> tuple[str, ...]:
    return (*_KEPT_KINDS, "linear", "pair") if LINEAR_KEPT in old else _KEPT_KINDS


def _precisions(
    old: Arrays,
    listed: np.ndarray,
    beginnings: np.ndarray,
    names: Sequence[str],
    questions: Sequence[Question],
    texts: Sequence[FoldedWords],
) -> dict[str, np.ndarray]:
    """How often listed tags stand in the questions and are theirs: less what replaced rows said, and with the new."""
    text = {hash_question(question): words for question, words in zip(questions, texts, strict=True)}
    replaced = [(row, text[digest]) for row, digest in enumerate(old["digests"].tolist()) if digest in text]
    before, after = HashedTags(old["listed"], old["beginnings"]), HashedTags(listed, beginnings)
    starts = old["given_starts"]
    had = [keys_of(names[tag] for tag in old["given"][starts[row] : starts[row + 1]]) for row, _ in replaced]
    gone = precision_arrays(len(before), [before.matches(words) for _, words in replaced], had)
    new = precision_arrays(len(listed), [after.matches(words) for words in texts], [keys_of(q.tags) for q in questions])
    places, counted = np.searchsorted(listed, old["listed"]), {}
    for name, more in new.items():
        total = more.astype(np.int64)
        # A tag that was listed after a row had been counted has nothing to give back: not below zero.
        total[places] += np.maximum(0, old[name].astype(np.int64) - gone[name])
        counted[name] = total.astype(more.dtype)
    return counted


def _rows(arrays: Arrays, values: str, starts: str, is_left: np.ndarray) -> np.ndarray:
    """The values of those rows of a sparse matrix that are left."""
    return arrays[values][np.repeat(is_left, np.diff(arrays[starts]))]


def _joined_starts(old: np.ndarray, is_left: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Where the rows begin when one matrix, of which some rows are left, is put above another."""
    return np.cumsum([0, *np.diff(old)[is_left], *np.diff(new)], dtype=np.int32)


def _joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.concatenate([first, second])
