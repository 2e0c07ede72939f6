"""Wrong places that a program makes: what a person gets wrong, and every directed rounding turned.

A place is a directed rounding when it takes one end of an interval (``.lower``, ``.upper``), rounds
to an integer or a float of one side (``floor``, ``ceil``, ``//``, ``>>``, ``isqrt``,
``certified_ceiling``, ``nextafter``), or, where sizes and enclosures are made, takes the larger or
the smaller of several numbers.  Not listed is what only looks so: a bit that is tested
(``mask >> i & 1``), the middle of a bisection, and a common multiple divided by what divides it.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from tools.mutator.source import ROOT, Change, Source, read

Operator: TypeAlias = Callable[[Source, ast.AST], Iterator[Change | None]]

# Signs and words as they are written, and what takes their place.
_RIGHT = "< <= > >= == != + - * / // % ** << >> & | and or in is"
_WRONG = "<= < >= > != == - + // * * // * >> << | & or and not_in is_not"
_SIGNS = dict(zip(_RIGHT.split(), _WRONG.split(), strict=True))
_SIGN = re.compile(r"not\s+in|is\s+not|[a-z]+|[^\w\s()#]+")
_PAIRS = (("min", "max"), ("floor", "ceil"), ("lower", "upper"), ("any", "all"))
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
# Where a node of these kinds is, its text is for people or for checkers of types.
_UNTOUCHED = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
_FOR_PEOPLE = frozenset({"__repr__", "__str__"})
# Rooms that only show what others computed, or state claims about it.
SHOWN = ("claims", "books", "cli", "plots", "testing", "audit/reports")
# Where the extreme of several numbers is a size, a bound or the end of an enclosure.
_EXTREMES = ("arithmetic/", "sizes", "sample_complexity", "formulas", "implications", "bounds")
_EXTREME_NAMES = frozenset({"min", "max"})
_CEILINGS = frozenset({"certified_ceiling", "ceiling", "isqrt"})
# A number of one of these names is a multiple of what divides it, and "common" divides anything.
_MULTIPLES = frozenset({"common", "denominator", "scale"})
_TURNED = "rounded the other way"


def made(source: Source, operator: Operator) -> list[Change]:
    """Return what an operator makes of a file: each change once, in the order of the text."""
    changes: dict[object, Change] = {}
    for node in _nodes(source.tree):
        for change in operator(source, node):
            if change is not None and _compiles_to_another(source, change):
                changes.setdefault(source.key(change), change)
    return sorted(changes.values(), key=lambda change: (change.start, change.instead))


def roundings(files: Sequence[str] = ("pac_stability",), root: Path = ROOT) -> list[Change]:
    """Return the directed roundings of files and folders; by default of the whole library."""
    shown = tuple(f"pac_stability/{room}" for room in SHOWN)
    listing = [file for file in listed(files, root) if not file.startswith(shown)]
    return [change for file in listing for change in made(read(file, root), turned)]


def drawn(pool: Sequence[Change], count: int, seed: int) -> list[Change]:
    """Draw changes of different lines, the same ones for a seed and a pool."""
    # One line has many wrong forms, and a long line would be drawn for its length.
    by_line: dict[tuple[str, int], list[Change]] = {}
    for change in pool:
        by_line.setdefault((change.file, read(change.file).number(change.start)), []).append(change)
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


def _compiles_to_another(source: Source, change: Change) -> bool:
    try:
        tree = ast.parse(source.with_change(change))
    except SyntaxError:
        return False
    return ast.dump(tree) != ast.dump(source.tree)


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that do something: no docstrings, annotations, decorators, messages."""
    if isinstance(node, _UNTOUCHED) or _is_for_people(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"} or isinstance(node, ast.Raise):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _nodes(child)


def _is_for_people(node: ast.AST) -> bool:
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


# --- edits ---------------------------------------------------------------------------------------


def _replaced(source: Source, node: ast.AST, instead: str, kind: str) -> Change:
    return Change(source.file, *source.span(node), instead, kind)


def _between(source: Source, left: ast.AST, right: ast.AST, kind: str) -> Iterator[Change]:
    """Yield the change of the sign between two operands."""
    start, stop = source.span(left)[1], source.span(right)[0]
    sign = _SIGN.search(re.sub("#.*", lambda one: " " * len(one[0]), source.text[start:stop]))
    if sign is None:
        return
    other = {"not in": "in", "is not": "is"}.get(" ".join(sign[0].split())) or _SIGNS.get(sign[0])
    if other is not None:
        place = start + sign.start(), start + sign.end()
        yield Change(source.file, *place, other.replace("_", " "), kind)


def _swapped(source: Source, first: ast.expr, second: ast.expr) -> Change:
    (a, b), (c, d) = source.span(first), source.span(second)
    text = source.text[c:d] + source.text[b:c] + source.text[a:b]
    return Change(source.file, a, d, text, "swapped arguments")


def mistakes(source: Source, node: ast.AST) -> Iterator[Change | None]:
    """Yield what a person gets wrong in a node."""
    match node:
        case ast.Compare():
            for left, right in itertools.pairwise([node.left, *node.comparators]):
                yield from _between(source, left, right, "comparison")
        case ast.Constant(value=bool() as flag):
            yield _replaced(source, node, str(not flag), "flag")
        case ast.Constant(value=int() as number):
            for other in (number + 1, number - 1):
                text = f"({other})" if other < 0 else f"{other}"
                yield _replaced(source, node, text, "constant")
        case ast.BinOp():
            yield from _between(source, node.left, node.right, "arithmetic")
        case ast.BoolOp():
            for left, right in itertools.pairwise(node.values):
                yield from _between(source, left, right, "connective")
            for value in node.values:
                neutral = str(isinstance(node.op, ast.And))
                yield _replaced(source, value, neutral, "dropped condition")
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield _replaced(source, node, f"({source.segment(node.operand)})", "dropped sign")
        case ast.If() | ast.IfExp():
            for constant in ("True", "False"):
                yield _replaced(source, node.test, constant, "dropped condition")
        case ast.Attribute(attr=name) if name in _OTHER:
            yield _last_word(source, node, _OTHER[name], "direction")
        case ast.Call(func=ast.Name(id=name)) if name in _OTHER:
            yield _replaced(source, node.func, _OTHER[name], "direction")
        case ast.Call(args=[first, second, *_]):
            if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                yield _swapped(source, first, second)
        case ast.Raise() | ast.Return(value=ast.expr()) | ast.Assign() | ast.AugAssign():
            yield _replaced(source, node, "pass", "dropped statement")
        case ast.Expr(value=ast.Call()):
            yield _replaced(source, node, "pass", "dropped statement")


def turned(source: Source, node: ast.AST) -> Iterator[Change | None]:
    """Yield a directed rounding turned, if the node is one."""
    match node:
        case ast.Attribute(attr="lower" | "upper" as end, ctx=ast.Load()):
            if not _is_called(source, node) and not _is_of_string(node):
                yield _last_word(source, node, _OTHER[end], "the other end")
        case ast.Call(func=ast.Attribute(attr="floor" | "ceil" as name) as function):
            yield _last_word(source, function, _OTHER[name], _TURNED)
        case ast.Call(func=ast.Name(id="floor" | "ceil" as name) as function):
            yield _replaced(source, function, _OTHER[name], _TURNED)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _CEILINGS:
            by = "1 + " if name == "isqrt" else "-1 + "
            yield _replaced(source, node, f"({by}{source.segment(node)})", _TURNED)
        case ast.Call(
            func=ast.Name(id="nextafter") | ast.Attribute(attr="nextafter"), args=[_, towards, *_]
        ):
            text = source.segment(towards)
            yield _replaced(source, towards, text[1:] if text[0] == "-" else f"-({text})", _TURNED)
        case ast.Call(func=ast.Name(id=name)) if name in _EXTREME_NAMES:
            if any(part in source.file for part in _EXTREMES):
                yield _replaced(source, node.func, _OTHER[name], "the other extreme")
        case ast.UnaryOp(op=ast.USub(), operand=ast.BinOp() as quotient) if _rounds(quotient):
            if _is_negated(quotient):
                segment = source.segment(quotient).replace("-", "", 1)
                yield _replaced(source, node, f"({segment})", _TURNED)
        case ast.BinOp() if _rounds(node):
            if not _is_upwards(source, node) and not _is_exact(source, node):
                symbol = "//" if isinstance(node.op, ast.FloorDiv) else ">>"
                left, right = _operand(source, node.left), _operand(source, node.right)
                yield _replaced(source, node, f"-(-{left} {symbol} {right})", _TURNED)


def _last_word(source: Source, node: ast.Attribute, instead: str, kind: str) -> Change:
    stop = source.span(node)[1]
    return Change(source.file, stop - len(node.attr), stop, instead, kind)


def _rounds(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.FloorDiv | ast.RShift)


def _is_negated(node: ast.BinOp) -> bool:
    """Say whether the leftmost factor of the dividend has a minus sign."""
    left = node.left
    while isinstance(left, ast.BinOp):
        left = left.left
    return isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub)


def _is_upwards(source: Source, node: ast.BinOp) -> bool:
    above = source.parent[node]
    negative = isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.USub)
    return negative and _is_negated(node)


def _is_exact(source: Source, node: ast.BinOp) -> bool:
    """Say whether a shift takes bits out of a word, or a division leaves no rest or no mark."""
    above = source.parent[node]
    if isinstance(node.op, ast.RShift):
        return isinstance(above, ast.BinOp) and isinstance(above.op, ast.BitAnd)
    if _name(node.left) in _MULTIPLES or _name(node.right) == "common":
        return True
    return isinstance(above, ast.Assign) and _name(above.targets[0]) == "middle"


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")
    return ""


def _operand(source: Source, node: ast.expr) -> str:
    text = source.segment(node)
    plain = isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Call | ast.Subscript)
    return text if plain else f"({text})"


def _is_called(source: Source, node: ast.AST) -> bool:
    above = source.parent[node]
    return isinstance(above, ast.Call) and above.func is node


def _is_of_string(node: ast.Attribute) -> bool:
    """Say whether this is the method of strings, as in ``key=str.lower``."""
    return isinstance(node.value, ast.Name) and node.value.id == "str"
