"""The fewest examples that approximate a sample for a whole class, found without coins."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.classes import Family, Hypothesis, least_errors
from pac_stability.classes.required import require_patterns
from pac_stability.compression.scheme import subsample
from pac_stability.data import Multiset, Sample
from pac_stability.data.required import require_sample
from pac_stability.errors import BudgetExhausted, InvalidInput


@dataclass(frozen=True, slots=True, repr=False)
class Approximation(Tabled):
    """Some examples of a sample on which every hypothesis of a class errs nearly as often.

    Attributes
    ----------
    indices
        Distinct indices of the sample, increasing.
    deviation
        The largest difference of the loss of a hypothesis on these examples and on the sample.
    hypothesis
        The first of those that err least on these examples. Its loss on the sample exceeds the
        least one by at most twice the deviation.
    """

    indices: tuple[int, ...]
    deviation: Fraction
    hypothesis: Hypothesis


def smallest_approximation(
    family: Family,
    sample: Sample[Hashable],
    accuracy: AnyNumber,
    *,
    max_nodes: int = 200_000,
) -> Approximation:
    """Find the fewest examples whose losses approximate those of a sample for every hypothesis.

    Parameters
    ----------
    family
        The class H, not empty.
    sample
        S, at least one example.
    accuracy
        e, exact, from 0 to 1: ``|loss(T, h) - loss(S, h)| <= e`` for every h in H is wanted.
    max_nodes
        Partial choices that may be looked at.

    Returns
    -------
    Approximation
        A part T of S with at least one example; no smaller one exists.

    Raises
    ------
    InvalidInput
        A parameter is not as described, or a point is not of the domain.
    BudgetExhausted
        More choices were needed; carries the bounds on the size reached.

    Notes
    -----
    The deterministic side of CLNRW16, Remark 15. Depth-first search over how many copies of each
    different example T takes, sizes in increasing order; a choice is left when some pattern can no
    longer come within e. Exponential in the number of different examples.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> S = Sample([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])
    >>> found = smallest_approximation(Thresholds(), S, "1/6")
    >>> found.indices, found.deviation
    ((1, 4), Fraction(1, 6))
    """
    require_patterns(family, "family")
    require_sample(sample, 1, "sample")
    n, e = len(sample), as_probability(accuracy, "accuracy")
    examples, copies = zip(*Multiset.of(sample).items(), strict=True)
    patterns = family.restrict(sample.points)
    if len(patterns) == 0:
        raise InvalidInput("family", "the empty class", "at least one hypothesis")
    columns = [patterns.column(z.point) for z in examples]
    wrong = (patterns.table[:, columns] ^ [z.label for z in examples]).astype(np.int64)
    losses = [Fraction(errors, n) for errors in (wrong @ np.array(copies)).tolist()]
    search = _ApproximationSearch(wrong, copies, as_size(max_nodes, "max_nodes", least=1))
    taken: Sequence[int] | None = None
    size = 0
    while taken is None:  # the sample itself has the deviation 0
        size += 1
        low = [math.ceil(size * (loss - e)) for loss in losses]
        high = [math.floor(size * (loss + e)) for loss in losses]
        taken = search.find(size, np.array(low), np.array(high))
    to_take = dict(zip(examples, taken, strict=True))
    indices: list[int] = []
    for index, example in enumerate(sample):
        if to_take[example]:
            to_take[example] -= 1
            indices.append(index)
    deviation = max(
        abs(Fraction(errors, size) - loss)
        for errors, loss in zip((wrong @ np.array(taken)).tolist(), losses, strict=True)
    )
    best, _ = least_errors(family, subsample(sample, tuple(indices)))
    return Approximation(tuple(indices), deviation, best)


class _ApproximationSearch:
    """Search for multiplicities with which every pattern errs as often as wanted."""

    def __init__(self, wrong: npt.NDArray[np.int64], copies: Sequence[int], max_nodes: int) -> None:
        self.wrong = wrong
        self.copies = copies
        self.nodes = self.max_nodes = max_nodes
        # At most so many more errors, and so many more right labels, from each example on.
        self.errors_ahead = _sums_from(wrong * np.array(copies))
        self.right_ahead = _sums_from((1 - wrong) * np.array(copies))

    def find(
        self, size: int, low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]
    ) -> tuple[int, ...] | None:
        """Return multiplicities of that sum, with the errors of each pattern in its range."""
        chosen: list[int] = []
        share = Fraction(size, sum(self.copies))

        def extend(errors: npt.NDArray[np.int64], left: int) -> bool:
            if self.nodes == 0:
                message = f"more than {self.max_nodes} partial choices"
                raise BudgetExhausted(message, size, sum(self.copies))
            self.nodes -= 1
            place = len(chosen)
            most = errors + np.minimum(left, self.errors_ahead[place])
            least = errors + np.maximum(0, left - self.right_ahead[place])
            if np.any(most < low) or np.any(least > high):
                return False
            if place == len(self.copies):
                return left == 0
            fair = share * self.copies[place]
            limit = min(left, self.copies[place])
            for count in sorted(range(limit + 1), key=lambda count: abs(count - fair)):
                chosen.append(count)
                if extend(errors + count * self.wrong[:, place], left - count):
                    return True
                chosen.pop()
            return False

        return tuple(chosen) if extend(np.zeros(len(low), dtype=np.int64), size) else None


def _sums_from(columns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return for each column the sum of it and all later ones, and zeros after the last."""
    sums = np.zeros((columns.shape[1] + 1, columns.shape[0]), dtype=np.int64)
    sums[:-1] = np.cumsum(columns.T[::-1], axis=0)[::-1]
    return sums
