"""A^sta: its approximation and its stability (Appendix B, Lemma 13)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, combinations_with_replacement
from random import Random

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman._climbs import sampled_cases
from pac_stability.books.dagan_feldman._constructed import (
    ATTAINING,
    CONCENTRATED,
    balanced,
    concentrated,
    moves,
    of_all_indices,
)
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    errors_of,
    furthest_move,
    label_one,
    naive_selection,
    random_sample,
    with_chosen,
)
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.books.dagan_feldman.stable import (
    UNIVERSE,
    Case,
    cases,
    describe,
    promised,
    promises,
    stable_learner,
    whole,
)
from pac_stability.claims.instances import all_labelled_samples
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, idle, settle, trial
from pac_stability.classes import Family, FiniteClass, cube, thresholds
from pac_stability.data import Example, Sample
from pac_stability.papers.dagan_feldman import (
    StableLearner,
    approximation_of,
)

Bound = Callable[[StableLearner, int], Fraction]


def _stability_cases(budget: Budget) -> Iterator[Case]:
    for H in (FiniteClass([[0, 0], [0, 1]]), thresholds(2), cube(2)):
        for n in range(1, budget.pick(4, 5, 6)):
            for sample in list(all_labelled_samples(H, n))[:: budget.pick(2 * n - 1, 1, 1)]:
                for size in range(1, n + 1):
                    yield H, size % 2, sample, size, Fraction(1, 2)
                    yield H, 0, sample, size, Fraction(4, 5)


def _gentle_cases(budget: Budget) -> Iterator[Case]:
    """Samples with n' = 1, so large and with a decay so slow that 3 gamma < 1."""
    for H in (thresholds(2), cube(2), thresholds(3)):
        examples = [Example(x, y) for x in H.domain for y in (0, 1)]
        for n in range(4, budget.pick(5, 6, 7) + 1):
            kinds = list(combinations_with_replacement(examples, n))
            for index, kind in enumerate(kinds[:: budget.pick(6, 2, 1)]):
                yield H, index % 3, Sample.from_examples(kind), 1, Fraction(9, 10)


@cache
def _naive_predictions(
    H: FiniteClass, seed: int, sample: AnySample, size: int, rho: Fraction
) -> tuple[Fraction, ...]:
    law = naive_selection(with_chosen(H, seed), sample, size, rho)
    return tuple(label_one(law, x) for x in H.domain)


def _predictions(
    H: FiniteClass, seed: int, sample: AnySample, size: int, rho: Fraction
) -> tuple[Fraction, ...]:
    # Equal multisets have equal laws.
    ordered = Sample.from_examples(sorted(sample, key=str))
    return _naive_predictions(H, seed, ordered, size, rho)


def _stable(bound: Bound, case: Case) -> Finding:
    H, seed, sample, size, rho = case
    learner, n = stable_learner(with_chosen(H, seed), size, rho), len(sample)
    allowed = bound(learner, n)
    moved, other = furthest_move(lambda S: _predictions(H, seed, S, size, rho), sample, H.domain)
    return at_most(
        moved,
        allowed,
        f"{describe(case)}, and {other}: a prediction moves by {moved} > {allowed}",
        ceiling=1,
    )


