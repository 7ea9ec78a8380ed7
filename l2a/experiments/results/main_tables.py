"""`main`: the Zhihu and Weibo result tables (paper section 4.2), as the paper scores them and in two further views.

The paper's closed tests have no tag that training never has; these have. So the last table strikes such tags.
"""

from collections.abc import Sequence
from typing import Any

from l2a.experiments.corpora import Corpus
from l2a.experiments.report.claims import RULE_NAMES, all_of, better_claims, claim, higher_in_every_seed
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_bars
from l2a.experiments.report.scoring import VIEWS, score_run
from l2a.experiments.report.tables import percent, score_cells, spread, table
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import CLASSIFIERS, LABEL, ORDER_NAMES, TRIED_WITH, WORD, Method
from l2a.experiments.training.runs import minutes_text
from l2a.experiments.training.tuning import dev_f1

PARTS = ("dev", "test")
RULE_TEXTS = {
    "paper": "As in the paper: the five best tags of a classifier, votes over N / 4 for L2A",
    "chosen": "The number of tags chosen on dev, for every method alike",
}
PAPER = (
    "The paper (721,608 and 441,366 training questions; never to be compared directly), test F1: Zhihu CNN 32.7, LSTM "
    "37.3, Topical Attention 40.1, L2A-label 38.2 / 39.9 / 38.8 and L2A-word 36.4 / 40.9 / 39.7 (random, Order 1, "
    "Order 2); Weibo CNN 49.9, LSTM 52.3, Topical Attention 52.4, L2A-label 52.0, L2A-word 53.3."
)


def methods_of(study: Study, corpus: Corpus) -> dict[Method, Sequence[int]]:
    """Method -> its seeds. Weibo has one tag a post, so the paper does not reorder there; nor is it here."""
    if corpus is study.corpora.weibo:
        return dict.fromkeys((*CLASSIFIERS, LABEL["random"], WORD["random"]), (1,))
    return {
        **dict.fromkeys((*CLASSIFIERS, *LABEL.values()), (1,)),
        **dict.fromkeys(WORD.values(), study.all_seeds),
    }


def needs(study: Study) -> list[Need]:
    return [
        Need(method, corpus, seed)
        for corpus in study.corpora.all
        for method, seeds in methods_of(study, corpus).items()
        for seed in seeds
    ]


def main_tables(study: Study) -> Result:
    found, blocks, panels = {}, [], {}
    for corpus in study.corpora.all:
        rows = found[corpus.name] = score_methods(study, corpus, methods_of(study, corpus))
        blocks.append(f"### {corpus.name}\n\n{_tables(rows)}")
        panels[f"{corpus.name}: F1, number of tags chosen on dev"] = {
            part: {row["method"]: [100 * f1 for f1 in f1s(row, "chosen", part)] for row in rows} for part in PARTS
        }
    text = (
        f"Position-weighted P, R and F1 of NLPCC-2018 task 6 in percent; every configuration had "
        f"{minutes_text(study.minutes)} of training. Several seeds: mean (lowest to highest).\n\n" + "\n\n".join(blocks)
    )
    tried = score_trials(study)
    if tried:
        text += f"\n\n### Settings\n\n{settings_table(tried)}"
    data = {"main": found, "settings": tried, "claims": judge_claims(study)}
    return Result(data, f"{text}\n\n{PAPER}", lambda path: draw_bars(path, panels, "F1, percent"))


def judge_claims(study: Study) -> list[dict[str, str]]:
    """What the paper concludes from its two tables, on test."""
    corpus, weibo = study.corpora.main, study.corpora.weibo
    runs = {method.name: study.runs(method, corpus, seeds) for method, seeds in methods_of(study, corpus).items()}
    word = {order: method.name for order, method in WORD.items()}
    claims = {
        "L2A-word with Order 1 is better than every classifier": [(word["order1"], c.name) for c in CLASSIFIERS],
        "L2A-word is better than L2A-label, both with Order 1": [(word["order1"], LABEL["order1"].name)],
        "Both orders are better than a random one": [(word[order], word["random"]) for order in ("order1", "order2")],
        "Order 1 is better than Order 2 on the closed test": [(word["order1"], word["order2"])],
    }
    found = []
    for text, pairs in claims.items():
        found += better_claims(f"{corpus.name}: {text}", runs, pairs, corpus.gold("test"), "test")
    found.append(_precision_and_recall(study, corpus))
    if weibo:
        runs = {method.name: study.runs(method, weibo, seeds) for method, seeds in methods_of(study, weibo).items()}
        pairs = [(word["random"], method.name) for method in CLASSIFIERS]
        text = f"{weibo.name}: L2A-word is better than every classifier"
        found += better_claims(text, runs, pairs, weibo.gold("test"), "test")
    return found


