"""What every audit over neighbouring samples accepts besides its own arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypedDict

from pac_stability.arithmetic import as_size
from pac_stability.audit.domains import universe_of
from pac_stability.audit.progress import ProgressCallback
from pac_stability.audit.results import Instance, Notion, Symmetry
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.symmetry import SymmetryCheck
from pac_stability.data import Neighbouring
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput

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
        processes it must be picklable.
    processes
        How many processes to start for this audit, in place of an executor.
    progress
        Called about ten times a second with a :class:`Progress`. What it raises ends the audit.
    checkpoint
        A file that is written every few seconds, and whenever the audit ends. If it exists the
        answers in it are not asked for again; it must be of the same audit.
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
    max_pairs
        The largest number of pairs to examine; 10^9 by default.
    """

    labelled: bool
    relation: Neighbouring
    max_pairs: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How an audit is run, checked: see :class:`RunOptions`."""

    executor: Executor | None
    processes: int | None
    progress: ProgressCallback | None
    checkpoint: str | os.PathLike[str] | None
    time_limit: float | None
    max_memory: int


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
    time_limit = options.get("time_limit")
    if time_limit is not None and not time_limit > 0:
        raise InvalidInput("time_limit", repr(time_limit), "a positive number of seconds")
    return Limits(
        executor,
        None if processes is None else as_size(processes, "processes", least=1),
        options.get("progress"),
        options.get("checkpoint"),
        time_limit,
        as_size(options.get("max_memory", MAX_MEMORY), "max_memory", least=1),
    )


def instance_of(
    notion: Notion,
    mechanism: object,
    elements: tuple[object, ...],
    n: int,
    *,
    points: tuple[object, ...] | None,
    options: Options,
) -> Instance:
    """Return the instance of an audit over neighbouring samples.

    Parameters
    ----------
    notion
        What is asked.
    mechanism
        The algorithm.
    elements
        The domain.
    n
        The size of the samples.
    points
        Where predictions are asked for; ``None`` where there are none.
    options
        Whether samples are labelled, symmetry, and the relation.

    Raises
    ------
    InvalidInput
        n is no size, the relation is none, or what was said about symmetry is not about this audit.
    """
    universe = universe_of(elements, options.get("labelled", True))
    size = as_size(n, "n")
    relation = options.get("relation", Neighbouring.REPLACE_ONE)
    if not isinstance(relation, Neighbouring):
        raise InvalidInput("relation", described(relation), "a member of Neighbouring")
    sizes = Neighbourhood(len(universe), size, relation).sizes
    symmetry = symmetry_of(mechanism, sizes, universe, points, options)
    return Instance(notion, universe, size, points or (), relation=relation, symmetry=symmetry)


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
    if not isinstance(said, bool):
        raise InvalidInput("symmetric", described(said), "a truth value, or is_symmetric(...)")
    return Symmetry.DECLARED if said else Symmetry.NONE
