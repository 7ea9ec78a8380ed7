"""A file that comes again with other labels: nothing of it is dropped in silence."""

import pytest

from db.ledger import entries as ledger
from db.tags import planning as tags
from db.transfer import importing
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import change_tags, decide, look, scalar


def row(line: int, *tags: str, **options) -> IncomingQuestion:
    return IncomingQuestion(line, f"question {line}", tags=tags, **{"says_tags": True, **options})


def take_in(store, *rows, fingerprint: str = "file", **options) -> importing.ImportReport:
    return import_questions(store, rows, name="q.jsonl", fingerprint=fingerprint, **options)


@pytest.fixture
def questions(store) -> list[int]:
    """Three questions; the first two came with the tag a."""
    take_in(store, row(1, "a"), row(2, "a"), row(3), fingerprint="first")
    return [scalar(store, f"SELECT id FROM questions WHERE title = 'question {n}'") for n in (1, 2, 3)]


def figures(report) -> tuple[int, int, int, int]:
    return report.added, report.duplicates, report.relabelled, report.recorded


def test_rows_with_other_labels_are_counted_and_left_alone(store, team, questions):
    decide(store, questions[0], team.li, "b")
    rows = (row(1, "b"), row(2, "c"), row(3))  # as decided; other than it came with; as it came
    for dry_run in (True, False):
        assert figures(take_in(store, *rows, dry_run=dry_run)) == (0, 3, 1, 0)
    assert look(store, questions[1]).settled.state == "none"


def test_a_question_that_was_decided_is_compared_with_the_decision_and_not_with_what_it_came_with(
    store, team, questions
):
    decide(store, questions[0], team.li, "b")
    assert figures(take_in(store, row(1, "a"))) == (0, 1, 1, 0)


def test_a_row_without_tags_says_something_only_where_the_file_speaks_of_tags(store, questions):
    assert figures(take_in(store, row(1, says_tags=False))) == (0, 1, 0, 0)
    assert figures(take_in(store, row(1))) == (0, 1, 1, 0)


def test_other_labels_become_the_decisions_of_whoever_brings_them(store, team, questions):
    decide(store, questions[0], team.wang, "b")
    report = take_in(store, row(1, "c", "C"), row(2, "a"), row(3, "d"), record_as=team.li)
    assert figures(report) == (0, 3, 2, 2)
    assert len(report.receipts) == 2
    assert report.receipts[0] < report.receipts[1]
    first, third = look(store, questions[0]).settled, look(store, questions[2]).settled
    assert (first.state, first.tags) == ("conflict", ("b",))  # wang answered, li's is a second opinion
    assert [line.person_id for line in first.opinions] == [team.wang, team.li]
    assert (third.state, third.tags) == ("single", ("d",))


def test_the_same_file_again_records_nothing_more(store, team, questions):
    decide(store, questions[0], team.wang, "b")
    for expected in ((0, 1, 1, 1), (0, 1, 0, 0)):
        assert figures(take_in(store, row(1, "c"), record_as=team.li)) == expected


def test_a_dry_run_says_what_would_be_recorded_and_records_nothing(store, team, questions):
    assert figures(take_in(store, row(1, "c"), record_as=team.li, dry_run=True)) == (0, 1, 1, 0)
    assert look(store, questions[0]).settled.state == "none"


def test_an_alias_is_no_other_label(store, team, questions):
    change_tags(store, team.admin, tags.plan_alias, "a", "alpha")
    assert figures(take_in(store, row(1, "alpha"))) == (0, 1, 0, 0)


def test_what_was_redacted_is_left_alone(store, team, questions):
    store.run(lambda session: ledger.redact(session, questions[0], team.admin, reason="asked for"))
    assert figures(take_in(store, row(1, "c"), record_as=team.li)) == (0, 1, 0, 0)


def test_an_import_that_breaks_off_records_each_row_once(store, team, questions, monkeypatch):
    monkeypatch.setattr(importing, "RECORDED_A_TRANSACTION", 1)

    def breaking():
        yield from (row(1, "x"), row(2, "y"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_questions(store, breaking(), name="q", fingerprint="f", record_as=team.li)
    report = import_questions(
        store, iter([row(1, "x"), row(2, "y"), row(3, "z")]), name="q", fingerprint="f", record_as=team.li
    )
    assert (report.resumed_after, report.recorded) == (2, 1)
    assert scalar(store, "SELECT count(*) FROM entries WHERE kind = 'decision'") == 3
