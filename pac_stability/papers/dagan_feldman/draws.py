"""One draw of the stable learner, on samples and classes of any size."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from pac_stability.arguments import as_size
from pac_stability.classes import Family, Hypothesis
from pac_stability.classes.family import require_patterns
from pac_stability.data import ArraySample, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import AnyData, as_counter, as_sample
from pac_stability.mechanisms import exponential_choice
from pac_stability.randomness import SYSTEM_COINS, Coins


def stable_draw(
    H: Family,
    sample: AnyData,
    subset_size: int,
    decay: Fraction,
    rng: Coins = SYSTEM_COINS,
) -> Hypothesis:
    """Draw one hypothesis of A^sta: the algorithm itself.

    A uniformly random set I of indices; the representatives H_T of the class on the points of the
    examples with these indices; and one of them, with probability in proportion to ``decay`` to the
    power of its errors on the whole sample.

    Parameters
    ----------
    H
        The class, not empty; it may be infinite.
    sample
        S, of n examples. For several draws from the same large sample, make an
        :class:`~pac_stability.classes.ErrorCounter` of it first.
    subset_size
        n' = |I|, at least 1 and at most n.
    decay
        rho, an exact number above 0 and at most 1: ``e**(-epsilon/2)`` for the exponential
        mechanism of epsilon.
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    Hypothesis
        Its law is exactly the selection distribution P_S, whatever the sizes.

    Raises
    ------
    InvalidInput
        A parameter is out of range, the sample is too small, a point is not in the domain, or the
        class is empty.

    Notes
    -----
    The subset takes O(n') draws, whatever n. The cost of the errors is that of
    :meth:`~pac_stability.classes.ErrorCounter.count`. Source: DF20 Appendix B.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> sample = Sample(range(100), [int(x >= 50) for x in range(100)])
    >>> 30 <= stable_draw(Thresholds(), sample, 60, Fraction(1, 2)).cut <= 70
    True
    """
    require_patterns(H)
    counter = as_counter(sample)
    subset = random_subset(counter.sample, subset_size, rng)
    hypotheses = H.representatives_on(subset.points)
    if not hypotheses:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    return hypotheses[exponential_choice(counter.count(hypotheses), decay, rng)]


def random_subset(sample: AnyData, size: int, rng: Coins = SYSTEM_COINS) -> Sample[Hashable]:
    """Return the examples at a uniformly random set of indices, in the order of the sample.

    Parameters
    ----------
    sample
        S, of n examples.
    size
        n', how many are drawn, without replacement; at least 1 and at most n.
    rng
        Where the coins come from; the operating system's entropy by default.

    Raises
    ------
    InvalidInput
        The size is out of range.

    Notes
    -----
    O(n') draws, whatever n is: Floyd's algorithm (Bentley, *A sample of brilliance*, 1987).
    """
    given = as_sample(sample)
    n, size = len(given), as_size(size, "subset_size", least=1)
    if n < size:
        raise InvalidInput("sample", f"{n} examples", f"at least {size}, the size of a subset")
    indices = random_indices(n, size, rng)
    if isinstance(given, ArraySample):
        return given.subset(indices)
    return Sample([given.points[i] for i in indices], [given.labels[i] for i in indices])


def random_indices(n: int, size: int, rng: Coins = SYSTEM_COINS) -> list[int]:
    """Return a uniformly random set of indices, in order.

    Parameters
    ----------
    n
        They are from 0 to n - 1.
    size
        How many, from 0 to n.
    rng
        Where the coins come from; the operating system's entropy by default.

    Examples
    --------
    >>> random_indices(3, 3)
    [0, 1, 2]
    """
    chosen: set[int] = set()
    for last in range(n - size, n):
        index = rng.below(last + 1)
        chosen.add(last if index in chosen else index)
    return sorted(chosen)
