"""Corrections of lines that draw numbers without an exact law.

A correction is printed only if it can be pasted. It uses the program's own names, each looked up
where the program runs, so that ``random.random`` is Python's and not a namesake. What it does not
know it leaves alone.
"""

from __future__ import annotations

import ast
import builtins
import copy
import linecache
import math
import os
import random
import re
import secrets
import string
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from operator import itemgetter
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, cast

COINS = ("rng", "coins", "generator", "random_state", "gen", "prng", "randomness")
"""The names of a parameter that takes the coins."""

_LONGEST = 200
_OURS = str(Path(__file__).parents[1]) + os.sep
_LAZY = ("random", "uniform")
_RENAMED: Mapping[tuple[str, str], str] = {
    ("numpy.random", "rand"): "random",
    ("numpy.random", "random_sample"): "random",
    ("numpy.random", "ranf"): "random",
    ("numpy.random", "sample"): "random",
    ("numpy.random", "randint"): "integers",
    ("secrets", "randbelow"): "below",
    ("secrets", "randbits"): "getrandbits",
    ("secrets", "token_bytes"): "randbytes",
    ("os", "urandom"): "randbytes",
}
"""What a draw is called among the coins where it has another name."""
_GENERATORS = (
    "default_rng",
    "Generator",
    "RandomState",
    "Random",
    "SystemRandom",
    "check_random_state",
)
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def correction(frame: FrameType | None, line: int | None = None) -> str:
    """Return the current statement of a frame, rewritten with exact draws.

    Parameters
    ----------
    frame
        The frame of the program.
    line
        The line number, if it is not the current line of the frame.

    Returns
    -------
    str
        The corrected statement; empty when no correction is known, or the source is not.
    """
    if frame is None:
        return ""
    lines, number = linecache.getlines(frame.f_code.co_filename), line or frame.f_lineno
    names = dict(frame.f_locals)
    while frame.f_code.co_name in _COMPREHENSIONS and frame.f_back is not None:
        frame = frame.f_back
        names = {**frame.f_locals, **names}
    # Who calls a helper would have to hand it the coins, too.
    caller = frame.f_back
    helper = caller is not None and not caller.f_code.co_filename.startswith(_OURS)
    return corrected(lines, number, {**frame.f_globals, **names}, helper=helper)


def own_draw(function: object) -> str:
    """Return where a function draws by a generator of its own, and the corrected statement."""
    code = getattr(function, "__code__", None)
    names: dict[str, object] = {}
    if code is None and not isinstance(function, type):  # an object that is called
        names["self"], function = function, getattr(type(function), "__call__", None)  # noqa: B004
        code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return ""
    held: Any = function
    for name, cell in zip(code.co_freevars, held.__closure__ or (), strict=True):
        with suppress(ValueError):  # it is empty
            names[name] = cell.cell_contents
    lines = linecache.getlines(code.co_filename)
    known = {**held.__globals__, **names}
    numbers = sorted({line for _, _, line in code.co_lines() if line})[1:]
    found = ((line, corrected(lines, line, known, inner=True)) for line in numbers)
    line, better = next(filter(itemgetter(1), found), (0, ""))
    return f"at line {line}, write: {better}" if better else ""


def corrected(
    lines: Sequence[str],
    number: int,
    names: Mapping[str, object],
    *,
    helper: bool = False,
    inner: bool = False,
) -> str:
    """Return the corrected statement at a line of a program; empty when no correction is known.

    Parameters
    ----------
    lines
        The program.
    number
        The line number, from 1.
    names
        The values of the names at that line.
    helper
        Whether the program calls the function that the line is in.
    inner
        Whether that function is the program itself, whatever it stands in.

    Examples
    --------
    >>> program = ["def learn(sample, point, rng):", "    return random.random() < 0.25"]
    >>> corrected(program, 2, {"random": random})
    'return rng.random() < 0.25'
    """
    try:
        tree = ast.parse("".join(line if line.endswith("\n") else f"{line}\n" for line in lines))
    except (SyntaxError, ValueError):
        return ""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= number <= (node.end_lineno or 0)
    ]
    functions = [node for node in around if isinstance(node, _Function)][-1 if inner else 0 :]
    if not around:
        return ""
    statement = max(around, key=lambda node: node.lineno)
    before, left_out = copy.deepcopy(statement), [statement.lineno]
    exact, after = _rewritten(statement, functions, names, lines)
    where = statement
    while not after and (later := _with_inlined(where, before, functions)) is not None:
        where, before = later
        exact, after = _rewritten(copy.deepcopy(before), functions, names, lines)
        if after:
            without = ", ".join(map(str, left_out))
            after += f" (at line {where.lineno}, without line{'s' * bool(left_out[1:])} {without})"
        left_out.append(where.lineno)
    if after and exact.given is not None:
        if helper:
            return ""
        return f"{after} (with the coins as last parameter: {', '.join(exact.given)})"
    return after


