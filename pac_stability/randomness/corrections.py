"""Corrections of lines that draw numbers without an exact law.

A correction is printed only if it can be pasted. It uses the program's own names, each looked up
where the program runs, so that ``random.random`` is Python's and not a namesake. What it does not
know it leaves alone.
"""

from __future__ import annotations

import ast
import copy
import linecache
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, cast

from pac_stability.randomness.noise_lines import NoiseLines
from pac_stability.randomness.statement import Filled, Function, exact_draws, name_called

_LONGEST = 200


_OURS = str(Path(__file__).parents[1]) + os.sep


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
    >>> import random
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
    functions = [node for node in around if isinstance(node, Function)][-1 if inner else 0 :]
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
    functions: Sequence[Function],
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
    statement: ast.stmt, known: ast.stmt, functions: Sequence[Function]
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
            return each, cast("ast.stmt", Filled({target.id: value}).visit(inlined))
    return None


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


class _Exact(NoiseLines):
    """Puts exact draws in the place of others."""

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
        if name_called(node) == "ppf" and self._is_uniform(node.args[0], (0, 1)):
            function = ast.Attribute(owner or node, "rvs", ast.Load())  # it inverts what is drawn
            node = ast.Call(function, node.args[1:], node.keywords)
        if self._is_of_scipy(node) and "random_state" not in {each.arg for each in node.keywords}:
            coins = ast.keyword("random_state", self._coins())
            return ast.Call(node.func, node.args, [*node.keywords, coins])
        if module in ("", "coins"):
            return node
        if name in _GENERATORS:
            given = [each for each in node.args if not self._is_coins(each)]
            held = node.args if " ".join(map(ast.unparse, given)) == "self.random_state" else []
            if node.keywords or not self._only_draws(node):  # whatever the seed is
                return node
            return held[0] if held else self._coins()
        name = _RENAMED.get((module, name), name)
        if name not in exact_draws():
            return node
        return ast.Call(ast.Attribute(self._coins(), name, ast.Load()), node.args, node.keywords)

    def _is_of_scipy(self, node: ast.Call) -> bool:
        """Return whether a call draws from a law of ``scipy.stats``."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        law = self._value(owner.func if isinstance(owner, ast.Call) else owner or node)
        return name_called(node) == "rvs" and type(law).__module__.startswith("scipy.stats")

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        called = node.value if isinstance(node.value, ast.Call) else None
        seeds = (
            called is not None and name_called(called) == "seed" and self._origin(called.func)[0]
        )
        if seeds or (called is not None and ast.unparse(called.func) == "print"):
            return ast.copy_location(ast.Pass(), node)  # what is printed is no answer
        return self.generic_visit(node)

    def _only_draws(self, node: ast.Call) -> bool:
        """Return whether a generator draws what coins draw, where it is made or named."""
        parent, made = self._parents[-2], self._origin(node.func)[1]
        if isinstance(parent, ast.Attribute):
            return parent.attr in exact_draws()
        named = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name)
        # The randint of coins includes its end, as that of random does.
        return named and not (made == "RandomState" and ".randint(" in ast.unparse(self._whole))
