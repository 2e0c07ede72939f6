"""The stable learner: Section 3 and Appendix B, Lemma 13 and Remark 14."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Kind, Method
from pac_stability.claims.dagan_feldman._questions import (
    AnySample,
    at_most,
    errors_of,
    exponential_law,
    label_one,
    naive_selection,
    neighbours_of,
    random_sample,
    with_chosen,
)
from pac_stability.claims.dagan_feldman.nets import disagreement
from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.instances import all_labelled_samples, random_classes
from pac_stability.claims.trial import trial
from pac_stability.classes import Family, FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import (
    StableLearner,
    additive_selection,
    approximation_of,
    enclosed_selection,
    exact_selection,
    paper_excess,
)

Case = tuple[FiniteClass, int, AnySample, int, Fraction]
"""A class, the seed of its representatives, a sample, n' and the decay rho."""


def _cases(budget: Budget) -> Iterator[Case]:
    for H in (FiniteClass([[0, 0], [0, 1]]), thresholds(2)):
        for n in (1, 2):
            for sample in all_labelled_samples(H, n):
                yield from ((H, 0, sample, size, Fraction(1, 2)) for size in range(1, n + 1))
    for index in range(budget.pick(30, 400, 6000)):
        coins = Random(f"stable/{index}")  # noqa: S311
        table = coins.choice((thresholds(3), cube(2), intervals(3), cube(3)))
        n = coins.randint(2, budget.pick(5, 6, 8))
        rho = coins.choice((Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)))
        sample = random_sample(coins, len(table.domain), n)
        yield table, coins.randrange(4), sample, coins.randint(1, n), rho


Law = Callable[[Family, AnySample, int, Fraction], Mapping[Hypothesis, Fraction]]


def _describe(case: Case) -> str:
    H, seed, sample, size, rho = case
    return f"{H.table.tolist()}, representatives {seed}, {sample}, n' = {size}, rho = {rho}"


def _is_defined(law: Law, case: Case) -> Finding:
    H, seed, sample, size, rho = case
    family = with_chosen(H, seed)
    found, wanted = law(family, sample, size, rho), naive_selection(family, sample, size, rho)
    same = all(found.get(h, Fraction(0)) == p for h, p in wanted.items())
    return settle(same, f"{_describe(case)}: {found}, by definition {wanted}")


def _learner(H: Family, size: int, rho: Fraction) -> StableLearner:
    return StableLearner(H, size, Epsilon.exactly(rho**-2))


