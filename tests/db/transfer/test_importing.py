"""Questions coming in: counted, complained about, resumed, and never twice."""

import pytest

from db import people
from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.store.tables import Import, Question
from db.transfer import importing
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import decide, find_tag, item, look, scalar


class Crash(Exception):
    """The machine goes down."""


def row(line: int, title: str | None = None, **options) -> IncomingQuestion:
    return IncomingQuestion(line, title or f"question {line}", **options)


def rows(number: int) -> list[IncomingQuestion]:
    return [
        row(line, tags=("电影", f"tag {line % 3}"), source="zhihu", external_id=f"z{line}")
        for line in range(1, number + 1)
    ]


def breaking_after(number: int, some: list[IncomingQuestion]):
    yield from some[:number]
    raise Crash


def take_in(store, some, fingerprint: str = "file", **options) -> importing.ImportReport:
    return import_questions(store, some, name="q.jsonl", fingerprint=fingerprint, **options)


def figures(report: importing.ImportReport) -> tuple[int, int, int, int, int]:
    return report.rows, report.added, report.duplicates, report.bad, report.labels


def contents(store) -> list:
    """Everything that an import stores, without ids and times."""
    with store.read() as session:
        run = session.connection().exec_driver_sql
        return [
            run("SELECT title, description, source, external_id, text_hash FROM questions ORDER BY title").all(),
            run(
                "SELECT q.title, p.key, p.text, p.place FROM prior_labels p JOIN questions q ON q.id = p.question_id "
                "ORDER BY q.title, p.place"
            ).all(),
            run(
                "SELECT q.title, i.pool, i.overlap, i.source FROM queue_items i JOIN questions q "
                "ON q.id = i.question_id ORDER BY q.title"
            ).all(),
            run("SELECT name, uses FROM tags ORDER BY name").all(),
            run("SELECT key, count(*) FROM queue_tags GROUP BY key ORDER BY key").all(),
        ]


@pytest.fixture
def small_steps(monkeypatch):
    monkeypatch.setattr(importing, "ROWS_A_TRANSACTION", 10)


def test_a_question_is_stored_with_its_prior_labels_and_its_place_in_the_queue(store, team):
    given = row(
        1, "标题", description="描述", tags=(" 电影 ", "Film", "FILM", "电影"), source="zhihu", external_id="z1"
    )
    report = take_in(store, [given], person_id=team.researcher, overlap=3)
    assert figures(report) == (1, 1, 0, 0, 2)
    question = scalar(store, "SELECT id FROM questions")
    seen = look(store, question)
    assert (seen.title, seen.description, seen.source, seen.external_id) == ("标题", "描述", "zhihu", "z1")
    assert seen.prior_tags == ("电影", "Film")
    place = item(store, question)
    assert (place.overlap, place.source, place.is_open, place.answers) == (3, "zhihu", True, 0)
    assert (find_tag(store, "film").uses, find_tag(store, "film").first_seen_by) == (1, team.researcher)


def test_the_report_counts_added_duplicate_and_bad_rows(store, small_steps):
    some = [
        *rows(12),
        row(13, "question 1"),  # the same text as line 1, in an earlier transaction
        row(14, "  QUESTION   12 "),  # the same but for case and white space
        row(15, "question 15", tags=("a", "A", "b")),
        row(16, "question 15"),  # twice in one transaction
        row(17, "\0"),
        row(18, "  "),
        row(19, "question 19", tags=("",)),
    ]
    seen = []
    report = take_in(store, some, progress=seen.append)
    assert figures(report) == (19, 13, 3, 3, 26)
    assert report.rows == report.added + report.duplicates + report.bad
    assert seen == [10, 19]
    assert list(map(str, report.messages)) == [
        "q.jsonl, line 17: holds a NUL character, which no database keeps; remove it",
        "q.jsonl, line 18: the title is empty",
        "q.jsonl, line 19: '' is not a tag: nothing is left of it once control characters are removed.",
    ]
    stored = scalar(store, "SELECT count(*) FROM imports WHERE state = 'finished' AND rows_done = 19 AND added = 13")
    assert stored == 1


def test_rows_with_text_that_no_database_keeps_are_complained_about(store):
    places = ("title", "description", "source", "external_id", "tags")
    bad = [
        row(line, **{"title": f"question {line}", place: (strange,) if place == "tags" else strange})
        for line, (place, strange) in enumerate(((p, s) for s in ("a\0b", "a\ud83db") for p in places), start=1)
    ]
    report = take_in(store, [*bad, row(11)])
    assert figures(report)[:4] == (11, 1, 0, 10)
    nul, half = "holds a NUL character, which no database keeps", "holds half of a surrogate pair, a broken emoji"
    expected = [f"q.jsonl, line {line}: {nul if line <= 5 else half}; remove it" for line in range(1, 11)]
    assert list(map(str, report.messages)) == expected


def test_only_the_first_complaints_are_kept(store):
    report = take_in(store, [row(line, " ") for line in range(1, 51)])
    assert (report.bad, len(report.messages)) == (50, 20)


