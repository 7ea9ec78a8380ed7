"""The arrays a retriever consists of: hashes of words, texts and listed tags, and what was counted in them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from l2a.data.questions import Question
from l2a.evidence.hashed_tags import HashedTags, beginning
from l2a.evidence.literal import TextMatch
from l2a.evidence.source import FoldedWords, hash_question
from l2a.text.cleaning import match_key
from l2a.text.hashing import hash_text, hash_word

_COUNT = np.uint32  # 16 bits wrap at 65,536: the commonest tag of the paper's questions stands in more of them


def name_arrays(names: Sequence[str]) -> dict[str, np.ndarray]:
    """Names as bytes, and where each begins: a name may hold any character, a line end too."""
    stored = [name.encode("utf-8", "surrogatepass") for name in names]
    return {
        "tags": np.frombuffer(b"".join(stored), dtype=np.uint8),
        "tag_starts": np.cumsum([0, *map(len, stored)], dtype=np.int32),
    }


def read_names(arrays: Mapping[str, np.ndarray]) -> list[str]:
    """What `name_arrays` made; models made before it had the names joined by line ends."""
    stored = bytes(arrays["tags"])
    if "tag_starts" not in arrays:
        return stored.decode("utf-8").split("\n") if stored else []
    starts = arrays["tag_starts"].tolist()
    return [stored[begin:end].decode("utf-8", "surrogatepass") for begin, end in pairwise(starts)]


def spellings_of(questions: Sequence[Question]) -> dict[str, str]:
    """Matching key -> the spelling most used, of every tag that was given; the commonest spelling first."""
    counted = Counter(tag for question in questions for tag in question.tags)
    names: dict[str, str] = {}
    for tag, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        names.setdefault(match_key(tag), tag)
    return names


def given_arrays(questions: Sequence[Question], number: Mapping[str, int]) -> dict[str, np.ndarray]:
    """The tags of each question, numbered by matching key, and a hash of its text."""
    given = [sorted({number[match_key(tag)] for tag in question.tags}) for question in questions]
    return {
        "given": np.array([tag for tags in given for tag in tags], dtype=np.int32),
        "given_starts": np.cumsum([0, *map(len, given)], dtype=np.int32),
        "digests": np.array([hash_question(question) for question in questions], dtype=np.uint64),
    }


RANK_STEPS = 16  # of a stored logarithm of a place in a list
UNKNOWN_RANK = 255 / RANK_STEPS  # of a tag that is not in the list


def word_arrays(
    texts: Sequence[FoldedWords],
    old_words: Sequence[int] | np.ndarray = (),
    old_rarity: Sequence[float] | np.ndarray = (),
    rows: int = 0,
) -> dict[str, np.ndarray]:
    """TF-IDF of the questions, with hashes for words: (1 + log count) x log rarity, rows of length one.

    old_words, old_rarity, rows: of a matrix under which this one is to be put. Its words keep their columns and their
    rarity; a word it does not have is as rare as it is among the rows of both.
    """
    counted = [Counter(map(hash_word, text.weighted())) for text in texts]
    spread = Counter(word for counts in counted for word in counts)
    fresh = sorted(spread.keys() - set(map(int, old_words)))
    words = np.array([*old_words, *fresh], dtype=np.uint32)
    column = {int(word): place for place, word in enumerate(words)}
    fresh_rarity = [np.log((1 + rows + len(texts)) / (1 + spread[word])) + 1 for word in fresh]
    rarity = np.array([*old_rarity, *fresh_rarity], dtype=np.float32)
    indices: list[np.int64] = []
    weights: list[np.float32] = []
    starts = [0]
    for counts in counted:
        columns = np.array(sorted(column[word] for word in counts), dtype=np.int64)
        row = np.array([1 + np.log(counts[int(words[place])]) for place in columns]) * rarity[columns]
        indices.extend(columns)
        weights.extend(row / max(float(np.linalg.norm(row)), 1e-9))
        starts.append(len(indices))
    return {
        "words": words,
        "rarity": rarity.astype(np.float16),
        "indices": np.array(indices, dtype=np.int32),
        "weights": np.array(weights, dtype=np.float16),
        "starts": np.array(starts, dtype=np.int32),
    }


def precision_arrays(
    listed: int, matches: Sequence[list[TextMatch]], keys: Sequence[set[str]]
) -> dict[str, np.ndarray]:
    """How often each listed tag stood in a labelled question's title or description, and was one of its tags."""
    found, right = np.zeros((listed, 2), dtype=_COUNT), np.zeros((listed, 2), dtype=_COUNT)
    for found_in_text, own in zip(matches, keys, strict=True):
        for match in found_in_text:
            found[match.place, match.column] += 1
            right[match.place, match.column] += match.key in own
    return {"found": found, "right": right}


def voting_arrays(keys: set[str], texts: Sequence[FoldedWords], listed: Sequence[str]) -> dict[str, np.ndarray]:
    """The tags that may vote, as hashes, and in how many labelled questions each stood. listed: of a list whose order
    says which tags are the best known."""
    arrays = hashed(keys)
    seen = count_texts(arrays["listed"], arrays["beginnings"], texts)
    first: dict[int, int] = {}
    for place, tag in enumerate(listed):
        first.setdefault(hash_text(squeeze(match_key(tag))), place)
    ranks = np.log1p([first.get(int(key), np.inf) for key in arrays["listed"]])
    return {
        "voting": arrays["listed"],
        "voting_beginnings": arrays["beginnings"],
        "voting_seen": seen,
        "voting_rank": np.rint(RANK_STEPS * np.minimum(ranks, UNKNOWN_RANK)).astype(np.uint8),
    }


def count_texts(listed: np.ndarray, beginnings: np.ndarray, texts: Sequence[FoldedWords]) -> np.ndarray:
    """In how many texts each listed tag stands, (listed,)."""
    finder, seen = HashedTags(listed, beginnings), np.zeros(len(listed), dtype=_COUNT)
    for words in texts:
        for match in finder.matches(words):
            seen[match.place] += 1
    return seen


def hashed(keys: set[str]) -> dict[str, np.ndarray]:
    return {
        "listed": np.array(sorted(map(hash_text, keys)), dtype=np.uint64),
        "beginnings": np.array(sorted(set(map(beginning, keys))), dtype=np.uint32),
    }


def keys_of(tags: Iterable[str]) -> set[str]:
    """As they are looked for in a text."""
    return {squeeze(match_key(tag)) for tag in tags}


def is_telling(tag: str) -> bool:
    """A single hanzi, letter or digit stands in too many texts to say anything."""
    return len(squeeze(match_key(tag))) > 1


def squeeze(key: str) -> str:
    """Words of a text are joined without the space between them."""
    return "".join(key.split())
