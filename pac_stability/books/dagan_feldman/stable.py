"""The stable learner: Section 3, and Appendix B up to its algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from random import Random

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._constructed import (
    CONCENTRATED,
    concentrated,
    moves,
    of_all_indices,
)
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    errors_of,
    exponential_law,
    label_one,
    naive_selection,
    random_sample,
    with_chosen,
)
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims.instances import all_labelled_samples, random_classes
from pac_stability.claims.trials import Budget, Finding, Trials, all_of, at_most, settle, trial
from pac_stability.classes import Family, FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.data import enumerate_law
from pac_stability.papers.dagan_feldman import (
    StableLearner,
    additive_selection,
    enclosed_selection,
    exact_selection,
    paper_excess,
)

Case = tuple[FiniteClass, int, AnySample, int, Fraction]
"""A class, the seed of its representatives, a sample, n' and the decay rho."""


def cases(budget: Budget) -> Iterator[Case]:
    """Give small samples of small classes."""
    for H in (FiniteClass([[0, 0], [0, 1]]), thresholds(2)):
        for n in (1, 2):
            for sample in all_labelled_samples(H, n):
                yield from ((H, 0, sample, size, Fraction(1, 2)) for size in range(1, n + 1))
    for index in range(budget.pick(30, 400, 6000)):
        coins = Random(f"stable/{index}")
        table = coins.choice((thresholds(3), cube(2), intervals(3), cube(3)))
        n = coins.randint(2, budget.pick(5, 6, 8))
        rho = coins.choice((Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)))
        sample = random_sample(coins, len(table.domain), n)
        yield table, coins.randrange(4), sample, coins.randint(1, n), rho


Law = Callable[[Family, AnySample, int, Fraction], Mapping[Hypothesis, Fraction]]


def describe(case: Case) -> str:
    """Put a case in words."""
    H, seed, sample, size, rho = case
    return f"{H.table.tolist()}, representatives {seed}, {sample}, n' = {size}, rho = {rho}"


def _is_defined(law: Law, case: Case) -> Finding:
    H, seed, sample, size, rho = case
    family = with_chosen(H, seed)
    found, wanted = law(family, sample, size, rho), naive_selection(family, sample, size, rho)
    same = all(found.get(h, Fraction(0)) == p for h, p in wanted.items())
    return settle(same, f"{describe(case)}: {found}, by definition {wanted}")


def stable_learner(H: Family, size: int, rho: Fraction) -> StableLearner:
    """Return the library's learner with a given decay."""
    return StableLearner(H, size, Epsilon.exactly(rho**-2))


