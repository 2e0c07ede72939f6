"""Corollary 2 with a promise: what the agnostic learner does, summed up exactly, and the sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, fails, settle, trial
from pac_stability.classes import FiniteClass, Row, cube, thresholds
from pac_stability.mechanisms import exponential_learner
from pac_stability.papers.bun_livni_moran import (
    AgnosticPrivateLearner,
    AgnosticPromise,
    agnostic_promise,
)
from pac_stability.papers.bun_livni_moran.agnostic.accuracy import (
    Richness,
    choice_failure,
    transfer_failure,
)

_BITS = 160
_CONSTANTS = FiniteClass([[0], [1]])
_NO_LOSS = Fraction(1, 10**9)
"""alpha; on one point a base learner that is right has no loss."""

Bound: TypeAlias = Callable[[AgnosticPrivateLearner[Row], int, Fraction, Fraction], Interval]
"""From the learner, n, the excess, and how often the base learner fails, to a bound."""


def _bound(
    learner: AgnosticPrivateLearner[Row], n: int, excess: Fraction, failed: Fraction
) -> Interval:
    return learner.excess_failure(n, excess, _NO_LOSS, failed)


def _a_thirtieth(
    learner: AgnosticPrivateLearner[Row], n: int, excess: Fraction, failed: Fraction
) -> Interval:
    return _bound(learner, n, excess, failed) / 30


def _only_the_base(
    learner: AgnosticPrivateLearner[Row],  # a bound that forgets two steps
    n: int,
    excess: Fraction,
    failed: Fraction,
) -> Interval:
    return Interval.exactly(failed / 30)


# One point

Flipped: TypeAlias = tuple[int, int, Fraction, Fraction, Fraction, bool]
"""How many examples D has, m, the decays of the base learner and of the choice of a pattern, how
likely the label 1 is, and whether there is a half T."""


def _flipped(budget: Budget) -> Iterator[Flipped]:
    half, most, sure = Fraction(1, 2), Fraction(9, 10), Fraction(1, 10)
    for T in (True, False):
        yield 1000, 50, most, most, Fraction(9, 16), T
        for size in budget.pick((400,), (400, 1600), (400, 1600, 6400)):
            for chosen, p in product((half, most), (Fraction(9, 16), Fraction(5, 8))):
                yield size, 40, sure, chosen, p, T
        for p in (Fraction(3, 4), Fraction(15, 16)):
            yield 400, 8, half, half, p, T


def _on_one_point(bound: Bound, it: Flipped) -> Finding:
    """The output is the rarer label 0 if that is chosen and learned, or else mistaken for it."""
    size, m, r, chosen, p, T = it
    base = exponential_learner(_CONSTANTS, r)
    learner = AgnosticPrivateLearner(
        _CONSTANTS, base, m, base.guarantee, size // m, chosen, second_half=T
    )
    # On m examples with the same label the base learner errs so often, and then about all.
    mistaken = r**m / (1 + r**m)
    rarer = _chosen(size, chosen, p)
    failure = rarer * (1 - mistaken) + (1 - rarer) * mistaken
    excess = (2 * p - 1) * (1 - Fraction(1, 2**20))
    text = (
        f"one point, {size} examples relabelled, m = {m}, decays {r} and {chosen}, label 1 with "
        f"probability {p}, T: {T}: an excess above {float(excess):.4f}"
    )
    n = size * (1 + T)
    return at_most(failure, bound(learner, n, excess, mistaken), text, ceiling=1)


def _chosen(size: int, r: Fraction, p: Fraction) -> Interval:
    """How likely the constant 0 is chosen: it errs on the k labels 1, the other on the rest."""
    a, b, whole = p.numerator, p.denominator - p.numerator, p.denominator**size
    total = 0
    for k in range(size + 1):
        seen = (comb(size, k) * a**k * b ** (size - k) << _BITS) // whole
        zero, one = r**k, r ** (size - k)
        total += (seen * zero.numerator * one.denominator) // (
            zero.numerator * one.denominator + one.numerator * zero.denominator
        )
    return Interval(Fraction(total, 1 << _BITS), Fraction(total + 2 * size + 2, 1 << _BITS))


# Two points

Noisy: TypeAlias = tuple[str, FiniteClass, Fraction, Fraction, Fraction]
"""A class on two points with its name, the mass of the first point, how often its label and that of
the second one are 1."""

_SIZE, _DRAWN, _SHARP = 18, 3, Fraction(1, 50)


def _noisy(budget: Budget) -> Iterator[Noisy]:
    laws = (15, 2, 16), (8, 2, 14)
    more = (14, 1, 8), (16, 4, 0)
    for name, H in (("thresholds(2)", thresholds(2)), ("cube(2)", cube(2))):
        for law in (*laws, *budget.pick((), more, more)):
            mass, first, second = (Fraction(i, 16) for i in law)
            yield name, H, mass, first, second


def _on_two_points(bound: Bound, it: Noisy) -> Finding:
    """How often both points and both labels occur is multinomial; so is what is drawn of it."""
    name, H, mass, *ones = it
    rows = [tuple(map(int, row)) for row in H.table]
    base = exponential_learner(H, _SHARP)
    learner = AgnosticPrivateLearner(
        H, base, _DRAWN, base.guarantee, _SIZE // _DRAWN, Fraction(1, 2), second_half=False
    )
    masses = (mass, 1 - mass)
    losses = {
        f: sum(q * (1 - p if y else p) for q, p, y in zip(masses, ones, f, strict=True))
        for f in rows
    }
    learned = {(first, h): _learned(rows, first, h) for first in range(_SIZE + 1) for h in rows}
    # Whatever the pattern and the points, the base learner is consistent with D but for this.
    failed = max(
        sum((p for f, p in law.items() if any(f[x] != h[x] for x in _seen(first))), Fraction(0))
        for (first, h), law in learned.items()
    )
    outputs = dict.fromkeys(rows, Fraction(0))
    for first in range(_SIZE + 1):
        times = first, _SIZE - first
        placed = comb(_SIZE, first) * mass**first * (1 - mass) ** (_SIZE - first)
        if not placed:
            continue
        for seen in product(range(times[0] + 1), range(times[1] + 1)):
            likely = placed * prod(
                comb(t, k) * p**k * (1 - p) ** (t - k)
                for t, k, p in zip(times, seen, ones, strict=True)
            )
            if not likely:
                continue
            # Patterns are those on the points that occur; a point that does not adds no errors.
            weights: dict[tuple[int, ...], Fraction] = {}
            for h in rows:
                pattern = tuple(y for y, t in zip(h, times, strict=True) if t)
                errors = sum(t - k if y else k for y, t, k in zip(h, times, seen, strict=True))
                weights.setdefault(pattern, Fraction(1, 2**errors))
            total = sum(weights.values())
            for h in rows:
                pattern = tuple(y for y, t in zip(h, times, strict=True) if t)
                if (weight := weights.pop(pattern, None)) is not None:
                    for f, p in learned[first, h].items():
                        outputs[f] += likely * weight / total * p
    least, worst = min(losses.values()), max(losses.values())
    excess = (worst - least) * (1 - Fraction(1, 2**20))
    failure = sum((p for f, p in outputs.items() if losses[f] > least + excess), Fraction(0))
    text = f"{name}, mass {mass} of the first point, labels 1: {ones}, excess {float(excess):.3f}"
    if sum(outputs.values()) != 1:
        return fails(f"{text}: the output's law adds up to {sum(outputs.values())}")
    return at_most(failure, bound(learner, _SIZE, excess, failed), text, ceiling=1)


def _seen(first: int) -> list[int]:
    """The points that occur in D."""
    return [x for x, times in enumerate((first, _SIZE - first)) if times]


def _learned(
    rows: list[tuple[int, ...]], first: int, h: tuple[int, ...]
) -> dict[tuple[int, ...], Fraction]:
    """The output of the base learner on draws from D, in which the first point occurs so often."""
    law = dict.fromkeys(rows, Fraction(0))
    share = Fraction(first, _SIZE)
    for k in range(_DRAWN + 1):
        drawn = comb(_DRAWN, k) * share**k * (1 - share) ** (_DRAWN - k)
        weights = {f: _SHARP ** ((f[0] != h[0]) * k + (f[1] != h[1]) * (_DRAWN - k)) for f in rows}
        for f, weight in weights.items():
            law[f] += drawn * weight / sum(weights.values())
    return law


# What is seen on D, and beyond

Carried: TypeAlias = tuple[str, int, int, int, Fraction]
"""What the sets are, how many, N', how many of the fresh points may be in a set, and its mass."""


