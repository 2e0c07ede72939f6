"""What every audit over neighbouring samples accepts besides its own arguments."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict

from pac_stability.arguments import as_size, described
from pac_stability.audit.progress import ProgressCallback
from pac_stability.audit.results import Symmetry
from pac_stability.audit.symmetry import SymmetryCheck
from pac_stability.data import Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.keeping.fingerprint import HowMany, require_how_many

MAX_PAIRS = 10**9
MAX_MEMORY = 2 << 30


class RunOptions(TypedDict, total=False):
    """Keyword arguments that say how an audit is run.

    Attributes
    ----------
    symmetric
        Whether the answers do not depend on the order of the sample; samples are then examined up
        to order. ``True`` is a declaration, which is only spot-checked; what :func:`is_symmetric`
        returned is a proof. By default it is what the attribute ``symmetric`` of the algorithm
        declares, and no if it has none.
    executor
        Where the work is done; the answer is the same with any. The algorithm travels there, so for
        processes it must be picklable. Unless it is of the standard library the algorithm is asked
        in children of the processes at work, where no other thread draws from ``random``.
    processes
        How many processes may work for this audit, in place of an executor; the answer is the same
        with any number. By default one for each core, where that is shorter: they are copies of
        this one (Linux), which is safe where it has no other thread and no library that keeps some.
        Otherwise a number that is given starts processes anew, to which the algorithm travels.
    progress
        Called about ten times a second with a :class:`Progress`. What it raises ends the audit.
    checkpoint
        A file that is written every few seconds, and whenever the audit ends early; one that is
        finished removes it. If it exists the answers in it are not asked for again. It must be of
        the same audit. If the code of the algorithm, or of the library, is another one since, or
        the file is damaged, it is given another name and all is asked anew; the note of the result
        says so.
    check_cache
        Of the answers in the checkpoint, how many are asked for again and must agree: a number, or
        a share as a ``Fraction``; drawn at random, besides the few that are always.
    fresh
        Whether answers in the checkpoint are to be ignored.
    time_limit
        Seconds after which the audit ends with :class:`AuditStopped`.
    max_memory
        Bytes that tables of answers may take, estimated; 2 GiB by default.
    """

    symmetric: bool | SymmetryCheck
    executor: Executor | None
    processes: int | None
    progress: ProgressCallback | None
    checkpoint: str | os.PathLike[str] | None
    check_cache: HowMany
    fresh: bool
    time_limit: float | None
    max_memory: int


class Options(RunOptions, total=False):
    """Keyword arguments of the audits over neighbouring samples, besides :class:`RunOptions`.

    Attributes
    ----------
    labelled
        Whether samples are made of labelled examples over the domain (the default), or of the
        elements of the domain themselves. The latter samples are tuples; but where all elements
        are examples, such as the correctly labelled ones, a ``Sample`` is made of them.
    relation
        Which samples are neighbours: one example replaced, by default.
    group_size
        In how many places neighbours may differ: 1 by default, and where they do not arise by
        replacement.
    max_pairs
        The largest number of pairs to examine; 10^9 by default.
    stop_at_first
        Whether to end with the first counterexample to the claim that is found while asking, a
        refutation whose value is a lower bound.
    """

    labelled: bool
    relation: Neighbouring
    group_size: int
    max_pairs: int
    stop_at_first: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """How an audit is run, checked: see :class:`RunOptions`."""

    executor: Executor | None
    processes: int | None
    progress: ProgressCallback | None
    checkpoint: str | os.PathLike[str] | None
    check_cache: HowMany
    fresh: bool
    time_limit: float | None
    max_memory: int


def _is_size(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float | Fraction) and value is not True and value > 0


_TYPES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "symmetric": (
        lambda value: isinstance(value, bool | SymmetryCheck),
        "a truth value, or is_symmetric(...)",
    ),
    "executor": (
        lambda value: value is None or isinstance(value, Executor),
        "a concurrent.futures.Executor",
    ),
    "processes": (lambda value: value is None or _is_size(value), "an integer of at least 1"),
    "progress": (lambda value: value is None or callable(value), "a function of a Progress"),
    "checkpoint": (
        lambda value: value is None or isinstance(value, str | os.PathLike),
        "the name of a file",
    ),
    "check_cache": (
        lambda value: value == require_how_many(value, "check_cache"),
        "a number of answers, or a share",
    ),
    "fresh": (lambda value: isinstance(value, bool), "a truth value"),
    "time_limit": (lambda value: value is None or _is_time(value), "a positive number of seconds"),
    "max_memory": (_is_size, "an integer of at least 1"),
    "labelled": (lambda value: isinstance(value, bool), "a truth value"),
    "relation": (lambda value: isinstance(value, Neighbouring), "a member of Neighbouring"),
    "group_size": (_is_size, "an integer of at least 1"),
    "max_pairs": (_is_size, "an integer of at least 1"),
    "stop_at_first": (lambda value: isinstance(value, bool), "a truth value"),
}
"""For each option, whether a value may be one, and what is wanted."""


def require_options(
    options: RunOptions, kind: type[RunOptions] | type[Options], own: Iterable[str] = ()
) -> None:
    """Refuse options that there are not, or of another type: none may be ignored.

    Parameters
    ----------
    options
        What a function was given as ``**options``.
    kind
        The options that it takes.
    own
        Its other keyword arguments, one of which may have been meant.

    Raises
    ------
    InvalidInput
        There is no such option, and the message says which is nearest; or it is of another type.

    Examples
    --------
    >>> require_options({"simmetric": True}, RunOptions)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: simmetric: got an unknown option, want symmetric
    """
    known = sorted({*kind.__annotations__, *own})
    for name, value in options.items():
        if name not in known:
            near = difflib.get_close_matches(name.lower(), known, n=1)
            raise InvalidInput(
                name, "an unknown option", near[0] if near else f"one of {', '.join(known)}"
            )
        accepts, wanted = _TYPES[name]
        if not accepts(value):
            raise InvalidInput(name, described(value), wanted)


def limits_of(options: RunOptions) -> Limits:
    """Return the options that say how an audit is run.

    Raises
    ------
    InvalidInput
        One is out of range.
    """
    executor, processes = options.get("executor"), options.get("processes")
    if executor is not None and processes is not None:
        raise InvalidInput("processes", "both an executor and processes", "one of them")
    return Limits(
        executor,
        None if processes is None else as_size(processes, "processes", least=1),
        options.get("progress"),
        options.get("checkpoint"),
        options.get("check_cache", 0),
        options.get("fresh", False),
        options.get("time_limit"),
        as_size(options.get("max_memory", MAX_MEMORY), "max_memory", least=1),
    )


def symmetry_of(
    mechanism: object,
    sizes: Iterable[int],
    universe: tuple[object, ...],
    points: tuple[object, ...] | None,
    options: RunOptions,
) -> Symmetry:
    """Return whether samples are examined up to order, and why.

    Parameters
    ----------
    mechanism
        The algorithm.
    sizes, universe
        The sizes of its samples, and what they are made of.
    points
        Where predictions are asked for; ``None`` where there are none.
    options
        What was said about symmetry.

    Raises
    ------
    InvalidInput
        That is not about this audit.
    """
    said = options.get("symmetric", bool(getattr(mechanism, "symmetric", False)))
    if isinstance(said, SymmetryCheck):
        if not said.shows(mechanism, sizes, universe, points):
            raise InvalidInput(
                "symmetric",
                "a violation" if said.violation else "a check of another instance",
                "a check of this algorithm, its samples and their sizes that found no violation",
            )
        return Symmetry.SHOWN
    return Symmetry.DECLARED if said else Symmetry.NONE
