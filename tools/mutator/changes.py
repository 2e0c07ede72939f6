"""A wrong line: where it stands, what it says, and the source that has it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Where a node of these kinds is, its text is for people or for checkers of types.
_UNTOUCHED = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
_FOR_PEOPLE = frozenset({"__repr__", "__str__"})


@dataclass(frozen=True)
class Change:
    """One line of a file, and the wrong text that replaces it.

    Attributes
    ----------
    file
        The file, relative to the root of the project.
    within
        The qualified name of the innermost function or class; empty at the top of a module.
    number
        The number of the line, from 1.
    line, wrong
        The line and its replacement, without indentation.
    kind
        What was done, in words.
    """

    file: str
    within: str
    number: int
    line: str
    wrong: str
    kind: str

    def __str__(self) -> str:
        return f"{self.file}:{self.number} ({self.kind}): {self.line}  ->  {self.wrong}"


@dataclass(frozen=True)
class Edit:
    """Text that replaces a stretch of one line; columns count characters, lines count from 1."""

    number: int
    start: int
    stop: int
    instead: str
    kind: str


class Source:
    """The text and the syntax tree of one file, with what operators ask about them."""

    def __init__(self, file: str, root: Path = ROOT) -> None:
        self.file = file
        self.text = (root / file).read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)
        self.parent: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node

    def nodes(self) -> Iterator[ast.AST]:
        """Yield the nodes that do something: no docstrings, annotations, decorators, messages."""
        return self._below(self.tree)

    def _below(self, node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, _UNTOUCHED) or self._for_people(node):
            return
        yield node
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_comment"}:
                continue
            if isinstance(node, ast.Raise):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self._below(child)

    @staticmethod
    def _for_people(node: ast.AST) -> bool:
        match node:
            case ast.Expr(value=ast.Constant()):
                return True
            case ast.FunctionDef():
                overload = any(ast.unparse(d).endswith("overload") for d in node.decorator_list)
                return node.name in _FOR_PEOPLE or overload
            case ast.If():
                return ast.unparse(node.test).endswith("TYPE_CHECKING")
            case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
                return True
            case ast.AnnAssign():
                return ast.unparse(node.annotation).endswith("TypeAlias")
        return False

    def within(self, node: ast.AST) -> str:
        """Return the qualified name of the innermost function or class around a node."""
        names: list[str] = []
        at: ast.AST | None = node
        while at is not None:
            if isinstance(at, ast.FunctionDef | ast.ClassDef):
                names.append(at.name)
            at = self.parent.get(at)
        return ".".join(reversed(names))

    def column(self, number: int, offset: int) -> int:
        """Return the column of a byte of a line."""
        return len(self.lines[number - 1].encode()[:offset].decode())

    def end(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the line and the column where a node ends."""
        number, offset = node.end_lineno, node.end_col_offset
        if number is None or offset is None:
            raise ValueError(f"{self.file}: a node that the parser did not place")
        return number, self.column(number, offset)

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        return ast.get_source_segment(self.text, node) or ""

    def replaced(self, node: ast.expr | ast.stmt, instead: str, kind: str) -> Edit | None:
        """Return the edit that replaces a node, if it stands on one line."""
        number, stop = self.end(node)
        if number != node.lineno:
            return None
        return Edit(number, self.column(number, node.col_offset), stop, instead, kind)

    def between(
        self, left: ast.expr, right: ast.expr, symbol: str, instead: str, kind: str
    ) -> Edit | None:
        """Return the edit that replaces a symbol between two operands, if all is on one line."""
        number, start = self.end(left)
        if number != right.lineno:
            return None
        stop = self.column(number, right.col_offset)
        text = self.lines[number - 1][start:stop]
        return Edit(number, start, stop, text.replace(symbol, instead, 1), kind)

    def changed(self, edit: Edit | None, node: ast.AST) -> Change | None:
        """Return the change that an edit makes, unless it makes none that compiles."""
        if edit is None:
            return None
        line = self.lines[edit.number - 1]
        wrong = line[: edit.start] + edit.instead + line[edit.stop :]
        change = Change(
            self.file, self.within(node), edit.number, line.strip(), wrong.strip(), edit.kind
        )
        try:
            tree = ast.parse(self.with_change(change))
        except SyntaxError:
            return None
        return None if ast.dump(tree) == ast.dump(self.tree) else change

    def with_change(self, change: Change) -> str:
        """Return the text with one line replaced, its indentation kept."""
        lines = list(self.lines)
        line = lines[change.number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        lines[change.number - 1] = indent + change.wrong
        return "\n".join(lines) + "\n"

    def once(self, change: Change) -> bool:
        """Say whether the changed line is the only one of its text, as ``mutants.toml`` asks."""
        return sum(line.strip() == change.line for line in self.lines) == 1
