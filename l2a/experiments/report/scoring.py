"""Scores of a run's answers, all in one place: every question, seen tags only, complete labels only."""

from collections.abc import Mapping, Sequence
from typing import Any

from l2a.experiments.corpora import Corpus
from l2a.experiments.training.runs import RULES
from l2a.measure.metrics import new_tags, nlpcc_score
from l2a.text.cleaning import match_key

VIEWS = {"all": "all", "seen": "seen tags only", "complete": "complete labels only"}


def score_run(run: Mapping[str, Any], corpus: Corpus) -> dict[str, Any]:
    """rule -> part -> view -> precision, recall, F1; and new tags; for every part that was answered."""
    return {
        rule: {part: score_part(answers, corpus, part) for part, answers in run["answers"][rule].items()}
        for rule in RULES
    }


def score_part(answers: Sequence[Sequence[str]], corpus: Corpus, part: str) -> dict[str, Any]:
    """The views of one part.

    Seen: tags that training never has are struck from the gold tags, and questions left without any are left out, so
    that the part is like the paper's closed test. Answers are not touched: a generated new tag stays wrong.
    """
    questions = corpus.parts[part]
    gold = [question.tags for question in questions]
    seen = [[tag for tag in tags if match_key(tag) in corpus.known_keys] for tags in gold]
    chosen = {
        "all": [True] * len(gold),
        "seen": [bool(tags) for tags in seen],
        "complete": [not question.partial_tags for question in questions],
    }
    found: dict[str, Any] = {}
    for view, takes in chosen.items():
        rows = [row for row, is_taken in enumerate(takes) if is_taken]
        wanted = seen if view == "seen" else gold
        score = nlpcc_score([answers[row] for row in rows], [wanted[row] for row in rows])
        found[view] = {"questions": len(rows), **score.to_dict()}
    found["new"] = new_tags(answers, gold, corpus.known_keys).to_dict()
    return found
