"""`attention`: the paper's two heatmaps (section 4.7), of examples chosen by a rule and not by their looks.

(a) Cross-attention, Order 2, open test: of the correct new tags among the kept ones, the one with the most votes (the
    first of equals), in the most probable hypothesis that has it. If none was written: the first question with a new
    tag that the model could have written, a tag that stands in the text before others; its true tags are given to it.
(b) Self-attention, Order 1, dev: the question whose best hypothesis has the most correct tags (of equals the one with
    more tags, then the first). If no hypothesis has a tag: the first question with true tags the model can write.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from l2a.data.questions import Question
from l2a.experiments.corpora import OPEN, Corpus
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_heatmaps
from l2a.experiments.report.tables import table
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import WORD
from l2a.experiments.training.runs import decode
from l2a.explain import Explanation, explain
from l2a.tagger import Suggestions, Tagger
from l2a.text.cleaning import match_key
from l2a.text.ordering import order_tags

SUMMARY = "mean"  # over layers and heads


@dataclass(frozen=True)
class Example:
    """A question, the tags that are written for it, and which of the rules' cases it is."""

    question: Question
    tags: tuple[str, ...]
    case: str
    tag: str = ""  # the new one, of (a)


def attention_needs(study: Study) -> list[Need]:
    return [Need(WORD[order], study.corpora.main, 1) for order in ("order2", "order1")]


def attention(study: Study) -> Result:
    corpus = study.corpora.main
    found: dict[str, dict[str, Any]] = {}
    maps, blocks = [], []
    for letter, order, part in (("a", "order2", OPEN), ("b", "order1", "dev")):
        tagger = study.tagger(WORD[order], corpus)
        questions = corpus.parts[part]
        answers = decode(tagger, questions, study.beam)
        choose = choose_unseen if letter == "a" else choose_related
        example = choose(tagger, questions, answers, corpus)
        if example is None:
            blocks.append(f"### ({letter})\n\nNothing to draw: the model can write none of the true tags of {part}.")
            found[letter] = {"case": "nothing to draw"}
            maps.append((f"({letter}) nothing to draw", np.zeros((1, 1)), [""], [""]))
            continue
        explained = explain(tagger, example.question, example.tags)
        weights, rows, columns = _map(letter, explained)
        found[letter] = {
            "case": example.case,
            "question": example.question.title,
            "tags": list(example.tags),
            "new_tag": example.tag,
            "rows": rows,
            "columns": columns,
            "weights": weights.round(4).tolist(),
        }
        name = "cross-attention" if letter == "a" else "self-attention"
        maps.append((f"({letter}) {name}, {WORD[order].name}", weights, rows, columns))
        blocks.append(
            f"### ({letter}) {name}, {WORD[order].name}, {part}\n\n{_describe(example, weights, rows, columns)}"
        )
    text = (
        "Attention of the pass that writes the tags, the mean over layers and heads; rows are the words that are "
        "written, columns what the decoder looks at. Rules of choice: (a) the correct new tag with the most votes; (b) "
        "the best hypothesis with the most correct tags.\n\n" + "\n\n".join(blocks)
    )
    return Result({"attention": found}, text, lambda path: draw_heatmaps(path, maps))


def choose_unseen(
    tagger: Tagger, questions: Sequence[Question], answers: Sequence[Suggestions], corpus: Corpus
) -> Example | None:
    """Rule (a)."""
    best: tuple[int, Example] | None = None
    for question, answer in zip(questions, answers, strict=True):
        new = set(map(match_key, question.tags)) - corpus.known_keys
        for kept in answer.kept:
            place = kept.best_hypothesis
            if place is None or match_key(kept.tag) not in new:
                continue
            if best is None or kept.votes > best[0]:
                tags = answer.hypotheses[place].tags
                spelled = next(tag for tag in tags if match_key(tag) == match_key(kept.tag))
                best = kept.votes, Example(question, tags, f"written, {kept.votes} of {answer.beam} votes", spelled)
    if best:
        return best[1]
    writable = []
    for question in questions:
        tags = _writable_tags(tagger, question)
        writable += [(question, tags, tag) for tag in tags if match_key(tag) not in corpus.known_keys]
    in_text = [one for one in writable if match_key(one[2]) in match_key(one[0].text)]
    for question, tags, tag in (*in_text, *writable):
        return Example(question, tags, "no correct new tag was written: the true tags were given", tag)
    for question in questions:
        if tags := _writable_tags(tagger, question):
            return Example(question, tags, "no new tag could be written: true tags that can be were given")
    return None


def choose_related(
    tagger: Tagger, questions: Sequence[Question], answers: Sequence[Suggestions], corpus: Corpus
) -> Example | None:
    """Rule (b)."""
    ranked = []
    for place, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        tags = answer.hypotheses[0].tags if answer.hypotheses else ()
        wanted = set(map(match_key, question.tags))
        correct = len({match_key(tag) for tag in tags} & wanted)
        if tags:
            ranked.append((-correct, -len(tags), place, Example(question, tags, f"written, {correct} correct")))
    if ranked:
        return min(ranked, key=lambda one: one[:3])[3]
    for question in questions:
        if tags := _writable_tags(tagger, question):
            return Example(question, tags, "no tag was written: the true tags were given")
    return None


def _writable_tags(tagger: Tagger, question: Question) -> tuple[str, ...]:
    """The true tags that the model can write, in its order."""
    extra = tagger.encode(question).extra_words
    tags = [tag for tag in question.tags if tagger.codec.can_write(tag, extra)]
    return order_tags(tags, tagger.order, tagger.frequencies, key=question.id)


def _map(letter: str, explained: Explanation) -> tuple[np.ndarray, list[str], list[str]]:
    """(T, S) or (T, T) weights with their labels."""
    if letter == "a":
        weights, columns = explained.cross_summary(SUMMARY), explained.source_words
    else:
        weights, columns = explained.self_summary(SUMMARY), explained.input_words
    return weights, list(explained.output_words), list(columns)


def _describe(example: Example, weights: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """The chosen example, and for each written word what it looks at most."""
    looked = []
    for word, weight in zip(rows, weights, strict=True):
        most = [place for place in np.argsort(-weight, kind="stable")[:3] if weight[place] > 0]
        looked.append((word, ", ".join(f"{columns[place]} {weight[place]:.2f}" for place in most)))
    facts = [("question", example.question.title), ("true tags", ", ".join(example.question.tags))]
    facts += [("tags written", ", ".join(example.tags)), ("chosen because", example.case)]
    if example.tag:
        facts.append(("new tag", example.tag))
    return f"{table(('', ''), facts)}\n\n{table(('written', 'looks most at'), looked)}"
