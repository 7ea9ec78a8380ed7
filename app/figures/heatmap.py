"""A heatmap of words against words: what it shows and how large. Whoever draws it asks here.

Plotly draws it on the page (app/figures/heatmap_screen.py), matplotlib into files (app/figures/heatmap_files.py).
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np

from app.figures.labels import shortened

CELL = 26  # pixels; a hanzi of the labels fits in with air around it
FONT_SIZE = 14
LINE = 16  # from one stacked hanzi to the next
LONGEST_LABEL = 12  # characters; longer words are cut on the axes and whole in the hover text
MARGIN = 12
SPACE = "␣"

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Heatmap:
    """Weights with the words of their rows and columns."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: np.ndarray  # (rows, columns), 0 and up
    mask: np.ndarray | None = None  # (rows, columns), true where there can be no weight: such cells are hatched
    breaks: tuple[int, ...] = ()  # rows before which a thin line is drawn: another tag begins
    top: float | None = None  # the weight of the darkest colour; by default the greatest one here

    @property
    def darkest(self) -> float:
        return self.top or self.greatest or 1.0

    @property
    def greatest(self) -> float:
        return float(self.weights.max(initial=0.0))

    @property
    def shown_weights(self) -> np.ndarray:
        """(rows, columns), not a number where there can be no weight."""
        return self.weights if self.mask is None else np.where(self.mask, np.nan, self.weights)

    @property
    def masked(self) -> np.ndarray:
        """(n, 2): row and column of each cell without a weight."""
        return np.argwhere(self.mask) if self.mask is not None else np.zeros((0, 2), dtype=int)

    def row_labels(self, longest: int = LONGEST_LABEL) -> list[str]:
        return [shown(word, longest) for word in self.rows]

    def column_labels(self, longest: int = LONGEST_LABEL) -> list[str]:
        return [shown(word, longest) for word in self.columns]


@dataclass(frozen=True)
class Measures:
    """Where things are, in pixels."""

    left: int  # room for the labels of the rows
    above: int  # room for the labels of the columns
    width: int  # of all cells
    height: int


def make_comparable(heatmaps: Sequence[Heatmap]) -> list[Heatmap]:
    """With one scale and the same columns, so that the same place and the same colour mean the same in all.

    A word that only one of them has, because another model cuts the text in another way, is a masked column of the
    other.
    """
    top = max((heatmap.greatest for heatmap in heatmaps), default=0.0) or None
    if len(heatmaps) == 2 and heatmaps[0].columns != heatmaps[1].columns:
        heatmaps = _with_same_columns(*heatmaps)
    return [replace(heatmap, top=top) for heatmap in heatmaps]


def measure(*heatmaps: Heatmap) -> Measures:
    """Of a heatmap, or with the same room for the labels of several."""
    rows = [word for heatmap in heatmaps for word in heatmap.rows]
    columns = [word for heatmap in heatmaps for word in heatmap.columns]
    return Measures(
        left=MARGIN + max((text_width(shown(word)) for word in rows), default=0) + 6,
        above=MARGIN + max((label_height(word) for word in columns), default=0) + 6,
        width=CELL * len(heatmaps[0].columns),
        height=CELL * len(heatmaps[0].rows),
    )


def shown(word: str, longest: int = LONGEST_LABEL) -> str:
    """A word as an axis shows it: cut, and seen even if it is a space only."""
    word = writable(word) if writable(word).strip() else SPACE * max(1, len(writable(word)))
    return shortened(word, longest)


def whole(word: str) -> str:
    """A word as a hover text shows it."""
    return shown(word, longest=1000)


def writable(line: str) -> str:
    """Without the few characters that no XML file may hold."""
    return _NOT_XML.sub("", line)


def is_stacked(word: str) -> bool:
    """Whether a label stands upright, one character under the other: if all of them are wide, or there is one."""
    return len(word) == 1 or all(_is_wide(character) for character in word)


def text_width(word: str) -> int:
    return sum(FONT_SIZE if _is_wide(character) else 8 for character in word)


def label_height(word: str) -> int:
    """Of a column's label, stacked or turned."""
    word = shown(word)
    return LINE * len(word) if is_stacked(word) else text_width(word)


def _with_same_columns(first: Heatmap, second: Heatmap) -> list[Heatmap]:
    places: list[tuple[int | None, int | None]] = []  # of each common column in both
    columns: list[str] = []
    matcher = SequenceMatcher(a=first.columns, b=second.columns, autojunk=False)
    for what, a, a_end, b, b_end in matcher.get_opcodes():
        if what == "equal":
            places += zip(range(a, a_end), range(b, b_end), strict=True)
            columns += first.columns[a:a_end]
        else:
            places += [(place, None) for place in range(a, a_end)]
            places += [(None, place) for place in range(b, b_end)]
            columns += (*first.columns[a:a_end], *second.columns[b:b_end])
    return [
        _spread(heatmap, [pair[which] for pair in places], tuple(columns))
        for which, heatmap in enumerate((first, second))
    ]


def _spread(heatmap: Heatmap, places: Sequence[int | None], columns: tuple[str, ...]) -> Heatmap:
    """With each column at its new place, and masked ones between them."""
    weights = np.zeros((len(heatmap.rows), len(places)))
    mask = np.ones(weights.shape, dtype=bool)
    for new, old in enumerate(places):
        if old is not None:
            weights[:, new] = heatmap.weights[:, old]
            mask[:, new] = False if heatmap.mask is None else heatmap.mask[:, old]
    return replace(heatmap, columns=columns, weights=weights, mask=mask)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
