"""The pictures: bars, lines and heatmaps as PNG, without a window system. Values are handed in as they are shown."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from l2a.hanzi_fonts import hanzi_font

COLOURS = ("#1f4e9c", "#e07b39", "#5b9f5b", "#9db4d6", "#b04a5a", "#888888")
DPI = 110

Bars = Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]]  # title -> series -> label -> values of every seed


def draw_bars(path: Path, panels: Bars, ylabel: str) -> None:
    """A line shows how far the seeds lie apart."""
    with _figure(path, len(panels), height=4.2) as axes:
        for axis, (title, series) in zip(axes, panels.items(), strict=True):
            labels = list(dict.fromkeys(label for bars in series.values() for label in bars))
            width = 0.8 / max(1, len(series))
            for number, (name, bars) in enumerate(series.items()):
                places = [labels.index(label) + (number - (len(series) - 1) / 2) * width for label in bars]
                heights = [float(np.mean(values)) if len(values) else 0.0 for values in bars.values()]
                lows = [h - min(v, default=h) for h, v in zip(heights, bars.values(), strict=True)]
                highs = [max(v, default=h) - h for h, v in zip(heights, bars.values(), strict=True)]
                errors = None if all(len(values) < 2 for values in bars.values()) else [lows, highs]
                axis.bar(places, heights, width, yerr=errors, capsize=3, label=name, color=COLOURS[number % 6])
            axis.set_xticks(range(len(labels)), map(readable, labels), rotation=30, ha="right", fontsize=8)
            axis.set(title=readable(title), ylabel=ylabel)
            if len(series) > 1:
                axis.legend(fontsize=8)


def draw_lines(
    path: Path,
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    xlabels: Sequence[str],
    ylabel: str,
    logarithmic: bool = False,
    marks: Mapping[str, Sequence[tuple[float, float, str]]] | None = None,
) -> None:
    """panels: title -> series -> points; marks: title -> named points, written beside the line."""
    with _figure(path, len(panels), height=4.2) as axes:
        for axis, (title, series), xlabel in zip(axes, panels.items(), xlabels, strict=True):
            for number, (name, points) in enumerate(series.items()):
                style = "-" if logarithmic else "o-"
                axis.plot(*zip(*points, strict=True), style, label=name, color=COLOURS[number % 6], markersize=4)
            for place, (x, y, name) in enumerate(sorted((marks or {}).get(title, ()))):
                axis.plot([x], [y], "o", color=COLOURS[1], markersize=4)
                # Right above and left below in turn: a falling line leaves room there, and neighbours keep apart.
                beside, side = ((5, 5), "left") if place % 2 == 0 else ((-5, -11), "right")
                axis.annotate(readable(name), (x, y), xytext=beside, textcoords="offset points", ha=side, fontsize=8)
            if logarithmic:
                axis.set(xscale="log", yscale="log")
            else:
                axis.locator_params(axis="x", nbins=6)  # more would run into each other where numbers are long
            axis.set(title=readable(title), xlabel=xlabel, ylabel=ylabel)
            if len(series) > 1:
                axis.legend(fontsize=8)


def draw_intervals(path: Path, panels: Mapping[str, Mapping[str, tuple[float, float, float]]], xlabel: str) -> None:
    """panels: title -> label -> (low, value, high), a line each, the first on top; 0 is marked."""
    lines = max(map(len, panels.values()), default=0)
    with _figure(path, len(panels), height=1.4 + 0.32 * lines) as axes:
        for axis, (title, rows) in zip(axes, panels.items(), strict=True):
            places = range(len(rows), 0, -1)
            axis.axvline(0, color=COLOURS[5], linewidth=1)
            for place, (low, value, high) in zip(places, rows.values(), strict=True):
                colour = COLOURS[0] if low > 0 else COLOURS[4] if high < 0 else COLOURS[5]
                axis.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="o", color=colour, capsize=3)
            axis.set_yticks(list(places), list(map(readable, rows)), fontsize=8)
            axis.set(title=readable(title), xlabel=xlabel)


def draw_heatmaps(path: Path, maps: Sequence[tuple[str, np.ndarray, Sequence[str], Sequence[str]]]) -> None:
    """maps: (title, weights (rows, columns), row labels, column labels), one below the other; darker is more."""
    height = sum(1.6 + 0.3 * len(rows) for _, _, rows, _ in maps)
    with _figure(path, len(maps), height=max(4.0, height), is_column=True) as axes:
        for axis, (title, weights, rows, columns) in zip(axes, maps, strict=True):
            image = axis.imshow(weights, cmap="Blues", vmin=0.0, aspect="auto")
            axis.set_xticks(range(len(columns)), map(readable, columns), rotation=45, ha="right", fontsize=8)
            axis.set_yticks(range(len(rows)), map(readable, rows), fontsize=8)
            axis.set_title(readable(title), fontsize=9)
            axis.figure.colorbar(image, ax=axis, fraction=0.02)


def readable(text: str) -> str:
    """As it is where a font has hanzi, else in pinyin, as the paper does; never read as a formula."""
    text = str(text).replace("$", "\\$")
    if hanzi_font() or text.isascii():
        return text
    from pypinyin import lazy_pinyin

    return " ".join(lazy_pinyin(text))


@contextmanager
def _figure(path: Path, panels: int, height: float, is_column: bool = False) -> Iterator[list]:
    """Axes to draw on; the picture is written when the block ends."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure  # no pyplot: no window system, no global state

    families = [name for name in ("DejaVu Sans", hanzi_font()) if name]  # a glyph is taken from the first that has it
    with rc_context({"font.family": families, "axes.unicode_minus": False}):
        size = (9.0, height) if is_column else (max(6.0, 5.0 * panels), height)
        figure = Figure(figsize=size, layout="constrained")
        shape = (panels, 1) if is_column else (1, panels)
        yield list(figure.subplots(*shape, squeeze=False).flat)
        figure.savefig(path, dpi=DPI)
