"""The ledger read backwards: search, pages, what was taken back, conflicts and reopening."""

from datetime import timedelta

import pytest

from db import people
from db.ledger import history
from db.ledger.history import conflicts, recent_entries
from db.queue import claims as queue
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db import actions


def found(store, **filters) -> list[int]:
    with store.read() as session:
        return [line.number for line in recent_entries(session, **filters)]


def line_of(store, receipt):
    with store.read() as session:
        (line,) = recent_entries(session, number=receipt.number)
        return line


def add_titled(store, *titles: str) -> list[int]:
    rows = [IncomingQuestion(line=n, title=title, source="s", external_id=title) for n, title in enumerate(titles, 1)]
    import_questions(store, rows, name="titles", fingerprint="titles")
    return [actions.scalar(store, "SELECT id FROM questions WHERE title = :title", title=title) for title in titles]


def test_a_line_says_everything_about_its_entry(store, team, questions, live_model):
    suggestion = actions.suggest(store, questions[0], {"电影": 4, "导演": 2, "演员": 2})
    verdicts = {"电影": "accepted", "导演": "rejected", "美食": "added"}
    receipt = actions.decide(
        store, questions[0], team.li, verdicts=verdicts, suggestion_id=suggestion, comment="好 <b>", flag="other"
    )
    line = line_of(store, receipt)
    assert (line.number, line.at, line.kind) == (receipt.number, receipt.at, "decision")
    assert (line.person_id, line.person, line.question_id) == (team.li, "li", questions[0])
    assert line.title.endswith("怎么回答？")
    assert (line.accepted, line.rejected, line.added) == (("电影",), ("导演",), ("美食",))  # 演员 was left unjudged
    assert (line.standing, line.model_version, line.flag, line.comment) == ("answer", "v1", "other", "好 <b>")
    assert (line.target, line.undone_by) == (None, None)


def test_entries_come_newest_first_in_pages_by_number(store, team, questions):
    numbers = [actions.decide(store, question, team.li, "电影").number for question in questions[:7]]
    newest_first = numbers[::-1]
    assert found(store) == newest_first
    assert found(store, limit=3) == newest_first[:3]
    assert found(store, limit=3, before=newest_first[2]) == newest_first[3:6]
    assert found(store, limit=3, before=newest_first[5]) == newest_first[6:]
    assert found(store, before=numbers[0]) == []


def test_entries_about_tags_people_and_the_queue_are_no_history_of_questions(busy_store):
    with busy_store.read() as session:
        kinds = {line.kind for line in recent_entries(session)}
    assert kinds == {"decision", "review", "undo"}


def test_search_by_person_number_and_time(store, team, questions):
    first = actions.decide(store, questions[0], team.li, "电影")
    second = actions.decide(store, questions[1], team.wang, "音乐")
    third = actions.decide(store, questions[2], team.li, "美食")
    assert found(store, person_id=team.li) == [third.number, first.number]
    assert found(store, number=second.number) == [second.number]
    assert found(store, number=second.number, person_id=team.li) == []  # a number opens nobody else's entry
    assert found(store, since=second.at) == [third.number, second.number]
    assert found(store, until=second.at) == [first.number]
    assert found(store, since=first.at + timedelta(microseconds=1), until=third.at) == [second.number]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("100%", ["涨了100%怎么办"]),
        ("100_", ["变量100_a怎么写"]),
        ("PYTHON", ["怎么学 Python"]),
        ("  python ", ["怎么学 Python"]),
        ("a/b", ["a/b 测试"]),
        ("\\", ["反斜杠\\问题"]),
        ("怎么", ["怎么学 Python", "变量100_a怎么写", "涨了100%怎么办"]),
        ("%", ["涨了100%怎么办"]),
        ("Éa", ["Éa 读作什么"]),
        ("没有这个", []),
    ],
)
def test_search_by_text_takes_every_character_as_it_is(store, team, text, titles):
    everything = ["涨了100%怎么办", "变量100_a怎么写", "怎么学 Python", "a/b 测试", "反斜杠\\问题", "Éa 读作什么"]
    for question in add_titled(store, *everything, "涨了100"):
        actions.decide(store, question, team.li, "电影")
    with store.read() as session:
        assert [line.title for line in recent_entries(session, question_text=text)] == titles


