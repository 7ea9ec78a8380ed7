"""Other spellings of listed tags: lists write 比特币(Bitcoin) and 围城(小说), people write 比特币, Bitcoin and 围城.

Unlike other listed tags these are kept by name: what stands in the text is not what the tag is called.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from l2a.evidence.arrays import hashed, is_telling, name_arrays, read_names, squeeze
from l2a.evidence.belief import describe, fit
from l2a.evidence.hashed_tags import HashedTags
from l2a.evidence.literal import TextMatch
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import clean, match_key
from l2a.text.hashing import hash_text

KINDS_FROM = 2  # tags with the same words in brackets, which then say of what kind they are: (人物), (电影)
LEAST_EXAMPLES = 10  # right ones among the labelled questions, for a belief to mean anything
BELIEFS = 13
_IN_BRACKETS = re.compile(r"(?P<name>.+?)\s*[(（](?P<inside>[^()（）]+)[)）]")


@dataclass(frozen=True)
class Alias:
    """A listed tag of which another spelling stands in the text."""

    tag: str
    is_inside: bool  # it is what the tag has in brackets
    match: TextMatch
    described: list[float]


def spellings(tags: Iterable[str]) -> dict[str, tuple[str, bool]]:
    """Key of another spelling -> tag, and whether it stands in brackets there; of two tags the earlier one has it."""
    parts = [(tag, found) for tag in tags if (found := _IN_BRACKETS.fullmatch(clean(tag)))]
    kinds = Counter(match_key(found["inside"]) for _, found in parts)
    keys: dict[str, tuple[str, bool]] = {}
    for group, is_inside in (("name", False), ("inside", True)):
        for tag, found in parts:
            key = match_key(found[group])
            if is_telling(key) and not (is_inside and kinds[key] >= KINDS_FROM):
                keys.setdefault(squeeze(key), (tag, is_inside))
    return keys


class Aliases:
    """The spellings, ready to be looked for."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._tags = read_names({"tags": arrays["alias_tags"], "tag_starts": arrays["alias_tag_starts"]})
        self._finder = HashedTags(arrays["aliases"], arrays["alias_beginnings"])
        self._of = arrays["alias_of"]  # (n,) place of the tag
        self._inside = arrays["alias_inside"]  # (n,) 0 or 1
        self._is_listed = arrays["alias_listed"]  # (n,) 1: the spelling is a listed tag itself
        self._found, self._right = arrays["alias_found"], arrays["alias_right"]  # (n,) in labelled questions
        self._belief = arrays["alias_belief"]  # (BELIEFS,) or nothing

    @classmethod
    def learn(
        cls, tags: Sequence[str], listed: set[str], texts: Sequence[FoldedWords], own: Sequence[set[str]]
    ) -> dict[str, np.ndarray]:
        """Arrays of the spellings of these tags, the better known first. listed: keys of all tags there are. own: keys
        of the tags of each labelled text."""
        keys = spellings(tags)
        names = sorted({tag for tag, _ in keys.values()})
        place = {tag: number for number, tag in enumerate(names)}
        finder = hashed(set(keys))
        by_hash = {hash_text(key): key for key in keys}
        ordered = [by_hash[int(number)] for number in finder["listed"]]
        stored = name_arrays(names)
        arrays = {
            "alias_tags": stored["tags"],
            "alias_tag_starts": stored["tag_starts"],
            "aliases": finder["listed"],
            "alias_beginnings": finder["beginnings"],
            "alias_of": np.array([place[keys[key][0]] for key in ordered], dtype=np.int32),
            "alias_inside": np.array([keys[key][1] for key in ordered], dtype=np.uint8),
            "alias_listed": np.array([key in listed for key in ordered], dtype=np.uint8),
            "alias_found": np.zeros(len(ordered), dtype=np.uint32),
            "alias_right": np.zeros(len(ordered), dtype=np.uint32),
            "alias_belief": np.zeros(0),
        }
        aliases = cls(arrays)
        matched = [aliases._finder.matches(words) for words in texts]
        for matches, keys_of_text in zip(matched, own, strict=True):
            for match in matches:
                arrays["alias_found"][match.place] += 1
                arrays["alias_right"][match.place] += aliases._key(match) in keys_of_text
        described: list[list[float]] = []
        is_right: list[bool] = []
        for words, keys_of_text in zip(texts, own, strict=True):
            for alias in aliases.find(words, keys_of_text):
                described.append(alias.described)
                is_right.append(squeeze(match_key(alias.tag)) in keys_of_text)
        if sum(is_right) >= LEAST_EXAMPLES:
            arrays["alias_belief"] = fit(np.array(described), np.array(is_right))
        return arrays

    def __contains__(self, spelling: str) -> bool:
        return squeeze(match_key(spelling)) in self._finder

    def find(self, words: FoldedWords, own: set[str] | None = None) -> list[Alias]:
        """own: the tags of a labelled question, which is then left out of all counts; None for another question."""
        matches = self._finder.matches(words)
        best: defaultdict[int, list[Alias]] = defaultdict(list)
        for match in matches:
            is_own = own is not None
            right = float(self._right[match.place]) - (is_own and self._key(match) in (own or ()))
            found = float(self._found[match.place]) - is_own
            tag = int(self._of[match.place])
            described = [
                *describe(match, words, len(matches), found - right),
                np.log1p(right),
                np.log1p(found),
                (right + 0.2) / (found + 2),
                float(self._inside[match.place]),
                float(self._is_listed[match.place]),
            ]
            best[tag].append(Alias(self._tags[tag], bool(self._inside[match.place]), match, described))
        return [found[0] for found in best.values()]

    def probability(self, alias: Alias) -> float | None:
        return float(expit(np.asarray(alias.described) @ self._belief)) if len(self._belief) else None

    def _key(self, match: TextMatch) -> str:
        return squeeze(match_key(self._tags[self._of[match.place]]))
