"""A queue filtered by a tag: found in one way for tags of few questions, in another for tags of many, with one result."""

import pytest

from db import queue
from db.importing import IncomingQuestion, import_questions


@pytest.mark.parametrize("few", [0, 500])
@pytest.mark.parametrize("order", queue.ORDERS)
@pytest.mark.parametrize("source", [None, "zhihu"])
def test_a_tag_of_many_questions_is_served_like_one_of_few(store, team, monkeypatch, few, order, source):
    monkeypatch.setattr(queue, "FEW", few)
    rows = [
        IncomingQuestion(n, f"第{n}个问题？", tags=("电影", "生活")[n % 2 :], source=("zhihu", "guokr")[n % 3 == 0])
        for n in range(12)
    ]
    import_questions(store, rows, name="file", fingerprint="file")
    titles = []
    while claim := store.run(lambda s: queue.claim(s, team.li, order=order, source=source, tag="电影", another=True)):
        titles.append(claim.title)
    tagged = [row.title for row in rows if "电影" in row.tags and source in (None, row.source)]
    assert sorted(titles) == sorted(tagged)
    assert store.run(lambda s: queue.claim(s, team.wang, order=order, source=source, tag="电影")) is None
    assert store.run(lambda s: queue.claim(s, team.wang, order=order, tag="电影")) is not None or source is None
