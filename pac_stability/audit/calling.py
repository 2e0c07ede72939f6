"""How a function is called: the names of its parameters determine what each takes.

An algorithm is called with a sample, perhaps a point to predict at, perhaps coins, in this order.
Authors use other orders, separate rows and labels, and parameters such as epsilon. :func:`called`
turns such a function into one that is called like the others. It never guesses: if the names do not
determine the meaning, it refuses the function and lists its names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import cast

import numpy as np

from pac_stability import data
from pac_stability.arguments import described
from pac_stability.errors import InvalidInput
from pac_stability.learning import rows_of
from pac_stability.randomness.statement import COINS

_POINTS = ("point", "x", "query", "q", "x_new", "new_point", "test_point", "x_test", "instance")
_MORE_COINS = ("r", "g", "rand", "random", "seed")
_COIN_TYPES = ("Coins", "ExactGenerator", "Generator", "Random", "RandomState")
_ROWS = ("X", "X_train", "xs", "Xs", "features", "rows")
_LABELS = ("y", "Y", "y_train", "ys", "labels", "targets")
_PARAMETERS = (
    *("epsilon", "eps", "delta", "alpha", "beta", "gamma", "sigma", "lam", "lambda_", "rho"),
    *("threshold", "T", "scale", "sensitivity", "budget", "bound", "b", "c", "k", "n", "p"),
)
"""What is neither a sample nor a point nor coins, whatever its place."""


@dataclass(frozen=True)
class Called:
    """A function that is called by the names of its parameters.

    Attributes
    ----------
    function
        The function.
    roles
        For each parameter that takes one of them, its name and which: ``sample``, ``rows``,
        ``labels``, ``point`` or ``coins``.
    by_place
        How many of these are positional-only.
    given
        The values of the other parameters, by name.
    """

    function: Callable[..., object]
    roles: tuple[tuple[str, str], ...]
    by_place: int
    given: tuple[tuple[str, object], ...]

    @property
    def takes(self) -> list[str]:
        """What follows the sample: a point, coins, both or nothing."""
        roles = dict(self.roles).values()
        return [role for role in ("point", "coins") if role in roles]

    @property
    def how(self) -> str:
        """The way it is called, in a word: ``svt(prng, queries, epsilon=1/2)``."""
        values = (f"{name}={value}" for name, value in self.given)
        return f"{_short(self.function)}({', '.join([*dict(self.roles), *values])})"

    def __call__(self, sample: object, *rest: object) -> object:
        """Call it with a sample, and with what it takes besides."""
        offered = dict(zip(self.takes, rest, strict=True))
        names = dict(self.roles)
        if "rows" in names.values():
            if not isinstance(sample, data.Sample):
                wanted = "samples of labelled examples for what takes rows and labels"
                raise InvalidInput("sample", described(sample), wanted)
            offered |= {"rows": rows_of(sample.points), "labels": np.array(sample.labels)}
        else:
            offered["sample"] = sample
        values = {name: offered[role] for name, role in names.items()}
        places = [values.pop(name) for name in list(values)[: self.by_place]]
        return self.function(*places, **values, **dict(self.given))


def called(
    function: object,
    parameters: Mapping[str, object] | None = None,
    *,
    predicts: bool = False,
    command: bool = False,
) -> object:
    """Return a function as one of a sample, a point and coins; unchanged if it already is one.

    Parameters
    ----------
    function
        An algorithm, as a user brought it.
    parameters
        Values of parameters by name, such as epsilon.
    predicts
        Whether it may take a point to predict at.
    command
        Whether messages name options of the command.

    Raises
    ------
    InvalidInput
        There is no parameter of a given name, or one has no value and its name does not determine
        what it takes.

    Examples
    --------
    >>> def noisy(prng, queries, epsilon):
    ...     return queries[0] + prng.laplace(0, 1 / epsilon)
    >>> called(noisy, {"epsilon": 2}).how
    'noisy(prng, queries, epsilon=2)'
    """
    given = dict(parameters or {})
    if isinstance(function, Called):
        given = dict(function.given) | given
        return called(function.function, given, predicts=predicts, command=command)
    listed = _parameters(function)
    free = [p.name for p in listed if meaning(p) != "coins"]
    if unknown := [name for name in given if name not in free]:
        option = "--param" if command else "parameters"
        asked = [p for p in listed if p.name in free and p.default is p.empty]
        taken = dict(_roles(asked, predicts)[0])
        others = ", ".join(name for name in free if name not in taken)
        wanted = f"one of {others}" if others else "none: what it takes is given by the audit"
        raise InvalidInput(option, f"{unknown[0]} for {in_names(function)}", wanted)
    if not given and _is_usual(listed, predicts):
        return function
    left = [p for p in listed if p.name not in given]
    coins = [(p.name, "coins") for p in left if meaning(p) == "coins"][:1]
    needed = [p for p in left if p.default is p.empty and meaning(p) != "coins"]
    roles, missing = _roles(needed, predicts)
    if missing:
        values = [f"{name}=..." for name in missing]
        way = " ".join(f"--param {value}" for value in values)
        raise InvalidInput(
            "mechanism",
            f"{in_names(function)}, in which "
            f"{' and '.join(missing)} {'have' if missing[1:] else 'has'} no value",
            way if command else f"functools.partial({_short(function)}, {', '.join(values)})",
        )
    # In the order in which the function has them.
    both = dict([*roles, *coins])
    ordered = tuple((p.name, both[p.name]) for p in listed if p.name in both)
    by_place = sum(p.kind is p.POSITIONAL_ONLY for p in listed if p.name in both)
    return Called(cast("Callable[..., object]", function), ordered, by_place, tuple(given.items()))


def _parameters(function: object) -> list[Parameter]:
    """Return the parameters that are there by name; none of what is not a function."""
    answers = any(hasattr(function, name) for name in ("law", "probabilities", "fit"))
    if not callable(function) or (answers and not isinstance(function, type)):
        return []
    try:
        parameters = inspect.signature(cast("Callable[..., object]", function)).parameters
    except (TypeError, ValueError):  # some functions written in C have none
        return []
    return [p for p in parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _is_usual(listed: list[Parameter], predicts: bool) -> bool:
    """Return whether a function is called with a sample, a point and coins by their places."""
    if any(p.kind is p.KEYWORD_ONLY and (p.default is p.empty or meaning(p)) for p in listed):
        return False
    needed = [p for p in listed if p.default is p.empty and p.kind is not p.KEYWORD_ONLY]
    places = [k for k, p in enumerate(listed) if meaning(p) == "coins"]
    apart = [p.name in names for p, names in zip(needed, (_ROWS, _LABELS), strict=False)]
    if len(apart) == 2 and all(apart):
        return False
    if places and (places[0] == 0 or places[0] > len(needed)):
        return False
    if needed and needed[0].name in _PARAMETERS[:2]:
        return False
    rest = [p for p in needed[1:] if not meaning(p)]
    most = predicts + (not places)  # a point, and what may be coins
    return len(rest) <= most and not any(p.name in _PARAMETERS for p in rest)


def _roles(needed: list[Parameter], predicts: bool) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what parameters take, and the names of those of which nothing is known."""
    names = [p.name for p in needed]
    if len(names) > 1 and names[0] in _ROWS and names[1] in _LABELS:
        roles, rest = [(names[0], "rows"), (names[1], "labels")], needed[2:]
    else:
        samples = [p for p in needed if p.name not in _PARAMETERS][:1]
        roles, rest = [(p.name, "sample") for p in samples], [p for p in needed if p not in samples]
    points = [p for p in rest if predicts and meaning(p)][:1]
    roles += [(p.name, "point") for p in points]
    return roles, [p.name for p in rest if p not in points]


