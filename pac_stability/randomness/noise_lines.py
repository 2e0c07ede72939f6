"""Lines that lose a number with noise, rewritten so that its law stays exact.

Texts and floats of such numbers, functions that no number is lost by, and noise that is made of
uniform draws.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, cast

from pac_stability.randomness.statement import LAZY, Filled, Statement, exact_draws, name_called


class NoiseLines(Statement):
    """Puts what has an exact law in the place of what decides a number with noise."""

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
        shown = [each.value for each in node.values if isinstance(each, ast.FormattedValue)]
        return self._told(shown) or node

    def visit_Set(self, node: ast.Set) -> ast.AST:
        listed = ast.List([cast("ast.expr", self.visit(each)) for each in node.elts], ast.Load())
        return self._in_order(listed) if any(map(self._noisy, node.elts)) else node

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        listed = ast.GeneratorExp(node.elt, node.generators)
        if not self._noisy(node.elt):
            return node
        return self._in_order(cast("ast.expr", self.generic_visit(listed)))

    def _in_order(self, listed: ast.expr) -> ast.Call:
        """Return what tells no less than a set of numbers with noise that is returned."""
        self.unsure |= not self._is_published((ast.Tuple, ast.List, ast.Dict))
        return ast.Call(ast.Name("sorted", ast.Load()), [listed], [])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        left, bound = node.left, node.comparators[0]
        is_in = len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn)
        if is_in and isinstance(bound, ast.Set) and self._noisy(left):
            return ast.Compare(left, node.ops, [ast.Tuple(bound.elts, ast.Load())])
        if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Sub) and len(node.ops) == 1:
            one, other = left.left, left.right
            if self._is_gumbel(one) and self._is_gumbel(other):
                over = other if _constant(bound) == 0 else ast.BinOp(other, ast.Add(), bound)
                return ast.Compare(one, node.ops, [over])
        if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Div) and len(node.ops) == 1:
            above, below = left.left, left.right
            if self._moves(above) and self._moves(below) and _constant(bound) is not None:
                return _cleared(above, below, node.ops[0], bound)
        solved = self._solved(left, bound) if len(node.ops) == 1 else None
        if solved is None:
            return self.generic_visit(node)
        left, bound, turned = solved
        op = node.ops[0]
        if type(op) not in _TURNS:
            return self.generic_visit(node)
        return ast.Compare(left, [_TURNS[type(op)]() if turned else op], [bound])

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
            elif (
                isinstance(left, ast.Call) and name_called(left) in _UNDONE and len(left.args) == 1
            ):
                inverse, low, high = _UNDONE[name_called(left)]
                if not low < value < high:
                    break
                module = ast.unparse(left.func).rpartition(".")[0]
                if module in ("np", "numpy") and inverse[:1] == "a":
                    inverse = f"arc{inverse[1:]}"
                form = f"{module}.{inverse}(bound)".lstrip(".") if inverse else "bound ** 2"
                (left,) = left.args
                found = self._moves(left)
                bound = Filled({"bound": bound}).visit(ast.parse(form, mode="eval").body)
            else:
                break
        return (left, bound, turned) if found else None

    def _undecided(self, node: ast.Call) -> ast.AST | None:
        """Return what says as much as a call of a number with noise, and decides less."""
        function, called = node.func, name_called(node)
        owner = function.value if isinstance(function, ast.Attribute) else None
        first = node.args[0] if node.args else None
        if called == "format" and isinstance(owner, ast.Constant):
            return self._told([*node.args, *(each.value for each in node.keywords)])
        if called == "format" and owner is None:
            return self._told(node.args[:1])
        if called == "astype" and owner is not None and self._noisy(owner):
            whole = ast.unparse(first or owner) in ("int", "np.int64", "'int'")
            array, module = self.visit(owner), "numpy" if "numpy" in self._names else "np"
            return self._truncated(array, module) if whole else array
        if first is None:
            return None
        if called == "dumps":
            return self.visit(first)
        if (plain := _SAME.get(called)) is not None and self._noisy(node.args[-1]):
            given = dict(zip("ab", map(self.visit, node.args), strict=False))
            form = ast.parse(plain, mode="eval").body
            return cast("ast.AST", Filled(cast("Any", given)).visit(form))
        if called == "get" and self._noisy(first):
            node.args[0] = ast.Call(ast.Name("int", ast.Load()), [first], [])
            return node
        if called in ("array", "asarray", "fromiter") and self._noisy(first):
            return ast.Call(function, [cast("ast.expr", self.visit(first))], [])
        lost = isinstance(first, ast.Compare) or len(node.args) > 1 or not self._noisy(first)
        if called in ("set", "frozenset") and not lost:
            return self._in_order(cast("ast.expr", self.visit(first)))
        clamped = isinstance(first, ast.Call) and name_called(first) in ("max", "maximum", "abs")
        if called in (_OF_POSITIVES if clamped else _ONE_TO_ONE) and self._is_published():
            return self.visit(first) if clamped or not lost else None
        if lost or called not in ("float", "float64", "str", "repr", "int"):
            return None
        inner = self.visit(first)
        rounded = isinstance(inner, ast.Call) and name_called(inner) == "round"
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
            lost = isinstance(each, ast.Call) and name_called(each) not in _HOLDERS
            return isinstance(each, beside) and not lost

        above = (each for each in self._parents[-2::-1] if not keeps(each))
        return isinstance(next(above, None), ast.Return)

    def _told(self, shown: Sequence[ast.expr]) -> ast.expr | None:
        """Return the numbers and the words that a text is made of, which tell no less."""
        parts = [each.value if isinstance(each, ast.Starred) else each for each in shown]
        if not any(map(self._noisy, parts)):
            return None
        return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())

    def _moves(self, node: ast.expr) -> bool:
        """Return whether something holds noise, or is the largest or a clamp of what does."""
        clamped = isinstance(node, ast.Call) and name_called(node)[:3] in ("max", "min")
        return any(map(self._noisy, cast("ast.Call", node).args if clamped else [node]))

    def _noisy(self, node: ast.expr) -> bool:
        """Return whether something holds a number with noise, or a draw of the coins."""
        if isinstance(node, ast.Call) and not (
            name_called(node) in ("round", "rint") or self._origin(node.func)[0] == "coins"
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

    def _is_gumbel(self, node: ast.expr) -> bool:
        """Return whether something is a draw of Gumbel noise, or a number with some."""
        drawn = isinstance(node, ast.Call) and self._origin(node.func) == ("coins", "gumbel")
        return drawn or type(self._value(node)).__name__ == "LazyGumbel"

    def visit_Return(self, node: ast.Return) -> ast.AST:
        before = ast.unparse(node)
        after = self.generic_visit(node)
        # What is computed of numbers that are returned is no less private.
        computed = [n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Call)]
        names = {n.id: n for n in computed if isinstance(n, ast.Name)}
        noisy = [n for n in names.values() if self._noisy(n)]
        known = all(n in noisy or _is_fixed(self._value(n)) for n in names.values())
        if ast.unparse(after) != before or not (noisy and known):
            return after
        told: ast.expr = noisy[0] if len(noisy) == 1 else ast.Tuple([*noisy], ast.Load())
        return ast.copy_location(ast.Return(told), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        noise = self._noise(node.operand) if isinstance(node.op, ast.USub) else None
        return self.generic_visit(node) if noise is None else noise

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        words = node.left.value if isinstance(node.left, ast.Constant) else None
        if isinstance(words, str) and isinstance(node.op, ast.Mod):
            right = node.right
            return self._told(right.elts if isinstance(right, ast.Tuple) else [right]) or node
        inverted = self._inverted(node)
        if inverted is not None:
            return inverted
        quotient = isinstance(node.op, ast.Div) and all(map(self._moves, (node.left, node.right)))
        if quotient and self._is_published():  # of both numbers it tells no more
            return ast.Tuple([cast("ast.expr", self.visit(e)) for e in (node.left, node.right)])
        minus = isinstance(node.op, ast.Sub)
        drawn = [each for each in (node.left, node.right) if isinstance(each, ast.Call)]
        if minus and len(drawn) == 2 and all(map(self._is_gumbel, drawn)):
            first, second = (list(map(ast.unparse, (*e.args, *e.keywords))) for e in drawn)
            if first == second:  # the difference of two of one law
                return self._drawn("logistic", [ast.Constant(0), *drawn[0].args[1:]])
        noise = self._noise(node.right) if isinstance(node.op, ast.Sub | ast.Mult) else None
        if noise is not None:
            left = cast("ast.expr", self.visit(node.left))
            return ast.BinOp(left if minus else ast.UnaryOp(ast.USub(), left),
                             ast.Add() if minus else node.op, noise)  # fmt: skip
        return self.generic_visit(node)

    def _noise(self, node: ast.expr) -> ast.expr | None:
        """Return the noise that the logarithm of a uniform draw is, or one in proportion to it."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult):
            noise = self._noise(node.left)
            if noise is None and isinstance(node.op, ast.Mult):
                noise = self._noise(node.right)
                return None if noise is None else ast.BinOp(node.left, node.op, noise)
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
            found = [each for each in called if name_called(each) in form[0]]
            names = re.search(form[1], written)
            if len(found) != 2 or names is None:
                continue
            if not all(self._is_uniform(ast.Name(each), ends) for each in set(names.groups())):
                continue
            rest = [each for each in factors if each not in found]
            rest += [each.args[0] for each in found if len(each.args) == 2]  # of copysign
            rest = [each for each in rest if _constant(each) != 1] or [ast.Constant(1)]
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
            return bare and set(ends) == {0, 1} and self._origin(node.func)[1] in LAZY
        value: Any = None if node is None else self._value(node)
        if not isinstance(node, ast.Name) or type(value).__name__ != "LazyUniform":
            return False
        outside = set(ast.walk(self._whole)) - set(ast.walk(self._statement))
        used = (each for each in outside if isinstance(each, ast.Name) and each.id == node.id)
        self.unsure |= any(isinstance(each.ctx, ast.Load) for each in used)
        return bool(value.ends == ends)

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


