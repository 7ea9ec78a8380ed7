"""Speed of the tag search: `python bench/tag_search.py TAGS [TAGS ...] [--tags 100000] [--queries 300]`.

A file of tags is a table with a column `tag` or `topicName` (.csv with commas, .tsv with tabs), or has one tag a line.
Where the files hold fewer tags than asked for, the rest are combinations of two of them. Prints the time to build the
index and to change one tag, the memory it takes, and for each kind of query p50, p95 and the longest, in milliseconds,
and how often the tag that was meant is among the ten shown.
"""

import argparse
import csv
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from db.tags.search.matching import TagEntry, TagIndex  # noqa: E402
from db.tags.search.pinyin import sounds  # noqa: E402

COLUMNS = ("tag", "topicName")


def read_names(path: Path) -> list[str]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        if path.suffix not in (".csv", ".tsv"):
            return [line.strip() for line in file if line.strip()]
        rows = csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        column = next((name for name in COLUMNS if name in (rows.fieldnames or ())), None)
        if column is None:
            raise SystemExit(f"{path}: no column is named {' or '.join(COLUMNS)}. Rename the one with the tags.")
        return [row[column] for row in rows if row[column]]


def fill_up(names: list[str], count: int, rng: random.Random) -> list[str]:
    """`count` distinct names: those given, then joined pairs of the short ones."""
    distinct = dict.fromkeys(names)
    short = [name for name in distinct if len(name) <= 6]
    while len(distinct) < count:
        distinct[rng.choice(short) + rng.choice(short)] = None
    return list(distinct)[:count]


def make_entries(names: list[str], rng: random.Random) -> list[TagEntry]:
    """Uses fall off as they do in life; one tag in ten has an alias, one in fifty is deprecated."""
    entries = []
    for number, name in enumerate(names):
        aliases = (f"{name}{rng.choice(names)}",) if rng.random() < 0.1 else ()
        status = "deprecated" if rng.random() < 0.02 else "active"
        entries.append(TagEntry(number, name, aliases, status, int(100_000 / (rng.random() * len(names) + 1))))
    return entries


def query_makers(entries: list[TagEntry], rng: random.Random) -> dict[str, Callable[[], tuple[str, str]]]:
    """By kind: makes a query and names the tag it is meant for, if it is meant for one."""
    chinese = [entry.name for entry in entries if 2 <= len(entry.name) <= 10 and sounds().usual(entry.name)]
    latin = [entry.name for entry in entries if len(entry.name) >= 5 and entry.name.isascii()]
    with_alias = [entry for entry in entries if entry.aliases]

    def part() -> tuple[str, str]:
        name = rng.choice(chinese)
        start = rng.randrange(len(name))
        return name[start : start + rng.randint(1, 3)], ""

    def alias() -> tuple[str, str]:
        entry = rng.choice(with_alias)
        return entry.aliases[0], entry.name

    def pinyin() -> tuple[str, str]:
        name = rng.choice(chinese)
        return sounds().usual(name), name

    def typing() -> tuple[str, str]:
        typed, _ = pinyin()
        return typed[: rng.randint(1, len(typed))], ""

    def initials() -> tuple[str, str]:
        name = rng.choice(chinese)
        return "".join(sounds().readings.get(c, (c,))[0][0] for c in name), name

    def swapped(text: str, name: str) -> tuple[str, str]:
        at = rng.randrange(max(len(text) - 1, 1))
        return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :], name

    def homophone() -> tuple[str, str]:
        name = rng.choice(chinese)
        at = rng.randrange(len(name))
        alike = sounds().common.like(name[at])
        return name if alike is None else name[:at] + chr(rng.choice(alike)) + name[at + 1 :], name

    def from_letters(letters: str, longest: int) -> tuple[str, str]:
        return "".join(rng.choice(letters) for _ in range(rng.randint(2, longest))), ""

    return {
        "exact": lambda: (rng.choice(entries).name,) * 2,
        "alias": alias,
        "hanzi part": part,
        "latin, typing": lambda: (rng.choice(latin)[: rng.randint(1, 5)], ""),
        "pinyin": pinyin,
        "pinyin, typing": typing,
        "initials": initials,
        "typo, hanzi": homophone,
        "typo, pinyin": lambda: swapped(*pinyin()),
        "typo, latin": lambda: swapped(*(rng.choice(latin),) * 2),
        "miss, hanzi": lambda: from_letters("".join(map(chr, range(0x4E00, 0x9FA6))), 8),
        "miss, letters": lambda: from_letters("abcdefghijklmnopqrstuvwxyz", 20),
        "pasted text": lambda: ("".join(rng.choice(chinese) for _ in range(30)), ""),
    }


def timed(call: Callable, *args) -> tuple[float, Any]:
    """Milliseconds, and the result."""
    start = time.perf_counter()
    result = call(*args)
    return (time.perf_counter() - start) * 1000, result


def line(label: str, times: list[float], note: str = "") -> str:
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"{label:16} p50 {statistics.median(times):6.1f}   p95 {p95:6.1f}   max {max(times):6.1f} ms{note}"


def peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="TAGS")
    parser.add_argument("--tags", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    names = fill_up([name for path in args.files for name in read_names(path)], args.tags, rng)
    entries = make_entries(names, rng)

    before = peak_memory()
    build, index = timed(TagIndex, entries)
    print(f"build            {build:6.0f} ms for {len(index)} tags, dictionaries included")
    print(f"memory           {peak_memory() - before:6.0f} MB more at the peak, dictionaries included")
    build, index = timed(TagIndex, entries)
    print(f"build again      {build:6.0f} ms")
    deltas = []
    for number in range(50):
        changed = TagEntry(rng.choice(entries).tag_id, f"{rng.choice(names)}{number}", (), "active", number)
        time_taken, _ = timed(index.updated, [changed], [], number)
        deltas.append(time_taken)
    print(line("change one tag", deltas))

    every: list[float] = []
    for kind, make in query_makers(entries, rng).items():
        queries = [make() for _ in range(args.queries)]
        results = [timed(index.search, query) for query, _ in queries]
        times = [time_taken for time_taken, _ in results]
        note = ""
        if any(wanted for _, wanted in queries):
            hits = sum(
                wanted in [match.name for match in matches]
                for (_, matches), (_, wanted) in zip(results, queries, strict=True)
            )
            note = f"   meant tag among the ten: {hits / len(queries):4.0%}"
        print(line(kind, times, note))
        every += times
    print(line("all", every))


if __name__ == "__main__":
    main()
