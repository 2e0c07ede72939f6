"""The learner of Theorem 3: Appendix C with Lemmas 15 and 17, and the overview of Section 4.1."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from random import Random

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._climbs import parameters
from pac_stability.books.dagan_feldman._questions import (
    AnyExample,
    errors_of,
    naive_selection,
    random_sample,
)
from pac_stability.books.dagan_feldman._relabelling import (
    Relabelling,
    largest_factor,
    needed_slack,
    relabellings,
)
from pac_stability.books.dagan_feldman.matching import unlucky
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    factor_at_most,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, cube, intervals, thresholds
from pac_stability.data import Example, Sample
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.dagan_feldman import (
    PrivatePredictionLearner,
    approximation_of,
    net_disagreements,
)

# The algorithm

Predicted = Callable[[Relabelling], tuple[Fraction, ...]]


def _instances(budget: Budget) -> Iterator[Relabelling]:
    yield from relabellings(budget, quick=30)


def _averaged(predicted: Predicted, instance: Relabelling) -> Finding:
    wanted = instance.mean(instance.sample, instance.sample)
    found = predicted(instance)
    return settle(found == wanted, f"{instance}: {found}, by definition {wanted}")


def _h_s(instance: Relabelling) -> tuple[Fraction, ...]:
    return instance.learner.probabilities(instance.sample, instance.H.domain)


def _by_the_selected(instance: Relabelling) -> tuple[Fraction, ...]:
    """Predict by h itself, without the second step."""
    return instance.learner.selector.probabilities(instance.sample, instance.H.domain)


Given = Callable[[Relabelling, tuple[Hashable, ...]], tuple[Fraction, ...]]


def _conditioned(given: Given, instance: Relabelling) -> Finding:
    for k in range(len(instance.H.domain) + 1):
        for T in combinations(instance.H.domain, k):
            wanted = instance.given(instance.sample, T)
            if given(instance, T) != wanted:
                return settle(False, f"{instance}, T = {T}: {given(instance, T)}, not {wanted}")
    return settle(True, "")


def _h_s_t(instance: Relabelling, T: tuple[Hashable, ...]) -> tuple[Fraction, ...]:
    return instance.learner.conditioned_on(T, instance.sample, instance.H.domain)


def _of_one_point_less(instance: Relabelling, T: tuple[Hashable, ...]) -> tuple[Fraction, ...]:
    return _h_s_t(instance, T[1:])


def _relabelled(given: Predicted, instance: Relabelling) -> Finding:
    """phi_S(h) for the first hypothesis."""
    wanted = instance.phi(instance.sample, instance.H[0])
    return settle(given(instance) == wanted, f"{instance}: {given(instance)}, not {wanted}")


def _phi(instance: Relabelling) -> tuple[Fraction, ...]:
    return instance.learner.relabelled(instance.sample, instance.H[0], instance.H.domain)


def _ignoring_h(instance: Relabelling) -> tuple[Fraction, ...]:
    return instance.learner.private.probabilities(instance.sample, instance.H.domain)


# Lemma 15

Parameters = tuple[int, int, Fraction]
"""n, n' and eta."""


def _parameters(budget: Budget) -> Iterator[Parameters]:
    for n in (50, 1000, 2000)[: budget.pick(2, 2, 3)]:
        for share in (Fraction(1, 50), Fraction(1, 10), Fraction(2, 5)):
            etas = [Fraction(k, 10) for k in range(1, 10)]
            yield from ((n, max(1, int(share * n)), eta) for eta in etas if eta * n >= 1)


Combined = Callable[[Fraction, Fraction], Interval]
"""From q = n'/n and kappa = 1/(eta n) to the factor of h_S."""


def _explicit(combined: Combined, parameters: Parameters) -> Finding:
    """The factor of the library, with K_0 of the net, is within the explicit form of the lemma."""
    n, size, eta = parameters
    learner = PrivatePredictionLearner(thresholds(9), size, eta, blocks=1)
    K = net_disagreements(eta, n)
    exact = learner.guarantee(n, K, 0).factor
    q, kappa = Fraction(size, n), 1 / (eta * n)
    allowed = combined(q, kappa)
    return at_most(
        exact,
        allowed,
        f"n = {n}, n' = {size}, eta = {eta}: {float(exact):.5g} > {float(allowed):.5g}",
    )


def _as_in_the_proof(q: Fraction, kappa: Fraction) -> Interval:
    return Interval.exp(3 * kappa) * (1 + 4 * Interval.exp(6) * (q / (1 - q)))


def _sharpened(q: Fraction, kappa: Fraction) -> Interval:
    return Interval.exp(3 * kappa) * (1 + q * (4 * Interval.exp(3 * (1 + kappa)) - 1))


