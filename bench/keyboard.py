"""One person at the keyboard: how many keys a question takes, and how long until the next one is there.

    python bench/keyboard.py [--questions 25] [--url http://localhost:8501]

Starts the app on a store of its own with the starter model (or uses one that runs at --url with the sample questions
in its queue) and answers sample questions in Chromium as somebody would who wants the tags that the sample came with: a
digit for each that is suggested, `/` and its name for the first that is not, `Enter`. Typed letters of a name do not
count as keys, everything else does.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.moderators import BROWSERS, PATIENCE, SWITCHES, running_app  # noqa: E402

SETTLE = 350  # ms; a person does not decide what has just come
SAMPLES = ROOT / "samples" / "questions.jsonl"


def work(page, url: str, count: int) -> dict:
    """Answer questions; keys and waits in the middle."""
    from playwright.sync_api import expect

    wanted = {row["title"]: row["tags"] for row in map(json.loads, SAMPLES.read_text(encoding="utf-8").splitlines())}
    page.goto(f"{url}/?as=keyboard&lang=zh")
    number, yes = page.locator(".meta span").first, page.locator(".st-key-person-take button")
    expect(number.or_(yes).first).to_be_attached(timeout=PATIENCE * 1000)
    if yes.count():
        yes.click()
    expect(number).to_be_visible(timeout=PATIENCE * 1000)
    keys, waits = [], []
    for _ in range(count):
        page.wait_for_timeout(SETTLE)
        before, offered = number.inner_text(), page.locator(".tag .name").all_inner_texts()
        tags = wanted.get(page.locator("h1.title").inner_text(), [])
        pressed = [str((offered.index(tag) + 1) % 10) for tag in tags if tag in offered[:10]]
        missing = [tag for tag in tags if tag not in offered[:10]]
        for key in pressed:
            page.keyboard.press(key)
        if missing or not pressed:
            name = missing[0] if missing else "生活"
            page.keyboard.press("/")
            page.keyboard.type(name)
            expect(page.locator(".matches li").filter(has_text=name).first).to_be_visible(timeout=PATIENCE * 1000)
            page.keyboard.press("Enter")
            page.keyboard.press("Escape")
            pressed += ["/", "Enter", "Escape"]
        begun = time.perf_counter()
        page.keyboard.press("Enter")
        expect(number).not_to_have_text(before, timeout=PATIENCE * 1000)
        waits.append(time.perf_counter() - begun)
        keys.append(len(pressed) + 1)
    return {
        "questions": count,
        "keys_mean": round(statistics.mean(keys), 2),
        "keys_median": statistics.median(keys),
        "submit_to_next_s_median": round(statistics.median(waits), 3),
        "submit_to_next_s_p95": round(sorted(waits)[int(0.95 * (len(waits) - 1))], 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=25)
    parser.add_argument("--url", help="of an app that is running already")
    args = parser.parse_args()
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES.split())
        page = browser.new_page(locale="zh-CN", viewport={"width": 1280, "height": 720})
        started = nullcontext((args.url, None, None)) if args.url else running_app(Path(folder))
        with started as (url, _, _):
            print(json.dumps(work(page, url, args.questions)))
        browser.close()


if __name__ == "__main__":
    main()