def _of_the_learner(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> Mapping[Hypothesis, Fraction]:
    return dict(_learner(H, size, rho).law(sample).items())


def _one_point_less(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> Mapping[Hypothesis, Fraction]:
    return _of_the_learner(H, sample, max(1, size - 1), rho)


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
            return settle(False, f"{_describe(case)}: {label_one(law, x)} is not in [{interval}]")
    return settle(True, "")


def _enclosed(H: FiniteClass, sample: AnySample, size: int, rho: Fraction) -> list[Interval]:
    return list(enclosed_selection(H, sample, size, rho).probabilities(H.domain))


def _enclosed_elsewhere(
    H: FiniteClass, sample: AnySample, size: int, rho: Fraction
) -> list[Interval]:
    return _enclosed(H, sample, size, rho / 2)


def _on_a_line(budget: Budget) -> Iterator[Case]:
    for index in range(budget.pick(12, 100, 1000)):
        coins = Random(f"line/{index}")  # noqa: S311
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
            found = _learner(family, 1, rho).conditioned_on(T).law(sample)
            wanted = exponential_law(family.representatives_on(T), sample, rho)
            if any(found.probability(h) != p**power for h, p in wanted.items()):
                return settle(False, f"{_describe(case)}, T = {T}: {found}, not {wanted}")
    return settle(True, "")


# Equations (1) and (2)

IsNet = Callable[[FiniteClass, AnySample, frozenset[int], Fraction], bool]


def _net_cases(budget: Budget) -> Iterator[tuple[FiniteClass, AnySample]]:
    for H in (thresholds(2), thresholds(3), cube(2)):
        samples = list(all_labelled_samples(H, 3))
        yield from ((H, sample) for sample in samples[:: budget.pick(7, 1, 1)])
    for index, H in enumerate(random_classes(budget.pick(10, 100, 3000), rows=6, points=4)):
        yield H, random_sample(Random(f"net/{index}"), 4, 5)  # noqa: S311


def _good_cover(is_net: IsNet, case: tuple[FiniteClass, AnySample]) -> Finding:
    H, sample = case
    m, n = len(H.domain), len(sample)
    alpha = Fraction(1, 4)
    best = min(errors_of(h, sample) for h in H)
    for k in range(m + 1):
        for T in combinations(range(m), k):
            if not is_net(H, sample, frozenset(T), alpha):
                continue
            least = min(errors_of(h, sample) for h in with_chosen(H, 2).representatives_on(T))
            if least > best + alpha * n:
                return settle(
                    False,
                    f"{H.table.tolist()}, {sample}, T = {T}: {least} errors in H_T, {best} in H, "
                    f"alpha n = {alpha * n}",
                )
    return settle(True, "")


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
    law = _learner(family, size, rho).conditioned_on(T).law(sample)
    mean = sum((p * errors_of(h, sample) for h, p in law.items()), Fraction(0))
    least = min(errors_of(h, sample) for h in candidates)
    allowed = bound(len(candidates), rho)
    return at_most(
        mean - least, allowed, f"{_describe(case)}: {float(mean - least):.4f} errors more"
    )


def _paper(candidates: int, rho: Fraction) -> Interval:
    return paper_excess(candidates, rho)


# Stability

Bound = Callable[[StableLearner, int], Fraction]


def _stability_cases(budget: Budget) -> Iterator[Case]:
    for H in (FiniteClass([[0, 0], [0, 1]]), thresholds(2), cube(2)):
        for n in range(1, budget.pick(4, 5, 6)):
            for sample in list(all_labelled_samples(H, n))[:: budget.pick(2 * n - 1, 1, 1)]:
                for size in range(1, n + 1):
                    yield H, size % 2, sample, size, Fraction(1, 2)
                    yield H, 0, sample, size, Fraction(4, 5)


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
    learner, n = _learner(with_chosen(H, seed), size, rho), len(sample)
    allowed = bound(learner, n)
    here = _predictions(H, seed, sample, size, rho)
    for other in neighbours_of(sample, H.domain):
        there = _predictions(H, seed, other, size, rho)
        moved = max(abs(p - q) for p, q in zip(here, there, strict=True))
        if moved > allowed:
            return settle(
                False, f"{_describe(case)}, and {other}: a prediction moves by {moved} > {allowed}"
            )
    return settle(True, "")


Promise = tuple[Fraction, int]


def _promises(budget: Budget) -> Iterator[Promise]:
    for gamma in (Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)):
        yield from ((gamma, n) for n in (30, 100, 1001)[: budget.pick(2, 3, 3)])


Constructed = Callable[[Fraction, int], StableLearner]


def _promised(construct: Constructed, promise: Promise) -> Finding:
    """The paper's account, and the exact one for these parameters, are within the promise."""
    gamma, n = promise
    learner = construct(gamma, n)
    part = Fraction(learner.subset_size, n)
    exact = part + (1 - part) * (1 - learner.decay) / (1 + learner.decay)
    paper = learner.paper_stability(n)
    return settle(
        max(exact, paper) <= gamma,
        f"gamma = {gamma}, n = {n}: n' = {learner.subset_size}, e^epsilon = "
        f"{float(learner.epsilon.ratio):.4f} give {float(paper):.4f}",
    )


def _outline(gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_outline(thresholds(9), gamma, n)


def _third(gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_lemma_13(thresholds(9), gamma / 3, n)


def _whole(gamma: Fraction, n: int) -> StableLearner:
    return StableLearner.from_lemma_13(thresholds(9), gamma, n)


def _own(learner: StableLearner, n: int) -> Fraction:
    return learner.stability(n)


def _three_gamma(learner: StableLearner, n: int) -> Fraction:
    """3 gamma for the least gamma with n' <= gamma n and e^gamma >= e^epsilon, from above."""
    gamma = max(Fraction(learner.subset_size, n), Interval.log(learner.decay**-2).upper)
    return min(Fraction(1), 3 * gamma)


def _without_the_subset(learner: StableLearner, _: int) -> Fraction:
    return (1 - learner.decay) / (1 + learner.decay)


# Approximation


def _accurate_cases(budget: Budget) -> Iterator[Case]:
    for index in range(budget.pick(25, 300, 4000)):
        coins = Random(f"accurate/{index}")  # noqa: S311
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
        return settle(False, f"{_describe(case)}: excess {excess}, by definition {exact}")
    return at_most(exact, bound, f"{_describe(case)}: excess {exact}, bound {float(bound):.5f}")


def _library_parts(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> tuple[Fraction, Interval]:
    found = approximation_of(_learner(H, size, rho), sample)
    return found.excess, found.bound


def _mechanism_only(
    H: Family, sample: AnySample, size: int, rho: Fraction
) -> tuple[Fraction, Interval]:
    found = approximation_of(_learner(H, size, rho), sample)
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
            return settle(
                exact <= multiple * alpha, f"{_describe(case)}: excess {exact}, alpha = {alpha}"
            )
    return settle(True, "")


def _members(H: FiniteClass, points: tuple[Hashable, ...]) -> frozenset[int]:
    return frozenset(H.column(x) for x in points)


_UNIVERSE = "all samples of up to two examples of two classes, and seeded ones of up to five"

_SECTION_3 = "The outline takes |T| = gamma n/2 and gamma/4; Appendix B n' = gamma n and gamma. "

CLAIMS = (
    Claim(
        key="DF20:algorithm-section-3",
        kind=Kind.ALGORITHM,
        title="The stable learner of the outline",
        statement="Draw T of gamma n/2 of the n examples, one hypothesis of H_T by the exponential "
        "mechanism with parameter gamma/4 and the errors on S, and predict with it: this is gamma-"
        "stable, as gamma/2 + (e^(gamma/4) - 1) <= gamma.",
        code=(
            "papers.dagan_feldman.StableLearner.from_outline",
            "papers.dagan_feldman.stable_draw",
        ),
        trials=(
            trial(
                "law",
                _is_defined,
                _cases,
                subject=_of_the_learner,
                mutant=_one_point_less,
                universe=_UNIVERSE,
            ),
            trial(
                "stability",
                _promised,
                _promises,
                subject=_outline,
                mutant=_whole,
                universe="gamma = 1/10, 1/3, 9/10 and three sample sizes",
            ),
        ),
        uses=(
            "DF20:definition-h-t",
            "DF20:definition-exponential-mechanism",
            "DF20:lemma-7.privacy",
        ),
        note=_SECTION_3,
    ),
    Claim(
        key="DF20:equation-1",
        kind=Kind.FACT,
        title="A net keeps a good hypothesis (Equation 1)",
        statement="If the points of T are an alpha-net for H with respect to S, then min over H_T "
        "of L_S <= min over H of L_S + alpha, whatever the representatives.",
        code=("papers.dagan_feldman.approximation_of", "dimensions.is_alpha_net"),
        trials=(
            trial(
                "sets of points",
                _good_cover,
                _net_cases,
                subject=_net_on_sample,
                mutant=lambda H, *_: len(H) > 0,
                universe="classes of the literature and seeded ones, samples, all sets of points",
            ),
        ),
        uses=("DF20:definition-net", "DF20:definition-h-t", "DF20:lemma-4.repaired"),
    ),
    Claim(
        key="DF20:equation-2",
        kind=Kind.FACT,
        title="The mechanism on H_T is accurate (Equation 2)",
        statement="For every T, the expected number of errors on S of the hypothesis drawn from "
        "H_T exceeds the least one in H_T by at most ln|H_T|/ln(1/rho).",
        code=("papers.dagan_feldman.paper_excess", "papers.dagan_feldman.StableLearner"),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "subsamples",
                _mechanism_excess,
                _cases,
                subject=_paper,
                mutant=lambda N, rho: _paper(N, rho) / 4,
                universe=_UNIVERSE,
            ),
        ),
        uses=("DF20:lemma-7.utility", "DF20:lemma-5"),
    ),
)

APPENDIX_B = (
    Claim(
        key="DF20:algorithm-appendix-b",
        kind=Kind.ALGORITHM,
        title="A^sta, exactly and fast",
        statement="h_{S,T} is the exponential mechanism on H_T with the errors on S, for any T; "
        "A^sta(S) is the average of h_{S,S_I} over all sets I of n' indices. The exact, the "
        "enclosed and the polynomial-time computations of its law agree with this definition.",
        code=(
            "papers.dagan_feldman.StableLearner.conditioned_on",
            "papers.dagan_feldman.StableLearner.law",
            "papers.dagan_feldman.exact_selection",
            "papers.dagan_feldman.enclosed_selection",
            "papers.dagan_feldman.EnclosedSelection",
            "papers.dagan_feldman.additive_selection",
            "papers.dagan_feldman.AdditiveSelection",
            "papers.dagan_feldman.has_additive_normaliser",
            "papers.dagan_feldman.float_selection",
            "papers.dagan_feldman.estimated_probabilities",
            "papers.dagan_feldman.PredictionEstimate",
        ),
        trials=(
            trial(
                "h_{S,T}",
                _fixed_points,
                _cases,
                subject=1,
                mutant=2,
                universe=f"{_UNIVERSE}, all T",
            ),
            trial(
                "exactly",
                _is_defined,
                _cases,
                subject=_exact,
                mutant=_exact_squared,
                universe=_UNIVERSE,
            ),
            trial(
                "enclosed",
                _encloses,
                _cases,
                subject=_enclosed,
                mutant=_enclosed_elsewhere,
                universe=_UNIVERSE,
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
        uses=("DF20:definition-h-t", "DF20:definition-exponential-mechanism"),
        note=_SECTION_3,
    ),
    Claim(
        key="DF20:lemma-13.approximation",
        kind=Kind.LEMMA,
        title="A^sta approximates the best hypothesis on S",
        statement="If all but a fraction alpha of the sets I are alpha-nets, and n alpha >= "
        "ln|H_T|/ln(1/rho) for all of their T, then L_S(A^sta(S)) - min_H L_S <= 3 alpha.",
        code=("papers.dagan_feldman.StableLearner", "papers.dagan_feldman.approximation_of"),
        trials=(
            trial(
                "three alpha",
                _three_alpha,
                _accurate_cases,
                subject=Fraction(3),
                mutant=Fraction(1, 20),
                universe="seeded samples with a small decay, and the least alpha for each",
            ),
        ),
        uses=("DF20:equation-1", "DF20:equation-2", "DF20:lemma-4.repaired"),
        note="Lemma 7 of the arXiv version. Its proof writes tau_n'(h) and epsilon for tau_n'(H) "
        "and gamma; the last display lacks a factor 1/C(n, n').",
    ),
    Claim(
        key="DF20:lemma-13.sharp",
        kind=Kind.REPAIR,
        title="The approximation of A^sta in two parts",
        statement="L_S(A^sta(S)) - min_H L_S is at most the average over I of min over H_{S_I} of "
        "L_S - min_H L_S, plus that of W((|H_{S_I}| - 1)/e)/(n ln(1/rho)).",
        code=(
            "papers.dagan_feldman.approximation_of",
            "papers.dagan_feldman.Approximation",
            "papers.dagan_feldman.exponential_excess",
        ),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "samples",
                _approximates,
                _cases,
                subject=_library_parts,
                mutant=_mechanism_only,
                universe=_UNIVERSE,
            ),
        ),
        uses=("DF20:lemma-13.approximation", "DF20:lemma-7.sharp"),
    ),
    Claim(
        key="DF20:lemma-13.stability",
        kind=Kind.LEMMA,
        title="A^sta is 3 gamma-stable",
        statement="With n' <= gamma n and the exponential mechanism with parameter gamma <= 1, "
        "predictions of A^sta are 3 gamma-stable, for every choice of representatives by the set "
        "of points.",
        code=(
            "papers.dagan_feldman.StableLearner.from_lemma_13",
            "papers.dagan_feldman.StableLearner.paper_stability",
        ),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "all neighbours",
                _stable,
                _stability_cases,
                subject=_three_gamma,
                mutant=lambda learner, n: _three_gamma(learner, n) / 9,
                universe="samples of up to three examples of three classes",
            ),
            trial(
                "constructed",
                _promised,
                _promises,
                subject=_third,
                mutant=_whole,
                universe="gamma = 1/10, 1/3, 9/10 and three sample sizes",
            ),
        ),
        uses=(
            "DF20:algorithm-appendix-b",
            "DF20:lemma-7.privacy",
            "DF20:appendix-a.mixtures",
            "DF20:definition-uniform-stability",
        ),
        note="Lemma 7 of the arXiv version.",
    ),
    Claim(
        key="DF20:lemma-13.stability.sharp",
        kind=Kind.REPAIR,
        title="The stability of A^sta, sharp",
        statement="Predictions of A^sta are q + (1 - q) (1 - rho)/(1 + rho)-stable, q = n'/n.",
        code=("papers.dagan_feldman.StableLearner.stability", "audit.uniform_stability"),
        trials=(
            trial(
                "all neighbours",
                _stable,
                _stability_cases,
                subject=_own,
                mutant=_without_the_subset,
                universe="samples of up to three examples of three classes",
            ),
        ),
        uses=("DF20:lemma-13.stability", "DF20:lemma-7.stability"),
    ),
)
