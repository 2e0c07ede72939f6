"""Theorems 33 to 35: learners through Algorithm 2, and the lower bound for thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Interval,
    as_constants,
    certified_ceiling,
)


@dataclass(frozen=True, slots=True)
class UniformConvergence:
    """Theorem 34, part 1, for a finite class: all empirical errors are close to the true ones.

    Parameters
    ----------
    class_size
        |H|, at least 1.
    gamma
        The probability of failure, above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Hoeffding's inequality and a union bound: with probability at least 1 - gamma, ``|err(S, h) -
    err(h)| <= sqrt(ln(2|H|/gamma) / (2n))`` for all h. The theorem has unspecified constants in
    place of these. (Its second part, a lower bound for agnostic learners, needs a class of more
    than one hypothesis and small alpha and gamma: the single hypothesis of a class is output
    without an error, and without an example.) Source: CLNRW16 Theorem 34.

    Examples
    --------
    >>> bound = UniformConvergence(4, Fraction(1, 20))
    >>> bound.sample_size("1/10"), round(float(bound.deviation(254)), 4)
    (254, 0.1)
    """

    class_size: int
    gamma: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_size", as_size(self.class_size, "class_size", least=1))
        object.__setattr__(self, "gamma", as_open_unit(self.gamma, "gamma"))

    def deviation(self, n: int, bits: int = 64) -> Interval:
        """Enclose ``sqrt(ln(2|H|/gamma) / (2n))``.

        Parameters
        ----------
        n
            The size of the sample, at least 1.
        bits
            The working precision.
        """
        size = as_size(n, "n", least=1)
        return Interval.sqrt(self._logarithm(bits) / (2 * size), bits)

    def sample_size(self, alpha: AnyNumber) -> int:
        """Return the least n with a deviation of at most alpha.

        Parameters
        ----------
        alpha
            Above 0 and below 1.
        """
        a = as_open_unit(alpha, "alpha")
        return certified_ceiling(lambda bits: self._logarithm(bits) / (2 * a**2))

    def _logarithm(self, bits: int) -> Interval:
        return Interval.log(2 * self.class_size / self.gamma, bits)


@dataclass(frozen=True, slots=True)
class ResamplingAccuracy:
    """Theorem 33 for a finite class: the accuracy of Algorithm 2 over an accurate learner.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    class_size
        |H|, at least 1.
    alpha, gamma
        M is an (alpha, gamma)-accurate agnostic learner on samples of n examples; above 0 and
        below 1.
    constants
        Printed: all empirical errors are within ``sqrt(ln(2|H|/gamma) / (2n))`` of the true ones.
        Proved and sharp: only the events that matter, with ``ln(|H|/gamma)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Let S ~ D^n. With probability at least 1 - gamma, the best hypothesis h* has an empirical error
    of at most OPT + B, and every other h one of at least err(h) - B, B = sqrt(ln(|H|/gamma)/(2n)):
    these are |H| one-sided events. M is accurate on E_S, too, so its output on T ~ E_S^n has, with
    probability at least 1 - gamma, an empirical error within alpha of the least. Together the error
    is at most OPT + alpha + 2B.

    The general statement has constants: from ``n >= C2 (d + log(1/gamma)) / alpha**2``, which the
    accuracy of M implies for a nontrivial class, and from the uniform convergence at rate ``sqrt(C1
    (d + log(1/gamma)) / n)``, the excess is at most ``(1 + 2 sqrt(C1/C2)) alpha``. Its privacy part
    has the hypotheses of Theorem 32. Source: CLNRW16 Theorem 33.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> compiled = ResamplingAccuracy(10_000, 100, tenth, Fraction(1, 20))
    >>> round(float(compiled.excess()), 4), compiled.failure
    (0.139, Fraction(1, 10))
    """

    n: int
    class_size: int
    alpha: Fraction
    gamma: Fraction
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        object.__setattr__(self, "class_size", as_size(self.class_size, "class_size", least=1))
        object.__setattr__(self, "alpha", as_open_unit(self.alpha, "alpha"))
        object.__setattr__(self, "gamma", as_open_unit(self.gamma, "gamma"))
        object.__setattr__(self, "constants", as_constants(self.constants))

    def excess(self, bits: int = 64) -> Interval:
        """Enclose what the error of the output is above OPT at most.

        Parameters
        ----------
        bits
            The working precision.
        """
        events = self.class_size * (2 if self.constants == Constants.PRINTED else 1)
        logarithm = Interval.log(events / self.gamma, bits)
        return self.alpha + Interval.sqrt(2 * logarithm / self.n, bits)

    @property
    def failure(self) -> Fraction:
        """The probability that it is more, at most: 2 gamma."""
        return 2 * self.gamma


@dataclass(frozen=True, slots=True)
class ThresholdSideCondition:
    """The numeric side condition of Theorem 35: whether the compiled learner is private enough.

    Theorem 22 says that no proper learner of thresholds is (1/2, delta)-private with ``delta <=
    1/(1500 n**2)`` and accurate on few examples. Theorem 35 compiles a (beta, 1/8, delta)-perfectly
    generalizing learner into a (1/2, .)-private one by Theorem 32 and applies it.

    Parameters
    ----------
    n
        The size of the samples, at least 2.
    constants
        Printed: delta and beta are at most ``1/(10000 n**2)``, and become 16 delta + 2 beta as
        Theorem 32 states: ``18/(10000 n**2)``, which is too much. Proved: at most
        ``1/(27000 n**2)``, with which the same computation succeeds. Sharp: at most
        ``1/(10000 n**2)``, which become ``(1 + t + t**2 + t**3) delta + beta`` with t = e^(1/8), as
        the proof of ``ResamplingPrivacy`` shows: below ``5.88/(10000 n**2)``. So the constant
        that is printed is right, by a more careful Theorem 32.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The other parameters fit: 4/8 = 1/2, and Theorem 33 makes of the 1/32 for the probability of
    inaccuracy 2/32, less than the 1/8 of Theorem 22. Source: CLNRW16 Theorems 22 and 35.

    Examples
    --------
    >>> [ThresholdSideCondition(10, constants).suffices
    ...  for constants in Constants]
    [False, True, True]
    """

    n: int
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=2))
        object.__setattr__(self, "constants", as_constants(self.constants))

    @property
    def allowed(self) -> Fraction:
        """What beta and delta may be at most."""
        return Fraction(1, (27_000 if self.constants == Constants.PROVED else 10_000) * self.n**2)

    @property
    def needed(self) -> Fraction:
        """What the delta of privacy must be at most, for Theorem 22."""
        return Fraction(1, 1500 * self.n**2)

    def reached(self, bits: int = 64) -> Interval:
        """Enclose the delta of privacy that follows from the largest beta and delta allowed.

        Parameters
        ----------
        bits
            The working precision.
        """
        if self.constants != Constants.SHARP:
            return Interval.exactly(18 * self.allowed)
        powers = (Interval.exp(Fraction(k, 8), bits) for k in range(4))
        return sum(powers, Interval.exactly(1)) * self.allowed

    @property
    def suffices(self) -> bool:
        """Whether Theorem 22 applies to what was reached."""
        return self.reached() <= self.needed
