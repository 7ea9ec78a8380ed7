"""The history page's own arithmetic: days, roles, ways back, and that what people wrote stays text."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from app.access.auth import Visitor
from app.entry import labels_seen
from app.history import agreement, filters, markup, ways_back
from app.history.listing import rows_data
from app.shell.i18n import translate
from db.figures.agreement import Alpha
from db.ledger.history import Conflict, HistoryLine, Opinion

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def english(key, **values):
    return translate("en", key, **values)


def line(**values):
    return HistoryLine(**{"number": 5, "at": NOON, "kind": "decision", "person_id": 1, "person": "li", "question_id": 9,
                          "title": "t", "standing": "answer", **values})  # fmt: skip


@pytest.mark.parametrize(("role", "whose"), [("moderator", 7), ("researcher", 3), ("admin", 3)])
def test_moderators_search_their_own_entries_whoever_they_ask_for(role, whose):
    found = filters.Filters(person_id=3, until=date(2026, 1, 31)).conditions(Visitor(7, "me", role), SHANGHAI)
    assert found["person_id"] == whose
    assert found["until"] == datetime(2026, 1, 31, 16, tzinfo=UTC)


def test_the_way_back_of_an_entry_of_an_undo_and_of_what_was_undone():
    me, admin, other = Visitor(1, "li", "moderator"), Visitor(8, "chen", "admin"), Visitor(2, "w", "researcher")
    assert ways_back.way_back(line(), me) == ways_back.WayBack(5, None, may=True)
    assert not ways_back.way_back(line(), other).may
    assert ways_back.way_back(line(), admin).may
    assert ways_back.way_back(line(kind="undo", target=4), me) == ways_back.WayBack(5, 4, may=True)
    assert ways_back.way_back(line(undone_by=6, undone_by_person=8), me) == ways_back.WayBack(6, 5, may=False)
    assert ways_back.way_back(line(undone_by=6, undone_by_person=8), admin) == ways_back.WayBack(6, 5, may=True)


def test_an_entry_says_what_it_is():
    assert markup.standing(line(), english) == "answer"
    assert markup.standing(line(standing="second_opinion", target=3), english) == "second opinion (replaces 3)"
    assert markup.standing(line(kind="undo", target=3, standing=None), english) == "undo of 3"
    assert markup.standing(line(kind="review", standing=None), english) == "review"


def test_a_row_is_short_at_a_glance_and_whole_on_hover():
    lines = [line(accepted=("a", "b"), rejected=("c",), undone_by=6, flag="重复", comment="见 4 号")]
    data = rows_data(lines, lines[0].number, SHANGHAI, english)
    (row,) = data["rows"]
    assert (row["id"], row["dim"], data["selected"]) == (lines[0].number, True, lines[0].number)
    assert len(row["cells"]) == len(data["columns"])
    assert row["cells"][1] == {"short": "01-31 20:00", "full": "2026-01-31 20:00:00"}
    assert [(chip["text"], chip["kind"]) for chip in row["cells"][4]] == [
        ("a", "accepted"),
        ("b", "accepted"),
        ("c", "rejected"),
    ]
    assert row["cells"][5]["short"] == "undone ⚑ 重复 ✎"
    assert row["cells"][5]["full"] == "taken back by 6\nFlag: 重复\nComment: 见 4 号"


def test_alpha_is_said_with_its_reason_when_there_is_none():
    assert "0.500" in agreement.alpha_sentence(Alpha(0.5, 0.1, 0.2, 4, 9), english)
    assert "no question has two opinions" in agreement.alpha_sentence(Alpha(None, None, None, 0, 0), english)
    assert "are the same" in agreement.alpha_sentence(Alpha(None, 0.0, 0.0, 4, 9), english)


def test_what_people_wrote_is_never_html():
    evil = "<script>x</script>"
    shown = markup.line_html(
        line(title=evil, person=evil, accepted=(evil,), rejected=(evil,), comment=evil, flag=evil, model_version=evil),
        UTC,
        english,
    )
    opinion = Opinion(1, NOON, evil, "answer", (evil,), (), (evil,), evil)
    conflict = Conflict(1, evil, evil, evil, (evil,), 0.0, (opinion,))
    shown += markup.opinion_html(opinion, conflict, UTC, english) + markup.question_html(evil, evil)
    shown += markup.snapshot_html(labels_seen.Snapshot("single", (evil,), (evil,), (evil,)), english)
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;x") == 15
