"""What a program keeps between two of its calls, part by part, so that a change can be named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the places that hold something else, the general one only if alone."""
    names = tuple(name for name in after if after[name] != before.get(name))
    return names[:-1] or names


def _places(program: object) -> Iterator[tuple[str, object]]:
    """Yield what could be changed by a call, with its name."""
    waiting, seen = [program], {id(program)}
    for value in waiting:  # it grows meanwhile
        inner = [getattr(value, name, None) for name in _HOLDS]
        if isinstance(value, MethodType):
            inner += [value.__self__, value.__func__]
        elif isinstance(value, FunctionType):
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
                try:
                    kept = cell.cell_contents
                except ValueError:  # it is empty
                    continue
                inner += [kept] if callable(kept) else []
                yield f"the variable {name}", kept
            for name in value.__code__.co_names:
                if name in value.__globals__:
                    kept = value.__globals__[name]
                    inner += [kept] if callable(kept) else []
                    yield f"the global variable {name}", kept
            for name, kept in vars(value).items():
                yield f"the attribute {name} of {value.__name__}", kept
        elif not isinstance(value, type):
            for name, kept in getattr(value, "__dict__", {}).items():
                yield f"the attribute {name} of a {type(value).__name__}", kept
        for other in inner:
            if other is not None and not isinstance(other, type) and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)
