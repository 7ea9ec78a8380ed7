"""Between text and numbers: a question becomes source numbers, tags become a target sequence and back.

The word model writes `w w | w |` and an end symbol; the label model writes one symbol a tag. With copying, a
question's source words outside the target vocabulary get numbers of their own, from the vocabulary's size up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from l2a.messages import Message
from l2a.text.cleaning import MAX_CHARACTERS, join_question
from l2a.text.marks import is_mark
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import DELIMITER, END, FIRST_WORD, UNKNOWN, Vocabulary


@dataclass(frozen=True)
class EncodedSource:
    """One question as numbers."""

    words: tuple[str, ...]  # what the model reads, for labels and cues; the last `hints` of them are not of the text
    ids: np.ndarray  # (S,) source numbers
    copy_ids: np.ndarray  # (S,) target numbers, V and up for extra words, UNKNOWN for what cannot be copied
    extra_words: tuple[str, ...]  # spelling of target number V + i
    extra_inputs: np.ndarray  # (E,) embedding row of each extra word
    notes: tuple[Message, ...] = ()  # what had to be left out
    hints: int = 0  # words at the end that the network is told besides

    @property
    def text_words(self) -> tuple[str, ...]:
        """The words of the question itself."""
        return self.words[: len(self.words) - self.hints]


class Codec:
    """The segmenter and both vocabularies of one model."""

    def __init__(
        self,
        segmenter: Segmenter,
        source: Vocabulary,
        target: Vocabulary,
        *,
        kind: str = "word",
        copy: bool = False,
        share_embeddings: bool = False,
        max_source_length: int = 200,
    ):
        self.segmenter, self.source, self.target = segmenter, source, target
        self.kind, self.copy, self.share_embeddings = kind, copy, share_embeddings
        self.max_source_length = max_source_length

    def encode_question(self, title: str, description: str = "", hints: Sequence[str] = ()) -> EncodedSource:
        """Clean, segment and number a question; what had to be cut is said in `notes`.

        hints: further words for the network, behind those of the text; a text without words gets none.
        """
        text, was_cut = join_question(title, description)
        words = self.segmenter.source_words(text)
        length = len(title) + len(description)
        notes = []
        if was_cut:
            notes.append(Message("question.long_text", {"read": MAX_CHARACTERS, "total": length}))
        if len(words) > self.max_source_length:
            notes.append(Message("question.many_words", {"read": self.max_source_length, "total": len(words)}))
        return self.encode_words(words, tuple(notes), hints if words else ())

    def encode_words(
        self, words: Sequence[str], notes: tuple[Message, ...] = (), hints: Sequence[str] = ()
    ) -> EncodedSource:
        """Text words, cut where the model stops reading, and hints behind them."""
        words = (*words[: self.max_source_length], *hints)
        copy_ids = self.target.numbers(words)
        extra_words: dict[str, int] = {}
        if self.copy:
            for place, word in enumerate(words):
                # A mark stays the unknown word, which no search writes: it is said to the model, not to people.
                if copy_ids[place] == UNKNOWN and not is_mark(word):
                    copy_ids[place] = extra_words.setdefault(word, len(self.target) + len(extra_words))
        inputs = self.source.numbers(extra_words) if self.share_embeddings else [UNKNOWN] * len(extra_words)
        return EncodedSource(
            words=words,
            ids=np.asarray(self.source.numbers(words), dtype=np.int32),
            copy_ids=np.asarray(copy_ids, dtype=np.int32),
            extra_words=tuple(extra_words),
            extra_inputs=np.asarray(inputs, dtype=np.int32),
            notes=notes,
            hints=len(hints),
        )

    def tag_words(self, tag: str) -> tuple[str, ...]:
        """The units a tag is generated from: its words, or the tag itself in a label model."""
        return (tag,) if self.kind == "label" else tuple(self.segmenter.split(tag))

    def number(self, word: str, extra_words: Sequence[str] = ()) -> int:
        """Target number of a word for a question with these extra words, or UNKNOWN."""
        number = self.target.number(word)
        if number == UNKNOWN and word in extra_words:
            return len(self.target) + extra_words.index(word)
        return number

    def word(self, number: int, extra_words: Sequence[str] = ()) -> str:
        if number >= len(self.target):
            return extra_words[number - len(self.target)]
        return self.target.word(number)

    def can_write(self, tag: str, extra_words: Sequence[str] = ()) -> bool:
        """Whether the model has every word of the tag (it could generate it for such a question)."""
        return all(self.can_write_word(word, extra_words) for word in self.tag_words(tag))

    def can_write_word(self, word: str, extra_words: Sequence[str] = ()) -> bool:
        return self.number(word, extra_words) != UNKNOWN

    def encode_tags(self, tags: Sequence[str], extra_words: Sequence[str] = ()) -> list[int]:
        """Target numbers with the end symbol. A tag with an unknown word could never be spelled: it is left out."""
        numbers: list[int] = []
        for tag in tags:
            words = [self.number(word, extra_words) for word in self.tag_words(tag)]
            if UNKNOWN in words:
                continue
            numbers.extend(words)
            if self.kind == "word":
                numbers.append(DELIMITER)
        return [*numbers, END]

    def decode_tags(self, numbers: Sequence[int], extra_words: Sequence[str] = ()) -> tuple[str, ...]:
        """The complete tags of a hypothesis; words that no delimiter ended are not a tag, nor is a lone space."""
        if self.kind == "label":
            return tuple(self.word(n, extra_words) for n in numbers if n >= FIRST_WORD)
        tags: list[str] = []
        words: list[str] = []
        for number in numbers:
            if number == END:
                break
            if number != DELIMITER:
                words.append(self.word(number, extra_words))
            else:
                tag = "".join(words)
                tags.extend([tag] if tag.strip() else [])
                words = []
        return tuple(tags)