def _rewritten(
    statement: ast.stmt,
    functions: Sequence[_Function],
    names: Mapping[str, object],
    lines: Sequence[str],
) -> tuple[_Exact, str]:
    """Return a statement, or what stands for it, with exact draws; nothing if it stays as it is."""
    before = _line_of(statement, lines)
    exact = _Exact(names, functions, statement)
    found: Any = exact.visit(statement)
    after = "; ".join(
        _line_of(each, lines) for each in (found if isinstance(found, list) else [found])
    )
    known = before and after != before and not exact.unsure and len(after) <= _LONGEST
    return exact, after if known else ""


def _with_inlined(
    statement: ast.stmt, known: ast.stmt, functions: Sequence[_Function]
) -> tuple[ast.stmt, ast.stmt] | None:
    """Return the one statement that uses what another assigns, as it is and with it put in."""
    target = known.targets[0] if isinstance(known, ast.Assign) else None
    if not isinstance(target, ast.Name) or not functions or isinstance(functions[-1], ast.Lambda):
        return None
    value = cast("ast.Assign", known).value
    body = functions[-1].body
    after = body[body.index(statement) + 1 :] if statement in body else []
    used = [each for each in ast.walk(functions[-1]) if isinstance(each, ast.Name)]
    uses = [each for each in used if each.id == target.id and isinstance(each.ctx, ast.Load)]
    of_value = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)} | {target.id}
    changed = [each for each in used if each.id in of_value and isinstance(each.ctx, ast.Store)]
    if len(uses) != 1 or any(each.lineno > statement.lineno for each in changed):
        return None
    for each in after:
        if isinstance(each, ast.Return | ast.Assign | ast.Expr) and uses[0] in ast.walk(each):
            inlined = copy.deepcopy(each)
            return each, cast("ast.stmt", _Filled({target.id: value}).visit(inlined))
    return None