def _cleared(above: ast.expr, below: ast.expr, op: ast.cmpop, bound: ast.expr) -> ast.expr:
    """Return the comparison of a quotient with a number, without a quotient."""
    turned = _TURNS.get(type(op), type(op))
    form = "a o b * c if c > 0 else a t b * c"
    whole = ast.parse(form.replace("o", "<").replace("t", ">"), mode="eval").body
    cast("Any", whole).body.ops, cast("Any", whole).orelse.ops = [op], [turned()]
    return cast("ast.expr", Filled({"a": above, "b": bound, "c": below}).visit(whole))


_TURNS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE,
}  # fmt: skip
"""What stands where both sides are multiplied by a negative number."""


def _plainly(written: str) -> str:
    return re.sub(r"\b(np|numpy|math)\.|\.0\b", "", written)


_INVERSES: tuple[tuple[tuple[tuple[str, ...], str], str, tuple[float, float]], ...] = (
    ((("sign", "copysign", "log"), r"n\((?:.*, )?(\w+)\) log\(1 - 2 \* f?abs\((\w+)\)\)"),
     "laplace", (-0.5, 0.5)),
    ((("sign", "copysign", "log"), r"n\((?:.*, )?(\w+)\) log\(1 - f?abs\((\w+)\)\)"), "laplace",
     (-1, 1)),
    ((("sqrt", "cos", "sin"), r"sqrt\(-2 \* log\((\w+)\)\) (?:cos|sin)\(2 \* pi \* (\w+)\)"),
     "normal", (0, 1)),
)  # fmt: skip
"""Functions whose product is noise, how they are written, which, and the ends of the draws."""


