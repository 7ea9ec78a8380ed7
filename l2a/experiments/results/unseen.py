"""`unseen`: the open test, where every question has a tag that training never has (paper section 4.3).

New means: in no training tag. Where lists of tags are given, correct new tags that no list has are counted too.
Examples are chosen by a rule: the first questions of the file for which L2A-word with Order 2 writes a correct new
tag; failing that any L2A-word; failing that those whose new tag stands in the text.
"""

from collections.abc import Sequence
from typing import Any

from l2a.data.questions import Question
from l2a.experiments.corpora import OPEN, Corpus
from l2a.experiments.report.claims import better_claims, claim, more_counted, yes_no
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import Bars, draw_bars
from l2a.experiments.report.tables import count_spread, score_cells, table
from l2a.experiments.results.main_tables import RULE_TEXTS, f1s, methods_of, needs, score_methods
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import CLASSIFIERS, TOPICAL, WORD
from l2a.text.cleaning import match_key

EXAMPLES = 3
SHOWN = (TOPICAL, WORD["random"], WORD["order1"], WORD["order2"])
RULE = "chosen"  # of the examples and the picture


def unseen_needs(study: Study) -> list[Need]:
    return [need for need in needs(study) if need.corpus is study.corpora.main]


def unseen(study: Study) -> Result:
    corpus = study.corpora.main
    rows = score_methods(study, corpus, methods_of(study, corpus))
    header = ("method", "P", "R", "F1", "correct new tags", "new tags written")
    blocks = [
        f"{title}.\n\n"
        + table(
            header,
            [
                (
                    row["method"],
                    *score_cells([seed[rule][OPEN]["all"] for seed in row["seeds"]]),
                    *(count_spread(new_counts(row, rule, key)) for key in ("correct", "predicted")),
                )
                for row in rows
            ],
        )
        for rule, title in RULE_TEXTS.items()
    ]
    questions = corpus.parts[OPEN]
    asked = rows[0]["seeds"][0]["paper"][OPEN]["new"]["gold"]
    unlisted = count_unlisted(study, corpus)
    lists = (
        f" Of the correct new tags of L2A-word, Order 2, {unlisted} are in none of the lists of tags either."
        if unlisted is not None
        else ""
    )
    examples = [describe_example(study, corpus, row) for row in choose_examples(study, corpus)]
    text = (
        f"{len(questions):,} questions, {sum(len(q.tags) for q in questions):,} tags, {asked:,} of them new: in no "
        f"training tag.{lists}\n\n"
        + "\n\n".join(blocks)
        + "\n\nThe paper (4,000 questions, 38.5% of 13,165 tags new): F1 and correct new tags CNN 19.4, LSTM 19.9, "
        "Topical Attention 20.6 (none new), L2A-word random 20.6 (53), Order 1 20.7 (23), Order 2 24.2 (82).\n\n"
        "### Examples\n\nCorrect tags are bold.\n\n" + "\n\n".join(example_table(example) for example in examples)
    )
    panels: Bars = {
        "Open test: F1": {"open": {row["method"]: [100 * f1 for f1 in f1s(row, RULE, OPEN)] for row in rows}},
        "Open test: correct new tags": {"new": {row["method"]: new_counts(row, RULE, "correct") for row in rows}},
    }
    return Result(
        {
            "unseen": rows,
            "asked": asked,
            "unlisted_order2": unlisted,
            "examples": examples,
            "claims": judge_claims(study, corpus, rows),
        },
        text,
        lambda path: draw_bars(path, panels, "percent, or tags"),
    )


