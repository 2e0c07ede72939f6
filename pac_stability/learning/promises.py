"""What is promised of a notion that has more than one number."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon


@dataclass(frozen=True, slots=True, repr=False)
class PerfectGeneralization(Tabled):
    """(beta, epsilon, delta)-perfect generalization (CLNRW16, Definition 8).

    Attributes
    ----------
    beta
        The share of samples on which the laws may be far from the simulator's.
    epsilon, delta
        The parameters of closeness.
    """

    beta: AnyNumber
    epsilon: Epsilon | AnyNumber
    delta: AnyNumber = 0


@dataclass(frozen=True, slots=True, repr=False)
class RobustGeneralization(Tabled):
    """(epsilon, delta)-robust generalization (CLNRW16, Definition 5).

    Attributes
    ----------
    epsilon
        By how much a test may fail to generalize.
    delta
        The probability with which an adversary may find a worse one.
    """

    epsilon: AnyNumber
    delta: AnyNumber


@dataclass(frozen=True, slots=True, repr=False)
class Accuracy(Tabled):
    """Error at most OPT + alpha, with probability at least 1 - beta (CLNRW16, Definition 3).

    Attributes
    ----------
    alpha, beta
        Excess error, and probability of failure.
    hypotheses
        The class whose smallest error is OPT; by default OPT is 0, as where a member of the class
        labels the examples.
    """

    alpha: AnyNumber
    beta: AnyNumber
    hypotheses: Iterable[Callable[[Hashable], int]] | None = None

    def __post_init__(self) -> None:
        if self.hypotheses is not None:
            object.__setattr__(self, "hypotheses", tuple(self.hypotheses))
