"""Texts as numbers that cannot be read back: the same text always has the same one, on every machine."""

import hashlib
import zlib


def hash_text(text: str) -> int:
    """64 bits: two texts never meet in practice."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def hash_word(word: str) -> int:
    """32 bits, quickly: a few words in a million meet."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))
