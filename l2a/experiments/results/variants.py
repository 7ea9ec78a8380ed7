"""`positions` and `architecture`: the paper's ablations (section 4.8), Order 1, dev."""

import statistics
from collections.abc import Mapping, Sequence

from l2a.experiments.report.claims import better_claims
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_bars
from l2a.experiments.report.tables import score_cells, spread, table
from l2a.experiments.results.main_tables import f1s, score_methods
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import ARCHITECTURES, POSITIONS, Method
from l2a.experiments.training.runs import minutes_text


def positions_needs(study: Study) -> list[Need]:
    return _needs(study, POSITIONS, study.all_seeds)


def architecture_needs(study: Study) -> list[Need]:
    return _needs(study, ARCHITECTURES, (1,))


def positions(study: Study) -> Result:
    paper = "The paper, F1: local 44.9, none 44.1, global 44.2."
    return _compare(study, "positions", POSITIONS, study.all_seeds, paper)


def architecture(study: Study) -> Result:
    paper = "The paper, F1: L2A 44.9, L2L 39.4, A2A 40.8, A2L 38.5."
    return _compare(study, "architecture", ARCHITECTURES, (1,), paper)


def _needs(study: Study, variants: Mapping[str, Method], seeds: Sequence[int]) -> list[Need]:
    return [Need(method, study.corpora.main, seed) for method in variants.values() for seed in seeds]


def _compare(study: Study, key: str, variants: Mapping[str, Method], seeds: Sequence[int], paper: str) -> Result:
    """The first variant is the paper's own; the others are shown with their difference to it."""
    methods = dict.fromkeys(variants.values(), seeds)
    rows = score_methods(study, study.corpora.main, methods)
    own = statistics.fmean(f1s(rows[0], "paper", "dev"))
    body = []
    for name, row in zip(variants, rows, strict=True):
        difference = statistics.fmean(f1s(row, "paper", "dev")) - own
        body.append(
            (
                name if row is not rows[0] else f"{name} (the paper's)",
                *score_cells([seed["paper"]["dev"]["all"] for seed in row["seeds"]]),
                "" if row is rows[0] else f"{100 * difference:+.1f}",
                spread(f1s(row, "chosen", "dev")),
                f"{statistics.fmean(facts['steps'] for facts in row['training']):,.0f}",
            )
        )
    header = (key, "P", "R", "F1", "difference", "F1, threshold chosen on dev", "training steps")
    text = (
        f"L2A-word, Order 1, dev, votes over N / 4, {minutes_text(study.minutes)} of training each, "
        f"{len(seeds)} seed{'s' if len(seeds) > 1 else ''}, percent; mean (lowest to highest).\n\n"
        f"{table(header, body)}\n\n{paper}"
    )
    for name, row in zip(variants, rows, strict=True):
        row["variant"] = name
    bars = {
        label: {name: [100 * f1 for f1 in f1s(row, rule, "dev")] for name, row in zip(variants, rows, strict=True)}
        for label, rule in (("votes over N / 4", "paper"), ("threshold chosen on dev", "chosen"))
    }
    corpus, (own_name, *others) = study.corpora.main, variants
    runs = {name: study.runs(method, corpus, seeds) for name, method in variants.items()}
    pairs = [(own_name, other) for other in others]
    claims = better_claims(f"{own_name} is the best {key}", runs, pairs, corpus.gold("dev"), "dev")
    data = {key: rows, "claims": claims}
    return Result(data, text, lambda path: draw_bars(path, {f"Dev F1 by {key}": bars}, "F1, percent"))