def judge_claims(study: Study, corpus: Corpus, rows: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """What the paper concludes from its table on the open test."""
    runs = {method.name: study.runs(method, corpus, seeds) for method, seeds in methods_of(study, corpus).items()}
    order1, order2, gold = WORD["order1"].name, WORD["order2"].name, corpus.gold(OPEN)
    pairs = [(order2, method.name) for method in CLASSIFIERS]
    claims = better_claims("L2A-word with Order 2 is better than every classifier", runs, pairs, gold, OPEN)
    claims += better_claims("Order 2 is better than Order 1 on the open test", runs, [(order2, order1)], gold, OPEN)
    counts = {row["method"]: new_counts(row, "paper", "correct") for row in rows}
    words = {method.name: counts[method.name] for method in WORD.values()}
    figures = "; ".join(f"{name} {count_spread(some)}" for name, some in words.items())
    claims.append(
        claim("L2A-word writes correct new tags; classifiers cannot", yes_no(any(map(sum, words.values()))), figures)
    )
    verdict = more_counted(counts[order2], counts[order1])
    return [*claims, claim("Order 2 writes more correct new tags than Order 1", verdict, figures)]


def new_counts(row: dict[str, Any], rule: str, key: str) -> list[int]:
    return [seed[rule][OPEN]["new"][key] for seed in row["seeds"]]


def count_unlisted(study: Study, corpus: Corpus) -> int | None:
    """Correct new tags of L2A-word, Order 2, seed 1, that no list of tags has; None where there is no list."""
    if not corpus.listed:
        return None
    listed = {match_key(row.name) for row in corpus.listed} | {match_key(row.parent) for row in corpus.listed}
    answers = _answers(study, corpus, WORD["order2"])
    right = [
        tag for q, tags in zip(corpus.parts[OPEN], answers, strict=True) for tag in right_new_tags(q, tags, corpus)
    ]
    return sum(match_key(tag) not in listed for tag in right)


def right_new_tags(question: Question, answers: Sequence[str], corpus: Corpus) -> list[str]:
    wanted = set(map(match_key, question.tags)) - corpus.known_keys
    return [tag for tag in answers if match_key(tag) in wanted]


def choose_examples(study: Study, corpus: Corpus) -> list[int]:
    """Rows of the open test, by the rule in the module's docstring."""
    questions = corpus.parts[OPEN]
    by_order = [_answers(study, corpus, WORD[order]) for order in ("order2", "order1", "random")]

    def hits(lists: Sequence[Sequence[Sequence[str]]]) -> list[int]:
        return [row for row, q in enumerate(questions) if any(right_new_tags(q, tags[row], corpus) for tags in lists)]

    in_text = [
        row
        for row, q in enumerate(questions)
        if any(match_key(tag) in match_key(q.text) for tag in q.tags if match_key(tag) not in corpus.known_keys)
    ]
    ranked = dict.fromkeys((*hits(by_order[:1]), *hits(by_order), *in_text, *range(len(questions))))
    return list(ranked)[:EXAMPLES]


def describe_example(study: Study, corpus: Corpus, row: int) -> dict[str, Any]:
    question = corpus.parts[OPEN][row]
    answers = {method.name: _answers(study, corpus, method)[row] for method in SHOWN}
    return {
        "question": question.title,
        "tags": list(question.tags),
        "new": [tag for tag in question.tags if match_key(tag) not in corpus.known_keys],
        "answers": answers,
    }


def example_table(example: dict[str, Any]) -> str:
    wanted, new = ({match_key(tag) for tag in example[name]} for name in ("tags", "new"))

    def show(tags: Sequence[str]) -> str:
        shown = []
        for tag in tags:
            text = f"**{tag}**" if match_key(tag) in wanted else tag
            shown.append(f"{text} (new)" if match_key(tag) in new else text)
        return ", ".join(shown) or "(none)"

    reference = ", ".join(f"{tag} (new)" if tag in example["new"] else tag for tag in example["tags"])
    rows = [("true tags", reference), *((name, show(tags)) for name, tags in example["answers"].items())]
    return table(("question", example["question"]), rows)


def _answers(study: Study, corpus: Corpus, method) -> list[list[str]]:
    return study.run(Need(method, corpus, 1))["answers"][RULE][OPEN]