def _third(gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_lemma_13(thresholds(9), gamma / 3, n)


def _of_the_lemma(H: Family, gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_lemma_13(H, gamma, n)


Equality = tuple[int, int, int, Fraction]
"""n, n', whether an example is left over, and rho."""


def _equalities(_: Budget) -> Iterator[Equality]:
    shapes = (
        (1, 1, 0),
        (3, 1, 0),
        (3, 2, 0),
        (5, 1, 0),
        (5, 3, 0),
        (9, 4, 0),
        (4, 2, 1),
        (6, 3, 1),
    )
    yield from ((*shape, rho) for shape in shapes for rho in (Fraction(1, 2), Fraction(9, 10)))


def _attained(bound: Bound, equality: Equality) -> Finding:
    """Without the replaced example two are equally good; with it, all agree on the point 4."""
    n, size, extra, rho = equality
    sample = balanced(n, extra)
    laws = (
        naive_selection(ATTAINING, given, size, rho)
        for given in (sample, sample.replace(0, Example(3, 0)))
    )
    p, q = (label_one(law, 4) for law in laws)
    allowed = bound(stable_learner(ATTAINING, size, rho), n)
    return at_most(
        abs(p - q), allowed, f"{sample}, n' = {size}, rho = {rho}: moves by {abs(p - q)}", ceiling=1
    )


def _own(learner: StableLearner, n: int) -> Fraction:
    return learner.stability(n)


def _three_gamma(learner: StableLearner, n: int) -> Fraction:
    """3 gamma for the least gamma with n' <= gamma n and e^gamma >= e^epsilon, from above."""
    gamma = max(Fraction(learner.subset_size, n), Interval.log(learner.decay**-2).upper)
    return 3 * gamma


def _without_the_subset(learner: StableLearner, _: int) -> Fraction:
    return (1 - learner.decay) / (1 + learner.decay)


def _accurate_cases(budget: Budget) -> Iterator[Case]:
    for index in range(budget.pick(25, 300, 4000)):
        coins = Random(f"accurate/{index}")
        table = coins.choice((FiniteClass([[0, 0], [0, 1]]), thresholds(2), thresholds(3)))
        n = coins.randint(3, budget.pick(6, 7, 8))
        sample = random_sample(coins, len(table.domain), n)
        rho = coins.choice((Fraction(1, 4), Fraction(1, 20)))
        yield table, coins.randrange(3), sample, coins.randint(1, n), rho


Parts = Callable[[Family, AnySample, int, Fraction], tuple[Fraction, Interval]]
"""The excess, and a bound on it."""


def _approximates(parts: Parts, case: Case) -> Finding:
    H, seed, sample, size, rho = case
    family = with_chosen(H, seed)
    excess, bound = parts(family, sample, size, rho)
    law, n = naive_selection(family, sample, size, rho), len(sample)
    mean = sum((p * errors_of(h, sample) for h, p in law.items()), Fraction(0))
    exact = (mean - min(errors_of(h, sample) for h in H)) / n
    if excess != exact:
        return settle(False, f"{describe(case)}: excess {excess}, by definition {exact}")
    return at_most(
        exact, bound, f"{describe(case)}: excess {exact}, bound {float(bound):.5f}", ceiling=1
    )


def _library_parts(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> tuple[Fraction, Interval]:
    found = approximation_of(stable_learner(H, size, rho), sample)
    return found.excess, found.bound


def _mechanism_only(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> tuple[Fraction, Interval]:
    found = approximation_of(stable_learner(H, size, rho), sample)
    return found.excess, found.from_mechanism * Fraction(1, 2)


def _three_alpha(multiple: Fraction, case: Case) -> Finding:
    """For the least alpha, in steps of 1/40, with which the lemma's conditions hold here."""
    H, seed, sample, size, rho = case
    family, n = with_chosen(H, seed), len(sample)
    counts = tuple(sample.points.count(x) for x in H.domain)
    subsets = list(combinations(sample.points, size))
    largest = max(len(family.representatives_on(T)) for T in subsets)
    mechanism = (Interval.log(largest) / Interval.log(1 / rho)).upper / n
    law = naive_selection(family, sample, size, rho)
    mean = sum((p * errors_of(h, sample) for h, p in law.items()), Fraction(0))
    exact = (mean - min(errors_of(h, sample) for h in H)) / n
    for k in range(1, 40):
        alpha = Fraction(k, 40)
        bad = sum(disagreement(H, _members(H, T), counts, alpha) for T in subsets)
        if mechanism <= alpha and Fraction(bad, len(subsets)) <= alpha:
            return at_most(
                exact,
                multiple * alpha,
                f"{describe(case)}: excess {exact}, alpha = {alpha}",
                ceiling=1,
            )
    return idle()


def _members(H: FiniteClass, points: tuple[Hashable, ...]) -> frozenset[int]:
    return frozenset(H.column(x) for x in points)


TRIALS: Trials = {
    "DF20:lemma-13.approximation": (
        trial(
            "three alpha",
            _three_alpha,
            _accurate_cases,
            subject=Fraction(3),
            mutant=Fraction(1, 20),
            universe="seeded samples with a small decay, and the least alpha for each",
            climb=sampled_cases(
                "df20-lemma-13-approximation",
                n=range(3, 8),
                sizes=range(1, 8),
                decays=(Fraction(1, 4), Fraction(1, 20), Fraction(1, 400)),
            ),
        ),
    ),
    "DF20:lemma-13.sharp": (
        trial(
            "samples",
            _approximates,
            cases,
            subject=_library_parts,
            mutant=_mechanism_only,
            universe=UNIVERSE,
        ),
    ),
    "DF20:lemma-13.stability": (
        trial(
            "all neighbours",
            _stable,
            _gentle_cases,
            subject=_three_gamma,
            mutant=lambda learner, n: _three_gamma(learner, n) / 3,
            universe="samples of four and more examples of three classes, n' = 1, rho = 9/10",
            climb=sampled_cases(
                "df20-lemma-13-stability",
                n=range(4, 8),
                sizes=range(1, 3),
                decays=tuple(Fraction(k, k + 1) for k in range(4, 20)),
            ),
        ),
        trial(
            "the paper's account",
            promised,
            promises,
            subject=_third,
            mutant=whole,
            universe="gamma = 1/10, 1/3, 9/10 and three sample sizes",
        ),
        trial(
            "constructed",
            partial(moves, 3),
            concentrated,
            subject=_of_the_lemma,
            mutant=of_all_indices,
            universe=CONCENTRATED,
        ),
    ),
    "DF20:lemma-13.stability.sharp": (
        trial(
            "all neighbours",
            _stable,
            _stability_cases,
            subject=_own,
            mutant=_without_the_subset,
            universe="samples of up to three examples of three classes",
            climb=sampled_cases(
                "df20-lemma-13-sharp",
                n=range(1, 5),
                sizes=range(1, 5),
                decays=tuple(Fraction(k, 10) for k in range(1, 10)),
            ),
        ),
        trial(
            "equality",
            _attained,
            _equalities,
            subject=_own,
            mutant=_without_the_subset,
            universe="a class of four hypotheses on five points, up to nine examples, n' up to 4",
        ),
    ),
}
