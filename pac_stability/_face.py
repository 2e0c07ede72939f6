"""Packages that import their public names on first use.

The stub of a package, the ``__init__.pyi`` beside its ``__init__.py``, is the only list of its
public names. Type checkers and editors read it as they read any stub; :func:`face` reads it when
the package is imported. So a new public name is added in one place.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable


def face(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package.

    Parameters
    ----------
    package
        Its full name; its stub holds ``from MODULE import NAME as NAME`` for each public name.

    Returns
    -------
    tuple
        ``__getattr__`` imports a name and stores it in the package; ``__dir__`` and ``__all__``
        list all names, loaded or not.

    Raises
    ------
    ImportError
        The package came without its stub.
    """
    home_of = _homes(package)

    def load(name: str) -> object:
        if name not in home_of:
            message = f"module {package!r} has no attribute {name!r}"
            raise _Unknown(message, name=name, obj=sys.modules[package])
        home = home_of[name]
        if home == package:  # importing a module makes it an attribute of its package
            return importlib.import_module(f"{package}.{name}")
        found = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, found)  # the next look-up is an ordinary one
        return found

    names = sorted(home_of)
    return load, lambda: list(names), names


class _Unknown(AttributeError):
    """Says what is like the name; only when it is shown, as imports ask for names in vain."""

    __module__, __qualname__ = "builtins", "AttributeError"

    def __str__(self) -> str:
        from pac_stability.errors import near  # noqa: PLC0415  # for a message alone

        top, paths = __name__.partition(".")[0], dict[str, str]()
        for room in (top, *(f"{top}.{each}" for each, home in _homes(top).items() if home == top)):
            with contextlib.suppress(ImportError):
                for each, home in _homes(room).items():
                    if home != room or room == top:
                        paths.setdefault(each, f"{room}.{each}")
        like = near(self.name or "", paths, 0.6)
        return super().__str__() + re.sub(r"\w+(?=[,)])", lambda each: paths[each[0]], like)


def _homes(package: str) -> dict[str, str]:
    """For each name that the stub re-exports, the module that it comes from."""
    stub = f"{package} without its __init__.pyi, which lists what it shows"
    try:
        source = pkgutil.get_data(package, "__init__.pyi")
    except OSError as error:
        raise ImportError(stub, name=package) from error
    if source is None:
        raise ImportError(stub, name=package)
    return {
        alias.name: statement.module
        for statement in ast.parse(source).body
        if isinstance(statement, ast.ImportFrom) and statement.module is not None
        for alias in statement.names
        if alias.asname is not None
    }