_UNDONE = {
    "exp": ("log", 0, math.inf), "log": ("exp", -math.inf, 700), "sqrt": ("", 0, math.inf),
    "expm1": ("log1p", -1, math.inf), "log1p": ("expm1", -math.inf, 700),
    "tanh": ("atanh", -1, 1), "sinh": ("asinh", -math.inf, math.inf), "expit": ("logit", 0, 1),
}  # fmt: skip
"""Increasing functions, what undoes each, and between which numbers."""


_SAME = {
    "fsum": "sum(a)", "fmean": "sum(a) / len(a)", "mean": "sum(a) / len(a)",
    "copysign": "(a if b >= 0 else -a)", "heaviside": "(1 if a > 0 else 0)",
}  # fmt: skip
"""Functions that decide numbers with noise, and what says the same of them and does not."""


_HOLDERS = ("tuple", "list", "dict", "array", "asarray", "float", "Fraction")
"""What is called with numbers, and keeps them as they are."""


_ONE_TO_ONE = ("exp", "expm1", "exp2", "sinh", "tanh", "atan", "arctan", "asinh", "arcsinh", "cbrt")


_OF_POSITIVES = (*_ONE_TO_ONE, "log", "log2", "log10", "log1p", "sqrt")


def _constant(node: ast.expr) -> float | None:
    """Return the number that an expression of literals is."""
    parts = ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop
    if isinstance(node, ast.Call) and name_called(node) in ("log", "sqrt") and len(node.args) == 1:
        inner = _constant(node.args[0])
        return None if inner is None or inner <= 0 else getattr(math, name_called(node))(inner)
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
    return isinstance(node, ast.Call) and name_called(node) == "exp"


def _holds_noise(value: object) -> bool:
    """Return whether a value is a number with noise, or holds one."""
    if isinstance(value, dict):
        value = list(value.values())
    if hasattr(value, "__array_interface__"):
        value = cast("Any", value).ravel().tolist()
    if isinstance(value, list | tuple):
        return any(map(_holds_noise, value))
    return type(value).__name__ == "LazyNumber"


def _is_fixed(value: object) -> bool:
    """Return whether a name is that of a module, a function or a type."""
    return isinstance(value, ModuleType) or callable(value)


def _of(node: ast.expr, name: str) -> ast.expr | None:
    """Return what a function of one argument is of."""
    named = isinstance(node, ast.Call) and len(node.args) == 1 and name_called(node) == name
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


def _is_compared_alone(name: str) -> bool:
    """Return whether coins draw something of this name that is compared, and not published."""
    return name in (*LAZY, "gumbel") or getattr(exact_draws().get(name), "is_compared", False)
