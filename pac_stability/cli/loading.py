"""The subject of a command: the user's algorithm, or a class.

An algorithm is an object in a file of Python, or in a module that can be imported; a class is a
table in a file, or a named family.

Also the readers of options, the lookup of commands, the exit codes, and the output. Nothing here
loads NumPy before it reads a class.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import importlib
import importlib.util
import inspect
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from enum import IntEnum
from fractions import Fraction
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, TypeVar

from pac_stability import classes
from pac_stability._alarm import limited
from pac_stability.arithmetic import Epsilon
from pac_stability.errors import InvalidInput, near, printable
from pac_stability.reading import number_from

if TYPE_CHECKING:
    from pac_stability.classes.specs import Outline

_WANTED = "FILE.py::object or module:object"
_MARK = "__loaded_for_an_audit__"


def as_subject(text: str) -> str:
    """Return ``FILE.py:object``, as other tools write it, with the two colons of a file."""
    path, colon, name = text.rpartition(":")
    return f"{path}::{name}" if path.endswith(".py") and colon else text


def load_subject(
    text: str,
    *,
    travels: bool = False,
    given: Iterable[tuple[str, object]] | None = None,
    predicts: bool = False,
) -> object:
    """Return the algorithm that an argument names.

    Parameters
    ----------
    text
        ``FILE.py::object`` or ``module:object``; the object may be an attribute of another,
        ``Learners.fast``. It adds the folder of the file to the import path, as ``python FILE.py``
        does; for a module, the current folder.
    travels
        Whether other processes must import it too.
    given
        Values of its parameters, by name.
    predicts
        Whether a point to predict at may be asked for.

    Returns
    -------
    object
        The object itself, with the given parameters; if it is a class or a function that needs no
        more arguments, its result.

    Raises
    ------
    InvalidInput
        There is no such file or object, or the user's code failed; the message names the line.
    """
    path, double, name = text.rpartition("::")
    if not double:
        path, _, name = text.partition(":")
    if not (path and name):
        file = text if Path(text).is_file() else f"{text.partition('.')[0]}.py"
        there = ", ".join(_functions(file)[:8])
        raise InvalidInput("SUBJECT", repr(text), f"{_WANTED}{there and f'; {file} has {there}'}")
    owner: object = None
    found: object = _from_file(path, travels=travels) if double else _from_name(path)
    for part in name.split("."):
        if not hasattr(found, part):
            other = near(part, [known for known in dir(found) if not known.startswith("_")])
            raise InvalidInput(text, f"no object {part!r} in it{other}", _WANTED)
        owner, found = found, getattr(found, part)
    if isinstance(found, ModuleType):
        raise InvalidInput(text, "a module", _WANTED)
    code = getattr(found, "__code__", None) if isinstance(owner, type) else None
    if code and code.co_varnames[:1] == ("self",):
        kind, mark = name.rpartition(".")[0], "::" if double else ":"
        wanted = f"that of an object, made = {kind}(), and {path}{mark}made.{part}"
        raise InvalidInput(text, "a method of a class", wanted)
    values = dict(given or ())
    if len(values) < len(list(given or ())):
        raise InvalidInput("--param", "a name twice", "each parameter once")
    made = _made(found, text, path, values)
    if made is not found or not callable(made):
        return made
    calling = import_module("pac_stability.audit.calling")
    subject: object = calling.called(made, values, predicts=predicts, command=True)
    return subject


def _functions(path: str) -> list[str]:
    """Return the names of the functions and classes in a file that need not be run for them."""
    try:
        body = ast.parse(Path(path).read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return []
    return [part.name for part in body if isinstance(part, ast.FunctionDef | ast.ClassDef)]


def _from_file(path: str, *, travels: bool) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        given = "a directory" if file.is_dir() else f"no such file{_near_file(file)}"
        raise InvalidInput(path, given, _WANTED)
    if file.suffix != ".py":
        more = f" (jupyter nbconvert --to script {path} writes one)" * (file.suffix == ".ipynb")
        raise InvalidInput(path, f"the extension {file.suffix!r}", f"a file of Python, *.py{more}")
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


def _near_file(file: Path, others: Iterable[str] = ()) -> str:
    """Return what is near the name of a file in its folder, or in this one if there is none."""
    folder = file.parent if file.parent.is_dir() else Path()
    there = islice(folder.iterdir(), 1000)
    return near(file.name, [*(entry.name for entry in there), *others], 0.7)


def _from_name(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with failures_named(name):
        return importlib.import_module(name)


def _made(found: object, text: str, path: str, given: Mapping[str, object]) -> object:
    """Return an object, or what a class or a function makes that needs no other arguments."""
    answers = any(hasattr(found, method) for method in ("law", "probabilities"))
    if not callable(found) or (answers and not isinstance(found, type)):
        if given:
            raise InvalidInput("--param", ", ".join(given), f"none: {text} is no function")
        return found
    try:
        parameters = inspect.signature(found).parameters
    except (TypeError, ValueError):  # some functions written in C have none
        return found
    needed = [
        p.name
        for p in parameters.values()
        if p.default is p.empty
        and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        and p.name not in given
    ]
    if isinstance(found, type) and needed:
        wanted = f"--param {needed[0]}=..., an instance, or a function without arguments for one"
        raise InvalidInput(text, f"a class that needs {', '.join(needed)}", wanted)
    if needed or not given.keys() <= parameters.keys():
        return found
    with failures_named(path):
        return found(**given)


@contextlib.contextmanager
def failures_named(path: str) -> Iterator[None]:
    """Turn exceptions of the user's code into an :class:`InvalidInput` that names file and line."""
    try:
        yield
    except (Exception, SystemExit) as error:
        line = line_of(error, path)
        where = path if line is None else f"{path}, line {line}"
        said = " ".join(str(error).split())
        what = f"{type(error).__name__}: {said if len(said) <= 300 else f'{said[:300]}...'}"
        wanted = "code that can be imported and run"
        if "attempted relative import" in said and path.endswith(".py"):
            package = Path(path).resolve().parent.name
            wanted = f"{package}.{Path(path).stem}:f, from the folder of {package}"
        raise InvalidInput(where, what, wanted) from error


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


