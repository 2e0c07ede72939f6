"""What an answer depends on: the code that gave it, the data that code refers to, the library.

An answer in a file is valid only for the code that gave it. The library writes a *fingerprint* of
that code beside the answer, and compares it before it uses the answer again.

A reading covers:

- of a function, its bytecode and constants, its defaults, attributes and closure, and the values of
  the globals that it names, functions among them, and so on;
- of an object, its state and its class, with all methods and attributes of the class and its bases;
- of each of the user's modules, the bytes of its file; of an installed package, all its files;
- the environment, where code names it.

A second reading finds modules that the program imported while it ran. The versions identify
Python's own modules and common frameworks (:data:`FRAMEWORKS`); the bytes of all its files identify
this library.

A reading cannot know what a program finds out when it runs, such as files that it opens or names
that it builds. Some values have no readable contents, such as a function of a C module without a
file: the fingerprint lists these.

:func:`chosen` draws at random which of the stored answers are computed again nonetheless.
"""

from __future__ import annotations

import copyreg
import dis
import functools
import hashlib
import importlib.machinery
import math
import os
import platform
import random
import secrets
import site
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, TypeVar, cast

from pac_stability.errors import InvalidInput

Read = TypeVar("Read")

_LIBRARY = __name__.partition(".")[0]
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented))
_UNREAD_IN_CLASSES = frozenset({
    *("__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__"),
    *("__dataclass_fields__", "__dataclass_params__", "__match_args__", "_abc_impl"),
    *("__abstractmethods__", "__orig_bases__", "__parameters__", "__firstlineno__"),
    *("__static_attributes__", "__annotate__", "__annotate_func__", "__annotations_cache__"),
})  # fmt: skip  # what says nothing of behaviour, or is said by the methods again
_MOST_CODE = 1 << 12
_COMPILED = tuple(importlib.machinery.EXTENSION_SUFFIXES)
_SUFFIXES = (".so", ".pyd", ".dylib")
_FOREIGN = {"ctypes", "_ctypes", "cffi", "_cffi_backend", "sqlite3", "_sqlite3"}
"""What runs compiled code of others, or draws there."""
FRAMEWORKS = frozenset({"numpy", "scipy", "pandas", "polars", "sklearn", "joblib"})
"""Packages that are used and not audited."""
_ENVIRONMENT = {"environ", "environb", "getenv", "getenvb"}
_DESCRIPTORS = (
    BuiltinFunctionType, GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType,
    WrapperDescriptorType,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A value that differs for two states of some code. Made by :func:`fingerprint_of`.

    Attributes
    ----------
    code
        Digest of the functions, classes and values that the reading reached.
    modules
        The user's modules among them, by name, with digests of their files. Each installed package
        has one digest of all its files.
    library
        Digest of the files of this library.
    platform
        The versions of Python and of NumPy, and the kind of machine.
    unread
        What the reading reached but could not read, in words, each once. An equal fingerprint only
        assumes that these have not changed.
    """

    code: str
    modules: Mapping[str, str]
    library: str
    platform: str
    unread: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """One digest of the whole fingerprint, as 64 hexadecimal digits."""
        return _hex(repr(self.to_dict()).encode())

    def differences(self, other: Fingerprint) -> tuple[str, ...]:
        """Return in words what differs from an earlier fingerprint; nothing if they are equal.

        Parameters
        ----------
        other
            The earlier one.
        """
        found = [
            f"the module {name}"
            for name in sorted({*self.modules, *other.modules})
            if self.modules.get(name) != other.modules.get(name)
        ]
        if self.code != other.code and not found:
            found.append("the code, or what it refers to")
        if self.library != other.library:
            found.append("pac_stability")
        if self.platform != other.platform:
            found.append(f"the platform ({other.platform})")
        if self.unread != other.unread and not found:
            found.append("what could not be read of it")
        return tuple(found)

    def to_dict(self) -> dict[str, object]:
        """Return the fingerprint as a dictionary that ``json.dumps`` accepts."""
        return {
            "code": self.code,
            "modules": dict(sorted(self.modules.items())),
            "library": self.library,
            "platform": self.platform,
            "unread": list(self.unread),
        }

    @classmethod
    def from_dict(cls, document: object) -> Fingerprint:
        """Return the fingerprint that :meth:`to_dict` wrote.

        Raises
        ------
        InvalidInput
            The document is not a fingerprint.

        Examples
        --------
        >>> found = fingerprint_of(len)
        >>> Fingerprint.from_dict(found.to_dict()) == found
        True
        """
        if not isinstance(document, dict) or set(document) != set(cls.__slots__):
            raise _refused()
        modules, unread = document["modules"], document["unread"]
        texts = [document[name] for name in ("code", "library", "platform")]
        if not isinstance(modules, dict) or not isinstance(unread, list):
            raise _refused()
        if not all(isinstance(text, str) for text in (*texts, *unread, *modules.values())):
            raise _refused()
        code, library, machine = texts
        return cls(code, modules, library, machine, tuple(unread))


def _refused() -> InvalidInput:
    return InvalidInput("fingerprint", "another document", "what Fingerprint.to_dict() returned")


def fingerprint_of(
    *subjects: object, ordered: bool = True, own: frozenset[str] = frozenset()
) -> Fingerprint:
    """Read code and data in their present state.

    Parameters
    ----------
    subjects
        Functions, objects with methods, values.
    ordered
        Whether the insertion order of dictionaries counts.
    own
        Installed packages to read like the user's modules.

    Returns
    -------
    Fingerprint
        Equal fingerprints mean equal code, except for what a program finds out when it runs. Equal
        code may have unequal fingerprints: a new comment in the user's module is enough. Values
        that change while a program runs, such as a dictionary of remembered answers, count too.

    Notes
    -----
    The function runs nothing of the subjects, except that it takes the state of objects as
    :mod:`pickle` does. Time is linear in what they refer to, plus reading the files. A value nested
    too deeply to read has a fingerprint that equals no other.

    Examples
    --------
    >>> def rate(factor):
    ...     return lambda sample: factor * len(sample)
    >>> fingerprint_of(rate(2)) == fingerprint_of(rate(2))
    True
    >>> fingerprint_of(rate(2)).differences(fingerprint_of(rate(3)))
    ('the code, or what it refers to',)
    """
    reader = Reader(ordered=ordered, own=own)
    code = reader.digest_of(subjects).hex()
    modules = {**_packages(reader.met), **reader.modules()}
    return Fingerprint(
        code, modules, library_digest(), platform_name(), tuple(sorted(reader.unread))
    )


def _packages(met: Iterable[str]) -> dict[str, str]:
    """Return digests of the installed packages reached, and of those that they refer to."""
    found: dict[str, str] = {}
    tops = [*dict.fromkeys(map(_top, met))]
    for top in tops:  # it grows meanwhile
        if top in sys.stdlib_module_names or top in FRAMEWORKS or top in (_LIBRARY, "builtins", ""):
            continue
        loaded = {name: each for name, each in list(sys.modules.items()) if _top(name) == top}
        if not loaded or _is_users(top):
            continue
        found[top] = _package_digest(loaded.get(top))
        named = {_top(name) for each in loaded.values() for name in _named_in(each)}
        tops += sorted(named.difference(tops))
    return found


def _package_digest(package: ModuleType | None) -> str:
    """Return a digest of all files of a package, loaded or not; compiled ones by size and date."""
    files = [Path(file)] if (file := _file_of(package)) else []
    for folder in [*getattr(package, "__path__", ())]:
        files += [path for path in Path(folder).rglob("*") if path.suffix in (".py", *_SUFFIXES)]
    parts: dict[str, object] = {}
    for path in sorted({*files}):
        with suppress(OSError):
            stat = path.stat()
            of = (str(path), stat.st_size, stat.st_mtime_ns)
            parts[str(path)] = of[1:] if path.suffix in _SUFFIXES else _bytes_digest(*of)
    return _hex(repr(parts).encode())


@functools.lru_cache(maxsize=1 << 14)
def _bytes_digest(path: str, _size: int, _changed: int) -> str:
    return _hex(Path(path).read_bytes())


def loaded_since(before: Iterable[str]) -> dict[str, str]:
    """Return the user's modules loaded since then, by name, with digests of their files."""
    new = sys.modules.keys() - set(before)
    found = {name: _file_digest_of(name) for name in sorted(new) if _is_users(name)}
    return {name: digest for name, digest in found.items() if digest}


def compiled_code_of(*subjects: object) -> tuple[str, ...]:
    """Return the packages through which code loads compiled code, except Python's and NumPy's.

    Parameters
    ----------
    subjects
        As for :func:`fingerprint_of`.

    Returns
    -------
    tuple of str
        Their names. A package without compiled code is replaced by those that its modules refer to.

    Examples
    --------
    >>> import ctypes
    >>> compiled_code_of(lambda: np.zeros(1)), compiled_code_of(lambda: ctypes.CDLL(None))
    ((), ('ctypes',))
    """
    reader = Reader()
    with suppress(RecursionError):
        reader.digest(subjects)
    own = {_top(name) for name in reader.met if _is_users(name)}
    names, found = [*dict.fromkeys(map(_top, reader.met))], set(reader.met) & _FOREIGN
    for top in names:  # it grows meanwhile
        if top in sys.stdlib_module_names or top in (_LIBRARY, "numpy", "builtins", ""):
            continue
        modules = [each for name, each in list(sys.modules.items()) if _top(name) == top]
        held: set[str] = set()  # of the user's, what is referred to was met
        if top not in own:
            held = {name for each in modules for name in map(_top, _named_in(each))}
        if held & _FOREIGN or any(_file_of(each).endswith(_COMPILED) for each in modules):
            found.add(top)
        else:
            names += sorted(held.difference(names))
    return tuple(sorted(found))


def _top(name: str) -> str:
    return name.partition(".")[0]


def _file_of(module: object) -> str:
    return str(getattr(module, "__file__", ""))


def _named_in(module: object) -> Iterator[str]:
    """Yield the names of the modules that define the values in a module."""
    for value in list(getattr(module, "__dict__", {}).values()):
        name = value.__name__ if isinstance(value, ModuleType) else _module_name(value)
        if isinstance(name, str):
            yield name


@functools.cache
def library_digest() -> str:
    """Return a digest of every source, compiled module and data file of this library."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".pyi", ".so", ".pyd", ".toml", ".json"):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@functools.cache
def platform_name() -> str:
    """Return the versions of Python and of NumPy, and the kind of machine, in words."""
    numpy = importlib.import_module("numpy").__version__
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, NumPy {numpy}, {platform.system()} {platform.machine()}"


class Reader:
    """One reading: visits everything that the subjects refer to, each thing once.

    Parameters
    ----------
    ordered, own
        As for :func:`fingerprint_of`.
    """

    def __init__(self, *, ordered: bool = True, own: frozenset[str] = frozenset()) -> None:
        self._ordered = ordered
        self._own = own
        self.unread: dict[str, None] = {}
        self.met: dict[str, None] = {}
        self._modules: dict[str, ModuleType] = {}
        self._known: dict[int, bytes] = {}
        self._path: dict[int, int] = {}
        self._held: list[object] = []  # so that no other object gets the identity of a known one

    def digest_of(self, subject: object) -> bytes:
        """Return a digest of all of a subject, of which nothing was read before."""
        try:
            return self.digest(subject)
        except RecursionError:
            self.unread["values that are nested too deeply to be read"] = None
            return secrets.token_bytes(32)

    def digest(self, value: object) -> bytes:
        """Return a digest of a value and of all that it refers to."""
        if type(value) in _PLAIN:
            text = f"{value:x}" if type(value) is int else repr(value)
            return combined(type(value).__name__, (text.encode("utf-8", "surrogatepass"),))
        key = id(value)
        if key in self._known:
            return self._known[key]
        if key in self._path:  # a circle; what it is a part of has all its contents
            return combined("circle", (str(len(self._path) - self._path[key]).encode(),))
        self._path[key] = len(self._path)
        try:
            found = self._read(value)
        finally:
            del self._path[key]
        self._known[key] = found
        self._held.append(value)
        return found

    def modules(self) -> dict[str, str]:
        """Return digests of the files of the user's modules, including those that they use."""
        found: dict[str, str] = {}
        waiting = list(self._modules.values())
        while waiting:
            module = waiting.pop()
            if module.__name__ in found:
                continue
            found[module.__name__] = _file_digest(module)
            for name in _named_in(module):
                other = sys.modules.get(name)
                if other is not None and _is_users(other.__name__):
                    waiting.append(other)
        return {name: digest for name, digest in found.items() if digest}

    def _read(self, value: object) -> bytes:
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, CodeType):
            return self._code(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, ModuleType):
            return self._module(value)
        if isinstance(value, MethodType):
            return self._all("method", (value.__func__, value.__self__))
        if isinstance(value, staticmethod | classmethod):
            return self._all(type(value).__name__, (value.__func__,))
        if isinstance(value, property):
            return self._all("property", (value.fget, value.fset, value.fdel))
        if isinstance(value, functools.cached_property):
            return self._all("property", (value.func,))
        if isinstance(value, _DESCRIPTORS):
            return self._compiled(value)
        if hasattr(value, "__wrapped__") and hasattr(value, "cache_parameters"):
            return self._cache(value)
        if type(value) in (tuple, list):
            return self._all(type(value).__name__, value)  # type: ignore[arg-type]  # just tested
        if isinstance(value, set | frozenset) and type(value) in (set, frozenset):
            # In sorted order, since theirs is another one in every process.
            return combined(type(value).__name__, sorted(map(self.digest, value)))
        if type(value) is dict and not self._ordered:
            return combined("dict", sorted(self._all("item", item) for item in value.items()))
        if type(value) is dict or isinstance(value, MappingProxyType):
            return self._all("dict", [part for item in value.items() for part in item])
        return self._object(value)

    def _cache(self, cache: Any) -> bytes:
        return self._all("cache", (cache.__wrapped__,))  # not what it remembers

    def _all(self, kind: str, parts: Iterable[object]) -> bytes:
        return combined(kind, map(self.digest, parts))

    def _named(self, kind: str, values: Mapping[str, object]) -> bytes:
        return self._all(kind, [part for name in sorted(values) for part in (name, values[name])])

    def _function(self, function: FunctionType) -> bytes:
        closure = [_contents(cell) for cell in function.__closure__ or ()]
        parts: list[object] = [
            function.__code__,
            function.__defaults__,
            function.__kwdefaults__,
            closure,
        ]
        if self._belongs_to_user(function.__module__) or _is_typed_in(function):
            known, names = function.__globals__, _names(function.__code__)
            named = {name: known[name] for name in sorted(names) if name in known}
            modules = [value for value in named.values() if isinstance(value, ModuleType)]
            modules += _imported(function.__code__, known)
            parts += [named, modules]
            if names & _ENVIRONMENT:
                parts.append(sorted(os.environ.items()))
            parts += self._attributes(function, [*named.values(), *modules], names)
        return self._all("function", (*parts, self._named("attributes", vars(function))))

    def _attributes(
        self, _function: FunctionType, values: Iterable[object], names: set[str]
    ) -> list[object]:
        """Return what may be attributes of modules: another module may have set them."""
        spaces = [
            vars(value)
            for value in values
            if isinstance(value, ModuleType) and self._belongs_to_user(value.__name__)
        ]
        return [{name: each[name] for name in sorted(names) if name in each} for each in spaces]

    def _code(self, code: CodeType) -> bytes:
        return _code_digest(code) or self._all("code", _code_parts(code))

    def _class(self, kind: type) -> bytes:
        module = _module_name(kind)
        if not isinstance(
            module, str
        ):  # a class whose objects have modules, such as that of functions
            module = "builtins"
        name = f"{module}.{kind.__qualname__}"
        if not self._belongs_to_user(module):
            return combined("class", (name.encode(), _version(module).encode()))
        own = {k: v for k, v in vars(kind).items() if k not in _UNREAD_IN_CLASSES}
        return self._all("class", (name, kind.__bases__, type(kind), self._named("members", own)))

    def _module(self, module: ModuleType) -> bytes:
        self._belongs_to_user(module.__name__)
        return combined("module", (module.__name__.encode(), _version(module.__name__).encode()))

    def _compiled(self, function: object) -> bytes:
        owner = getattr(function, "__objclass__", None) or getattr(function, "__self__", None)
        name = str(getattr(function, "__qualname__", getattr(function, "__name__", "")))
        if owner is not None and not isinstance(owner, ModuleType):
            return self._all("compiled", (name, owner))
        module = str(getattr(function, "__module__", None) or "")
        if not module or (self._belongs_to_user(module) and not _file_digest_of(module)):
            self.unread[f"{name or 'a function'}, which is compiled and has no file"] = None
        return combined("compiled", (module.encode(), name.encode(), _version(module).encode()))

    def _object(self, value: object) -> bytes:
        kind = type(value)
        try:
            # As pickle and copy ask: what makes the object, and its state.
            reduced = copyreg.dispatch_table.get(kind)
            state = value.__reduce_ex__(4) if reduced is None else reduced(value)
        except RecursionError:
            raise
        except Exception:  # whatever an object of the user raises
            state = None
        if isinstance(state, str):
            return self._all("global", (kind, state))
        if isinstance(value, threading.local):  # of this thread
            return self._all("local", (kind, vars(value)))
        if not isinstance(state, tuple):
            return self._unreadable(value)
        made, arguments, contents, *items = (*state, None)[: max(3, len(state))]
        # The items of subclasses of list and dict come as iterators.
        listed = [list(part) if isinstance(part, Iterator) else part for part in items]
        return self._all("object", (kind, made, arguments, _without_caches(kind, contents), listed))

    def _unreadable(self, value: object) -> bytes:
        name = type(value).__name__
        self.unread[f"an object of type {name}, whose contents cannot be read"] = None
        return self._all("object", (type(value),))

    def _belongs_to_user(self, name: object) -> bool:
        """Whether a module must be read; the fingerprint then lists it."""
        if not isinstance(name, str):
            return False
        self.met[name] = None
        if not _is_users(name) and _top(name) not in self._own:
            return False
        module = sys.modules.get(name)
        if module is not None:
            self._modules[name] = module
        return True