def _precision_and_recall(study: Study, corpus: Corpus) -> dict[str, str]:
    """Section 4.4: Order 1 is the more certain one, Order 2 searches more widely."""
    values: dict[tuple[str, str], list[float]] = {}
    for order in ("order1", "order2"):
        scores = [
            score_run(run, corpus)["paper"]["test"]["all"] for run in study.runs(WORD[order], corpus, study.all_seeds)
        ]
        values |= {(order, key): [score[key] for score in scores] for key in ("precision", "recall")}
    verdicts = [
        higher_in_every_seed(values["order1", "precision"], values["order2", "precision"]),
        higher_in_every_seed(values["order2", "recall"], values["order1", "recall"]),
    ]
    figures = "; ".join(f"{ORDER_NAMES[order]} {key} {spread(some)}" for (order, key), some in values.items())
    text = f"{corpus.name}: Order 1 has the higher precision, Order 2 the higher recall ({RULE_NAMES['paper']})"
    return claim(text, all_of(verdicts), figures)


def score_methods(study: Study, corpus: Corpus, methods: dict[Method, Sequence[int]]) -> list[dict[str, Any]]:
    """For each method its name, what was chosen on dev, training facts and the scores of every seed."""
    rows = []
    for method, seeds in methods.items():
        runs = study.runs(method, corpus, seeds)
        facts = [{key: run[key] for key in ("seed", "seconds", "steps", "best_epoch", "weights")} for run in runs]
        rows.append(
            {
                "method": method.name,
                "slug": method.slug,
                "chosen": [run["chosen"] for run in runs],
                "training": facts,
                "seeds": [score_run(run, corpus) for run in runs],
            }
        )
    return rows


def score_trials(study: Study) -> list[dict[str, Any]]:
    """For each kind of method the F1 on dev of every setting that was tried, and the one that was chosen."""
    corpus, found = study.corpora.main, []
    for method in TRIED_WITH.values() if study.scale.tried else ():
        tried = {str(need.method.setting): dev_f1(study.run(need), corpus) for need in study.trials(method.kind)}
        found.append({"method": method.name, "dev_f1": tried, "chosen": str(study.chosen_setting(method.kind))})
    return found


def settings_table(tried: Sequence[dict[str, Any]]) -> str:
    settings = list(tried[0]["dev_f1"])
    rows = [
        (row["method"], *(_bold_if(name == row["chosen"], percent(f1)) for name, f1 in row["dev_f1"].items()))
        for row in tried
    ]
    return (
        "Dev F1 (percent, number of tags chosen on dev) with every setting that was tried; the best one (bold) is what "
        f"all methods of its kind are trained with, on both corpora.\n\n{table(('method', *settings), rows)}"
    )


def _bold_if(is_bold: bool, text: str) -> str:
    return f"**{text}**" if is_bold else text


def f1s(row: dict[str, Any], rule: str, part: str, view: str = "all") -> list[float]:
    """F1 of every seed."""
    return [scores[rule][part][view]["f1"] for scores in row["seeds"]]


def _tables(rows: Sequence[dict[str, Any]]) -> str:
    blocks = []
    header = ("method", *(f"{part} {name}" for part in PARTS for name in ("P", "R", "F1")))
    for rule, title in RULE_TEXTS.items():
        is_chosen = rule == "chosen"
        body = [
            (
                row["method"],
                *(cell for part in PARTS for cell in score_cells([s[rule][part]["all"] for s in row["seeds"]])),
                *(("; ".join(row["chosen"]),) if is_chosen else ()),
            )
            for row in rows
        ]
        blocks.append(f"{title}.\n\n{table((*header, 'chosen') if is_chosen else header, body)}")
    views = [(row["method"], *(spread(f1s(row, "chosen", "test", view)) for view in VIEWS)) for row in rows]
    counts = rows[0]["seeds"][0]["chosen"]["test"]
    titles = [f"{title} ({counts[view]['questions']:,})" for view, title in VIEWS.items()]
    others = table(("method", *titles), views)
    blocks.append(f"Test F1 in other views (questions), number of tags chosen on dev:\n\n{others}")
    return "\n\n".join(blocks)
