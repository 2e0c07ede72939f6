"""How an algorithm is run as a black box: with coins, in other people's forms, and with errors.

A black box takes one input and returns one outcome. What takes coins besides is given seeded ones
(:func:`fed`). Other people's libraries have objects that are fitted (:func:`estimator`) or called
with rows (:func:`measurement`); the adapters here make black boxes of these, in which an error is
an outcome. For whoever sees that a fit raised on one table and not on its neighbour tells the two
apart.

The second part learns an event from runs whose outcomes hardly ever repeat: a region of numbers.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pac_stability import data
from pac_stability.arguments import described
from pac_stability.audit import labels
from pac_stability.audit.calling import called, in_names
from pac_stability.data.distribution import frozen
from pac_stability.errors import InvalidInput, PacStabilityError
from pac_stability.learning import rows_of
from pac_stability.randomness import SeededCoins

O = TypeVar("O")  # noqa: E741  # an outcome


@dataclass(frozen=True, slots=True, repr=False)
class Raised:
    """The outcome of a run that ended with an error.

    Attributes
    ----------
    kind
        The error's type.
    said
        Its text, which is no part of the outcome.
    """

    kind: str
    said: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"{self.kind} raised"


def measurement(
    measure: Callable[..., object],
    *,
    takes: Callable[..., object] = list,
    release: Callable[..., object] | None = None,
) -> Callable[[object], object]:
    """Return a black box that calls a measurement of some library, such as OpenDP.

    Parameters
    ----------
    measure
        What is called with the rows.
    takes
        Makes of a sample what ``measure`` takes: by default a list.
    release
        Makes of what is returned the outcome that is published; by default it is the outcome.

    Returns
    -------
    Callable
        A function of a sample, for :func:`~pac_stability.audit.privacy_bound`. An error that it
        raises is an outcome, :class:`Raised`; lists, arrays and dictionaries are outcomes by value.

    Raises
    ------
    InvalidInput
        ``measure`` cannot be called.

    Examples
    --------
    >>> from pac_stability.audit import privacy_bound
    >>> largest = measurement(max)
    >>> found = privacy_bound(largest, [((), (1,))], runs=200, claim=1)
    >>> found.verdict.name, found.evidence.event, found.errors
    ('REFUTED', (ValueError raised,), 200)
    """
    if not callable(measure):
        raise InvalidInput(
            "measure", described(measure), "a function of rows, or an object like one"
        )

    def measured(sample: object) -> object:
        try:
            returned = measure(takes(sample))
            return frozen(returned if release is None else release(returned))
        except (PacStabilityError, MemoryError, RecursionError):
            raise  # about the question or the machine, and not about the sample
        except Exception as error:  # whatever a stranger's code raises is its outcome
            return Raised(type(error).__name__, str(error))

    return measured


def estimator(
    factory: Callable[[], object],
    points: Iterable[object] = (),
    *,
    release: Callable[..., object] | None = None,
) -> Callable[[object], object]:
    """Return a black box that fits an estimator, as diffprivlib or interpret have them.

    Parameters
    ----------
    factory
        Makes an estimator, for each run another one: its class, or a function without arguments.
    points
        What the fitted estimator is asked for predictions at: the outcome is the tuple of these.
    release
        Makes of a fitted estimator what is published, in place of predictions: a function such as
        ``lambda model: model.coef_``.

    Returns
    -------
    Callable
        A function of a sample, as :func:`measurement` returns; a sample without labels is fitted
        as rows alone.

    Raises
    ------
    InvalidInput
        ``factory`` is no function, or there is neither a point nor a ``release``.

    Examples
    --------
    >>> from pac_stability import Sample
    >>> class Majority:
    ...     def fit(self, X, y):
    ...         self.label = int(2 * sum(y) > len(y))
    ...     def predict(self, X):
    ...         return [self.label for _ in X]
    >>> estimator(Majority, [0, 1])(Sample([0, 0, 1], [1, 1, 0]))
    (1, 1)
    """
    if not callable(factory):
        raise InvalidInput("factory", described(factory), "a function that makes an estimator")
    asked = tuple(points)
    if (release is None) == (not asked):
        raise InvalidInput("points", f"{len(asked)} of them", "points, or a release in their place")

    def published(table: tuple[object, ...]) -> object:
        model = cast("Any", factory())
        returned = model.fit(*table)
        model = model if returned is None else returned
        return model.predict(rows_of(asked)) if release is None else release(model)

    return measurement(published, takes=_table)


def _table(sample: object) -> tuple[object, ...]:
    """Return what a fit takes: rows, and labels where there are some."""
    if isinstance(sample, data.Sample):
        return rows_of(sample.points), np.array(sample.labels)
    return (rows_of(tuple(cast("Iterable[object]", sample))),)


class _Seeded(np.random.Generator):
    """Coins of every language, seeded: those of NumPy, of ``random``, and the exact ones."""

    def __init__(self) -> None:
        super().__init__(np.random.PCG64(0))
        self._more = np.random.RandomState(0), random.Random(0)  # noqa: S311  # no secret is drawn
        self._exact = SeededCoins(0)

    def choice(self, *given: Any, **how: Any) -> Any:  # of anything, as in both languages
        return self._exact.choice(*given, **how)

    def __getattr__(self, name: str) -> object:
        found = (one for one in self._more if name != "randint" and hasattr(one, name))
        return getattr(next(found, self._exact), name)


def fed(run: Callable[..., O], *, predicts: bool = False) -> Callable[..., O]:
    """Return a black box as a function of one input, which has its coins.

    Parameters
    ----------
    run
        A function of one input, or of an input and coins, in whatever order names tell.
    predicts
        Whether inputs are pairs (sample, point): then it may also take the two apart.

    Raises
    ------
    InvalidInput
        It takes something else.

    Examples
    --------
    >>> fed(lambda rng, rows: sum(rows) + rng.integers(3))([1, 2]) in {3, 4, 5}
    True
    """
    if not callable(run):
        raise InvalidInput("run", described(run), "a function of one input, and of coins")
    function = cast("Callable[..., O]", called(run, predicts=predicts))
    takes = labels.called_with(function)[1:]
    apart = predicts and takes[:1] == ["point"]
    if takes[apart:] not in ([], ["coins"]):
        wanted = "a function of one input, or of (rows, rng)"
        raise InvalidInput("run", in_names(run), wanted + " or (sample, point, rng)" * predicts)
    if not takes:
        return function
    coins = (_Seeded(),) * ("coins" in takes)
    if apart:
        return lambda question: function(*cast("tuple[object, object]", question), *coins)
    return lambda sample: function(sample, *coins)


# An event to test, learned from runs whose outcomes hardly ever repeat: a region of numbers
#
# If outcomes repeat, an event is a set of them. Continuous ones do not: each occurs once, so a set
# of outcomes from the learning runs never occurs again. So these are regions: half-lines of an
# outcome's numbers, values of its labels, and intersections of these. The choice of a region is
# only a rule of thumb. Other runs test it, so a worse region makes the bound weaker, never wrong.

Mask: TypeAlias = npt.NDArray[np.bool_]
Score: TypeAlias = Callable[[int, int], float]
"""How good an event looks, given how often it came on either input; 0 or less if it is useless."""

_STEPS = 33
_LABELS = 12
_MOST = 5


@dataclass(frozen=True, slots=True)
class Part:
    """One condition on an outcome: a coordinate is at least, at most, or equal to a value.

    Attributes
    ----------
    place
        Of the coordinate; ``None`` for an outcome that is not a tuple.
    relation
        ``>=``, ``<=`` or ``==``.
    value
        The value to compare with.
    """

    place: int | None
    relation: str
    value: object

    def __call__(self, outcome: object) -> bool:
        """Return whether an outcome meets the condition."""
        values = dict(_coordinates(outcome))
        if self.place not in values:
            return False
        found = values[self.place]
        if self.relation == "==":
            return type(found) is type(self.value) and found == self.value
        number, bound = _number(found), _number(self.value)
        return number >= bound if self.relation == ">=" else number <= bound  # of NaN neither

    def __str__(self) -> str:
        named = "outcome" if self.place is None else f"outcome[{self.place}]"
        shown = f"{self.value:.6g}" if isinstance(self.value, float) else repr(self.value)
        return f"{named} {self.relation} {shown}"


@dataclass(frozen=True, slots=True)
class Region:
    """The outcomes that meet all of some conditions."""

    parts: tuple[Part, ...]

    def __call__(self, outcome: object) -> bool:
        """Return whether an outcome lies in it."""
        return all(part(outcome) for part in self.parts)

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts))


def hardly_repeats(one: Counter[object], other: Counter[object]) -> bool:
    """Return whether outcomes hardly repeat, so that a set of them makes a weak event."""
    return 4 * (len(one) + len(other)) > one.total() + other.total()


def learned_region(one: Counter[object], other: Counter[object], score: Score) -> Region | None:
    """Return a region that is frequent on one input and rare on the other; ``None`` if none is.

    Parameters
    ----------
    one, other
        The outcomes of the learning runs.
    score
        What is made large.

    Notes
    -----
    It is greedy: it takes the best condition, then the one that improves it most, and so on up to
    five. Each step tries 33 quantiles of each coordinate, in time O(runs) for each.

    Examples
    --------
    >>> here, there = Counter(k / 7 for k in range(99)), Counter(k / 7 - 7 for k in range(99))
    >>> print(learned_region(here, there, lambda mine, theirs: mine - 3 * theirs))
    outcome >= 7
    """
    outcomes = [*one.elements(), *other.elements()]
    first = np.arange(len(outcomes)) < one.total()
    candidates = list(_candidates(outcomes))
    chosen: tuple[Part, ...] = ()
    inside, best = np.ones(len(outcomes), dtype=np.bool_), 0.0
    while len(chosen) < _MOST:
        found: tuple[float, Part, Mask] | None = None
        for part, mask in candidates:
            both = inside & mask
            mine = int((both & first).sum())
            value = score(mine, int(both.sum()) - mine)
            if value > best and (found is None or value > found[0]):
                found = value, part, both
        if found is None:
            break
        best, part, inside = found
        chosen = (*chosen, part)
    return Region(chosen) if chosen else None


def _candidates(outcomes: Sequence[object]) -> Iterator[tuple[Part, Mask]]:
    """Yield conditions, and which outcomes meet each."""
    rows = [dict(_coordinates(outcome)) for outcome in outcomes]
    places = dict.fromkeys(place for row in rows for place in row)
    for place in places:
        column = [row.get(place, _ABSENT) for row in rows]
        numbers = np.array([_number(x) for x in column])
        known = numbers[~np.isnan(numbers)]
        if len(known):
            steps = np.quantile(known, np.linspace(0, 1, _STEPS), method="nearest")
            for step in dict.fromkeys(steps.tolist()):
                yield Part(place, ">=", step), numbers >= step
                yield Part(place, "<=", step), numbers <= step
        common = Counter(x for x in column if x is not _ABSENT).most_common(_LABELS)
        for value, times in common:
            if times > 1:
                same = [type(x) is type(value) and x == value for x in column]
                yield Part(place, "==", value), np.array(same, dtype=np.bool_)


_ABSENT = object()


def _coordinates(outcome: object) -> Iterator[tuple[int | None, object]]:
    """Yield the places and values of a tuple; any other outcome is one value."""
    if isinstance(outcome, tuple):
        yield from enumerate(outcome)
    else:
        yield None, outcome


def _number(value: object) -> float:
    """Return a number as a float; NaN for a truth value, and all that is none."""
    if isinstance(value, bool) or not isinstance(
        value, int | float | Fraction | np.integer | np.floating
    ):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