def _guaranteed(
    factor: Callable[[PrivatePredictionLearner, int, int], Fraction], parameters: Parameters
) -> Finding:
    """The library's factor against the chain: the step, and the factor of subsampling."""
    n, size, eta = parameters
    learner = PrivatePredictionLearner(thresholds(9), size, eta, blocks=3)
    K = net_disagreements(eta, n)
    q = Fraction(size, n)
    before = learner.at(n)
    s = 1 / before.private.vote.decay
    step = before.selector.decay**-2 * (1 + s**3) / (1 + s)
    wanted = step * (1 + q * (4 * step**K - 1))
    found = factor(learner, n, K)
    return settle(
        found >= wanted and found <= wanted * Fraction(10001, 10000),
        f"n = {n}, n' = {size}, eta = {eta}: {float(found):.6g}, not {float(wanted):.6g}",
    )


def _guarantee(learner: PrivatePredictionLearner, n: int, K: int) -> Fraction:
    return learner.guarantee(n, K, Fraction(1, 10)).factor


def _for_one_less(learner: PrivatePredictionLearner, n: int, K: int) -> Fraction:
    return learner.guarantee(n, K - 1, Fraction(1, 10)).factor


Predicting = tuple[PrivatePredictionLearner, Relabelling, int, AnyExample]
"""A learner, the same at its sample by the definition, and an example that is replaced."""


def _predicting(budget: Budget) -> Iterator[Predicting]:
    for index in range(budget.pick(24, 120, 1500)):
        coins = Random(f"lemma 15/{index}")
        H = (cube(2), thresholds(3), intervals(3), _ALIKE, _PARITIES, cube(3))[index % 6]
        least = {_ALIKE: 2, _PARITIES: 3}.get(H, 1)  # enough that few indices tell all
        n = coins.randint(least + 4, budget.pick(9, 9, 10))
        sample = random_sample(coins, len(H.domain), n)
        if H is _ALIKE:  # a tie
            sample = Sample(sample.points, [place % 2 for place in range(n)])
        size, blocks = coins.randint(least, least + 1), coins.randint(1, 3)
        eta = coins.choice((Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)))
        learner = PrivatePredictionLearner(H, size, eta, blocks=blocks)
        parts = learner.at(n)
        rho, sigma = parts.selector.decay, parts.private.vote.decay
        same = Relabelling(H, 0, size, blocks, rho, sigma, sample)
        place = coins.randrange(n)
        z = Example(sample.points[place], 1 - sample.labels[place])
        yield learner, same, place, z


_ALIKE = FiniteClass([[0, 0, 0], [1, 1, 1]])
_PARITIES = FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
"""Any two points decide the third."""


Guarantee = Callable[[PrivatePredictionLearner, int, int, Fraction], PrivacyGuarantee]
"""From n, K_0 and how often it is exceeded."""


def _predicts_privately(guarantee: Guarantee, instance: Predicting) -> Finding:
    """Settle the guarantee on two neighbours, with all numbers K_0 of disagreements."""
    learner, same, place, z = instance
    sample, n = same.sample, len(same.sample)
    other = sample.replace(place, z)
    here, there = same.mean(sample, sample), same.mean(other, other)
    text = f"{same}, example {place} becomes {z}"

    def beyond(K: int) -> Finding:
        found = guarantee(learner, n, K, unlucky(same, place, K))
        slack = needed_slack(here, there, found.factor)
        return at_most(slack, found.delta, f"{text}, K_0 = {K}: slack {slack}", ceiling=1)

    never = next(K for K in range(n + 1) if not unlucky(same, place, K))
    pure = guarantee(learner, n, never, Fraction(0)).factor
    factor = factor_at_most(largest_factor(here, there), pure, f"{text}: factor above {pure}")
    return all_of([factor, *map(beyond, range(n))])


def _as_guaranteed(
    learner: PrivatePredictionLearner, n: int, K: int, share: Fraction
) -> PrivacyGuarantee:
    return learner.guarantee(n, K, share)


def _of_the_subset_alone(
    learner: PrivatePredictionLearner, n: int, K: int, share: Fraction
) -> PrivacyGuarantee:
    """Forget that weights and labels of the sample change too: a wrong guarantee."""
    factor = learner.guarantee(n, K, share).factor / learner.at(n).step
    return PrivacyGuarantee(Epsilon.exactly(1 + (factor - 1) / 50), Fraction(0))


Condition = tuple[Fraction, Fraction]
"""eta and the probability alpha of failing."""


def _conditions(budget: Budget) -> Iterator[Condition]:
    inverses = range(2, budget.pick(20, 60, 200))
    yield from product([Fraction(1, k) for k in inverses], (Fraction(1, 3), Fraction(1, 10)))


def _implied(shift: int, condition: Condition) -> Finding:
    """N' <= epsilon n and n' >= N^net_{eta, alpha} + 1 give epsilon >= 1/(eta n)."""
    eta, alpha = condition
    mass = eta + Fraction(1, 10**6)
    # Two hypotheses that differ on this mass: (1 - mass)^m <= alpha.
    least = 0
    while (1 - mass) ** least > alpha:
        least += 1
    return at_least(
        (least + shift) * eta,
        1,
        f"eta = {eta}, alpha = {alpha}, two hypotheses: N^net + 1 = {least + 1} < 1/eta, so that "
        "epsilon = n'/n may be below 1/(eta n)",
    )


# Lemma 17

