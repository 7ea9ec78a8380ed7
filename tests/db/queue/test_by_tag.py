"""A queue filtered by a tag: tags of few and of many questions are looked up differently, with one result."""

import pytest
from sqlalchemy import select

from db.queue import claims as queue
from db.queue import serving
from db.store.tables import Lease
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import claimed_ids, serve_in_order


@pytest.mark.parametrize(("few", "front"), [(500, 500), (0, 500), (0, 1), (5, 1)])
def test_a_tag_of_many_questions_is_served_like_one_of_few(store, team, monkeypatch, few, front):
    monkeypatch.setattr(serving, "FEW", few)
    monkeypatch.setattr(serving, "FRONT", front)
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


@pytest.mark.parametrize("order", queue.ORDERS)
def test_a_common_tag_at_the_front_of_the_queue_is_found_without_going_through_all_it_has(
    store, team, monkeypatch, order
):
    serve_in_order(store)
    monkeypatch.setattr(serving, "FEW", 3)
    monkeypatch.setattr(serving, "FRONT", 8)
    rows = [IncomingQuestion(n, f"第{n}个问题？", tags=("电影",) if n % 2 else ()) for n in range(12)]
    import_questions(store, rows, name="file", fingerprint="file")
    expected = claimed_ids(store, team.li, order=order)
    with store.read() as session:
        leases = session.scalars(select(Lease.id)).all()
    for number in leases:
        store.run(lambda session, number=number: queue.release(session, number, team.li))
    with_tag = [number for number in expected if number % 2 == 0]  # ids begin at 1, the file's lines at 0

    def went_through_the_tag(served):
        raise AssertionError("the front of the queue was enough")

    monkeypatch.setattr(serving.Served, "conditions", property(went_through_the_tag))
    assert claimed_ids(store, team.li, order=order, tag="电影") == with_tag
