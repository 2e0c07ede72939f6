"""A trial: instances, and a question about each.

A question returns a finding, usually by comparing the need of an instance with the allowed value of
the statement. The number of instances depends on the budget. Some trials also take a user's class,
or the results of a search.
"""

from __future__ import annotations

import enum
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from pac_stability import checker
from pac_stability.arguments import AnyNumber, as_number, described, in_words
from pac_stability.arithmetic import Interval
from pac_stability.audit import Verdict
from pac_stability.checker import Recheck
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import InvalidInput
from pac_stability.papers import counterexamples
from pac_stability.reading import read_json

# Findings


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer on one instance.

    Made by :func:`holds`, :func:`idle`, :func:`fails`, :func:`undecided` and :func:`supported`, and
    by the comparisons of :mod:`pac_stability.claims.trials`.

    Attributes
    ----------
    verdict
        ``VERIFIED``, ``REFUTED``, ``BOUNDED`` (the bounds do not decide) or ``SUPPORTED``.
    text
        The numbers for a reader: the instance and both sides.
    misled
        The probability that draws support a statement that fails as the text describes; 0 without
        draws.
    idle
        Whether the instance could not have refuted the statement: a hypothesis fails, the bound is
        vacuous, or the bounded quantity is zero.
    tension
        The need of the instance over the allowed value, from 0 to 1, or a lower bound on it;
        ``None`` if no numbers are compared.
    """

    verdict: Verdict
    text: str = ""
    misled: Fraction = Fraction(0)
    idle: bool = False
    tension: Fraction | None = None

    def __post_init__(self) -> None:
        if self.idle and (self.verdict is not Verdict.VERIFIED or self.tension is not None):
            raise InvalidInput("idle", described(self), "nothing found on an idle instance")
        tension = self.tension  # integers are compared faster than fractions
        if tension is not None and not 0 <= tension.numerator <= tension.denominator:
            raise InvalidInput("tension", described(self.tension), "a number from 0 to 1")


class AskedInstance(NamedTuple):
    """The finding on one instance of a trial, which can be computed again.

    Attributes
    ----------
    position
        The position of the instance among all.
    finding
        What was found.
    again
        A function that computes the same finding again.
    """

    position: int
    finding: Finding
    again: Callable[[], Finding]


_HOLDS = Finding(Verdict.VERIFIED)
_IDLE = Finding(Verdict.VERIFIED, idle=True)


def holds() -> Finding:
    """Return the finding that the statement holds on an instance that could have refuted it."""
    return _HOLDS


def idle() -> Finding:
    """Return the finding that this instance could not have refuted the statement.

    Examples
    --------
    >>> idle().idle, holds().idle
    (True, False)
    """
    return _IDLE


def fails(text: str) -> Finding:
    """Return the finding that it fails; the text is the counterexample, with both sides."""
    if not text:
        raise InvalidInput("text", "no text", "the counterexample")
    return Finding(Verdict.REFUTED, text)


def settle(truth: bool, text: str) -> Finding:
    """Return :func:`holds` or, with the text, :func:`fails`.

    Examples
    --------
    >>> settle(1 + 1 == 2, "1 + 1 is not 2").verdict.value
    'verified'
    """
    return _HOLDS if truth else fails(text)


def undecided(text: str) -> Finding:
    """Return the finding that certified bounds do not decide; the text has the bounds."""
    return Finding(Verdict.BOUNDED, text)


def supported(misled: AnyNumber, text: str = "") -> Finding:
    """Return the finding that draws support it.

    Parameters
    ----------
    misled
        The probability that they would support it if it failed, above 0 and below 1.
    text
        What was drawn.
    """
    chance = as_number(misled, "misled")
    if not 0 < chance < 1:
        raise InvalidInput("misled", str(chance), "a probability above 0 and below 1")
    return Finding(Verdict.SUPPORTED, text, chance)


def all_of(findings: Iterable[Finding]) -> Finding:
    """Return the worst of the findings on the parts of one instance, up to the first that refutes.

    It is idle if all of them are, or if there are none; its tension is the largest.

    Examples
    --------
    >>> all_of([]).idle, all_of([idle(), holds()]).idle
    (True, False)
    """
    whole = _IDLE
    for finding in findings:
        if finding.verdict is Verdict.REFUTED:
            return finding
        whole = _both(whole, finding)
    return whole


def _both(a: Finding, b: Finding) -> Finding:
    if a.idle and b.idle:
        return a
    first, second = sorted((a, b), key=lambda finding: _WORST.index(finding.verdict))
    tension = max((f.tension for f in (a, b) if f.tension is not None), default=None)
    return Finding(first.verdict, first.text or second.text, a.misled + b.misled, tension=tension)


_WORST = (Verdict.BOUNDED, Verdict.SUPPORTED, Verdict.VERIFIED)


# Comparisons

Real: TypeAlias = int | Fraction | Interval

_SHARE: ContextVar[Fraction] = ContextVar("share", default=Fraction(1))


@contextmanager
def tightened(share: Fraction) -> Iterator[None]:
    """Compare, within a context, as if a statement allowed only a share of its allowed value.

    Asking a question again with a share below the tension of an instance shows whether it compares
    the numbers that it reports: the instance must then refute it.

    Parameters
    ----------
    share
        Above 0, at most 1. The share multiplies an upper bound, divides a lower bound, and
        multiplies the epsilon of a factor.

    Examples
    --------
    >>> with tightened(Fraction(1, 3)):
    ...     at_most(Fraction(1, 4), Fraction(1, 2), "1/4 against 1/6").verdict.value
    'refuted'
    """
    if not 0 < share <= 1:
        raise InvalidInput("share", described(share), "a number above 0, at most 1")
    before = _SHARE.set(_SHARE.get() * share)
    try:
        yield
    finally:
        _SHARE.reset(before)


def at_most(value: Real, bound: Real, text: str, *, ceiling: Real | None = None) -> Finding:
    """Settle ``value <= bound`` for exact or enclosed numbers.

    The tension is ``value / bound``; for enclosed numbers, a lower bound on it.

    Parameters
    ----------
    value, bound
        The need of the instance, and the allowed value of the statement. Both are non-negative by
        their meaning. An instance that needs nothing is idle, unless nothing is allowed; then it
        has no tension.
    text
        Both sides in words, for a failure or an undecided comparison.
    ceiling
        An upper bound on the value for every instance: 1 for a probability. If the bound reaches
        it, the instance is idle.

    Examples
    --------
    >>> at_most(Fraction(1, 4), Fraction(1, 2), "1/4 against 1/2").tension
    Fraction(1, 2)
    >>> at_most(Fraction(1, 4), 3, "1/4 against 3", ceiling=1).idle
    True
    """
    return _at_most(value, _scaled(bound, _SHARE.get()), text, ceiling)


def at_least(
    value: Real, bound: Real, text: str, *, floor: Real = 0, strictly: bool = False
) -> Finding:
    """Settle ``value >= bound``, or ``value > bound``; the tension is ``bound / value``.

    Parameters
    ----------
    value, bound
        The value that the instance attains, and the promised value.
    text
        Both sides in words, for a failure or an undecided comparison.
    floor
        A lower bound on the value for every instance. If the bound does not exceed it, the instance
        is idle.
    strictly
        Whether the inequality is strict.

    Examples
    --------
    >>> at_least(4, 3, "4 against 3").tension
    Fraction(3, 4)
    >>> at_least(4, 0, "4 against 0").idle
    True
    """
    low, high = _ends(value)
    least, most = _ends(_scaled(bound, 1 / _SHARE.get()))
    if high < least or (strictly and high == least):
        return fails(text)
    if low < most or (strictly and low == most):
        return undecided(f"{text}: [{value}] and [{bound}] overlap")
    if most < _ends(floor)[0] or (most == _ends(floor)[0] and not strictly):
        return idle()
    return _strained(least, high)


def factor_at_most(value: Real | float, bound: Real | float, text: str) -> Finding:
    """Settle ``value <= bound`` for factors ``e**epsilon``; the tension is that of the epsilons.

    Parameters
    ----------
    value
        The factor that the instance needs, ``math.inf`` if there is none. If it is at most 1, the
        instance is idle.
    bound
        The factor that the statement allows, ``math.inf`` if any. Then the instance is idle.
    text
        Both sides in words, for a failure or an undecided comparison.

    Examples
    --------
    >>> float(factor_at_most(2, 4, "2 against 4").tension)
    0.5
    >>> factor_at_most(1, 4, "1 against 4").idle
    True
    """
    if isinstance(bound, float):
        return idle()
    if isinstance(value, float):
        return fails(text)
    bound = _root(bound, _SHARE.get())
    found = _at_most(value, bound, text)
    if found.verdict is not Verdict.VERIFIED or found.idle:
        return found
    low, high = _ends(value)
    most = _ends(bound)[1]
    if high <= 1:
        return idle()
    if low <= 1 or low == most:
        return _strained(low - 1, most - 1)
    needed, allowed = Interval.log(low), Interval.log(most)
    return _strained(needed.lower, max(allowed.upper, needed.lower))


def _at_most(value: Real, bound: Real, text: str, ceiling: Real | None = None) -> Finding:
    low, high = _ends(value)
    least, most = _ends(bound)
    if low > most:
        return fails(text)
    if high > least:
        return undecided(f"{text}: [{value}] and [{bound}] overlap")
    if high <= 0 < most or (ceiling is not None and most >= _ends(ceiling)[0]):
        return idle()
    return _strained(low, most)


def _scaled(bound: Real, share: Fraction) -> Real:
    return bound if share == 1 else bound * share


def _root(factor: Real, share: Fraction) -> Real:
    """Return the factor whose epsilon is a share of that of a factor; one up to 1 has none."""
    low, _ = _ends(factor)
    if share == 1 or low <= 1:
        return factor
    # A factor near 1 is told from 1 by as many bits.
    bits = 80 + (1 / (low - 1)).__ceil__().bit_length()
    return Interval.exp(share * Interval.log(factor, bits), bits)


def _strained(needed: Fraction, allowed: Fraction) -> Finding:
    """Return that it holds, with the tension, which is not a number where nothing is allowed."""
    if allowed <= 0:
        return holds()
    return Finding(Verdict.VERIFIED, tension=max(needed / allowed, Fraction(0)))


def _ends(value: Real) -> tuple[Fraction, Fraction]:
    if isinstance(value, Interval):
        return value.lower, value.upper
    number = value if isinstance(value, Fraction) else Fraction(value)
    return number, number


# Words


def show(instance: object) -> str:
    """Return an instance in words: a tuple by its fields, if these have names.

    Examples
    --------
    >>> show((FiniteClass([[0, 1]]), Fraction(1, 2)))
    '([[0, 1]], 1/2)'
    """
    if isinstance(instance, FiniteClass):
        return str(instance.table.tolist())
    if isinstance(instance, Interval | int | Fraction):
        return _number(instance)
    names = getattr(instance, "_fields", ())
    if is_dataclass(instance) and type(instance).__str__ is object.__str__:
        names = [field.name for field in fields(instance)]
    if names:
        return ", ".join(f"{name} = {show(getattr(instance, name))}" for name in names)
    if isinstance(instance, tuple):
        return f"({', '.join(map(show, instance))})"
    text = str(instance)
    return repr(instance) if "\n" in text else text  # a table is no part of a sentence


def _number(value: Real) -> str:
    if isinstance(value, Interval):
        return f"about {float(value):.6g}"
    if value.numerator.bit_length() + value.denominator.bit_length() <= _SHORT:
        return str(value)
    with suppress(OverflowError):
        return f"about {float(value):.6g}"
    return in_words(value)


_SHORT = 80  # bits of a number that is shown as it is


# Budgets

T = TypeVar("T")


_THREE = re.compile(r"\{([^,{}]+), ([^,{}]+), ([^,{}]+)\}")


class Budget(enum.Enum):
    """A minute, some minutes or about two hours for all claims together, on one core."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"

    def pick(self, quick: T, standard: T, deep: T) -> T:
        """Return that one of three sizes which belongs to this budget.

        Examples
        --------
        >>> Budget.STANDARD.pick(3, 4, 5)
        4
        """
        match self:
            case Budget.QUICK:
                return quick
            case Budget.STANDARD:
                return standard
            case Budget.DEEP:
                return deep

    def words(self, text: str) -> str:
        """Return a text with, of each three numbers, the one that belongs to this budget.

        Examples
        --------
        >>> Budget.STANDARD.words("classes on up to {3, 4, 4} points")
        'classes on up to 4 points'
        """
        return _THREE.sub(lambda found: self.pick(*found.group(1, 2, 3)), text)

    @property
    def chunks(self) -> int:
        """The number of parts into which the instances of a trial are divided."""
        return self.pick(1, 4, 8)


