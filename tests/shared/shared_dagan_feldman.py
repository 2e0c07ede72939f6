"""Learners and samples of several tests of DF20."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from pac_stability import Epsilon, Sample, classes
from pac_stability.papers.dagan_feldman.stable import StableLearner

P = TypeVar("P", bound=Hashable)


def learner_of(H: classes.Family, size: int, decay: Fraction) -> StableLearner:
    return StableLearner(H, size, Epsilon.exactly(decay**-2))


def sample_on(points: Sequence[P]) -> Sample[P]:
    """The points, all labelled 0."""
    return Sample(points, [0] * len(points))