class _Filled(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _line_of(statement: ast.stmt, lines: Sequence[str]) -> str:
    """Return a statement on one line: of a compound one the head, if the rest stands below."""
    first, _, rest = ast.unparse(statement).partition("\n")
    if lines[statement.lineno - 1].lstrip().startswith("elif") and first.startswith("if "):
        first = f"el{first}"
    body = getattr(statement, "body", None)
    if not isinstance(body, list):
        return "" if rest else first
    if body[0].lineno > statement.lineno:
        return first
    inside = [ast.unparse(each) for each in body]
    alone = len(rest.split("\n")) == len(inside)
    return f"{first} {'; '.join(inside)}" if alone else ""


class _Exact(ast.NodeTransformer):
    """Puts exact draws in the place of others.

    Attributes
    ----------
    unsure
        Whether something may be wrong with what it put there.
    given
        The parameters, with the coins that it added; ``None`` where coins were there.
    """

    def __init__(
        self, names: Mapping[str, object], functions: Sequence[_Function], statement: ast.stmt
    ) -> None:
        self.unsure = False
        self.given: list[str] | None = None
        self._names = names
        self._statement = statement
        self._around: list[_Function] = [*functions]  # the innermost one last
        self._parents: list[ast.AST] = []
        self._whole = functions[-1] if functions else statement

    def visit(self, node: ast.AST) -> ast.AST:
        around = self._around
        self._around = [*around, node] if isinstance(node, ast.Lambda) else around
        self._parents.append(node)
        found: ast.AST = super().visit(node)
        self._parents.pop()
        self._around = around
        return found

    def visit_Call(self, node: ast.Call) -> ast.AST:
        rounded = self._rounded(node)
        if rounded is not None:
            return rounded
        plain = self._undecided(node)
        if plain is not None:
            return plain
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        legacy = isinstance(owner, ast.Call) and self._origin(owner.func)[1] == "RandomState"
        self.generic_visit(node)
        module, name = self._origin(node.func)
        if legacy and isinstance(node.func, ast.Attribute) and node.func.value is not owner:
            node.func.attr = _RENAMED.get(("numpy.random", node.func.attr), node.func.attr)
        if self._is_of_scipy(node) and "random_state" not in {each.arg for each in node.keywords}:
            coins = ast.keyword("random_state", self._coins())
            return ast.Call(node.func, node.args, [*node.keywords, coins])
        if module in ("", "coins"):
            return node
        if name in _GENERATORS:
            given = [each for each in node.args if not self._is_coins(each)]
            held = node.args if " ".join(map(ast.unparse, given)) == "self.random_state" else []
            seeds = [
                e.args if _called(e)[:3] == "PCG" else [e] for e in given if isinstance(e, ast.Call)
            ]
            seeds.append([each for each in given if not isinstance(each, ast.Call)])
            if all(isinstance(each, ast.Constant) for each in chain.from_iterable(seeds)):
                given = []  # a seed that is always the same
            if (given and not held) or node.keywords or not self._only_draws(node):
                return node
            return held[0] if held else self._coins()
        name = _RENAMED.get((module, name), name)
        if name not in _exact_draws():
            return node
        return ast.Call(ast.Attribute(self._coins(), name, ast.Load()), node.args, node.keywords)

    # Texts and floats of numbers with noise, and functions by which no number is lost

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        called = node.value if isinstance(node.value, ast.Call) else None
        seeds = called is not None and _called(called) == "seed" and self._origin(called.func)[0]
        if seeds or (called is not None and ast.unparse(called.func) == "print"):
            return ast.copy_location(ast.Pass(), node)  # what is printed is no answer
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        widened = self._widened(node.target) if self._noisy(node.value) else None
        if widened is not None:
            return cast("ast.AST", [widened, self.generic_visit(node)])
        if not isinstance(node.target, ast.Name) or not self._noisy(node.value):
            return self.generic_visit(node)
        before = ast.Name(node.target.id, ast.Load())  # an array of floats, which holds no noise
        value = ast.BinOp(before, node.op, cast("ast.expr", self.visit(node.value)))
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        widened = self._widened(node.targets[0]) if self._noisy(node.value) else None
        visited = self.generic_visit(node)
        return visited if widened is None else cast("ast.AST", [widened, visited])

    def _widened(self, target: ast.expr) -> ast.Assign | None:
        """Return what makes an array of floats, in which noise is put, one of any numbers."""
        array = target.value if isinstance(target, ast.Subscript) else None
        if isinstance(array, ast.Attribute) and array.attr in ("iloc", "loc", "iat", "at"):
            array = array.value  # of a series, or a frame
        value: Any = self._value(array) if isinstance(array, ast.Name) else None
        kinds = value.dtypes if hasattr(value, "columns") else [getattr(value, "dtype", None)]
        if all(kind is None or kind == "O" for kind in kinds):
            return None
        name = cast("ast.Name", array).id
        return cast("ast.Assign", ast.parse(f"{name} = {name}.astype(object)").body[0])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        parts = [
            (each.value, "" if each.format_spec is None else ast.unparse(each.format_spec)[2:-1])
            if isinstance(each, ast.FormattedValue) else (each, "")
            for each in node.values
        ]  # fmt: skip
        return self._told(parts) or node

    def visit_Set(self, node: ast.Set) -> ast.AST:
        listed = ast.List([cast("ast.expr", self.visit(each)) for each in node.elts], ast.Load())
        return self._in_order(listed) if any(map(self._noisy, node.elts)) else node

    def _in_order(self, listed: ast.expr) -> ast.Call:
        """Return what tells no less than a set of numbers with noise that is returned."""
        self.unsure |= not self._is_published((ast.Tuple, ast.List, ast.Dict))
        return ast.Call(ast.Name("sorted", ast.Load()), [listed], [])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        left, bound = node.left, node.comparators[0]
        is_in = len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn)
        if is_in and isinstance(bound, ast.Set) and self._noisy(left):
            return ast.Compare(left, node.ops, [ast.Tuple(bound.elts, ast.Load())])
        solved = self._solved(left, bound) if len(node.ops) == 1 else None
        if solved is None:
            return self.generic_visit(node)
        left, bound, turned = solved
        turns = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
        op = node.ops[0]
        if type(op) not in turns:
            return self.generic_visit(node)
        return ast.Compare(left, [turns[type(op)]() if turned else op], [bound])

    def _solved(self, left: ast.expr, bound: ast.expr) -> tuple[ast.expr, ast.expr, bool] | None:
        """Return what holds noise, what it is compared with, and whether it is turned around.

        Squares, exponentials and quotients are undone, of numbers that are positive.
        """
        turned, found = False, False
        while (value := _constant(bound)) is not None:
            if isinstance(left, ast.BinOp):
                inner, other, op = left.left, left.right, left.op
                if isinstance(op, ast.Pow | ast.Mult) and value > 0 and self._noisy(inner):
                    square = "2" if isinstance(op, ast.Pow) else ast.unparse(inner)
                    if ast.unparse(other) == square:
                        left = ast.Call(ast.Name("abs", ast.Load()), [inner], [])
                        bound, found = ast.BinOp(bound, ast.Pow(), ast.Constant(0.5)), True
                        break
                first = (fixed := _constant(other)) is not None
                if not first:
                    inner, other, fixed = other, inner, _constant(inner)
                if fixed is None:
                    break
                if isinstance(op, ast.Add) or (isinstance(op, ast.Sub) and first):
                    undone: ast.operator = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
                    left, bound = inner, ast.BinOp(bound, undone, other)
                elif isinstance(op, ast.Sub):
                    left, bound, turned = inner, ast.BinOp(other, op, bound), not turned
                elif fixed > 0 and isinstance(op, ast.Mult):
                    left, bound = inner, ast.BinOp(bound, ast.Div(), other)
                elif fixed > 0 and isinstance(op, ast.Div) and first:
                    left, bound = inner, ast.BinOp(bound, ast.Mult(), other)
                elif isinstance(op, ast.Div) and min(fixed, value) > 0 and _is_positive(inner):
                    left, bound, turned = inner, ast.BinOp(other, op, bound), not turned
                else:
                    break
            elif isinstance(left, ast.Call) and _called(left) in _UNDONE and len(left.args) == 1:
                inverse, low, high = _UNDONE[_called(left)]
                if not low < value < high:
                    break
                module = ast.unparse(left.func).rpartition(".")[0]
                if module in ("np", "numpy") and inverse[0] == "a":
                    inverse = f"arc{inverse[1:]}"
                form = f"{module}.{inverse}(bound)".lstrip(".") if inverse else "bound ** 2"
                (left,) = left.args
                found = self._moves(left)
                bound = _Filled({"bound": bound}).visit(ast.parse(form, mode="eval").body)
            else:
                break
        return (left, bound, turned) if found else None

    def _is_of_scipy(self, node: ast.Call) -> bool:
        """Return whether a call draws from a law of ``scipy.stats``."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        law = self._value(owner.func if isinstance(owner, ast.Call) else owner or node)
        return _called(node) == "rvs" and type(law).__module__.startswith("scipy.stats")

    def _undecided(self, node: ast.Call) -> ast.AST | None:
        """Return what says as much as a call of a number with noise, and decides less."""
        function, called = node.func, _called(node)
        owner = function.value if isinstance(function, ast.Attribute) else None
        first = node.args[0] if node.args else None
        if called == "format" and isinstance(owner, ast.Constant):
            return self._told(list(_fields(str(owner.value), node)))
        if called == "format" and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
            return self._told([(node.args[0], str(node.args[1].value))])
        if called == "astype" and owner is not None and self._noisy(owner):
            whole = ast.unparse(first or owner) in ("int", "np.int64", "'int'")
            array, module = self.visit(owner), "numpy" if "numpy" in self._names else "np"
            return self._truncated(array, module) if whole else array
        if first is None:
            return None
        if called == "dumps":
            return self.visit(first)
        if called in ("array", "asarray", "fromiter") and self._noisy(first):
            return ast.Call(function, [cast("ast.expr", self.visit(first))], [])
        lost = isinstance(first, ast.Compare) or len(node.args) > 1 or not self._noisy(first)
        if called in ("set", "frozenset") and not lost:
            return self._in_order(cast("ast.expr", self.visit(first)))
        clamped = isinstance(first, ast.Call) and _called(first) in ("max", "maximum", "abs")
        if called in (_OF_POSITIVES if clamped else _ONE_TO_ONE) and self._is_published():
            return self.visit(first) if clamped or not lost else None
        if lost or called not in ("float", "float64", "str", "repr", "int"):
            return None
        inner = self.visit(first)
        rounded = isinstance(inner, ast.Call) and _called(inner) == "round"
        return self._truncated(inner) if called == "int" and not rounded else inner

    def _truncated(self, node: ast.AST, module: str = "") -> ast.expr:
        module = module or ("np" if "np" in self._names and "math" not in self._names else "math")
        trunc = ast.Attribute(ast.Name(module, ast.Load()), "trunc", ast.Load())
        return ast.Call(trunc, [cast("ast.expr", node)], [])

    def _is_published(
        self, beside: tuple[type[ast.AST], ...] = (ast.Tuple, ast.List, ast.Dict, ast.Call)
    ) -> bool:
        """Return whether what is visited is returned, alone or beside others."""

        def keeps(each: ast.AST) -> bool:
            if isinstance(each, ast.BinOp):
                return any(map(_constant, (each.left, each.right)))
            lost = isinstance(each, ast.Call) and _called(each) not in _HOLDERS
            return isinstance(each, beside) and not lost

        above = (each for each in self._parents[-2::-1] if not keeps(each))
        return isinstance(next(above, None), ast.Return)

    def _told(self, parts: Sequence[tuple[ast.expr | None, str]]) -> ast.expr | None:
        """Return the numbers and the words of a text, in place of the text, if all are seen."""
        seen = [(e, form) for e, form in parts if e is not None and not isinstance(e, ast.Starred)]
        if len(seen) < len(parts):
            return None
        told = [self._shown(*each) for each in seen]
        if None in told or not any(self._noisy(value) for value, _ in seen):
            return None
        return told[0] if len(told) == 1 else ast.Tuple(cast("list[ast.expr]", told), ast.Load())

    def _shown(self, value: ast.expr, form: str) -> ast.expr | None:
        digits = re.fullmatch(r"[^.]*\.(\d)([f%])", form)
        if not self._noisy(value) or form in ("", "s", "r") or form[-1] in "eEgG":
            return value  # of which a text of some digits tells no more
        if digits is not None:
            places = ast.Constant(int(digits[1]) + 2 * (digits[2] == "%"))
            return ast.Call(ast.Name("round", ast.Load()), [value, places], [])
        return self._truncated(value) if form.endswith("d") else None

    def _moves(self, node: ast.expr) -> bool:
        """Return whether something holds noise, or is the largest or a clamp of what does."""
        clamped = isinstance(node, ast.Call) and _called(node)[:3] in ("max", "min")
        return any(map(self._noisy, cast("ast.Call", node).args if clamped else [node]))

    def _noisy(self, node: ast.expr) -> bool:
        """Return whether something holds a number with noise, or a draw of the coins."""
        if isinstance(node, ast.Call) and not (
            _called(node) in ("round", "rint") or self._origin(node.func)[0] == "coins"
        ):
            return False
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and _holds_noise(self._value(each)):
                return True
            if isinstance(each, ast.Call):
                module, name = self._origin(each.func)
                if module == "coins" and not _is_compared_alone(name):
                    return True
        return False

    # Noise that is made of uniform draws by the inverse of its distribution function

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        noise = self._noise(node.operand) if isinstance(node.op, ast.USub) else None
        return self.generic_visit(node) if noise is None else noise

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        words = node.left.value if isinstance(node.left, ast.Constant) else None
        if isinstance(words, str) and isinstance(node.op, ast.Mod):
            return self._told(list(_percents(words, node.right))) or node
        inverted = self._inverted(node)
        if inverted is not None:
            return inverted
        quotient = isinstance(node.op, ast.Div) and all(map(self._moves, (node.left, node.right)))
        if quotient and self._is_published():  # of both numbers it tells no more
            return ast.Tuple([cast("ast.expr", self.visit(e)) for e in (node.left, node.right)])
        noise = self._noise(node.right) if isinstance(node.op, ast.Sub) else None
        if noise is not None:
            left = cast("ast.expr", self.visit(node.left))
            return ast.BinOp(left, ast.Add(), noise)
        return self.generic_visit(node)

    def _noise(self, node: ast.expr) -> ast.expr | None:
        """Return the noise that the logarithm of a uniform draw is, or one in proportion to it."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult):
            noise = self._noise(node.left)
            return None if noise is None else ast.BinOp(noise, node.op, node.right)
        inner = _of(node, "log")
        if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.USub):
            twice = _of(inner.operand, "log")
            return self._drawn("gumbel", []) if self._is_uniform(twice, (0, 1)) else None
        if isinstance(inner, ast.BinOp) and ast.unparse(inner.left) in ("1", "1.0"):
            inner = inner.right if isinstance(inner.op, ast.Sub) else None
        return self._drawn("exponential", []) if self._is_uniform(inner, (0, 1)) else None

    def _inverted(self, node: ast.BinOp) -> ast.expr | None:
        """Return the Laplace or normal noise that a product of functions of uniform draws is."""
        factors = list(_factors(node))
        called = [each for each in factors if isinstance(each, ast.Call)]
        written = _plainly(" ".join(map(ast.unparse, called)))
        for form, name, ends in _INVERSES:
            found = [each for each in called if _called(each) in form[0]]
            names = re.search(form[1], written)
            if len(found) != 2 or names is None:
                continue
            if not all(self._is_uniform(ast.Name(each), ends) for each in set(names.groups())):
                continue
            rest = [each for each in factors if each not in found] or [ast.Constant(1)]
            scale = rest[0]
            for each in rest[1:]:
                scale = ast.BinOp(scale, ast.Mult(), each)
            return self._drawn(name, [ast.Constant(0), scale])
        return None

    def _is_uniform(self, node: ast.expr | None, ends: tuple[float, float]) -> bool:
        """Return whether this is a uniform draw between two ends, of which no more is asked."""
        if isinstance(node, ast.Call):
            given = " ".join(map(ast.unparse, node.args))
            bare = not node.keywords and given in ("", "0 1")
            return bare and set(ends) == {0, 1} and self._origin(node.func)[1] in _LAZY
        value: Any = None if node is None else self._value(node)
        if not isinstance(node, ast.Name) or type(value).__name__ != "LazyUniform":
            return False
        outside = set(ast.walk(self._whole)) - set(ast.walk(self._statement))
        used = (each for each in outside if isinstance(each, ast.Name) and each.id == node.id)
        self.unsure |= any(isinstance(each.ctx, ast.Load) for each in used)
        return bool(value.ends == ends)

    def _drawn(self, name: str, given: list[ast.expr]) -> ast.expr:
        return ast.Call(ast.Attribute(self._coins(), name, ast.Load()), given, [])

    def _rounded(self, node: ast.Call) -> ast.AST | None:
        """Return a geometric number that is drawn by inversion."""
        if ast.unparse(node.func) not in ("int", "math.floor", "np.floor") or len(node.args) != 1:
            return None
        product = node.args[0]
        if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Div):
            base = _of(product.right, "log")  # a geometric number, by inversion
            if base is None or not self._is_uniform(_of(product.left, "log"), (0, 1)):
                return None
            drawn = self._drawn("geometric", [ast.BinOp(ast.Constant(1), ast.Sub(), base)])
            return ast.BinOp(drawn, ast.Sub(), ast.Constant(1))
        return None

    # Whose function is called

    def _origin(self, function: ast.expr) -> tuple[str, str]:
        """Return the module that a function draws for, or ``coins``, and its name there."""
        if isinstance(function, ast.Attribute):
            if self._is_coins(function.value):
                return "coins", function.attr
            owner = self._value(function.value)
            for name, module in _modules():
                if owner is module:
                    return name, function.attr
            if isinstance(owner, random.Random):
                return "random", function.attr
            of_numpy = type(owner).__name__ in ("Generator", "RandomState")
            return ("numpy.random", function.attr) if of_numpy else ("", "")
        value = self._value(function)
        name = getattr(value, "__name__", "")
        if name == "check_random_state":
            return "sklearn", name
        found = (
            module for module, where in _modules() if getattr(where, name or " ", None) is value
        )
        return (next(found, ""), name) if callable(value) else ("", "")

    def _value(self, node: ast.expr) -> object:
        """Return what a name means, or an attribute of a module; ``None`` if it is not known."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            if isinstance(owner, ModuleType):
                return getattr(owner, node.attr, None)
            return getattr(owner, "__dict__", {}).get(node.attr)
        return None

    # The coins

    def _is_coins(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in map(_coins_of, self._around)

    def _coins(self) -> ast.Name:
        """Return the coins: those of the innermost function that has some, else new ones."""
        known = [name for name in map(_coins_of, self._around) if name]
        if known:
            return ast.Name(known[-1], ast.Load())
        if self.given is not None:  # the same coins for a second draw
            return ast.Name(self.given[-1], ast.Load())
        if not self._around:
            self.unsure = True
            return ast.Name(COINS[0], ast.Load())
        function = self._around[-1]
        arguments = function.args
        extra = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults)
        taken = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        name = next((each for each in COINS if each not in taken), "")
        # What stands around it would not know of the new coins.
        if not name or any(extra) or len(self._around) > 1:
            self.unsure = True
        self.given = [*_parameters(function), name]
        return ast.Name(name, ast.Load())

    def _only_draws(self, node: ast.Call) -> bool:
        """Return whether a generator draws what coins draw, where it is made or named."""
        parent, made = self._parents[-2], self._origin(node.func)[1]
        if isinstance(parent, ast.Attribute):
            return parent.attr in _exact_draws()
        named = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name)
        # The randint of coins includes its end, as that of random does.
        return named and not (made == "RandomState" and ".randint(" in ast.unparse(self._whole))


def _plainly(written: str) -> str:
    return re.sub(r"\b(np|numpy|math)\.|\.0\b", "", written)


_INVERSES: tuple[tuple[tuple[tuple[str, ...], str], str, tuple[float, float]], ...] = (
    ((("sign", "copysign", "log"), r"n\((?:1, )?(\w+)\) log\(1 - 2 \* f?abs\((\w+)\)\)"), "laplace",
     (-0.5, 0.5)),
    ((("sign", "copysign", "log"), r"n\((?:1, )?(\w+)\) log\(1 - f?abs\((\w+)\)\)"), "laplace",
     (-1, 1)),
    ((("sqrt", "cos", "sin"), r"sqrt\(-2 \* log\((\w+)\)\) (?:cos|sin)\(2 \* pi \* (\w+)\)"),
     "normal", (0, 1)),
)  # fmt: skip
"""Functions whose product is noise, how they are written, which, and the ends of the draws."""


_UNDONE = {
    "exp": ("log", 0, math.inf), "log": ("exp", -math.inf, 700), "sqrt": ("", 0, math.inf),
    "expm1": ("log1p", -1, math.inf), "log1p": ("expm1", -math.inf, 700),
    "tanh": ("atanh", -1, 1), "sinh": ("asinh", -math.inf, math.inf),
}  # fmt: skip
"""Increasing functions, what undoes each, and between which numbers."""
_HOLDERS = ("tuple", "list", "dict", "array", "asarray", "float", "Fraction")
"""What is called with numbers, and keeps them as they are."""
_ONE_TO_ONE = ("exp", "expm1", "exp2", "sinh", "tanh", "atan", "arctan", "asinh", "arcsinh", "cbrt")
_OF_POSITIVES = (*_ONE_TO_ONE, "log", "log2", "log10", "log1p", "sqrt")


def _constant(node: ast.expr) -> float | None:
    """Return the number that an expression of literals is."""
    parts = ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop
    if isinstance(node, ast.Call) and _called(node) in ("log", "sqrt") and len(node.args) == 1:
        inner = _constant(node.args[0])
        return None if inner is None or inner <= 0 else getattr(math, _called(node))(inner)
    if not all(isinstance(each, parts) for each in ast.walk(node)):
        return None
    try:
        value = eval(ast.unparse(node), {})  # noqa: S307  # literals alone
    except ArithmeticError:
        return None
    return value if isinstance(value, int | float) else None


def _is_positive(node: ast.expr) -> bool:
    """Return whether this is an exponential, or one and something positive."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        sides = (node.left, node.right)
        return all((_constant(each) or 0) > 0 or _is_positive(each) for each in sides)
    return isinstance(node, ast.Call) and _called(node) == "exp"


