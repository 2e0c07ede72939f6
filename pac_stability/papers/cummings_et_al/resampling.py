"""Algorithm 2: run a mechanism on a sample resampled from the sample."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from pac_stability.arguments import described
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Mechanism,
    Multiset,
    Sample,
    multiset_distribution,
)
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import Resampled
from pac_stability.randomness import SYSTEM_COINS, Coins

Data = TypeVar("Data", bound=Sequence[object])
E = TypeVar("E")
Out_co = TypeVar("Out_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ResamplingCompiler(Generic[Data, Out_co]):
    """Make a perfectly generalizing mechanism differentially private: M' of the paper.

    On a sample S of n examples it draws n examples T from S, with replacement, and outputs M(T).

    Parameters
    ----------
    mechanism
        M, on samples: a :class:`~pac_stability.data.Sample` or a tuple.
    symmetric
        Whether the law of M is known to ignore the order of the sample; the law of M' then takes a
        call of M for each multiset instead of each sequence.

    Raises
    ------
    InvalidInput
        M is no mechanism; on use, the input is no sample or tuple, or is empty.

    Notes
    -----
    The order of S never matters. What the mechanism guarantees is Theorem 32:
    :class:`~pac_stability.papers.cummings_et_al.resampling_privacy.ResamplingPrivacy`. Source:
    CLNRW16 Algorithm 2.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> ResamplingCompiler(Deterministic(max), symmetric=True).law((0, 0, 1))
    FiniteDistribution({0: 8/27, 1: 19/27})
    """

    mechanism: Mechanism[Data, Out_co]
    symmetric: bool = False

    def __post_init__(self) -> None:
        Resampled(self.mechanism, 0)  # refuses what is no mechanism

    def law(self, x: Data, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            S, not empty.

        Notes
        -----
        For k distinct examples M is asked about the C(n + k - 1, n) multisets of them when it is
        symmetric, and about the k^n sequences otherwise.
        """
        _require_examples(x)
        one = empirical(Multiset.of(x))
        draws = (
            multiset_distribution(one, len(x)).map(Multiset.elements)
            if self.symmetric
            else one.power(len(x))
        )
        return draws.bind(lambda drawn: self.mechanism.law(_like(x, drawn)))

    def run(self, x: Data, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output.

        Parameters
        ----------
        x
            S, not empty.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        _require_examples(x)
        return Resampled(self.mechanism, len(x)).run(x, rng)


def empirical(kind: Multiset[E]) -> FiniteDistribution[E]:
    """Return the empirical distribution of samples of a type: E_S of the paper.

    Parameters
    ----------
    kind
        The type, not empty.

    Examples
    --------
    >>> empirical(Multiset.of("aab"))
    FiniteDistribution({'a': 2/3, 'b': 1/3})
    """
    return reduced_law(dict(kind.items()))


def _require_examples(x: object) -> None:
    if not isinstance(x, Sample | tuple):
        raise InvalidInput("x", described(x), "a Sample or a tuple")
    if not len(x):
        raise InvalidInput("x", "no examples", "at least one")


def _like(x: Data, drawn: tuple[object, ...]) -> Data:
    """Return elements of a sample as a sample of its kind."""
    if isinstance(x, Sample):
        return cast("Data", Sample.from_examples(cast("tuple[Example[Hashable], ...]", drawn)))
    return cast("Data", drawn)
