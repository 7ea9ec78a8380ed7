"""The project's own rules: pinned and explained packages, no machine paths."""

import re

import pytest

from tests.project.source import ROOT, source_files

REQUIREMENTS = tuple(f"requirements{part}.txt" for part in ("", "-ray", "-encoder", "-dev", "-bench"))
MACHINE_PATHS = ("/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/")  # in two halves, or this file would hold them itself


def pinned(file: str) -> list[str]:
    """The requirement lines of a file, without comments and without the line that includes another file."""
    lines = [line.split("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("-r ")]


@pytest.mark.parametrize("file", REQUIREMENTS)
def test_every_requirement_is_pinned(file):
    loose = [
        line for line in pinned(file) if not re.fullmatch(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][A-Za-z0-9.+]*", line)
    ]
    assert pinned(file)
    assert loose == []


def test_every_package_is_explained():
    table = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| ([a-z0-9._-]+) \| \S.*\|$", table, flags=re.MULTILINE)) - {"package"}
    packages = {re.split(r"[\[=]", line)[0].lower() for file in REQUIREMENTS for line in pinned(file)}
    assert packages - explained == set(), "not explained in docs/dependencies.md"
    assert explained - packages == set(), "explained in docs/dependencies.md, but not required"


def test_no_file_holds_a_machine_path():
    files = source_files()
    assert ROOT / "Makefile" in files
    assert ROOT / "pages" / "annotate.py" in files
    holders = [
        f"{path.relative_to(ROOT)}: {machine_path}"
        for path in files
        for machine_path in MACHINE_PATHS
        if machine_path in path.read_text(encoding="utf-8")
    ]
    assert holders == []
