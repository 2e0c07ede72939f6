"""How an audit runs: its options, its progress reports, and whether order matters.

Options are keyword arguments, typed by :class:`RunOptions` and :class:`Options` and checked once
into :class:`Chosen`. An algorithm can declare that the order of a sample makes no difference, or
:func:`is_symmetric` can prove it by trying every order.
"""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any, TypedDict

from pac_stability._report import Tabled
from pac_stability.arguments import as_size, described
from pac_stability.audit import subjects
from pac_stability.audit.labels import only_predicts
from pac_stability.audit.notions.notion import Symmetry
from pac_stability.audit.search.asking import as_sample
from pac_stability.audit.watching.program import Told, Twice, Watching
from pac_stability.data import Adjacency, Example, Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.keeping.fingerprint import HowMany, require_how_many

_REPORT_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a running audit, handed to its ``progress`` callback.

    Attributes
    ----------
    stage
        ``"asking"`` while it queries the algorithm on each sample, ``"comparing"`` while it
        compares neighbours.
    done, total
        How much of the stage is done, and its total: samples, or units of the sweep.
    seconds
        Wall-clock time of this run so far.
    remaining
        Estimated seconds until the stage ends, at the pace of this run; ``None`` at the start.
    """

    stage: str
    done: int
    total: int
    seconds: float
    remaining: float | None


ProgressCallback = Callable[[Progress], None]


class Clock:
    """The time of a run, and its reports."""

    def __init__(self, progress: ProgressCallback | None) -> None:
        self._begun = time.perf_counter()
        self._progress = progress
        self._reported = self._begun
        self._stage = ""
        self._stage_begun = (self._begun, 0)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._begun

    def report(self, stage: str, done: int, total: int) -> None:
        """Report the progress of a stage, about ten times a second and at its end."""
        now = time.perf_counter()
        if stage != self._stage:
            self._stage, self._stage_begun = stage, (now, done)
        elif now - self._reported < _REPORT_EVERY and done < total:
            return
        if self._progress is None:
            return
        self._reported = now
        begun, before = self._stage_begun
        remaining = (now - begun) / (done - before) * (total - done) if done > before else None
        self._progress(Progress(stage, done, total, now - self._begun, remaining))


# Does an algorithm depend on the order of its sample? Asked about every order


@dataclass(frozen=True, slots=True, repr=False)
class SymmetryCheck(Tabled):
    """The result of :func:`is_symmetric`; true if the algorithm is symmetric.

    Attributes
    ----------
    violation
        The first two samples that differ only in order and have different answers, or ``None``.
    samples
        The number of samples compared.
    n
        Their size.
    universe
        The elements of the samples.
    points
        Where predictions were compared; ``None`` when whole laws were compared.
    mechanism
        The algorithm.
    """

    violation: tuple[object, object] | None
    samples: int
    n: int
    universe: tuple[object, ...]
    points: tuple[object, ...] | None
    mechanism: object = field(repr=False)

    def __bool__(self) -> bool:
        return self.violation is None

    def shows(
        self,
        mechanism: object,
        sizes: Iterable[int],
        universe: tuple[object, ...],
        points: tuple[object, ...] | None,
    ) -> bool:
        """Return whether this proves the symmetry that an audit needs.

        Parameters
        ----------
        mechanism
            The algorithm under audit.
        sizes
            The sizes of its samples.
        universe
            The elements of its samples.
        points
            The points of its predictions; ``None`` when the audit compares its laws.
        """
        return (
            self.violation is None
            and mechanism is self.mechanism
            and set(sizes) == {self.n}
            and set(universe) <= set(self.universe)
            and (self.points is None or (points is not None and set(points) <= set(self.points)))
        )


def is_symmetric(
    mechanism: subjects.PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    labelled: bool = True,
    points: Iterable[object] | None = None,
) -> SymmetryCheck:
    """Compare the answers of an algorithm on all orders of each sample.

    Parameters
    ----------
    mechanism
        The algorithm, in any of the shapes that have a law or predictions.
    domain
        A number m, for the points 0, ..., m - 1, or the points.
    n
        The size of the samples.
    labelled
        Whether samples consist of labelled examples over the domain, or of its elements.
    points
        Where to compare predictions. By default it compares laws, or predictions on the domain for
        an algorithm that only predicts.

    Returns
    -------
    SymmetryCheck
        The result is true if there is no violation. Audits accept it as ``symmetric``.

    Raises
    ------
    SubjectFailure
        The algorithm did not answer.

    Notes
    -----
    It evaluates the algorithm on all k^n samples over k elements.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> bool(is_symmetric(Deterministic(sum), 2, 3, labelled=False))
    True
    >>> is_symmetric(Deterministic(max), 2, 3, labelled=False).samples
    8
    >>> is_symmetric(Deterministic(lambda S: S[0]), 2, 3, labelled=False).violation
    ((0, 0, 1), (1, 0, 0))
    """
    elements = subjects.points_of(domain)
    universe = subjects.universe_of(elements, labelled)
    size = as_size(n, "n")
    asked = None if points is None else subjects.points_of(points, "points")
    if asked is None and only_predicts(mechanism):
        asked = subjects.points_in(elements)
    # What is made of examples is a sample, also where the examples themselves were given.
    whole = all(isinstance(element, Example) for element in universe)
    source = _source(mechanism, asked, subjects.points_in(elements))

    def compare() -> SymmetryCheck:
        samples = 0
        for ordered in combinations_with_replacement(universe, size):
            first = as_sample(ordered, whole)
            row = source.row(first)
            samples += 1
            for order in dict.fromkeys(permutations(ordered)):
                if order == ordered:
                    continue
                other = as_sample(order, whole)
                samples += 1
                if source.row(other) != row:
                    return SymmetryCheck((first, other), samples, size, universe, asked, mechanism)
        return SymmetryCheck(None, samples, size, universe, asked, mechanism)

    first = as_sample(universe[:1] * size, whole)
    return Watching(source, source.name).during(compare, first)


def _source(
    mechanism: subjects.PredictionSubject,
    points: tuple[object, ...] | None,
    domain: tuple[object, ...],
) -> subjects.Source:
    if points is None:
        return subjects.law_source(mechanism, domain)  # type: ignore[arg-type]  # it refuses what has no law
    return subjects.prediction_source(mechanism, points)


# What every audit over neighbouring samples accepts besides its own arguments


class RunOptions(TypedDict, total=False):
    """Keyword arguments that determine how an audit runs.

    Attributes
    ----------
    symmetric
        Whether the answers do not depend on the order of the sample; the audit then examines
        samples up to order. ``True`` is a declaration, which the audit only spot-checks; a result
        of :func:`is_symmetric` is a proof. By default the attribute ``symmetric`` of the algorithm
        decides; without one, no.
    deterministic
        Whether the author declares that the algorithm draws nothing. The audit cannot see this for
        a program that never uses its coins, or for a function that loads compiled code; without the
        declaration its verdict is at most ``BOUNDED``.
    executor
        Where the work is done; the answer does not depend on it. The algorithm is sent there, so
        for processes it must be picklable. In an executor from outside the standard library other
        threads may draw, so the audit does not compare the states of the generators of ``random``
        and NumPy there.
    processes
        The number of processes for this audit, in place of an executor; the answer does not depend
        on it. By default one for each core, if that is faster. They are forks of this process
        (Linux), which is safe if it has no other thread and no library that keeps threads.
        Otherwise a given number starts new processes, to which the algorithm is sent.
    progress
        Called about ten times a second with a :class:`Progress`. An exception from it ends the
        audit.
    checkpoint
        A file that the audit writes every few seconds and whenever it ends early; a finished audit
        removes it. If the file exists, the audit takes its answers from there. It must belong to
        the same audit. If the code of the algorithm or of the library has changed since, or the
        file is damaged, the audit renames the file and computes all answers again; the note of the
        result says so.
    check_cache
        How many answers of the checkpoint to compute again; they must agree. A number, or a share
        as a ``Fraction``. They are drawn at random, in addition to a few that are always checked.
    fresh
        Whether to ignore the answers in the checkpoint.
    time_limit
        Seconds after which the audit ends with :class:`AuditStopped`, even inside the algorithm. It
        waits for compiled code that ignores signals.
    max_memory
        The most memory for tables of answers, in bytes, estimated; 2 GiB by default.
    twice
        For an audit in two interpreters: a :class:`Twice` or :class:`Told`, see
        :mod:`pac_stability.audit.watching.program`. The command sets it, with ``--twice``.
    """

    symmetric: bool | SymmetryCheck
    deterministic: bool
    executor: Executor | None
    processes: int | None
    progress: ProgressCallback | None
    checkpoint: str | os.PathLike[str] | None
    check_cache: HowMany
    fresh: bool
    time_limit: float | None
    max_memory: int
    twice: Twice | Told | None


class Options(RunOptions, total=False):
    """Keyword arguments of the audits over neighbouring samples, besides :class:`RunOptions`.

    Attributes
    ----------
    labelled
        Whether samples consist of labelled examples over the domain (the default), or of the
        elements of the domain themselves. The latter samples are tuples; if all elements are
        examples, such as the correctly labelled ones, they are ``Sample`` objects.
    relation
        Which samples are neighbours: one example replaced, by default. With a member of
        :class:`~pac_stability.data.Adjacency`, samples are tuples of n answers, numbers of the
        domain.
    pairs
        The pairs of samples to compare, each of n elements, in place of all neighbours; the answer
        is about these alone.
    group_size
        In how many places neighbours may differ; 1 by default, and always 1 unless they differ by
        replacement.
    max_pairs
        The largest number of pairs to examine; 10^9 by default.
    stop_at_first
        Whether to end with the first counterexample found during the queries; the value of that
        refutation is a lower bound.
    """

    labelled: bool
    relation: Neighbouring | Adjacency
    pairs: Iterable[tuple[Iterable[object], Iterable[object]]] | None
    group_size: int
    max_pairs: int
    stop_at_first: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options of one audit, checked and with defaults filled in: see :class:`Options`."""

    symmetric: bool | SymmetryCheck | None = None
    deterministic: bool = False
    executor: Executor | None = None
    processes: int | None = None
    progress: ProgressCallback | None = None
    checkpoint: str | os.PathLike[str] | None = None
    check_cache: HowMany = 0
    fresh: bool = False
    time_limit: float | None = None
    max_memory: int = 2 << 30
    twice: Twice | Told | None = None
    labelled: bool = True
    relation: Neighbouring | Adjacency = Neighbouring.REPLACE_ONE
    pairs: Iterable[tuple[Iterable[object], Iterable[object]]] | None = None
    group_size: int = 1
    max_pairs: int = 10**9
    stop_at_first: bool = False

    @classmethod
    def of(
        cls, options: RunOptions, kind: type[RunOptions] | type[Options], own: Iterable[str] = ()
    ) -> Chosen:
        """Check options and refuse unknown ones, so that none is ignored.

        Parameters
        ----------
        options
            The ``**options`` of a function.
        kind
            The options that the function accepts.
        own
            Its other keyword arguments, for near matches.

        Raises
        ------
        InvalidInput
            There is no such option (the message names the nearest one), or it has the wrong type,
            or is out of range.

        Examples
        --------
        >>> Chosen.of({"simmetric": True}, RunOptions)
        Traceback (most recent call last):
            ...
        pac_stability.errors.InvalidInput: simmetric: got an unknown option, want symmetric
        """
        known = sorted({*kind.__annotations__, *own})
        checked: dict[str, Any] = dict(options)
        for name, value in options.items():
            if name not in known:
                near = difflib.get_close_matches(name.lower(), known, n=1)
                given = "an unknown option"
                raise InvalidInput(name, given, near[0] if near else f"one of {', '.join(known)}")
            if name in _SIZES and (value is not None or name != "processes"):
                checked[name] = as_size(value, name, least=1)
            elif name == "check_cache":
                require_how_many(value, name)
            elif name == "time_limit" and not _is_time(value):
                raise InvalidInput(name, described(value), "a positive number of seconds")
            elif name in _WANTED and not isinstance(value, _WANTED[name][0]):
                raise InvalidInput(name, described(value), _WANTED[name][1])
        if options.get("executor") is not None and options.get("processes") is not None:
            raise InvalidInput("processes", "both an executor and processes", "one of them")
        return cls(**checked)


