"""What privacy gives of perfect generalization, and that no less is lost (Section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.books.cummings_et_al._climbs import steep_mechanisms
from pac_stability.books.cummings_et_al._settings import MechanismSetting, settings
from pac_stability.claims.instances import TabledMechanism, random_mechanisms, steep
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_most,
    fails,
    settle,
    trial,
)
from pac_stability.data import (
    FiniteDistribution,
    multisets,
    neighbouring_multisets,
)
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import closeness, differential_privacy
from pac_stability.notions.perfect_generalization import minimal_epsilon
from pac_stability.notions.simulators import arithmetic_mean, coverage, geometric_mean
from pac_stability.papers.cummings_et_al.implications import (
    any_range_epsilon,
    private_to_perfect_epsilon,
)
from pac_stability.papers.cummings_et_al.noisy_majority import NoisyMajority

BETAS = tuple(Fraction(b) for b in ("1/100", "1/10", "1/4"))

# Theorem 39.


def _noisy(n: int, root: Fraction) -> TabledMechanism:
    law = NoisyMajority(n, Epsilon.exactly(root)).law
    return TabledMechanism(2, n, {kind: law(kind) for kind in multisets([0, 1], n)})


def _private_settings(budget: Budget) -> Iterator[MechanismSetting]:
    count = budget.pick(24, 400, 4000)
    yield from settings(random_mechanisms(count, weights=(2, 7), seed="private"), BETAS)
    yield from settings(random_mechanisms(count, outcomes=3, weights=(2, 7), seed="3"), BETAS)
    for n in range(1, budget.pick(7, 14, 20) + 1):
        for root, beta in product(("3/2", "9/8"), BETAS):
            yield MechanismSetting(
                _noisy(n, Fraction(root)), FiniteDistribution.uniform([0, 1]), beta, Fraction(0)
            )


def _beyond_groups(budget: Budget) -> Iterator[MechanismSetting]:
    """Give settings in which what is stated is below what group privacy gives without it.

    That is so for n > 2 ln(2|R|/beta).
    """
    count = budget.pick(6, 60, 600)
    betas = tuple(Fraction(b) for b in ("1/10", "1/4", "1/2"))
    for outcomes, seed in ((2, "beyond"), (3, "beyond 3")):
        mild = random_mechanisms(
            count, most=14, least=9, outcomes=outcomes, weights=(20, 24), seed=seed
        )
        yield from settings(mild, betas if outcomes == 2 else betas[1:])
    three = random_mechanisms(count, elements=3, most=8, least=6, weights=(20, 24), seed="wide")
    yield from settings(three, betas[1:])
    fair, uneven = (FiniteDistribution({0: 1 - p, 1: p}) for p in (Fraction(1, 2), Fraction(1, 3)))
    for n in range(6, budget.pick(10, 16, 24) + 1):
        yield MechanismSetting(_noisy(n, Fraction(9, 8)), fair, Fraction(1, 4), Fraction(0))
    sizes = ((12, "1/10"), (16, "1/100"), (24, "1/1000"), (40, "1/1000000"), (80, "1/10000000000"))
    for n, beta in sizes[: budget.pick(4, 5, 5)]:
        for directions, source in product(("1", "10"), (fair, uneven)):
            mechanism = steep(n, Fraction(9, 8), directions)
            yield MechanismSetting(mechanism, source, Fraction(beta), Fraction(0))


Loss: TypeAlias = Callable[[Epsilon, int, Fraction, int], Interval]
"""From the epsilon of privacy, n, beta and the number of outputs to that of generalization."""


def _perfect(loss: Loss, setting: MechanismSetting) -> Finding:
    mechanism, beta = setting.mechanism, setting.first
    pairs = neighbouring_multisets(range(mechanism.elements), mechanism.n)
    private = Fraction(differential_privacy.minimal_epsilon(mechanism.law, pairs))
    outputs = {y for law in mechanism.laws.values() for y in law.support}
    stated = loss(Epsilon.exactly(private), mechanism.n, beta, len(outputs))
    needed = Interval.log(
        Fraction(minimal_epsilon(mechanism.law, setting.types, beta, max_steps=200).lower)
    )
    text = (
        f"{setting}: private with {float(Interval.log(private)):.4f}, perfect generalization needs "
        f"{float(needed):.4f}, {float(stated):.4f} is stated"
    )
    if stated.upper == 0:  # one law for all samples
        return settle(needed.lower <= 0, text)
    # Group privacy alone gives n epsilon, whatever the simulator.
    group = Interval.log(private) * mechanism.n
    close = at_most(needed.lower, stated.upper, text, ceiling=group)
    simulator = geometric_mean(mechanism.law, setting.types)
    rounded = Epsilon.exactly(Interval.exp(stated).upper)
    missed = 1 - coverage(simulator, mechanism.law, setting.types, rounded)
    imitated = at_most(missed, beta, f"{text}; the printed simulator misses {missed}")
    return all_of((close, imitated))


def _printed_loss(epsilon: Epsilon, n: int, beta: Fraction, outputs: int) -> Interval:
    private = PrivacyGuarantee(epsilon)
    return private_to_perfect_epsilon(private, n, beta, outputs, constants="paper")


def _no_loss(epsilon: Epsilon, n: int, beta: Fraction, outputs: int) -> Interval:
    return epsilon.interval()


Response: TypeAlias = tuple[int, Fraction, Fraction]
"""The number of bits, the factor with which each is told, beta."""


def _responses(budget: Budget) -> Iterator[Response]:
    sizes = range(1, budget.pick(6, 7, 8) + 1)
    yield from product(sizes, [Fraction(2)], [Fraction(1, 10), Fraction(49, 100)])


def _told(sample: tuple[int, ...], t: Fraction) -> FiniteDistribution[tuple[int, ...]]:
    total = (1 + t) ** len(sample)
    return FiniteDistribution(
        {
            said: t ** sum(a == b for a, b in zip(said, sample, strict=True)) / total
            for said in product((0, 1), repeat=len(sample))
        }
    )


def _any_range(loss: Loss, response: Response) -> Finding:
    """Among more than half of all samples there are a sample and its complement."""
    n, t, beta = response
    samples = list(product((0, 1), repeat=n))[: 2 ** (n - 1)]
    apart = min(
        closeness.minimal_epsilon(_told(x, t), _told(tuple(1 - b for b in x), t)) for x in samples
    )
    needed, stated = Interval.log(Fraction(apart)) / 2, loss(Epsilon.exactly(t), n, beta, 2**n)
    text = (
        f"{n} fair bits, each told with the factor {t}, beta = {beta}: every simulator covers a "
        f"sample and its complement, whose factor is {apart}, so it needs {float(needed):.4f}; "
        f"{float(stated):.4f} is stated"
    )
    return at_most(needed.lower, stated.lower, text)


def _without_range(epsilon: Epsilon, n: int, beta: Fraction, outputs: int) -> Interval:
    return epsilon.interval() * Interval.sqrt(2 * n * Interval.log(1 / beta))


Noted: TypeAlias = Callable[[Epsilon, int, Fraction, Fraction], Interval]
"""From the epsilon of privacy, n, beta and delta to the epsilon of perfect generalization."""


def _with_delta(stated: Noted, setting: MechanismSetting) -> Finding:
    mechanism, beta, delta = setting.mechanism, setting.first, Fraction(1, 1000)
    pairs = neighbouring_multisets(range(mechanism.elements), mechanism.n)
    private = Fraction(differential_privacy.minimal_epsilon(mechanism.law, pairs))
    found = minimal_epsilon(mechanism.law, setting.types, beta, delta, max_steps=200)
    needed = Interval.log(Fraction(found.lower))
    allowed = stated(Epsilon.exactly(private), mechanism.n, beta, delta)
    text = (
        f"{setting}: private with the factor {private}, perfect generalization with delta = "
        f"{delta} needs {float(needed):.4f}, {float(allowed):.4f} is stated"
    )
    close = at_most(needed.lower, allowed.upper, text)
    mean = arithmetic_mean(mechanism.law, setting.types)
    if mean != FiniteDistribution.mixture((w, mechanism.law(s)) for s, w in setting.types.items()):
        return fails(f"{setting}: {mean} is not the mean of the laws")
    rounded = Epsilon.exactly(Interval.exp(allowed).upper)
    missed = 1 - coverage(mean, mechanism.law, setting.types, rounded, delta)
    return all_of((close, at_most(missed, beta, f"{text}; the mean law misses {missed}")))


def _any_outputs(epsilon: Epsilon, n: int, beta: Fraction, delta: Fraction) -> Interval:
    return any_range_epsilon(PrivacyGuarantee(epsilon), n, beta, delta)


def _as_private(epsilon: Epsilon, n: int, beta: Fraction, delta: Fraction) -> Interval:
    return epsilon.interval()


TRIALS: Trials = {
    "CLNRW16:theorem-39": (
        trial(
            "beside the best simulator",
            _perfect,
            _beyond_groups,
            subject=_printed_loss,
            mutant=_no_loss,
            universe="where group privacy gives less: random mechanisms with two and three "
            "outputs on up to 14 bits and eight of three elements, noisy majorities, and rare "
            "outputs that grow steadily with up to 40 bits",
            climb=steep_mechanisms("clnrw16-theorem-39"),
        ),
        _written.THEOREM_39,
    ),
    "CLNRW16:theorem-39.any-range": (
        trial(
            "randomised response",
            _any_range,
            _responses,
            subject=_without_range,
            universe="up to six bits, e^epsilon = 2, beta = 1/10 and 49/100",
        ),
    ),
    "CLNRW16:theorem-39.any-range.repaired": (
        trial(
            "beside the best simulator",
            _with_delta,
            _private_settings,
            subject=_any_outputs,
            mutant=_as_private,
            universe="random mechanisms with two and three outputs on up to three bits, noisy "
            "majorities of up to seven, three betas, delta = 1/1000",
        ),
        _written.ANY_RANGE,
    ),
}