# A class of one's own

I = TypeVar("I")  # noqa: E741  # an instance


@dataclass(frozen=True, slots=True)
class OnClass(Generic[I]):
    """The declaration of a trial that takes a finite class.

    Attributes
    ----------
    instances
        The instances for a class, whose points are 0, 1, ...: always the same ones, finitely many.
    universe
        Their description in words.
    points, hypotheses, dimension
        The most points, hypotheses and Littlestone dimension for which they take seconds; ``None``
        for any dimension.
    """

    instances: Callable[[FiniteClass], Iterable[I]]
    universe: str
    points: int
    hypotheses: int
    dimension: int | None = None

    def refusal(self, H: FiniteClass) -> str | None:
        """Return why a class is too large, or ``None``.

        Examples
        --------
        >>> small = OnClass(lambda H: [H], "the class", points=3, hypotheses=8)
        >>> small.refusal(FiniteClass([[0, 0, 0, 1]]))
        '4 points, at most 3'
        """
        if len(H.domain) > self.points:
            return f"{len(H.domain):,} points, at most {self.points:,}"
        if len(H) > self.hypotheses:
            return f"{len(H):,} hypotheses, at most {self.hypotheses:,}"
        if self.dimension is not None and (d := littlestone_dimension(H)) > self.dimension:
            return f"Littlestone dimension {d}, at most {self.dimension}"
        return None