def _fields(words: str, node: ast.Call) -> Iterator[tuple[ast.expr | None, str]]:
    """Yield what ``str.format`` puts together, each with its format, or ``None`` for a part."""
    given: dict[str, ast.expr] = {str(i): each for i, each in enumerate(node.args)}
    given |= {each.arg: each.value for each in node.keywords if each.arg}
    following = iter(node.args)
    for literal, field, form, _ in string.Formatter().parse(words):
        if literal:
            yield ast.Constant(literal), ""
        if field is not None:
            yield given.get(field) if field else next(following, None), form or ""


def _percents(words: str, right: ast.expr) -> Iterator[tuple[ast.expr | None, str]]:
    """Yield what ``%`` puts together, each with its format."""
    values = iter(right.elts if isinstance(right, ast.Tuple) else [right])
    for literal, form in re.findall(r"([^%]*)(?:%([^%a-zA-Z]*[a-zA-Z]))?", words):
        if literal:
            yield ast.Constant(literal), ""
        if form:
            yield next(values, None), form


def _holds_noise(value: object) -> bool:
    """Return whether a value is a number with noise, or holds one."""
    if isinstance(value, dict):
        value = list(value.values())
    if hasattr(value, "__array_interface__"):
        value = cast("Any", value).ravel().tolist()
    if isinstance(value, list | tuple):
        return any(map(_holds_noise, value))
    return type(value).__name__ == "LazyNumber"