def combined(kind: str, parts: Iterable[bytes]) -> bytes:
    """Return a digest of digests."""
    pieces = [piece for part in (kind.encode(), *parts) for piece in (len(part).to_bytes(8), part)]
    return hashlib.sha256(b"".join(pieces)).digest()


def _hex(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _contents(cell: object) -> object:
    try:
        return cell.cell_contents  # type: ignore[attr-defined]  # a cell has them, unless it is empty
    except ValueError:
        return "an empty cell"


def _is_typed_in(function: FunctionType) -> bool:
    """Whether a function has other globals than its module, as in a doctest."""
    module = sys.modules.get(str(function.__module__))
    return module is None or function.__globals__ is not vars(module)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield a piece of code, and all code inside it."""
    waiting = [code]
    for one in waiting:  # it grows meanwhile
        yield one
        waiting += [constant for constant in one.co_consts if isinstance(constant, CodeType)]


def _names(code: CodeType) -> set[str]:
    """Return the names that code, or code inside it, looks up; some are attributes."""
    return {name for one in codes_in(code) for name in one.co_names}


def _imported(code: CodeType, known: Mapping[str, object]) -> list[ModuleType]:
    """Return the loaded modules among those that code, or code inside it, imports when it runs."""
    package, loaded = known.get("__package__"), sys.modules.get
    found = (loaded(f"{package}.{name}") or loaded(name) for name in names_imported(code))
    return [module for module in found if module is not None]


def once_for_each(read: Callable[[CodeType], Read]) -> Callable[[CodeType], Read]:
    """Remember what was read in a piece of code, by the very object: not all can be hashed."""
    known: dict[int, tuple[CodeType, Read]] = {}

    @functools.wraps(read)
    def remembered(code: CodeType) -> Read:
        kept = known.get(id(code))
        if kept is None:
            if len(known) >= _MOST_CODE:
                known.clear()
            kept = known[id(code)] = code, read(code)
        return kept[1]

    return remembered


def _code_parts(code: CodeType) -> tuple[object, ...]:
    flags = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    table = getattr(code, "co_exceptiontable", b"")
    return code.co_code, code.co_consts, code.co_name, flags, names, table


@once_for_each
def _code_digest(code: CodeType) -> bytes:
    """Return the digest of a piece of code; nothing where it holds what may change."""
    return Reader()._all("code", _code_parts(code)) if _is_fixed(code) else b""


def _is_fixed(constant: object) -> bool:
    if isinstance(constant, CodeType):
        return all(map(_is_fixed, constant.co_consts))
    if type(constant) in (tuple, frozenset):
        return all(map(_is_fixed, cast("tuple[object, ...]", constant)))
    return type(constant) in _PLAIN


@once_for_each
def names_imported(code: CodeType) -> tuple[str, ...]:
    """Return the modules that code, or code inside it, imports when it runs."""
    steps = chain.from_iterable(map(dis.get_instructions, codes_in(code)))
    return tuple(step.argval for step in steps if step.opname == "IMPORT_NAME")


def _without_caches(kind: type, state: object) -> object:
    """Return the state of an object without the values of its cached properties."""
    if isinstance(state, tuple):
        return tuple(_without_caches(kind, part) for part in state)
    if not isinstance(state, dict):
        return state
    kept = {
        name: value
        for name, value in state.items()
        if not isinstance(getattr(kind, str(name), None), functools.cached_property)
    }
    return kept or None  # as it is before anything is remembered


def _module_name(value: object) -> object:
    try:
        return getattr(value, "__module__", None)
    except Exception:  # whatever an object of the user raises
        return None


@functools.cache
def _is_users(name: str) -> bool:
    """Whether a module is not from Python, this library or an installed package."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in (_LIBRARY, "builtins", ""):
        return name == "__main__"
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return True
    # Wherever they lie: a path may lead to the packages of another environment.
    if {"site-packages", "dist-packages"} & set(Path(file).parts):
        return False
    folders = (*site.getsitepackages(), site.getusersitepackages(), str(Path(os.__file__).parent))
    return not any(Path(file).is_relative_to(folder) for folder in folders)


def _version(module: str) -> str:
    """Return the version of the package of a module that is installed."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == _LIBRARY or _is_users(module):
        return ""  # of the platform, of the library, or read
    return str(getattr(sys.modules.get(top), "__version__", "")) or _file_digest_of(module)


def _file_digest_of(name: str) -> str:
    module = sys.modules.get(name)
    return "" if module is None else _file_digest(module)


def _file_digest(module: ModuleType) -> str:
    """Return a digest of the file of a module; empty if there is no readable file."""
    file = getattr(module, "__file__", None)
    try:
        return _hex(Path(file).read_bytes()) if isinstance(file, str) else ""
    except OSError:
        return ""


# Which of the kept answers are asked for again

HowMany = int | Fraction
"""A number of answers, or a share of them."""


def require_how_many(value: object, argument: str) -> HowMany:
    """Refuse a value that is neither a number of answers nor a share of them.

    Raises
    ------
    InvalidInput
        The value is neither an integer of at least 0 nor a ``Fraction`` from 0 to 1.

    Examples
    --------
    >>> require_how_many(12, "check_cache"), require_how_many(Fraction(1, 10), "check_cache")
    (12, Fraction(1, 10))
    """
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not number and not (isinstance(value, Fraction) and 0 <= value <= 1):
        wanted = "an integer of at least 0, or a Fraction from 0 to 1: a share"
        raise InvalidInput(argument, str(value)[:40], wanted)
    assert isinstance(value, int | Fraction)  # noqa: S101  # just seen
    return value


def chosen(how_many: HowMany, total: int) -> list[int]:
    """Return numbers below ``total``, drawn at random without repetition, in order.

    Parameters
    ----------
    how_many
        How many numbers to draw (all, if there are no more), or the least share of all numbers.
    total
        How many there are.

    Notes
    -----
    The function draws from the entropy of the system, so nobody can predict the choice.

    Examples
    --------
    >>> chosen(5, 3), len(chosen(Fraction(1, 10), 11))
    ([0, 1, 2], 2)
    """
    share = math.ceil(how_many * total) if isinstance(how_many, Fraction) else how_many
    return sorted(random.SystemRandom().sample(range(total), min(share, total)))
