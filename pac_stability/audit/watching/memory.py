"""What a program keeps between two of its calls, part by part, so that a change can be named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import FunctionType, MethodType

from pac_stability.keeping.fingerprint import fingerprint_of

_HOLDS = ("program", "function", "func", "law", "probabilities", "predict", "__wrapped__")
"""Where wrappers keep what they wrap."""


def memory_of(program: object) -> dict[str, str]:
    """Read what a program can keep something in, as it is now.

    Parameters
    ----------
    program
        A function, a method, an object that can be called, or a wrapper of one.

    Returns
    -------
    dict
        A digest for each place, by its name in words: variables that functions close over, global
        variables that they name, attributes; and last, as ``"something that it refers to"``, one
        of all that :func:`~pac_stability.keeping.fingerprint_of` reads. What :mod:`functools`
        caches is left out.

    Notes
    -----
    Takes about a millisecond for a small program, and time linear in what it refers to.

    Examples
    --------
    >>> def counter():
    ...     n = 0
    ...     def count():
    ...         nonlocal n
    ...         n += 1
    ...         return n
    ...     return count
    >>> count = counter()
    >>> before = memory_of(count)
    >>> count()
    1
    >>> changed(before, memory_of(count))
    ('the variable n',)
    """
    found = {name: fingerprint_of(value).code for name, value in _places(program)}
    return {**found, "something that it refers to": fingerprint_of(program).code}


def namespaces_of(program: object) -> Iterator[dict[str, object]]:
    """Yield the global names of the functions that a program is made of."""
    if program is not None:
        yield from (names for _, names in _parts(program))


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the places that hold something else, the general one only if alone."""
    names = tuple(name for name in after if after[name] != before.get(name))
    return names[:-1] or names


def _places(program: object) -> Iterator[tuple[str, object]]:
    """Yield what could be changed by a call, with its name."""
    for value, names in _parts(program):
        if isinstance(value, FunctionType):
            yield from ((f"the variable {name}", kept) for name, kept in _closed_over(value))
            for name in value.__code__.co_names:
                if name in names:
                    yield f"the global variable {name}", names[name]
            for name, kept in vars(value).items():
                yield f"the attribute {name} of {value.__name__}", kept
        elif not isinstance(value, type | MethodType):
            for name, kept in getattr(value, "__dict__", {}).items():
                yield f"the attribute {name} of a {type(value).__name__}", kept


def _parts(program: object) -> Iterator[tuple[object, dict[str, object]]]:
    """Yield the functions and objects that a program is made of, with the global names of each."""
    waiting, seen = [program], {id(program)}
    for value in waiting:  # it grows meanwhile
        inner = [getattr(value, name, None) for name in _HOLDS]
        names: dict[str, object] = {}
        if isinstance(value, MethodType):
            inner += [value.__self__, value.__func__]
        elif isinstance(value, FunctionType):
            names = value.__globals__
            inner += [kept for _, kept in _closed_over(value) if callable(kept)]
            used = (names[name] for name in value.__code__.co_names if name in names)
            inner += [kept for kept in used if callable(kept)]
        yield value, names
        for other in inner:
            if other is not None and not isinstance(other, type) and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)


def _closed_over(function: FunctionType) -> Iterator[tuple[str, object]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it is empty
            yield name, cell.cell_contents
