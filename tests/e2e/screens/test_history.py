"""The history page: found by its text, taken back and brought back, on a past day, and a conflict settled."""

import re

from db.labels import look_at
from db.ledger import find_entry
from tests.e2e.desk import eventually
from tests.e2e.screens.screen import Screen
from tests.e2e.timing import timed

OWN = 40  # chen decided about it a day ago
DISPUTED = 25  # li and wang do not agree


def shown_side(screen: Screen, caption: str | re.Pattern) -> str:
    """What stands under one of the two captions: that day, now."""
    column = screen.main.locator("[data-testid=stColumn]").filter(has=screen.page.get_by_text(caption, exact=True))
    return column.last.inner_text()


def test_found_taken_back_seen_on_a_past_day_and_brought_back(open_screen, studio):
    with studio.store.read() as session:
        before = look_at(session, OWN)
    (tag,) = before.settled.tags
    screen = open_screen("history")
    with timed("history: search"):
        screen.write(screen.widget("history_text"), before.title)
        screen.see("第 1 页 · 1 条")
    cells = screen.cells(screen.tables().first)
    assert (cells[2:5], cells[1][:10]) == (["chen", before.title, tag], f"{studio.day(1):%Y-%m-%d}")
    number = int(cells[0])
    with timed("history: undo"):
        screen.press("撤销")
        said = screen.see(re.compile(rf"已撤销 {number}，回执 \d+")).inner_text()
    receipt = int(re.findall(r"\d+", said)[-1])
    with studio.store.read() as session:
        assert (find_entry(session, receipt).kind, find_entry(session, receipt).target) == ("undo", number)
        assert look_at(session, OWN).settled.state == "none"
    # A day ago it still stood; two days ago nobody had decided. What is now stays the same beside both.
    for day, state in ((studio.day(1), "一人决定"), (studio.day(2), "尚无决定")):
        with timed("history: a past day"):
            screen.set_day(screen.widget("history_day_*"), day)
            screen.see(f"{day} 那天")
            eventually(lambda day=day, state=state: state in shown_side(screen, f"{day} 那天"))
        assert (tag in shown_side(screen, f"{day} 那天")) == (day == studio.day(1))
        assert "尚无决定" in shown_side(screen, "现在")
        assert tag not in shown_side(screen, "现在")
    screen.press(f"恢复 {number}")
    screen.see(re.compile(rf"{number} 重新生效，回执 \d+"))
    with studio.store.read() as session:
        assert look_at(session, OWN).settled.tags == (tag,)


def test_a_conflict_is_settled_with_both_opinions_in_sight(open_screen, studio):
    with studio.store.read() as session:
        before = look_at(session, DISPUTED)
    assert before.settled.state == "conflict"
    screen = open_screen("history", person="zhao", language="en")
    with timed("history: a conflict shown"):
        screen.pick("history_section", re.compile(r"Conflicts to review \(\d+\)"))
        screen.see(before.title)
    opinions = screen.main.locator("[data-testid=stHtml]").filter(has_text=re.compile(r"answer · .*receipt \d+"))
    first, second = opinions.all_inner_texts()
    assert (first.split()[0], second.split()[0]) == ("li", "wang")
    tags = screen.widget(f"history_tags_{DISPUTED}")
    wanted = "两人都没想到的标签"
    tags.locator("input").first.fill(wanted)
    tags.locator("input").first.press("Enter")
    screen.page.keyboard.press("Escape")
    screen.write(screen.widget(f"history_comment_{DISPUTED}"), "两个都不够准确")
    with timed("history: a conflict settled"):
        screen.press("Settle")
        said = screen.see(re.compile(r"Settled, receipt \d+")).inner_text()
    receipt = int(re.findall(r"\d+", said)[0])
    with studio.store.read() as session:
        settled = look_at(session, DISPUTED).settled
        assert (settled.state, settled.tags) == ("reviewed", (wanted,))
        assert find_entry(session, receipt).kind == "review"
    screen.see(re.compile("question 26 · source sample"))  # the next one


def test_a_moderator_sees_only_what_is_theirs(open_screen):
    screen = open_screen("history", person="li", language="en")
    screen.see("Only your own decisions are here")
    screen.see("page 1 · 16 entries")
    assert set(screen.cells(screen.tables().first)[2::10]) == {"li"}
