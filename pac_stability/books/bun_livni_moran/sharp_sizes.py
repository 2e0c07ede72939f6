"""Theorem 1 with exact tails: how frequent outputs are, how many runs and examples are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.contested import CONTESTED, of_dimension_two
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.books.bun_livni_moran.runs_by_level import BY_LEVEL
from pac_stability.books.bun_livni_moran.settings import counterexample, uniform_settings
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    settle,
    trial,
)
from pac_stability.mechanisms import StableHistogram
from pac_stability.papers.bun_livni_moran import DrawCounts, GloballyStableLearner
from pac_stability.papers.bun_livni_moran.formulas import (
    ByLevelSizes,
    FrequencyThreshold,
    GlobalStabilityParameters,
    least_runs,
    missed_output,
)
from pac_stability.papers.bun_livni_moran.formulas.by_level import StableLevel, stable_levels
from pac_stability.papers.bun_livni_moran.formulas.privacy import least_loss
from pac_stability.papers.bun_livni_moran.private.generic import private_decay, selection_size

_BITS = 160
_ONE = 1 << _BITS

# How frequent an output is


def _settings(budget: Budget) -> Iterator[TournamentSetting]:
    yield from uniform_settings((1, 2), budget.pick((1,), (1, 2), (1, 2, 3)), least=1)
    yield counterexample("pairs")
    yield from of_dimension_two(budget, thinned=budget.pick(21, 21, 21))
    if budget is not Budget.QUICK:
        for name in ("equal-weights", "every-pick", "five-examples", "dimension-three"):
            yield counterexample(name)


def _reached(
    setting: TournamentSetting, tau: Fraction, blocks: int, level: int | None, *, fresh: bool = True
) -> Interval:
    """How frequent an output of the loss that is promised is, at its best: without T, of loss 0."""
    alpha = least_loss(tau, setting.n)
    G = GloballyStableLearner(
        setting.H,
        alpha,
        n=setting.n,
        blocks=blocks,
        level=level,
        fresh=fresh,
        tie=setting.tie,
        pick="highest" if setting.highest else "lowest",
    )
    # What is promised of one level is reached exactly by some, so that an enclosure says nothing.
    if level is None:
        law = dict(G.enclosed_law_of_output(setting.target).items())
    else:
        exact = G.law_of_output(setting.target)
        law = {f: Interval.exactly(p) for f, p in exact.items()}
    accurate = [p for f, p in law.items() if setting.loss(f) <= alpha * fresh]
    low = max((p.lower for p in accurate), default=Fraction(0))
    return Interval(low, max((p.upper for p in accurate), default=Fraction(0)))


Promised: TypeAlias = Callable[[int], tuple[int, Fraction]]
"""From d to the blocks and eta."""


def _stated(d: int) -> tuple[int, Fraction]:
    G = GlobalStabilityParameters(d, Fraction(1, 4))
    return G.blocks, G.eta


def _of_one_level(d: int) -> tuple[int, Fraction]:
    """As if the level were known."""
    blocks, eta = _stated(d)
    return blocks, (d + 1) * eta


def _frequent(promised: Promised, setting: TournamentSetting) -> Finding:
    blocks, eta = promised(setting.dimension)
    tau = FrequencyThreshold(setting.dimension).value
    found = _reached(setting, tau, blocks, None)
    return at_least(found, eta, f"{setting}: frequency {found}, eta = {float(eta):.6f}")


Levels: TypeAlias = Callable[[int, int], tuple[StableLevel, ...]]
"""From d and the place of a list of frequencies to what is said of each level."""


def _fewest_blocks(d: int, place: int) -> tuple[StableLevel, ...]:
    return stable_levels(d)[place]


def _without_ties(d: int, place: int) -> tuple[StableLevel, ...]:
    return tuple(each._replace(eta=2 * each.eta) for each in _fewest_blocks(d, place))


def _settings_and_lists(budget: Budget) -> Iterator[tuple[TournamentSetting, int]]:
    """The largest frequency of the lists, and one in the middle."""
    for setting in _settings(budget):
        yield setting, 0
        yield setting, len(stable_levels(setting.dimension)) // 2


def _frequent_at_a_level(stated: Levels, it: tuple[TournamentSetting, int]) -> Finding:
    """At one of the levels; what it is there, relative to what is promised there."""
    setting, place = it
    d, shares = setting.dimension, []
    levels = stated(d, place)
    for k, each in enumerate(levels):
        if each.eta > 1:
            continue
        fresh = bool(each.fresh)
        found = _reached(setting, levels[0].frequency, each.blocks, k, fresh=fresh)
        shares.append(found / each.eta)
    best = max(shares, key=lambda share: share.lower)
    shown = ", ".join(f"{float(share):.4f}" for share in shares)
    return at_least(best, 1, f"{setting}: of what is promised, by level, {shown}")


# How many runs

Asked: TypeAlias = tuple[Fraction, Fraction, Epsilon, Fraction]
"""eta, how likely it may be missed, epsilon and delta."""


def _runs_asked(budget: Budget) -> Iterator[Asked]:
    etas = (Fraction(1), Fraction(1, 2), Fraction(1, 8), Fraction(1, 40), Fraction(1, 400))
    privacies = ((Epsilon.exactly(100), Fraction(1, 2)), (Epsilon(1.0), Fraction(1, 10**6)))
    failures = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))
    for eta, failure, privacy in product(etas[: budget.pick(4, 5, 5)], failures, privacies):
        yield eta, failure, *privacy


def _runs(runs: Callable[[Fraction, StableHistogram, Fraction], int], it: Asked) -> Finding:
    """The binomial law of the count and that of the noise, summed up."""
    eta, failure, epsilon, delta = it
    histogram = StableHistogram.from_privacy(epsilon, delta)
    k, A, r = runs(eta, histogram, failure), histogram.truncation, histogram.decay
    noise = {z: r ** abs(z) for z in range(-A, A + 1)}
    zero = missed = Fraction(0)
    total = sum(noise.values(), zero)
    a, b = eta.numerator, eta.denominator - eta.numerator
    for count in range(min(k, histogram.threshold + A) + 1):
        kept_back = sum((p for z, p in noise.items() if count + z < histogram.threshold), zero)
        seen = (comb(k, count) * a**count * b ** (k - count) << _BITS) // eta.denominator**k
        missed += Fraction(seen, _ONE) * kept_back / total
    text = f"eta = {eta}, epsilon = {epsilon}, delta = {delta}, {k} runs: missed with probability"
    text = f"{text} {float(missed):.4g}"
    return all_of(
        (
            at_most(missed, failure, f"{text}, above {failure}"),
            at_most(missed, missed_output(k, eta, histogram), f"{text}, more than the bound on it"),
        )
    )


def _runs_by_the_mean(eta: Fraction, histogram: StableHistogram, failure: Fraction) -> int:
    """As many as give a count of the threshold on average, whatever may be missed."""
    return -(-histogram.threshold // eta)


# The choice

Listed: TypeAlias = tuple[int, Fraction, Fraction, Fraction, Fraction]
"""How many bad hypotheses there are, alpha, the loss of the good one, beta, and the decay."""


def _lists(budget: Budget) -> Iterator[Listed]:
    tenth, r = Fraction(1, 10), private_decay(1)
    for others, share in product((1, 30, 1000), (Fraction(0), Fraction(1, 4), Fraction(1, 2))):
        yield others, Fraction(1, 2), share / 2, tenth, r
    if budget is not Budget.QUICK:
        for others in (30, 1000):
            yield others, Fraction(1, 4), Fraction(1, 8), Fraction(1, 100), r
            yield others, Fraction(1, 2), Fraction(1, 4), tenth, private_decay(Fraction(1, 4))


def _chosen(
    size: Callable[[int, Fraction, Fraction, Fraction, Fraction], int], it: Listed
) -> Finding:
    """All bad ones err on the same examples, on which the good one does not, and it on others."""
    others, alpha, loss, beta, r = it
    n = size(others, alpha, loss, beta, r)
    weights = {x: others * r**x for x in range(-n, n + 1)}
    chosen = {x: int(w / (1 + w) * _ONE) for x, w in weights.items()}
    both, total = alpha.denominator * loss.denominator, 0
    bad, good = int(alpha * both), int(loss * both)
    for i in range(n + 1):
        for j in range((n - i if loss else 0) + 1):
            ways = (
                comb(n, i) * comb(n - i, j) * bad**i * good**j * (both - bad - good) ** (n - i - j)
            )
            total += (ways << 64) // both**n * chosen[i - j]
    found = Fraction(total, _ONE << 64)
    text = f"{others} of loss {alpha} against one of {loss}, decay {float(r):.3f}, n' = {n}"
    return at_most(found, beta, f"{text}: a bad one is chosen with probability {float(found):.4g}")


def _half_the_choice(
    others: int, alpha: Fraction, loss: Fraction, beta: Fraction, r: Fraction
) -> int:
    return selection_size(others, alpha, loss, beta, r) // 2


# The sizes by level

ByLevel: TypeAlias = tuple[int, Fraction, Fraction, Epsilon, Fraction]
"""d, alpha, beta, epsilon and delta."""


def _sizes_by_level(budget: Budget) -> Iterator[ByLevel]:
    alphas = (Fraction(1, 4), Fraction(1, 20))
    for d, alpha in product((1, 2, 3, 4)[: budget.pick(3, 4, 4)], alphas):
        yield d, alpha, Fraction(1, 10), Epsilon(1), Fraction(1, 10**6)
        yield d, alpha, Fraction(1, 1000), Epsilon(Fraction(1, 2)), Fraction(1, 10**9)


def _most_squares(total: Fraction, most: Fraction) -> Fraction:
    """The sum of squares when as much as can be is put on one after the other."""
    squares = Fraction(0)
    while total > 0:
        part = min(total, most)
        squares, total = squares + part**2, total - part
    return squares


def _add_up(choice: Callable[[ByLevelSizes], int], it: ByLevel) -> Finding:
    """Each condition of the proof: levels, the fresh examples, the list, and the shares of beta."""
    sizes = ByLevelSizes(*it)
    d, alpha, beta, _, _ = it
    taus, n, histogram = [level.frequency for level in sizes.levels], sizes.n, sizes.histogram
    missed, enough, agree, collisions = [], True, Fraction(1, 2), list[Fraction]()
    for level in sizes.levels:
        enough &= level.eta <= level.frequency * DrawCounts(collisions).within(level.blocks)
        collisions.append(_most_squares(Fraction(1), level.frequency))
        if 1 <= level.level < d:
            both = _most_squares(agree, level.frequency)
            agree = (agree**2 - both) / (2 * (1 - both))
        shares = [beta * (1 - Fraction(1, 2**j)) for j in range(1, 9)]
        missed.append(
            [share for share in shares if least_runs(level.eta, histogram, share) <= level.runs]
        )
    spent = max(min(shares, default=beta) for shares in missed)
    others = sum(level.runs for level in sizes.levels) // 2 - 1
    drawn = sum(level.runs * (level.blocks + (level.level < d)) for level in sizes.levels) * n
    conditions = (
        enough,
        len(taus) == d + 1,
        agree >= taus[-1],
        # At level d it is the target that is frequent.
        (1 - sizes.loss) ** n <= min(taus[:-1]),
        all(missed),
        spent < beta
        and choice(sizes) >= selection_size(others, alpha, sizes.loss, beta - spent, sizes.decay),
        sizes.sample_size == drawn + sizes.choice_size,
    )
    return settle(all(conditions), f"{sizes}: {sizes.sample_size} examples meet {conditions}")


_FREQUENT = (
    "every class of dimension at least 1 on up to 2 points with every concept and tie, n = 1 (and "
    "2, from the standard budget on), a counterexample to Lemma 12 (and four more, one of them of "
    f"dimension 3), and one of 21 {CONTESTED}"
)

TRIALS: Trials = {
    "BLM20:theorem-1.sharp": (
        trial(
            "certified frequencies",
            _frequent,
            _settings,
            subject=_stated,
            mutant=_of_one_level,
            universe=_FREQUENT,
        ),
        trial(
            "the least number of runs",
            _runs,
            _runs_asked,
            subject=least_runs,
            mutant=_runs_by_the_mean,
            universe="frequencies from 1 to 1/40 (1/400), failures from 1/10 to 10^-6, two "
            "privacies: both laws summed up",
        ),
        trial(
            "the choice from a list",
            _chosen,
            _lists,
            subject=selection_size,
            mutant=_half_the_choice,
            universe="1, 30 and 1000 bad hypotheses that err together, three losses of the good "
            "one, two decays: exact trinomial sums",
        ),
    ),
    "BLM20:theorem-1.by-level": (
        trial(
            "certified frequencies at some level",
            _frequent_at_a_level,
            _settings_and_lists,
            subject=_fewest_blocks,
            mutant=_without_ties,
            universe=f"two frequencies each: {_FREQUENT}",
        ),
        trial(
            "the sizes add up",
            _add_up,
            _sizes_by_level,
            subject=lambda sizes: sizes.choice_size,
            mutant=lambda sizes: sizes.choice_size // 2,
            universe="d up to 3 (4 from the standard budget on), two alphas, two settings of the "
            "rest: each condition of the proof",
        ),
        BY_LEVEL,
    ),
}
"""The sharp sizes of algorithm M, by chance and by level."""
