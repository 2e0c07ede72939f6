"""The tape: the exact law of a program that draws only through ``Coins``.

The program is run once for each path of its coins. In the first run every draw gets its first
possible answer; each later run replays the answers of the previous path up to the deepest draw that
has an untried answer, and takes that one (depth-first search).
"""

from __future__ import annotations

import math
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache, wraps
from heapq import heappop, heappush
from itertools import chain, count
from types import GeneratorType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    NoReturn,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    cast,
)

from pac_stability._alarm import TimeIsUp
from pac_stability.arguments import as_fraction, as_size, described, require_value
from pac_stability.arithmetic import Interval
from pac_stability.data.distribution import (
    LEAVES,
    UNDECIDED,
    EnclosedDistribution,
    FiniteDistribution,
    frozen,
    in_order,
    opened,
    reduced_law,
)
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.randomness import (
    SYSTEM_COINS,
    Coins,
    ExactGenerator,
    InexactDraw,
    WeightedChoice,
)
from pac_stability.randomness.horizon import Beyond, Exact, Factor, Far, Horizon, Published, plain
from pac_stability.randomness.laws import bell
from pac_stability.randomness.lazy_number import LazyNumber, exact_number
from pac_stability.randomness.tails import folded, one_sided, table, two_sided
from pac_stability.randomness.undecided import inexact
from pac_stability.randomness.watch import Owner, assume, next_law, owner_of_frame, report, watched

Out = TypeVar("Out")
Out_co = TypeVar("Out_co", covariant=True)

MAX_PATHS = 1_000_000
MAX_DRAWS = 1_000

TRIED = 16
TRIED_OF = 8
"""Of so many laws under a watch, and then of one in so many, paths are run a second time."""

LIKE_VALUES = (
    "choose({weights}) draws an index by weights, the first of which is 0: these look like values, "
    "from which choice(values) draws."
)
"""What is said of a program whose weights may be meant as what is drawn."""

ASKED = "It asked its coins."
"""What a watch is told of a program that asks a question: see :func:`assume`."""

ASKED_FOR_ONE = "It asked its coins for one of one."
"""What it says of a program that drew one of one on a sample: nothing random yet."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of a program from its coins, and its answer on one path.

    Attributes
    ----------
    question
        The method of :class:`~pac_stability.randomness.Coins`: ``below``, ``choose`` or
        ``bernoulli``.
    argument
        The argument of the draw: the bound, the tuple of weights, or the probability.
    answer
        The integer that was drawn.

    Examples
    --------
    >>> print(Draw("below", 6, 2))
    below(6)=2
    """

    question: str
    argument: object
    answer: int

    def __str__(self) -> str:
        return f"{self.question}({described(self.argument)})={self.answer}"


@dataclass(frozen=True, slots=True)
class Path(Generic[Out_co]):
    """One way in which the coins of a program can fall.

    Attributes
    ----------
    outcome
        What the program returned.
    probability
        The probability of the path, positive.
    draws
        The draws and their answers, in order.
    """

    outcome: Out_co
    probability: Fraction
    draws: tuple[Draw, ...]


class TapeExhausted(BudgetExhausted):
    """A program has more paths, or a longer path, than the tape was allowed.

    Attributes
    ----------
    path
        The draws of the path on which the budget ended, oldest first.
    settled
        The total probability of the paths that were finished.
    """

    def __init__(self, message: str, path: tuple[Draw, ...], settled: Fraction) -> None:
        super().__init__(message)
        self.path = path
        self.settled = settled

    def __reduce__(self) -> tuple[type[TapeExhausted], tuple[str, tuple[Draw, ...], Fraction]]:
        return type(self), (str(self), self.path, self.settled)


def enumerate_law(
    program: Callable[[ExactGenerator], Out],
    *,
    max_paths: int = MAX_PATHS,
    max_draws: int = MAX_DRAWS,
    inside: bool = False,
) -> FiniteDistribution[Out]:
    """Return the exact law of the value that a program returns.

    Parameters
    ----------
    program
        A function that takes its randomness only from the ``Coins`` it is given, and returns a
        hashable value. Apart from the coins it must do the same at each of its runs.
    max_paths
        The largest number of paths to follow.
    max_draws
        The largest number of draws on one path; it stops programs that do not terminate.
    inside
        Whether to follow the coins inside mechanisms as well. By default a run of a mechanism of
        the library counts as one draw from its law; tests of samplers follow the coins inside.

    Returns
    -------
    FiniteDistribution
        Outcomes in the order in which the paths reach them.

    Raises
    ------
    TapeExhausted
        A limit was reached; the exception carries the path and the total probability of the
        finished paths.
    HiddenDraw
        The program drew from something besides its coins, such as ``random``, the clock or the
        operating system: :mod:`pac_stability.randomness.watch`. The message names the line.
    InvalidInput
        The program made different draws after the same answers, returned different outcomes after
        the same path, made an impossible draw such as ``below(0)``, or returned a value that is not
        hashable. An exception of the program itself passes through, with a note of the path.

    Notes
    -----
    The program runs once for each path. On top of its own time this costs a few microseconds for
    each path and about one for each draw. A draw from a list of k weights copies the list at each
    run, in time O(k); a draw from a :class:`~pac_stability.randomness.WeightedChoice` that the
    program keeps does not. It needs the memory of one path and of the law. Probabilities are
    accumulated as integers. Answers of probability zero are not followed.

    The tape always notices when a replay makes different draws. Only the paths number 0, 1, 2, 4,
    8, ... run a second time to compare outcomes; of many laws under one watch, as in an audit,
    those of the first 16 and of one in 8 that follow. So a program can pass if it rarely depends on
    something else that cannot be watched, such as a value kept from an earlier run.

    Examples
    --------
    >>> def two_dice(rng: Coins) -> int:
    ...     return rng.below(6) + rng.below(6) + 2
    >>> enumerate_law(two_dice).probability(7)
    Fraction(1, 6)
    """
    tape = _Tape(max_paths, max_draws, None if inside else {}, Horizon())
    law = watched(lambda: _until_settled(program, tape, explore=False))
    if isinstance(law, EnclosedDistribution):
        raise law_left_open(law)
    return law


