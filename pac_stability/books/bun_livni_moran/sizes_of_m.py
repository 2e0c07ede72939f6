"""Lemma 16, Theorems 17 and 1 with constants: what the stated numbers spend, miss and need."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval, least_integer
from pac_stability.books.bun_livni_moran.literal import TournamentSetting, hypotheses_of
from pac_stability.books.bun_livni_moran.settings import (
    counterexample,
    random_settings,
    uniform_settings,
)
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes, all_labelled_samples, random_laws
from pac_stability.claims.kit import Comparison
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, Sample
from pac_stability.errors import Undecided
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran import formulas
from pac_stability.papers.bun_livni_moran.formulas.sizes import generic_size

TRIALS = kit.Table("BLM20")
F = Fraction
_DECAY, _TENTH, _QUARTER, _MILLIONTH = F(4, 9), F(1, 10), F(1, 4), F(1, 10**6)

# Lemma 16: the exponential mechanism on a finite class


@kit.universe(
    "every class on up to 2 points, one of each kind, all samples of up to 2 examples (more with "
    "the budget), all replacements of the first; r = 4/9",
    extent="classes on up to 2 points, n up to {2, 3, 4}",
)
def _samples(budget: kit.Budget) -> Iterator[tuple[FiniteClass, Sample[Hashable]]]:
    for H in (H for m in (1, 2) for H in all_classes(m)):
        for n in range(1, budget.pick(2, 3, 4) + 1):
            yield from ((H, S) for S in all_labelled_samples(H, n))


def _exponential(H: FiniteClass, S: Sample[Hashable]) -> dict[int, Fraction]:
    weights = [_DECAY ** sum(H(i, z.point) != z.label for z in S) for i in range(len(H))]
    return {i: w / sum(weights) for i, w in enumerate(weights)}


def _chosen(
    factor: Callable[[blm.GenericPrivateLearner], Fraction],
    it: tuple[FiniteClass, Sample[Hashable]],
) -> Iterator[kit.Finding | Comparison]:
    H, S = it
    learner, law = blm.GenericPrivateLearner(H, Epsilon.exactly(1 / _DECAY**2)), _exponential(H, S)
    found = {h.index: p for h, p in learner.law(S).items()}
    if found != law:
        yield kit.fails(f"{kit.show(it)}: law {found}, not {law}")
    for x, y in product(H.domain, (0, 1)):
        other = _exponential(H, S.replace(0, Example(x, y)))
        yield kit.factor_within(max(p / other[i] for i, p in law.items()), factor(learner))


TRIALS.add(
    "lemma-16.explicit", "privacy", _chosen, _samples,
    lambda learner: learner.guarantee.factor, lambda learner: 1 / learner.decay,
)  # fmt: skip


class Asked(NamedTuple):
    """How many hypotheses, alpha, beta and the decay."""

    hypotheses: int
    alpha: Fraction
    beta: Fraction
    r: Fraction


Size = Callable[[int, Fraction, Fraction, Fraction], int]


@kit.universe(
    "every class on up to 2 points, one of each kind, every law of examples with probabilities in "
    "sixths (finer with the budget), alpha = 1/8 and 1/4, beta = 1/10, r = 4/9",
    extent="classes on up to 2 points, laws in {6, 8, 16}ths",
)
def _hard(budget: kit.Budget) -> Iterator[tuple[FiniteClass, tuple[Fraction, ...], Fraction]]:
    """Where some hypothesis has loss at most alpha and some other one loss above 2 alpha."""
    q = budget.pick(6, 8, 16)
    for m in (1, 2):
        grid = [w for w in product(range(q + 1), repeat=2 * m) if sum(w) == q]
        for H, w, alpha in product(all_classes(m, labels_matter=False), grid, (F(1, 8), _QUARTER)):
            law = tuple(F(v, q) for v in w)
            losses = [_loss(h, law) for h in hypotheses_of(H)]
            if min(losses) <= alpha and max(losses) > 2 * alpha:
                yield H, law, alpha


def _wrong(h: int, law: tuple[Fraction, ...]) -> list[bool]:
    return [h >> x & 1 != y for x, y in product(range(len(law) // 2), (0, 1))]


def _loss(h: int, law: tuple[Fraction, ...]) -> Fraction:
    return sum((p for p, e in zip(law, _wrong(h, law), strict=True) if e), F(0))


def _good_choice(size: Size, it: tuple[FiniteClass, tuple[Fraction, ...], Fraction]) -> Comparison:
    H, law, alpha = it
    rows = sorted(hypotheses_of(H), key=lambda h: _loss(h, law))
    n = size(len(H), alpha, _TENTH, _DECAY)
    bad = [h for h in rows if _loss(h, law) > 2 * alpha]
    if n > 3:
        most = sum((beaten(rows[0], h, law, _DECAY, n) for h in bad), F(0))
        return kit.within(Interval(F(0), most), _TENTH)
    failure = F(0)
    for drawn in product([i for i, p in enumerate(law) if p], repeat=n):
        weight = {h: _DECAY ** sum(_wrong(h, law)[i] for i in drawn) for h in rows}
        share = sum((weight[h] for h in bad), F(0)) / sum(weight.values())
        failure += share * math.prod((law[i] for i in drawn), start=F(1))
    return kit.within(failure, _TENTH)


def beaten(good: int, bad: int, law: tuple[Fraction, ...], decay: Fraction, n: int) -> Fraction:
    """Bound how likely a bad hypothesis is chosen over a good one, by an exponential moment."""
    root = F(math.isqrt(decay.numerator), math.isqrt(decay.denominator))
    pairs = list(zip(law, _wrong(good, law), _wrong(bad, law), strict=True))
    more = sum((p for p, g, b in pairs if b and not g), F(0))
    less = sum((p for p, g, b in pairs if g and not b), F(0))
    bases = [decay, root] if root**2 == decay else [decay]
    mean = min(1 - more - less + more * v + less / v for v in bases)
    return _exponential_bound(Interval.log(mean) * n)


def _exponential_bound(exponent: Interval) -> Fraction:
    power = min(F(0), max(exponent.upper, F(-1000)))
    return min(F(1), Interval.exp(power).upper)


TRIALS.add("lemma-16.explicit", "accuracy", _good_choice, _hard, generic_size, lambda *_: 1)


@kit.universe(
    "one hypothesis of loss alpha, up to 64 (1024 with the deep budget) of loss 1 - alpha that do "
    "not differ where labels are drawn, alpha = 33/100 and 1/5, a grid of beta and r: exact "
    "failures at the stated size and below"
)
def _copies(budget: kit.Budget) -> Iterator[Asked]:
    third = F(33, 100)
    yield from (Asked(8, third, _TENTH, F(19, 20)), Asked(1, third, _MILLIONTH, F(1, 100)))
    betas = (_QUARTER, F(1, 1000), F(1, 10**12))[: budget.pick(2, 3, 3)]
    decays = (_DECAY, F(9, 10), F(19, 20), F(39, 40))[: budget.pick(2, 4, 4)]
    counts = budget.pick((1, 64), (1, 3, 64), (1, 3, 64, 1024))
    for beta, r, bad, alpha in product(betas, decays, counts, (third, F(1, 5))):
        yield Asked(bad, alpha, beta, r)


def _needed(size: Size, it: Asked) -> list[Comparison]:
    bad, alpha, beta, r = it
    stated = size(bad + 1, alpha, beta, r)
    needed = least_integer(
        lambda n: share_of_bad(bad, alpha, r, n).lower <= beta, 1, max(1, stated)
    )
    return [kit.within(share_of_bad(bad, alpha, r, stated), beta), kit.within(needed, stated)]


def share_of_bad(bad: int, alpha: Fraction, r: Fraction, n: int, bits: int = 64) -> Interval:
    """Enclose how often one of the bad hypotheses is chosen."""
    a, b = alpha.numerator, alpha.denominator - alpha.numerator
    weight, total = b**n, 0
    for ones in range(n + 1):
        gap = n - 2 * ones
        few, many = r.numerator ** abs(gap), r.denominator ** abs(gap)
        of_bad, of_good = (bad * few, many) if gap > 0 else (bad * many, few)
        total += weight * ((of_bad << bits) // (of_bad + of_good))
        weight = weight * (n - ones) * a // ((ones + 1) * b)
    found = F(total, (a + b) ** n << bits)
    return Interval(found, found + F(1, 1 << bits))


TRIALS.add(
    "lemma-16.explicit", "how many examples are needed", _needed, _copies,
    generic_size, lambda *it: generic_size(*it) // 4,
)  # fmt: skip

# Theorem 17: M over a stable algorithm


@dataclass(frozen=True)
class Numbers:
    """What M does: runs, bounded noise, cutoff, decay of the choice, examples of the choice."""

    runs: int
    noise: int
    cutoff: int
    decay: Fraction
    choice_size: int


def numbers_of(sizes: formulas.PrivateFromStable) -> Numbers:
    """Read them from the library."""
    return Numbers(sizes.runs, sizes.noise, sizes.cutoff, sizes.decay, sizes.choice_size)


def never_released(sizes: formulas.PrivateFromStable) -> Numbers:
    """Ask for more runs than there are: wrong."""
    return replace(numbers_of(sizes), cutoff=sizes.runs + sizes.noise + 1)


def half_the_noise(sizes: formulas.PrivateFromStable) -> Numbers:
    """Use half of the noise: wrong."""
    return replace(numbers_of(sizes), noise=sizes.noise // 2)


def _over(
    eta: Fraction, alpha: Fraction, beta: Fraction, epsilon: Epsilon | None = None,
    delta: Fraction = _MILLIONTH,
) -> formulas.PrivateFromStable:  # fmt: skip
    return formulas.PrivateFromStable(1, eta, alpha, beta, epsilon or Epsilon(1), delta, "proved")


@kit.universe("eta = 1/8, 1/24, 1/60, beta = 1/10, a G that outputs something with probability 1/2")
def _etas(budget: kit.Budget) -> Iterator[Fraction]:
    yield from [F(1, q) for q in (8, 24, 60)][: budget.pick(2, 3, 3)]


def _every_frequency(constant: int, eta: Fraction) -> kit.Finding:
    k = int((Interval.log(1 / _TENTH) * constant / eta).upper) + 1
    near = [i for i in range(k + 1) if abs(F(i, k) - F(1, 2)) <= eta / 8]
    off = 1 - F(sum(comb(k, i) for i in near), 2**k)
    text = (
        f"eta = {eta}, beta = {_TENTH}, k = {k}: the frequency of an output of probability 1/2 is "
        f"off by more than eta/8 with probability {float(off):.4f}"
    )
    return kit.within(off, _TENTH / 3).settle(text)


TRIALS.add(
    "theorem-17.all-frequencies", "an output of probability 1/2", _every_frequency, _etas, 128
)


@kit.universe("eta = 1/8, 1/24 (1/60 from the standard budget on), beta = 1/10, 1/1000 and 10^-6")
def _frequencies(budget: kit.Budget) -> Iterator[tuple[Fraction, Fraction]]:
    yield from product(_etas.instances(budget), (_TENTH, F(1, 1000), _MILLIONTH))


def _one_frequency(constant: int, it: tuple[Fraction, Fraction]) -> kit.Finding | Comparison:
    eta, beta = it
    stated = int((Interval.log(2 / beta) * constant / eta).upper) + 1
    p, q = eta.numerator, eta.denominator

    def rarely(k: int) -> Fraction:
        rare = [comb(k, i) * p**i * (q - p) ** (k - i) for i in range(k + 1) if 2 * i < eta * k]
        return F(sum(rare), q**k)

    runs = _over(eta, _QUARTER, beta, Epsilon.exactly(10**4), F(1, 2)).runs
    if rarely(stated) > beta / 2 or runs < stated:
        return kit.fails(f"{kit.show(it)}: {stated} runs are said to be enough; taken are {runs}")
    return kit.within(least_integer(lambda k: rarely(k) <= beta / 2, 1, stated), stated)


TRIALS.add(
    "theorem-17.stable-frequency", "exact tails, and how many runs are needed", _one_frequency,
    _frequencies, 8, 4,
)  # fmt: skip


@kit.universe("eta = 1, 1/2, 1/3, ..., beta = 1/10, epsilon = 1, delta = 10^-6")
def _many_etas(budget: kit.Budget) -> Iterator[Fraction]:
    yield from (F(1, q) for q in range(1, budget.pick(30, 400, 2000)))


def _list_sizes(sizes: Callable[[formulas.PrivateFromStable], int], eta: Fraction) -> kit.Finding:
    M = _over(eta, _QUARTER, _TENTH)
    most = M.runs // (M.cutoff - M.noise)
    surely = M.cutoff + M.noise <= -(-eta * M.runs // 2)
    return kit.settle(most <= sizes(M) and surely, f"eta = {eta}: {most} outputs, not {sizes(M)}")


TRIALS.add(
    "theorem-17.list", "counts", _list_sizes, _many_etas,
    lambda sizes: sizes.list_size, lambda sizes: sizes.list_size // 4,
)  # fmt: skip


def failure(
    M: Numbers, setting: TournamentSetting, frequencies: dict[int, Fraction], alpha: Fraction
) -> Interval:
    """Enclose the probability that M over a G with these output frequencies has loss above alpha.

    From above: the most frequent output of loss at most alpha/2 is not surely released, or some bad
    one is chosen over it. From below: nothing is ever released, and the default is bad.
    """
    good = {f: p for f, p in frequencies.items() if setting.loss(f) <= alpha / 2}
    stable = max(good, key=lambda f: good[f])
    total = sum(setting.weights)
    law = tuple(
        F(w, total) * (setting.concept >> x & 1 == y)
        for x, w in enumerate(setting.weights)
        for y in (0, 1)
    )
    bad = (f for f in frequencies if setting.loss(f) > alpha)
    chosen = sum((beaten(stable, f, law, M.decay, M.choice_size) for f in bad), F(0))
    missed = tail_bound(M.runs, good[stable], M.cutoff + M.noise - 1)
    surely = M.cutoff - M.noise > M.runs and setting.loss(setting.soa(())) > alpha
    return Interval(F(int(surely)), min(F(1), missed + chosen))


def tail_bound(k: int, p: Fraction, most: int) -> Fraction:
    """Bound a binomial tail, Pr[Bin(k, p) <= most], by an exponential moment."""
    if p >= 1 or most >= p * k:
        return F(int(most >= k or p < 1))
    s = (most * (1 - p) / (p * (k - most))).limit_denominator(10**4)
    if s <= 0:
        return _exponential_bound(Interval.log(1 - p) * k)
    return _exponential_bound(Interval.log(1 - p + p * s) * k - Interval.log(s) * most)


class Over(NamedTuple):
    """A setting, and with which frequencies G outputs what."""

    setting: TournamentSetting
    frequencies: dict[int, Fraction]


@kit.universe(
    "seeded settings on up to 3 points, seeded frequencies of the outputs of G, alpha = 1/4, beta "
    "= 1/10, epsilon = 1, delta = 10^-6"
)
def _learners(budget: kit.Budget) -> Iterator[Over]:
    count = budget.pick(40, 600, 6000)
    settings = random_settings(count, points=3, rows=6, seed="theorem-17")
    laws = random_laws(count, outcomes=6, laws=1, seed="theorem-17", zeros=False)
    for setting, (law,) in zip(settings, laws, strict=True):
        found: dict[int, Fraction] = {}
        outputs = [setting.concept, *(f for f in range(8) if f < 1 << setting.points)]
        for f, (_, p) in zip(outputs, law.items(), strict=False):
            found[f] = found.get(f, F(0)) + p
        yield Over(setting, found)


def _accurate(numbers: Callable[[formulas.PrivateFromStable], Numbers], it: Over) -> Comparison:
    eta = max(p for f, p in it.frequencies.items() if it.setting.loss(f) <= _QUARTER / 2)
    found = failure(numbers(_over(eta, _QUARTER, _TENTH)), *it, _QUARTER)
    return kit.within(found, _TENTH, ceiling=1)


TRIALS.add(
    "theorem-17.explicit", "accuracy at the stated size", _accurate, _learners,
    numbers_of, never_released,
)  # fmt: skip


@kit.universe(
    "four epsilon and delta (five from the standard budget on), eta = 1 and 1/60: the laws of two "
    "items at counts around the cutoff, and of a choice of two, written out"
)
def _to_measure(budget: kit.Budget) -> Iterator[formulas.PrivateFromStable]:
    privacies = (
        (Epsilon.exactly(4), _TENTH), (Epsilon(1), _MILLIONTH), (Epsilon.exactly(9), F(1, 1000)),
        (Epsilon(0.5), F(1, 100)), (Epsilon(0.1), F(1, 10**4)),
    )  # fmt: skip
    for privacy, eta in product(privacies[: budget.pick(4, 5, 5)], (F(1), F(1, 60))):
        yield _over(eta, _QUARTER, _TENTH, *privacy)


def measured(M: Numbers, epsilon: Epsilon, delta: Fraction) -> Iterator[Comparison]:
    """Compare what release and choice spend on two items with (epsilon, delta)."""
    # An example of a run moves one run from one output to another. Counts at which neither, one or
    # both may be kept back: the least, one that the largest noise releases, one that surely is.
    counts = sorted({1, max(1, M.cutoff - M.noise), M.cutoff + M.noise + 1})
    for a, b in product(counts, [0, *counts]):
        yield kit.within(_spent(M, (a, b), (a - 1, b + 1), epsilon.ratio), delta, ceiling=1)
    for errors in (2, 10, 100):  # of two hypotheses, one without errors and one with many
        r = M.decay
        apart, beside = r**errors / (r**errors + 1), r ** (errors - 2) / (r ** (errors - 2) + 1)
        yield kit.factor_within(beside / apart, epsilon.ratio)


def _spent(
    M: Numbers, counts: tuple[int, int], others: tuple[int, int], factor: Fraction
) -> Fraction:
    """The least delta for two items that occur so often, both ways, by listing what is released."""
    first, second = ([_noisy(M, c) for c in pair] for pair in (counts, others))
    up, down = factor.as_integer_ratio()
    needed = [0, 0]
    for x, y in product(*({**p, **q} for p, q in zip(first, second, strict=True))):
        p, q = (law[0].get(x, 0) * law[1].get(y, 0) for law in (first, second))
        needed[0] += max(0, down * p - up * q)
        needed[1] += max(0, down * q - up * p)
    return F(max(needed), down * sum(first[0].values()) * sum(first[1].values()))


def _noisy(M: Numbers, count: int) -> dict[int | None, int]:
    """The law of the noisy count of an item, in integers; ``None`` if it is not released."""
    law: dict[int | None, int] = {}
    p, q = M.decay.as_integer_ratio()
    for z in range(-M.noise, M.noise + 1):
        shown = count + z if count > 0 and count + z >= M.cutoff else None
        law[shown] = law.get(shown, 0) + p ** abs(z) * q ** (M.noise - abs(z))
    return law


def _spends(
    numbers: Callable[[formulas.PrivateFromStable], Numbers], it: formulas.PrivateFromStable
) -> Iterator[Comparison]:
    return measured(numbers(it), it.epsilon, it.delta)


TRIALS.add(
    "theorem-17.explicit", "privacy at the stated numbers", _spends, _to_measure,
    numbers_of, half_the_noise,
)  # fmt: skip


# Theorem 1: M over algorithm G


def _as_made(setting: TournamentSetting) -> Numbers:
    M = blm.PrivateLearner.of_class(
        setting.H, "1/4", "1/10", Epsilon(1), _MILLIONTH, constants="proved"
    )
    noise = M.histogram
    return Numbers(M.runs, noise.truncation, noise.threshold, M.decay, M.choice_size)


@kit.universe(
    "classes of dimension 1, 2 and 3: every one on up to 2 points and counterexamples to Lemma 12; "
    "epsilon = 1, delta = 10^-6: the laws of two items at counts around the cutoff, and of a "
    "choice of two, written out"
)
def _classes(budget: kit.Budget) -> Iterator[TournamentSetting]:
    names = ("pairs", "dimension-three") if budget is kit.Budget.QUICK else blm.COUNTEREXAMPLES
    yield from uniform_settings((1, 2), (1,), least=1)
    yield from map(counterexample, names)


def _made(
    numbers: Callable[[TournamentSetting], Numbers], it: TournamentSetting
) -> Iterator[Comparison]:
    return measured(numbers(it), Epsilon(1), _MILLIONTH)


TRIALS.add(
    "theorem-1.explicit", "privacy of the learner as it is made", _made, _classes,
    _as_made, lambda it: replace(_as_made(it), noise=_as_made(it).noise // 2),
)  # fmt: skip


@kit.universe(
    "every class of dimension 1 (and 2, from the standard budget on) on up to 2 points with every "
    "concept and tie, a counterexample to Lemma 12, then seeded settings; epsilon = 1, delta = "
    "10^-6"
)
def _wholes(budget: kit.Budget) -> Iterator[tuple[TournamentSetting, Fraction]]:
    most = budget.pick(1, 2, 2)
    for setting in (*uniform_settings((1, 2), (1,), least=1, most=most), counterexample("pairs")):
        yield setting, _TENTH
    for setting in random_settings(budget.pick(4, 40, 400), points=4, rows=5, seed="theorem-1"):
        if 1 <= setting.dimension <= most:
            yield setting, F(1, 100)


def _theorem_1(
    numbers: Callable[[formulas.PrivateFromStable], Numbers], it: tuple[TournamentSetting, Fraction]
) -> kit.Finding | Comparison:
    setting, beta = it
    H, tie, pick = setting.H, setting.tie, setting.order
    M = blm.PrivateLearner.of_class(
        H, _QUARTER, beta, Epsilon(1), _MILLIONTH, constants="proved", tie=tie, pick=pick
    )
    sizes = formulas.PrivateLearnerSizes(
        setting.dimension, _QUARTER, beta, Epsilon(1), _MILLIONTH, "proved"
    )
    spent = M.guarantee
    if spent.epsilon > Epsilon(1) or spent.delta > _MILLIONTH or sizes.sample_size != M.sample_size:
        return kit.fails(f"{setting}: M spends {spent!r}, on {M.sample_size} examples")
    G = blm.GloballyStableLearner(H, _QUARTER / 2, constants="proved", tie=tie, pick=pick)
    law: dict[int, Fraction] = {
        f: p.lower for f, p in G.enclosed_law_of_output(setting.target).items()
    }
    return kit.within(failure(numbers(sizes.private), setting, law, _QUARTER), beta, ceiling=1)


TRIALS.add(
    "theorem-1.explicit", "privacy and accuracy at the stated size", _theorem_1, _wholes,
    numbers_of, never_released,
)  # fmt: skip


# The orders of both


class Point(NamedTuple):
    """What a private learner is asked; delta is beta, and eta = 2^-(d+1) for any stable one."""

    d: int
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction


def _points(budget: kit.Budget) -> Iterator[Point]:
    powers = budget.pick((1, 8), (1, 4, 12), (1, 2, 4, 8, 16))
    epsilons = (F(1), _QUARTER)[: budget.pick(1, 2, 2)]
    for d, i, j, epsilon in product((1, 2, 3, 4), powers, powers, epsilons):
        yield Point(d, F(1, 2 ** (i + 1)), F(1, 2**j), epsilon)


def _below(
    constant: int, it: Point, size: Callable[[Point], int], order: Callable[[Point], Interval]
) -> kit.Finding:
    n, printed = size(it), order(it)
    text = f"{kit.show(it)}: n = {kit.show(n)}, above {constant} * {printed}"
    try:
        return kit.reaches(printed * constant, n).settle(text)
    except Undecided:
        return kit.undecided(text)


def _size_17(it: Point) -> int:
    eta, epsilon = F(1, 2 ** (it.d + 1)), Epsilon(it.epsilon)
    asked = eta, 2 * it.alpha, it.beta, epsilon, it.beta
    return formulas.PrivateFromStable(10**it.d, *asked, "proved").sample_size


def _order_17(it: Point) -> Interval:
    eta, alpha = F(1, 2 ** (it.d + 1)), 2 * it.alpha
    return formulas.theorem_17_order(
        10**it.d, eta, alpha=alpha, beta=it.beta, epsilon=it.epsilon, delta=it.beta
    )


def _size_1(it: Point) -> int:
    asked = it.alpha, it.beta, Epsilon(it.epsilon), it.beta
    return formulas.PrivateLearnerSizes(it.d, *asked, "proved").sample_size


def _order_1(it: Point) -> Interval:
    return formulas.theorem_1_order(*it, it.beta, constants="proved")


_for_17 = kit.universe("powers of two for alpha, beta = delta, epsilon and eta")(_points)
_for_1 = kit.universe("d up to 4, powers of two for alpha, beta = delta and epsilon")(_points)
TRIALS.add(
    "theorem-17.explicit", "the order", lambda c, it: _below(c, it, _size_17, _order_17), _for_17,
    400, 1,
)  # fmt: skip
TRIALS.add(
    "theorem-1.explicit", "the order", lambda c, it: _below(c, it, _size_1, _order_1), _for_1,
    2000, 10,
)  # fmt: skip