# Classes

Made = TypeVar("Made")


LEAST = 20.0
"""Seconds in which a class may be built, or code loaded, at the least."""


BUILDING = 1.0
"""Seconds in which a family may be built, at the least."""


def in_time(options: argparse.Namespace, what: str) -> AbstractContextManager[None]:
    """Apply the time limit of the options to the preparation of the work."""
    limit: float | None = getattr(options, "time_limit", None)
    return limited(None if limit is None else max(limit, LEAST), what)


def load_class(options: argparse.Namespace) -> tuple[classes.FiniteClass, str]:
    """Return the class that the options name, and its name in reports.

    Raises
    ------
    InvalidInput
        The options name no class or two, or it cannot be read.
    BudgetExhausted
        It takes longer than ``--time-limit``.
    """
    check_source(options)
    if options.family is None:
        with in_time(options, "the class was built"):
            return class_from_file(options.table, table_options(options)), options.table
    return _from_family(options)


def check_source(options: argparse.Namespace) -> None:
    """Refuse options that exclude each other; a TABLE may be a family, ``thresholds:8``."""
    if options.family is None and _names_a_family(options.table):
        options.family, options.table = options.table, None
    if (options.table is None) == (options.family is None):
        given = "neither" if options.table is None else "both"
        raise InvalidInput("TABLE or --family", given, "one of them")
    if options.points is not None and options.family is None:
        raise InvalidInput("--points", "no --family", "--family with it")
    if options.table is None and options.points is None:
        for option in ("columns", "table_format", "names", "header", "delimiter", "ones"):
            if getattr(options, option) is not None:
                name = f"--{option.replace('_', '-')}"
                raise InvalidInput(name, "no file to read", "TABLE or --points with it")
    if options.ones is not None and options.table is None:
        raise InvalidInput("--ones", "no TABLE", "TABLE with it")


def _names_a_family(table: str | None) -> bool:
    if not table or Path(table).exists():
        return False
    name, colon, _ = table.replace("-", "_").partition(":")
    return name in classes.SPECS or (bool(colon) and bool(near(name, classes.SPECS, 0.8)))


def load_playable(
    options: argparse.Namespace,
) -> tuple[classes.FiniteClass | classes.ImplicitClass, str]:
    """Return the class that the options name, without a table if that would be large.

    Raises
    ------
    InvalidInput
        As for :func:`load_class`.
    """
    check_source(options)
    if options.family is None or options.points is not None:
        return load_class(options)
    limit: float | None = getattr(options, "time_limit", None)
    return _named(options.family, classes.playable_from_spec, limit), options.family