# Searches

# Random instances seldom come near a bound. A trial can say how its instances are described by
# integers; then ``python -m tools.climb`` changes one integer at a time as long as the tension
# grows, and keeps the best. What it found are instances of the trial like all others.

I_co = TypeVar("I_co", covariant=True)  # an instance

Genes: TypeAlias = tuple[int, ...]
"""The integers that describe an instance."""


@dataclass(frozen=True, slots=True)
class Find:
    """What a search found.

    Attributes
    ----------
    seed
        Of the search.
    genes
        What describes the instance.
    """

    seed: int
    genes: Genes


@dataclass(frozen=True, slots=True)
class Climb(Generic[I_co]):
    """The instances of a trial as vectors of integers, which a search can change step by step.

    Parameters
    ----------
    name
        The name of the file with the results: ``finds/NAME.json`` of the book.
    genes
        The values that each integer can have; a step changes one of them to the next value, or two.
    instance
        A function from a vector to its instance, or to ``None`` if it describes none.

    Examples
    --------
    >>> climb = Climb("squares", (range(9), range(2)), lambda genes: genes[0] ** 2 or None)
    >>> sorted(climb.neighbours((3, 0), Random(1)))[:2]
    [(2, 0), (2, 1)]
    >>> list(climb.instances())
    []
    """

    name: str
    genes: tuple[range, ...]
    instance: Callable[[Genes], I_co | None]

    @property
    def file(self) -> Path:
        """The file of the results, beside the module that defines the instances."""
        home = sys.modules[self.instance.__module__].__file__ or ""
        return Path(home).parent / "finds" / f"{self.name}.json"

    def start(self, coins: Random) -> Genes:
        """Return random genes."""
        return tuple(coins.choice(values) for values in self.genes)

    def neighbours(self, genes: Genes, coins: Random) -> Iterator[Genes]:
        """Yield all vectors one step away, in a random order, then some that are two steps away."""
        single = [
            (place, value)
            for place, values in enumerate(self.genes)
            for value in (genes[place] - values.step, genes[place] + values.step)
            if value in values
        ]
        coins.shuffle(single)
        for place, value in single:
            yield _with(genes, place, value)
        for place, value in single:
            other = coins.randrange(len(genes))
            drawn = coins.choice(self.genes[other])
            yield _with(_with(genes, place, value), other, drawn)

    def finds(self) -> tuple[Find, ...]:
        """Return the kept results, in the order of the file.

        Raises
        ------
        InvalidInput
            The file is damaged, or is about instances of another form.
        """
        path = self.file
        if not path.exists():
            return ()
        document = read_json(path)
        wanted = f"a list of seeds and {len(self.genes)} genes in their ranges"
        if not isinstance(document, list):
            raise InvalidInput(path.name, "no list", wanted)
        found = []
        for entry in document:
            match entry:
                case {"seed": int(seed), "genes": list(genes)} if len(entry) == 2 and (
                    len(genes) == len(self.genes)
                    and all(
                        type(gene) is int and gene in values
                        for gene, values in zip(genes, self.genes, strict=True)
                    )
                ):
                    found.append(Find(seed, tuple(genes)))
                case _:
                    raise InvalidInput(path.name, f"{entry!r:.60}", wanted)
        return tuple(found)

    def instances(self) -> Iterator[I_co]:
        """Yield the kept instances."""
        for find in self.finds():
            instance = self.instance(find.genes)
            if instance is None:
                raise InvalidInput(f"{self.name}.json", f"{find.genes}", "genes of an instance")
            yield instance


