"""Shared by the tests of the export formats: one row that has everything."""

import io
from datetime import datetime, timedelta, timezone

import pytest

from db.store.records import LabelledQuestion
from db.transfer.formats import FORMATS


def cut(text: str) -> list[str]:
    """Words of two characters, whatever they are: joined they are the text again."""
    return [text[start : start + 2] for start in range(0, len(text), 2)]


@pytest.fixture
def full_row() -> LabelledQuestion:
    return LabelledQuestion(
        question_id=5,
        title="=1+1 等于几",
        description="第一行\n第二行",
        source="网站",
        external_id="-q5",
        tags=("C|C++", "a b"),
        rejected=("数学",),
        unjudged=("算术", "x\\y"),
        prior_tags=("问题",),
        people=("小王", "小李"),
        entries=(11, 12),
        model_versions=("v1",),
        state="agreed",
        agreement=0.5,
        decided_at=datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=timezone(timedelta(hours=8))),
        picks=("ordered", "blind"),
        flags=("重复",),
        flagged_by=("小李",),
        comments=("见 4 号",),
        commented_by=("小王",),
    )


@pytest.fixture
def exported():
    """The bytes of a file with these rows."""

    def exported(name: str, *rows: LabelledQuestion) -> bytes:
        stream = io.BytesIO()
        with FORMATS[name].open(stream, cut) as writer:
            for row in rows:
                writer.write(row)
        assert not stream.closed
        return stream.getvalue()

    return exported
