"""Small linear programs, solved exactly while their constraints are still being found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from pac_stability.arguments import as_fraction, in_words
from pac_stability.errors import InvalidInput


class LinearProgram:
    """Minimise c.x over x >= 0 subject to inequalities a.x >= b, which are added one at a time.

    Parameters
    ----------
    costs
        c, non-negative exact numbers: with these, x = 0 is optimal until a constraint forbids it,
        and the dual simplex method goes on from the last optimum after each addition.

    Raises
    ------
    InvalidInput
        A cost is negative or not exact.

    Notes
    -----
    Integer arithmetic throughout; Bland's rule, so that it ends. Each pivot costs
    O(variables * constraints) multiplications: meant for tens of each.

    Examples
    --------
    >>> program = LinearProgram([2, 3])
    >>> program.require([1, 1], 4)
    >>> program.require([-1, 0], -3)
    >>> program.solve(), program.point(), program.value
    (True, (Fraction(3, 1), Fraction(1, 1)), Fraction(9, 1))
    >>> program.require([0, -1], 0)
    >>> program.solve()
    False
    """

    # A dictionary in the sense of the simplex method: variables 0..k-1 are x, the others slacks.
    # Each row says den * basic = const + sum of coef * free, and is stored as [den, const, *coefs].

    def __init__(self, costs: Sequence[Fraction | int]) -> None:
        exact = [as_fraction(cost, "costs") for cost in costs]
        for cost in exact:
            if cost < 0:
                raise InvalidInput("costs", in_words(cost), "non-negative costs")
        self._free = list(range(len(exact)))
        self._basic: list[int] = []
        self._rows: list[list[int]] = []
        self._objective = _integers([Fraction(0), *exact])
        self._size = len(exact)

    def copy(self) -> LinearProgram:
        """Return an independent copy."""
        other = LinearProgram.__new__(LinearProgram)
        other._free = self._free.copy()
        other._basic = self._basic.copy()
        other._rows = self._rows.copy()  # rows are replaced, never changed
        other._objective = self._objective
        other._size = self._size
        return other

    def require(self, coefficients: Sequence[Fraction | int], bound: Fraction | int) -> None:
        """Add the constraint a.x >= b.

        Parameters
        ----------
        coefficients
            a, one exact number for each variable.
        bound
            b.

        Raises
        ------
        InvalidInput
            There are more or fewer coefficients than variables, or a number is not exact.
        """
        if len(coefficients) != self._size:
            raise InvalidInput(
                "coefficients", f"{len(coefficients)} of them", f"{self._size}, one per variable"
            )
        exact = [as_fraction(a, "coefficients") for a in coefficients]
        place = {variable: index for index, variable in enumerate(self._free)}
        rows = dict(zip(self._basic, self._rows, strict=True))
        slack = [-as_fraction(bound, "bound")] + [Fraction(0)] * self._size
        for variable, a in enumerate(exact):
            if not a:
                continue
            if variable in place:
                slack[1 + place[variable]] += a
            else:
                denominator, *values = rows[variable]
                for index, value in enumerate(values):
                    slack[index] += a * Fraction(value, denominator)
        self._basic.append(self._size + len(self._rows))
        self._rows.append(_integers(slack))

    def solve(self) -> bool:
        """Go to the optimum; return whether there is a feasible point at all."""
        while True:
            violated = [i for i, row in enumerate(self._rows) if row[1] < 0]
            if not violated:
                return True
            leaving = min(violated, key=self._basic.__getitem__)
            entering = self._entering(self._rows[leaving])
            if entering is None:
                return False
            self._pivot(leaving, entering)

    def point(self) -> tuple[Fraction, ...]:
        """Return x, the optimum after :meth:`solve` returned ``True``."""
        values = [Fraction(0)] * self._size
        for variable, row in zip(self._basic, self._rows, strict=True):
            if variable < self._size:
                values[variable] = Fraction(row[1], row[0])
        return tuple(values)

    @property
    def value(self) -> Fraction:
        """The cost of the optimum; a lower bound on it as long as :meth:`solve` was not called."""
        return Fraction(self._objective[1], self._objective[0])

    def _entering(self, row: list[int]) -> int | None:
        """Return the free variable (its place) that keeps all costs non-negative."""
        best: int | None = None
        for j in range(self._size):
            if row[2 + j] <= 0:
                continue
            if best is None:
                best = j
                continue
            # Compare cost / coefficient, ties by the number of the variable.
            gap = self._objective[2 + j] * row[2 + best] - self._objective[2 + best] * row[2 + j]
            if gap < 0 or (gap == 0 and self._free[j] < self._free[best]):
                best = j
        return best

    def _pivot(self, leaving: int, entering: int) -> None:
        old = self._rows[leaving]
        pivot, column = old[2 + entering], 2 + entering

        def substituted(row: list[int]) -> list[int]:
            factor = row[column]
            if not factor:
                return row
            new = [pivot * a - factor * b for a, b in zip(row, old, strict=True)]
            new[0] = pivot * row[0]
            new[column] = factor * old[0]
            return _reduced(new)

        self._objective = substituted(self._objective)
        self._rows = [
            row if index == leaving else substituted(row) for index, row in enumerate(self._rows)
        ]
        solved = [-a for a in old]
        solved[0], solved[column] = pivot, old[0]
        self._rows[leaving] = _reduced(solved)
        self._basic[leaving], self._free[entering] = self._free[entering], self._basic[leaving]


def _integers(values: list[Fraction]) -> list[int]:
    denominator = math.lcm(*(value.denominator for value in values))
    return [denominator, *(int(value * denominator) for value in values)]


def _reduced(row: list[int]) -> list[int]:
    common = math.gcd(*row)
    return [value // common for value in row] if common > 1 else row