def _with(genes: Genes, place: int, value: int) -> Genes:
    return (*genes[:place], value, *genes[place + 1 :])


# Trials

_FEW = 64

S = TypeVar("S")  # the subject


@dataclass(frozen=True, slots=True)
class ClassTrial:
    """The question of a trial for one finite class.

    Attributes
    ----------
    universe
        The description of the instances for a class.
    refusal
        Why a class is too large, or ``None``.
    ask
        A function that checks every instance for a class, with the subject or the mutant.
    """

    universe: str
    refusal: Callable[[FiniteClass], str | None]
    ask: Callable[[FiniteClass, bool], Iterator[AskedInstance]]


@dataclass(frozen=True, slots=True)
class ClimbTrial:
    """The question of a trial for the results of a search.

    Attributes
    ----------
    climb
        How the search moves.
    ask
        A function from a vector to its finding; ``None`` if it describes no instance.
    """

    climb: Climb[object]
    ask: Callable[[Genes], Finding | None]


@dataclass(frozen=True, slots=True)
class Trial:
    """One question about many instances; made by :func:`trial`.

    Attributes
    ----------
    name
        Its name among the trials of its claim.
    universe
        The description of the instances.
    extent
        A few words for the universe that the instances exhaust, for every budget; if its size
        depends on the budget, ``{3, 4, 4}`` lists the three sizes. Empty if they exhaust none.
    has_mutant
        Whether there is a wrong subject that the question must detect.
    ask
        A function that checks every ``step``-th instance from ``start`` on, with the subject or the
        mutant.
    of_class
        Its form for a finite class, if it takes one.
    by_climbing
        Its form for the results of a search, if it has a climb.
    """

    name: str
    universe: str
    extent: str
    has_mutant: bool
    ask: Callable[[Budget, bool, int, int], Iterator[AskedInstance]]
    of_class: ClassTrial | None = None
    by_climbing: ClimbTrial | None = None

    def findings(
        self, budget: Budget, *, mutant: bool = False, start: int = 0, step: int = 1
    ) -> Iterator[tuple[int, Finding]]:
        """Check the instances, or every ``step``-th of them.

        Parameters
        ----------
        budget
            The budget, which determines the number of instances.
        mutant
            Whether to use the wrong subject.
        start, step
            Which instances.

        Yields
        ------
        tuple of int and Finding
            The position of the instance among all, and the finding.
        """
        for asked in self.ask(budget, mutant, start, step):
            yield asked.position, asked.finding


