"""Theorem 30: how many examples make the generic agnostic learner accurate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import as_open_unit, as_size
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Epsilon,
    Interval,
    as_constants,
    certified_ceiling,
)
from pac_stability.arithmetic.epsilon import as_positive_epsilon

_SPENT = 1 - Fraction(1, 1 << 28)
"""The learner spends at least this share of epsilon."""


@dataclass(frozen=True, slots=True, repr=False)
class GenericAgnosticSize(Tabled):
    """A sample size for Algorithm 1 with parameters beta and epsilon.

    Parameters
    ----------
    class_size
        |H|, at least 1.
    alpha, gamma
        With probability at least 1 - gamma the output has an error of at most OPT + alpha; above 0
        and below 1.
    beta, epsilon
        The parameters of the learner, and of its perfect generalization; beta above 0 and below 1,
        epsilon above 0. The theorem has beta = gamma.
    constants
        With ``L = ln(2|H|/gamma)`` and ``K = ln(2|H|/beta)``:

        *Printed*: ``n >= 6 K L**2 / (epsilon alpha)**2``, the printed condition. It is enough
        when epsilon is at most about ``0.73 L`` (for beta = gamma), so for every epsilon up to 1;
        :attr:`proved` says whether it is.

        *Proved*: ``n >= 18 K L**2 / (epsilon alpha)**2`` and ``n >= 4.5 ln(4|H|/gamma) /
        alpha**2``, for the printed division of alpha into three equal parts.

        *Sharp*: ``n >= 2 (sqrt(L) + L sqrt(K) / epsilon)**2 / alpha**2``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Proof of the sharp size. Let h* have the least error, OPT, and ``B = sqrt(L / (2n))``. Except
    with probability gamma/2, the empirical error of h* is at most OPT + B, and that of every other
    h at least err(h) - B: these are |H| one-sided events. Then a hypothesis with an error above
    OPT + alpha has an empirical error more than alpha - 2B above the least one, and some such
    hypothesis is drawn with probability at most ``|H| exp(-c (alpha - 2B))``, which is at most
    gamma/2 when ``c (alpha - 2B) >= L``. As ``c = epsilon sqrt(n) / sqrt(2K)``, this says

        alpha sqrt(n) >= sqrt(2 L) + L sqrt(2 K) / epsilon.

    With the two-sided events of the paper the first L is ``ln(4|H|/gamma)``. Both leave alpha to be
    divided at will; in three equal parts, ``c alpha / 3 >= L`` needs the factor 18, and ``B <=
    alpha/3`` a condition without epsilon, which no condition in ``epsilon alpha`` alone implies:
    for large epsilon the printed one admits n = 1.

    The learner has a rational decay, and so c smaller by a factor of up to ``1 - 2**-28``; the
    sharp size is for this c. Source: CLNRW16 Theorem 30.

    Examples
    --------
    >>> tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    >>> def size(constants: ConstantsLike) -> int:
    ...     return GenericAgnosticSize(
    ...         4, tenth, twentieth, twentieth, Epsilon(0.5), constants).sample_size
    >>> size("printed"), size("proved"), size("sharp")
    (313736, 941208, 126200)
    """

    class_size: int
    alpha: Fraction
    beta: Fraction
    gamma: Fraction
    epsilon: Epsilon
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_size", as_size(self.class_size, "class_size", least=1))
        for name in ("alpha", "beta", "gamma"):
            object.__setattr__(self, name, as_open_unit(getattr(self, name), name))
        object.__setattr__(self, "epsilon", as_positive_epsilon(self.epsilon))
        object.__setattr__(self, "constants", as_constants(self.constants))

    @property
    def sample_size(self) -> int:
        """The least n that satisfies the condition."""
        if self.constants == Constants.SHARP:
            # The only hypothesis is the best one.
            return 1 if self.class_size == 1 else certified_ceiling(self._sharp)
        if self.constants == Constants.PRINTED:
            return certified_ceiling(lambda bits: 6 * self._cube(bits))
        return max(
            certified_ceiling(lambda bits: 18 * self._cube(bits)),
            certified_ceiling(self._deviation),
        )

    @property
    def proved(self) -> bool:
        """Whether this many examples are enough: no fewer than the sharp size."""
        return self.sample_size >= replace(self, constants=Constants.SHARP).sample_size

    def _logs(self, bits: int) -> tuple[Interval, Interval]:
        twice = 2 * self.class_size
        return Interval.log(twice / self.gamma, bits), Interval.log(twice / self.beta, bits)

    def _cube(self, bits: int) -> Interval:
        """Return ``K L**2 / (epsilon alpha)**2``, a cube of logarithms in the theorem."""
        log_gamma, log_beta = self._logs(bits)
        scale = self.epsilon.interval(bits) * self.alpha
        return log_beta * log_gamma * log_gamma / (scale * scale)

    def _deviation(self, bits: int) -> Interval:
        """Return from which n on B is at most alpha/3."""
        return Interval.log(4 * self.class_size / self.gamma, bits) * (9 / (2 * self.alpha**2))

    def _sharp(self, bits: int) -> Interval:
        log_gamma, log_beta = self._logs(bits)
        epsilon = self.epsilon.interval(bits) * _SPENT
        root = Interval.sqrt(log_gamma, bits) + log_gamma * Interval.sqrt(log_beta, bits) / epsilon
        return root * root * (2 / self.alpha**2)
