"""What every audit over neighbouring samples accepts besides its own arguments."""

from __future__ import annotations

import os
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypedDict

from pac_stability.arithmetic import as_size
from pac_stability.audit.domains import universe_of
from pac_stability.audit.neighbour_ranks import Neighbourhood
from pac_stability.audit.progress import ProgressCallback
from pac_stability.audit.results import Instance, Notion, Symmetry
from pac_stability.audit.symmetry import SymmetryCheck
from pac_stability.data import Neighbouring
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput

MAX_PAIRS = 10**9
MAX_MEMORY = 2 << 30


class Options(TypedDict, total=False):
    """Keyword arguments of the audits over neighbouring samples.

    Attributes
    ----------
    labelled
        Whether samples are made of labelled examples over the domain (the default), or of the
        elements of the domain themselves; these samples are tuples.
    symmetric
        Whether the answers do not depend on the order of the sample; samples are then examined up
        to order. ``True`` is a declaration, which is only spot-checked; what :func:`is_symmetric`
        returned is a proof. By default it is what the attribute ``symmetric`` of the algorithm
        declares, and no if it has none.
    relation
        Which samples are neighbours: one example replaced, by default.
    executor
        Where questions and comparisons are computed; the answer is the same with any. The algorithm
        travels there, so for processes it must be picklable.
    processes
        How many processes to start for this audit, in place of an executor.
    progress
        Called about ten times a second with a :class:`Progress`. What it raises ends the audit.
    checkpoint
        A file that is written every few seconds, and whenever the audit ends early. If it exists
        the audit goes on from there; it must be one of the same audit.
    time_limit
        Seconds after which the audit ends with :class:`AuditStopped`.
    max_memory
        Bytes that tables of answers may take, estimated; 2 GiB by default.
    max_pairs
        The largest number of pairs to examine; 10^9 by default.
    """

    labelled: bool
    symmetric: bool | SymmetryCheck
    relation: Neighbouring
    executor: Executor | None
    processes: int | None
    progress: ProgressCallback | None
    checkpoint: str | os.PathLike[str] | None
    time_limit: float | None
    max_memory: int
    max_pairs: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How an audit is run, checked: see :class:`Options`."""

    executor: Executor | None
    processes: int | None
    progress: ProgressCallback | None
    checkpoint: str | os.PathLike[str] | None
    time_limit: float | None
    max_memory: int
    max_pairs: int


def limits_of(options: Options) -> Limits:
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
        as_size(options.get("max_pairs", MAX_PAIRS), "max_pairs", least=1),
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
    symmetry = Symmetry.NONE
    said = options.get("symmetric", bool(getattr(mechanism, "symmetric", False)))
    if isinstance(said, SymmetryCheck):
        sizes = Neighbourhood(len(universe), size, relation).sizes
        if not said.shows(mechanism, sizes, universe, points):
            raise InvalidInput(
                "symmetric",
                "a violation" if said.violation else "a check of another instance",
                "a check of this algorithm, its samples and their sizes that found no violation",
            )
        symmetry = Symmetry.SHOWN
    elif not isinstance(said, bool):
        raise InvalidInput("symmetric", described(said), "a truth value, or is_symmetric(...)")
    elif said:
        symmetry = Symmetry.DECLARED
    return Instance(notion, universe, size, points or (), relation=relation, symmetry=symmetry)
