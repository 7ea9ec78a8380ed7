"""The rooms of the app, and which of them each may import: one direction, and no screen knows another."""

import ast

from app.shell.settings import ROOT

BELOW = frozenset({"shell", "access", "serving", "learning", "transfer", "entry", "figures"})
SCREENS = ("admin", "annotate", "attention", "beams", "dashboard", "export", "history", "retrain", "tags")
MAY_IMPORT: dict[str, frozenset[str]] = {
    "figures": frozenset(),
    "shell": frozenset({"figures"}),
    "access": frozenset({"shell"}),
    "serving": frozenset({"shell"}),
    "transfer": frozenset({"shell"}),
    "learning": frozenset({"shell", "serving"}),
    "entry": frozenset({"shell", "access", "serving", "learning", "transfer"}),
    **dict.fromkeys(SCREENS, BELOW),
    "commands": frozenset({"shell", "serving", "learning", "transfer"}),
    "main": frozenset({"shell", "access", "entry"}),
    "cli": frozenset({"shell", "commands"}),
    "__main__": frozenset({"cli"}),
}


def imported_rooms(source: str) -> set[str]:
    """Rooms that a module imports from, also inside of functions and for types only."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "app":
            names += [f"app.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return {name.split(".")[1] for name in names if name.startswith("app.")}


def test_rooms_import_what_is_below_them():
    wrong, seen = [], set()
    for path in sorted((ROOT / "app").rglob("*.py")):
        parts = path.relative_to(ROOT / "app").parts
        room = parts[0] if len(parts) > 1 else path.stem
        if room == "__init__":
            continue
        seen.add(room)
        others = imported_rooms(path.read_text(encoding="utf-8")) - {room}
        wrong += [f"{path.relative_to(ROOT)}: {other}" for other in sorted(others - MAY_IMPORT[room])]
    assert wrong == []
    assert seen == set(MAY_IMPORT)


def test_the_arrows_have_no_way_back():
    below: dict[str, set[str]] = {}
    while len(below) < len(MAY_IMPORT):
        ready = [room for room, others in MAY_IMPORT.items() if room not in below and others <= set(below)]
        assert ready, "rooms that import each other"
        below |= {room: set(MAY_IMPORT[room]) for room in ready}


def test_an_import_is_found_wherever_it_stands():
    source = (
        "from app import cli\nimport app.shell.clock\ndef f():\n    from app.tags.field import draw\nimport db.people"
    )
    assert imported_rooms(source) == {"cli", "shell", "tags"}
