"""What a simulation found, to be read: a table and a picture. Figures are in percent, means over the orders."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from l2a.simulation.simulate import Point

COLOURS = ("#1f4e9c", "#e07b39", "#5b9f5b", "#888888")
NONE = "–"


def to_markdown(points: Sequence[Point], facts: Mapping[str, object]) -> str:
    """facts: named in the line above the tables."""
    counts, methods = _counts(points), _methods(points)
    first = next(iter(methods))
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    lines = [f"Position-weighted F1 (precision / recall) on the test questions in percent. {said}.", ""]
    head = ["decisions", *methods, "keys", "without suggestions", "ms a decision", "ms a ranking"]
    lines += [_row(head), "|---" * len(head) + "|"]
    for count in counts:
        ours = methods[first].get(count, [])
        cells = [_score(by_count.get(count, [])) for by_count in methods.values()]
        cells += [_mean(ours, "keys"), _mean(ours, "keys_without")]
        cells += [_mean(ours, "seconds", 1000) if count else NONE, _mean(ours, "ranking_seconds", 1000)]
        lines.append(_row([f"{count:,}", *cells]))
    seeds = sorted({point.seed for point in points})
    if len(seeds) > 1:
        lines += ["", "F1 of each order:", "", _row(["method", "seed", *(f"{count:,}" for count in counts)])]
        lines.append("|---" * (len(counts) + 2) + "|")
        for method, by_count in methods.items():
            for seed in seeds:
                own = [[point for point in by_count.get(count, []) if point.seed == seed] for count in counts]
                lines.append(_row([method, str(seed), *(_f1(found) for found in own)]))
            lines.append(_row([method, "mean", *(_f1(by_count.get(count, [])) for count in counts)]))
    return "\n".join(lines) + "\n"


def draw(points: Sequence[Point], path: Path) -> None:
    """F1 against decisions, a line a method; what lies between the lowest and the highest order is shaded."""
    from matplotlib.figure import Figure  # no pyplot: no window system, no global state

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    for colour, (method, by_count) in zip(_colours(), _methods(points).items(), strict=False):
        counts = sorted(by_count)
        f1 = [[100 * point.f1 for point in by_count[count]] for count in counts]
        axes.plot(counts, list(map(fmean, f1)), "o-", label=method, color=colour, markersize=4)
        if any(len(own) > 1 for own in f1):
            axes.fill_between(counts, list(map(min, f1)), list(map(max, f1)), color=colour, alpha=0.18, linewidth=0)
    counts = _counts(points)
    axes.set_xscale("symlog", linthresh=max(1, min(filter(None, counts), default=1)))  # 0 has a place, too
    axes.set_xticks(counts, [f"{count:,}" for count in counts], rotation=45, fontsize=8)
    axes.minorticks_off()
    axes.set(xlabel="decisions", ylabel="F1 on the test questions, percent", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=130)


def _colours():
    while True:
        yield from COLOURS


def _counts(points: Sequence[Point]) -> list[int]:
    return sorted({point.decisions for point in points})


def _methods(points: Sequence[Point]) -> dict[str, dict[int, list[Point]]]:
    """Method -> decisions -> a point for each order."""
    found: dict[str, dict[int, list[Point]]] = {}
    for point in points:
        found.setdefault(point.method, {}).setdefault(point.decisions, []).append(point)
    return found


def _score(points: Sequence[Point]) -> str:
    if not points:
        return NONE
    precision, recall = (100 * fmean(values) for values in zip(*((p.precision, p.recall) for p in points), strict=True))
    span = (
        f" [{100 * min(p.f1 for p in points):.1f} to {100 * max(p.f1 for p in points):.1f}]" if len(points) > 1 else ""
    )
    return f"{_f1(points)}{span} ({precision:.1f} / {recall:.1f})"


def _f1(points: Sequence[Point]) -> str:
    return f"{100 * fmean(point.f1 for point in points):.1f}" if points else NONE


def _mean(points: Sequence[Point], name: str, times: float = 1.0) -> str:
    values = [point.more[name] for point in points if name in point.more]
    return f"{times * fmean(values):.1f}" if values else NONE


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
