"""From stability to privacy by flipping labels (Section 3, Corollary 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman.as_written import factor_between
from pac_stability.claims import kit
from pac_stability.claims.trials import kept_counterexample
from pac_stability.mechanisms import Flip

F = Fraction
TRIALS = kit.Table("DF20")


def _flipped(p: F, z: F) -> F:
    return (1 - z) * p + z * (1 - p)


# How likely each label is afterwards


def _predictions(most: F) -> Callable[[kit.Budget], Iterator[tuple[F, F]]]:
    def instances(budget: kit.Budget) -> Iterator[tuple[F, F]]:
        q = budget.pick(20, 40, 200)
        alphas = [a for k in range(1, q) if (a := F(k, q)) <= most]
        yield from ((F(j, 10), a) for a in alphas for j in range(11))

    return instances


def _least(bound: Callable[[F], F], it: tuple[F, F]) -> kit.Finding:
    p, alpha = it
    least = min(_flipped(p, alpha), 1 - _flipped(p, alpha))
    return kit.reaches(least, bound(alpha)).settle(
        f"alpha = {alpha}: a label of probability {p} has probability {least} after the flip, "
        f"below {bound(alpha)}"
    )


TRIALS.add(
    "section-3.flip-probability", "predictions", _least,
    kit.universe("predictions and alpha in a grid")(_predictions(F(1))), lambda alpha: alpha,
)  # fmt: skip
TRIALS.add(
    "section-3.flip.repaired", "both labels", _least,
    kit.universe("predictions and alpha up to 1/2 in a grid")(_predictions(F(1, 2))),
    lambda alpha: alpha, lambda alpha: 2 * alpha,
)  # fmt: skip


# How private predictions are afterwards


def _goals(most: F) -> Callable[[kit.Budget], Iterator[tuple[F, F]]]:
    def instances(budget: kit.Budget) -> Iterator[tuple[F, F]]:
        q = budget.pick(20, 40, 100)
        alphas = [a for k in range(1, q) if (a := F(k, q)) <= most]
        yield from product(alphas, (F(1, 10), F(1, 2), F(9, 10)))

    return instances


def _private(gamma: Callable[[F, F], F], it: tuple[F, F]) -> kit.Finding:
    """The flip of the worst gamma-stable predictions, 0 and gamma, has a factor e^epsilon."""
    alpha, epsilon = it
    g, allowed = gamma(alpha, epsilon), Interval.exp(epsilon)
    p, q = _flipped(F(0), alpha), _flipped(g, alpha)
    factor = factor_between(p, q)
    return kit.factor_within(factor, allowed).settle(
        f"alpha = {alpha}, epsilon = {epsilon}: the {g}-stable predictions 0 and {g} become {p} "
        f"and {q}, with the factor {factor} > e^epsilon = {float(allowed):.5f}"
    )


TRIALS.add(
    "section-3.flip", "worst predictions", _private,
    kit.universe("alpha in a grid, three epsilons")(_goals(F(1))),
    lambda alpha, epsilon: epsilon * alpha / 2,
)  # fmt: skip
TRIALS.keeps("section-3.flip", kept_counterexample("DF20:section-3.flip"))
TRIALS.add(
    "section-3.flip.repaired", "epsilon alpha", _private,
    kit.universe("alpha up to 1/2 in a grid, three epsilons")(_goals(F(1, 2))),
    lambda alpha, epsilon: epsilon * alpha, lambda alpha, epsilon: 2 * epsilon * alpha,
)  # fmt: skip


@kit.universe("two predictions in a grid, three flips")
def _pairs(budget: kit.Budget) -> Iterator[tuple[F, F, F]]:
    q = budget.pick(10, 24, 80)
    grid = [F(k, q) for k in range(q + 1)]
    yield from product(grid, grid, (F(1, 20), F(1, 4), F(1, 2)))


def _factor(
    formula: Callable[[F, F], F | float], it: tuple[F, F, F]
) -> kit.Comparison | kit.Finding:
    """From the probability of a flip and gamma to the factor, which some predictions have."""
    p, q, z = it
    gamma = abs(p - q)
    attained, allowed = factor_between(_flipped(F(0), z), _flipped(gamma, z)), formula(z, gamma)
    if attained != allowed:
        return kit.fails(f"z = {z}, gamma = {gamma}: the worst factor is {attained}, not {allowed}")
    return kit.factor_within(factor_between(_flipped(p, z), _flipped(q, z)), allowed)


TRIALS.add(
    "section-3.flip.repaired", "exact factor", _factor, _pairs,
    lambda z, gamma: Flip(z).factor_after(gamma), lambda z, gamma: 1 + gamma / z,
)  # fmt: skip


# How often labels are wrong afterwards


def _losses(budget: kit.Budget) -> Iterator[tuple[F, F]]:
    q = budget.pick(20, 60, 300)
    yield from product([F(k, q) for k in range(q + 1)], [F(k, 20) for k in range(11)])


def _error(multiple: int, it: tuple[F, F]) -> kit.Finding:
    L, alpha = it
    best = L - alpha
    if best < 0 or alpha == 0:
        return kit.idle()
    return kit.within(_flipped(L, alpha), multiple * alpha).settle(
        f"alpha = {alpha}, inf L_D = {best}: the stable learner has loss {L}, the flipped one "
        f"{_flipped(L, alpha)} > {multiple * alpha}"
    )


TRIALS.add(
    "section-3.flip-error", "losses", _error,
    kit.universe("losses and alpha in a grid, the excess being alpha")(_losses), 2,
)  # fmt: skip


def _excess(allowed: Callable[[F], F], it: tuple[F, F]) -> kit.Comparison:
    """Labels that are wrong with probability L are wrong with L (1 - a) + (1 - L) a afterwards."""
    L, alpha = it
    return kit.within(_flipped(L, alpha) - L, allowed(alpha))


TRIALS.add(
    "section-3.flip-error.repaired", "losses", _excess,
    kit.universe("losses and alpha up to 1/2 in a grid")(_losses),
    lambda alpha: alpha, lambda alpha: alpha / 2,
)  # fmt: skip
