"""Clean text in, words out: one segmenter used for questions and tags alike.

Two rules hold everywhere (paper section 4.1, "Data Preprocessing", with jieba in the place of LTP):

* a tag is split into words and joined back exactly: `"".join(split(tag)) == tag`;
* the same string is split the same way in a question and in a tag, so that a tag can be composed of the
  words of a question. Dictionary words of four or more hanzi are therefore split into shorter dictionary
  words (河北师范大学 -> 河北 师范 大学): whole tags must never be single words.
"""

import logging
import math
import re
from collections.abc import Iterable
from functools import lru_cache

import jieba

LONG_WORD = 4  # hanzi; words this long are split into shorter dictionary words
SHORT_TEXT = 200  # characters of a text whose cut is remembered

_HANZI = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")

jieba.setLogLevel(logging.WARNING)  # jieba announces its dictionary on stderr otherwise


class Segmenter:
    """jieba with a word list of its own: one instance per model, so that models never disturb each other.

    words: extra dictionary words (they travel with the checkpoint). They are added one by one with
    `add_word`; jieba's `load_userdict` would read `iPhone 15` as the word iPhone with frequency 15.
    The hidden Markov model for unknown words is off: it guesses by context, so the same name would be cut
    differently in a question and in a tag.
    """

    def __init__(self, words: Iterable[str] = ()):
        self.words = tuple(dict.fromkeys(words))
        self._jieba = jieba.Tokenizer()
        for word in self.words:
            self._jieba.add_word(word)
        # Caches of this segmenter: the same long words, titles and tags come back all the time.
        self._split_long = lru_cache(maxsize=50_000)(self._split_long_word)
        self._split_short = lru_cache(maxsize=4_000)(self._cut)

    def split(self, text: str) -> list[str]:
        """Words of `text`, white space included as tokens of its own, so that joining gives `text` back."""
        return list((self._split_short if len(text) <= SHORT_TEXT else self._cut)(text))

    def _cut(self, text: str) -> tuple[str, ...]:
        pieces: list[str] = []
        for word in self._jieba.cut(text, HMM=False):
            if len(word) < LONG_WORD:
                pieces.append(word)
            else:
                pieces.extend(self._split_long(word))
        return tuple(pieces)

    def source_words(self, text: str) -> list[str]:
        """Words of a question's clean text; white space carries nothing there and is dropped."""
        return [word for word in self.split(text) if not word.isspace()]

    def _split_long_word(self, word: str) -> tuple[str, ...]:
        """Cut runs of LONG_WORD or more hanzi inside a dictionary word; everything else stays as it is."""
        pieces: list[str] = []
        end = 0
        for run in _HANZI.finditer(word):
            if len(run.group()) < LONG_WORD:
                continue
            pieces.extend(p for p in (word[end : run.start()],) if p)
            pieces.extend(self._best_split(run.group()))
            end = run.end()
        pieces.extend(p for p in (word[end:],) if p)
        return tuple(pieces)

    def _best_split(self, run: str) -> list[str]:
        """The most probable cut of a hanzi run into dictionary words shorter than LONG_WORD (Viterbi)."""
        frequency, total = self._jieba.FREQ, math.log(self._jieba.total)
        best: list[tuple[float, int]] = [(0.0, 0)]  # (log-probability, start of the last word) up to each position
        for end in range(1, len(run) + 1):
            best.append(
                max(
                    (best[start][0] + math.log(frequency.get(run[start:end]) or 1) - total, start)
                    for start in range(max(0, end - LONG_WORD + 1), end)
                    # A single hanzi is always possible; a longer piece must be in the dictionary.
                    if end - start == 1 or frequency.get(run[start:end])
                )
            )
        words: list[str] = []
        end = len(run)
        while end:
            start = best[end][1]
            words.append(run[start:end])
            end = start
        return words[::-1]
