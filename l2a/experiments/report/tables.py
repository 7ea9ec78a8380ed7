"""Figures as text: Markdown tables, percentages, mean and spread over seeds."""

import statistics
from collections.abc import Iterable, Mapping, Sequence

NOTHING = "–"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; bars and line breaks inside cells cannot break it."""
    lines = [_row(header), "|---" * len(header) + "|", *map(_row, rows)]
    return "\n".join(lines)


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def mean(shares: Sequence[float]) -> str:
    """The mean of fractions in percent."""
    return percent(statistics.fmean(shares)) if shares else NOTHING


def spread(shares: Sequence[float]) -> str:
    """Mean and range of fractions in percent: `12.3 (11.9 to 12.8)`; one value stands alone."""
    if len(shares) < 2:
        return mean(shares)
    return f"{mean(shares)} ({percent(min(shares))} to {percent(max(shares))})"


def score_cells(scores: Sequence[Mapping[str, float]]) -> list[str]:
    """P, R and F1 over the seeds; the spread is that of F1."""
    return [
        mean([score["precision"] for score in scores]),
        mean([score["recall"] for score in scores]),
        spread([score["f1"] for score in scores]),
    ]


def count_spread(counts: Sequence[int]) -> str:
    """As `spread`, for counts."""
    if len(set(counts)) < 2:
        return f"{counts[0]:,}" if counts else NOTHING
    return f"{statistics.fmean(counts):.1f} ({min(counts):,} to {max(counts):,})"


def escape(text: object) -> str:
    """Text for a table cell."""
    one_line = " ".join(str(text).split())
    # `<s>` is a word of the model, not the beginning of crossed-out text.
    return one_line.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(escape(cell) for cell in cells)} |"
