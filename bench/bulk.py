"""`python -m l2a suggest` on a large file: questions a second, how busy the cores are, memory over time.

    python bench/bulk.py DATA/zhihu/unlabelled.jsonl.gz --count 20000 --beam 8 --json bulk.json

Memory is that of the command and all its processes, read every second; compared are the largest of the second and of
the last quarter of the run: it must not grow with the number of questions.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent


def measure(path: Path, options: list[str]) -> dict:
    """One run of the real command, watched from outside."""
    command = [sys.executable, "-m", "l2a", "suggest", "--quiet", *options, str(path)]
    with tempfile.TemporaryFile() as answers:
        started = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=answers)
        watched, memory, busy = psutil.Process(process.pid), [], {}
        while process.poll() is None:
            total = 0
            try:
                for one in (watched, *watched.children(recursive=True)):
                    total += one.memory_info().rss
                    busy[one.pid] = sum(one.cpu_times()[:2])
            except psutil.NoSuchProcess:
                pass  # it ended while it was looked at
            memory.append(total / 1e6)
            time.sleep(1)
        seconds = time.monotonic() - started
        answers.seek(0)
        lines = sum(1 for _ in answers)
    if process.returncode:
        sys.exit(f"suggest ended with code {process.returncode}.")
    quarter = max(1, len(memory) // 4)
    return {
        "questions": lines,
        "seconds": round(seconds, 1),
        "questions_a_second": round(lines / seconds, 1),
        "cores_busy": round(sum(busy.values()) / seconds, 2),
        "peak_MB_second_quarter": round(max(memory[quarter : 2 * quarter], default=0)),
        "peak_MB_last_quarter": round(max(memory[-quarter:])),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="questions, JSON lines, plain or gzip")
    parser.add_argument("--count", type=int, default=20_000, help="of its questions (20000)")
    parser.add_argument("--beam", type=int, nargs="+", default=[48, 8], help="one run for each (48 8)")
    parser.add_argument("--jobs", type=int, help="processes (as the command chooses)")
    parser.add_argument("--model", default="models/starter")
    parser.add_argument("--json", help="write what was found there")
    args = parser.parse_args()
    opener = gzip.open if args.file.endswith(".gz") else open
    with tempfile.TemporaryDirectory() as folder, opener(args.file, "rt", encoding="utf-8") as lines:
        path = Path(folder) / "questions.jsonl"
        path.write_text("".join(islice(lines, args.count)), encoding="utf-8")
        jobs = [] if args.jobs is None else ["--jobs", str(args.jobs)]
        found = {}
        for beam in args.beam:
            found[f"beam_{beam}"] = measure(path, ["--model", args.model, "--beam", str(beam), *jobs])
            print(beam, json.dumps(found[f"beam_{beam}"]), flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
