"""The rooms of the house: files and lines in each, and its longest file, as the table of docs/architecture.md.

python tools/rooms.py            prints the table
python tools/rooms.py --write    puts it into docs/architecture.md
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ("l2a", "db", "app", "pages")
DOCUMENT = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms: made by tools/rooms.py -->", "<!-- end of rooms -->"


def rooms() -> list[Path]:
    """Every folder of the house that holds Python files, parents first."""
    folders = {file.parent for top in HOUSE for file in (ROOT / top).rglob("*.py")}
    order = {top: place for place, top in enumerate(HOUSE)}
    return sorted(folders, key=lambda folder: (order[folder.relative_to(ROOT).parts[0]], folder))


def table() -> str:
    """One line a room: its files (without `__init__.py`), the lines of all of them, and the longest."""
    lines = ["| room | files | lines | longest |", "|---|---|---|---|"]
    files_in_all = lines_in_all = 0
    for room in rooms():
        lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in sorted(room.glob("*.py"))}
        modules = {file: length for file, length in lengths.items() if file.name != "__init__.py"}
        files_in_all, lines_in_all = files_in_all + len(modules), lines_in_all + sum(lengths.values())
        longest = max(modules or lengths, key=lengths.__getitem__)
        name = room.relative_to(ROOT).as_posix()
        lines.append(
            f"| `{name}/` | {len(modules)} | {sum(lengths.values()):,} | `{longest.name}` {lengths[longest]} |"
        )
    return "\n".join([*lines, f"| all | {files_in_all} | {lines_in_all:,} | |"])


def with_table(document: str) -> str:
    """The document with the table between its two marks."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        raise SystemExit(f"{DOCUMENT.name}: the marks {BEGIN} and {END} are not there.")
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description="The rooms of the house: files and lines in each.")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{DOCUMENT.name}")
    if parser.parse_args().write:
        DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
