"""The history page: found by its text, taken back and brought back, on a past day, and a conflict settled."""

import re

from playwright.sync_api import Locator, expect

from db.ledger.entries import find_entry
from db.ledger.labels import look_at
from tests.e2e.desk import eventually
from tests.e2e.screens.screen import PATIENCE, Screen
from tests.e2e.timing import timed

OWN = 40  # chen decided about it a day ago
DISPUTED = 25  # li and wang do not agree


def rows(screen: Screen) -> Locator:
    return screen.main.locator(".rows tbody tr")


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
    expect(rows(screen)).to_have_count(1, timeout=PATIENCE)
    cells = rows(screen).locator("td").all_inner_texts()
    assert (cells[2:4], cells[1][:5]) == (["chen", before.title], f"{studio.day(1):%m-%d}")
    assert rows(screen).locator(".chip.accepted").all_inner_texts() == [tag]
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
    expect(opinions).to_have_count(2, timeout=PATIENCE)
    first, second = opinions.all_inner_texts()
    assert (first.split()[0], second.split()[0]) == ("li", "wang")
    settle = screen.widget(f"history_settle_{DISPUTED}").get_by_role("button")
    expect(settle).to_be_disabled()  # nothing is chosen, so nothing is offered
    expect(screen.main.locator("[data-testid=stBaseButton-primary]")).to_have_count(0)
    tags = screen.widget(f"history_tags_{DISPUTED}").get_by_role("button", pressed=True)

    def chosen(*texts: str) -> None:
        expect(tags).to_have_text(list(texts), timeout=PATIENCE)
        expect(settle).to_be_enabled()
        assert settle.get_attribute("data-testid") == "stBaseButton-primary"

    held = [line.verdicts for line in before.settled.opinions]
    mine, theirs = (next(v.text for v in verdicts if v.verdict == "accepted") for verdicts in held)
    screen.main.get_by_role("button", name="Take this answer").nth(1).click()
    chosen(theirs)
    screen.press("Take both")
    chosen(mine, theirs)
    screen.widget(f"history_tags_{DISPUTED}").get_by_role("button", name=mine, exact=True).click()
    chosen(theirs)
    wanted = "两人都没想到的标签"
    screen.write(screen.widget(f"history_other_{DISPUTED}"), wanted)
    chosen(theirs, wanted)
    screen.widget(f"history_tags_{DISPUTED}").get_by_role("button", name=theirs, exact=True).click()
    chosen(wanted)
    screen.write(screen.widget(f"history_comment_{DISPUTED}"), "两个都不够准确")
    with timed("history: a conflict settled"):
        settle.click()
        said = screen.see(re.compile(r"Settled, receipt \d+")).inner_text()
    receipt = int(re.findall(r"\d+", said)[0])
    with studio.store.read() as session:
        settled = look_at(session, DISPUTED).settled
        assert (settled.state, settled.tags) == ("reviewed", (wanted,))
        assert find_entry(session, receipt).kind == "review"
    screen.see(re.compile("question 26 · source sample"))  # the next one


def test_rows_are_many_and_chosen_by_keyboard(open_screen, studio):
    screen = open_screen("history", language="en")
    screen.page.set_viewport_size({"width": 1280, "height": 720})
    expect(rows(screen).first).to_be_visible(timeout=PATIENCE)
    ends = rows(screen).evaluate_all("rows => rows.map(row => row.getBoundingClientRect().bottom)")
    inside = rows(screen).first.evaluate("row => row.closest('.scroll').getBoundingClientRect().bottom")
    assert sum(end <= min(720, inside) for end in ends) > 6
    numbers = rows(screen).evaluate_all("rows => rows.map(row => row.cells[0].innerText)")
    rows(screen).first.focus()
    for key, place in (("Enter", 1), ("Space", 2)):
        screen.page.keyboard.press("ArrowDown")
        screen.page.keyboard.press(key)
        expect(rows(screen).nth(place)).to_have_attribute("aria-selected", "true", timeout=PATIENCE)
        shown = screen.main.locator(".l2a-receipt")
        expect(shown).to_have_text(numbers[place], timeout=PATIENCE)
        expect(shown).to_be_in_viewport()
        expect(rows(screen).nth(place)).to_be_focused()


def test_a_moderator_sees_only_what_is_theirs(open_screen):
    screen = open_screen("history", person="li", language="en")
    screen.see("Only your own decisions are here")
    screen.see("page 1 · 16 entries")
    expect(rows(screen)).to_have_count(16, timeout=PATIENCE)
    assert set(rows(screen).evaluate_all("rows => rows.map(row => row.cells[2].innerText)")) == {"li"}