def explored_law(
    program: Callable[[ExactGenerator], Out],
    *,
    max_paths: int = MAX_PATHS,
    max_draws: int = MAX_DRAWS,
    inside: bool = False,
    horizon: Horizon | None = None,
    named: Callable[[object], object] | None = None,
) -> FiniteDistribution[Out] | EnclosedDistribution[Out | str]:
    """Return the law of the value that a program returns, as far as the tape followed its paths.

    Parameters
    ----------
    program, max_paths, max_draws, inside
        As for :func:`enumerate_law`.
    horizon
        How precisely noisy numbers are resolved; a fresh one by default.
    named
        What to take of an outcome in its place, once it is a value.

    Returns
    -------
    FiniteDistribution or EnclosedDistribution
        The law is enclosed when some paths did not end. Their probability may belong to any
        outcome, including one that was not seen; ``OPEN`` stands for that one.
    """
    tape = _Tape(max_paths, max_draws, None if inside else {}, horizon or Horizon())
    return watched(lambda: _until_settled(program, tape, explore=True, named=named))


def _law(
    valued: Callable[[ExactGenerator], _Results], tape: _Tape, *, explore: bool
) -> FiniteDistribution[Out] | EnclosedDistribution[Out | str]:
    # Numerators of results, by their places, for each denominator that a path had: there are few.
    places: dict[_Result, int] = {}
    totals = tape.totals = {}
    tape.factors.clear()
    number = next_law()
    tried = number < TRIED or number % TRIED_OF == 0
    deep = PROBED
    for finished, run in enumerate(_runs(valued, tape)):
        if explore and len(run.path) > deep:
            deep = 2 * len(run.path)
            turns = (i for i, each in enumerate(run.path) if each.answer != each.answers[0])
            _require_end(valued, run.path[: max(turns, default=len(run.path) - 2) + 1], tape)
        if explore and finished >= LIKELIEST and len(run.path) > _DEEP and tape.rounded:
            raise _exhausted(f"more than {LIKELIEST} paths of a law that is left open", run.path)
        if run.path and not finished:
            drawn = any(len(question.answers) > 1 for question in run.path)
            assume(ASKED if drawn else ASKED_FOR_ONE)
        if tried and finished & (finished - 1) == 0:  # 0, 1, 2, 4, 8, ...
            _require_repetition(valued, run, tape)
        numerators = totals.setdefault(run.denominator, {})
        for result, numerator in _shares(run.outcome, run.path):
            place = places.setdefault(result, len(places))
            numerators[place] = numerators.get(place, 0) + numerator
        tape.finished = finished + 1
    common, counts = math.lcm(*totals), [0] * len(places)
    for denominator, numerators in totals.items():
        scale = common // denominator
        for place, numerator in numerators.items():
            counts[place] += scale * numerator
    left = common - sum(counts)
    if left or any(tails for _, tails in places):
        weights = dict(zip(places, counts, strict=True))
        return _known(weights, common, Fraction(left, common), tape)
    outcomes = [cast("Out", outcome) for outcome, _ in places]
    return reduced_law(dict(zip(outcomes, counts, strict=True)))


_Result: TypeAlias = tuple[object, Published]
"""What a path ends with: an outcome, and what it publishes far out."""

_Results: TypeAlias = list[_Result]
"""One result of a path, or one for each answer to its last question."""


def _valued(
    program: Callable[[ExactGenerator], object], named: Callable[[object], object] | None
) -> Callable[[ExactGenerator], _Results]:
    def value(outcome: object) -> object:
        outcome = frozen(outcome)
        if named is not None:
            outcome = named(outcome)
        if type(outcome) not in _EQUAL_TO_THEMSELVES:
            require_value(outcome, "program")
        return outcome

    def valued(rng: ExactGenerator) -> _Results:
        # While its coins are open: an outcome may hold a draw that is not decided.
        coins = cast("_TapeCoins", rng)
        outcome = program(coins)
        if (leaf := type(outcome) in LEAVES) or _is_flat(outcome):
            told = coins.named(0, outcome) if leaf else coins.named_inside(outcome)
            result = value(told), coins.tails
            coins.note_shape(outcome, is_plain=True)
            return [result]
        outcome = coins.with_names(_gone_through(outcome))
        coins.last, is_plain = None, _is_plain(outcome)
        coins.publish_all(outcome, is_plain=is_plain)
        results: _Results = []
        for _ in coins.answers(is_plain=is_plain):
            results.append((value(outcome), coins.tails))
            coins.note_shape(outcome, is_plain=is_plain)
        return results

    return valued


def _gone_through(outcome: object) -> object:
    """Return an outcome with lists in place of iterators, whose questions come before it is told.

    The containers of an outcome that holds none stay what they are.
    """
    if isinstance(outcome, GeneratorType | map | zip | filter):
        return [_gone_through(each) for each in outcome]
    if type(outcome) in (list, tuple):
        parts = cast("list[object]", outcome)
        through = [_gone_through(each) for each in parts]
        same = all(one is other for one, other in zip(parts, through, strict=True))
        return outcome if same else type(parts)(through)
    if type(outcome) is dict:
        return {key: _gone_through(value) for key, value in outcome.items()}
    return outcome


