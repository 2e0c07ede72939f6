"""What every learner must be besides what it promises: its members say the same thing.

Each question is put on small samples: is the law that of what runs? do predictions follow it? are
hypotheses functions that can be kept? does the order matter as it is said? is a copy the same
learner? is bad input refused?
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice, permutations, product
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.audit.subjects import name_of
from pac_stability.classes import Hypothesis
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples, enumerate_law
from pac_stability.errors import BudgetExhausted, InvalidInput, Unanswerable
from pac_stability.learning import Learner, Probability
from pac_stability.testing.checks import CheckFailed, Scope
from pac_stability.testing.tally import TALLY

MOST_RUNS = {"quick": 40, "standard": 400, "deep": 4_000}
"""On how many samples a question is asked at most, for each budget."""

AnyLearner: TypeAlias = Learner[Hashable]
AnySample: TypeAlias = Sample[Hashable]
Ask: TypeAlias = Callable[[AnyLearner, AnySample, tuple[Hashable, ...]], None]
"""A question on one sample; what it finds wrong raises :class:`CheckFailed`."""

MEMBERS = ("law", "run", "probabilities", "predict", "promises")


def is_learner(value: object) -> bool:
    """Return whether a value has the members of a :class:`~pac_stability.learning.Learner`."""
    return hasattr(value, "symmetric") and all(
        callable(getattr(value, member, None)) for member in MEMBERS
    )


@dataclass(frozen=True, slots=True)
class Held:
    """A part of the contract that a learner keeps.

    Attributes
    ----------
    question
        What was asked.
    samples
        On how many samples it was answered, at least one.
    """

    question: str
    samples: int
    pairs: int = 0

    def __str__(self) -> str:
        return f"{self.question.replace('-', ' ')}: {self.samples:,} samples"


@dataclass(frozen=True, slots=True)
class ContractCheck:
    """One question of the contract. Call it to ask.

    Attributes
    ----------
    learner
        The learner.
    question
        One of :data:`QUESTIONS`.
    scope
        The samples.
    """

    learner: AnyLearner
    question: str
    scope: Scope

    @property
    def name(self) -> str:
        """The learner and the question, as an identifier of a test."""
        return f"{name_of(self.learner)}-{self.question}"

    def __call__(self) -> Held:
        """Ask the question on the samples of the scope.

        Returns
        -------
        Held
            On how many samples it was answered, never none.

        Raises
        ------
        CheckFailed
            The answer is wrong, or on no sample is there one.
        """
        __tracebackhide__ = True
        TALLY.checks += 1
        answered, reason = 0, "no sample of these sizes"
        for sample in samples_of(self.learner, self.scope):
            try:
                QUESTIONS[self.question](self.learner, sample, points_of(self.scope))
            except BudgetExhausted as error:  # too long a tape: another sample may have a short one
                reason = str(error)
                continue
            except CheckFailed as failure:
                where = f"{name_of(self.learner)}, on {sample!r}"
                raise CheckFailed(f"{where}: {failure}") from None
            answered += 1
        TALLY.samples += answered
        if not answered:
            raise CheckFailed(f"{self.name} was not checked at all: {reason}")
        return Held(self.question, answered)


def points_of(scope: Scope) -> tuple[Hashable, ...]:
    """Return the points on which hypotheses are compared."""
    points = (e.point if isinstance(e, Example) else e for e in scope.elements)
    return tuple(dict.fromkeys(points))


def samples_of(learner: AnyLearner, scope: Scope) -> Iterator[AnySample]:
    """Yield samples of each size that the learner takes, evenly spread over all there are."""
    given = [e for e in scope.elements if isinstance(e, Example)]
    universe = given if len(given) == len(scope.elements) else all_examples(scope.elements)
    least = least_examples(learner)
    sizes = [n for n in scope.sizes if n >= least]
    most = MOST_RUNS[scope.budget or TALLY.budget]
    for n in sizes:
        step = max(1, len(universe) ** n * len(sizes) // most)
        # An odd step visits all remainders, so that the last examples change as well.
        for drawn in islice(product(universe, repeat=n), 0, None, step | 1):
            yield Sample.from_examples(drawn)


def least_examples(learner: object) -> int:
    """Return the fewest examples that a learner takes, if it says."""
    least = getattr(learner, "least_examples", 0)
    return least if isinstance(least, int) else 0


def _law(learner: AnyLearner, sample: AnySample) -> FiniteDistribution[Hypothesis] | None:
    """Return the law; nothing where there is none by design."""
    try:
        return learner.law(sample)
    except BudgetExhausted:
        raise
    except Unanswerable:
        return None


def _law_of_runs(learner: AnyLearner, sample: AnySample, _: object) -> None:
    law = _law(learner, sample)
    try:
        drawn = enumerate_law(partial(learner.run, sample))
    except BudgetExhausted:
        raise
    except Unanswerable as error:
        if law is not None:
            raise CheckFailed(f"there is a law, but no run: {error}") from None
        return
    if drawn != law:
        raise CheckFailed(f"the law is {law}, but that of the runs is {drawn}")


def _predictions(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    said = tuple(learner.probabilities(sample, points))
    law = _law(learner, sample)
    if len(said) != len(points):
        raise CheckFailed(f"{len(said)} probabilities for {len(points)} points")
    for x, p in zip(points, said, strict=True):
        if not 0 <= _end(p, lower=True) <= _end(p, lower=False) <= 1:
            raise CheckFailed(f"the probability of label 1 at {x!r} is {p}")
        if law is not None and law.expectation(lambda h, x=x: h(x)) != p:  # type: ignore[misc]  # a default binds it
            raise CheckFailed(f"at {x!r} it says {p}, and by its law it is another number")
        if isinstance(p, Interval):
            continue  # no tape lists the runs of a coin that is irrational
        labels = enumerate_law(partial(learner.predict, sample, x))
        if labels.probability(1) != p or labels.probability(0) != 1 - p:
            raise CheckFailed(f"at {x!r} it says {p}, but predicts by {labels}")


def _end(p: Probability | int, *, lower: bool) -> Fraction:
    if not isinstance(p, Interval):
        return Fraction(p)
    return p.lower if lower else p.upper


def _hypotheses(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    law = _law(learner, sample)
    for h in () if law is None else law.support:
        if any(h(x) not in (0, 1) for x in points):
            raise CheckFailed(f"{h!r} gives a label that is not 0 or 1")
        twin = pickle.loads(pickle.dumps(h))  # noqa: S301  # written here
        if twin != h or hash(twin) != hash(h):
            raise CheckFailed(f"{h!r} does not equal a copy of it")
        if " at 0x" in repr(h):
            raise CheckFailed(f"{h!r} is printed by its address")


def _order(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    if not learner.symmetric:
        return
    first = _answer(learner, sample, points)
    for order in islice(permutations(sample), 24):
        other = Sample.from_examples(order)
        if _answer(learner, other, points) != first:
            raise CheckFailed(f"it says that the order does not matter, but it does on {other!r}")


def _copy(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    try:
        twin = pickle.loads(pickle.dumps(learner))  # noqa: S301  # written here
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CheckFailed(f"it cannot be sent to another process: {error}") from None
    if twin != learner or hash(twin) != hash(learner):
        raise CheckFailed("a copy that was pickled is not equal to it")
    if _answer(twin, sample, points) != _answer(learner, sample, points):
        raise CheckFailed("a copy that was pickled gives another answer")
    if twin.promises(len(sample)) != learner.promises(len(sample)):
        raise CheckFailed("a copy that was pickled promises something else")


def _refusals(learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]) -> None:
    asks: dict[str, Callable[[AnySample], object]] = {
        "law": learner.law,
        "run": learner.run,
        "probabilities": lambda S: learner.probabilities(S, points),
        "predict": lambda S: learner.predict(S, points[0]),
    }
    bad: list[object] = [None, list(sample), 3]
    least = least_examples(learner)
    if least:
        bad.append(sample[: least - 1])
    for member, ask in asks.items():
        for value in bad:
            try:
                ask(value)  # type: ignore[arg-type]  # that is the question
            except (InvalidInput, Unanswerable):
                continue
            except Exception as error:  # a learner's may be anything
                begin = "InvalidInput, as self.require(sample) at its beginning raises it"
                raise CheckFailed(
                    f"{member} raises {error!r} for {value!r} as a sample, want {begin}"
                ) from error
            raise CheckFailed(f"{member} takes {value!r} for a sample")


def _answer(
    learner: AnyLearner, sample: AnySample, points: tuple[Hashable, ...]
) -> tuple[object, Sequence[object]]:
    said = [
        (p.lower, p.upper) if isinstance(p, Interval) else p
        for p in learner.probabilities(sample, points)
    ]
    return _law(learner, sample), said


QUESTIONS: dict[str, Ask] = {
    "law-of-runs": _law_of_runs,
    "predictions": _predictions,
    "hypotheses": _hypotheses,
    "order": _order,
    "copy": _copy,
    "refusals": _refusals,
}
"""The questions of the contract, by name."""


def contract_of(learner: object, scope: Scope) -> tuple[ContractCheck, ...]:
    """Return the questions for a learner; none for what has not all members of one."""
    if not is_learner(learner):
        return ()
    return tuple(ContractCheck(learner, question, scope) for question in QUESTIONS)  # type: ignore[arg-type]  # just asked
