"""The directed roundings of the library: where they are, and each one turned.

A place is a directed rounding when it takes one end of an interval (``.lower``, ``.upper``), rounds
to an integer or a float of one side (``floor``, ``ceil``, ``//``, ``>>``, ``isqrt``,
``certified_ceiling``, ``nextafter``), or, where sizes and enclosures are made, takes the larger or
the smaller of several numbers.  Not listed is what only looks so: a bit that is tested
(``mask >> i & 1``), the middle of a bisection, and a common multiple divided by what divides it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.mutator.changes import ROOT, Change, Edit, Source
from tools.mutator.operators import NAMES, listed

# Rooms that only show what others computed, or state claims about it.
SHOWN = ("claims/", "cli/", "plots/", "testing/", "audit/reports/")
# Where the extreme of several numbers is a size, a bound or the end of an enclosure.
_EXTREMES = ("arithmetic/", "sizes", "sample_complexity/", "formulas/", "implications/", "bounds/")
_EXTREME_NAMES = frozenset({"min", "max"})
_CEILINGS = frozenset({"certified_ceiling", "ceiling", "isqrt"})
# A number of one of these names is a multiple of what divides it, and "common" divides anything.
_MULTIPLES = frozenset({"common", "denominator", "scale"})


def places(source: Source) -> list[Change]:
    """Return every directed rounding of a file, turned, in the order of the text."""
    found: dict[tuple[int, str], Change] = {}
    for node in source.nodes():
        for edit in _turned(source, node):
            change = source.changed(edit, node)
            if change is None:
                spot = f"{source.file}:{getattr(node, 'lineno', 0)}"
                raise SystemExit(
                    f"{spot}: write this rounding on one line, so that it can be turned"
                )
            found[change.number, change.wrong] = change
    return [found[key] for key in sorted(found)]


def all_places(files: Sequence[str] = ("pac_stability",), root: Path = ROOT) -> list[Change]:
    """Return the directed roundings of files and folders; by default of the whole library."""
    listing = [file for file in listed(files, root) if not file.startswith(_shown())]
    return [change for file in listing for change in places(Source(file, root))]


def _shown() -> tuple[str, ...]:
    return tuple(f"pac_stability/{room}" for room in SHOWN)


def _turned(source: Source, node: ast.AST) -> Iterator[Edit | None]:
    match node:
        case ast.Attribute(attr="lower" | "upper" as end, ctx=ast.Load()):
            if not _called(source, node) and not _of_string(node):
                yield _last_word(source, node, NAMES[end], "the other end")
        case ast.Call(func=ast.Attribute(attr="floor" | "ceil" as name) as function):
            yield _last_word(source, function, NAMES[name], "rounded the other way")
        case ast.Call(func=ast.Name(id="floor" | "ceil" as name) as function):
            yield source.replaced(function, NAMES[name], "rounded the other way")
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _CEILINGS:
            by = "1 + " if name == "isqrt" else "-1 + "
            yield _before(source, node, by, "rounded the other way")
        case ast.Call(func=ast.Name(id="nextafter") | ast.Attribute(attr="nextafter")):
            yield _next_float(source, node)
        case ast.Call(func=ast.Name(id=name)) if name in _EXTREME_NAMES:
            if any(part in source.file for part in _EXTREMES):
                yield source.replaced(node.func, NAMES[name], "the other extreme")
        case ast.UnaryOp(op=ast.USub(), operand=ast.BinOp() as quotient) if _rounds(quotient):
            if _negated(quotient):
                segment = source.segment(quotient).replace("-", "", 1)
                yield source.replaced(node, f"({segment})", "rounded the other way")
        case ast.BinOp() if _rounds(node):
            if not _upwards(source, node) and not _is_exact(source, node):
                symbol = "//" if isinstance(node.op, ast.FloorDiv) else ">>"
                left, right = _operand(source, node.left), _operand(source, node.right)
                instead = f"-(-{left} {symbol} {right})"
                yield source.replaced(node, instead, "rounded the other way")


def _rounds(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.FloorDiv | ast.RShift)


def _negated(node: ast.BinOp) -> bool:
    """Say whether the leftmost factor of the dividend has a minus sign."""
    left = node.left
    while isinstance(left, ast.BinOp):
        left = left.left
    return isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub)


def _upwards(source: Source, node: ast.BinOp) -> bool:
    above = source.parent[node]
    negative = isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.USub)
    return negative and _negated(node)


def _is_exact(source: Source, node: ast.BinOp) -> bool:
    """Say whether a shift takes bits out of a word, or a division leaves no rest or no mark."""
    above = source.parent[node]
    if isinstance(node.op, ast.RShift):
        return isinstance(above, ast.BinOp) and isinstance(above.op, ast.BitAnd)
    if _name(node.left) in _MULTIPLES or _name(node.right) == "common":
        return True
    match above:
        case ast.Assign(targets=[ast.Name(id="middle")]):
            return True
    return False


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")
    return ""


def _operand(source: Source, node: ast.expr) -> str:
    text = source.segment(node)
    plain = isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Call | ast.Subscript)
    return text if plain else f"({text})"


def _called(source: Source, node: ast.AST) -> bool:
    above = source.parent[node]
    return isinstance(above, ast.Call) and above.func is node


def _of_string(node: ast.Attribute) -> bool:
    """Say whether this is the method of strings, as in ``key=str.lower``."""
    return isinstance(node.value, ast.Name) and node.value.id == "str"


def _last_word(source: Source, node: ast.Attribute, instead: str, kind: str) -> Edit:
    number, stop = source.end(node)
    return Edit(number, stop - len(node.attr), stop, instead, kind)


def _before(source: Source, node: ast.Call, text: str, kind: str) -> Edit | None:
    whole = source.replaced(node, f"({text}{source.segment(node)})", kind)
    if whole is not None:
        return whole
    start = source.column(node.lineno, node.col_offset)
    return Edit(node.lineno, start, start, text, kind)


def _next_float(source: Source, node: ast.Call) -> Edit | None:
    towards = node.args[1]
    text = source.segment(towards)
    instead = text[1:] if text.startswith("-") else f"-({text})"
    return source.replaced(towards, instead, "rounded the other way")