Trials: TypeAlias = Mapping[str, tuple[Trial, ...]]
"""What a module has: for the key of each of its claims, the trials."""


def trial(
    name: str,
    question: Callable[[S, I], Finding],
    instances: Callable[[Budget], Iterable[I]],
    *,
    subject: S,
    mutant: S | None = None,
    universe: str,
    extent: str = "",
    on_class: OnClass[I] | None = None,
    climb: Climb[I] | None = None,
) -> Trial:
    """Make a trial.

    Parameters
    ----------
    name
        A few words.
    question
        A function from the subject and an instance to a finding.
    instances
        The instances for a budget, always the same ones, the smallest first: the first one on which
        the statement fails is reported as the smallest.
    subject
        The object under examination: a function, a formula, a class of mechanisms. It is a
        parameter of the question, so that a wrong one can replace it.
    mutant
        A wrong subject, for which the question must find a failure within the quick budget: this
        proves that the question can fail. ``None`` only if the statement itself fails.
    universe
        The description of the instances, for reports.
    extent
        If they exhaust a universe: which, in a few words, as in :class:`Trial`.
    on_class
        For a question about a finite class: the instances for a class, and how large it may be.
    climb
        How a search moves among the instances. Its results are examined after all others, and the
        description of the universe says so.

    Examples
    --------
    >>> from pac_stability.claims.trials import settle
    >>> t = trial(
    ...     "squares",
    ...     lambda power, x: settle(x**power >= x, f"{x}**{power} < {x}"),
    ...     lambda budget: range(-1, budget.pick(3, 30, 300)),
    ...     subject=2,
    ...     mutant=1 / 2,
    ...     universe="integers from -1 on",
    ... )
    >>> sum(finding.verdict.value == "verified" for _, finding in t.findings(Budget.QUICK))
    4
    """

    def ask_of(wrong: bool, positions: Iterable[tuple[int, I]]) -> Iterator[AskedInstance]:
        examined = mutant if wrong else subject
        if examined is not None:
            for position, instance in positions:
                again = partial(question, examined, instance)
                yield AskedInstance(position, again(), again)

    def ask(budget: Budget, wrong: bool, start: int, step: int) -> Iterator[AskedInstance]:
        found = climb.instances() if climb is not None else ()
        asked = instances(budget)
        if budget is Budget.DEEP and not extent:
            asked = _thinned(asked, sum(1 for _ in instances(Budget.STANDARD)))
        every = chain(asked, found)
        # By ``yield``: what making the instances raises comes with the first of them.
        yield from ask_of(wrong, islice(enumerate(every), start, None, step))

    def ask_on(reach: OnClass[I], H: FiniteClass, wrong: bool) -> Iterator[AskedInstance]:
        yield from ask_of(wrong, enumerate(reach.instances(H)))

    of_class = None
    if on_class is not None:
        of_class = ClassTrial(on_class.universe, on_class.refusal, partial(ask_on, on_class))
    by_climbing = None
    if climb is not None:
        universe = f"{universe}; and what a search found"
        by_climbing = ClimbTrial(climb, partial(_ask_climbing, question, subject, climb))
    return Trial(name, universe, extent, mutant is not None, ask, of_class, by_climbing)


