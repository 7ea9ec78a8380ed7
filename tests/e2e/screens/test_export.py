"""The export page: filters and what they leave, the preview, the file and its manifest, the difference."""

import hashlib
import json
import re

from playwright.sync_api import expect

from tests.e2e.desk import eventually
from tests.e2e.screens.conftest import BY_HAND
from tests.e2e.screens.screen import PATIENCE
from tests.e2e.timing import timed


def test_filters_change_what_is_counted_previewed_and_written(open_screen):
    screen = open_screen("export", person="zhao")
    screen.see(re.compile(r"^38 个问题 · "))
    screen.see("文件的前 5 行，一字不差")
    shown = screen.main.locator("[data-testid=stCode] code").first
    expect(shown).to_contain_text(re.compile(r'^\{"id": "sample-001", "question_id": 1, '), timeout=PATIENCE)
    screen.pick("export_look", "表格")
    screen.see("预览：前 20 行")
    with timed("export: filtered, counted and prepared"):
        screen.select(screen.widget("export_people"), "zhao")
        # Six questions with one accepted tag, one by hand and one rejected each.
        screen.see("6 个问题 · 12 个标签 · 6 个被拒绝 · 0 个已隐去的问题不导出")
    screen.page.keyboard.press("Escape")
    screen.see("预览：前 6 行")

    def previewed() -> list[str]:
        cells = screen.cells(screen.tables().first)
        return cells[0 :: max(1, len(cells) // 6)]

    # The line above the table changes before the table does.
    eventually(lambda: previewed() == [f"sample-{number:03}" for number in range(31, 37)])
    assert sum(BY_HAND in cell for cell in screen.cells(screen.tables().first)) == 6
    with timed("export: file downloaded"):
        name, content = screen.download(screen.widget("export_download"))
    lines = [json.loads(line) for line in content.decode().splitlines()]
    assert re.fullmatch(r"l2a-jsonl-\d+\.jsonl", name)
    assert [line["id"] for line in lines] == [f"sample-{number:03}" for number in range(31, 37)]
    assert all(BY_HAND in line["tags"] and line["people"] == ["zhao"] for line in lines)
    manifest_name, manifest_content = screen.download(screen.widget("export_download_manifest"))
    manifest = json.loads(manifest_content)
    assert manifest_name == f"{name}.manifest.json"
    assert manifest["sha256"] == hashlib.sha256(content).hexdigest()
    assert (manifest["file"], manifest["bytes"], manifest["rows"]) == (name, len(content), 6)
    assert manifest["filters"]["people"] == ["zhao"]


def test_days_and_rejections_and_nothing_left(open_screen, studio):
    screen = open_screen("export", language="en")
    screen.set_day(screen.widget("export_since"), studio.day(5))
    screen.set_day(screen.widget("export_until"), studio.day(4))
    screen.see("24 questions · 24 labels · 24 rejections · 0 redacted ones left out")
    screen.widget("export_rejections").get_by_text("With rejected tags").click()
    screen.see("24 questions · 24 labels · 0 rejections · 0 redacted ones left out")
    screen.select(screen.widget("export_people"), "zhao")
    screen.see("No question passes the filters")


def test_an_earlier_export_is_compared(open_screen, studio):
    screen = open_screen("export", language="en")
    screen.select(screen.widget("export_people"), "zhao")
    screen.see(re.compile("^6 questions · 12 labels"))
    screen.page.keyboard.press("Escape")
    name, content = screen.download(screen.widget("export_download"))
    rows = [json.loads(line) for line in content.decode().splitlines()]
    rows[0]["tags"].remove(BY_HAND)
    older = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows[:-1])
    screen.main.get_by_text("Difference against an earlier export").click()
    with timed("export: difference"):
        difference = "1 added · 0 removed · 1 with other labels · 4 the same (recognised by id)"
        screen.upload("export_older", name, older.encode(), then=difference)
