"""The trials: each question stands above those that ask it."""

from collections.abc import Callable

from pac_stability.claims.kit import Budget, Comparison, Table, reaches, universe

TRIALS = Table("XYZ26")


def square(n: int) -> int:
    """Return what the statement is about; objects of pac_stability can stand here as well."""
    return n * n


def _root(n: int) -> int:
    """Return something wrong, which the question must notice."""
    return n - 1


@universe("integers from -2 on")
def _integers(budget: Budget) -> range:
    return range(-2, budget.pick(10, 100, 1000))


def _grows(power: Callable[[int], int], n: int) -> Comparison:
    return reaches(power(n), n)


TRIALS.add("lemma-1", "integers", _grows, _integers, square, _root)