Chain = Callable[[Relabelling], tuple[Fraction, Fraction, Interval]]
"""The loss of h_S on S, the least loss, and a bound on the difference."""


def _loss_on_sample(chain: Chain, instance: Relabelling) -> Finding:
    sample, n = instance.sample, len(instance.sample)
    predicted = instance.mean(sample, sample)
    at = dict(zip(instance.H.domain, predicted, strict=True))
    loss = sum((abs(at[z.point] - z.label) for z in sample), Fraction(0)) / n
    best = Fraction(min(errors_of(h, sample) for h in instance.H), n)
    found, least, bound = chain(instance)
    if (found, least) != (loss, best):
        return settle(
            False, f"{instance}: loss {found}, by definition {loss}; least {least}, {best}"
        )
    return at_most(
        loss - best, bound, f"{instance}: excess {float(loss - best):.4f} > {float(bound):.4f}"
    )


def _parts(instance: Relabelling) -> tuple[Fraction, Fraction, Interval]:
    learner, sample = instance.learner, instance.sample
    labels = dict(
        zip(instance.H.domain, learner.probabilities(sample, instance.H.domain), strict=True)
    )
    loss = sum((abs(labels[z.point] - z.label) for z in sample), Fraction(0)) / len(sample)
    best = min(sample.loss(h) for h in instance.H)
    selected = approximation_of(learner.selector, sample)
    return loss, best, selected.bound + learner.relabelling_loss(sample)


def _without_relabelling(instance: Relabelling) -> tuple[Fraction, Fraction, Interval]:
    loss, best, _ = _parts(instance)
    return loss, best, approximation_of(instance.learner.selector, instance.sample).bound


SelectedParts = Callable[[Relabelling], Interval]


def _selected_loss(bound: SelectedParts, instance: Relabelling) -> Finding:
    sample, n = instance.sample, len(instance.sample)
    law = naive_selection(instance.family, sample, instance.size, instance.rho)
    mean = sum((p * errors_of(h, sample) for h, p in law.items()), Fraction(0)) / n
    excess = mean - Fraction(min(errors_of(h, sample) for h in instance.H), n)
    return at_most(excess, bound(instance), f"{instance}: excess {excess}")


def _selected_parts(instance: Relabelling) -> Interval:
    return approximation_of(instance.learner.selector, instance.sample).bound


def _subset_part(instance: Relabelling) -> Interval:
    found = approximation_of(instance.learner.selector, instance.sample)
    return Interval.exactly(found.from_subset)


_UNIVERSE = "seeded instances with up to four examples"


TRIALS: Trials = {
    "DF20:algorithm-appendix-c": (
        trial(
            "phi_S(h)",
            _relabelled,
            _instances,
            subject=_phi,
            mutant=_ignoring_h,
            universe=_UNIVERSE,
        ),
    ),
    "DF20:equation-8": (
        trial(
            "all T",
            _conditioned,
            _instances,
            subject=_h_s_t,
            mutant=_of_one_point_less,
            universe=f"{_UNIVERSE}, all T",
        ),
    ),
    "DF20:equation-9": (
        trial(
            "averages",
            _averaged,
            _instances,
            subject=_h_s,
            mutant=_by_the_selected,
            universe=_UNIVERSE,
        ),
    ),
    "DF20:lemma-15": (
        trial(
            "as in the proof",
            _explicit,
            _parameters,
            subject=_as_in_the_proof,
            mutant=lambda q, kappa: Interval.exp(3 * kappa) * (1 + 4 * q),
            universe="sample sizes, shares n'/n and eta",
            climb=parameters("df20-lemma-15-proof"),
        ),
        trial(
            "sharper",
            _explicit,
            _parameters,
            subject=_sharpened,
            mutant=lambda q, kappa: Interval.exp(3 * kappa) * (1 + 4 * q),
            universe="sample sizes, shares n'/n and eta",
            climb=parameters("df20-lemma-15-sharper"),
        ),
        trial(
            "predictions",
            _predicts_privately,
            _predicting,
            subject=_as_guaranteed,
            mutant=_of_the_subset_alone,
            universe="seeded samples of five to nine examples, six classes, one example relabelled",
        ),
        trial(
            "the library's factor",
            _guaranteed,
            _parameters,
            subject=_guarantee,
            mutant=_for_one_less,
            universe="sample sizes, shares n'/n and eta, three blocks",
        ),
    ),
    "DF20:lemma-15.last-condition": (
        trial(
            "two hypotheses",
            _implied,
            _conditions,
            subject=1,
            mutant=-4,
            universe="eta = 1/2, 1/3, ... and alpha = 1/3, 1/10",
        ),
    ),
    "DF20:equation-11": (
        trial(
            "on the sample",
            _selected_loss,
            _instances,
            subject=_selected_parts,
            mutant=_subset_part,
            universe=_UNIVERSE,
        ),
    ),
    "DF20:lemma-17": (
        trial(
            "on the sample",
            _loss_on_sample,
            _instances,
            subject=_parts,
            mutant=_without_relabelling,
            universe=_UNIVERSE,
        ),
    ),
}
