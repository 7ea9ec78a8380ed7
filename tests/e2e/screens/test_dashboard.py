"""The dashboard: charts that are drawn, and their numbers to take along."""

import csv
import io

from playwright.sync_api import expect

from tests.e2e.desk import eventually
from tests.e2e.screens.conftest import BY_HAND
from tests.e2e.screens.screen import PATIENCE, Screen
from tests.e2e.timing import timed


def taken(screen: Screen, name: str) -> list[dict[str, str]]:
    """The numbers of a chart."""
    file, content = screen.download(screen.widget(f"dashboard_csv_{name}"))
    assert file == f"{name}.csv"
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_charts_are_drawn_and_their_numbers_taken_along(open_screen, studio):
    screen = open_screen("dashboard")
    charts = screen.main.locator(".js-plotly-plot")
    with timed("dashboard: charts drawn"):
        eventually(lambda: charts.count() >= 7)
        eventually(lambda: all(charts.evaluate_all("plots => plots.map(plot => plot.querySelectorAll('svg').length)")))
    days = {line["day"]: int(line["decisions"]) for line in taken(screen, "decisions_a_day")}
    assert {ago: days[f"{studio.day(ago)}"] for ago in (5, 4, 3, 2)} == {5: 12, 4: 12, 3: 6, 2: 8}
    screen.widget("dashboard_split").get_by_text("按人分开").click()
    expect(charts.first).to_contain_text("wang", timeout=PATIENCE)
    by_person = {(line["day"], line["person"]): line["decisions"] for line in taken(screen, "decisions_a_day")}
    assert by_person[f"{studio.day(5)}", "li"] == "12"
    assert by_person[f"{studio.day(2)}", "wang"] == "4"
    ranks = {line["rank"]: line for line in taken(screen, "acceptance_by_rank")}
    # Wang rejects what is suggested first, in 16 decisions; everybody else accepts it.
    assert (ranks["1"]["rejected"], ranks["2"]["accepted"]) == ("16", "16")
    assert int(ranks["1"]["accepted"]) == int(ranks["2"]["rejected"]) >= 22
    by_hand = {line["tag"]: line["added_by_hand"] for line in taken(screen, "tags_added_by_hand")}
    assert by_hand[BY_HAND] == "6"
    new = {line["tag"]: line for line in taken(screen, "new_tags")}
    assert (new[BY_HAND]["person"], new[BY_HAND]["from"], new[BY_HAND]["decisions"]) == ("zhao", "hand", "6")
    seconds = sum(int(line["decisions"]) for line in taken(screen, "seconds_a_decision"))
    assert seconds == sum(days.values())


def test_a_range_without_decisions_says_so_and_agreement_is_worked_out(open_screen, studio):
    screen = open_screen("dashboard", language="en")
    screen.see("Decisions a day")
    with timed("dashboard: agreement worked out"):
        screen.press("Work it out")
        screen.see("Kappa by tag")
    measures = {line["measure"]: line["all"] for line in taken(screen, "agreement")}
    # Four questions have two opinions, and no two of those eight share a tag: all are as far apart as can be.
    assert float(measures["krippendorff_alpha"]) == 0
    screen.widget("dashboard_filters").get_by_role("radio", name="custom").click()
    days = screen.widget("dashboard_filters").get_by_role("spinbutton")
    for place, day in ((0, studio.day(8)), (3, studio.day(7))):  # a year, a month and a day each
        days.nth(place).click()
        screen.page.keyboard.type(f"{day:%Y%m%d}")
    screen.page.keyboard.press("Escape")
    screen.see("No decisions within these filters")
