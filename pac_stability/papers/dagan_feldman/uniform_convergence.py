"""How far losses on a sample are from those on the distribution (DF20, Lemma 6)."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.data.multiset import Multiset, multisets

P = TypeVar("P", bound=Hashable)


def deviation_failure(
    H: FiniteClass, distribution: FiniteDistribution[Example[P]], n: int, alpha: AnyNumber
) -> Fraction:
    """Return Pr[some h has |L_D(h) - L_S(h)| > alpha] over samples S of n draws, exactly.

    Parameters
    ----------
    H
        The class.
    distribution
        D, on examples over its domain.
    n
        Size of the sample, at least 1.
    alpha
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        A number is out of range, or a point is not in the domain.

    Notes
    -----
    The losses depend on the multiset of the examples, of which C(n + k - 1, n) are gone through for
    a support of k examples, in O(|H| k) each.

    Examples
    --------
    >>> D = FiniteDistribution.uniform([Example(0, 0), Example(0, 1)])
    >>> deviation_failure(FiniteClass([[0], [1]]), D, 4, "1/4")
    Fraction(1, 8)
    """
    n, alpha = as_size(n, "n", least=1), as_probability(alpha, "alpha")
    wrong = [frozenset(z for z in distribution.support if h(z.point) != z.label) for h in H]
    losses = [sum(map(distribution.probability, errors), Fraction()) for errors in wrong]

    def deviates(kind: Multiset[Example[P]]) -> bool:
        return any(
            abs(sum(kind.count(z) for z in errors) - n * loss) > n * alpha
            for errors, loss in zip(wrong, losses, strict=True)
        )

    bad = (kind for kind in multisets(distribution.support, n) if deviates(kind))
    return sum((kind.probability(distribution) for kind in bad), Fraction())


def deviation_bound(growth: int, n: int, alpha: AnyNumber, bits: int = 64) -> Interval:
    """Enclose a bound on :func:`deviation_failure` for all classes with a given growth function.

    Parameters
    ----------
    growth
        An upper bound on tau_n, at least 1.
    n
        Size of the sample, at least 1.
    alpha
        An exact number from 0 to 1.
    bits
        Working precision.

    Returns
    -------
    Interval
        e^(-2 n (alpha - sqrt(2 ln(2 tau_n) / n))^2), or 1 when the root is not below alpha.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    In other words |L_D - L_S| <= sqrt(2 ln(2 tau_n) / n) + sqrt(ln(1/beta) / (2n)) for all h at
    once, with probability 1 - beta: the mean of the largest deviation is at most the first root, by
    symmetrisation and Massart's lemma, and it is concentrated, by McDiarmid's inequality. Source:
    Mohri, Rostamizadeh and Talwalkar, *Foundations of machine learning*, 2018, Chapter 3.

    DF20 Lemma 6 is the form by chaining, without the logarithm of n in ln tau_n. It is better for
    astronomical n only: the constants of the known proofs are large.

    Examples
    --------
    >>> float(deviation_bound(3001, 3000, "1/10")) < 0.05
    True
    """
    growth, n = as_size(growth, "growth", least=1), as_size(n, "n", least=1)
    alpha = as_probability(alpha, "alpha")
    mean = Interval.sqrt(2 * Interval.log(2 * growth, bits) / n, bits)
    rest = alpha - mean
    if rest.upper <= 0:
        return Interval.exactly(1)
    least = max(rest.lower, Fraction(0))
    return Interval.exp(-2 * n * Interval(least**2, rest.upper**2), bits)


def union_deviation_bound(hypotheses: int, n: int, alpha: AnyNumber, bits: int = 64) -> Interval:
    """Enclose 2 |H| e^(-2 n alpha^2), a bound on :func:`deviation_failure` for finite classes.

    Parameters
    ----------
    hypotheses
        |H|.
    n
        Size of the sample.
    alpha
        An exact number from 0 to 1.
    bits
        Working precision.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Hoeffding's inequality for each hypothesis.

    Examples
    --------
    >>> float(union_deviation_bound(10, 300, "1/10")) < 0.05
    True
    """
    hypotheses, n = as_size(hypotheses, "hypotheses"), as_size(n, "n")
    alpha = as_probability(alpha, "alpha")
    return 2 * hypotheses * Interval.exp(-2 * n * alpha**2, bits)