def _of_the_learner(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> Mapping[Hypothesis, Fraction]:
    return dict(stable_learner(H, size, rho).law(sample).items())


def _one_point_less(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> Mapping[Hypothesis, Fraction]:
    return _of_the_learner(H, sample, max(1, size - 1), rho)


def _of_the_draws(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> Mapping[Hypothesis, Fraction]:
    """The program that draws, run once for every path of its coins."""
    law = enumerate_law(lambda coins: stable_learner(H, size, rho).run(sample, coins))
    return dict(law.items())


def _some_cases(budget: Budget) -> Iterator[Case]:
    """Every fifth case, with few paths."""
    yield from (case for case in islice(cases(budget), 0, None, 5) if len(case[2]) < 4)


def _exact(H: Family, sample: AnySample, size: int, rho: Fraction) -> Mapping[Hypothesis, Fraction]:
    return dict(exact_selection(H, sample, size, rho).items())


def _exact_squared(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> Mapping[Hypothesis, Fraction]:
    return _exact(H, sample, size, rho * rho)


Enclosure = Callable[[FiniteClass, AnySample, int, Fraction], list[Interval]]


def _encloses(enclosure: Enclosure, case: Case) -> Finding:
    H, _, sample, size, rho = case
    law = naive_selection(H, sample, size, rho)
    for x, interval in zip(H.domain, enclosure(H, sample, size, rho), strict=True):
        if label_one(law, x) not in interval:
            return settle(False, f"{describe(case)}: {label_one(law, x)} is not in [{interval}]")
    return settle(True, "")


def _enclosed(H: FiniteClass, sample: AnySample, size: int, rho: Fraction) -> list[Interval]:
    return list(enclosed_selection(H, sample, size, rho).probabilities(H.domain))


def _enclosed_elsewhere(
    H: FiniteClass, sample: AnySample, size: int, rho: Fraction
) -> list[Interval]:
    return _enclosed(H, sample, size, rho / 2)


def _on_a_line(budget: Budget) -> Iterator[Case]:
    for index in range(budget.pick(7, 100, 1000)):
        coins = Random(f"line/{index}")
        n = coins.randint(2, budget.pick(6, 8, 10))
        yield thresholds(6), 0, random_sample(coins, 6, n), coins.randint(1, n), Fraction(3, 4)


def _additive(H: FiniteClass, sample: AnySample, size: int, rho: Fraction) -> list[Interval]:
    return list(additive_selection(H, sample, size, rho).probabilities(H.domain))


def _additive_elsewhere(
    H: FiniteClass, sample: AnySample, size: int, rho: Fraction
) -> list[Interval]:
    return _additive(H, sample, size, rho * rho)


def _fixed_points(power: int, case: Case) -> Finding:
    """h_{S,T} for all sets T of points, in S or not."""
    H, seed, sample, _, rho = case
    family = with_chosen(H, seed)
    for k in range(len(H.domain) + 1):
        for T in combinations(H.domain, k):
            found = stable_learner(family, 1, rho).conditioned_on(T).law(sample)
            wanted = exponential_law(family.representatives_on(T), sample, rho)
            if any(found.probability(h) != p**power for h, p in wanted.items()):
                return settle(False, f"{describe(case)}, T = {T}: {found}, not {wanted}")
    return settle(True, "")


# Equations (1) and (2)

IsNet = Callable[[FiniteClass, AnySample, frozenset[int], Fraction], bool]


def _net_cases(budget: Budget) -> Iterator[tuple[FiniteClass, AnySample]]:
    for H in (thresholds(2), thresholds(3), cube(2)):
        samples = list(all_labelled_samples(H, 3))
        yield from ((H, sample) for sample in samples[:: budget.pick(7, 1, 1)])
    for index, H in enumerate(random_classes(budget.pick(10, 100, 3000), rows=6, points=4)):
        yield H, random_sample(Random(f"net/{index}"), 4, 5)


def _good_cover(is_net: IsNet, case: tuple[FiniteClass, AnySample]) -> Finding:
    H, sample = case
    m, n = len(H.domain), len(sample)
    alpha = Fraction(1, 4)
    best = min(errors_of(h, sample) for h in H)

    def on(T: tuple[int, ...]) -> Finding:
        least = min(errors_of(h, sample) for h in with_chosen(H, 2).representatives_on(T))
        return at_most(
            least - best,
            alpha * n,
            f"{H.table.tolist()}, {sample}, T = {T}: {least} errors in H_T, {best} in H, alpha n = "
            f"{alpha * n}",
        )

    return all_of(
        on(T)
        for k in range(m + 1)
        for T in combinations(range(m), k)
        if is_net(H, sample, frozenset(T), alpha)
    )


def _net_on_sample(
    H: FiniteClass, sample: AnySample, points: frozenset[int], alpha: Fraction
) -> bool:
    counts = tuple(sample.points.count(x) for x in H.domain)
    return not disagreement(H, points, counts, alpha)


def _mechanism_excess(bound: Callable[[int, Fraction], Interval], case: Case) -> Finding:
    """Equation (2) before the choice of sizes: n times the loss, for each T."""
    H, seed, sample, size, rho = case
    family = with_chosen(H, seed)
    T = sample.points[:size]
    candidates = family.representatives_on(T)
    law = stable_learner(family, size, rho).conditioned_on(T).law(sample)
    mean = sum((p * errors_of(h, sample) for h, p in law.items()), Fraction(0))
    least = min(errors_of(h, sample) for h in candidates)
    allowed = bound(len(candidates), rho)
    return at_most(
        mean - least, allowed, f"{describe(case)}: {float(mean - least):.4f} errors more"
    )


def _paper(candidates: int, rho: Fraction) -> Interval:
    return paper_excess(candidates, rho)


# Stability


Promise = tuple[Fraction, int]


def promises(budget: Budget) -> Iterator[Promise]:
    """Give stabilities and sample sizes."""
    for gamma in (Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)):
        yield from ((gamma, n) for n in (30, 100, 1001)[: budget.pick(2, 3, 3)])


Constructed = Callable[[Fraction, int], StableLearner]


def promised(construct: Constructed, promise: Promise) -> Finding:
    """Settle that a constructed learner is as stable as promised, by both accounts."""
    gamma, n = promise
    learner = construct(gamma, n)
    part = Fraction(learner.subset_size, n)
    exact = part + (1 - part) * (1 - learner.decay) / (1 + learner.decay)
    paper = learner.paper_stability(n)
    return at_most(
        max(exact, paper),
        gamma,
        f"gamma = {gamma}, n = {n}: n' = {learner.subset_size}, e^epsilon = "
        f"{float(learner.epsilon.ratio):.4f} give {float(paper):.4f}",
    )


def _outline(gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_outline(thresholds(9), gamma, n)


def whole(gamma: Fraction, n: int) -> StableLearner:
    """Construct with three times too large a gamma: a wrong learner."""
    return StableLearner.from_lemma_13(thresholds(9), gamma, n)


def _of_the_outline(H: Family, gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_outline(H, gamma, n)


# Approximation


UNIVERSE = "all samples of up to two examples of two classes, and seeded ones of up to five"


TRIALS: Trials = {
    "DF20:algorithm-section-3": (
        trial(
            "law",
            _is_defined,
            cases,
            subject=_of_the_learner,
            mutant=_one_point_less,
            universe=UNIVERSE,
        ),
        trial(
            "drawn step by step",
            _is_defined,
            _some_cases,
            subject=_of_the_draws,
            mutant=_one_point_less,
            universe="samples of up to three examples, all paths of the coins",
        ),
        trial(
            "stability",
            promised,
            promises,
            subject=_outline,
            mutant=whole,
            universe="gamma = 1/10, 1/3, 9/10 and three sample sizes",
        ),
        trial(
            "constructed",
            partial(moves, 1),
            concentrated,
            subject=_of_the_outline,
            mutant=of_all_indices,
            universe=CONCENTRATED,
        ),
    ),
    "DF20:equation-1": (
        trial(
            "sets of points",
            _good_cover,
            _net_cases,
            subject=_net_on_sample,
            mutant=lambda H, *_: len(H) > 0,
            universe="classes of the literature and seeded ones, samples, all sets of points",
        ),
    ),
    "DF20:equation-2": (
        trial(
            "subsamples",
            _mechanism_excess,
            cases,
            subject=_paper,
            mutant=lambda N, rho: _paper(N, rho) / 4,
            universe=UNIVERSE,
        ),
    ),
    "DF20:algorithm-appendix-b": (
        trial(
            "h_{S,T}",
            _fixed_points,
            cases,
            subject=1,
            mutant=2,
            universe=f"{UNIVERSE}, all T",
        ),
        trial(
            "exactly",
            _is_defined,
            cases,
            subject=_exact,
            mutant=_exact_squared,
            universe=UNIVERSE,
        ),
        trial(
            "enclosed",
            _encloses,
            cases,
            subject=_enclosed,
            mutant=_enclosed_elsewhere,
            universe=UNIVERSE,
        ),
        trial(
            "in polynomial time",
            _encloses,
            _on_a_line,
            subject=_additive,
            mutant=_additive_elsewhere,
            universe="thresholds on up to six points, seeded samples",
        ),
    ),
}