def _carried(budget: Budget) -> Iterator[Carried]:
    for fresh in budget.pick((8, 30), (8, 30, 100), (8, 30, 100, 400)):
        for sets, mass in ((1, Fraction(1, 4)), (2, Fraction(1, 2)), (4, Fraction(1, 4))):
            for most in (0, 1, 3) if sets == 1 else (0,):
                yield "blocks", sets, fresh, most, mass
    for fresh, mass in ((400, Fraction(1, 4)), (1000, Fraction(1, 8)), (2000, Fraction(1, 16))):
        yield "intervals", 0, fresh, 0, mass


Transfer: TypeAlias = Callable[[int, int, Richness, Fraction, Fraction], Interval]


def _transfer(
    size: int, resample: int, richness: Richness, on_D: Fraction, apart: Fraction
) -> Interval:
    return transfer_failure(size, resample, richness, on_D, apart)


def _as_many_again(
    size: int, resample: int, richness: Richness, on_D: Fraction, apart: Fraction
) -> Interval:
    """A wrong bound, which takes the drawn examples for fresh ones as well."""
    return transfer_failure(2 * size - resample, resample, richness, on_D / 2, apart)


def _carries_over(bound: Transfer, it: Carried) -> Finding:
    """Disjoint blocks, and all intervals between uniform points: how likely one is missed."""
    kind, sets, fresh, most, mass = it
    # Half of D is drawn; what is allowed on D may all lie among the fresh ones.
    size, on_D = 2 * fresh, Fraction(most, 2 * fresh)
    inside = mass * (1 - Fraction(1, 2**20))
    if kind == "intervals":
        # Of the fresh + 1 spacings of uniform points one is larger (Whitworth).
        missed = -sum(
            (-1) ** j * comb(fresh + 1, j) * max(Fraction(0), 1 - j * mass) ** fresh
            for j in range(1, fresh + 2)
            if j * mass < 1
        )
        rich = Richness(2)
    elif sets == 1:
        missed = sum(
            (comb(fresh, k) * mass**k * (1 - mass) ** (fresh - k) for k in range(most + 1)),
            Fraction(0),
        )
        rich = Richness(1, 1)
    else:
        missed = -sum(
            (-1) ** j * comb(sets, j) * max(Fraction(0), 1 - j * mass) ** fresh
            for j in range(1, sets + 1)
        )
        rich = Richness(1, sets)
    allowed = Interval.exp(bound(size, fresh, rich, on_D, inside))
    text = f"{kind}, {sets or 'all'} of mass {mass}, {fresh} fresh points, {most} may be inside"
    return at_most(missed, allowed, text, ceiling=1)


