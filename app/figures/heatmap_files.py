"""Heatmaps as figures for a paper: SVG, PNG and PDF, dark on white, drawn by matplotlib.

All labels of an axis stand in one direction, axes and colour bar have titles and numbers, masked cells are hatched.
Two models stand one above the other, so that a word's column runs through both.
"""

import io
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.figures.colours import GREY, INK, LIGHT_SCALE
from app.figures.heatmap import Heatmap, measure, text_width, writable
from l2a.hanzi_fonts import hanzi_font

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

KINDS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
DPI = 300
PIXELS = 96  # an inch; measures are those of the screen
SIZE = 10.5  # points, 14 pixels
LONGEST_LABEL = 24
_one_at_a_time = threading.Lock()  # matplotlib's settings are those of the whole process


@dataclass(frozen=True)
class Panel:
    """A heatmap with the line above it, which names its model."""

    heatmap: Heatmap
    title: str


@dataclass(frozen=True)
class Titles:
    """Of the axes and of the colour bar."""

    rows: str
    columns: str
    weight: str


def can_draw(kind: str) -> bool:
    """Whether hanzi come out right: an SVG may leave its letters to the fonts of whoever opens it, others may not."""
    return kind == "svg" or hanzi_font() is not None


def write(panels: Sequence[Panel], titles: Titles, about: str, kind: str) -> bytes:
    """The file of a kind of KINDS; `about` says in its description what is shown."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure  # no pyplot, whose state all threads would share

    about = writable(about)
    described = {
        "svg": {"Title": "L2A Studio", "Description": about, "Date": None},
        "png": {"Title": "L2A Studio", "Description": about},
        "pdf": {"Title": "L2A Studio", "Subject": about, "CreationDate": None},
    }
    # Letters are drawn as shapes, which look the same everywhere, if this machine has them.
    letters = "path" if hanzi_font() else "none"
    stream = io.BytesIO()
    with _one_at_a_time, rc_context({"svg.fonttype": letters}):
        figure = Figure(facecolor="white")
        _draw(figure, panels, titles)
        figure.savefig(stream, format=kind, dpi=DPI, bbox_inches="tight", pad_inches=0.1, metadata=described[kind])
    return stream.getvalue()


def width_on_screen(png: bytes) -> int:
    """In pixels, at the size it has in print; the width stands at the beginning of a PNG."""
    return int.from_bytes(png[16:20], "big") * PIXELS // DPI


def _draw(figure: "Figure", panels: Sequence[Panel], titles: Titles) -> None:
    """Cells have one size; what stands around them is cut out by `bbox_inches`, so that nothing is cut off."""
    width = measure(panels[0].heatmap).width
    heights = [measure(panel.heatmap).height for panel in panels]
    heads = [_wrapped(writable(panel.title), max(width, 260)) for panel in panels]
    gaps = [(38 if place else 26) + 18 * head.count("\n") for place, head in enumerate(heads)]
    whole = sum(heights) + sum(gaps)
    figure.set_size_inches(width / PIXELS, whole / PIXELS)
    top = whole
    drawn = []
    for panel, head, gap, height in zip(panels, heads, gaps, heights, strict=True):
        top -= gap + height
        axes = figure.add_axes((0, top / whole, 1, height / whole))
        axes.text(0, 1 + 8 / height, head, transform=axes.transAxes, va="bottom", **_font())
        drawn.append(_draw_cells(axes, panel.heatmap, titles.rows))
    _name_columns(figure.axes[-1], panels[-1].heatmap, titles.columns)
    tall = min(sum(heights) + sum(gaps[1:]), 190)
    bar = figure.add_axes((1 + 16 / width, (whole - gaps[0] - tall) / whole, 12 / width, tall / whole))
    colours = figure.colorbar(drawn[0], cax=bar)
    colours.outline.set_visible(False)
    colours.locator = _five_numbers()
    bar.tick_params(labelsize=SIZE - 1.5, length=3, labelcolor=INK, color=GREY, labelfontfamily=_font()["family"])
    bar.set_ylabel(titles.weight, **_font())


def _draw_cells(axes: "Axes", heatmap: Heatmap, title: str) -> "QuadMesh":
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    mesh = axes.pcolormesh(
        np.ma.masked_invalid(heatmap.shown_weights),
        cmap=LinearSegmentedColormap.from_list("l2a", LIGHT_SCALE),
        vmin=0.0,
        vmax=heatmap.darkest,
        edgecolors="white",
        linewidth=0.75,
    )
    for row, column in heatmap.masked:
        axes.add_patch(Rectangle((column, row), 1, 1, fill=False, hatch="////", edgecolor="#b9c2c0", linewidth=0))
    for row in heatmap.breaks:
        axes.axhline(row, color=GREY, linewidth=0.75)
    axes.set(xlim=(0, len(heatmap.columns)), ylim=(len(heatmap.rows), 0), frame_on=False, xticks=[])
    words = heatmap.row_labels(LONGEST_LABEL)
    axes.set_yticks(np.arange(len(words)) + 0.5, words, **_font())
    axes.tick_params(length=0, pad=4)
    axes.set_ylabel(title, labelpad=6, **_font())
    return mesh


def _name_columns(axes: "Axes", heatmap: Heatmap, title: str) -> None:
    """Below the lowest cells, all in one direction."""
    axes.set_xticks(
        np.arange(len(heatmap.columns)) + 0.5,
        heatmap.column_labels(LONGEST_LABEL),
        rotation=45,
        ha="right",
        va="top",
        rotation_mode="anchor",
        **_font(),
    )
    axes.set_xlabel(title, labelpad=6, **_font())


def _five_numbers() -> "MaxNLocator":
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(5)


def _font() -> dict[str, Any]:  # what matplotlib calls text properties, which have types of all kinds
    """A glyph comes from the first that has it; words are never read as formulas."""
    family = [name for name in (hanzi_font(), "DejaVu Sans") if name]
    return {"family": family, "size": SIZE, "color": INK, "parse_math": False}


def _wrapped(line: str, width: int) -> str:
    """On as many lines as it needs: a model's id is never cut."""
    lines = [""]
    for sign in line:
        if text_width(lines[-1] + sign) > width:
            lines.append("")
        lines[-1] += sign
    return "\n".join(lines)
