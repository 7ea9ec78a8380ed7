"""A queue filtered by a tag: tags of few and of many questions are looked up differently, with one result."""

import pytest

from db import queue
from db.importing import IncomingQuestion, import_questions


@pytest.mark.parametrize("few", [0, 500])
def test_a_tag_of_many_questions_is_served_like_one_of_few(store, team, monkeypatch, few):
    monkeypatch.setattr(queue, "FEW", few)
    rows = [
        IncomingQuestion(n, f"第{n}个问题？", tags=("电影", "生活")[n % 2 :], source=("zhihu", "guokr")[n % 3 == 0])
        for n in range(12)
    ]
    import_questions(store, rows, name="file", fingerprint="file")

    def serve(**options) -> list[str]:
        titles = []
        while claim := store.run(lambda session: queue.claim(session, team.li, tag="电影", another=True, **options)):
            titles.append(claim.title)
        return titles

    of_zhihu = serve(source="zhihu", order="uncertain")
    assert sorted(of_zhihu) == ["第10个问题？", "第2个问题？", "第4个问题？", "第8个问题？"]
    assert sorted(serve()) == ["第0个问题？", "第6个问题？"]
    assert serve() == []