def meaning(parameter: Parameter) -> str:
    """Return what a parameter takes, by its name: ``point``, ``coins`` or nothing."""
    name = parameter.name.strip("_").lower()
    annotation = parameter.annotation
    kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if name in COINS + _MORE_COINS or kind.rpartition(".")[2] in _COIN_TYPES:
        return "coins"
    return "point" if name in _POINTS else ""


def in_names(mechanism: object) -> str:
    """Return how messages show a given value: a function by its names, without an address."""
    if isinstance(mechanism, type) or not callable(mechanism):
        return described(mechanism)
    return f"{_short(mechanism)}({', '.join(p.name for p in _parameters(mechanism))})"


def _short(mechanism: object) -> str:
    return name_of(mechanism).rpartition("<locals>.")[2]


def name_of(mechanism: object) -> str:
    """Return the name of an algorithm in messages and files."""
    if isinstance(mechanism, Called):
        return name_of(mechanism.function)
    name = getattr(mechanism, "__qualname__", None)
    if isinstance(name, str):
        return name
    kind = type(mechanism).__qualname__
    inner = _held(mechanism)
    return kind if inner is None else f"{kind}({name_of(inner)})"


def _held(mechanism: object) -> object:
    """Return what a wrapper such as FromProgram, or a partial function, holds."""
    held = (getattr(mechanism, attribute, None) for attribute in ("function", "program", "func"))
    return next(filter(callable, held), None)


def written_at(mechanism: object) -> tuple[str, int] | None:
    """Return the file and the line that define an algorithm, if these are known."""
    while not hasattr(mechanism, "__code__") and (inner := _held(mechanism)) is not None:
        mechanism = inner
    is_code = isinstance(mechanism, type) or hasattr(mechanism, "__code__")
    written = cast("type", mechanism if is_code else type(mechanism))
    try:
        return inspect.getsourcefile(written) or "", inspect.getsourcelines(written)[1]
    except (OSError, TypeError):  # typed at a prompt, or compiled
        return None
