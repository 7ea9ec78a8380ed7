"""Writes constraints.txt: what this environment has of all that the requirements need, however far down.

    python tools/constraints.py            prints it
    python tools/constraints.py --write    writes constraints.txt (`make constraints`)

A line is a name and a version, nothing about where a package came from: torch 2.13.0 for a processor alone is 2.13.0.
What a package asks for on other systems only, such as CUDA's libraries, is not in this environment and not pinned.
"""

import argparse
import re
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "constraints.txt"
HEAD = """\
# Every package that the requirements need, however far down, pinned: made anew by `make constraints`.
"""


def requirements(files: list[Path]) -> list[Requirement]:
    """The lines of the files, without those that include another file."""
    lines = [line.split("#")[0].strip() for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


def needed(wanted: list[Requirement]) -> dict[str, str]:
    """Name -> version of all that is wanted and of what that needs; raises PackageNotFoundError for what is missing."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, extra) for requirement in wanted for extra in ("", *requirement.extras)]
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        installed = metadata.distribution(name)
        found[name] = Version(installed.version).public
        for line in installed.requires or ():
            further = Requirement(line)
            if further.marker is None or further.marker.evaluate({"extra": extra}):
                waiting += [(further, one) for one in ("", *further.extras)]
    return found


def text() -> str:
    pinned = needed(requirements(sorted(ROOT.glob("requirements*.txt"))))
    return HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(pinned.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Pins every package that the requirements need, however far down.")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    write = parser.parse_args().write
    try:
        made = text()
    except metadata.PackageNotFoundError as error:
        print(
            f"{error.name} is not installed here: run `make constraints`, which installs everything.", file=sys.stderr
        )
        return 2
    assert all(re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.]*", line) for line in made.splitlines()[1:])
    if write:
        FILE.write_text(made, encoding="utf-8")
    else:
        print(made, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