def _of(node: ast.expr, name: str) -> ast.expr | None:
    """Return what a function of one argument is of."""
    named = isinstance(node, ast.Call) and len(node.args) == 1 and _called(node) == name
    return cast("ast.Call", node).args[0] if named else None


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the factors of a product, but for signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from _factors(node.operand)
    else:
        yield node


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def _parameters(function: _Function) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def _coins_of(function: _Function) -> str:
    """Return the name of the parameter that takes the coins; nothing if there is none."""
    return next((name for name in reversed(_parameters(function)) if name in COINS), "")


def _modules() -> Iterator[tuple[str, object]]:
    yield from (("random", random), ("secrets", secrets), ("os", os))
    if "numpy.random" in sys.modules:
        yield "numpy.random", sys.modules["numpy.random"]


def _exact_draws() -> dict[str, object]:
    """Return what coins draw with an exact law, by name."""
    above = sys.modules[f"{__package__}.exact_generator"]  # which imports this module
    others = ("refused", "spread", "refine")
    draws = vars(above.ExactGenerator).items()
    return {name: draw for name, draw in draws if name[0] != "_" and name not in others}


def _is_compared_alone(name: str) -> bool:
    """Return whether coins draw something of this name that is compared, and not published."""
    return name in (*_LAZY, "gumbel") or getattr(_exact_draws().get(name), "is_compared", False)
