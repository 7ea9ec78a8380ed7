"""The project's own files, for tests that read them."""

import ast
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("l2a", "db", "app")
TEXT_FILES = {".py", ".md", ".toml", ".txt", ".sh", ".css", ".yml", ".yaml", ".json", ".ini", ".cfg", ".service"}
NAMED_FILES = ("Makefile", "run", "MANIFEST.in")
NEVER_COMMITTED = {"data", "runs", "build", "dist"}  # at the top; l2a/data is a room


def source_files() -> list[Path]:
    """Every text file that belongs to the project: not the environment, caches or downloaded data."""
    found = []
    for folder, subfolders, names in os.walk(ROOT):
        here = Path(folder)
        subfolders[:] = [
            name
            for name in subfolders
            if not (here == ROOT and name in NEVER_COMMITTED)
            and name not in ("__pycache__", "test-results")
            and not name.endswith(".egg-info")
            and (name[0] != "." or name in (".ci", ".streamlit"))
        ]
        found += [here / name for name in names if Path(name).suffix in TEXT_FILES or name in NAMED_FILES]
    return sorted(found)


def python_files() -> list[Path]:
    return [path for path in source_files() if path.suffix == ".py"]


def module_of(path: Path) -> str:
    """The dotted name of a file of the project; a package's own is that of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_module(name: str) -> bool:
    """Whether a dotted name is a file or a folder of the project."""
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def imports_of(source: str, module: str, is_package: bool = False) -> list[tuple[int, str]]:
    """(line, dotted name) of all that a module imports: inside functions too, relative or by name in a string.

    `from a import b` is a.b where that is a module of the project, and a otherwise.
    """
    package = module.split(".") if is_package else module.split(".")[:-1]
    return [(node.lineno, name) for node in ast.walk(ast.parse(source)) for name in _imported(node, package)]


def _imported(node: ast.AST, package: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = package[: len(package) + 1 - node.level] if node.level else []
        start = ".".join([*base, *([node.module] if node.module else [])])
        inside = [f"{start}.{alias.name}" if start else alias.name for alias in node.names]
        return list(dict.fromkeys(name if not node.module or is_module(name) else start for name in inside))
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []
