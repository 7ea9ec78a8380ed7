"""What the project does the same way everywhere: pins, hooks, versions, documents that name what exists."""

import importlib.util
import re
import tomllib

import pytest
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.project.source import ROOT
from tests.project.test_project import REQUIREMENTS, pinned


def tool(name: str):
    """A script of tools/, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def constraints() -> dict[str, str]:
    lines = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []  # no host, no path
    return dict(line.split("==") for line in lines)


def test_every_requirement_is_constrained_to_its_own_version():
    wanted = {}
    for line in (line for file in REQUIREMENTS for line in pinned(file)):
        name, version = line.split("==")
        wanted[canonicalize_name(name.partition("[")[0])] = version
    known = constraints()
    assert {name: known.get(name) for name in wanted} == wanted
    assert known["torch"] == "2.13.0"


def test_whatever_a_requirement_needs_is_constrained_and_installed_so():
    tools = tool("constraints")
    files = [ROOT / f"requirements{part}.txt" for part in ("", "-ray", "-encoder", "-dev")]
    known = constraints()
    installed = tools.needed(tools.requirements(files))
    assert {name: version for name, version in installed.items() if known.get(name) != version} == {}
    assert len(installed) > len(tools.requirements(files))  # what only other packages ask for is there, too


def test_a_version_is_written_without_where_it_was_built_for(monkeypatch):
    tools = tool("constraints")

    class Installed:
        version = "2.13.0+cpu"
        requires = ('numpy>=2; extra == "all"', 'colorama; sys_platform == "nowhere"')

    monkeypatch.setattr(tools.metadata, "distribution", lambda name: Installed)
    assert tools.needed([tools.Requirement("torch==2.13.0")]) == {"torch": "2.13.0"}
    assert set(tools.needed([tools.Requirement("torch[all]")])) == {"torch", "numpy"}


def recipe(target: str) -> list[str]:
    """The commands of a target of the Makefile, as it would run them."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (lines,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", text, flags=re.MULTILINE)
    return [line.strip().lstrip("@").replace("$(BIN)", ".venv/bin") for line in lines.splitlines()]


def test_the_hooks_before_a_commit_are_what_lint_runs():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +entry: (.+)$", hooks, flags=re.MULTILINE) == recipe("lint")
    assert "repo: local" in hooks  # nothing is fetched, and the versions are those of requirements-dev.txt


def test_whatever_make_installs_is_constrained():
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    loose = [line.strip() for line in lines if "pip install" in line and "-c constraints.txt" not in line]
    making = [line.replace(".venv/bin", "$(BIN)") for line in recipe("constraints") if "pip install" in line]
    assert loose == making  # the file is made from what is installed without it
    container = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    assert ["-c constraints.txt" in line for line in container.splitlines() if "pip install" in line] == [True]


def test_the_version_has_a_section_in_the_changelog():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[(.+?)\]", changes, flags=re.MULTILINE)
    assert sections[:2] == ["Unreleased", version]
    assert [Version(section) for section in sections[1:]] == sorted(map(Version, sections[1:]), reverse=True)
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert f'"version": "{version}"' in operations  # what /health is said to answer


@pytest.mark.parametrize(
    "file", ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
)
def test_documents_name_modules_that_exist(file):
    """A path into the house, such as l2a/text/codec.py or db/tags/; NAME stands for any."""
    text = (ROOT / file).read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w./-])(?:l2a|db|app|pages|bench|tools|tests)/[\w./*-]*[\w*/]", text))
    named -= {"app/bundle", "l2a/models"}  # in a wheel only
    named = {re.sub(r"NNNN\w*|NAME", "*", name.rstrip("/")) for name in named}
    assert sorted(name for name in named if not list(ROOT.glob(name))) == []


def test_the_table_of_rooms_has_every_room():
    rooms = tool("rooms")
    document = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = document.split(rooms.BEGIN, 1)[1].split(rooms.END, 1)[0]
    said = re.findall(r"^\| `([\w/]+)/` \| \d+ \| [\d,]+ \| `\w+\.py` \d+ \|$", table, flags=re.MULTILINE)
    assert said == [room.relative_to(ROOT).as_posix() for room in rooms.rooms()], "python tools/rooms.py --write"
