"""Few examples that teach a hypothesis of small weighted error: one round of boosting."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described
from pac_stability.classes import Family, Hypothesis, least_errors
from pac_stability.compression.scheme import subsample
from pac_stability.data import Sample
from pac_stability.errors import BudgetExhausted, NotRealizable

MAX_GROUPS = 20_000
"""Groups that are tried when the greedy choice of one fails."""

Group = tuple[int, ...]
"""Indices of examples."""


class WeakGroups:
    """Search the groups of some examples for one that teaches what is wanted.

    Parameters
    ----------
    family
        The class.
    examples
        Distinct points with labels.
    size
        The largest size of a group.

    Raises
    ------
    NotRealizable
        No hypothesis of the class fits the examples.
    """

    def __init__(self, family: Family, examples: Sample[Hashable], size: int) -> None:
        self._family = family
        self._examples = examples
        self._size = size
        labels = np.array(examples.labels, dtype=np.uint8)
        self._wrong = family.restrict(examples.points).table ^ labels
        if self._wrong.any(axis=1).all():
            raise NotRealizable(f"no hypothesis of the class fits {described(examples)}")
        self._learned: dict[Group, list[int]] = {}

    def errs(self, group: Group) -> list[int]:
        """Return on which examples the hypothesis of a group errs, as 0 and 1."""
        if group not in self._learned:
            h = fitting_hypothesis(self._family, subsample(self._examples, group))
            self._learned[group] = [h(z.point) ^ z.label for z in self._examples]
        return self._learned[group]

    def find(self, weights: Sequence[int], allowed: int) -> Group | None:
        """Return a group whose hypothesis errs on examples of at most a given weight in all.

        ``None`` when there is none.

        Raises
        ------
        BudgetExhausted
            None was found so far, and there are more than :data:`MAX_GROUPS`.
        """

        def first(candidates: Iterable[Group]) -> Group | None:
            return next((c for c in candidates if self._weigh(c, weights) <= allowed), None)

        return (
            first(list(self._learned))
            or self._greedy(weights, allowed)
            or first(self._all_groups())
        )

    def _weigh(self, group: Group, weights: Sequence[int]) -> int:
        errs = self.errs(group)
        return sum(weight for bit, weight in zip(errs, weights, strict=True) if bit)

    def _greedy(self, weights: Sequence[int], allowed: int) -> Group | None:
        """Contradict every pattern whose errors weigh more than allowed, most patterns first."""
        left = self._wrong[_weighted_errors(self._wrong, weights) > allowed]
        group: list[int] = []
        while len(left):
            if len(group) == self._size:
                return None
            column = int(np.argmax(left.sum(axis=0, dtype=np.int64)))
            group.append(column)
            left = left[left[:, column] == 0]
        return tuple(sorted(group)) or (0,)

    def _all_groups(self) -> Iterable[Group]:
        m = len(self._examples)
        sizes = range(1, min(m, self._size) + 1)
        if sum(math.comb(m, size) for size in sizes) > MAX_GROUPS:
            message = f"more than {MAX_GROUPS} groups of {self._size} out of {m} examples"
            raise BudgetExhausted(message)
        return chain.from_iterable(combinations(range(m), size) for size in sizes)


def fitting_hypothesis(family: Family, group: Sample[Hashable]) -> Hypothesis:
    """Return the first hypothesis that fits a group: all that it is kept for."""
    h, errors = least_errors(family, group)
    if errors:
        raise NotRealizable(f"no hypothesis of the class fits {described(group)}")
    return h


def _weighted_errors(
    wrong: npt.NDArray[np.uint8], weights: Sequence[int]
) -> npt.NDArray[np.int64] | npt.NDArray[np.object_]:
    """Return the exact weight of the errors of each pattern, for weights of any size."""
    bits = 62 - len(weights).bit_length()  # sums of so many bits stay below 2**62
    total: npt.NDArray[np.int64] | npt.NDArray[np.object_] = np.zeros(len(wrong), dtype=np.int64)
    for shift in range(0, max(weights).bit_length(), bits):
        digits = [(weight >> shift) & ((1 << bits) - 1) for weight in weights]
        # A product of matrices of integers would be ten times slower.
        sums = np.einsum("ij,j->i", wrong, np.array(digits, dtype=np.int64))
        total = sums if shift == 0 else total.astype(object) + (sums.astype(object) << shift)
    return total