def _shape(outcome: object, leaf: Callable[[object], object]) -> object:
    """Return an outcome in containers as a value, with something in place of each leaf.

    A mapping comes in the order of its keys.
    """
    outcome = opened(outcome)
    if isinstance(outcome, Mapping):
        return frozenset((key, _shape(value, leaf)) for key, value in in_order(outcome))
    if isinstance(outcome, list | tuple):
        return tuple([_shape(part, leaf) for part in outcome])
    return leaf(outcome)


_NUMBERS = (int, float, Fraction)
_EQUAL_TO_THEMSELVES = (int, bool, str)
_PLAIN = {*LEAVES, LazyNumber}


def _is_flat(outcome: object) -> bool:
    """Return whether an outcome is a tuple or a list of numbers and words."""
    parts = cast("tuple[object, ...]", outcome)
    return type(outcome) in (tuple, list) and LEAVES.issuperset(map(type, parts))


def _is_plain(outcome: object) -> bool:
    """Return whether an outcome is made of containers of numbers and words, which ask nothing."""
    leaves: list[object] = []
    _shape(outcome, leaves.append)
    return all(type(leaf) in _PLAIN for leaf in leaves)


def _shares(results: _Results, path: list[_Question]) -> list[tuple[_Result, int]]:
    """Return the results of a path and their numerators; its last question is done with then."""
    shares = [(results[0], path[-1].numerator if path else 1)]
    if len(results) > 1:
        last = path[-1]
        others = (*last.weights[: last.turn], *last.weights[last.turn + 1 :])
        numerators = [last.base * weight for weight in others]
        shares += zip(results[1:], numerators, strict=True)
        last.turn = len(others)
    return shares


def _known(
    found: Mapping[_Result, int | Fraction], whole: int, left: Fraction, tape: _Tape
) -> FiniteDistribution[Any] | EnclosedDistribution[Any]:
    """Return the law of what was found, by its weights, of which a share may be left open."""
    before = tape.horizon.version
    told = tape.horizon.told_apart(found.items())
    if tape.horizon.version != before:
        raise _Again
    if left:
        return _left_open({outcome: Fraction(w) / whole for outcome, w in told.items()}, left)
    scale = math.lcm(*(weight.denominator for weight in told.values()))
    return reduced_law({outcome: int(weight * scale) for outcome, weight in told.items()})


def _left_open(found: dict[Out, Fraction], left: Fraction) -> EnclosedDistribution[Out | str]:
    """Return a law of which a share may be of any outcome, seen or not."""
    shares: dict[Out | str, Interval] = {
        outcome: Interval(p, min(p + left, Fraction(1))) for outcome, p in found.items()
    }
    return EnclosedDistribution({**shares, OPEN: Interval(Fraction(0), left)})


def enumerate_paths(
    program: Callable[[ExactGenerator], Out],
    *,
    max_paths: int = MAX_PATHS,
    max_draws: int = MAX_DRAWS,
    inside: bool = False,
) -> Iterator[Path[Out]]:
    """Yield every path of a program's coins, one run of the program at a time.

    Parameters
    ----------
    program, max_paths, max_draws, inside
        As for :func:`enumerate_law`; the returned values need not be hashable.

    Returns
    -------
    iterator of Path
        In lexicographic order of the answers; the probabilities sum to one.

    Raises
    ------
    TapeExhausted, InvalidInput
        As for :func:`enumerate_law`, while iterating.

    Notes
    -----
    Memory is that of one path.

    Examples
    --------
    >>> def until_heads(rng: Coins) -> int:
    ...     return next((k for k in range(3) if rng.bernoulli(Fraction(1, 2))), 3)
    >>> for path in enumerate_paths(until_heads):
    ...     print(path.outcome, path.probability, *path.draws)
    3 1/8 bernoulli(Fraction(1, 2))=0 bernoulli(Fraction(1, 2))=0 bernoulli(Fraction(1, 2))=0
    2 1/8 bernoulli(Fraction(1, 2))=0 bernoulli(Fraction(1, 2))=0 bernoulli(Fraction(1, 2))=1
    1 1/4 bernoulli(Fraction(1, 2))=0 bernoulli(Fraction(1, 2))=1
    0 1/2 bernoulli(Fraction(1, 2))=1
    """
    tape = _Tape(max_paths, max_draws, None if inside else {}, Horizon())
    for run in _runs(program, tape):
        yield Path(run.outcome, Fraction(run.numerator, run.denominator), _draws(run.path))


@dataclass(slots=True, eq=False)
class _Question:
    """A question on the path that is being followed, and which of its answers was given."""

    kind: str
    argument: object
    answers: Sequence[int]  # those of positive probability
    weights: Sequence[int]  # theirs, integers; empty when each answer has weight 1
    total: int  # sum of the weights
    # The path up to here and each answer has probability base * weight / denominator.
    base: int
    denominator: int
    answer: int
    turn: int = 0

    @property
    def numerator(self) -> int:
        """Numerator of the probability of the path up to the answer given."""
        return self.base * self.weights[self.turn] if self.weights else self.base

    @property
    def settled(self) -> Fraction:
        """Probability of the paths that left this one here, with an earlier answer."""
        before = sum(self.weights[: self.turn]) if self.weights else self.turn
        return Fraction(self.base * before, self.denominator)

    def others(self) -> Iterator[_Question]:
        """Yield the question with each of its other answers, as far as one can go through them."""
        several = len(self.weights) if self.weights else self.total
        for turn in range(several) if several <= MAX_PATHS else ():
            if turn != self.turn:
                yield replace(self, turn=turn, answer=self.answers[turn])

    def turn_around(self) -> None:
        """Have the last answer first."""
        self.answers, self.weights = self.answers[::-1], self.weights[::-1]
        self.answer = self.answers[0]

    def advance(self) -> bool:
        """Turn to the next answer; return whether there is one."""
        self.turn += 1
        # The number of answers: not len(answers), which fails for a range of 2^63 and more.
        if self.turn == (len(self.weights) if self.weights else self.total):
            return False
        self.answer = self.answers[self.turn]
        return True


