"""Lemmas 16 and 17 as printed, with the conditions under which they hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arguments import as_probability
from pac_stability.arithmetic import Constants, ConstantsLike, Interval, as_constants
from pac_stability.compression.bounds.form import DeviationBound
from pac_stability.compression.scheme import subsample
from pac_stability.data import Example, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.weights import as_function

Test: TypeAlias = Callable[[Example[Hashable]], int]
"""A test h of a labelled example, 0 or 1."""


@dataclass(frozen=True)
class Lemma16(DeviationBound):
    """How far h(D) is from h(V), the mean of the test over the examples that were *not* kept.

    For every distribution D, every (randomised) selection of k of n indices, repetitions allowed,
    and every adversary who sees the kept examples and names a test h: with V the examples at the
    other indices, ``|h(V) - h(D)| <= epsilon`` except with probability delta.

    Parameters
    ----------
    n
        Sample size, at least ``2 k``.
    k
        The number of indices kept, at least 1.
    delta
        The probability of failure allowed.
    mean
        h(V), the mean over |V| examples: :func:`unselected_mean`.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or ``n < 2 k``.

    Notes
    -----
    V is defined by index. If it were the set of examples that are different from all kept ones, it
    would be empty for a distribution that is concentrated on one example, and the test 1 would have
    ``h(V) = 0`` and ``h(D) = 1``; from n = 63 on the bound for k = 1 and delta = 1/20 is smaller
    than that. The mean is over |V|, which is more than ``n - k`` when indices repeat.

    A test that seldom succeeds on V (the errors of a hypothesis that fits) is bounded at the rate
    1/n: see :func:`~pac_stability.compression.bounds.ranked_bounds`.

    Source: CLNRW16 Lemma 16, after Shalev-Shwartz and Ben-David, *Understanding machine learning*
    (2014), Theorem 30.2, which is one-sided with ``ln(n/delta)``.

    Examples
    --------
    >>> [round(float(Lemma16(1000, 1, Fraction(1, 20), mean).value()), 4) for mean in (0, "1/2")]
    [0.0848, 0.2304]
    >>> Lemma16(3, 2, Fraction(1, 20), 0)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: n: got 3, want at least 2k = 4
    """

    mean: Fraction

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return "sqrt(h(V) 4k ln(2n/delta) / n) + 8k ln(2n/delta) / n"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "mean", as_probability(self.mean, "mean"))
        if self.n < 2 * self.k:
            raise InvalidInput("n", str(self.n), f"at least 2k = {2 * self.k}")

    @property
    def _first_n(self) -> int:
        return 2 * self.k

    def _times(self, n: int, bits: int) -> Interval:
        exponent = self.k * Interval.log(2 * n / self.delta, bits)
        return Interval.sqrt(exponent * (4 * n * self.mean), bits) + 8 * exponent

    def on_sample(self, bits: int = 64) -> Interval:
        """Enclose ``((n-k)/n) epsilon + k/n``, which bounds ``|h(S) - h(D)|``."""
        return self.value(bits) * Fraction(self.n - self.k, self.n) + Fraction(self.k, self.n)


@dataclass(frozen=True)
class Lemma17(DeviationBound):
    """Whatever keeps a sequence of k examples is (epsilon, delta)-robustly generalizing.

    For every distribution D, every selection of a sequence of k of n examples and every adversary
    who sees it: ``|h(S) - h(D)| <= epsilon`` except with probability delta, in the joint reading
    and, for n >= 2, in the split one.

    Parameters
    ----------
    n, k, delta
        As for every bound. (For k = 0 the formula is 0, and fixed tests do deviate.)
    wording
        What stands under the root. Printed, which is the default for a bound with this name:
        ln(n/delta), as in the statement. Proved: ln(2n/delta), as in its printed proof. Sharp:
        ln(n/delta), for that is true: for k <= n the bound is at least
        :class:`~pac_stability.compression.bounds.HoeffdingBound`, and for k > n at least 1.

    Notes
    -----
    Source: CLNRW16 Lemma 17; with k the sum of the sizes of the rounds it is the bound of
    Theorem 19.

    Examples
    --------
    >>> [Lemma17(1, k, Fraction(1, 20)).least_n(1) for k in (1, 2, 5, 10)]
    [136, 296, 820, 1763]
    >>> print(Lemma17(1000, 5, Fraction(1, 20)))
    sqrt(4k ln(n/delta) / n) + 8k ln(2n/delta) / n + k/n = 0.8739 at n = 1000, k = 5, delta = 1/20
    """

    wording: ConstantsLike = Constants.PRINTED

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        root = "ln(n/delta)" if self.wording != Constants.PROVED else "ln(2n/delta)"
        return f"sqrt(4k {root} / n) + 8k ln(2n/delta) / n + k/n"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "wording", as_constants(self.wording, "wording"))

    def _times(self, n: int, bits: int) -> Interval:
        proof = Interval.log(2 * n / self.delta, bits)
        root = proof if self.wording == Constants.PROVED else Interval.log(n / self.delta, bits)
        return Interval.sqrt(root * (4 * self.k * n), bits) + 8 * self.k * proof + self.k


def unselected(sample: Sample[Hashable], indices: Iterable[int]) -> Sample[Hashable]:
    """Return V, the examples at the indices that were not kept.

    Parameters
    ----------
    sample
        The n examples.
    indices
        Those kept, in any order, repetitions allowed.

    Raises
    ------
    InvalidInput
        An index is out of range.

    Examples
    --------
    >>> unselected(Sample("aab", [0, 0, 1]), (0, 0))
    Sample(points=('a', 'b'), labels=(0, 1))
    """
    kept = tuple(indices)
    subsample(sample, kept)
    return subsample(sample, tuple(sorted(set(range(len(sample))) - set(kept))))


def unselected_mean(sample: Sample[Hashable], indices: Iterable[int], test: Test) -> Fraction:
    """Return h(V), the mean of a test over the examples that were not kept; see :class:`Lemma16`.

    Parameters
    ----------
    sample, indices
        As for :func:`unselected`.
    test
        h, from examples to 0 and 1.

    Raises
    ------
    InvalidInput
        An index is out of range, every example was kept, or the test says neither 0 nor 1.

    Examples
    --------
    >>> unselected_mean(Sample("aab", [0, 0, 1]), (0, 0), lambda z: z.label)
    Fraction(1, 2)
    """
    as_function(test, "test")
    rest = unselected(sample, indices)
    if not len(rest):
        raise InvalidInput("indices", "every index of the sample", "at least one index left out")
    values = [test(example) for example in rest]
    if any(value not in (0, 1) for value in values):
        # Not which: it may hold what was seen.
        raise InvalidInput("test", "another value", "0 or 1")
    return Fraction(sum(map(int, values)), len(values))