def load_outline(options: argparse.Namespace) -> Outline:
    """Return the known facts about a family in the options that is too large for a table."""
    from pac_stability.classes.specs import outline_of  # noqa: PLC0415  # needs NumPy

    return _named(options.family, outline_of)


def table_options(options: argparse.Namespace) -> classes.TableOptions:
    """Return the options for reading a file."""
    return classes.TableOptions(
        table_format=options.table_format,
        header=options.header,
        names=options.names,
        ones=options.ones,
        columns=None if options.columns is None else column_names(options.columns),
        delimiter=options.delimiter,
        max_bytes=options.max_bytes or classes.MAX_BYTES,
        command=True,
    )


def column_names(text: str) -> list[str]:
    """Read names or numbers of columns, separated by commas; quote a name with a comma.

    Examples
    --------
    >>> column_names('age, "height, cm",3')
    ['age', 'height, cm', '3']
    """
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


def class_from_file(path: str, options: classes.TableOptions | None = None) -> classes.FiniteClass:
    """Return the class of a table in a file, and print remarks on standard error."""
    options = options or classes.TableOptions(command=True)
    try:
        H = classes.FiniteClass.read(path, options)
    except InvalidInput as error:
        error = _naming(path, error)
        if not Path(path).exists() and Path(path).parent.is_dir():
            given = f"{error.given}{_near_file(Path(path), classes.SPECS)}"
            raise InvalidInput(path, given, error.wanted) from None
        raise error from None
    if not len(H) or not H.domain:
        given = f"an empty table ({len(H)} rows of 0 and 1, {len(H.domain)} columns)"
        raise InvalidInput(path, given, "at least one hypothesis and one point")
    for note in H.reading.notes:
        say(f"{path}: {note}")
    return H


def _from_family(options: argparse.Namespace) -> tuple[classes.FiniteClass, str]:
    family: str = options.family
    limit: float | None = getattr(options, "time_limit", None)
    path: str | None = options.points
    if path is None:
        return _named(family, classes.from_spec, limit), family
    from pac_stability.classes.tables.points import points_of  # noqa: PLC0415  # needs NumPy

    try:
        points, reading = points_of(path, table_options(options))
    except InvalidInput as error:
        raise _naming(path, error) from None
    if not points:
        raise InvalidInput(path, "no rows", "at least one point")
    H = _named(family, lambda spec: classes.from_spec(spec, points), limit)
    told = f"{len(points[0])} coordinate{'s' if len(points[0]) > 1 else ''}"
    named = f" ({reading.points})" if reading.points else ""
    H.reading = classes.TableReading(more=(f"{told}{named}", *reading.more))
    return H, f"{family} on {path}"


def _named(family: str, make: Callable[[str], Made], time_limit: float | None = None) -> Made:
    # affine-lines will do for affine_lines, but a parameter may be negative.
    name, colon, parameters = family.partition(":")
    try:
        limit = None if time_limit is None else max(time_limit, BUILDING)
        with import_module("pac_stability.cli.output").within(f"building {family}", limit):
            return make(name.replace("-", "_") + colon + parameters)
    except InvalidInput as error:
        short = family if len(family) <= 60 else f"{family[:57]}..."
        raise _naming(f"--family {short}", error) from None


def _naming(what: str, error: InvalidInput) -> InvalidInput:
    """Say which file or option is at fault, not only which parameter of the library."""
    if error.argument.startswith(what):
        return error
    return InvalidInput(f"{what}: {error.argument}", error.given, error.wanted)


# What is said beside the answer, how options are read, how a command is found, and how it ends


def say(text: str) -> None:
    """Tell the user on the standard error."""
    print(f"pac-stability: {printable(text)}", file=sys.stderr)


class Exit(IntEnum):
    """Exit codes; scripts rely on them."""

    OK = 0
    REFUTED = 1
    BAD_INPUT = 2
    INCONCLUSIVE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
    BROKEN_PIPE = 141  # 128 + SIGPIPE


def run_by(module: str, function: str = "run") -> Callable[[argparse.Namespace], int]:
    """Return a function that runs a command by a function of a module, imported on use.

    So ``--help`` and errors in options load no command.
    """

    def run(options: argparse.Namespace) -> int:
        code: int = getattr(import_module(f"pac_stability.cli.{module}"), function)(options)
        return code

    return run


