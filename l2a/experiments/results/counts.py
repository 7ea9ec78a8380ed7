"""`coverage` and `dataset`: what the data is like before anything is trained (paper Table 1 and section 4.1)."""

from dataclasses import replace
from itertools import chain
from typing import Any

from l2a.experiments.corpora import OPEN, Corpus
from l2a.experiments.report.claims import all_of, claim, yes_no
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_bars
from l2a.experiments.report.tables import NOTHING, percent, table
from l2a.experiments.study import Study
from l2a.measure.statistics import DatasetStats, describe

WHOLE = "train, dev, test"


def corpus_counts(study: Study, corpus: Corpus) -> dict[str, Any]:
    """Statistics of the whole data set and of the open test, and the questions of each file."""

    def count() -> dict[str, Any]:
        train = corpus.read_train()
        closed = chain(train, corpus.parts["dev"], corpus.parts["test"])
        counts = {
            "questions": {"train": len(train)} | {part: len(rows) for part, rows in corpus.parts.items()},
            WHOLE: _plain(describe(closed, study.segmenter)),
        }
        if OPEN in corpus.parts:
            counts[OPEN] = _plain(describe(corpus.parts[OPEN], study.segmenter))
        return counts

    return study.part(f"counts/{corpus.name}", count)


def _plain(stats: DatasetStats) -> dict[str, Any]:
    return replace(stats, top_tags=()).to_dict()


def coverage(study: Study) -> Result:
    """Share of full tags, and of their words, that stand in the question."""
    rows, found = [], {}
    for corpus in study.corpora.all:
        counts = corpus_counts(study, corpus)
        for part in (part for part in (WHOLE, OPEN) if part in counts):
            name = corpus.name if part == WHOLE else f"{corpus.name}, open test"
            cues = found[name] = counts[part]["cues"]
            rows.append(
                (
                    name,
                    f"{percent(cues['full_tags'])} ({cues['tags_found']:,} of {cues['tags']:,})",
                    f"{percent(cues['tag_words'])} ({cues['words_found']:,} of {cues['words']:,})",
                )
            )
    text = (
        "Share of the tags, and of the words tags are made of, that stand in the question, in percent. A full tag is "
        "looked for as a run of characters, a word as one of the question's words.\n\n"
        + table(("data", "full tags", "words of tags"), rows)
        + "\n\nThe paper (Table 1): Zhihu 30.0 and 38.2, Weibo 6.1 and 24.1."
    )
    whole = {corpus.name: found[corpus.name] for corpus in study.corpora.all}  # the paper has no open test here
    claims = [
        claim(
            "Words of tags stand in the question more often than full tags",
            all_of([yes_no(cues["tag_words"] > cues["full_tags"]) for cues in whole.values()]),
            "; ".join(f"{n}: {percent(c['tag_words'])} against {percent(c['full_tags'])}" for n, c in whole.items()),
        )
    ]
    series = {
        label: {name: [100 * cues[key]] for name, cues in found.items()}
        for label, key in (("full tags", "full_tags"), ("words of tags", "tag_words"))
    }
    data = {"coverage": found, "claims": claims}
    return Result(data, text, lambda path: draw_bars(path, {"Cues in the question": series}, "percent"))


def dataset(study: Study) -> Result:
    """Questions of each part, distinct tags, tags a question, words a tag."""
    counts = {corpus.name: corpus_counts(study, corpus) for corpus in study.corpora.all}
    parts = ("train", "dev", "test", OPEN)
    sizes = [
        (name, *(f"{found['questions'][part]:,}" if part in found["questions"] else NOTHING for part in parts))
        for name, found in counts.items()
    ]
    tags = [
        (
            name,
            f"{found[WHOLE]['distinct_tags']:,}",
            f"{found[WHOLE]['tags_per_question']:.2f}",
            f"{found[WHOLE]['words_per_tag']:.2f}",
            f"{found[WHOLE]['tags_seen_once']:,}",
            f"{found[WHOLE]['source_words_median']:,}",
        )
        for name, found in counts.items()
    ]
    text = (
        "Questions with tags:\n\n"
        + table(("data", "train", "dev", "test", "open test"), sizes)
        + "\n\nTags of train, dev and test together:\n\n"
        + table(("data", "tags", "tags a question", "words a tag", "tags seen once", "words a question, median"), tags)
        + "\n\nThe paper: Zhihu 721,608 / 8,946 / 20,596 questions, 25,551 tags, 3.13 a question, 2.19 words a tag; "
        "Weibo 441,366 / 10,000 / 10,000, 13,426 tags, 1.05 a post, 3.14 words a tag."
    )
    panels = {
        "Questions": {
            part: {name: [found["questions"].get(part, 0)] for name, found in counts.items()} for part in parts
        },
        "Tags": {
            label: {name: [found[WHOLE][key]] for name, found in counts.items()}
            for label, key in (("tags a question", "tags_per_question"), ("words a tag", "words_per_tag"))
        },
    }
    return Result({"dataset": counts}, text, lambda path: draw_bars(path, panels, "count"))
