"""A trial: instances, and a question that is asked of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TypeAlias, TypeVar

from pac_stability.claims.budget import Budget
from pac_stability.claims.climbing import Climb, Genes
from pac_stability.claims.finding import AskedInstance, Finding
from pac_stability.claims.reach import OnClass
from pac_stability.classes import FiniteClass

_FEW = 64

I = TypeVar("I")  # noqa: E741  # an instance
S = TypeVar("S")  # the subject


@dataclass(frozen=True, slots=True)
class ClassTrial:
    """The question of a trial, asked of one finite class.

    Attributes
    ----------
    universe
        What the instances are for a class, in words.
    refusal
        Why a class is too large, or ``None``.
    ask
        Asks of every instance for a class, of the subject or of the mutant.
    """

    universe: str
    refusal: Callable[[FiniteClass], str | None]
    ask: Callable[[FiniteClass, bool], Iterator[AskedInstance]]


@dataclass(frozen=True, slots=True)
class ClimbTrial:
    """The question of a trial, asked of what a search finds.

    Attributes
    ----------
    climb
        How the search moves.
    ask
        From genes to what is found there; ``None`` where they describe no instance.
    """

    climb: Climb[object]
    ask: Callable[[Genes], Finding | None]


@dataclass(frozen=True, slots=True)
class Trial:
    """One question asked of many instances; made by :func:`trial`.

    Attributes
    ----------
    name
        What distinguishes it from the other trials of its claim.
    universe
        What the instances are, in words.
    exhaustive
        Whether the instances are all of that universe, for every budget.
    has_mutant
        Whether there is a wrong subject that the question must notice.
    ask
        Asks of every ``step``-th instance from ``start`` on, of the subject or of the mutant.
    of_class
        How it is asked of a finite class, if it takes one.
    by_climbing
        How it is asked of what a search finds, if it has a climb.
    """

    name: str
    universe: str
    exhaustive: bool
    has_mutant: bool
    ask: Callable[[Budget, bool, int, int], Iterator[AskedInstance]]
    of_class: ClassTrial | None = None
    by_climbing: ClimbTrial | None = None

    def findings(
        self, budget: Budget, *, mutant: bool = False, start: int = 0, step: int = 1
    ) -> Iterator[tuple[int, Finding]]:
        """Go through the instances, or through every ``step``-th of them.

        Parameters
        ----------
        budget
            How many instances there are.
        mutant
            Whether the question is asked of the wrong subject.
        start, step
            Which instances.

        Yields
        ------
        tuple of int and Finding
            The position of the instance among all, and what was found.
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
    exhaustive: bool = False,
    on_class: OnClass[I] | None = None,
    climb: Climb[I] | None = None,
) -> Trial:
    """Make a trial.

    Parameters
    ----------
    name
        A few words.
    question
        From the subject and an instance to a finding.
    instances
        The instances for a budget, always the same ones, the smallest first: the first one on which
        the statement fails is reported as the smallest.
    subject
        What is examined: a function, a formula, a class of mechanisms. It is a parameter of the
        question so that a wrong one can take its place.
    mutant
        A wrong subject, with which the question must find a failure within the quick budget: this
        shows that the question can fail. ``None`` only where the statement itself fails.
    universe
        What the instances are, in words, for the reports.
    exhaustive
        Whether they are all there are of that kind, whatever the budget.
    on_class
        For a question about a finite class: the instances for a class, and how large it may be.
    climb
        How a search moves among the instances. What it found is asked of after all others, and the
        universe says so.

    Examples
    --------
    >>> from pac_stability.claims.finding import settle
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
        if budget is Budget.DEEP and not exhaustive:
            asked = _thinned(asked, sum(1 for _ in instances(Budget.STANDARD)))
        every = chain(asked, found)
        return ask_of(wrong, islice(enumerate(every), start, None, step))

    def ask_on(reach: OnClass[I], H: FiniteClass, wrong: bool) -> Iterator[AskedInstance]:
        return ask_of(wrong, enumerate(reach.instances(H)))

    of_class = None
    if on_class is not None:
        of_class = ClassTrial(on_class.universe, on_class.refusal, partial(ask_on, on_class))
    by_climbing = None
    if climb is not None:
        universe = f"{universe}; and what a search found"
        by_climbing = ClimbTrial(climb, partial(_ask_climbing, question, subject, climb))
    return Trial(name, universe, exhaustive, mutant is not None, ask, of_class, by_climbing)


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
