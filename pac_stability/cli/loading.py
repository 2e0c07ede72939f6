"""The user's algorithm: an object in a file of Python, or in a module that can be imported."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, TracebackType

from pac_stability.errors import InvalidInput

_WANTED = "FILE.py::object or module:object"
_MARK = "__loaded_for_an_audit__"


def load_subject(text: str, *, travels: bool = False) -> object:
    """Return the algorithm that an argument names.

    Parameters
    ----------
    text
        ``FILE.py::object`` or ``module:object``; the object may be an attribute of another,
        ``Learners.fast``. The folder of the file is put on the import path, as ``python FILE.py``
        does; for a module it is the current folder.
    travels
        Whether other processes will have to import it, too.

    Returns
    -------
    object
        The object itself; what it returns when it is a class, or a function, that needs no
        arguments.

    Raises
    ------
    InvalidInput
        There is no such file or object, or running the user's code failed: the message names the
        line.
    """
    path, double, name = text.rpartition("::")
    if not double:
        path, _, name = text.partition(":")
    if not (path and name):
        raise InvalidInput("SUBJECT", repr(text), _WANTED)
    found: object = _from_file(path, travels=travels) if double else _from_name(path)
    for part in name.split("."):
        if not hasattr(found, part):
            raise InvalidInput(text, f"no object {part!r} in it{_similar(found, part)}", _WANTED)
        found = getattr(found, part)
    if isinstance(found, ModuleType):
        raise InvalidInput(text, "a module", _WANTED)
    return _made(found, text, path)


def _from_file(path: str, *, travels: bool) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        given = "a directory" if file.is_dir() else "no such file"
        raise InvalidInput(path, given, _WANTED)
    if file.suffix != ".py":
        raise InvalidInput(path, f"the extension {file.suffix!r}", "a file of Python, *.py")
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    # Worker processes import it by its name, which no other module may have.
    known = sys.modules.get(file.stem)
    taken = (known is not None and not hasattr(known, _MARK)) or not file.stem.isidentifier()
    if taken and travels:
        given = "a name that another module has, or that no module can have"
        raise InvalidInput(path, given, "another name for the file, to send it to processes")
    name = f"_audited_{file.stem}" if taken else file.stem
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InvalidInput(path, "a file that Python cannot load", "a file of Python, *.py")
    module = importlib.util.module_from_spec(spec)
    setattr(module, _MARK, True)
    sys.modules[name] = module
    try:
        with failures_named(path):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _from_name(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with failures_named(name):
        return importlib.import_module(name)


def _similar(owner: object, name: str) -> str:
    names = [known for known in dir(owner) if not known.startswith("_")]
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    return f" (near it: {', '.join(close)})" if close else ""


def _made(found: object, text: str, path: str) -> object:
    """Return an object, or what a class or a function without arguments makes."""
    answers = any(hasattr(found, method) for method in ("law", "probabilities"))
    if not callable(found) or (answers and not isinstance(found, type)):
        return found
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):  # some functions written in C have none
        return found
    needed = [
        p.name
        for p in parameters
        if p.default is p.empty
        and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    if isinstance(found, type) and needed:
        raise InvalidInput(
            text,
            f"a class that needs {', '.join(needed)}",
            "an instance, or a function without arguments that makes one",
        )
    if needed:
        return found
    with failures_named(path):
        return found()


@contextlib.contextmanager
def failures_named(path: str) -> Iterator[None]:
    """Turn what the user's code raises into an :class:`InvalidInput` that names file and line."""
    try:
        yield
    except (Exception, SystemExit) as error:
        line = line_of(error, path)
        where = path if line is None else f"{path}, line {line}"
        said = " ".join(str(error).split())
        what = f"{type(error).__name__}: {said if len(said) <= 300 else f'{said[:300]}...'}"
        raise InvalidInput(where, what, "code that can be imported and run") from error


def line_of(error: BaseException, path: str) -> int | None:
    """Return the last line of the user's file on the way to an exception."""
    name = Path(path).name
    if isinstance(error, SyntaxError) and Path(error.filename or "").name == name:
        return error.lineno
    line = None
    step: TracebackType | None = error.__traceback__
    while step is not None:
        if Path(step.tb_frame.f_code.co_filename).name == name:
            line = step.tb_lineno
        step = step.tb_next
    return line
