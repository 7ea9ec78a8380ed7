"""Every message that code can put before a reader, found in its syntax tree and written as a template.

A template is the message with numbered blanks for what is filled in: f"{name} is no role" is "{0} is no role". Where
code chooses between words (a conditional, `x or "none"`, a local variable, a helper that returns text), there is one
template for each choice.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

Part = str | tuple[str, ...]  # words, or a blank: the expressions that fill it
Reading = tuple[Part, ...]
Values = Mapping[tuple[str, str, str], tuple[str, ...]]  # (file, function, expression) -> all that it can be
TELLERS = ("check_file",)  # functions whose answer is put into a message


@dataclass(frozen=True)
class Message:
    file: str
    line: int
    template: str


def messages_in(path: Path, name: str, errors: set[str], values: Values) -> list[Message]:
    """The messages of one file, which is called `name` in `values` and in the answer.

    `errors` names the classes of errors. What is said about a bad line, the names of tables in messages and the
    summaries of changes count as messages too. A helper that is in `values`, under the function "", stays a blank.
    """
    return list(_Module(path, name, errors, values).messages())


def strings_in(path: Path) -> set[str]:
    """Every text that stands in a file, as a template."""
    module = _Module(path, "", set(), {})
    nodes = [n for n in ast.walk(module.tree) if isinstance(n, ast.JoinedStr | ast.Constant) and _is_textual(n)]
    return {template for node in nodes for template in module._templates(node, None)}


def error_classes(paths: Iterable[Path], bases: set[str]) -> set[str]:
    """`bases` and every class that inherits from one of them, however far down."""
    found = set(bases)
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while more := {c.name for c in classes if {ast.unparse(base) for base in c.bases} & found} - found:
        found |= more
    return found


class _Module:
    def __init__(self, path: Path, name: str, errors: set[str], values: Values):
        self.name, self.errors, self.values = name, errors, values
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.functions = {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}

    def messages(self) -> Iterator[Message]:
        for function, node in self._nodes(self.tree, None):
            answers = isinstance(node, ast.Return) and function is not None and function.name in TELLERS
            for said in [node.value] if answers else self._said_by(node):
                for template in self._templates(said, function):
                    yield Message(self.name, said.lineno, template)

    def _nodes(self, parent: ast.AST, function: ast.FunctionDef | None) -> Iterator[tuple]:
        """Every node with the function that it stands in."""
        for node in ast.iter_child_nodes(parent):
            yield function, node
            yield from self._nodes(node, node if isinstance(node, ast.FunctionDef) else function)

    def _said_by(self, node: ast.AST) -> list[ast.expr]:
        """The expressions in this node whose text somebody will read."""
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "summary"]
        if not isinstance(node, ast.Call) or not node.args:
            return []
        called = ast.unparse(node.func)
        if called in self.errors:
            return node.args[:1]
        if called == "bad" or called.endswith((".complain", ".messages.append", ".notes.append")):
            return node.args[-1:]
        if called == "make_plan":  # session, operation, summary
            return node.args[2:3]
        if called == "find_columns":  # header, aliases, needed, where
            return node.args[3:4]
        return []

    def _templates(self, said: ast.expr, function: ast.FunctionDef | None) -> list[str]:
        found = {}
        for reading in self._readings(said, function):
            for filled in self._with_values(reading, function):
                if any(isinstance(part, str) and _has_letters(part) for part in filled):
                    found[_numbered(filled)] = None
        return list(found)

    def _readings(self, node: ast.expr, function: ast.FunctionDef | None) -> list[Reading]:
        match node:
            case ast.Constant(value=str(text)):
                return [(text,) if text else ()]
            case ast.JoinedStr(values=parts):
                return _joined(self._readings(part, function) for part in parts)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self._readings(value, function)
            case ast.FormattedValue(value=value):
                return [((ast.unparse(value),),)]
            case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_textual(left) or _is_textual(right):
                return _joined(self._readings(side, function) for side in (left, right))
            case ast.IfExp(body=body, orelse=other):
                return [self._choice(r) for choice in (body, other) for r in self._readings(choice, function)]
            case ast.BoolOp(op=ast.Or(), values=choices):
                return [self._choice(r) for choice in choices for r in self._readings(choice, function)]
            case ast.Name(id=name) if function is not None:
                assigned = [n.value for n in ast.walk(function) if isinstance(n, ast.Assign) and _names(n) == name]
                # `x = x or "none"` speaks of the x before: its text is not known here
                assigned = [value for value in assigned if name not in _names_in(value)]
                if any(_is_textual(value) for value in assigned):
                    return [reading for value in assigned for reading in self._readings(value, function)]
            case ast.Call(func=ast.Name(id=name)) if name in self.functions:
                if (self.name, "", f"{name}()") not in self.values:
                    helper = self.functions[name]
                    given = [n.value for n in ast.walk(helper) if isinstance(n, ast.Return) and n.value is not None]
                    if given and all(_is_textual(value) for value in given):
                        return [reading for value in given for reading in self._readings(value, helper)]
        return [((ast.unparse(node),),)]

    @staticmethod
    def _choice(reading: Reading) -> Reading:
        """A sign without letters that is there or not, such as `:...`, is part of what is filled in."""
        words = "".join(part for part in reading if isinstance(part, str))
        return reading if not words or _has_letters(words) else ((words,),)

    def _with_values(self, reading: Reading, function: ast.FunctionDef | None) -> list[Reading]:
        """The reading once for each value that one of its expressions can have, where `values` knows them."""
        place = function.name if function is not None else ""
        for source in {source for part in reading if not isinstance(part, str) for source in part}:
            if known := self.values.get((self.name, place, source)):
                return [
                    filled
                    for value in known
                    for filled in self._with_values(tuple(value if p == (source,) else p for p in reading), function)
                ]
        return [reading]


def _joined(parts) -> list[Reading]:
    return [sum(choice, ()) for choice in product(*parts)]


def _names(assignment: ast.Assign) -> str:
    return ", ".join(ast.unparse(target) for target in assignment.targets)


def _names_in(node: ast.expr) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _is_textual(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_textual(node.body) or _is_textual(node.orelse)
    if isinstance(node, ast.BoolOp):
        return any(map(_is_textual, node.values))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _has_letters(text: str) -> bool:
    return any(character.isalpha() for character in text)


def _numbered(reading: Reading) -> str:
    """The template: blanks side by side are one, and what is filled in twice has one number."""
    merged: list[Part] = []
    for part in reading:
        if merged and isinstance(part, str) == isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    numbers: dict[tuple[str, ...], int] = {}
    return "".join(
        part if isinstance(part, str) else f"{{{numbers.setdefault(part, len(numbers))}}}" for part in merged
    )
