"""Theorem 1 with exact tails and a number of runs for each level: frequencies, runs, examples."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from random import Random
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran import settings
from pac_stability.books.bun_livni_moran.frequent_outputs import squares_of_parts
from pac_stability.books.bun_livni_moran.learners import frequency_enclosed, listed_law, noises
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.claims import kit
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.mechanisms import StableHistogram
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran.formulas import ByLevelSizes, least_runs, missed_output
from pac_stability.papers.bun_livni_moran.formulas.sizes import (
    StableLevel,
    least_loss,
    private_decay,
    selection_size,
    stable_levels,
)

TRIALS = kit.Table("BLM20")
F = Fraction
_TENTH, _QUARTER, _HALF, _MILLIONTH = F(1, 10), F(1, 4), F(1, 2), F(1, 10**6)
_BITS = 160
_SCALE = 1 << _BITS

# How many runs


class Asked(NamedTuple):
    """A frequency, how likely it may be missed, and what may be spent."""

    eta: Fraction
    failure: Fraction
    epsilon: Epsilon
    delta: Fraction


@kit.universe(
    "frequencies from 1 to 1/40 (1/400), failures from 1/10 to 10^-6, two privacies: both laws "
    "summed up"
)
def _runs_asked(budget: kit.Budget) -> Iterator[Asked]:
    etas = (F(1), _HALF, F(1, 8), F(1, 40), F(1, 400))[: budget.pick(4, 5, 5)]
    privacies = ((Epsilon.exactly(100), _HALF), (Epsilon(1), _MILLIONTH))
    for eta, failure, privacy in product(etas, (_TENTH, F(1, 1000), _MILLIONTH), privacies):
        yield Asked(eta, failure, *privacy)


Runs = Callable[[Fraction, StableHistogram, Fraction], int]


def _enough_runs(runs: Runs, it: Asked) -> list[kit.Comparison]:
    """The binomial law of the count and that of the noise, summed up."""
    histogram, a, b = StableHistogram.from_privacy(it.epsilon, it.delta), *it.eta.as_integer_ratio()
    k, missed = runs(it.eta, histogram, it.failure), F(0)
    noise, threshold = noises(histogram).items(), histogram.threshold
    for count in range(min(k, threshold + histogram.truncation) + 1):
        kept_back = sum((p for z, p in noise if count + z < threshold), F(0))
        seen = (comb(k, count) * a**count * (b - a) ** (k - count) << _BITS) // b**k
        missed += F(seen, _SCALE) * kept_back
    return [kit.within(missed, it.failure), kit.within(missed, missed_output(k, it.eta, histogram))]


def _runs_by_the_mean(eta: Fraction, histogram: StableHistogram, _: Fraction) -> int:
    """As many as give a count of the threshold on average, whatever may be missed."""
    return -(-histogram.threshold // eta)


TRIALS.add(
    "theorem-1.sharp", "the least number of runs", _enough_runs, _runs_asked,
    least_runs, _runs_by_the_mean,
)  # fmt: skip

# The choice from a list


class Listed(NamedTuple):
    """How many bad hypotheses there are, alpha, the loss of the good one, beta, and the decay."""

    others: int
    alpha: Fraction
    loss: Fraction
    beta: Fraction
    r: Fraction


@kit.universe(
    "1, 30 and 1000 bad hypotheses that err together, three losses of the good one, two decays: "
    "exact trinomial sums"
)
def _lists(budget: kit.Budget) -> Iterator[Listed]:
    for others, share in product((1, 30, 1000), (F(0), _QUARTER, _HALF)):
        yield Listed(others, _HALF, share / 2, _TENTH, private_decay(1))
    for others in budget.pick((), (30, 1000), (30, 1000)):
        yield Listed(others, _QUARTER, F(1, 8), F(1, 100), private_decay(1))
        yield Listed(others, _HALF, _QUARTER, _TENTH, private_decay(_QUARTER))


def _chosen(
    size: Callable[[int, Fraction, Fraction, Fraction, Fraction], int], it: Listed
) -> kit.Comparison:
    """All bad ones err on the same examples, on which the good one does not, and it on others."""
    others, alpha, loss, beta, r = it
    n = size(*it)
    weights = {x: others * r**x for x in range(-n, n + 1)}
    chosen = {x: int(w / (1 + w) * _SCALE) for x, w in weights.items()}
    both, total = alpha.denominator * loss.denominator, 0
    bad, good = int(alpha * both), int(loss * both)
    for i in range(n + 1):
        for j in range((n - i if loss else 0) + 1):
            rest = (both - bad - good) ** (n - i - j)
            ways = comb(n, i) * comb(n - i, j) * bad**i * good**j * rest
            total += (ways << 64) // both**n * chosen[i - j]
    return kit.within(F(total, _SCALE << 64), beta)


def _half_of_the_choice(
    others: int, alpha: Fraction, loss: Fraction, beta: Fraction, r: Fraction
) -> int:
    return selection_size(others, alpha, loss, beta, r) // 2


TRIALS.add(
    "theorem-1.sharp", "the choice from a list", _chosen, _lists,
    selection_size, _half_of_the_choice,
)  # fmt: skip

# How frequent an output is at some level


@kit.universe(
    "two frequencies each: every class of dimension at least 1 on up to 2 points with every "
    "concept and tie, n = 1 (and 2, from the standard budget on), a counterexample to Lemma 12 "
    f"(and four more, one of them of dimension 3), and one of 21 {settings.CONTESTED}"
)
def _settings_and_lists(budget: kit.Budget) -> Iterator[tuple[TournamentSetting, int]]:
    """The largest frequency of the lists, and one in the middle."""
    for setting in _settings(budget):
        yield setting, 0
        yield setting, len(stable_levels(setting.dimension)) // 2


def _settings(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from settings.uniform_settings((1, 2), budget.pick((1,), (1, 2), (1, 2, 3)), least=1)
    yield settings.counterexample("pairs")
    yield from settings.of_dimension_two(budget, thinned=21)
    if budget is not kit.Budget.QUICK:
        more = "equal-weights", "every-pick", "five-examples", "dimension-three"
        yield from map(settings.counterexample, more)


Levels = Callable[[int, int], tuple[StableLevel, ...]]
"""From d and the place of a list of frequencies to what is said of each level."""


def _frequent_at_a_level(stated: Levels, it: tuple[TournamentSetting, int]) -> kit.Finding:
    """At one of the levels; what it is there, relative to what is promised there."""
    setting, place = it
    levels, shares = stated(setting.dimension, place), []
    alpha = least_loss(levels[0].frequency, setting.n)
    for k, each in enumerate(levels):
        if each.eta <= 1:
            fresh, n = bool(each.fresh), setting.n
            G = settings.learner_of(setting, alpha, n=n, blocks=each.blocks, level=k, fresh=fresh)
            # What is promised is reached exactly by some, so that an enclosure says nothing.
            law = G.law_of_output(setting.target).items()
            accurate = [p for f, p in law if setting.loss(f) <= alpha * fresh]
            shares.append(frequency_enclosed(list(map(Interval.exactly, accurate))) / each.eta)
    best = max(shares, key=lambda share: share.lower)
    shown = ", ".join(f"{float(share):.4f}" for share in shares)
    return kit.reaches(best, 1).settle(f"{setting}: of what is promised, by level, {shown}")


def _fewest_blocks(d: int, place: int) -> tuple[StableLevel, ...]:
    return stable_levels(d)[place]


def _without_ties(d: int, place: int) -> tuple[StableLevel, ...]:
    return tuple(each._replace(eta=2 * each.eta) for each in _fewest_blocks(d, place))


_BY_LEVEL = "theorem-1.by-level"
TRIALS.add(
    _BY_LEVEL, "certified frequencies at some level", _frequent_at_a_level, _settings_and_lists,
    _fewest_blocks, _without_ties,
)  # fmt: skip

# The sizes


@kit.universe(
    "d up to 3 (4 from the standard budget on), two alphas, two settings of the rest: each "
    "condition of the proof"
)
def _sizes_by_level(budget: kit.Budget) -> Iterator[ByLevelSizes]:
    for d, alpha in product((1, 2, 3, 4)[: budget.pick(3, 4, 4)], (_QUARTER, F(1, 20))):
        yield ByLevelSizes(d, alpha, _TENTH, Epsilon(1), _MILLIONTH)
        yield ByLevelSizes(d, alpha, F(1, 1000), Epsilon(_HALF), F(1, 10**9))


def _add_up(choice: Callable[[ByLevelSizes], int], sizes: ByLevelSizes) -> kit.Finding:
    """Each condition of the proof: levels, the fresh examples, the list, and the shares of beta."""
    d, beta, n, histogram = sizes.dimension, sizes.beta, sizes.n, sizes.histogram
    spent, enough, agree, collisions = [], True, _HALF, list[Fraction]()
    for level in sizes.levels:
        tau = level.frequency
        enough &= level.eta <= tau * blm.DrawCounts(collisions).within(level.blocks)
        collisions.append(squares_of_parts(F(1), tau))
        if 1 <= level.level < d:
            both = squares_of_parts(agree, tau)
            agree = (agree**2 - both) / (2 * (1 - both))
        shares = [beta * (1 - F(1, 2**j)) for j in range(1, 9)]
        least = [s for s in shares if least_runs(level.eta, histogram, s) <= level.runs]
        spent.append(min(least, default=beta))
    others, left = sum(level.runs for level in sizes.levels) // 2 - 1, beta - max(spent)
    drawn = sum(level.runs * (level.blocks + (level.level < d)) for level in sizes.levels) * n
    *below, last = [level.frequency for level in sizes.levels]
    conditions = (
        enough,
        len(below) == d,
        agree >= last,
        # At level d it is the target that is frequent.
        (1 - sizes.loss) ** n <= min(below),
        left > 0
        and choice(sizes) >= selection_size(others, sizes.alpha, sizes.loss, left, sizes.decay),
        sizes.sample_size == drawn + sizes.choice_size,
    )
    return kit.settle(all(conditions), f"{sizes!r}: {sizes.sample_size} examples meet {conditions}")


TRIALS.add(
    _BY_LEVEL, "the sizes add up", _add_up, _sizes_by_level,
    lambda sizes: sizes.choice_size, lambda sizes: sizes.choice_size // 2,
)  # fmt: skip

# The law of the output on one point

Labels = tuple[int, ...]
_RUNS = (3, 2)
"""Of level 0 and of level 1."""


def _learner() -> blm.ByLevelPrivateLearner[Hashable]:
    point = FiniteClass([[0], [1]])
    levels = [
        blm.GloballyStableLearner(point, 1, n=1, blocks=k + 1, level=k) for k in range(len(_RUNS))
    ]
    low, histogram = levels[0], StableHistogram(_HALF, 1, 3)
    conclusion: blm.PrivateLearner[Hashable] = blm.PrivateLearner(
        point.domain, low, low.sample_size, sum(_RUNS), histogram, F(1, 3), 1, low.default
    )
    return blm.ByLevelPrivateLearner(tuple(zip(levels, _RUNS, strict=True)), conclusion)


@kit.universe(
    "both constants on one point, three runs of level 0 and two of level 1: seeded labels, votes, "
    "noises and choices listed"
)
def _samples(budget: kit.Budget) -> Iterator[Labels]:
    # Two examples for each run of level 0, three for each of level 1, one for the choice.
    size = 2 * _RUNS[0] + 3 * _RUNS[1] + 1
    for index in range(budget.pick(24, 200, 2000)):
        coins = Random(f"by level/{index}")  # instances, not secrets
        yield tuple(coins.getrandbits(1) for _ in range(size))


def _law_of(learner: blm.ByLevelPrivateLearner[Hashable], labels: Labels) -> dict[int, Fraction]:
    return {int(f): p for f, p in learner.law(Sample([0] * len(labels), labels)).items()}


def _of_the_library(labels: Labels) -> dict[int, Fraction]:
    return _law_of(_learner(), labels)


def _with_less_noise(labels: Labels) -> dict[int, Fraction]:
    """Count with hardly any noise: a wrong law."""
    learner, quiet = _learner(), StableHistogram(F(1, 99), 1, 3)
    return _law_of(
        replace(learner, conclusion=replace(learner.conclusion, histogram=quiet)), labels
    )


def _as_listed(law: Callable[[Labels], dict[int, Fraction]], labels: Labels) -> kit.Comparison:
    """Cut the sample by hand: on one point G outputs a label, by the tournaments of its level."""
    left, chances = labels, []
    for level, runs in enumerate(_RUNS):
        for _ in range(runs):
            chances.append(_one(left[: level + 2], level))
            left = left[level + 2 :]
    (kept,) = left
    return kit.same(law(labels), listed_law(_learner().conclusion, chances, kept))


def _one(part: Labels, level: int) -> Fraction:
    """How likely a run outputs 1, which is its default as well.

    On one point a player says what it saw last. Two who agree play no tournament, and there are no
    more than two: the run fails. Otherwise the winner goes on, and sees the last example.
    """
    if level and part[0] == part[1]:
        return F(1)
    return F(part[-1] if level else part[0])


TRIALS.add(
    _BY_LEVEL, "the law of the output", _as_listed, _samples, _of_the_library, _with_less_noise
)
