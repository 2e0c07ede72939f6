"""Group privacy: differential privacy for samples that differ in up to k examples.

An (epsilon, delta)-private mechanism has close laws on samples at Hamming distance up to k: with
k epsilon, and with delta times 1 + t + ... + t**(k-1) for t = e**epsilon. Go from one sample to the
other one replacement at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.data import Law
from pac_stability.errors import InvalidInput
from pac_stability.notions import chain_rule, differential_privacy

E = TypeVar("E", bound=Sequence[object])
Out = TypeVar("Out")
N = TypeVar("N", bound=Fraction | Interval)


def hamming_distance(sample: Sequence[object], other: Sequence[object]) -> int:
    """Return in how many positions two samples of one size differ.

    Parameters
    ----------
    sample, other
        Samples, or any sequences.

    Raises
    ------
    InvalidInput
        Their sizes differ.

    Examples
    --------
    >>> hamming_distance("abc", "acc")
    1
    """
    if len(sample) != len(other):
        raise InvalidInput("other", f"sizes {len(sample)} and {len(other)}", "samples of one size")
    return sum(one != two for one, two in zip(sample, other, strict=True))


def group_pairs(samples: Iterable[E], size: int) -> Iterator[tuple[E, E]]:
    """Yield the pairs of samples that differ in 1 to k positions, each pair in one order.

    Parameters
    ----------
    samples
        Samples of one size, such as all of them.
    size
        k, the size of the group, at least 1.

    Raises
    ------
    InvalidInput
        The sizes of the samples differ, or k is not a positive integer.

    Notes
    -----
    Compares all pairs: time quadratic in the number of samples.

    Examples
    --------
    >>> list(group_pairs(["aa", "ab", "bb"], 1))
    [('aa', 'ab'), ('ab', 'bb')]
    """
    group = as_size(size, "size", least=1)
    kept = tuple(samples)
    return (
        (sample, other)
        for index, sample in enumerate(kept)
        for other in kept[index + 1 :]
        if 1 <= hamming_distance(sample, other) <= group
    )


def minimal_epsilon(
    law: Callable[[E], Law[Out, N]], samples: Iterable[E], size: int, delta: AnyNumber = 0
) -> N | float:
    """Return the factor of the smallest epsilon with which groups of k are private, or infinity.

    Parameters
    ----------
    law
        The law of the output on a sample.
    samples
        Samples of one size, such as all of them.
    size
        k, the size of the group, at least 1.
    delta
        A probability.

    Returns
    -------
    Fraction, or Interval for enclosed laws, or math.inf
        The smallest e**epsilon, at least 1; infinity when no epsilon is enough.

    Raises
    ------
    InvalidInput
        The sizes of the samples differ, k is not a positive integer, or delta is not an exact
        probability.
    Undecided
        For enclosed laws: the intervals leave it open whether any epsilon is enough.

    Examples
    --------
    Two bits, each reported truthfully with probability 3/4:

    >>> from pac_stability.data import FiniteDistribution
    >>> def told(bits: tuple[int, int]) -> FiniteDistribution[tuple[int, int]]:
    ...     noise = FiniteDistribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    ...     return noise.product(noise).map(lambda z: (bits[0] ^ z[0], bits[1] ^ z[1]))
    >>> bits = [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> minimal_epsilon(told, bits, 1), minimal_epsilon(told, bits, 2)
    (Fraction(3, 1), Fraction(9, 1))
    """
    return differential_privacy.minimal_epsilon(law, group_pairs(samples, size), delta)


def minimal_delta(
    law: Callable[[E], Law[Out, N]], samples: Iterable[E], size: int, epsilon: Epsilon
) -> N:
    """Return the smallest delta with which groups of k are (epsilon, delta)-private.

    Parameters
    ----------
    law
        The law of the output on a sample.
    samples
        Samples of one size, such as all of them.
    size
        k, the size of the group, at least 1.
    epsilon
        The privacy parameter of the group.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        The sizes of the samples differ, k is not a positive integer, or epsilon is not an
        ``Epsilon``.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> minimal_delta(FiniteDistribution.uniform, ["ab", "cb", "cd"], 2, Epsilon.exactly(2))
    Fraction(1, 1)
    """
    return differential_privacy.minimal_delta(law, group_pairs(samples, size), epsilon)


def holds(
    law: Callable[[E], Law[Out, N]],
    samples: Iterable[E],
    size: int,
    epsilon: Epsilon,
    delta: AnyNumber = 0,
) -> bool:
    """Return whether groups of k are (epsilon, delta)-private.

    Parameters
    ----------
    law
        The law of the output on a sample.
    samples
        Samples of one size, such as all of them.
    size
        k, the size of the group, at least 1.
    epsilon, delta
        The parameters of the group.

    Raises
    ------
    InvalidInput
        The sizes of the samples differ, k is not a positive integer, epsilon is not an ``Epsilon``,
        or delta is not an exact probability.
    Undecided
        For enclosed laws: the intervals do not settle the question.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> holds(FiniteDistribution.uniform, ["ab", "cb", "cd"], 1, Epsilon.exactly(1), "1/2")
    True
    """
    return differential_privacy.holds(law, group_pairs(samples, size), epsilon, delta)


def bound(epsilon: Epsilon, delta: AnyNumber, size: int) -> tuple[Epsilon, Fraction]:
    """Return the parameters that an (epsilon, delta)-private mechanism has for groups of k.

    Parameters
    ----------
    epsilon, delta
        The parameters for one example.
    size
        k, the size of the group, at least 1.

    Returns
    -------
    (Epsilon, Fraction)
        k epsilon, and delta (t**k - 1) / (t - 1) for the factor t of epsilon. A delta of 1 or more
        is vacuous.

    Raises
    ------
    InvalidInput
        A parameter is not one, or k is not a positive integer.

    Examples
    --------
    >>> bound(Epsilon.exactly(2), Fraction(1, 100), 3)[1]
    Fraction(7, 100)
    """
    return chain_rule.chain_of_equal_links(epsilon, delta, as_size(size, "size", least=1))


def simpler_delta(epsilon: Epsilon, delta: AnyNumber, size: int) -> Fraction:
    """Return k e**((k-1) epsilon) delta, which is never less than the delta of :func:`bound`.

    Parameters
    ----------
    epsilon
        The privacy parameter.
    delta
        A probability.
    size
        k, the size of the group, at least 1.

    Returns
    -------
    Fraction

    Raises
    ------
    InvalidInput
        epsilon is not an ``Epsilon``, delta is not an exact probability, or k is not a positive
        integer.

    Notes
    -----
    This replaces each of the k terms 1, t, ..., t**(k-1) by the last. CLNRW16 means this bound and
    prints delta in the exponent.

    Examples
    --------
    >>> simpler_delta(Epsilon.exactly(2), Fraction(1, 100), 3)
    Fraction(3, 25)
    """
    group = as_size(size, "size", least=1)
    return group * factor_of(epsilon) ** (group - 1) * as_probability(delta, "delta")
