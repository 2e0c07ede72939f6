"""From the sample to the distribution: Lemma 6, and what agnostic learners need of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias, Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    R,
    Reals,
    certified_ceiling,
    fixed_point,
)
from pac_stability.papers.dagan_feldman.sample_complexity._growth import Growth
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    Ask,
    Known,
    LeastSize,
    size_of,
)

_Bound: TypeAlias = Callable[[int, Fraction, Fraction, Ceiling], int]


@size_of
def uniform_convergence_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    vc_dimension: int,
    **known: Unpack[Known],
) -> LeastSize:
    """Return how many examples make all empirical losses accurate at once (Lemma 6).

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta, ``|L_D(h) - L_S(h)| <= alpha`` for every h: exact
        numbers above 0 and below 1.
    vc_dimension
        d, at least 1.
    constants
        Printed: those of Shalev-Shwartz and Ben-David, Section 28.1. Proved and sharp: ours, for
        there is nothing to divide.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    LeastSize
        The least n that the bound allows.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Printed is the least n with ``sqrt(8 ln tau_n / n) + sqrt(2 ln(4/beta) / n) <= alpha``, and ours
    the least with ``sqrt(2 ln tau_n / n) + sqrt(ln(2/beta) / (2n)) <= alpha`` (symmetrisation,
    Massart and McDiarmid, for each side), or with ``sqrt(2 ln(2 tau_n) / n) + sqrt(ln(1/beta) /
    (2n)) <= alpha`` (the same, for both sides at once), or for a finite class ``n >= ln(2|H|/beta)
    / (2 alpha**2)``.

    Examples
    --------
    >>> uniform_convergence_size("1/10", "1/20", 1).sample_size
    2860
    >>> uniform_convergence_size("1/10", "1/20", 1, class_size=2).sample_size
    220
    >>> uniform_convergence_size("1/10", "1/20", 1, constants="printed").sample_size
    13663
    """
    ask = Ask(alpha, beta, vc_dimension=vc_dimension, **known)
    a, b, tau = ask.alpha, ask.beta, ask.patterns
    bounds = (two_sided_size,) if ask.printed else (_union_of_sides, _both_sides)

    def conditions(bound: _Bound, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        yield "uniform convergence", bound(tau(n), a, b, ceiling)

    n = min(fixed_point(conditions, bound) for bound in bounds)
    binding = "uniform convergence"
    if tau.class_size is not None and not ask.printed:
        finite = _finite_two_sided(tau.class_size, a, b)
        if finite < n:
            n, binding = finite, "finite class"
    return LeastSize(n, binding, ask.constants)


def two_sided_size(tau: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    """Return what n Section 28.1 of Shalev-Shwartz and Ben-David asks for, given tau_n."""

    def needed(real: Reals[R]) -> R:
        root = real.sqrt(8 * real.log(tau)) + real.sqrt(2 * real.log(4 / beta))
        return root * root / real.exactly(alpha**2)

    return ceiling(needed)


def _union_of_sides(tau: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    def needed(real: Reals[R]) -> R:
        root = real.sqrt(2 * real.log(tau)) + real.sqrt(real.log(2 / beta) / 2)
        return root * root / real.exactly(alpha**2)

    return ceiling(needed)


def _both_sides(tau: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    def needed(real: Reals[R]) -> R:
        root = real.sqrt(2 * real.log(2 * tau)) + real.sqrt(real.log(1 / beta) / 2)
        return root * root / real.exactly(alpha**2)

    return ceiling(needed)


def _finite_two_sided(size: int, alpha: Fraction, beta: Fraction) -> int:
    def needed(real: Reals[R]) -> R:
        return real.log(2 * size / beta) / real.exactly(2 * alpha**2)

    return certified_ceiling(needed)


def excess_deviation_size(
    tau: Growth, n: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling
) -> int:
    """Return what n makes an excess loss on the sample one on the distribution, up to alpha.

    With probability at least 1 - beta, ``L_D(h) - L_D(g) <= L_S(h) - L_S(g) + alpha`` for every h
    in the class at once, where g is the best hypothesis: what a learner needs that chooses h, or a
    mixture of such h, after seeing S. The bound is

        (sqrt(2 ln tau_n) + sqrt(2 ln(1/beta)))**2 / alpha**2,

    as the largest deviation has expectation at most ``sqrt(2 ln tau_n / n)`` (g is fixed, so its
    own deviation has expectation 0), and changes by at most 2/n with one example. For a finite
    class of N hypotheses there are also a union bound over the N - 1 differences, which lie in
    [-1, 1], and one over h and g apart.
    """

    def by_growth(real: Reals[R]) -> R:
        root = real.sqrt(2 * real.log(tau(n))) + real.sqrt(2 * real.log(1 / beta))
        return root * root / real.exactly(alpha**2)

    size = ceiling(by_growth)
    if tau.class_size is None:
        return size
    hypotheses = tau.class_size

    def by_differences(real: Reals[R]) -> R:
        return 2 * real.log((hypotheses - 1) / beta) / real.exactly(alpha**2)

    def by_hypotheses(real: Reals[R]) -> R:
        root = real.sqrt(real.log(2 * hypotheses / beta)) + real.sqrt(real.log(2 / beta))
        return root * root / real.exactly(2 * alpha**2)

    return min(size, ceiling(by_differences), ceiling(by_hypotheses))