def test_search_by_tag_finds_parts_and_every_spelling(store, team, questions):
    film = actions.decide(store, questions[0], team.li, "影片")
    movie = actions.decide(store, questions[1], team.li, "电影")
    review = actions.decide(store, questions[2], team.li, "电影评论")
    share = actions.decide(store, questions[3], team.li, "100%")
    actions.change_tags(store, team.researcher, tags.plan_merge, "影片", "电影")
    assert found(store, tag="电影") == [review.number, movie.number, film.number]
    assert found(store, tag="影片") == [movie.number, film.number]
    assert found(store, tag="%") == [share.number]
    assert found(store, tag="_") == []
    assert found(store, tag="  ") == [share.number, review.number, movie.number, film.number]


def test_a_line_names_the_undo_that_takes_it_back(store, team, questions):
    receipt = actions.decide(store, questions[0], team.li, "电影")
    first = actions.undo(store, receipt, team.admin)
    line = line_of(store, receipt)
    assert (line.undone_by, line.undone_by_person) == (first.number, team.admin)
    undo_line = line_of(store, first)
    assert (undo_line.kind, undo_line.target, undo_line.undone_by) == ("undo", receipt.number, None)
    second = actions.undo(store, first, team.admin)
    assert line_of(store, receipt).undone_by is None
    assert line_of(store, first).undone_by == second.number
    third = actions.undo(store, receipt, team.li)
    assert line_of(store, receipt).undone_by == third.number


def test_conflicts_show_every_opinion_and_the_majority(store, team, questions):
    store.run(lambda session: queue.set_overlap(session, 3))
    agreed, split, other = questions[:3]
    for person in (team.li, team.wang):
        actions.decide(store, agreed, person, "电影")
    actions.decide(store, split, team.li, "电影", "音乐")
    actions.decide(store, split, team.wang, verdicts={"电影": "added", "摇滚": "added"}, comment="我觉得")
    actions.decide(store, split, team.researcher, "片子")
    actions.change_tags(store, team.researcher, tags.plan_merge, "片子", "电影")
    actions.decide(store, other, team.li, "旅行")
    actions.decide(store, other, team.wang, "美食")
    with store.read() as session:
        first, second = conflicts(session)
        assert history.count_conflicts(session) == 2
        assert [c.question_id for c in conflicts(session, limit=1)] == [split]
        assert [c.question_id for c in conflicts(session, limit=1, after=split)] == [other]
        assert conflicts(session, after=other) == []
    assert first.majority == ("电影",)  # 片子 means 电影 by now, so all three hold it
    assert first.tags == ("电影", "音乐", "摇滚")
    assert [(o.person, o.tags, o.comment) for o in first.opinions] == [
        ("li", ("电影", "音乐"), ""),
        ("wang", ("电影", "摇滚"), "我觉得"),
        ("zhao", ("电影",), ""),
    ]
    assert (second.majority, second.tags, second.agreement) == ((), ("旅行", "美食"), 0.0)
    actions.review(store, split, team.researcher, "电影")
    with store.read() as session:
        assert [c.question_id for c in conflicts(session)] == [other]


def test_the_last_number_and_the_questions_decided_about(store, team, questions):
    with store.read() as session:
        assert history.count_questions(session) == 0
    actions.decide(store, questions[0], team.li, "电影")
    last = actions.decide(store, questions[0], team.wang, "电影")
    with store.read() as session:
        assert history.last_number(session) == last.number
        assert history.count_questions(session) == 1
    store.run(lambda session: people.add(session, "new", by=team.admin))
    with store.read() as session:
        assert history.last_number(session) > last.number


def test_entries_by_flag_and_comment(store, team, questions):
    flagged = actions.decide(store, questions[0], team.li, "电影", flag="重复")
    both = actions.decide(store, questions[1], team.li, "电影", flag="广告", comment="见上")
    said = actions.decide(store, questions[2], team.li, "电影", comment="好")
    actions.decide(store, questions[3], team.li, "电影")

    def found(**chosen) -> list[int]:
        with store.read() as session:
            return [line.number for line in history.recent_entries(session, **chosen)]

    assert found(flags=()) == [both.number, flagged.number]
    assert found(flags=("重复", "duplicate")) == [flagged.number]
    assert found(commented=True) == [said.number, both.number]
    assert found(flags=("广告",), commented=True) == [both.number]


def test_a_conflict_shows_the_flags_of_its_opinions(store, team, questions):
    store.run(lambda session: queue.set_overlap(session, 2))
    actions.decide(store, questions[0], team.li, "电影", flag="重复")
    actions.decide(store, questions[0], team.wang, "音乐")
    with store.read() as session:
        (conflict,) = history.conflicts(session)
    assert [opinion.flag for opinion in conflict.opinions] == ["重复", None]
