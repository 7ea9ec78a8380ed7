"""Whatever a person can type comes back from every format."""

import io
import re
import tracemalloc
from collections import deque

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from db.store.records import LabelledQuestion
from db.transfer.formats import FORMATS
from l2a.data.questions import read_questions
from tests.db.transfer.formats.conftest import cut

letters = st.sampled_from(
    [
        *"|\\'\",;=+-@＝%{[#1a \u3000\t\n\r\x85\u2028\0\x1c\ufeff😀",
        "\r\n",
        "%20",
        "__label__",
        "\\__label__",
        "编程",
        "<s>",
        "▁",
        "▁t",
        "\\▁",
    ]
)
pieces = st.one_of(letters, st.text(st.characters(exclude_categories=["Cs"]), max_size=3))
texts = st.lists(pieces, max_size=8).map("".join)
tags = texts.map(str.strip).filter(bool)
titles = st.tuples(texts, st.sampled_from(["问", "a"]), texts).map("".join)

rows = st.builds(
    LabelledQuestion,
    question_id=st.integers(1, 2**62),
    title=titles,
    description=texts,
    source=texts,
    external_id=texts,
    tags=st.lists(tags, unique=True, max_size=5).map(tuple),
    rejected=st.lists(tags, max_size=2).map(tuple),
    people=st.lists(texts, max_size=2).map(tuple),
    decided_at=st.none() | st.datetimes(),
    agreement=st.none() | st.floats(0, 1),
)

HARD = [
    LabelledQuestion(1, "{问", tags=("__label__", "a|b", "\\", "'", "=1", "100%", "%41", "x\r\ny"), external_id="-1"),
    LabelledQuestion(2, "\ufeff问", "\r\n'", tags=("\\|", "|\\", "''=", "\ufeffa")),
]


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(rows, min_size=1, max_size=4))
@example(HARD)
@example(HARD[::-1])
def test_tags_come_back_in_order_and_the_question_with_them(tmp_path, name, given_rows):
    path = tmp_path / f"export{FORMATS[name].suffix}"
    with open(path, "wb") as stream, FORMATS[name].open(stream, cut) as writer:
        for row in given_rows:
            writer.write(row)
    questions = list(read_questions(path))
    assert list(read_questions(path, fmt=name)) == questions
    if name in ("jsonl", "doccano"):  # rows that show what a column holds come first (test_other_libraries)
        questions.sort(key=lambda q: (q.id, q.title, q.description, q.source, q.tags))
        given_rows = sorted(
            given_rows,
            key=lambda row: (row.external_id or str(row.question_id), row.title, row.description, row.source, row.tags),
        )
    assert [question.tags for question in questions] == [row.tags for row in given_rows]
    if name == "fasttext":
        assert [question.title for question in questions] == [one_line(row) for row in given_rows]
        assert not any(question.own_id for question in questions)
        return
    for question, row in zip(questions, given_rows, strict=True):
        assert (question.title, question.description) == (row.title, row.description)
        assert (question.id, question.own_id) == (row.external_id or str(row.question_id), True)
        if name != "nlpcc-csv":
            assert question.source == row.source


def one_line(row: LabelledQuestion) -> str:
    """What fastText's format keeps of a question: its text with spaces for line breaks."""
    text = f"{row.title}\n{row.description}" if row.description else row.title
    return re.sub("[\n\r\v\f\0\x1c-\x1e\x85\u2028\u2029\ufeff]", " ", text).strip()


@pytest.mark.parametrize("name", list(FORMATS))
def test_memory_stays_flat_however_many_rows_there_are(name, tmp_path):
    row = LabelledQuestion(1, "问题", "长" * 400, tags=("a", "b"))

    class Nowhere(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            return len(data)

    def peak(count):
        tracemalloc.start()
        with FORMATS[name].open(Nowhere(), lambda text: [text]) as writer:
            deque((writer.write(row) for _ in range(count)), maxlen=0)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(10)  # imports and caches
    assert peak(9000) < peak(4500) + 200_000
