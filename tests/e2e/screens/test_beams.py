"""The beams page: the N-best list, another beam, tags that are banned or forced, the file."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import eventually
from tests.e2e.screens.screen import PATIENCE, Screen
from tests.e2e.timing import timed


@pytest.fixture
def screen(open_screen) -> Screen:
    screen = open_screen("beams?question=1")
    expect(rows(screen)).to_have_count(8, timeout=PATIENCE)
    return screen


def rows(screen: Screen):
    return screen.main.locator(".l2a-nbest tbody tr")


def hypotheses(screen: Screen) -> list[tuple[list[str], float]]:
    """The list on the page: tags in the order written, and the log-probability."""
    return [
        (row.locator(".l2a-chip").all_inner_texts(), float(row.locator("td").last.inner_text()))
        for row in rows(screen).all()
    ]


def slide_to(screen: Screen, beam: int) -> None:
    with timed(f"beams: list at beam {beam}"):
        screen.widget("beams-beam").locator("input[type=range]").press("End" if beam == 48 else "Home")
        screen.see(re.compile(rf"得票多于 \d+ / {beam}（"))
        screen.see(f"候选列表（{beam} 个）")
        expect(rows(screen)).to_have_count(beam, timeout=PATIENCE)


def test_a_smaller_beam_gives_a_shorter_list(screen):
    assert [row.locator("td").first.inner_text() for row in rows(screen).all()] == [str(n) for n in range(1, 9)]
    slide_to(screen, 48)
    widest = hypotheses(screen)
    scores = [score for _, score in widest]
    assert len(widest) == 48
    assert scores == sorted(scores, reverse=True)
    assert len({tuple(tags) for tags, _ in widest}) == 48
    slide_to(screen, 1)
    assert len(hypotheses(screen)) == 1
    expect(screen.main.locator(".js-plotly-plot").first).to_be_visible()


def test_a_banned_tag_is_gone_and_a_forced_one_is_first(screen):
    found = hypotheses(screen)
    banned = found[0][0][0]
    with timed("beams: search with a wish"):
        screen.select(screen.widget("beams-ban*"), banned)
        screen.see(re.compile(f"不加限制时：.*{banned}"))
    # As many as before, too: while the page draws them anew there are none at all for a moment.
    eventually(lambda: [banned in tags for tags, _ in hypotheses(screen)] == [False] * len(found))
    forced = next(tag for tags, _ in hypotheses(screen) for tag in tags if tag != hypotheses(screen)[0][0][0])
    screen.page.keyboard.press("Escape")
    screen.select(screen.widget("beams-force*"), forced)
    eventually(lambda: {tuple(tags[:1]) for tags, _ in hypotheses(screen)} == {(forced,)})
    assert all(banned not in tags for tags, _ in hypotheses(screen))
    name, content = screen.download(screen.widget("beams-export"))
    lines = [json.loads(line) for line in content.decode().splitlines()]
    assert re.fullmatch(r"nbest-1-8\.jsonl", name)
    assert {(tuple(line["ban"]), line["first_tag"]) for line in lines} == {((banned,), forced)}


def test_the_file_holds_the_hypotheses(screen):
    shown = hypotheses(screen)
    _, content = screen.download(screen.widget("beams-export"))
    lines = [json.loads(line) for line in content.decode().splitlines()]
    assert [line["tags"] for line in lines] == [tags for tags, _ in shown]
    assert [line["log_probability"] for line in lines] == pytest.approx([score for _, score in shown], abs=0.006)
    assert [line["rank"] for line in lines] == list(range(1, 9))
    # What a tag's votes are: in how many hypotheses it is.
    counted = {tag: sum(tag in line["tags"] for line in lines) for line in lines for tag in line["tags"]}
    for line in lines:
        assert line["votes"] == [counted[tag] for tag in line["tags"]]
        assert (line["question_id"], line["beam"]) == (1, 8)


def test_the_effect_of_the_beam_size_is_tried_on_request(open_screen):
    screen = open_screen("beams?question=2", language="en")
    with timed("beams: sizes 1 to 48 tried"):
        screen.widget("beams-try").get_by_role("button").click()
        expect(screen.tables()).to_have_count(2, timeout=PATIENCE)
    eventually(lambda: screen.cells(screen.tables().nth(1))[::5] == ["1", "2", "4", "8", "16", "32", "48"])


def test_typing_a_tag_to_ban_offers_single_tags_and_bans_the_one_that_is_chosen(screen):
    box = screen.widget("beams-ban*")
    box.locator("input").first.click()
    offered = screen.page.get_by_role("option")
    expect(offered.first).to_be_visible()
    names = offered.all_inner_texts()
    shared = max({sign for name in names for sign in name}, key=lambda sign: sum(sign in name for name in names))
    matching = {name for name in names if shared in name}
    assert len(matching) > 1
    box.locator("input").first.fill(shared)
    expect(screen.page.get_by_role("option", name=next(iter(matching)), exact=True)).to_be_visible()
    assert [name for name in offered.all_inner_texts() if name.startswith("Select")] == []
    screen.page.keyboard.press("Enter")
    screen.see(re.compile("不加限制时："))
    screen.page.keyboard.press("Escape")
    _, content = screen.download(screen.widget("beams-export"))
    assert {len(json.loads(line)["ban"]) for line in content.decode().splitlines()} == {1}