_SIZES = ("processes", "max_memory", "group_size", "max_pairs")
_TRUTH = (bool, "a truth value")
_WANTED: Mapping[str, tuple[Any, str]] = {
    "symmetric": (bool | SymmetryCheck, "a truth value, or is_symmetric(...)"),
    "executor": (Executor | None, "a concurrent.futures.Executor"),
    "progress": (Callable | None, "a function of a Progress"),
    "checkpoint": (str | os.PathLike | None, "the name of a file"),
    "fresh": _TRUTH,
    "deterministic": _TRUTH,
    "twice": (Twice | Told | None, "how to ask elsewhere"),
    "labelled": _TRUTH,
    "relation": (Neighbouring | Adjacency, "a member of Neighbouring or of Adjacency"),
    "pairs": (Iterable | None, "pairs (sample, neighbour)"),
    "stop_at_first": _TRUTH,
}
"""For each option that is no number, what a value has to be, and how that is said."""


def _is_time(value: object) -> bool:
    if value is None or value is True:
        return value is None
    return isinstance(value, int | float | Fraction) and value > 0


def symmetry_of(
    mechanism: object,
    sizes: Iterable[int],
    universe: tuple[object, ...],
    points: tuple[object, ...] | None,
    said: bool | SymmetryCheck | None,
) -> Symmetry:
    """Return whether to examine samples up to order, and why.

    Parameters
    ----------
    mechanism
        The algorithm.
    sizes, universe
        The sizes of its samples, and their elements.
    points
        Where predictions are asked for; ``None`` if there are none.
    said
        The declaration about symmetry; ``None`` if the algorithm may declare it.

    Raises
    ------
    InvalidInput
        The proof of symmetry is not about this audit.
    """
    if said is None:
        said = bool(getattr(mechanism, "symmetric", False))
    if isinstance(said, SymmetryCheck):
        if not said.shows(mechanism, sizes, universe, points):
            raise InvalidInput(
                "symmetric",
                "a violation" if said.violation else "a check of another instance",
                "a check of this algorithm, its samples and their sizes that found no violation",
            )
        return Symmetry.SHOWN
    return Symmetry.DECLARED if said else Symmetry.NONE
