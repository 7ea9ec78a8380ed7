"""The arrays a retriever consists of: hashes of words, texts and listed tags, and what was counted in them."""

import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from l2a.data import Question
from l2a.listed_tags import ListedTags, Run, beginning, hash_text
from l2a.literal import Cut
from l2a.text import match_key


def joined_starts(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Where the rows of two matrices begin when one is put under the other."""
    return np.concatenate([first, first[-1] + second[1:]])


def word_arrays(cuts: Sequence[Cut]) -> dict[str, np.ndarray]:
    """TF-IDF of the questions, with hashes for words: (1 + log count) x log rarity, rows of length one."""
    counted = [Counter(map(hash_word, one.weighted())) for one in cuts]
    spread = Counter(word for counts in counted for word in counts)
    words = np.array(sorted(spread), dtype=np.uint32)
    column = {int(word): place for place, word in enumerate(words)}
    rarity = np.array([np.log((1 + len(cuts)) / (1 + spread[int(word)])) + 1 for word in words], dtype=np.float32)
    indices, weights, starts = [], [], [0]
    for counts in counted:
        columns = np.array(sorted(column[word] for word in counts), dtype=np.int64)
        row = np.array([1 + np.log(counts[int(words[place])]) for place in columns]) * rarity[columns]
        indices.extend(columns)
        weights.extend(row / max(np.linalg.norm(row), 1e-9))
        starts.append(len(indices))
    return {
        "words": words,
        "rarity": rarity.astype(np.float16),
        "indices": np.array(indices, dtype=np.int32),
        "weights": np.array(weights, dtype=np.float16),
        "starts": np.array(starts, dtype=np.int32),
    }


def precision_arrays(listed: int, runs: Sequence[list[Run]], keys: Sequence[set[str]]) -> dict[str, np.ndarray]:
    """How often each listed tag stood in a labelled question's title or description, and was one of its tags."""
    found, right = np.zeros((listed, 2), dtype=np.uint16), np.zeros((listed, 2), dtype=np.uint16)
    for one, own in zip(runs, keys, strict=True):
        for run in one:
            found[run.place, run.column] += 1
            right[run.place, run.column] += run.key in own
    return {"found": found, "right": right}


def voting_arrays(keys: set[str], cuts: Sequence[Cut]) -> dict[str, np.ndarray]:
    """The tags that may vote, as hashes, and in how many labelled questions each stood."""
    arrays = hashed(keys)
    finder, seen = ListedTags(arrays["listed"], arrays["beginnings"]), np.zeros(len(keys), dtype=np.uint16)
    for one in cuts:
        for run in finder.runs(one):
            seen[run.place] += 1
    return {"voting": arrays["listed"], "voting_beginnings": arrays["beginnings"], "voting_seen": seen}


def hashed(keys: set[str]) -> dict[str, np.ndarray]:
    return {
        "listed": np.array(sorted(map(hash_text, keys)), dtype=np.uint64),
        "beginnings": np.array(sorted(set(map(beginning, keys))), dtype=np.uint32),
    }


def is_telling(tag: str) -> bool:
    """A single hanzi, letter or digit stands in too many texts to say anything."""
    return len(squeeze(match_key(tag))) > 1


def squeeze(key: str) -> str:
    """Words of a text are joined without the space between them."""
    return "".join(key.split())


def hash_word(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


def hash_question(question: Question) -> int:
    return hash_text(f"{match_key(question.title)}\n{match_key(question.description)}")
