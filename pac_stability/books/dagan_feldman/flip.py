"""From stability to privacy by flipping labels (Section 3, Corollary 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._questions import factor_between
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    factor_at_most,
    fails,
    idle,
    kept_counterexample,
    settle,
    trial,
)
from pac_stability.classes import thresholds
from pac_stability.mechanisms import ClippedLabel, Flip
from pac_stability.papers.dagan_feldman import (
    FlippedLearner,
    StableLearner,
    least_flip_probability,
)


def _flipped(p: Fraction, z: Fraction) -> Fraction:
    return (1 - z) * p + z * (1 - p)


def _least(bound: Callable[[Fraction], Fraction], pair: tuple[Fraction, Fraction]) -> Finding:
    p, alpha = pair
    least = min(_flipped(p, alpha), 1 - _flipped(p, alpha))
    return at_least(
        least,
        bound(alpha),
        f"alpha = {alpha}: a label of probability {p} has probability {least} after the flip, "
        f"below {bound(alpha)}",
    )


def _predictions(most: Fraction) -> Callable[[Budget], Iterator[tuple[Fraction, Fraction]]]:
    def instances(budget: Budget) -> Iterator[tuple[Fraction, Fraction]]:
        q = budget.pick(20, 40, 200)
        alphas = [a for k in range(1, q) if (a := Fraction(k, q)) <= most]
        yield from ((Fraction(j, 10), a) for a in alphas for j in range(11))

    return instances


Instance = tuple[Fraction, Fraction]
"""alpha and epsilon."""
Gamma = Callable[[Fraction, Fraction], Fraction]


def _private(gamma: Gamma, instance: Instance) -> Finding:
    """The flip of the worst gamma-stable predictions, 0 and gamma, has a factor e^epsilon."""
    alpha, epsilon = instance
    g = gamma(alpha, epsilon)
    p, q = _flipped(Fraction(0), alpha), _flipped(g, alpha)
    factor = factor_between(p, q)
    if not isinstance(factor, Fraction):
        raise AssertionError
    return factor_at_most(
        factor,
        Interval.exp(epsilon),
        f"alpha = {alpha}, epsilon = {epsilon}: the {g}-stable predictions 0 and {g} become {p} "
        f"and {q}, with the factor {factor} > e^epsilon = {float(Interval.exp(epsilon)):.5f}",
    )


def _goals(most: Fraction) -> Callable[[Budget], Iterator[Instance]]:
    def instances(budget: Budget) -> Iterator[Instance]:
        q = budget.pick(20, 40, 100)
        alphas = [a for k in range(1, q) if (a := Fraction(k, q)) <= most]
        yield from product(alphas, (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)))

    return instances


Pair = tuple[Fraction, Fraction, Fraction]
"""Two predictions, and the probability of a flip."""


def _pairs(budget: Budget) -> Iterator[Pair]:
    q = budget.pick(10, 24, 80)
    grid = [Fraction(k, q) for k in range(q + 1)]
    yield from product(grid, grid, (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)))


Factor = Callable[[Fraction, Fraction], Fraction | float]
"""From the probability of a flip and gamma to the factor of flipped predictions."""


def _flip_factor(z: Fraction, gamma: Fraction) -> Fraction | float:
    return Flip(z).factor_after(gamma)


def _factor(factor: Factor, pair: Pair) -> Finding:
    p, q, z = pair
    exact = factor_between(_flipped(p, z), _flipped(q, z))
    allowed = factor(z, abs(p - q))
    attained = factor_between(_flipped(Fraction(0), z), _flipped(abs(p - q), z))
    text = f"z = {z}, predictions {p} and {q}: factor {exact}, worst {attained}, formula {allowed}"
    return factor_at_most(exact, allowed, text) if attained == allowed else fails(text)


def _after_privacy(
    formula: Callable[[Flip, Fraction, Fraction], Fraction | float], pair: Pair
) -> Finding:
    """(epsilon, delta)-private predictions, for two epsilons and the least delta of the pair."""
    p, q, z = pair

    def after(t: Fraction) -> Finding:
        delta = max(Fraction(0), p - t * q, q - t * p, (1 - p) - t * (1 - q), (1 - q) - t * (1 - p))
        allowed = formula(Flip(z), delta, t)
        exact = factor_between(_flipped(p, z), _flipped(q, z))
        return factor_at_most(
            exact, allowed, f"z = {z}, {p} and {q}, e^epsilon = {t}: {exact} > {allowed}"
        )

    return all_of(map(after, (Fraction(5, 4), Fraction(3))))


def _clipped(factor: Factor, pair: Pair) -> Finding:
    p, q, z = pair
    law = ClippedLabel(z).law
    exact = factor_between(law(p).probability(1), law(q).probability(1))
    allowed = factor(z, abs(p - q))
    return factor_at_most(exact, allowed, f"z = {z}, {p} and {q} clipped: {exact} > {allowed}")


Loss = tuple[Fraction, Fraction]


def _losses(budget: Budget) -> Iterator[Loss]:
    q = budget.pick(20, 60, 300)
    yield from product([Fraction(k, q) for k in range(q + 1)], [Fraction(k, 20) for k in range(11)])


def _excess(allowed: Callable[[Fraction], Fraction], loss: Loss) -> Finding:
    """Labels that are wrong with probability L are wrong with L (1 - a) + (1 - L) a afterwards."""
    L, alpha = loss
    after = L * (1 - alpha) + (1 - L) * alpha
    return at_most(
        after - L, allowed(alpha), f"loss {L}, alpha = {alpha}: {after - L} more after the flip"
    )


def _error(multiple: int, loss: Loss) -> Finding:
    L, alpha = loss
    best = L - alpha
    if best < 0 or alpha == 0:
        return idle()
    after = L * (1 - alpha) + (1 - L) * alpha
    return at_most(
        after,
        multiple * alpha,
        f"alpha = {alpha}, inf L_D = {best}: the stable learner has loss {L}, the flipped one "
        f"{after} > {multiple * alpha}",
    )


Least = Callable[[StableLearner, Fraction, int], Fraction]


def _learners(budget: Budget) -> Iterator[tuple[int, int, Fraction, Fraction]]:
    sizes = ((1, 10), (3, 20), (1, 100))
    factors = (Fraction(11, 10), Fraction(3, 2), Fraction(5, 2))
    for (size, n), t, inside in product(sizes, factors, factors[: budget.pick(2, 3, 3)]):
        yield size, n, t, inside


def _just_enough(least: Least, instance: tuple[int, int, Fraction, Fraction]) -> Finding:
    size, n, t, inside = instance
    base = StableLearner(thresholds(2), size, Epsilon.exactly(inside))
    z = least(base, t, n)
    enough = FlippedLearner(base, z).factor(n)
    less = FlippedLearner(base, z * Fraction(999, 1000)).factor(n)
    return settle(
        enough <= t < less, f"n' = {size}, n = {n}, e^epsilon = {t}: z = {z} gives {enough}, {less}"
    )


TRIALS: Trials = {
    "DF20:section-3.flip-probability": (
        trial(
            "predictions",
            _least,
            _predictions(Fraction(1)),
            subject=lambda alpha: alpha,
            universe="predictions and alpha in a grid",
        ),
    ),
    "DF20:section-3.flip": (
        trial(
            "worst predictions",
            _private,
            _goals(Fraction(1)),
            subject=lambda alpha, epsilon: epsilon * alpha / 2,
            universe="alpha in a grid, three epsilons",
        ),
        kept_counterexample("DF20:section-3.flip"),
    ),
    "DF20:section-3.flip.repaired": (
        trial(
            "both labels",
            _least,
            _predictions(Fraction(1, 2)),
            subject=lambda alpha: alpha,
            mutant=lambda alpha: 2 * alpha,
            universe="predictions and alpha up to 1/2 in a grid",
        ),
        trial(
            "epsilon alpha",
            _private,
            _goals(Fraction(1, 2)),
            subject=lambda alpha, epsilon: epsilon * alpha,
            mutant=lambda alpha, epsilon: 2 * epsilon * alpha,
            universe="alpha up to 1/2 in a grid, three epsilons",
        ),
        trial(
            "exact factor",
            _factor,
            _pairs,
            subject=_flip_factor,
            mutant=lambda z, gamma: 1 + gamma / z,
            universe="two predictions in a grid, three flips",
        ),
        trial(
            "after privacy",
            _after_privacy,
            _pairs,
            subject=lambda flip, delta, t: flip.factor_after(delta, Epsilon.exactly(t)),
            mutant=lambda flip, delta, _: flip.factor_after(delta),
            universe="two predictions in a grid, three flips, two epsilons",
        ),
        trial(
            "clipping",
            _clipped,
            _pairs,
            subject=lambda z, gamma: ClippedLabel(z).factor_after(gamma),
            mutant=lambda z, gamma: 1 + gamma / (2 * z),
            universe="two predictions in a grid, three margins",
        ),
        trial(
            "least flip",
            _just_enough,
            _learners,
            subject=lambda base, t, n: least_flip_probability(base, Epsilon.exactly(t), n),
            mutant=lambda *_: Fraction(1, 2),
            universe="stable learners of three sizes, factors of privacy",
        ),
    ),
    "DF20:section-3.flip-error": (
        trial(
            "losses",
            _error,
            _losses,
            subject=2,
            universe="losses and alpha in a grid, the excess being alpha",
        ),
    ),
    "DF20:section-3.flip-error.repaired": (
        trial(
            "losses",
            _excess,
            _losses,
            subject=lambda alpha: alpha,
            mutant=lambda alpha: alpha / 2,
            universe="losses and alpha up to 1/2 in a grid",
        ),
    ),
}
