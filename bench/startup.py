"""How long until something happens: the command lines, the starter model, the first page. Best and median, as JSON.

    python bench/startup.py [--rounds 5] [--json FILE]

Each is measured in processes of its own. The first page is one with a question and its suggestions, from the command
that `make run` gives, on a new store (which is made and filled with the samples) and on one that is there.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from moderators import BoardSession, running_app  # noqa: E402

LOAD = """
import time
begun = time.perf_counter()
import l2a.checkpoint
imported = time.perf_counter()
l2a.checkpoint.load_tagger("models/starter")
print(imported - begun, time.perf_counter() - imported)
"""


def run(*arguments: str) -> tuple[float, str]:
    """Seconds of a whole process, and what it said."""
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return time.perf_counter() - begun, done.stdout


def time_starter() -> dict[str, float]:
    seconds, said = run("-c", LOAD)
    imports, load = map(float, said.split())
    return {"engine imported, torch too": imports, "starter loaded": load, "both, as a process": seconds}


def time_pages() -> dict[str, float]:
    """Twice in one folder: the first time there is no store yet."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for store in ("new store", "store that is there"):
            begun = time.perf_counter()
            with running_app(Path(folder)) as (url, *_):
                found[f"server answers, {store}"] = time.perf_counter() - begun
                board = asyncio.run(open_page(url))
                found[f"first page, {store}"] = time.perf_counter() - begun
                if not board.get("item") or not board.get("tags"):
                    raise RuntimeError(f"the page came without a question and suggestions: {board}")
    return found


async def open_page(url: str) -> dict:
    """What the board of the first page is told."""
    from websockets.asyncio.client import connect

    address = url.replace("http://", "ws://") + "/_stcore/stream"
    async with connect(address, subprotocols=["streamlit"], origin=url, max_size=None) as socket:
        session = BoardSession(socket, "startup")
        await session.open()
        return session.board


MEASURED: tuple[Callable[[], dict[str, float]], ...] = (
    lambda: {"python -c pass": run("-c", "pass")[0]},
    lambda: {"import l2a": run("-c", "import l2a")[0]},
    lambda: {"python -m l2a --help": run("-m", "l2a", "--help")[0]},
    lambda: {"python -m app --help": run("-m", "app", "--help")[0]},
    time_starter,
    time_pages,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    seconds: dict[str, list[float]] = {}
    for measure in MEASURED:
        for _ in range(args.rounds):
            for name, taken in measure().items():
                seconds.setdefault(name, []).append(taken)
    report = {
        name: {"best_seconds": round(min(taken), 3), "median_seconds": round(statistics.median(taken), 3)}
        for name, taken in seconds.items()
    }
    for name, row in report.items():
        print(f"{name:<40} best {row['best_seconds']:7.3f} s   median {row['median_seconds']:7.3f} s")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
