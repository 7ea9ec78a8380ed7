"""A heatmap of words against words: its measures on paper and screen, and as an SVG that needs no browser to make."""

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CELL = 26  # pixels; a hanzi of the labels fits in with air around it
FONT_SIZE = 14
LINE = 16  # from one stacked hanzi to the next
LONGEST_LABEL = 12  # characters; longer words are cut on the axes and whole in the hover text
MARGIN = 12
HEADING = 44  # above the labels of the columns: two lines
LEGEND = 40  # below the cells
FONTS = "'Noto Sans CJK SC', 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', 'Heiti SC', SimHei, sans-serif"

# One hue, from the page's ground to its far end: more is darker on paper, brighter on a dark screen.
LIGHT_SCALE = ("#f1f6f4", "#5aa796", "#06382f")
DARK_SCALE = ("#1c2423", "#2f8f7d", "#c9f5ea")

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Heatmap:
    """Weights with the words of their rows and columns."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: np.ndarray  # (rows, columns), 0 and up
    breaks: tuple[int, ...] = ()  # rows before which a thin line is drawn: another tag begins
    heading: tuple[str, ...] = ()  # at most two lines
    top: float | None = None  # the weight of the darkest colour; by default the greatest one here

    @property
    def darkest(self) -> float:
        return self.top or float(self.weights.max(initial=0.0)) or 1.0


@dataclass(frozen=True)
class Measures:
    """Where things are, in pixels."""

    left: int  # room for the labels of the rows
    above: int  # room for the labels of the columns
    width: int  # of all cells
    height: int


def measure(heatmap: Heatmap) -> Measures:
    return Measures(
        left=MARGIN + max((text_width(cut(word)) for word in heatmap.rows), default=0) + 6,
        above=MARGIN + max((label_height(word) for word in heatmap.columns), default=0) + 6,
        width=CELL * len(heatmap.columns),
        height=CELL * len(heatmap.rows),
    )


def cut(word: str) -> str:
    """A word as an axis shows it."""
    return word if len(word) <= LONGEST_LABEL else word[: LONGEST_LABEL - 1] + "…"


def is_stacked(word: str) -> bool:
    """Whether a label stands upright, one character under the other: if all of them are wide, or there is one."""
    return len(word) == 1 or all(_is_wide(character) for character in word)


def text_width(word: str) -> int:
    return sum(FONT_SIZE if _is_wide(character) else 8 for character in word)


def label_height(word: str) -> int:
    """Of a column's label, stacked or turned."""
    word = cut(word)
    return LINE * len(word) if is_stacked(word) else text_width(word)


def colour(weight: float, darkest: float, scale: Sequence[str] = LIGHT_SCALE) -> str:
    """The scale's colour for a weight, as #rrggbb."""
    place = min(1.0, max(0.0, weight / darkest)) * (len(scale) - 1)
    before = min(int(place), len(scale) - 2)
    share = place - before
    ends = [[int(code[i : i + 2], 16) for i in (1, 3, 5)] for code in scale[before : before + 2]]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True))


def to_svg(heatmap: Heatmap) -> str:
    """The heatmap as an SVG file of its own, dark on white, with each weight in its cell's tooltip."""
    room = measure(heatmap)
    top = HEADING + room.above
    width = max(room.left + room.width + MARGIN, 360)
    height = top + room.height + LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{html.escape(FONTS)}" font-size="{FONT_SIZE}" fill="#1d2524">',
        f"<title>{_text(' '.join(heatmap.heading))}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_heading(heatmap.heading, width),
        *(_column_label(word, room.left + CELL * i + CELL / 2, top - 6) for i, word in enumerate(heatmap.columns)),
        *(_row_label(word, room.left - 6, top + CELL * i + CELL / 2) for i, word in enumerate(heatmap.rows)),
        *_cells(heatmap, room.left, top),
        *(
            f'<path d="M{MARGIN} {top + CELL * row}H{room.left + room.width}" stroke="#8a9693" stroke-width="1"/>'
            for row in heatmap.breaks
        ),
        *_legend(heatmap.darkest, room.left, top + room.height + 14),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heading(lines: Sequence[str], width: int) -> list[str]:
    return [
        f'<text x="{MARGIN}" y="{20 + 18 * i}" font-size="13" fill="{"#1d2524" if i == 0 else "#5c6865"}">'
        f"{_text(fit(line, width - 2 * MARGIN))}</text>"
        for i, line in enumerate(lines[:2])
    ]


def _column_label(word: str, x: float, bottom: float) -> str:
    shown = cut(word)
    if not is_stacked(shown):
        return f'<text transform="translate({x + 5:g} {bottom:g}) rotate(-90)">{_text(shown)}</text>'
    first = bottom - LINE * (len(shown) - 1) - 3
    lines = "".join(f'<tspan x="{x:g}" y="{first + LINE * i:g}">{_text(c)}</tspan>' for i, c in enumerate(shown))
    return f'<text text-anchor="middle">{lines}</text>'


def _row_label(word: str, x: float, y: float) -> str:
    return f'<text x="{x:g}" y="{y + 5:g}" text-anchor="end">{_text(cut(word))}</text>'


def _cells(heatmap: Heatmap, left: int, top: int) -> list[str]:
    return [
        f'<rect x="{left + CELL * j}" y="{top + CELL * i}" width="{CELL - 1}" height="{CELL - 1}" '
        f'fill="{colour(float(weight), heatmap.darkest)}">'
        f"<title>{_text(heatmap.rows[i])} → {_text(heatmap.columns[j])}: {weight:.4f}</title></rect>"
        for i, row in enumerate(heatmap.weights)
        for j, weight in enumerate(row)
    ]


def _legend(darkest: float, x: int, y: int) -> list[str]:
    steps = 24
    bars = [
        f'<rect x="{x + 22 + 5 * i}" y="{y}" width="5" height="10" fill="{colour(i, steps - 1)}"/>'
        for i in range(steps)
    ]
    numbers = f'font-size="11" fill="#5c6865" y="{y + 9}"'
    return [
        f'<text x="{x}" {numbers}>0.0</text>',
        *bars,
        f'<text x="{x + 28 + 5 * steps}" {numbers}>{darkest:.3f}</text>',
    ]


def fit(line: str, width: int) -> str:
    """A line cut to a width."""
    if text_width(line) <= width:
        return line
    while line and text_width(line) > width - FONT_SIZE:
        line = line[:-1]
    return line + "…"


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _text(text: str) -> str:
    """Escaped, and without the few characters that no XML file may hold."""
    return html.escape(_NOT_XML.sub("", text))