def test_the_same_id_with_another_text_is_complained_about_and_left_as_it_is(store):
    take_in(store, [row(1, "first", source="zhihu", external_id="z1")])
    known = scalar(store, "SELECT id FROM questions")
    some = [
        row(1, "second", source="zhihu", external_id="z1"),
        row(2, "third", source="guokr", external_id="z1"),  # another source's z1
        row(3, "FIRST", source="zhihu", external_id="z1"),  # the same text
        row(4, "fourth", source="zhihu", external_id="z4"),
        row(5, "fifth", source="zhihu", external_id="z4"),
        row(6, "sixth"),
        row(7, "seventh"),  # no id is not the same id
    ]
    report = take_in(store, some, "other")
    assert figures(report)[:4] == (7, 4, 1, 2)
    assert list(map(str, report.messages)) == [
        f"q.jsonl, line 1: id z1 is there already with another text (question {known}), which was left as it is; "
        "give the new text another id",
        "q.jsonl, line 5: id z4 is there already with another text (line 4), which was left as it is; "
        "give the new text another id",
    ]


def test_a_second_import_adds_nothing(store, small_steps):
    take_in(store, rows(25))
    before = contents(store)
    report = take_in(store, rows(25))
    assert figures(report) == (25, 0, 25, 0, 0)
    assert report.resumed_after == 0
    assert contents(store) == before


def test_prior_labels_of_a_known_question_stay_as_they_are(store):
    take_in(store, [row(1, tags=("电影",))])
    take_in(store, [row(1, tags=("音乐",))], "other")
    assert look(store, scalar(store, "SELECT id FROM questions")).prior_tags == ("电影",)
    assert scalar(store, "SELECT count(*) FROM tags") == 1


@pytest.mark.parametrize("crash", [0, 5, 10, 23, 35])
def test_an_import_that_broke_off_goes_on_where_it_stopped(store, small_steps, crash):
    some = [*rows(30), *rows(3), row(34, "\0"), row(35, " ")]
    with pytest.raises(Crash):
        take_in(store, breaking_after(crash, some))
    whole_steps = crash // 10 * 10
    assert scalar(store, "SELECT count(*) FROM questions") == min(whole_steps, 30)
    assert scalar(store, "SELECT rows_done FROM imports") == whole_steps
    report = take_in(store, some)
    assert report.resumed_after == whole_steps
    assert figures(report) == (35, 30, 3, 2, 60)
    with store.read() as session:
        stored = session.query(Import).one()
    assert (stored.state, stored.rows_done, stored.added, stored.duplicates, stored.bad) == ("finished", 35, 30, 3, 2)
    assert contents(store)[0][:2] == [
        ("question 1", "", "zhihu", "z1", importing.text_hash("question 1", "")),
        ("question 10", "", "zhihu", "z10", importing.text_hash("question 10", "")),
    ]
    assert scalar(store, "SELECT count(*) FROM queue_items") == 30


def test_a_broken_import_of_one_file_does_not_shorten_that_of_another(store, small_steps):
    with pytest.raises(Crash):
        take_in(store, breaking_after(25, rows(30)))
    report = take_in(store, rows(30), "another file")
    assert (report.resumed_after, report.added, report.duplicates) == (0, 10, 20)


def test_an_import_resumed_equals_one_that_never_broke(store, small_steps, tmp_path, sqlite_template):
    import shutil

    from db.store.engine import Store

    with pytest.raises(Crash):
        take_in(store, breaking_after(14, rows(30)))
    take_in(store, rows(30))
    shutil.copy(sqlite_template, tmp_path / "whole.db")
    with Store(f"sqlite:///{tmp_path / 'whole.db'}") as whole:
        take_in(whole, rows(30))
        assert contents(store) == contents(whole)


def test_a_dry_run_tells_the_same_and_writes_nothing(store, team, small_steps):
    take_in(store, [row(1, "question 3", source="zhihu", external_id="z3"), row(2, "old", external_id="x")], "before")
    some = [
        *rows(25),
        row(26, "question 7"),
        row(27, "changed", source="zhihu", external_id="z7"),  # two transactions after line 7
        row(28, "new", external_id="x"),
        row(29, "twice", tags=("a", "A")),
        row(30, "twice"),
        row(31, "\0"),
        row(32, "question 7", source="zhihu", external_id="y"),  # a known text: its id is not taken
        row(33, "question 33", source="zhihu", external_id="y"),
    ]
    before, imports = contents(store), scalar(store, "SELECT count(*) FROM imports")
    rehearsed = take_in(store, some, dry_run=True)
    assert contents(store) == before
    assert scalar(store, "SELECT count(*) FROM imports") == imports
    done = take_in(store, some)
    assert (rehearsed.dry_run, done.dry_run) == (True, False)
    assert figures(rehearsed) == figures(done) == (33, 26, 4, 3, 49)
    places = [[str(message).split(":")[0] for message in report.messages] for report in (rehearsed, done)]
    assert places == [[f"q.jsonl, line {line}" for line in (27, 28, 31)]] * 2


def test_an_import_takes_a_person_who_may_and_an_overlap(store, team):
    with pytest.raises(Refused, match="An overlap of 0 would serve nothing"):
        take_in(store, rows(1), overlap=0)
    with pytest.raises(NotFound, match="There is no person number 4711"):
        take_in(store, rows(1), person_id=4711)
    store.run(lambda session: people.deactivate(session, "li", by=team.admin))
    with pytest.raises(Refused, match="li is no longer active"):
        take_in(store, rows(1), person_id=team.li)
    assert scalar(store, "SELECT count(*) FROM imports") == 0


def test_an_import_beside_decisions_leaves_them_alone(store, team):
    take_in(store, rows(2))
    first = scalar(store, "SELECT min(id) FROM questions")
    receipt = decide(store, first, team.li, "音乐")
    take_in(store, rows(4))
    with store.read() as session:
        assert ledger.find_receipt(session, receipt.number).question_id == first
        assert session.query(Question).count() == 4
    assert item(store, first).answers == 1