class Lawful(Protocol):
    """An object with a law: a mechanism, as the tape sees it."""

    def law(self, x: Any, /) -> FiniteDistribution[Any]:
        """Return the law of the output."""
        ...


_Laws: TypeAlias = dict[object, tuple[Lawful, FiniteDistribution[object]]]
"""The laws of what was run, by mechanism and input, each with its mechanism, kept alive."""


@dataclass
class _Tape:
    """What all runs of one program share: limits, laws of mechanisms, the horizon, and progress."""

    max_paths: int
    max_draws: int
    laws: _Laws | None
    horizon: Horizon
    factors: dict[object, dict[int, int]] = field(default_factory=dict)
    finished: int = 0
    totals: dict[int, dict[int, int]] = field(default_factory=dict)
    rounded: bool = False  # whether a share of the last path was left open

    def so_far(self) -> str:
        """Say how many paths are known, and their probability."""
        parts = (Fraction(sum(each.values()), whole) for whole, each in self.totals.items())
        settled = _mass(sum(parts, Fraction()))
        fine = any(unit.denominator > 1 for unit in self.horizon.units.values())
        fewer = "; --grid 1 has fewer steps" if fine else ""
        return f" ({self.finished:,} paths are known, of probability {settled}{fewer})"


class _First(Enum):
    """Which answer a new question on a path has at first."""

    IN_TURN = "the first"
    LIKELIEST = "the likeliest"
    AS_BEFORE = "that of the last such question"


class _Again(Exception):
    """The horizon was changed: what was published so far is told apart otherwise now."""


class _Wider(_Again):
    """A window became wider, of a number that no question on the path was about."""


class _LeftOpen(Exception):
    """A path is not followed to its end."""


OPEN = "what was left open"
"""The outcome of paths that were not followed to their end."""

LEFT_OPEN = 64
"""Paths are followed, the likeliest first, until all but ``2**-LEFT_OPEN`` is settled."""


PROBED = 64
"""Beyond so many draws on a path it is looked whether the program has an end."""

_LONG, _LONGEST = 1 << 10, 1 << 17
"""Such a path is followed no further where a draw, and all of it, have weights of so many bits."""

_BESIDE = 8
"""So many numbers at most are told for one place of an outcome: itself, and what is beside it."""

_ROUND = 16
"""A question of so many before is looked for that is the same."""

LIKELIEST = 1 << 11
"""So many paths are followed, the likeliest first, of a program that has too many."""

_DEEP = 10
"""With more draws than this, and a share that is left open anyway, there are too many."""


def _until_settled(
    program: Callable[[ExactGenerator], Out],
    tape: _Tape,
    *,
    explore: bool,
    named: Callable[[object], object] | None = None,
) -> FiniteDistribution[Out] | EnclosedDistribution[Out | str]:
    """Return the law, of all paths in order, or else of the likeliest."""
    _require_program(program)
    valued = _valued(program, named)
    while True:
        tape.finished, tape.totals = 0, {}
        try:
            try:
                return _law(valued, tape, explore=explore)
            except TapeExhausted as stopped:
                if not explore:
                    raise
                reason = stopped
            tape.finished, tape.totals = 0, {}
            return _likeliest_first(valued, tape, reason)
        except _Again:
            continue
        except (KeyboardInterrupt, TimeIsUp) as stop:
            stop.add_note(tape.so_far())
            raise