# The sizes

Asked: TypeAlias = tuple[int, int, int | None, Fraction, Fraction, Epsilon, Fraction]
"""d, the VC dimension, |H|, alpha, beta, epsilon and delta."""


def _asked(budget: Budget) -> Iterator[Asked]:
    tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    yield 1, 1, 2, Fraction(1, 4), tenth, Epsilon(1), millionth
    yield 1, 1, None, Fraction(1, 4), tenth, Epsilon(1), millionth
    yield 2, 1, None, Fraction(1, 4), tenth, Epsilon(3), millionth
    if budget is not Budget.QUICK:
        alphas = Fraction(1, 3), Fraction(1, 50)
        for d, alpha, beta in product((1, 2, 4), alphas, (tenth, millionth)):
            yield d, 1, None, alpha, beta, Epsilon(Fraction(1, 2)), millionth


def _alike(found: Interval, written: Sequence[Interval]) -> bool:
    """Whether a bound is the best of those that are written, but for what it rounds."""
    best = min((bound.upper for bound in written), default=Fraction(0))
    best = min(best, Fraction(0))  # a probability is at most 1
    return abs(found.upper - best) <= abs(best) / 2**20


def _sizes(promise: Callable[[AgnosticPromise], int], it: Asked) -> Finding:
    """All conditions of the proof, written out: the ratio is enough, and the privacy is kept."""
    d, vc, count, alpha, beta, epsilon, delta = it
    asked = AgnosticPromise(d, vc, alpha, beta, epsilon, delta, count)
    M, N, a, r = asked.base, promise(asked), asked.excess, asked.decay
    m, log = M.sample_size, Interval.log
    left = log(beta / 32)
    fresh, seen = N - m, Fraction(int(M.alpha * N), N - m)

    def patterns(points: int) -> Interval:
        most = sum(comb(points, i) for i in range(vc + 1))
        return log(2 * min(most, count or most))

    choice, transfer = [], []
    if count is not None:
        steep = r * r * (1 + a) >= 1 - a
        rate = log(r * (1 + a) / 2 + (1 - a) / (2 * r)) if steep else log(1 - a * a) / 2
        choice.append((log(count - 1) if count > 2 else 0) + rate * N)
    for times in (1, 3, 7, 15, 31, 63):
        s, above = Fraction(times, times + 1), a - Interval.sqrt(2 * log(2) / (times * N))
        x = min(above.lower * s, log(1 / r).lower / s)
        choice.append(patterns((times + 1) * N) + (x * x / 2 - above * x * s) * N)
        mean = Fraction(int((alpha - a) * times * N) + int(M.alpha * N), fresh + times * N)
        if seen < mean:
            entropy = log(seen / mean) * seen + log((1 - seen) / (1 - mean)) * (1 - seen)
            transfer.append(patterns((times + 1) * N) - entropy * fresh)
    if count is not None and seen < alpha - a:
        mean = alpha - a
        entropy = log(seen / mean) * seen + log((1 - seen) / (1 - mean)) * (1 - seen)
        transfer.append(log(count) - entropy * fresh)
    spent, rich = asked.guarantee, Richness(vc, count)
    conditions = (
        _alike(choice_failure(N, rich, r, a), choice),
        _alike(transfer_failure(N, m, rich, M.alpha, alpha - a), transfer),
        M.beta + beta / 16 <= beta,
        any(bound.upper <= left.upper for bound in choice),
        any(bound.upper <= left.upper for bound in transfer),
        asked.sample_size >= N,
        spent.factor <= epsilon.ratio,
        spent.delta <= delta,
        count != len(_CONSTANTS)
        or agnostic_promise(_CONSTANTS, alpha, beta, epsilon, delta) == asked,
    )
    return settle(
        all(conditions),
        f"d = {d}, VC = {vc}, |H| = {count}, alpha = {alpha}, beta = {beta}, epsilon = {epsilon}: "
        f"D of {N} examples meets {conditions}",
    )


