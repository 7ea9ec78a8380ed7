"""What lines of the ledger add up to, without a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from db.ledger.replay import LedgerLine, VerdictLine, current_opinions, in_force, settle, undos_in_force

LI, WANG, ZHAO = 1, 2, 3
MORNING = datetime(2026, 1, 31, 8, tzinfo=UTC)


def line(number: int, kind: str, person: int = LI, *tags: str, target=None, standing="answer", **verdicts: str):
    given = {**dict.fromkeys(tags, "added"), **verdicts}
    return LedgerLine(
        number=number,
        at=MORNING + timedelta(minutes=number),
        kind=kind,
        person_id=person,
        target=target,
        standing=standing if kind == "decision" else None,
        verdicts=tuple(VerdictLine(tag, tag, verdict) for tag, verdict in given.items()),
    )


def undo(number: int, target: int, standing: str | None = None) -> LedgerLine:
    return replace(line(number, "undo", target=target), standing=standing)


def numbers(lines) -> list[int]:
    return [some.number for some in lines]


def test_no_lines_settle_nothing():
    settled = settle([])
    assert (settled.state, settled.tags, settled.opinions, settled.agreement) == ("none", (), (), None)


def test_one_opinion_stands_alone():
    settled = settle([line(1, "decision", LI, "a", b="rejected", c="unjudged", d="accepted")])
    assert (settled.state, settled.tags) == ("single", ("a", "d"))
    assert (settled.rejected, settled.unjudged, settled.agreement) == (("b",), ("c",), None)


def test_the_latest_decision_of_a_person_is_their_opinion():
    lines = [line(1, "decision", LI, "a"), line(2, "decision", WANG, "b"), line(3, "decision", LI, "c", target=1)]
    assert numbers(current_opinions(lines)) == [2, 3]


def test_lines_may_come_in_any_order():
    lines = [undo(2, 1), line(3, "decision", LI, "b"), line(1, "decision", LI, "a")]
    assert numbers(in_force(lines)) == [3]


@pytest.mark.parametrize(
    ("undos", "expected"),
    [
        ([], [1]),
        ([undo(2, 1)], []),
        ([undo(2, 1), undo(3, 2)], [1]),
        ([undo(2, 1), undo(3, 2), undo(4, 3)], []),
        ([undo(2, 1), undo(3, 2), undo(4, 1)], []),
        ([undo(2, 1), undo(3, 2), undo(4, 1), undo(5, 4)], [1]),
    ],
)
def test_an_undo_counts_unless_it_is_undone_itself(undos, expected):
    assert numbers(in_force([line(1, "decision", LI, "a"), *undos])) == expected


@pytest.mark.parametrize(
    ("undos", "expected"),
    [
        ([], {}),
        ([(2, 1)], {1: 2}),
        ([(2, 1), (3, 2)], {2: 3}),
        ([(3, 2), (4, 1), (2, 1)], {2: 3, 1: 4}),
        ([(2, 1), (4, 3)], {1: 2, 3: 4}),
    ],
)
def test_the_undo_in_force_is_named_in_whatever_order_they_come(undos, expected):
    assert undos_in_force(undos) == expected


def test_undoing_the_newer_of_two_decisions_brings_the_older_back():
    lines = [line(1, "decision", LI, "a"), line(2, "decision", LI, "b", target=1), undo(3, 2)]
    assert settle(lines).tags == ("a",)


def test_the_undo_that_brings_an_opinion_back_says_how_it_stands():
    lines = [line(1, "decision", LI, "a"), undo(2, 1), line(3, "decision", WANG, "b"), undo(4, 2, "second_opinion")]
    assert [(opinion.number, opinion.standing) for opinion in current_opinions(lines)] == [
        (1, "second_opinion"),
        (3, "answer"),
    ]
    assert settle(lines).tags == ("b",)
    changed = [*lines, line(5, "decision", LI, "c", target=1, standing="answer")]
    assert [opinion.standing for opinion in current_opinions(changed)] == ["answer", "answer"]


def test_an_undo_that_says_nothing_about_the_standing_leaves_it_as_it_was():
    lines = [line(1, "decision", LI, "a"), undo(2, 1), line(3, "decision", WANG, "b"), undo(4, 2)]
    assert [opinion.standing for opinion in current_opinions(lines)] == ["answer", "answer"]


def test_an_undo_of_a_review_is_about_no_opinion():
    lines = [line(1, "decision", LI, "a"), line(2, "review", LI, "b"), undo(3, 2, "second_opinion")]
    assert [opinion.standing for opinion in current_opinions(lines)] == ["answer"]


def test_more_than_half_of_the_answers_make_a_label():
    two = [line(1, "decision", LI, "a", "b"), line(2, "decision", WANG, "a", "c")]
    assert (settle(two).tags, settle(two).state) == (("a",), "conflict")
    three = [*two, line(3, "decision", ZHAO, "c")]
    assert settle(three).tags == ("a", "c")


def test_second_opinions_count_only_where_there_is_no_answer():
    lines = [line(1, "decision", LI, "a"), line(2, "decision", WANG, "b", standing="second_opinion")]
    assert (settle(lines).tags, settle(lines).state) == (("a",), "conflict")
    assert settle([*lines, undo(3, 1)]).tags == ("b",)


def test_opinions_that_hold_the_same_tags_agree_whatever_they_reject():
    lines = [line(1, "decision", LI, "a", "b"), line(2, "decision", WANG, "b", a="accepted", c="rejected")]
    settled = settle(lines)
    assert (settled.state, settled.tags, settled.agreement) == ("agreed", ("a", "b"), 1.0)
    assert settled.rejected == ("c",)


def test_a_tag_that_one_rejects_and_the_labels_hold_is_not_rejected():
    lines = [
        line(1, "decision", LI, "a"),
        line(2, "decision", WANG, "a"),
        line(3, "decision", ZHAO, a="rejected", b="unjudged"),
    ]
    settled = settle(lines)
    assert (settled.tags, settled.rejected, settled.unjudged) == (("a",), (), ("b",))


def test_a_tag_that_one_rejects_and_one_leaves_unjudged_is_rejected():
    lines = [line(1, "decision", LI, a="unjudged"), line(2, "decision", WANG, a="rejected")]
    settled = settle(lines)
    assert (settled.rejected, settled.unjudged) == (("a",), ())


def test_a_review_settles_the_labels_whatever_the_opinions_say():
    lines = [
        line(1, "decision", LI, "a"),
        line(2, "decision", WANG, "b"),
        line(3, "review", ZHAO, "c", a="rejected"),
    ]
    settled = settle(lines)
    assert (settled.state, settled.tags, settled.rejected) == ("reviewed", ("c",), ("a",))
    assert (numbers(settled.opinions), numbers(settled.counting)) == ([1, 2], [3])
    assert settled.agreement == 0.0
    assert settle([*lines, undo(4, 3)]).state == "conflict"


def test_the_newest_review_in_force_counts():
    lines = [line(1, "review", ZHAO, "a"), line(2, "review", ZHAO, "b", target=1)]
    assert settle(lines).tags == ("b",)
    assert settle([*lines, undo(3, 2)]).tags == ("a",)
    assert settle([*lines, undo(3, 2), undo(4, 1)]).state == "none"


def test_spellings_that_mean_one_tag_count_as_one():
    def resolve(key: str, text: str) -> tuple[str, str]:
        return ("film", "Film") if key in ("movie", "film") else (key, text)

    lines = [line(1, "decision", LI, "movie"), line(2, "decision", WANG, "film")]
    assert settle(lines).state == "conflict"
    settled = settle(lines, resolve)
    assert (settled.state, settled.tags) == ("agreed", ("Film",))
    mixed = settle([line(1, "decision", LI, "movie", film="rejected")], resolve)
    assert (mixed.tags, mixed.rejected) == (("Film",), ())
