"""The overview of the proof of Theorem 3: Section 4.1."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from pac_stability.claims.claim import Claim, Kind, Whose
from pac_stability.claims.comparing import at_least, at_most
from pac_stability.claims.dagan_feldman._relabelling import (
    needed_slack,
)
from pac_stability.claims.dagan_feldman.matching import (
    EXCHANGES,
    REPLACED,
    Exchange,
    Relation,
    Replaced,
    exchanged,
    exchanges,
    fixed_subset,
    replacements,
    subsampled,
    unlucky,
    without_matching,
)
from pac_stability.claims.finding import Finding, all_of, fails
from pac_stability.claims.trials import trial
from pac_stability.papers.dagan_feldman import (
    amplified_factor,
    matching_factor,
    net_disagreements,
)


def _partners(most: int, exchange: Exchange) -> Finding:
    instance, rest, i = exchange
    sample = instance.sample
    kept = [sample.points[j] for j in rest]
    pairs = instance.matched(kept, sample.points[0], sample.points[i])
    counts = [sum(h == g for h, _ in pairs) for g in {h for h, _ in pairs}]
    counts += [sum(h == g for _, h in pairs) for g in {g for _, g in pairs}]
    every = len({h for h, _ in pairs}) == len(
        instance.family.representatives_on((*kept, sample.points[0]))
    )
    text = f"{instance}, I = {(0, *rest)}: numbers of partners {counts}"
    return at_most(max(counts), most, text) if every else fails(text)


def _few_disagreements(limit: Callable[[Fraction, int], int], exchange: Exchange) -> Finding:
    """Whenever I without its first index is an eta-net for the other n - 1 examples."""
    instance, rest, i = exchange
    sample, n = instance.sample, len(instance.sample)
    kept = [sample.points[j] for j in rest]
    others = sample.points[1:]
    largest = max(
        sum(h(x) != g(x) for x in others)
        for h, g in product(instance.H, repeat=2)
        if all(h(x) == g(x) for x in kept)
    )
    eta = Fraction(max(1, largest), n - 1)  # the least eta with which it is a net
    K = max(
        sum(h(x) != g(x) for x in sample.points)
        for h, g in instance.matched(kept, sample.points[0], sample.points[i])
    )
    return at_least(
        limit(eta, n), K, f"{instance}, I = {(0, *rest)}, eta = {eta}: K = {K} > {limit(eta, n)}"
    )


def _sharp(t: Fraction, q: Fraction, limit: int) -> Fraction:
    return amplified_factor(1, q, matching_factor(t, limit))


def _whole(relation: Relation, replaced: Replaced) -> Finding:
    instance, index, z = replaced
    sample, other = instance.sample, instance.sample.replace(index, z)
    q = Fraction(instance.size, len(sample))
    here, there = instance.mean(sample, sample), instance.mean(other, other)

    def beyond(limit: int) -> Finding:
        factor = instance.step * relation(instance.step, q, limit)
        slack = q * unlucky(instance, index, limit)
        needed = needed_slack(here, there, factor)
        return at_most(
            needed,
            slack,
            f"{instance}, example {index} becomes {z}, K_0 = {limit}: with factor {factor} the "
            f"slack is {needed} > {slack}",
            ceiling=1,
        )

    return all_of(map(beyond, range(len(sample) + 1)))


def _no_change(_: Fraction, __: Fraction, ___: int) -> Fraction:
    return Fraction(1, 2)


CLAIMS = (
    Claim(
        key="DF20:equation-3",
        kind=Kind.FACT,
        title="The learner is private (Equation 3)",
        statement="For neighbours S and S' and every K_0: h_S <= t (1 + q (4 t^K_0 - 1)) h_S' + q "
        "b, where t is the step, q = n'/n, and b the fraction of the sets I with the replaced "
        "index on whose other points hypotheses can agree that differ on more than K_0 examples.",
        whose=Whose.PROOF,
        where="Section 4.1",
        code=("papers.dagan_feldman.PrivatePredictionLearner.guarantee",),
        trials=(
            trial(
                "neighbours",
                _whole,
                replacements,
                subject=_sharp,
                mutant=_no_change,
                universe=REPLACED,
            ),
        ),
        uses=("DF20:equation-4", "DF20:equation-5", "DF20:appendix-a.transitivity"),
        note="The overview has the factor e^epsilon and no slack, for simplicity.",
    ),
    Claim(
        key="DF20:equation-4",
        kind=Kind.FACT,
        title="Other candidates, the same weights (Equation 4)",
        statement="For neighbours S and S' and every K_0, h_S is at most 1 + q (4 t^K_0 - 1) times "
        "the average of the h_{S,S'_J}, plus q b.",
        whose=Whose.PROOF,
        where="Section 4.1",
        code=(
            "papers.dagan_feldman.check_subsampling",
            "papers.dagan_feldman.Subsampling",
            "papers.dagan_feldman.amplified_factor",
        ),
        trials=(
            trial(
                "neighbours",
                subsampled,
                replacements,
                subject=_sharp,
                mutant=without_matching,
                universe=REPLACED,
            ),
        ),
        uses=("DF20:equation-6", "DF20:appendix-a.mixtures"),
    ),
    Claim(
        key="DF20:equation-5",
        kind=Kind.FACT,
        title="Other weights, the same candidates (Equation 5)",
        statement="For every T, h_{S,T} is at most t times h_{S',T}, where t = rho^-2 times the "
        "factor of the private learner.",
        whose=Whose.PROOF,
        where="Section 4.1",
        code=("papers.dagan_feldman.check_replacement", "papers.dagan_feldman.FactorCheck"),
        trials=(
            trial(
                "neighbours",
                fixed_subset,
                replacements,
                subject=lambda t: t,
                mutant=lambda t: 1 + (t - 1) / 9,
                universe=REPLACED,
            ),
        ),
        uses=("DF20:lemma-7.privacy", "DF20:lemma-9.repaired"),
        note="The overview and Appendix C divide epsilon differently among the two steps.",
    ),
    Claim(
        key="DF20:equation-6",
        kind=Kind.FACT,
        title="One point of T exchanged (Equation 6)",
        statement="For T and T' that differ in one element, candidates that agree on the common "
        "points are matched, each with one or two others; and h_{S,T} is at most 4 t^K times "
        "h_{S,T'}, matched ones differing on at most K examples.",
        whose=Whose.PROOF,
        where="Section 4.1",
        code=("papers.dagan_feldman.match_candidates", "papers.dagan_feldman.Matching"),
        trials=(
            trial(
                "partners",
                _partners,
                exchanges,
                subject=2,
                mutant=1,
                universe=EXCHANGES,
            ),
            trial(
                "factor",
                exchanged,
                exchanges,
                subject=matching_factor,
                mutant=lambda t, K: 1 + Fraction(K, 100) * (t - 1),
                universe=EXCHANGES,
            ),
        ),
        uses=("DF20:equation-7", "DF20:lemma-9.repaired"),
    ),
    Claim(
        key="DF20:equation-7",
        kind=Kind.FACT,
        title="Matched hypotheses differ rarely (Equation 7)",
        statement="If I without one index is an eta-net with respect to the other n - 1 examples, "
        "matched hypotheses differ on at most floor(eta (n - 1)) + 1 of the n examples.",
        whose=Whose.PROOF,
        where="Section 4.1",
        code=("papers.dagan_feldman.net_disagreements",),
        trials=(
            trial(
                "exchanges",
                _few_disagreements,
                exchanges,
                subject=net_disagreements,
                mutant=lambda eta, n: net_disagreements(eta, n) - 1,
                universe=EXCHANGES,
            ),
        ),
        uses=("DF20:definition-net", "DF20:lemma-4.repaired"),
        note="The overview has |S| alpha/d, for a net with respect to all of S.",
    ),
)
