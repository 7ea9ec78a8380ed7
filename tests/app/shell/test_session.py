"""Every session_state key is named in app/shell/session.py and nowhere else, and no two of them are alike."""

import ast
from pathlib import Path

import pytest

from app.shell.settings import ROOT

SESSION = ROOT / "app" / "shell" / "session.py"
METHODS = {"get", "pop", "setdefault"}


def is_state(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "session_state"


def keys_in(tree: ast.AST) -> list[ast.expr]:
    """What stands for the key wherever the session is read or written."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=state, slice=key) if is_state(state):
                found.append(key)
            case ast.Call(func=ast.Attribute(value=state, attr=name), args=[key, *_]) if is_state(state):
                if name in METHODS:
                    found.append(key)
                elif name == "update" and isinstance(key, ast.Dict):
                    found += [one for one in key.keys if one is not None]
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[state]) if is_state(state):
                found.append(key)
    return found


def named_here(tree: ast.Module) -> set[str]:
    """Names that the module itself gives to a text."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.JoinedStr)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def own_keys(source: str) -> list[str]:
    """Keys that are spelled out, or named in the module itself."""
    tree = ast.parse(source)
    own = named_here(tree)
    return [
        f"line {key.lineno}: {ast.unparse(key)}"
        for key in keys_in(tree)
        if isinstance(key, ast.Constant | ast.JoinedStr | ast.BinOp) or (isinstance(key, ast.Name) and key.id in own)
    ]


def modules() -> list[Path]:
    return [*sorted((ROOT / "app").rglob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]


def test_keys_are_named_in_one_place():
    wrong = {
        str(path.relative_to(ROOT)): found
        for path in modules()
        if path != SESSION and (found := own_keys(path.read_text(encoding="utf-8")))
    }
    assert wrong == {}
    assert sum(len(keys_in(ast.parse(path.read_text(encoding="utf-8")))) for path in modules()) > 80  # they are found


def test_no_two_keys_are_alike():
    tree = ast.parse(SESSION.read_text(encoding="utf-8"))
    texts = [
        node.value.value for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    ]
    assert len(texts) > 40
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    "source",
    [
        'st.session_state["a"] = 1',
        'st.session_state.get("a", 1)',
        'st.session_state.pop(f"a_{number}", None)',
        'KEY = "a"\nif KEY in st.session_state: ...',
        'KEY = "a"\nst.session_state.update({KEY: 1})',
    ],
)
def test_a_key_that_is_named_elsewhere_is_found(source):
    assert len(own_keys(source)) == 1


@pytest.mark.parametrize(
    "source",
    ["st.session_state[session.DESK]", "from app.shell.session import OPEN\nst.session_state.pop(OPEN, None)"],
)
def test_a_key_of_the_session_is_left_alone(source):
    assert own_keys(source) == []
