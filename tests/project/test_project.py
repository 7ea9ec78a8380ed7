"""The project's own rules: pinned and explained packages, import arrows, no machine paths."""

import ast
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ("requirements.txt", "requirements-ray.txt", "requirements-dev.txt", "requirements-bench.txt")

# Who may not import what. A name stands for the package and everything in it; None stands for "anyone else".
FORBIDDEN: dict[str | None, frozenset[str]] = {
    "l2a": frozenset({"db", "app", "pages", "streamlit", "plotly"}),
    "db": frozenset({"l2a", "app", "pages", "streamlit", "plotly", "torch"}),
    "app": frozenset({"pages"}),
    "pages": frozenset({"pages", "plotly"}),
    "tests": frozenset({"pages"}),
    None: frozenset({"pages", "plotly"}),
}
MACHINE_PATHS = ("/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/")  # in two halves, or this file would hold them itself
TEXT_FILES = {".py", ".md", ".toml", ".txt", ".sh", ".css", ".yml", ".yaml", ".json", ".ini", ".cfg", ".service"}
NOT_SOURCE = {"__pycache__", "data", "runs", "test-results", "build"}  # folders that are never committed


def source_files() -> list[Path]:
    """Every text file that belongs to the project: not the environment, caches or downloaded data."""
    found = []
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = [
            name for name in subfolders if name not in NOT_SOURCE and (name[0] != "." or name in (".ci", ".streamlit"))
        ]
        paths = [Path(folder, name) for name in names]
        found += [path for path in paths if path.suffix in TEXT_FILES or path.name in ("Makefile", "run")]
    return sorted(found)


def python_files() -> list[Path]:
    return [path for path in source_files() if path.suffix == ".py"]


def wrong_arrows(source: str, module: str) -> list[str]:
    """The forbidden imports in the source of `module`, dotted; imports inside functions count, as do relative ones."""
    home = module.split(".")[0]
    forbidden = FORBIDDEN.get(home, FORBIDDEN[None])
    package = module.split(".")[:-1]
    wrong = []
    for node in ast.walk(ast.parse(source)):
        for name in _imported(node, package):
            if name.split(".")[0] in forbidden:
                wrong.append(f"{module}, line {node.lineno}: imports {name}")
    return wrong


def _imported(node: ast.AST, package: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = package[: len(package) + 1 - node.level] if node.level else []
        if node.level and not node.module:  # from .. import db
            return [".".join([*base, alias.name]) for alias in node.names]
        return [".".join([*base, node.module or ""])]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


def pinned(file: str) -> list[str]:
    """The requirement lines of a file, without comments and without the line that includes another file."""
    lines = [line.split("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("-r ")]


def test_imports_follow_the_arrows():
    files = python_files()
    assert {path.relative_to(ROOT).parts[0] for path in files} >= {"l2a", "db", "app", "pages", "tests"}
    wrong = []
    for path in files:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        wrong += wrong_arrows(path.read_text(encoding="utf-8"), module)
    assert wrong == []


@pytest.mark.parametrize(
    ("module", "source", "imported"),
    [
        ("l2a.tagger", "import streamlit as st", "streamlit"),
        ("l2a.tagger", "from db.store.tables import Row", "db.store.tables"),
        ("l2a.tagger", "import numpy, app.shell.settings", "app.shell.settings"),
        ("l2a.baselines.tree", "from ... import db", "db"),
        ("l2a.tagger", "def f():\n    import plotly.express", "plotly.express"),
        ("l2a.tagger", "import importlib\nimportlib.import_module('streamlit')", "streamlit"),
        ("db.ledger.entries", "if True:\n    from torch import nn", "torch"),
        ("db.ledger.entries", "from l2a.data.questions import Question", "l2a.data.questions"),
        ("app.main", "import pages.suggest", "pages.suggest"),
        ("pages.suggest", "from . import beams", "pages.beams"),
        ("pages.suggest", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("bench.speed", "import plotly", "plotly"),
    ],
)
def test_a_wrong_arrow_is_found(module, source, imported):
    (complaint,) = wrong_arrows(source, module)
    assert complaint.startswith(f"{module}, line ")
    assert complaint.endswith(f": imports {imported}")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("app.figures", "import plotly.graph_objects as go\nfrom l2a.tagger import Suggestion\nimport db"),
        ("pages.suggest", "import streamlit as st\nfrom app import figures\nfrom l2a.errors import L2AError"),
        (
            "l2a.tagger",
            "import torch\nfrom l2a.data.questions import Question\nfrom . import voting\nimport application",
        ),
        ("db.ledger.entries", "import sqlalchemy\nfrom .models import Row"),
    ],
)
def test_a_right_arrow_is_left_alone(module, source):
    assert wrong_arrows(source, module) == []


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
