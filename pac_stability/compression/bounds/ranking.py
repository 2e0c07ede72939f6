"""Which bound is the best one at given parameters, decided by certified intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cmp_to_key

from pac_stability.arguments import AnyNumber, as_number, as_size
from pac_stability.arithmetic import Interval, decide_less
from pac_stability.compression.bounds.form import DeviationBound, Reading
from pac_stability.compression.bounds.hoeffding import HoeffdingBound
from pac_stability.compression.bounds.printed import Lemma16, Lemma17
from pac_stability.compression.selections import Selection
from pac_stability.errors import InvalidInput


@dataclass(frozen=True)
class RankedBound:
    """A bound on ``|h(S) - h(D)|`` and what it comes from.

    Attributes
    ----------
    bound
        The formula.
    enclosure
        From a working precision to what it says about ``|h(S) - h(D)|``.
    """

    bound: DeviationBound
    enclosure: Callable[[int], Interval]

    def __str__(self) -> str:
        return f"{type(self.bound).__name__} {float(self.enclosure(64)):.4g}"


def ranked_bounds(
    n: int,
    k: int,
    delta: AnyNumber,
    *,
    selection: Selection = Selection.SEQUENCE,
    reading: Reading = "joint",
    mean: AnyNumber | None = None,
) -> tuple[RankedBound, ...]:
    """Return the bounds that hold for what keeps k of n examples, the smallest one first.

    Parameters
    ----------
    n
        Sample size, at least 2.
    k
        How many examples are kept, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.
    selection
        What is known of the indices.
    reading
        As for :class:`UnionBound`. :class:`Lemma17` holds in both.
    mean
        h(V), where it is known: :class:`Lemma16` is then one of the bounds, by its ``on_sample``.
        It is proved in the joint reading.

    Returns
    -------
    tuple of RankedBound
        In the order of their values, decided by certified intervals.

    Raises
    ------
    InvalidInput
        A parameter is out of range; or there is a mean, and ``n < 2 k`` or the reading is another.
    Undecided
        Two of them cannot be told apart.

    Examples
    --------
    Over all tests Hoeffding's inequality is the best of them. For a test that never succeeds
    outside of what was kept, as the errors of a hypothesis that fits, the relative form has the
    better rate, and wins once n is large.

    >>> for n in (1000, 100000):
    ...     print(*ranked_bounds(n, 5, "1/20", mean=0), sep="; ")
    HoeffdingBound 0.1429; Lemma16 0.4267; Lemma17 0.8739
    Lemma16 0.00613; HoeffdingBound 0.01755; Lemma17 0.06
    """
    size, failure = as_size(n, "n", least=2), as_number(delta, "delta")
    by_name: list[DeviationBound] = [
        Lemma17(size, k, failure),
        HoeffdingBound(size, k, failure, selection, reading=reading),
    ]
    bounds = [RankedBound(bound, bound.value) for bound in by_name]
    if mean is not None:
        if reading != "joint":
            raise InvalidInput("mean", f"a mean for the {reading} reading", "the joint reading")
        relative = Lemma16(size, k, failure, as_number(mean, "mean"))
        bounds.append(RankedBound(relative, relative.on_sample))
    return tuple(sorted(bounds, key=cmp_to_key(_compare)))


def _compare(left: RankedBound, right: RankedBound) -> int:
    return -1 if decide_less(left.enclosure, right.enclosure) else 1
