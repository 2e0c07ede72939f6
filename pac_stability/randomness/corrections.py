"""The line to write in place of one that draws where no exact law can follow."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from fractions import Fraction
from types import FrameType
from typing import cast

COINS = ("rng", "coins", "generator", "random_state", "gen", "prng", "randomness")
"""The names of a parameter that takes the coins."""

_LONGEST = 200
_NUMPY = ("np.random", "numpy.random")
_ELSEWHERE = ("random", "secrets", *_NUMPY)
_REAL = ("random", "rand", "random_sample", "ranf")
_SAME = {
    *("choice", "choices", "sample", "shuffle", "randint", "randrange", "getrandbits"),
    *("permutation", "binomial", "integers", "uniform", "randbytes"),
}
_SECRETS = {"randbelow": "below", "randbits": "getrandbits", "token_bytes": "randbytes"}
_GENERATORS = ("default_rng", "RandomState", "Random", "SystemRandom", "check_random_state")
_ROUNDINGS = ("int", "floor", "math.floor", "np.floor", "numpy.floor")


def correction(frame: FrameType | None) -> str:
    """Return how the statement that a frame is at is written with exact draws.

    Returns
    -------
    str
        The first line of the statement, corrected; empty when no correction is known, or the source
        is not.
    """
    if frame is None:
        return ""
    return corrected(linecache.getlines(frame.f_code.co_filename), frame.f_lineno)


def corrected(lines: Sequence[str], number: int) -> str:
    """Return a line of a program, corrected; empty when there is nothing known to correct.

    Parameters
    ----------
    lines
        The program.
    number
        Which line, from 1 on.

    Examples
    --------
    >>> program = ["def learn(sample, point, rng):", "    return random.random() < 0.25"]
    >>> corrected(program, 2)
    'return rng.bernoulli(Fraction(1, 4))'
    >>> program[1] = "    return sample.labels[int(rng.random() * len(sample))]"
    >>> corrected(program, 2)
    'return sample.labels[rng.below(len(sample))]'
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
    if not around:
        return ""
    statement = max(around, key=lambda node: node.lineno)
    functions = [node for node in around if isinstance(node, ast.FunctionDef)]
    names = _parameters(max(functions, key=lambda node: node.lineno)) if functions else []
    known = [name for name in names if name in COINS]
    before = ast.unparse(statement)
    after = ast.unparse(_Exact(known[-1] if known else "rng").visit(statement))
    if after == before:
        return ""
    line = after.partition("\n")[0]
    if functions and not known:
        line = f"{line} (with the coins as last parameter: {', '.join([*names, 'rng'])})"
    return line if len(line) <= _LONGEST else ""


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


class _Exact(ast.NodeTransformer):
    """Puts exact draws in the place of others."""

    def __init__(self, coins: str) -> None:
        self._coins = ast.Name(coins, ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        rounded = self._rounded(node)
        if rounded is not None:
            return rounded
        self.generic_visit(node)
        owner, name = _callee(node)
        if _is_real(node):
            return self._draw("random") if owner in ("", *_ELSEWHERE) else node
        if owner in _ELSEWHERE and name in _SAME:
            numpy = owner in _NUMPY and name == "randint"
            return self._draw("integers" if numpy else name, *node.args, keywords=node.keywords)
        if owner == "secrets" and name in _SECRETS:
            return self._draw(_SECRETS[name], *node.args)
        given = [ast.unparse(each) for each in node.args]
        if name in _GENERATORS and given in ([], [self._coins.id]):
            return self._coins
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        first, second = node.left, node.comparators[0]
        if len(node.ops) > 1:
            return node
        below, above = (
            isinstance(node.ops[0], ast.Lt | ast.LtE),
            isinstance(node.ops[0], ast.Gt | ast.GtE),
        )
        for draw, threshold, fits in ((first, second, below), (second, first, above)):
            share = _constant(threshold)
            if fits and _is_real(draw) and share is not None and 0 <= share <= 1:
                coins = _receiver(draw) or self._coins
                return self._draw("bernoulli", _fraction(share), coins=coins)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add):
            for value, noise in ((node.left, node.right), (node.right, node.left)):
                scale = _scale(noise)
                if scale is not None:
                    return self._noisy(value, scale, _receiver(noise) or self._coins)
        return node

    def _rounded(self, node: ast.Call) -> ast.AST | None:
        """Return ``rng.below(n)`` for ``int(rng.random() * n)``."""
        if ast.unparse(node.func) not in _ROUNDINGS or len(node.args) != 1:
            return None
        product = node.args[0]
        if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
            return None
        for draw, count in ((product.left, product.right), (product.right, product.left)):
            share = _constant(count)
            if _is_real(draw) and (share is None or share.denominator == 1):
                return self._draw("below", count, coins=_receiver(draw))
        return None

    def _noisy(self, value: ast.expr, scale: Fraction, coins: ast.expr) -> ast.AST:
        """Return discrete Laplace noise of the same scale on a count."""
        text = (
            f"DiscreteLaplace(decay_for({str(1 / scale)!r}, 1), low=0, high=len(sample))"
            f".run(VALUE, {ast.unparse(coins)})"
        )

        class Value(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return value if node.id == "VALUE" else node

        return cast("ast.AST", Value().visit(ast.parse(text, mode="eval").body))

    def _draw(
        self,
        name: str,
        *arguments: ast.expr,
        coins: ast.expr | None = None,
        keywords: Sequence[ast.keyword] = (),
    ) -> ast.Call:
        function = ast.Attribute(coins or self._coins, name, ast.Load())
        return ast.Call(function, list(arguments), list(keywords))


def _callee(node: ast.AST) -> tuple[str, str]:
    """Return what a method is called on, and its name; nothing for what is called by itself."""
    if not isinstance(node, ast.Call):
        return "", ""
    if isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value), node.func.attr
    return "", node.func.id if isinstance(node.func, ast.Name) else ""


def _receiver(node: ast.AST) -> ast.expr | None:
    """Return the coins that a draw is made from, unless it is a module."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if ast.unparse(node.func.value) in _ELSEWHERE:
        return None
    return node.func.value


def _is_real(node: ast.AST) -> bool:
    """Return whether this is a draw of one real number."""
    return (
        isinstance(node, ast.Call)
        and _callee(node)[1] in _REAL
        and not node.args
        and not node.keywords
    )


def _constant(node: ast.AST) -> Fraction | None:
    """Return a number that is written out, as the decimal that it is."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        try:
            return Fraction(repr(node.value))
        except ValueError:  # an infinity
            return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above, below = _constant(node.left), _constant(node.right)
        return above / below if above is not None and below else None
    return None


def _fraction(value: Fraction) -> ast.expr:
    return ast.parse(f"Fraction({value.numerator}, {value.denominator})", mode="eval").body


def _scale(node: ast.AST) -> Fraction | None:
    """Return the scale of a draw of Laplace noise around 0, where it is written out."""
    if not isinstance(node, ast.Call) or _callee(node)[1] != "laplace":
        return None
    places = dict(zip(("loc", "scale"), node.args, strict=False))
    places |= {each.arg: each.value for each in node.keywords if each.arg}
    around = _constant(places["loc"]) if "loc" in places else Fraction(0)
    scale = _constant(places["scale"]) if "scale" in places else Fraction(1)
    return scale if around == 0 and scale is not None and scale > 0 else None