def seconds(text: str) -> float | None:
    """Read a time limit; ``none`` lifts it."""
    if text.strip().lower() == "none":
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        said = f"got {text!r}, want a positive number of seconds, or none"
        raise argparse.ArgumentTypeError(said)
    return value


def memory(text: str) -> int:
    """Read a size: bytes, or with K, M or G (powers of 1024)."""
    match = re.fullmatch(
        r"([0-9]{1,18}(?:\.[0-9]{1,18})?)([KMG]?)(?:i?B)?", text.strip(), re.IGNORECASE
    )
    size = 0
    if match is not None:
        size = int(Fraction(match[1]) * 1024 ** " KMG".index(match[2].upper() or " "))
    if size < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want a size such as 512M or 2G")
    return size


def whole(least: int) -> Callable[[str], int]:
    """Return a reader of integers that are at least ``least``; ``1_000`` and ``1,000`` are read."""

    def read(text: str) -> int:
        digits = text.strip().replace(",", "").replace("_", "")
        if not re.fullmatch(r"[0-9]{1,18}", digits) or int(digits) < least:
            raise argparse.ArgumentTypeError(f"got {text!r}, want an integer, at least {least}")
        return int(digits)

    return read


def sizes(text: str) -> int | range:
    """Read a size of samples, or a range of sizes: ``3``, or ``2..4``."""
    least, dots, largest = text.partition("..")
    read = whole(0)
    if not dots:
        return read(text)
    found = range(read(least), read(largest) + 1)
    if not found:
        raise argparse.ArgumentTypeError(f"got {text!r}, want the smaller size first")
    return found


def exact_number(text: str, logarithm: str = "") -> Fraction:
    """Read an exact number: ``3``, ``0.25`` or ``1/4``."""
    try:
        return number_from(text, "number")
    except InvalidInput:
        pass
    raise argparse.ArgumentTypeError(f"got {text!r}, want a number such as 1.0 or 1/4{logarithm}")


def number_or_logarithm(text: str) -> Fraction | Epsilon:
    """Read an exact number, or the logarithm of one: ``ln 3``, ``log(3/2)``.

    Examples
    --------
    >>> number_or_logarithm("0.25"), number_or_logarithm("ln3").ratio
    (Fraction(1, 4), Fraction(3, 1))
    """
    found = re.fullmatch(r"\s*(?:(?:ln|log)\s*\(([^()]*)\)|(?:ln|log\s)([^()]*))\s*", text)
    if found is None:
        return exact_number(text, " or 'ln 3'")
    number = exact_number((found[1] or found[2] or "").strip())
    if number < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want the logarithm of 1 or more")
    return Epsilon.exactly(number)


def named_number(text: str) -> tuple[str, Fraction]:
    """Read ``name=number``."""
    name, equals, number = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"want NAME=VALUE, got {text!r}")
    return name, exact_number(number)


def parameter(text: str) -> tuple[str, object]:
    """Read ``name=value``: a number, an exact one such as 1/2, ``ln 3``, a list, a word.

    Examples
    --------
    >>> parameter("epsilon=1/2"), parameter("c=1"), parameter("kind=laplace")
    (('epsilon', Fraction(1, 2)), ('c', 1), ('kind', 'laplace'))
    """
    name, _, value = (part.strip() for part in text.partition("="))
    if not name.isidentifier() or not value:
        raise argparse.ArgumentTypeError(f"want NAME=VALUE, got {text!r}")
    if re.fullmatch(r"[A-Za-z_]\w*", value) and value not in ("True", "False", "None"):
        return name, value
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        number = number_or_logarithm(value)
        return name, float(number) if isinstance(number, Epsilon) else number


def how_many(text: str) -> int | Fraction:
    """Read a number of answers, ``20``, or a share of them: ``1/10``, ``0.1`` or ``10%``.

    Examples
    --------
    >>> how_many("20"), how_many("5%"), how_many("0.5"), how_many("100%")
    (20, Fraction(1, 20), Fraction(1, 2), Fraction(1, 1))
    """
    plain = text.strip()
    if re.fullmatch(r"[0-9]{1,18}", plain):
        return int(plain)
    share = probability(plain) if not plain.endswith("%") else exact_number(plain[:-1]) / 100
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want a number, or a share of at most 100%")
    return share


def probability(text: str) -> Fraction:
    """Read an exact number between 0 and 1."""
    number = exact_number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want a number between 0 and 1")
    return number
