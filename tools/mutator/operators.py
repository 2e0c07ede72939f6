"""What a person gets wrong in a line: the edits of which mutants are drawn."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.mutator.changes import ROOT, Change, Edit, Source

_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
_COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
NAMES = {
    "min": "max",
    "max": "min",
    "floor": "ceil",
    "ceil": "floor",
    "lower": "upper",
    "upper": "lower",
    "any": "all",
    "all": "any",
}


def _edits(source: Source, node: ast.AST) -> Iterator[Edit | None]:
    match node:
        case ast.Compare():
            operands = [node.left, *node.comparators]
            for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
                was, becomes = _COMPARED[type(op)]
                yield source.between(left, right, was, becomes, "comparison")
        case ast.Constant(value=bool() as flag):
            yield source.replaced(node, str(not flag), "flag")
        case ast.Constant(value=int() as number):
            for other in (number + 1, number - 1):
                yield source.replaced(node, f"({other})" if other < 0 else f"{other}", "constant")
        case ast.BinOp() if type(node.op) in _COMPUTED:
            was, becomes = _COMPUTED[type(node.op)]
            yield source.between(node.left, node.right, was, becomes, "arithmetic")
        case ast.BoolOp():
            was, becomes = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield source.between(left, right, was, becomes, "connective")
            for value in node.values:
                neutral = str(isinstance(node.op, ast.And))
                yield source.replaced(value, neutral, "dropped condition")
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield source.replaced(node, f"({source.segment(node.operand)})", "dropped sign")
        case ast.If() | ast.IfExp():
            for constant in ("True", "False"):
                yield source.replaced(node.test, constant, "dropped condition")
        case ast.Attribute(attr=name, value=value) if name in NAMES:
            text = f"{source.segment(value)}.{NAMES[name]}"
            yield source.replaced(node, text, "direction")
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield source.replaced(node.func, NAMES[name], "direction")
        case ast.Call(args=[first, second, *_]) if not isinstance(first, ast.Starred):
            yield _swapped(source, first, second)
        case ast.Raise() | ast.Return(value=ast.expr()) | ast.Assign() | ast.AugAssign():
            yield source.replaced(node, "pass", "dropped statement")
        case ast.Expr(value=ast.Call()):
            yield source.replaced(node, "pass", "dropped statement")


def _swapped(source: Source, first: ast.expr, second: ast.expr) -> Edit | None:
    if isinstance(second, ast.Starred) or first.lineno != second.end_lineno:
        return None
    number = first.lineno
    ends = first.col_offset, first.end_col_offset, second.col_offset, second.end_col_offset
    a, b, c, d = (source.column(number, end) for end in ends if end is not None)
    line = source.lines[number - 1]
    return Edit(number, a, d, line[c:d] + line[b:c] + line[a:b], "swapped arguments")


def changes(source: Source) -> list[Change]:
    """Return all changes of a file whose line is the only one of its text, in a fixed order."""
    found: dict[Change, None] = {}
    for node in source.nodes():
        for edit in _edits(source, node):
            change = source.changed(edit, node)
            if change is not None and source.once(change):
                found[change] = None
    return list(found)


def draw(files: Sequence[str], count: int, seed: int, root: Path = ROOT) -> list[Change]:
    """Draw changes of different lines, the same ones for a seed and a source.

    Parameters
    ----------
    files
        Files, or folders of which all files are meant, relative to the root.
    count
        How many; fewer when there are not as many lines.
    seed
        Chooses them.
    root
        The root of the project.
    """
    pool = [change for file in listed(files, root) for change in changes(Source(file, root))]
    # One line has many wrong forms, and a long line would be drawn for its length.
    by_line: dict[tuple[str, int], list[Change]] = {}
    for change in pool:
        by_line.setdefault((change.file, change.number), []).append(change)
    coins = random.Random(seed)  # noqa: S311  # a choice of mutants is no secret
    lines = coins.sample(sorted(by_line), min(count, len(by_line)))
    return [coins.choice(by_line[line]) for line in sorted(lines)]


def listed(files: Sequence[str], root: Path = ROOT) -> list[str]:
    """Return the Python files that are named, or that lie in the folders that are named."""
    found: set[str] = set()
    for file in files:
        path = root / file
        if not path.exists():
            raise SystemExit(f"{file}: no such file or folder below {root}")
        inside = path.rglob("*.py") if path.is_dir() else [path]
        found.update(str(one.relative_to(root)) for one in inside)
    return sorted(found)