def _likeliest_first(
    valued: Callable[[ExactGenerator], _Results], tape: _Tape, reason: Exception
) -> FiniteDistribution[Out] | EnclosedDistribution[Out | str]:
    """Follow paths in the order of their probability; what is left open may be of any outcome."""
    assume(ASKED)
    tape.factors.clear()
    shares: dict[_Result, list[tuple[int, int]]] = {}
    settled = 0  # a little less than what is, in units of a 2^256th
    numbers = count()
    waiting: list[tuple[float, int, list[_Question]]] = [(-1.0, next(numbers), [])]
    most = LIKELIEST if tape.max_paths == MAX_PATHS else tape.max_paths
    for number in range(most):
        if number > LIKELIEST >> 4 and not shares:  # it may have no end at all
            break
        if not waiting or (1 << 256) - settled <= 1 << 256 - LEFT_OPEN:
            break
        path = heappop(waiting)[2]
        known = len(path)
        results: _Results = []
        with suppress(_LeftOpen, TapeExhausted):
            results = _follow(valued, path, tape, _First.LIKELIEST)
            denominator = path[-1].denominator if path else 1
            for result, numerator in _shares(results, path):
                shares.setdefault(result, []).append((numerator, denominator))
                settled += (numerator << 256) // denominator
            tape.finished, tape.totals = tape.finished + 1, {1 << 256: {0: settled}}
        for place in range(known, len(path) - (len(results) > 1)):
            for other in path[place].others():
                chance = -other.numerator / other.denominator
                heappush(waiting, (chance, next(numbers), [*path[:place], other]))
    common = 1 << 256  # what is rounded away is left open
    if not waiting:
        common = math.lcm(*{below for several in shares.values() for _, below in several})
    found = {
        result: Fraction(sum(above * common // below for above, below in several), common)
        for result, several in shares.items()
    }
    left = 1 - sum(found.values(), Fraction())
    if left and not found:
        raise reason
    return _known(found, 1, left, tape)


def law_left_open(law: EnclosedDistribution[object]) -> TapeExhausted:
    """Return the error for a law that is only partly known."""
    left = law.probability(OPEN).upper
    return TapeExhausted(f"paths without an end (settled so far: {_mass(1 - left)})", (), 1 - left)


class _Order(threading.local):
    backwards = False


_order = _Order()


@contextmanager
def backwards() -> Iterator[None]:
    """Follow paths in the opposite order: the same law, unless something is kept in between."""
    before, _order.backwards = _order.backwards, True
    try:
        yield
    finally:
        _order.backwards = before


class _EndOfTape(BaseException):
    """Leaves a program, even one that catches ``Exception``, when its tape has failed."""


class _TapeCoins(ExactGenerator):
    """The coins of one run: answers from the path as far as it goes, then extends it.

    A refusal ends the run whatever the program does about it, and there is one of these for a run:
    a copy would give the same answers, where coins give others.
    """

    __slots__ = ("_alone", "_apart", "_first", "_laws", "_limit", "_number", "_open", "_path",
                 "_published", "_tape", "failure", "last", "position", "rounded", "tails",
                 "ways")  # fmt: skip

    def __init__(self, path: list[_Question], tape: _Tape, first: _First) -> None:
        self._path = path
        self._limit = tape.max_draws
        self._laws = tape.laws
        self._tape = tape
        self._first = first
        self._published = 0
        self._alone = False  # whether what is published now depends on nothing else in an outcome
        self._number = 0
        self._apart: dict[int, tuple[int, int]] = {}
        self._open = True
        self.position = 0
        self.ways, self.rounded = 1, False
        self.tails: Published = ()
        self.failure: Exception | None = None
        self.last: tuple[LazyNumber, Callable[[int], object], Published] | None = None

    @property
    def _taken_for(self) -> type:
        """What others take it for, such as ``sample`` of pandas: it has the methods of that."""
        numpy = sys.modules.get("numpy.random")
        return type(self) if numpy is None else cast("type", numpy.Generator)

    if not TYPE_CHECKING:
        __class__ = _taken_for

    def spawn(self, n_children: int) -> list[_TapeCoins]:
        """Return generators that draw independently, as NumPy's does."""
        return [self] * n_children

    def below(self, n: int, /) -> int:
        return self._answer("below", n)

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        # A list might be changed before it is asked about again, and copying and comparing it takes
        # time at each run. Prepared weights never change, and are mostly the very same object.
        values = type(weights) in (list, tuple) and list(weights) == [*range(len(weights))] != [0]
        if values and owner_of_frame(sys._getframe(1)) is Owner.USER:
            assume(LIKE_VALUES.format(weights=described(list(weights))))
        prepared = isinstance(weights, WeightedChoice) or not isinstance(weights, Iterable)
        return self._answer("choose", weights if prepared else tuple(weights))

    def bernoulli(self, p: int | Fraction, /) -> int:
        return self._answer("bernoulli", p)

    def law_of(self, mechanism: Lawful, x: object, /) -> FiniteDistribution[object] | None:
        """Return the law from which a mechanism draws, unless its coins are to be followed."""
        if self._laws is None:
            return None
        try:
            key = (id(mechanism), type(x), x)
            if (known := self._laws.get(key)) is not None:
                return known[1]
        except TypeError:  # not hashable
            return mechanism.law(x)
        law = mechanism.law(x)
        self._laws[key] = (mechanism, law)
        return law

    def two_sided(  # type: ignore[override]  # what it returns compares as an integer does
        self, decay: Fraction, around: object, /
    ) -> LazyNumber:
        return LazyNumber.of(self, two_sided(decay)) + around

    def one_sided(  # type: ignore[override]  # what it returns compares as an integer does
        self, decay: Fraction, around: object, /
    ) -> LazyNumber:
        return LazyNumber.of(self, one_sided(decay)) + around

    def bell_shaped(  # type: ignore[override]  # as above
        self, variance: Fraction, around: object, /
    ) -> LazyNumber:
        return self._mostly(*bell(variance)) + around

    _endless = object

    def _trials(self, p: Fraction) -> int:
        return cast("int", self.one_sided(1 - p, 1))

    def _tabled(
        self, law: Callable[[int], tuple[int, WeightedChoice]], scale: Fraction
    ) -> LazyNumber:
        grid = self._grid_of(scale)
        return self._table(*law(grid), Fraction(1, grid), smooth=True)

    def _mostly(self, low: int, weights: WeightedChoice) -> LazyNumber:
        return self._table(low, weights, 1, smooth=False)

    def _table(self, low: int, weights: WeightedChoice, unit: Exact, *, smooth: bool) -> LazyNumber:
        self.nearly((weights.total - weights[-1], weights[-1]))
        shares = tuple(Fraction(each, weights.total) for each in weights[:-1])
        return LazyNumber.of(self, table(low, shares), unit, smooth=smooth)

    def _horizon(self) -> Horizon:
        return self._tape.horizon

    def _smooth(self, scale: Fraction, *, both: bool) -> LazyNumber:
        decay, unit = self._on_the_grid(scale)
        weights = two_sided(decay) if both else folded(decay)
        return LazyNumber.of(self, weights, unit, smooth=True)

    def window(
        self, low: Exact, high: Exact, unit: Exact, phase: Exact, /
    ) -> tuple[Exact, Exact, Exact]:
        horizon, place = self._tape.horizon, self._published
        if not horizon.covers(place, low, high, unit):
            self._fail(_Wider())
        self._published += 1
        return (*horizon.windows[place], phase if horizon.units[place] else 0)

    def publish(self, side: int, phase: Exact, unit: Exact, tail: Beyond, /) -> Far:
        place = self._published - 1
        far = Far(place, side, self._tape.horizon.windows[place][side], phase)
        self.tails = (*self.tails, (far, unit, tail))
        return far

    def told_of(self, factor: Factor, /) -> tuple[int, ...] | None:
        horizon, place = self._tape.horizon, self._published - 1
        if place not in horizon.kept:
            return None
        before = horizon.version
        if self._alone:
            law = horizon.known(place, factor)
        else:
            horizon.tell_whole([place])
        if horizon.version != before:
            self._fail(_Again())
        self._apart[self._number] = place, law
        return horizon.kept[place]

    def publish_all(self, outcome: object, /, *, is_plain: bool) -> None:
        """Publish the numbers with noise that an outcome holds in containers.

        Those that depend on nothing else in it are independent, given what a path says.
        """
        leaves: list[object] = []
        _shape(outcome, leaves.append)
        numbers = {id(leaf): leaf for leaf in leaves if type(leaf) is LazyNumber}
        if not numbers:
            return
        # Each place of an outcome has its own window, whether a number with noise stands there.
        places = {id(leaf): _BESIDE * at for at, leaf in enumerate(leaves)}
        crowds = {key: number.crowd() for key, number in numbers.items()}
        often = Counter(chain.from_iterable(crowds.values()))
        horizon, sizes, ways = self._tape.horizon, dict[int, int](), 1
        for key, number in numbers.items():
            crowd, place = crowds[key], places[key]
            self._published = place
            self._alone = is_plain and all(often[n] == 1 for n in crowd)
            self._number = key
            number.seen()
            if place < self._published and place not in horizon.kept:
                ways *= horizon.size(place)
            if self._alone and place < self._published:
                sizes[place] = horizon.size(place)
        self._alone = False
        if len(sizes) > 1:
            self._restart_if(lambda horizon: horizon.spread(sizes))
        self._restart_if(lambda horizon: horizon.coarsen(ways))

    def with_names(self, outcome: object, /) -> object:
        """Return an outcome with names for plain numbers where other outcomes have noise.

        A real number with noise equals none of them, though a step of the grid would.
        """
        leaves = list[Any]()
        _shape(outcome, leaves.append)
        new = frozenset(at for at, leaf in enumerate(leaves)
                        if type(leaf) in UNDECIDED and leaf.is_continuous)  # fmt: skip
        self._restart_if(lambda horizon: horizon.notice(new))
        return self.named_inside(outcome)

    def named_inside(self, outcome: object, /) -> object:
        """Return an outcome with a name for each number where others have noise."""
        continuous = self._tape.horizon.continuous
        if not continuous:
            return outcome
        places, leaves = count(), list[object]()
        _shape(outcome, leaves.append)
        if not any(type(leaves[at]) in _NUMBERS for at in continuous if at < len(leaves)):
            return outcome
        return _shape(outcome, lambda leaf: self.named(next(places), leaf))

    def named(self, place: int, leaf: object, /) -> object:
        """Return a leaf of an outcome, or its name where others have noise."""
        if place not in self._tape.horizon.continuous or type(leaf) not in _NUMBERS:
            return leaf
        number = exact_number(leaf)
        return leaf if number is None else f"exactly {plain(number)}"

    def note_shape(self, outcome: object, /, *, is_plain: bool) -> None:
        """Require that the numbers of which few places are told apart are factors of the law.

        They are if in outcomes of one shape they stand in the same places, and if, given all else,
        each of them has one law.
        """
        horizon, apart = self._tape.horizon, self._apart
        if not horizon.kept:
            return
        if not is_plain:
            self._restart_if(lambda horizon: horizon.tell_whole(horizon.kept))

        def place(leaf: object) -> object:
            return apart[id(leaf)][0] if id(leaf) in apart else "="

        def told(leaf: object) -> object:
            if id(leaf) in apart:
                return "#"
            return leaf.seen() if type(leaf) is LazyNumber else leaf

        def bare(leaf: object) -> object:
            return "#" if isinstance(leaf, int | float | LazyNumber) else leaf

        shape, mask = _shape(outcome, bare), _shape(outcome, place)
        laws = dict(apart.values())
        rest = (shape, _shape(outcome, told))
        others = self._tape.factors.setdefault(rest, laws)
        differ = {key for key, law in laws.items() if others.get(key) != law}
        if horizon.masks.setdefault(shape, mask) != mask:
            differ = {*horizon.kept}
        if differ:
            self._restart_if(lambda horizon: horizon.tell_whole(differ))

    def _restart_if(self, change: Callable[[Horizon], None]) -> None:
        """Change the horizon, and restart if it did change."""
        horizon = self._tape.horizon
        before = horizon.version
        change(horizon)
        if horizon.version != before:
            self._fail(_Again())

    def forget(self) -> None:
        self.tails = tuple((far, unit, ()) for far, unit, _ in self.tails)

    def told(self, number: LazyNumber, seen: Callable[[int], object], /) -> object:
        question, self.last = self._path[self.position - 1], (number, seen, self.tails)
        return seen(question.answer)

    def answers(self, *, is_plain: bool) -> Iterator[None]:
        """Go through the answers to what was asked last, if it is where a number lies.

        Nothing hangs on it then, so a program need not be run for each answer.
        """
        yield
        if is_plain and self.last is not None:
            question, (number, seen, tails) = self._path[-1], self.last
            for answer in question.answers:
                if answer != question.answer:
                    self.tails = tails
                    number.tell(seen(answer))
                    yield

    def refine(self, step: Fraction, /) -> None:
        self._restart_if(lambda horizon: horizon.refine(step))

    def nearly(self, weights: Sequence[int | Fraction], /) -> int:
        return self._answer("nearly", weights)

    def _place(self, values: Sequence[object]) -> int:
        # Paths that lead to the very same object, or to the same integer or text, are one.
        seen: Sequence[object]
        if type(values) in (list, tuple):
            seen = values if {*map(type, values)} <= {int, str} else list(map(id, values))
        elif _is_integers(values):
            seen = cast("Any", values).tolist()
        else:
            return self.below(len(values))
        if len({*seen}) == len(seen):
            return self.below(len(seen))
        often = Counter(seen)
        return seen.index(list(often)[self.choose(_in_shape(tuple(often.values())))])

    def refused(self, error: InexactDraw, /) -> NoReturn:
        self._fail(error)

    def __copy__(self) -> NoReturn:
        self._fail(_copied())

    def __deepcopy__(self, _memory: object) -> NoReturn:
        self._fail(_copied())

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        self._fail(_copied())

    def __hash__(self) -> int:
        return self._fail(
            inexact(
                "a hash of the coins, as functools.cache asks for one",
                "what they draw: it tells where they lie, and noise that is kept is no new noise",
            )
        )

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return "<coins>"  # no address, which a program could draw on

    def close(self) -> None:
        """End the run: what draws from now on comes too late to be on the path."""
        self._open = False

    def _answer(self, kind: str, argument: object) -> int:
        if not self._open:
            self._fail(
                InvalidInput(
                    "program",
                    "a draw after the program had returned, of what it kept from an earlier run",
                    "all draws made before",
                )
            )
        self.last = None
        path = self._path
        position = self.position
        if position == len(path):
            self._extend(kind, argument)
        question = path[position]
        asked = question.argument
        # Often the very same object: comparing fractions and long tuples takes time.
        if question.kind != kind or (asked is not argument and asked != argument):
            self._fail(
                InvalidInput(
                    "program",
                    f"the draw {kind}({described(argument)}) where another run made "
                    f"{question.kind}({described(asked)}), both after {_words(path[:position])}",
                    "one that depends on nothing but its coins",
                )
            )
        self.position = position + 1
        return question.answer

    def _extend(self, kind: str, argument: object) -> None:
        """Append a question to the path, with its first answer."""
        path = self._path
        try:
            question = _question(kind, argument, path)
        except InvalidInput as error:
            # Not left to the program, which might catch it and go on: the tape has no such draw.
            error.add_note(f"asked by the program after {_words(path)}")
            self._fail(error)
        if _order.backwards:
            question.turn_around()
        if len(path) >= self._limit:
            reason = f"more than max_draws={self._limit} draws on one path, does the program end?"
            short = path if self._first is _First.IN_TURN else path[:PROBED]
            self._fail(_exhausted(reason, short))
        long = question.total.bit_length() > _LONG and question.denominator.bit_length() > _LONGEST
        if long and len(path) >= PROBED:
            if self._first is _First.LIKELIEST:
                self._fail(_LeftOpen())
            self._fail(_exhausted("probabilities of very many digits", path[:PROBED]))
        if self._first is _First.AS_BEFORE:
            recent = [
                earlier
                for earlier in path[: -_ROUND - 1 : -1]
                if earlier.kind == kind and earlier.answer in question.answers
            ]
            for like in [each for each in recent if each.argument == argument] or recent[:1]:
                question.turn, question.answer = question.answers.index(like.answer), like.answer
                break
        elif self._first is _First.LIKELIEST:
            if question.base * question.total << LEFT_OPEN + 8 < question.denominator:
                self._fail(_LeftOpen())
            if question.weights:
                question.turn = max(range(len(question.weights)), key=question.weights.__getitem__)
                question.answer = question.answers[question.turn]
        path.append(question)

    def _fail(self, failure: Exception) -> NoReturn:
        if not self._open:
            # Another run may be on its way, which must not overlook it.
            if isinstance(failure, InvalidInput):
                report(failure.given)
            raise failure
        self.failure = self.failure or failure
        raise _EndOfTape


Run = TypeVar("Run", bound=Callable[..., object])


def one_draw(run: Run) -> Run:
    """Make the method ``run`` of a mechanism one draw from its law, for coins of a tape.

    Other coins draw as before, so a seed gives the same outputs.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class TwoCoins:
    ...     def law(self, x: int) -> FiniteDistribution[int]:
    ...         return FiniteDistribution.uniform([x, x + 1])
    ...     @one_draw
    ...     def run(self, x: int, /, rng: Coins) -> int:
    ...         return x + (rng.below(4) + rng.below(2)) % 2
    >>> len(list(enumerate_paths(lambda rng: TwoCoins().run(0, rng))))
    2
    >>> len(list(enumerate_paths(lambda rng: TwoCoins().run(0, rng), inside=True)))
    8
    """

    @wraps(run)
    def drawn(self: Lawful, x: object, /, rng: Coins = SYSTEM_COINS) -> object:
        law = rng.law_of(self, x) if isinstance(rng, _TapeCoins) else None
        return run(self, x, rng) if law is None else law.sample(rng)

    return cast("Run", drawn)


_in_shape = lru_cache(maxsize=1 << 10)(WeightedChoice)  # lists of few shapes are drawn from


def _is_integers(values: Sequence[object]) -> bool:
    """Return whether a sequence is an array of integers with one axis."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    return kind == "i" and getattr(values, "ndim", 0) == 1


def _copied() -> InexactDraw:
    return inexact("a copy of the coins", "the coins themselves: a copy draws what they draw")


class _Run(NamedTuple, Generic[Out]):
    """One finished run: the path, to be read before the next run, and what was returned."""

    path: list[_Question]
    numerator: int
    denominator: int
    outcome: Out


def _runs(program: Callable[[ExactGenerator], Out], tape: _Tape) -> Iterator[_Run[Out]]:
    """Run the program once for each path, in lexicographic order of the answers."""
    _require_program(program)
    max_paths = as_size(tape.max_paths, "max_paths")
    as_size(tape.max_draws, "max_draws")
    path: list[_Question] = []
    again: _Wider | None = None
    for finished in count():
        if finished == max_paths:
            raise _exhausted(f"more than max_paths={max_paths} paths", path)
        try:
            outcome = _follow(program, path, tape)
        except _LeftOpen:
            pass
        except _Wider as error:
            again = error  # the next paths may need still wider windows
        else:
            if again is not None:
                raise again
            yield _Run(path, *_probability(path), outcome)
        while path and not path[-1].advance():
            path.pop()
        if not path:
            if again is not None:
                raise again
            return


def _require_program(program: object) -> None:
    """Refuse what cannot be called."""
    if not callable(program):
        raise InvalidInput("program", described(program), "a function of its coins")


def _follow(
    program: Callable[[ExactGenerator], Out],
    path: list[_Question],
    tape: _Tape,
    first: _First = _First.IN_TURN,
) -> Out:
    """Run the program along a path, extending it with answers, and return the outcome."""
    coins = _TapeCoins(path, tape, first)
    try:
        outcome = program(coins)
    except (_EndOfTape, Exception) as error:
        if coins.failure is None:
            error.add_note(f"raised by the program after {_words(path)}")
            raise
    coins.close()
    tape.rounded = coins.rounded
    if coins.failure is not None:
        raise coins.failure
    if coins.position < len(path):
        given = f"an end after {_words(path[: coins.position])}, where another run made more draws"
        raise InvalidInput("program", given, "one that depends on nothing but its coins")
    return outcome


def _require_end(
    valued: Callable[[ExactGenerator], _Results], path: list[_Question], tape: _Tape
) -> None:
    """Raise :class:`TapeExhausted` if a path that answers as before goes on beyond the limit.

    Else a loop whose rounds may end is followed one round further on each path, up to the limit.
    """
    try:
        _follow(valued, path, tape, _First.AS_BEFORE)
    except (_Again, TapeExhausted):
        raise
    except Exception:  # noqa: S110  # the path comes in its turn
        pass


def _require_repetition(
    valued: Callable[[ExactGenerator], _Results], run: _Run[_Results], tape: _Tape
) -> None:
    """Run a path again; raise :class:`InvalidInput` if it now ends with another outcome."""
    again = _follow(valued, run.path, tape)
    if again != run.outcome:
        (first, _), (second, _) = run.outcome[0], again[0]
        raise InvalidInput(
            "program",
            f"the outcomes {described(first)} and {described(second)} of two runs, "
            f"both after {_words(run.path)}",
            "outcomes that compare by value and depend on nothing but the coins",
        )


def _question(kind: str, argument: object, path: Sequence[_Question]) -> _Question:
    """Return a question that follows a path, refusing what no coins can answer."""
    # Any value may have been given: this is where it is checked.
    if kind == "below":
        total = as_size(argument, "n", least=1)
        answers: Sequence[int] = range(total)
        weights: Sequence[int] = ()
    elif (
        kind == "bernoulli"
        and type(argument) is Fraction
        and 0 < (above := argument.numerator) < argument.denominator
    ):
        total = argument.denominator
        answers, weights = (0, 1), (total - above, above)
    else:
        if isinstance(argument, WeightedChoice):
            table = argument
        elif kind in ("choose", "nearly"):
            table = WeightedChoice(cast("tuple[Fraction, ...]", argument))
        else:
            p = as_fraction(argument, "p")
            if not 0 <= p <= 1:
                raise InvalidInput("p", described(argument), "a probability")
            table = WeightedChoice((p.denominator - p.numerator, p.numerator))
        total = table.total
        weights = tuple(table)[: -1 if kind == "nearly" else None]
        answers = range(len(weights))
        if 0 in weights:
            answers = [index for index in answers if weights[index]]
            weights = [weights[index] for index in answers]
    base, denominator = _probability(path)
    return _Question(kind, argument, answers, weights, total, base, denominator * total, answers[0])


def _probability(path: Sequence[_Question]) -> tuple[int, int]:
    """Return the numerator and the denominator of the probability of a path."""
    return (path[-1].numerator, path[-1].denominator) if path else (1, 1)


def _draws(path: Sequence[_Question]) -> tuple[Draw, ...]:
    return tuple(
        Draw(
            question.kind,
            tuple(asked) if isinstance(asked := question.argument, WeightedChoice) else asked,
            question.answer,
        )
        for question in path
    )


def _exhausted(reason: str, path: Sequence[_Question]) -> TapeExhausted:
    settled = sum((question.settled for question in path), Fraction())
    message = f"{reason} (settled so far: {_mass(settled)}; at {_words(path)})"
    return TapeExhausted(message, _draws(path), settled)


def _mass(settled: Fraction) -> str:
    """Return a probability in few characters."""
    if settled.denominator < 10**6:
        return str(settled)
    rest = 1 - settled
    if rest < Fraction(1, 1000):
        exponent = rest.denominator.bit_length() - rest.numerator.bit_length()
        return f"all but about 2^-{exponent}"
    return f"about {float(settled):.4g}"


def _words(path: Sequence[_Question]) -> str:
    """Return a path in one short line: its first draws, and how many there are."""
    if not path:
        return "no draw"
    shown = ", ".join(map(str, _draws(path[:8])))
    return shown if len(path) <= 8 else f"{shown}, ... ({len(path)} draws)"
