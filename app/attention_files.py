"""What the attention page lets one take away: PNG, CSV and NPZ (the SVG is app/heatmap_svg.py's)."""

import csv
import io
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from app.heatmap_svg import CELL, LIGHT_SCALE, Heatmap, cut, fit, is_stacked, measure
from db.formats.escape import guard

if TYPE_CHECKING:
    from l2a.explain import Explanation

PNG_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Micro Hei",
    "Noto Sans CJK JP",  # the file of all CJK fonts is often listed under this name only; it has the hanzi too
    "Arial Unicode MS",
)
DPI = 192  # twice the screen's
POINTS = 72 / 96  # of a pixel on the screen


@cache
def png_font() -> str | None:
    """The first font here that has hanzi, or None: then they would come out as boxes."""
    from matplotlib import font_manager  # here and not above: it looks through the machine's fonts

    known = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in PNG_FONTS if name in known), None)


def to_png(heatmap: Heatmap) -> bytes:
    """The heatmap as a picture, dark on white; drawn without pyplot, whose state all threads would share."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    room = measure(heatmap)
    heading, below = 20 * len(heatmap.heading[:2]) + 8, 44
    width = max(room.left + room.width + 12, 360)
    height = heading + room.above + room.height + below
    figure = Figure(figsize=(width / 96, height / 96), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes(
        (room.left / width, below / height, room.width / width, room.height / height), frame_on=False
    )
    image = axes.imshow(
        heatmap.weights,
        cmap=LinearSegmentedColormap.from_list("l2a", LIGHT_SCALE),
        vmin=0.0,
        vmax=heatmap.darkest,
        aspect="auto",
        interpolation="nearest",
    )
    font = {"family": png_font() or "sans-serif", "size": 13 * POINTS, "parse_math": False}
    axes.set(xticks=[], yticks=[])
    for i, word in enumerate(heatmap.rows):
        axes.text(-0.5 - 6 / CELL, i, cut(word), ha="right", va="center", **font)
    for j, word in enumerate(heatmap.columns):
        shown = cut(word)
        upright = "\n".join(shown) if is_stacked(shown) else shown
        turned = {} if is_stacked(shown) else {"rotation": 90}
        axes.text(j, -0.5 - 6 / CELL, upright, ha="center", va="bottom", linespacing=1.05, **turned, **font)
    for row in heatmap.breaks:
        axes.axhline(row - 0.5, color="#8a9693", linewidth=0.75)
    for i, line in enumerate(heatmap.heading[:2]):
        grey = "#1d2524" if i == 0 else "#5c6865"
        figure.text(12 / width, 1 - (20 + 18 * i) / height, fit(line, width - 24), color=grey, va="baseline", **font)
    bar = figure.add_axes((room.left / width, 22 / height, 120 / width, 10 / height))
    figure.colorbar(image, cax=bar, orientation="horizontal").outline.set_visible(False)
    bar.tick_params(labelsize=8, length=2)
    bar.set_xticks([0.0, heatmap.darkest], labels=["0", f"{heatmap.darkest:.3f}"])
    stream = io.BytesIO()
    canvas.print_png(stream)
    return stream.getvalue()


def to_csv(heatmap: Heatmap) -> bytes:
    """One weight a line: a word that occurs twice stays two. With the mark that makes Excel read UTF-8."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["row", "row_word", "column", "column_word", "weight"])
    for i, row_word in enumerate(heatmap.rows):
        for j, column_word in enumerate(heatmap.columns):
            weight = f"{heatmap.weights[i, j]:.6f}"
            writer.writerow([i + 1, guard(row_word), j + 1, guard(column_word), weight])
    return ("\ufeff" + stream.getvalue()).encode()


def to_npz(explanation: "Explanation", heatmap: Heatmap) -> bytes:
    """All weights of all layers and heads, the words, and the matrix that was shown; numpy.load reads it."""
    arrays = {
        "shown": heatmap.weights,
        "cross": explanation.cross,
        "log_probabilities": explanation.log_probabilities,
        "tag_of_step": np.array(explanation.tag_of_step, dtype=np.int64),
        "source_words": np.array(explanation.source_words, dtype=np.str_),
        "input_words": np.array(explanation.input_words, dtype=np.str_),
        "output_words": np.array(explanation.output_words, dtype=np.str_),
        "tags": np.array(explanation.tags, dtype=np.str_),
        "model_version": np.array(explanation.model_version, dtype=np.str_),
    }
    if explanation.self is not None:
        arrays["self"] = explanation.self
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()
