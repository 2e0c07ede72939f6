"""Theorem 6: from the existence of a weak private learner to one with all parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_probability,
    as_size,
    in_words,
)
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.bun_livni_moran.formulas import (
    THEOREM_6_WEAK,
    GlobalStabilityParameters,
    theorem_6_weak_delta,
)

_SMALLEST = Fraction(1, 2**32)


@dataclass(frozen=True, slots=True, repr=False)
class StrongSizeBound(Tabled):
    """C for which ``n = ceil(C ln(1/(beta delta)) / (alpha epsilon))`` examples are enough for M.

    Theorem 6 says that a class with a weak private learner has one for all parameters, of this
    size. The weak learner gives no more than that the Littlestone dimension d is finite; the strong
    one is M, and C depends on d only.

    Parameters
    ----------
    dimension
        d, at least 1.
    constants
        Printed: the frequency of Lemma 12 as it stands there, which is proved for d = 1 only.
        Proved and sharp are the same: the accounting is that of the proved M, and the sharp M is
        no larger.

    Notes
    -----
    For 0 < alpha < 1, beta and delta at most 1/2, and epsilon at most 1. (Near beta = delta = 1 the
    logarithm tends to 0, so that the statement with one C asks for learners without examples.) Let
    ``L = ln(1/(beta delta)) >= ln 4``, and let tau, B, eta be those of algorithm G.

    - The decay r of the noise is ``e**(-epsilon/2)``, rounded up a little, and ``ln(1/r) >= 1 - r
      >= 0.39 epsilon``. A noise of at most ``ln(2/delta) / ln(1/r) + 1`` is enough, since the tail
      it cuts off weighs at most r to that power. So the number of runs is at most ``8 (1/0.39 +
      1/ln 4) L / (epsilon eta) + 1``, below ``27.1 L / (epsilon eta)``.
    - A run takes ``(B + 1) n`` examples, ``n <= (2 log2(1/tau) + 1) / alpha``.
    - The final choice takes at most ``72 (1 + ln(32/eta) / ln 4) L / (alpha epsilon) + 1``.

    Source: BLM20 Theorem 6, whose constant is not worked out.

    Examples
    --------
    >>> StrongSizeBound(1).constant
    42638
    """

    dimension: int
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        d = as_size(self.dimension, "dimension", least=1)
        object.__setattr__(self, "dimension", d)
        checked = GlobalStabilityParameters(d, Fraction(1), self.constants)
        object.__setattr__(self, "constants", checked.constants)

    @property
    def constant(self) -> int:
        """C, a constant that is proved to be enough."""
        return math.ceil((self.for_runs + self.for_choice).upper)

    @property
    def for_runs(self) -> Interval:
        """Enclose the part of C that is for the runs of algorithm G."""
        G = self._stable
        run = (2 * Interval.log2(1 / G.threshold.value) + 1) * (G.blocks + 1)
        return run * (Fraction(271, 10) / G.eta)

    @property
    def for_choice(self) -> Interval:
        """Enclose the part of C that is for the final choice."""
        eta = self._stable.eta
        return 72 * (1 + Interval.log(32 / eta) / Interval.log(4)) + 1

    @property
    def _stable(self) -> GlobalStabilityParameters:
        printed = self.constants == Constants.PRINTED
        accounting = Constants.PRINTED if printed else Constants.PROVED
        return GlobalStabilityParameters(self.dimension, Fraction(1), accounting)

    def sample_size(
        self,
        alpha: AnyNumber,
        beta: AnyNumber,
        epsilon: Epsilon | AnyNumber,
        delta: AnyNumber,
    ) -> int:
        """Return ``ceil(C ln(1/(beta delta)) / (alpha epsilon))``, never below the total of M.

        Parameters
        ----------
        alpha
            Above 0 and below 1.
        beta, delta
            Above 0 and at most 1/2.
        epsilon
            From 2^-32 to 1. (Below, the rounding of decays is no longer small.)
        """
        a = _within(alpha, "alpha", Fraction(1), strict=True)
        b = _within(beta, "beta", Fraction(1, 2))
        c = _within(delta, "delta", Fraction(1, 2))
        asked = epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)
        if not Epsilon(_SMALLEST) <= asked <= Epsilon(1):
            raise InvalidInput("epsilon", f"{float(asked):g}", "from 2**-32 to 1")
        wanted = Interval.log(1 / (b * c)) / asked.interval() * self.constant / a
        return math.ceil(wanted.upper)


def is_weak_learner(
    guarantee: PrivacyGuarantee,
    n0: int,
    alpha: AnyNumber,
    beta: AnyNumber,
    c: AnyNumber,
) -> bool:
    """Say whether a private learner is good enough for Theorem 6 to start from.

    Parameters
    ----------
    guarantee
        Its privacy.
    n0
        Its sample size, at least 2.
    alpha, beta
        Its loss exceeds alpha with probability below beta.
    c
        The constant of the theorem, which the paper does not give.

    Returns
    -------
    bool
        Whether epsilon is at most 0.1, alpha and beta at most 1/16 and delta at most
        ``c / (n0**2 log2 n0)``. Then the class has a finite Littlestone dimension. On a finite
        class it has one anyway.

    Raises
    ------
    InvalidInput
        n0 is below 2, or alpha or beta is no exact number from 0 to 1.

    Examples
    --------
    >>> weak = PrivacyGuarantee(Epsilon("0.1"), Fraction(1, 10**9))
    >>> [is_weak_learner(weak, n0, "1/16", "1/16", 1) for n0 in (1000, 100_000)]
    [True, False]
    """
    most = THEOREM_6_WEAK["epsilon_0"]
    small = as_probability(alpha, "alpha") <= THEOREM_6_WEAK["alpha_0"]
    sure = as_probability(beta, "beta") <= THEOREM_6_WEAK["beta_0"]
    private = guarantee.epsilon <= Epsilon(most)
    return small and sure and private and theorem_6_weak_delta(n0, c) >= guarantee.delta


def _within(value: AnyNumber, argument: str, most: Fraction, *, strict: bool = False) -> Fraction:
    number = as_number(value, argument)
    if not 0 < number <= most or (strict and number == most):
        wanted = f"above 0 and {'below' if strict else 'at most'} {most}"
        raise InvalidInput(argument, in_words(number), wanted)
    return number