TRIALS: Trials = {
    "BLM20:corollary-2.promise": (
        trial(
            "two constants on one point",
            _on_one_point,
            _flipped,
            subject=_bound,
            mutant=_a_thirtieth,
            universe="two constants, 400 and 1000 examples that are relabelled (more with the "
            "budget), with and without a half T, labels that are 1 with probability 9/16 to 15/16, "
            "and the exponential mechanism as the base learner: how likely the worse one is "
            "output, summed up and enclosed",
        ),
        trial(
            "classes on two points",
            _on_two_points,
            _noisy,
            subject=_bound,
            mutant=_only_the_base,
            universe="thresholds(2) and cube(2), 18 examples of which 3 are drawn, two laws of "
            "noisy labels (four from the standard budget on): exact multinomial sums",
        ),
        trial(
            "what is seen of a set on fresh points",
            _carries_over,
            _carried,
            subject=_transfer,
            mutant=_as_many_again,
            universe="1, 2 and 4 disjoint sets, and all intervals between uniform points, 8 to "
            "2000 fresh points: how likely one of that mass has too few, exactly",
        ),
        trial(
            "the sizes as stated",
            _sizes,
            _asked,
            subject=lambda asked: asked.part_size,
            mutant=lambda asked: asked.part_size - asked.base.sample_size,
            universe="d = 1 and 2 (and 4), with and without a number of hypotheses: each condition "
            "of the proof",
        ),
    ),
}
"""The agnostic learner's promise against exact laws."""
