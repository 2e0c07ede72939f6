"""A statement of a program: what its names mean where it runs, and which name has the coins."""

from __future__ import annotations

import ast
import builtins
import os
import random
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

COINS = ("rng", "coins", "generator", "random_state", "gen", "prng", "randomness")
"""The names of a parameter that takes the coins."""

LAZY = ("random", "uniform")
"""Draws that are real numbers between two ends."""

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Statement(ast.NodeTransformer):
    """Visits a statement that is rewritten, and knows what its names mean and who has the coins.

    Attributes
    ----------
    unsure
        Whether something may be wrong with what it put there.
    given
        The parameters, with the coins that it added; ``None`` where coins were there.
    """

    def __init__(
        self, names: Mapping[str, object], functions: Sequence[Function], statement: ast.stmt
    ) -> None:
        self.unsure = False
        self.given: list[str] | None = None
        self._names = names
        self._statement = statement
        self._around: list[Function] = [*functions]  # the innermost one last
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

    def _origin(self, function: ast.expr) -> tuple[str, str]:
        """Return the module that a function draws for, or ``coins``, and its name there."""
        if isinstance(function, ast.Attribute):
            if self._is_coins(function.value):
                return "coins", function.attr
            owner = self._value(function.value)
            for name, module in drawing_modules():
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
            module
            for module, where in drawing_modules()
            if getattr(where, name or " ", None) is value
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

    def _is_coins(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in map(coins_of, self._around)

    def _coins(self) -> ast.Name:
        """Return the coins: those of the innermost function that has some, else new ones."""
        known = [name for name in map(coins_of, self._around) if name]
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
        self.given = [*parameters_of(function), name]
        return ast.Name(name, ast.Load())

    def _drawn(self, name: str, given: list[ast.expr]) -> ast.expr:
        return ast.Call(ast.Attribute(self._coins(), name, ast.Load()), given, [])


def name_called(node: ast.Call) -> str:
    """Return the last name of what is called."""
    return ast.unparse(node.func).rpartition(".")[2]


def parameters_of(function: Function) -> list[str]:
    """Return the names of the parameters that may be given by place."""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def coins_of(function: Function) -> str:
    """Return the name of the parameter that takes the coins; nothing if there is none."""
    return next((name for name in reversed(parameters_of(function)) if name in COINS), "")


def drawing_modules() -> Iterator[tuple[str, object]]:
    """Yield the modules that draw, with their names; NumPy's only if it is loaded."""
    yield from (("random", random), ("secrets", secrets), ("os", os))
    if "numpy.random" in sys.modules:
        yield "numpy.random", sys.modules["numpy.random"]


def exact_draws() -> dict[str, object]:
    """Return what coins draw with an exact law, by name."""
    above = sys.modules[f"{__package__}.exact_generator"]  # which imports this module
    others = ("refused", "spread", "step", "refine")
    draws = vars(above.ExactGenerator).items()
    return {name: draw for name, draw in draws if name[0] != "_" and name not in others}


class Filled(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)
