"""A mechanism on a random subsample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Generic, Literal, TypeAlias, TypeVar, cast

from pac_stability.arguments import as_size, described
from pac_stability.data import FiniteDistribution, Mechanism, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.accounting import PrivacyGuarantee, subsampling_amplification
from pac_stability.randomness import SYSTEM_COINS, Coins

Data = TypeVar("Data", bound=Sequence[object])
Out_co = TypeVar("Out_co", covariant=True)

Order: TypeAlias = Literal["index", "random"]
"""Whether a subsample keeps the order of the sample, or is put in a uniformly random one."""


@dataclass(frozen=True, slots=True)
class Subsampled(Generic[Data, Out_co]):
    """Run a mechanism on some examples of the sample, drawn uniformly without replacement.

    Parameters
    ----------
    mechanism
        What sees the subsample.
    size
        n', how many examples it sees.
    order
        In which order: ``"random"``, or ``"index"`` for that of the sample, which is as good, and
        faster, when the mechanism is symmetric (its law does not depend on the order).

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is no sample or tuple, or shorter than ``size``.

    Notes
    -----
    Privacy is amplified: see :meth:`amplified`. In general it is **not** when the order is that of
    the sample and the mechanism is sensitive to it, a case that DF20 Lemma 8 overlooks. Let the
    mechanism see T and say "yes" with probability ``t**(m - n') / 2``, where m is the number of
    positions i with ``T_i = s_i``: one example replaced changes m by at most one, so it is private
    with the factor t. On the samples (s_1, s_2, s_3) and (x, s_2, s_3), with t = 2 and n' = 2, the
    probabilities of "yes" are 7/24 and 4/24: the factor 7/4 exceeds 1 + 2/3 (t - 1) = 5/3.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> first = Deterministic(lambda items: items[0])
    >>> Subsampled(first, 2, order="index").law(("a", "b", "c"))
    FiniteDistribution({'a': 2/3, 'b': 1/3})
    >>> Subsampled(first, 2).law(("a", "b", "c"))
    FiniteDistribution({'a': 1/3, 'b': 1/3, 'c': 1/3})
    """

    mechanism: Mechanism[Data, Out_co]
    size: int
    order: Order = "random"

    def __post_init__(self) -> None:
        _require_mechanism(self.mechanism)
        object.__setattr__(self, "size", as_size(self.size, "size"))
        if self.order not in ("index", "random"):
            raise InvalidInput("order", described(self.order), "'index' or 'random'")

    def amplified(self, guarantee: PrivacyGuarantee, population: int) -> PrivacyGuarantee:
        """Return the exact guarantee on samples of a given size.

        Parameters
        ----------
        guarantee
            That of the mechanism on samples of ``size`` examples, for one example replaced. With
            the order ``"index"`` the mechanism must be symmetric.
        population
            n, the size of the sample.

        Returns
        -------
        PrivacyGuarantee
            :func:`~pac_stability.mechanisms.subsampling_amplification`.
        """
        return subsampling_amplification(guarantee, self.size, population)

    def law(self, x: Data, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple.

        Notes
        -----
        The law of the mechanism is asked for once for each distinct subsample, of which there are
        up to C(n, n'), and n'! times as many in random order.
        """
        indices = range(_length(x, self.size))
        choices = combinations if self.order == "index" else permutations
        return _average(self.mechanism, x, choices(indices, self.size))

    def run(self, x: Data, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        n = _length(x, self.size)
        chosen: list[int] = []
        if self.order == "index":
            for index in range(n):
                missing = self.size - len(chosen)
                if missing and rng.bernoulli(Fraction(missing, n - index)):
                    chosen.append(index)
        else:
            left = list(range(n))
            for _ in range(self.size):
                # The last one takes the free place: a draw costs O(1).
                position = rng.below(len(left))
                left[position], left[-1] = left[-1], left[position]
                chosen.append(left.pop())
        return self.mechanism.run(_pick(x, chosen), rng)


@dataclass(frozen=True, slots=True)
class Resampled(Generic[Data, Out_co]):
    """Run a mechanism on independent draws from the sample, with replacement.

    Parameters
    ----------
    mechanism
        What sees the new sample.
    size
        How many examples are drawn.

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is no sample or tuple, or is empty.

    Notes
    -----
    CLNRW16 Algorithm 2 is this with the size of the sample. One example can be drawn repeatedly, so
    the guarantee is that of groups; no amplification is claimed here.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> Resampled(Deterministic(sum), 2).law((0, 1))
    FiniteDistribution({0: 1/4, 1: 1/2, 2: 1/4})
    """

    mechanism: Mechanism[Data, Out_co]
    size: int

    def __post_init__(self) -> None:
        _require_mechanism(self.mechanism)
        object.__setattr__(self, "size", as_size(self.size, "size"))

    def law(self, x: Data, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple, not empty.

        Notes
        -----
        O(n**size) draws are gone through.
        """
        return _average(self.mechanism, x, product(range(_length(x, 1)), repeat=self.size))

    def run(self, x: Data, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple, not empty.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        n = _length(x, 1)
        return self.mechanism.run(_pick(x, [rng.below(n) for _ in range(self.size)]), rng)


def _require_mechanism(mechanism: object) -> None:
    if not (
        callable(getattr(mechanism, "law", None)) and callable(getattr(mechanism, "run", None))
    ):
        raise InvalidInput("mechanism", described(mechanism), "a mechanism, with law and run")


def _length(x: object, least: int) -> int:
    if not isinstance(x, Sample | tuple):
        raise InvalidInput("x", described(x), "a Sample or a tuple")
    if len(x) < least:
        raise InvalidInput("x", f"{len(x)} examples", f"at least {least}")
    return len(x)


def _pick(x: Data, indices: Sequence[int]) -> Data:
    if isinstance(x, Sample):
        return cast("Data", Sample.from_examples([x[index] for index in indices]))
    return cast("Data", tuple(x[index] for index in indices))


def _average(
    mechanism: Mechanism[Data, Out_co], x: Data, choices: Iterable[Sequence[int]]
) -> FiniteDistribution[Out_co]:
    """Return the law of the output on a uniformly chosen subsequence of the data."""
    times = Counter(_pick(x, indices) for indices in choices)
    return reduced_law(dict(times)).bind(mechanism.law)
