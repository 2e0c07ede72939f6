"""Approximate compression (CLNRW16, Remark 15): a subsample, and the best hypothesis on it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, repeat
from typing import ClassVar

from pac_stability.arguments import as_size
from pac_stability.classes import Family, Hypothesis, least_errors
from pac_stability.classes.required import require_patterns
from pac_stability.compression.scheme import CompressionScheme, H_co
from pac_stability.compression.selections import Selection
from pac_stability.data import Example, FiniteDistribution, Multiset, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.data.required import require_sample
from pac_stability.errors import BudgetExhausted
from pac_stability.randomness import SYSTEM_COINS, Coins

MAX_SUBSAMPLES = 100_000
"""Different subsamples of which a law is made, at most."""


class ApproximateScheme(CompressionScheme[H_co]):
    """A scheme whose hypothesis belongs to the class but may make more errors than need be.

    It keeps examples and rebuilds a hypothesis from them alone, as Definition 14 has it, so that
    the bounds on generalization hold for it; only the promise of the fewest errors is dropped.
    """


class SubsamplingScheme(ApproximateScheme[Hypothesis]):
    """Keep a random subsample; rebuild what errs least on it.

    The k examples are drawn without replacement, without a look at them: all k-element sets of
    indices are equally probable. A sample of at most k examples is kept whole. The hypothesis is
    that of :func:`~pac_stability.classes.least_errors`.

    Parameters
    ----------
    family
        The class H, not empty.
    k
        The number of examples to keep, at least 1.

    Raises
    ------
    InvalidInput
        ``k`` is no such integer; on use, the sample or the class is empty, or a point is not of
        its domain.

    Notes
    -----
    When k is of the order ``d / e^2`` for the VC dimension d, the subsample is likely to be an
    e-approximation: the loss of every hypothesis on it is within e of its loss on the sample. Then
    the hypothesis errs at most 2e more than the best. CLNRW16, Remarks 15 and 27; as the indices
    are chosen independently of the examples, no union bound over them is needed.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> scheme = SubsamplingScheme(Thresholds(), 2)
    >>> scheme.law(Sample([1, 2, 3], [0, 1, 1])).map(lambda h: h.cut)
    FiniteDistribution({2: 2/3, 3: 1/3})
    """

    symmetric: ClassVar[bool] = True
    selection: Selection = Selection.OBLIVIOUS

    def __init__(self, family: Family, k: int) -> None:
        require_patterns(family, "family")
        self._family = family
        self._k = as_size(k, "k", least=1)

    @property
    def family(self) -> Family:
        """The class H."""
        return self._family

    def size(self, n: int) -> int:
        """Return k, or n when that is less.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return min(as_size(n, "n"), self._k)

    def compress(self, sample: Sample[Hashable], rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        """Return the indices of the subsample, increasing.

        Parameters
        ----------
        sample
            The n examples, at least one.
        rng
            Where the coins come from; the operating system's entropy by default.

        Raises
        ------
        InvalidInput
            The sample is empty.
        """
        n = _length(sample)
        chosen: set[int] = set()
        # Floyd's method: each set is as probable as any other, and no candidate is thrown away.
        for last in range(n - self.size(n), n):
            index = rng.below(last + 1)
            chosen.add(last if index in chosen else index)
        return tuple(sorted(chosen))

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return self.compress(sample)

    def reconstruct(self, kept: Sample[Hashable], /) -> Hypothesis:
        """Return the first of the hypotheses that err least on the kept examples."""
        require_sample(kept, 1, "kept")
        return least_errors(self._family, kept)[0]

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.

        Raises
        ------
        InvalidInput
            As for :meth:`compress` and :meth:`reconstruct`.
        BudgetExhausted
            There are more than :data:`MAX_SUBSAMPLES` different subsamples.

        Notes
        -----
        Goes through the subsamples up to the order of their examples: a multiset that takes t_i of
        the c_i copies of each example has ``prod C(c_i, t_i)`` sets of indices.
        """
        kept = self.size(_length(sample))
        examples, copies = zip(*Multiset.of(sample).items(), strict=True)
        if _count_parts(copies, kept) > MAX_SUBSAMPLES:
            raise BudgetExhausted(f"more than {MAX_SUBSAMPLES} different subsamples of {kept}")
        weights: dict[Hypothesis, int] = {}
        for taken in _parts(copies, kept):
            h = self.reconstruct(_sample_of(examples, taken))
            ways = math.prod(map(math.comb, copies, taken))
            weights[h] = weights.get(h, 0) + ways
        return reduced_law(weights)


def _parts(copies: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """List the multiplicities, each at most the number of copies, that sum to a size."""
    if not copies:
        if size == 0:
            yield ()
        return
    first, *rest = copies
    for count in range(max(0, size - sum(rest)), min(first, size) + 1):
        for others in _parts(rest, size - count):
            yield (count, *others)


def _count_parts(copies: Sequence[int], size: int) -> int:
    """Count what :func:`_parts` lists: a coefficient of ``prod (1 + x + ... + x^c)``."""
    counts = [1] + [0] * size
    for most in copies:
        counts = [sum(counts[max(0, total - most) : total + 1]) for total in range(size + 1)]
    return counts[size]


def _sample_of(examples: Sequence[Example[Hashable]], taken: Sequence[int]) -> Sample[Hashable]:
    return Sample.from_examples(chain.from_iterable(map(repeat, examples, taken)))


def _length(sample: Sample[Hashable]) -> int:
    require_sample(sample, 1, "sample")
    return len(sample)
