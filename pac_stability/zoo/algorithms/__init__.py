"""The benchmark algorithms of testers of privacy, as their authors write them, with exact answers.

:func:`algorithms` lists them; :meth:`Algorithm.audit` computes the exact epsilon of one for k
queries or k people, and the worst pair of inputs; ``pac-stability zoo algorithms`` prints the
table. Real-valued noise is rounded to a grid, which the report of an audit states.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from time import process_time
from typing import Any

from pac_stability import audit
from pac_stability.arguments import as_size
from pac_stability.errors import InvalidInput
from pac_stability.randomness import ExactGenerator
from pac_stability.randomness.horizon import on_grid
from pac_stability.zoo.algorithms import programs

EPSILON = 0.1
"""What the algorithms are made for, where nothing else is said: the number of the benchmarks."""

Run = Callable[[Any, float, Any], object]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of the benchmarks, or one in use.

    Attributes
    ----------
    run
        The algorithm: a function of the answers or records, epsilon and a generator.
    of_answers
        Whether it takes k answers, and a neighbour changes each by at most 1. Otherwise it takes
        one record for each of k people, and a neighbour changes one record.
    claim
        The author's claim as a multiple of epsilon; ``None`` if the claim is another number or has
        a delta.
    values
        Records are integers below this number.
    printed
        Published lower bounds at confidence 90 %: DP-Sniper's and StatDP's, each with its seconds,
        at epsilon 0.1 and 10 queries (5 for maxima and histograms).
    grid
        The number of grid steps to the unit in the table. Few are enough if the output is a noisy
        number, because every grid gives the same ratios.
    most
        The largest k of the table.

    Examples
    --------
    >>> found = get("noisymax1").audit(1)
    >>> found.value
    Fraction(1, 1)
    """

    run: Run
    of_answers: bool = False
    claim: int | None = 1
    values: int = 2
    printed: str = ""
    grid: int = 1
    most: int = 3

    @property
    def name(self) -> str:
        """Its name."""
        return self.run.__name__

    @property
    def source(self) -> str:
        """Its author, and what it does."""
        return (self.run.__doc__ or "").strip()

    def audit(
        self, k: int, epsilon: float = EPSILON, grid: int | None = None
    ) -> audit.AuditResult[Any]:
        """Return its exact epsilon, and the worst pair.

        Parameters
        ----------
        k
            The number of queries, or people.
        epsilon
            The epsilon parameter.
        grid
            The number of grid steps in the unit of the noise, or more if its scale is small; by
            default as in the table.
        """
        count = as_size(k, "k", least=1)
        run = partial(_on_answers if self.of_answers else _on_rows, self.run, epsilon)
        universe: Sequence[object] = range(self.values)
        if self.of_answers:
            universe = list(product((0, 1), repeat=count))
        with on_grid(self.grid if grid is None else grid):
            return audit.differential_privacy(
                run, universe, 1 if self.of_answers else count, labelled=False, processes=1
            )


def _on_answers(run: Run, epsilon: float, d: tuple[Any, ...], rng: ExactGenerator) -> object:
    return run(d[0], epsilon, rng)


def _on_rows(run: Run, epsilon: float, d: tuple[Any, ...], rng: ExactGenerator) -> object:
    return run(d, epsilon, rng)


_PRINTED = {
    "laplace1": ".0976 (217 s), .0998 (46 s)",
    "truncgeo": ".1156 (19 s), .1169 (352 s)",
    "hist2": "4.602 (41 s), 10.002 (817 s)",
    "noisymax1": ".0925 (492 s), .0921 (60 s)",
    "noisymax4": ".3534 (451 s), .1988 (132 s)",
    "svt1": ".0858 (126 s), .0298 (344 s)",
    "svt3": ".1822 (880 s), .1793 (5,821 s)",
    "svt5": "1.761 (59 s), 14.31 (351 s)",
    "rappor": ".3008 (529 s), .2416 (1,178 s)",
    "prefixsum": ".5774 (984 s), .3516 (3,367 s)",
}
"""From the logs of DP-Sniper's repository: its bound and StatDP's, each with its seconds."""

_CLAIMS: dict[str, int | None] = {
    "smartsum": 2, "truncgeo": None, "rappor1": None, "rappor": None, "rapporlong": None,
    "response": None, "shuffled_response": None, "subsampled_response": None, "partition": None,
    "propose_test_release": None,
}  # fmt: skip
_VALUES = {"rappor1": 3, "rappor": 3, "rapporlong": 3, "kary_response": 3, "median": 4}
_OF_ANSWERS = (
    *("svt1", "svt2", "svt3", "svt4", "svt5", "svt6", "isvt1", "isvt4", "numsvt", "gapsvt"),
    *("badgapsvt", "adaptivesvt", "noisymax1", "noisymax2", "noisymax3", "noisymax4"),
    *("noisymaxgap", "loopmax", "gumbelmax", "permuteflip", "expmech"),
)
_MOST = {"rappor1": 1, "rappor": 1, "rapporlong": 1, "kary_response": 1, "hist2": 1,
         "truncgeo": 1}  # fmt: skip
_COMPARED = frozenset({"svt1", "svt2", "svt4", "svt5", "svt6", "isvt1", "noisymax1", "loopmax",
                       "noisymax2", "pate"})  # fmt: skip


def algorithms() -> tuple[Algorithm, ...]:
    """Return all, in the order of their file."""
    return tuple(
        Algorithm(
            run, name in _OF_ANSWERS, _CLAIMS.get(name, 1), _VALUES.get(name, 2),
            _PRINTED.get(name, ""), 16 if name in _COMPARED else 1, _MOST.get(name, 3),
        )
        for name, run in vars(programs).items()
        if callable(run) and getattr(run, "__module__", "") == programs.__name__
        and not name.startswith("_")
    )  # fmt: skip


def get(name: str) -> Algorithm:
    """Return an algorithm by its name.

    Parameters
    ----------
    name
        As in the table.

    Raises
    ------
    InvalidInput
        There is none.
    """
    known = {each.name: each for each in algorithms()}
    if name not in known:
        raise InvalidInput("name", name, f"one of {', '.join(known)}")
    return known[name]


@dataclass(frozen=True)
class Measured:
    """A line of the table: one algorithm for one k."""

    algorithm: Algorithm
    k: int
    result: audit.AuditResult[Any]
    seconds: float

    @property
    def epsilon(self) -> float:
        """The exact epsilon, as a float."""
        value = self.result.value
        if isinstance(value, Fraction):
            return math.log(value)
        return math.log(value.lower) if not isinstance(value, float) else value

    @property
    def breaks(self) -> bool:
        """Whether it exceeds its author's claim by more than the error of the grid."""
        claim = self.algorithm.claim
        return claim is not None and self.epsilon > 1.001 * claim * EPSILON


def table(names: Sequence[str] = (), most: int = 3) -> Iterator[Measured]:
    """Yield the entries for k = 1, 2, ..., algorithm by algorithm; names are checked at once.

    Parameters
    ----------
    names
        Which; all by default.
    most
        The largest k, if the algorithm has that many.
    """
    as_size(most, "most", least=1)
    chosen = [get(name) for name in names] or algorithms()
    upto = [most if names else min(most, each.most) for each in chosen]
    asked = [(each, k) for each, last in zip(chosen, upto, strict=True) for k in range(1, last + 1)]
    return (_measured(*each) for each in asked)


def _measured(algorithm: Algorithm, k: int) -> Measured:
    begun = process_time()
    result = algorithm.audit(k)
    return Measured(algorithm, k, result, process_time() - begun)
