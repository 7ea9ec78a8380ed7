"""What a question file holds: `python -m l2a stats FILE` prints it, and it is read before a model is trained."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from l2a.data.questions import Question
from l2a.measure.metrics import POSITIONS, CueCoverage, TagCounter, TagFrequency, count_cues, tag_words
from l2a.text.cleaning import join_question, match_key
from l2a.text.segmenter import Segmenter


@dataclass(frozen=True)
class DatasetStats:
    """Counts over one file; spellings with the same match key are one tag, and a tag given twice counts once."""

    rows: int
    rows_without_tags: int
    rows_with_more_than_5_tags: int
    tags: int  # occurrences: question-tag pairs
    distinct_tags: int
    tags_seen_once: int
    tags_per_question: float  # mean over the rows that have tags
    words_per_tag: float  # mean over the distinct tags; punctuation is not a word
    source_words_median: int
    source_words_p95: int
    cues: CueCoverage
    top_tags: tuple[TagFrequency, ...]

    def to_dict(self) -> dict:
        return {
            **asdict(self),
            "cues": self.cues.to_dict(),
            "top_tags": [line.to_dict() for line in self.top_tags],
        }


def describe(questions: Iterable[Question], segmenter: Segmenter, *, top: int = 20) -> DatasetStats:
    """The statistics of `questions`, read once; memory grows with the distinct tags, not with the rows."""
    tag_counts: Counter[int] = Counter()  # rows by their number of tags
    lengths: Counter[int] = Counter()  # rows by their number of source words
    counter, cues = TagCounter(), CueCoverage()
    for question in questions:
        text, _ = join_question(question.title, question.description)
        words = segmenter.source_words(text)
        lengths[len(words)] += 1
        tag_counts[len({match_key(tag) for tag in question.tags})] += 1
        counter.add(question.tags)
        cues += count_cues(text, words, question.tags, segmenter)
    rows, tags = tag_counts.total(), counter.counts.total()
    distinct = len(counter.counts)
    words_in_tags = sum(len(tag_words(tag, segmenter)) for tag in counter.spellings())
    return DatasetStats(
        rows=rows,
        rows_without_tags=tag_counts[0],
        rows_with_more_than_5_tags=sum(n for size, n in tag_counts.items() if size > POSITIONS),
        tags=tags,
        distinct_tags=distinct,
        tags_seen_once=sum(n == 1 for n in counter.counts.values()),
        tags_per_question=tags / max(1, rows - tag_counts[0]),
        words_per_tag=words_in_tags / max(1, distinct),
        source_words_median=_percentile(lengths, 50),
        source_words_p95=_percentile(lengths, 95),
        cues=cues,
        top_tags=tuple(counter.table(top)),
    )


def render(stats: DatasetStats) -> str:
    """The statistics as a plain-text table. Tags come last on a line: hanzi are two columns wide in a terminal."""
    rows = [
        ("rows", f"{stats.rows:,}"),
        ("rows without tags", f"{stats.rows_without_tags:,}"),
        ("rows with more than 5 tags", f"{stats.rows_with_more_than_5_tags:,}"),
        ("question-tag pairs", f"{stats.tags:,}"),
        ("distinct tags", f"{stats.distinct_tags:,}"),
        ("tags seen once", f"{stats.tags_seen_once:,}"),
        ("tags a question (with tags)", f"{stats.tags_per_question:.2f}"),
        ("words a tag", f"{stats.words_per_tag:.2f}"),
        ("source words, median", f"{stats.source_words_median:,}"),
        ("source words, 95th percentile", f"{stats.source_words_p95:,}"),
        ("full tags found in the text", f"{stats.cues.full_tags:.1%}"),
        ("tag words found in the text", f"{stats.cues.tag_words:.1%}"),
    ]
    lines = [f"{name:<30}{value:>12}" for name, value in rows]
    if stats.top_tags:
        lines += ["", f"{'rank':>6}{'count':>10}  tag"]
        lines += [f"{line.rank:>6,}{line.count:>10,}  {' '.join(line.tag.split())}" for line in stats.top_tags]
    return "\n".join(lines)


def _percentile(histogram: Counter[int], percent: int) -> int:
    """The smallest value that at least `percent` of the rows do not exceed (nearest rank); 0 without rows."""
    seen, total = 0, histogram.total()
    for value in sorted(histogram):
        seen += histogram[value]
        if seen * 100 >= percent * total:
            return value
    return 0
