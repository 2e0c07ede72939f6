"""How a mechanism is asked for labels: at a point, or through the hypotheses that it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.audit.returned import label_of, probability_of_one
from pac_stability.data import EnclosedDistribution, FiniteDistribution, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.randomness import ExactGenerator


@dataclass(frozen=True, slots=True)
class LabelFunction:
    """A function without coins that returns the label of one point, or its probability."""

    function: Callable[[object, object], object]

    def __call__(self, sample: object, points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        shares = [probability_of_one(self.function(sample, point)) for point in points]
        return list(map(Fraction, shares))


@dataclass(frozen=True, slots=True)
class LabelProgram:
    """A program that returns the label of one point, or its probability."""

    program: Callable[[object, object, ExactGenerator], object]

    def __call__(self, sample: object, points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""

        def share_at(point: object) -> Callable[[ExactGenerator], int | Fraction]:
            return lambda rng: probability_of_one(self.program(sample, point, rng))

        return [enumerate_law(share_at(point)).expectation(Fraction) for point in points]


@dataclass(frozen=True, slots=True)
class LearnerProgram:
    """A program that returns a hypothesis, which need be neither hashable nor comparable."""

    program: Callable[[object, ExactGenerator], object]

    def __call__(self, sample: object, points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""

        def labels(rng: ExactGenerator) -> tuple[int, ...]:
            hypothesis = self.program(sample, rng)
            return tuple(_label_at(hypothesis, point) for point in points)

        return _label_probabilities(enumerate_law(labels), len(points))


@dataclass(frozen=True, slots=True)
class LearnerLaw:
    """A learner that gives the law of its hypothesis."""

    law: Callable[[object], object]

    def __call__(
        self, sample: object, points: tuple[object, ...]
    ) -> list[Fraction] | list[Interval]:
        """Return the probability of label 1 at each point."""
        law = self.law(sample)
        if isinstance(law, EnclosedDistribution):
            return [_enclosed_probability(law, point) for point in points]
        if not isinstance(law, FiniteDistribution):
            raise InvalidInput("mechanism", described(law), "a FiniteDistribution on hypotheses")
        labels = law.map(lambda hypothesis: tuple(_label_at(hypothesis, x) for x in points))
        return _label_probabilities(labels, len(points))


def _enclosed_probability(law: EnclosedDistribution[object], point: object) -> Interval:
    return law.map(lambda hypothesis: _label_at(hypothesis, point)).probability(1)


def _label_probabilities(labels: FiniteDistribution[tuple[int, ...]], count: int) -> list[Fraction]:
    """Return the probability of label 1 at each point from the joint law of the labels."""
    return [labels.expectation(itemgetter(index)) for index in range(count)]


def _label_at(hypothesis: object, point: object) -> int:
    if isinstance(hypothesis, Mapping):
        if point not in hypothesis:
            raise InvalidInput(
                "hypothesis", f"no label for the point {described(point)}", "a label for each point"
            )
        return _label(hypothesis[point])
    if not callable(hypothesis):
        raise InvalidInput(
            "hypothesis", described(hypothesis), "a function or a mapping from points to labels"
        )
    return _label(hypothesis(point))


def _label(value: object) -> int:
    try:
        return label_of(value)
    except InvalidInput as error:
        wanted = f"{error.wanted} (what returns the probability of a label takes the point, too)"
        raise InvalidInput("label", error.given, wanted) from None
