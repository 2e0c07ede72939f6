"""How many examples agnostic learning takes, explicitly: coins of unknown sides (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

from pac_stability.arithmetic import Epsilon
from pac_stability.books.dagan_feldman._learning import counted
from pac_stability.books.dagan_feldman.lower_bound import Constant, JudgedLearner, Memory
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, idle, settle, trial
from pac_stability.classes import FiniteClass, cube
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    ExponentialLearner,
    PrivateVotingLearner,
    StableLearner,
    VotingLearner,
    agnostic_average_excess,
    coin_error,
    sample_complexity,
)

# d coins


@dataclass(frozen=True)
class CoinGame:
    """A learner, the masses of points with a coin each, the size of the samples, and the bias."""

    learner: JudgedLearner
    masses: tuple[Fraction, ...]
    n: int
    bias: Fraction

    def __str__(self) -> str:
        masses = ", ".join(map(str, self.masses))
        return f"{type(self.learner).__name__}, masses {masses}, n = {self.n}, bias {self.bias}"


@cache
def excesses(coins: CoinGame) -> dict[tuple[int, ...], Fraction]:
    """From the sides that the coins prefer to the expected excess of the learner."""
    points = range(len(coins.masses))
    found = dict.fromkeys(product((0, 1), repeat=len(coins.masses)), Fraction(0))
    for drawn in product(product(points, (0, 1)), repeat=coins.n):
        sample = Sample([x for x, _ in drawn], [y for _, y in drawn])
        predicted = coins.learner.probabilities(sample, points)
        for sides in found:
            chance = prod(
                (coins.masses[x] * (1 + (coins.bias if y == sides[x] else -coins.bias)) / 2)
                for x, y in drawn
            )
            wrong = zip(coins.masses, sides, predicted, strict=True)
            loss = sum((mass * abs(side - p) for mass, side, p in wrong), Fraction(0))
            found[sides] += chance * coins.bias * loss
    return found


def _learners(points: int) -> list[JudgedLearner]:
    H = cube(points)
    return [
        VotingLearner(Fraction(1)),
        VotingLearner(Fraction(1, 3)),
        Constant(Fraction(1, 3)),
        Memory(),
        DisjointAverage(H, 1),
        ExponentialLearner(H, Epsilon.exactly(9)),
        StableLearner(H, 1, Epsilon.exactly(9)),
        PrivateVotingLearner(Epsilon.exactly(4)),
    ]


def _settings(budget: Budget) -> Iterator[tuple[tuple[Fraction, ...], int, Fraction]]:
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    masses = [(Fraction(1),), (half, half), (fifth, 1 - fifth)]
    biases = [Fraction(1, 4), Fraction(2, 3), Fraction(1)]
    for n in range(1, budget.pick(4, 5, 5)):
        yield from ((of, n, bias) for of, bias in product(masses, biases))


def _on_coins(budget: Budget) -> Iterator[CoinGame]:
    for masses, n, bias in _settings(budget):
        yield from (CoinGame(learner, masses, n, bias) for learner in _learners(len(masses)))


Average = Callable[[Sequence[Fraction], int, Fraction], Fraction]


def _no_better(average: Average, coins: CoinGame) -> Finding:
    found = excesses(coins)
    mean = sum(found.values(), Fraction(0)) / len(found)
    stated = average(coins.masses, coins.n, coins.bias)
    return at_least(mean, stated, f"{coins}: the mean excess is {mean} < {stated}")


def _one_fewer(masses: Sequence[Fraction], n: int, bias: Fraction) -> Fraction:
    return agnostic_average_excess(masses, n - 1, bias)


def _attains(
    learner: JudgedLearner, setting: tuple[tuple[Fraction, ...], int, Fraction]
) -> Finding:
    coins = CoinGame(learner, *setting)
    found = set(excesses(coins).values())
    least = agnostic_average_excess(*setting)
    return settle(found == {least}, f"{coins}: excesses {sorted(found)}, the least is {least}")


# One coin, and what is accurate with high probability


@dataclass(frozen=True)
class TossedCoin:
    """A learner of the constants on one point, the size of the samples, alpha and beta."""

    learner: JudgedLearner
    n: int
    alpha: Fraction
    beta: Fraction

    def failures(self, bias: Fraction) -> list[Fraction]:
        """Return how often the excess is above alpha, for either side of the coin."""
        n, found = self.n, [Fraction(0), Fraction(0)]
        for ones in range(n + 1):
            (p,) = self.learner.probabilities(counted(n, ones), [0])
            for side in (0, 1):
                if bias * abs(side - p) > self.alpha:
                    one = (1 + bias if side else 1 - bias) / 2
                    found[side] += comb(n, ones) * one**ones * (1 - one) ** (n - ones)
        return found

    def __str__(self) -> str:
        return f"{type(self.learner).__name__}, n = {self.n}, alpha = {self.alpha}"


_CONSTANTS = FiniteClass([[0], [1]])


def _tosses(budget: Budget) -> Iterator[TossedCoin]:
    learners: list[JudgedLearner] = [
        VotingLearner(Fraction(1)),
        VotingLearner(Fraction(1, 5)),
        Constant(Fraction(1, 3)),
        ExponentialLearner(_CONSTANTS, Epsilon.exactly(4)),
        StableLearner(_CONSTANTS, 1, Epsilon.exactly(9)),
        PrivateVotingLearner(Epsilon.exactly(4)),
    ]
    for alpha in (Fraction(1, 10), Fraction(1, 5)):
        for n in (1, 2, 5, 10, 30)[: budget.pick(4, 5, 5)]:
            yield from (TossedCoin(learner, n, alpha, Fraction(0)) for learner in learners)


Told = Callable[[int, Fraction], Fraction]


def _beyond(toss: TossedCoin) -> Fraction:
    """Return a bias just above 2 alpha."""
    return 2 * toss.alpha * Fraction(1001, 1000)


def _two_sides(told: Told, toss: TossedCoin) -> Finding:
    """The larger of two failures is at least the error of the best guess of the side."""
    found, stated = max(toss.failures(_beyond(toss))), told(toss.n, _beyond(toss))
    return at_least(found, stated, f"{toss}: fails with probability {found} < {stated}")


def _fewer_tosses(n: int, bias: Fraction) -> Fraction:
    return coin_error(n - 1, bias) if n % 2 else coin_error(n - 2, bias)


Size = Callable[[Fraction, Fraction, int], int]


def _excluded(budget: Budget) -> Iterator[TossedCoin]:
    """Give sizes just below the closed form, so that none is idle."""
    goals = [("1/10", "1/20"), ("1/5", "1/100"), ("1/6", "1/8")]
    for alpha, beta in goals[: budget.pick(2, 3, 3)]:
        a, b = Fraction(alpha), Fraction(beta)
        n = sample_complexity.agnostic_lower_bound(a, b, 1)
        for learner in (VotingLearner(Fraction(1)), PrivateVotingLearner(Epsilon.exactly(4))):
            yield from (TossedCoin(learner, size, a, b) for size in (n - 1, 2 * n, 4 * n))


def _needed(size: Size, toss: TossedCoin) -> Finding:
    if toss.n >= size(toss.alpha, toss.beta, 1):
        return idle()
    found = max(toss.failures(_beyond(toss)))
    return at_least(
        found,
        toss.beta,
        f"{toss}: for a bias of {_beyond(toss)} it fails with probability {float(found):.6f} <= "
        f"beta = {toss.beta}",
        strictly=True,
    )


def _four_times(alpha: Fraction, beta: Fraction, d: int) -> int:
    return 4 * sample_complexity.agnostic_lower_bound(alpha, beta, d)


@dataclass(frozen=True)
class Excluded:
    """A learner on two coins and an alpha that the closed form excludes for n examples."""

    coins: CoinGame
    alpha: Fraction


def _small(budget: Budget) -> Iterator[Excluded]:
    """Give the largest of some alphas for which n examples are too few on d points."""
    alphas = [Fraction(k, 240) for k in range(60, 5, -1)]
    for d, n in product((1, 2), range(1, budget.pick(4, 5, 5))):
        alpha = next(a for a in alphas if sample_complexity.agnostic_lower_bound(a, 0, d) > n)
        for learner in _learners(d):
            yield Excluded(CoinGame(learner, (Fraction(1, d),) * d, n, 4 * alpha), alpha)


def _expected(scale: int, excluded: Excluded) -> Finding:
    """On coins of bias 4 alpha, which the derivation is about."""
    found = max(excesses(excluded.coins).values())
    return at_least(
        found,
        scale * excluded.alpha,
        f"{excluded.coins}: the excess is at most {found} <= {scale} alpha, alpha = "
        f"{excluded.alpha}",
        strictly=True,
    )


TRIALS: Trials = {
    "DF20:section-1.1.agnostic-lower-bound.explicit": (
        trial(
            "d coins",
            _no_better,
            _on_coins,
            subject=agnostic_average_excess,
            mutant=_one_fewer,
            universe="eight learners on one and two coins, up to three examples",
        ),
        trial(
            "equality",
            _attains,
            _settings,
            subject=VotingLearner(Fraction(1)),
            mutant=VotingLearner(Fraction(1, 2)),
            universe="one and two coins, up to three examples",
        ),
        trial(
            "one coin",
            _two_sides,
            _tosses,
            subject=coin_error,
            mutant=_fewer_tosses,
            universe="six learners of one coin, up to ten examples, a bias just above 2 alpha",
        ),
        trial(
            "d ln(4/3)/ln(1/(1 - 16 alpha^2))",
            _expected,
            _small,
            subject=1,
            mutant=2,
            universe="eight learners on one and two coins, up to three examples, the largest "
            "alpha that is excluded",
        ),
        trial(
            "ln(1/(4 beta))/ln(1/(1 - 4 alpha^2))",
            _needed,
            _excluded,
            subject=sample_complexity.agnostic_lower_bound,
            mutant=_four_times,
            universe="majorities of one coin, some sizes below and above the bound",
        ),
    ),
}