def _thinned(instances: Iterable[I], most: int) -> Iterator[I]:
    """Give the first ones, as many as ``most``, and from there on ever fewer.

    Of those after position m, 2m, 4m, ... every second, fourth, eighth, ... is given, where m is
    ``most``, or a few: so their number grows with the logarithm of how many there are.
    """
    for position, instance in enumerate(instances):
        bits = (position // max(most, _FEW)).bit_length()
        if position % (1 << bits) == 0:
            yield instance


def _ask_climbing(
    question: Callable[[S, I], Finding], subject: S, climb: Climb[I], genes: Genes
) -> Finding | None:
    instance = climb.instance(genes)
    return None if instance is None else question(subject, instance)


# Counterexamples that are kept in files


def kept_counterexample(name: str) -> Trial:
    """Return the trial in which the checker computes a counterexample of the catalogue again.

    Parameters
    ----------
    name
        The name of the file, such as ``"DF20:remark-14"``.
    """
    return trial(
        "the file of the catalogue",
        _settled,
        lambda _: [name],
        subject=checker.recheck,
        universe=f"the counterexample that is kept as {name}",
    )


def _settled(recheck: Callable[[Mapping[str, object]], Recheck], name: str) -> Finding:
    found = recheck(counterexamples.read(name))
    return fails("; ".join(found.proved)) if found.refutes else idle()
