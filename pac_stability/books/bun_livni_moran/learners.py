"""Sections IV-C and V: algorithm G and Theorem 10, stable histograms (Lemma 15), algorithm M."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple

from pac_stability.arithmetic import Constants, Epsilon, Interval
from pac_stability.books.bun_livni_moran import settings
from pac_stability.books.bun_livni_moran.literal import Budgeted, TournamentSetting
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes
from pac_stability.claims.kit import holds
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, FromLaw, Sample
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import Undecided
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram
from pac_stability.notions import closeness
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran import GloballyStableLearner, formulas
from pac_stability.papers.bun_livni_moran.formulas import lemma_15_order

TRIALS = kit.Table("BLM20")
F = Fraction

# Algorithm G


class Run(NamedTuple):
    """A setting with its n, and the number of blocks."""

    setting: TournamentSetting
    blocks: int

    @property
    def learner(self) -> GloballyStableLearner:
        """Algorithm G with few blocks."""
        return settings.learner_of(self.setting, n=self.setting.n, blocks=self.blocks)


@kit.universe(
    "every class of dimension at least 1 on up to 2 points with every concept and tie, then seeded "
    "ones on up to 3 points; small budgets"
)
def _small(budget: kit.Budget) -> Iterator[Run]:
    for setting in settings.uniform_settings((1, 2), (1,), least=1):
        yield Run(setting, 6)
    for setting in settings.random_settings(
        budget.pick(30, 300, 3000), points=3, rows=5, n=1, seed="G"
    ):
        if setting.dimension == 1:
            yield Run(setting, 4)


@kit.universe(
    "every class of dimension 1 on up to 2 points with every concept and tie, then seeded ones on "
    "up to 3 points; n = 1, two players' draws for S (four from the standard budget on), all "
    "samples and coins"
)
def _one_after_the_other(budget: kit.Budget) -> Iterator[Run]:
    for setting in settings.uniform_settings((1, 2), (1,), least=1, most=1):
        yield Run(setting, 2)
    for setting in settings.random_settings(
        budget.pick(15, 60, 300), points=3, rows=4, n=1, seed="run"
    ):
        if setting.dimension == 1:
            yield Run(setting, budget.pick(2, 4, 4))


Law = dict[int, Fraction]


def _law_of_learner(it: Run) -> Law:
    return dict(it.learner.law_of_output(it.setting.target).items())


def _law_over_samples(it: Run) -> Law:
    """The program run on every sample of m examples of the target, for all its coins."""
    G, found = it.learner, defaultdict[int, Fraction](Fraction)
    for examples in product(it.setting.target.items(), repeat=G.sample_size):
        sample = Sample.from_examples([example for example, _ in examples])
        p = prod((p for _, p in examples), start=F(1))
        for f, q in G.law(sample).items():
            found[f] += p * q
    return dict(found)


def _last_level_only(it: Run) -> Law:
    G = it.learner
    law = G.tournaments(it.setting.target, G.dimension).law_of_output()
    return dict(law.map(lambda f: G.default if f is None else f).items())


def _mixture(law: Callable[[Run], Law], it: Run) -> kit.Comparison:
    setting, meant = it.setting, defaultdict[int, Fraction](Fraction)
    D, d, default = Budgeted(setting, it.blocks * setting.n), setting.dimension, setting.soa(())
    for k in range(d + 1):
        for f, p in D.outputs(k).items():
            meant[default if f is None else f] += p / (d + 1)
    return kit.same(law(it), dict(meant))


TRIALS.add(
    "algorithm-g", "the law of the output", _mixture, _small, _law_of_learner, _last_level_only
)
TRIALS.add(
    "algorithm-g", "the program, on every sample", _mixture, _one_after_the_other,
    _law_over_samples, _last_level_only,
)  # fmt: skip

# Theorem 10: certified frequencies


class Case(NamedTuple):
    """A setting, of which n and the weights but not the size are used, and alpha."""

    setting: TournamentSetting
    alpha: Fraction


Promise = tuple[Constants, Callable[[int], Fraction]]
"""The constants of G, and from the Littlestone dimension to eta."""


def _printed_eta(d: int) -> Fraction:
    return F(1, (d + 1) * 2 ** (d + 1))


_AS_PRINTED: Promise = (Constants.PRINTED, _printed_eta)
_AS_REPAIRED: Promise = (
    Constants.PROVED, lambda d: formulas.FrequencyThreshold(d, "proved").value / (2 * (d + 1))
)  # fmt: skip
_TOO_MUCH: Promise = (Constants.PRINTED, lambda _: F(3, 4))


def frequency_enclosed(accurate: list[Interval]) -> Interval:
    """Return how frequent the most frequent of some outputs is, of which each is enclosed."""
    low = max((p.lower for p in accurate), default=F(0))
    return Interval(low, max((p.upper for p in accurate), default=F(0)))


def _stable(promise: Promise, case: Case) -> kit.Finding:
    (constants, of_dimension), (setting, alpha) = promise, case
    eta, G = of_dimension(setting.dimension), settings.learner_of(setting, alpha, constants)
    law = G.enclosed_law_of_output(setting.target)
    found = frequency_enclosed([p for f, p in law.items() if setting.loss(f) <= alpha])
    text = (
        f"{setting}, alpha = {alpha}: n = {G.n}, N = {G.blocks * G.n}; the most frequent output "
        f"of loss at most alpha has frequency {float(found.upper):.7f}, eta = {eta} = "
        f"{float(eta):.7f}"
    )
    return kit.reaches(found, eta).settle(text)


@kit.universe("a class of eight hypotheses on 14 points, alpha = 2")
def _failing(_: kit.Budget) -> Iterator[Case]:
    yield Case(settings.counterexample("theorem-10"), F(2))


@kit.universe(
    "every class of dimension 1 on up to 2 points with every concept and tie, then seeded ones on "
    "up to 5 points, and 20 (200, 2000) that leave every output of D_0 rarer than 1/2"
)
def _dimension_one(budget: kit.Budget) -> Iterator[Case]:
    alphas = (F(1, 2), F(1, 4))
    for setting in settings.uniform_settings((1, 2), (1,), least=1, most=1):
        yield from (Case(setting, alpha) for alpha in alphas)
    for setting in settings.random_settings(
        budget.pick(40, 400, 4000), points=5, rows=5, seed="d1"
    ):
        if setting.dimension == 1:
            yield from (Case(setting, alpha) for alpha in (*alphas, F(1, 16)))
    for setting in settings.first_settings(settings.of_dimension_one, budget.pick(20, 200, 2000)):
        yield Case(setting, F(1, setting.n))


@kit.universe(
    "the counterexamples to Theorem 10 and Lemma 12, every class of dimension at least 1 on 2 "
    "points, then seeded ones on up to 4 points, one of five (of 21, from the standard budget on) "
    f"{settings.CONTESTED}; one of dimension 3 from the standard budget on"
)
def _any_dimension(budget: kit.Budget) -> Iterator[Case]:
    yield Case(settings.counterexample("theorem-10"), F(budget.pick(4, 2, 2)))
    alphas = budget.pick([F(2)], [F(2), F(1, 2)], [F(1, 4)])
    named = map(settings.counterexample, ("equal-weights", "pairs", "every-pick"))
    yield from (Case(*it) for it in product(named, alphas))
    small = settings.uniform_settings((2,), (1,), least=1)
    yield from (Case(*it) for it in product(small, [F(1, 2), F(1, 4)]))
    count = budget.pick(10, 150, 1500)
    for setting in settings.random_settings(count, points=4, rows=6, seed="theorem-10"):
        if setting.dimension >= 1:
            yield Case(setting, F(1, 4))
    # With n = 1 and n = 2 no output of D_0 is frequent; n = 5 is what alpha = 2/3 asks for.
    for setting in settings.of_dimension_two(budget, thinned=budget.pick(5, 21, 21)):
        yield Case(setting, F(4, setting.n))
    yield Case(settings.counterexample("five-examples"), F(2, 3))
    if budget is not kit.Budget.QUICK:
        yield Case(settings.counterexample("dimension-three"), F(8))


_CERTIFIED = "certified frequencies"
TRIALS.add("theorem-10.proof", _CERTIFIED, _stable, _failing, _AS_PRINTED)
TRIALS.add("theorem-10.dimension-one", _CERTIFIED, _stable, _dimension_one, _AS_PRINTED, _TOO_MUCH)
TRIALS.add("theorem-10.repaired", _CERTIFIED, _stable, _any_dimension, _AS_REPAIRED, _TOO_MUCH)

# The numbers


@kit.universe("d up to 4, alpha in a grid")
def _grid(budget: kit.Budget) -> Iterator[tuple[int, Fraction]]:
    alphas = [F(1, q) for q in range(1, budget.pick(12, 40, 100))]
    yield from product((1, 2, 3, 4), [*alphas, F(2), F(2, 3), F(3, 7)])


Sizes = tuple[int, int, Fraction]
"""n, m and eta."""


def _formulas(d: int, alpha: Fraction) -> Sizes:
    G = formulas.GlobalStabilityParameters(d, alpha, "paper")
    return G.n, G.sample_size, G.eta


def _formulas_of_seven(d: int, alpha: Fraction) -> Sizes:
    n = -(-d // alpha)
    return n, (7 ** (d + 1) + 1) * n, _printed_eta(d)


def _enough(sizes: Callable[[int, Fraction], Sizes], it: tuple[int, Fraction]) -> kit.Finding:
    """Lemma 13 for n, Lemma 14 and Markov's inequality for N, and the box of algorithm G."""
    d, alpha = it
    n, m, eta = sizes(d, alpha)
    tau, least = F(1, 2**d), -(-F(d) // alpha)  # the least n with d/n <= alpha
    markov = F(4 ** (d + 1) * n, m - n)  # at most tau/2
    printed = (least, (8 ** (d + 1) + 1) * least, _printed_eta(d))
    return kit.settle(
        (n, m, eta) == printed and markov <= tau / 2 and eta == (tau - tau / 2) / (d + 1),
        f"d = {d}, alpha = {alpha}: n = {n}, m = {m}, eta = {eta}; printed {printed}, and the "
        f"budget runs out with probability at most {markov}",
    )


def _repaired_sizes(constants: Constants, it: tuple[int, Fraction]) -> kit.Finding:
    d, alpha = it
    G = formulas.GlobalStabilityParameters(d, alpha, constants)
    tau = formulas.FrequencyThreshold(d, "proved").value
    fresh = (1 / tau) ** alpha.denominator <= 2 ** (alpha.numerator * G.n)  # log2(1/tau) <= alpha n
    markov = F(4 ** (d + 1) * G.n, G.budget) <= tau / 2
    return kit.settle(
        fresh and markov and G.eta == tau / (2 * (d + 1)),
        f"d = {d}, alpha = {alpha}: n = {G.n}, N = {G.budget}, eta = {G.eta} for tau = {tau}",
    )


TRIALS.add("theorem-10.sizes", "the printed numbers", _enough, _grid, _formulas, _formulas_of_seven)
TRIALS.add(
    "theorem-10.repaired", "the numbers", _repaired_sizes, _grid,
    Constants.PROVED, Constants.PRINTED,
)  # fmt: skip


# Lemma 15: histograms with bounded noise

Outcome = frozenset[tuple[int, int]]


def noises(histogram: StableHistogram) -> dict[int, Fraction]:
    """Return the law of the noise of one count."""
    A = histogram.truncation
    weights = {z: histogram.decay ** abs(z) for z in range(-A, A + 1)}
    total = sum(weights.values(), F(0))
    return {z: w / total for z, w in weights.items()}


def _released(histogram: StableHistogram, counts: tuple[int, int]) -> dict[Outcome, Fraction]:
    """The law of what is released, by trying all noises of both items."""
    law: dict[Outcome, Fraction] = {}
    for (y, p), (z, q) in product(noises(histogram).items(), repeat=2):
        noisy = [(item, c + off) for item, (c, off) in enumerate(zip(counts, (y, z), strict=True))]
        seen = frozenset(it for it in noisy if counts[it[0]] and it[1] >= histogram.threshold)
        law[seen] = law.get(seen, F(0)) + p * q
    return law


class Neighbours(NamedTuple):
    """A histogram, and counts of which one item of the first kind is replaced by the second."""

    histogram: StableHistogram
    first: int
    second: int


@kit.universe(
    "two decays, noise up to 1 (more with the budget), all pairs of counts of two items up to "
    "those where delta is attained",
    extent="noise up to {1, 2, 4}; two items",
)
def _histograms(budget: kit.Budget) -> Iterator[Neighbours]:
    for A, r in product(range(budget.pick(2, 3, 5)), (F(1, 2), F(2, 3))):
        for a, b in product(range(1, 2 * A + 4), range(2 * A + 4)):
            yield Neighbours(StableHistogram(r, A, A + 2), a, b)


def _spends(
    delta: Callable[[StableHistogram], Fraction], it: Neighbours
) -> kit.Finding | list[kit.Comparison]:
    histogram, a, b = it
    p, q = _released(histogram, (a, b)), _released(histogram, (a - 1, b + 1))
    found = dict(histogram.law([0] * a + [1] * b).items())
    if found != p:
        return kit.fails(f"{histogram!r}, counts {a}, {b}: law {found}, not {p}")
    return [kit.within(_excess(*laws, histogram), delta(histogram), 1) for laws in ((p, q), (q, p))]


def _excess(
    p: dict[Outcome, Fraction], q: dict[Outcome, Fraction], histogram: StableHistogram
) -> Fraction:
    t = histogram.decay**-2
    return sum((max(F(0), a - t * q.get(o, F(0))) for o, a in p.items()), F(0))


def _one_sided(histogram: StableHistogram) -> Fraction:
    """The probability of the largest noise: what one of the two items lays open."""
    return noises(histogram)[histogram.truncation]


class Heavy(NamedTuple):
    """A histogram with its size, and how often one item occurs."""

    sized: blm.SizedHistogram
    occurs: int


@kit.universe(
    "eta = 1/2 and 1/5, e^epsilon = 4 and 9, two deltas (more with the budget), every count of an "
    "item",
    extent="counts of an item, {2, 3, 4} deltas",
)
def _heavy(budget: kit.Budget) -> Iterator[Heavy]:
    deltas = [F(1, q) for q in budget.pick((2, 20), (2, 10, 100), (2, 10, 100, 10**4))]
    for eta, ratio, delta in product((F(1, 2), F(1, 5)), (4, 9), deltas):
        sized = blm.stable_histogram(eta, Epsilon.exactly(ratio), delta)
        yield from (Heavy(sized, count) for count in range(1, sized.size + 1))


def _accurate(size: Callable[[blm.SizedHistogram], int], it: Heavy) -> kit.Finding:
    sized, n = it.sized, size(it.sized)
    count, histogram = min(it.occurs, n), sized.histogram
    if not isinstance(histogram, StableHistogram):
        raise TypeError("bounded noise is what is examined")
    law = _released(histogram, (count, n - count))
    if n == sized.size and count % 7 == 0:
        # What the library says of such items, estimates and all.
        found = sized.law([0] * count + [1] * (n - count))
        meant: dict[frozenset[tuple[int, Fraction]], Fraction] = {}
        for outcome, p in law.items():
            shown = frozenset((item, F(min(noisy, n), n)) for item, noisy in outcome)
            meant[shown] = meant.get(shown, F(0)) + p
        if dict(found.items()) != meant:
            return kit.fails(
                f"n = {n}, an item that occurs {count} times: law {found!r}, not {meant}"
            )
    for released in law:
        estimates = [min(noisy, n) for item, noisy in released if item == 0]
        wrong = any(abs(F(a - count, n)) > sized.eta for a in estimates)
        if wrong or (F(count, n) >= sized.eta and not estimates):
            return kit.fails(
                f"eta = {sized.eta}, noise up to {histogram.truncation}, n = {n}: an item that "
                f"occurs {count} times has the estimate {estimates}"
            )
    return holds()


@kit.universe("powers of two for eta, epsilon and delta, beta = 1/2 and 1/100")
def _parameters(budget: kit.Budget) -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    powers = budget.pick((1, 6), (1, 3, 6, 10), (1, 2, 3, 6, 10, 20))
    for i, j, k, beta in product(powers, powers, powers, (F(1, 2), F(1, 100))):
        yield F(1, 2**i), beta, F(1, 2**j), F(1, 2**k)


def _size(constant: int, it: tuple[Fraction, Fraction, Fraction, Fraction]) -> kit.Finding:
    eta, _, epsilon, delta = it
    n, order = blm.stable_histogram(eta, epsilon, delta).size, lemma_15_order(*it)
    text = f"eta = {eta}, epsilon = {epsilon}, delta = {delta}: n = {n}, above {constant} * {order}"
    try:
        return kit.reaches(order * constant, n).settle(text)
    except Undecided:
        return kit.undecided(text)


_LEMMA_15 = "lemma-15.explicit"
TRIALS.add(
    _LEMMA_15, "privacy", _spends, _histograms,
    lambda histogram: histogram.guarantee.delta, _one_sided,
)  # fmt: skip
TRIALS.add(
    _LEMMA_15, "accuracy", _accurate, _heavy,
    lambda sized: sized.size, lambda sized: sized.size // 2,
)  # fmt: skip
TRIALS.add(_LEMMA_15, "size", _size, _parameters, 4, 1)


@kit.universe("eta = beta = delta = 1/2 or 1/10, epsilon = 2^-j")
def _light_items(budget: kit.Budget) -> Iterator[Fraction]:
    yield from (F(1, 2), F(1, 10))[: budget.pick(1, 2, 2)]


def _no_constant(constants: tuple[int, ...], common: Fraction) -> kit.Finding:
    """Whether no constant C serves all epsilon = 2^-j, for eta = beta = delta."""
    for C in constants:
        chances = (_some_light_item(common, F(1, 2**j), C).lower for j in range(0, 400, 4))
        if all(chance <= common for chance in chances):
            return kit.fails(
                f"eta = beta = delta = {common}: C = {C} serves epsilon = 2^-j, j < 400"
            )
    return holds()


def _some_light_item(common: Fraction, epsilon: Fraction, C: int) -> Interval:
    """How likely some of n items that occur once each has an estimate off by more than eta."""
    n = math.ceil((Interval.log2(1 / common**3) * C / (common * epsilon)).upper)
    g = math.floor(common * n)
    # What is released is at least this; an item with noise above g is released then.
    least = 2 + Interval.log(1 / common) * 2 / epsilon
    if least.upper > g + 2:
        return Interval.exactly(0)
    stray = Interval.exp(-epsilon / 2 * (g + 1)) / (1 + Interval.exp(-epsilon / 2))
    return 1 - Interval.exp(Interval.log(1 - stray, 256) * n)


TRIALS.add(
    "lemma-15.laplace", "n distinct items", _no_constant, _light_items,
    (1, 2, 4, 8, 16, 32), (1, 1000),
)  # fmt: skip

# Algorithm M on one point

M = blm.PrivateLearner[Hashable]
_HISTOGRAM = StableHistogram(F(1, 2), 1, 3)


class Votes(NamedTuple):
    """How likely G outputs 1 on the labels 0 and 1; runs, those with label 1, the label kept."""

    coin: tuple[Fraction, Fraction]
    runs: int
    ones: int
    kept: int

    @property
    def learner(self) -> M:
        """M over this G."""

        def law(S: Sample[Hashable]) -> FiniteDistribution[int]:
            p = self.coin[S.labels[0]]
            return FiniteDistribution({f: q for f, q in ((1, p), (0, 1 - p)) if q})

        k, decay = self.runs, F(1, 2)
        return blm.PrivateLearner(("x",), FromLaw(law), 1, k, _HISTOGRAM, decay, 1, default=0)

    @property
    def sample(self) -> Sample[Hashable]:
        """The sample."""
        zeros = self.runs - self.ones
        return Sample("x" * (self.runs + 1), [1] * self.ones + [0] * zeros + [self.kept])


@kit.universe(
    "one point, three learners G on single labels, up to 8 runs, noise up to 1; every sample up to "
    "the order of the runs",
    extent="one point, up to 8 runs",
)
def _votes(budget: kit.Budget) -> Iterator[Votes]:
    for k in (3, 8):
        for ones, kept in product(range(k + 1), (0, 1)):
            yield Votes((F(0), F(1)), k, ones, kept)
    for coin in ((F(1, 4), F(1)), (F(1, 3), F(2, 3))):
        for ones, kept in product(range(budget.pick(4, 5, 6)), (0, 1)):
            yield Votes(coin, budget.pick(4, 5, 6), ones, kept)


def _private(guarantee: Callable[[M], PrivacyGuarantee], it: Votes) -> Iterator[kit.Comparison]:
    learner = it.learner
    allowed, law = guarantee(learner), learner.law(it.sample)
    others = [it._replace(kept=1 - it.kept)]
    others += [it._replace(ones=k) for k in (it.ones - 1, it.ones + 1) if 0 <= k <= it.runs]
    for other in others:
        needed = closeness.minimal_delta(law, learner.law(other.sample), allowed.epsilon)
        yield kit.within(needed, allowed.delta, ceiling=1)


def _choice_only(learner: M) -> PrivacyGuarantee:
    return PrivacyGuarantee(Epsilon.exactly(learner.decay**-2))


def listed_law(learner: M, chances: Sequence[Fraction], kept: int) -> dict[int, Fraction]:
    """List votes, noises and choices: from how likely each run outputs 1 to the law of the output.

    There is one point, and a label is kept for the choice.
    """
    meant, votes = {0: F(0), 1: F(0)}, [F(1)]
    for p in chances:
        votes = [a * (1 - p) + b * p for a, b in zip([*votes, F(0)], [F(0), *votes], strict=True)]
    noise, threshold = noises(learner.histogram).items(), learner.histogram.threshold
    for (count, p), (y, a), (z, b) in product(enumerate(votes), noise, noise):
        seen = ((0, len(chances) - count, y), (1, count, z))
        listed = [f for f, c, off in seen if c and c + off >= threshold]
        shares = {f: learner.decay ** int(f != kept) for f in listed or [int(learner.default)]}
        for f, share in shares.items():
            meant[f] += p * a * b * share / sum(shares.values())
    return {f: p for f, p in meant.items() if p}


CountedLaw = Callable[[Votes], dict[int, Fraction]]


def _as_listed(law: CountedLaw, it: Votes) -> kit.Comparison:
    chances = [it.coin[int(run < it.ones)] for run in range(it.runs)]
    return kit.same(law(it), listed_law(it.learner, chances, it.kept))


def _law_of_library(it: Votes) -> dict[int, Fraction]:
    return dict(it.learner.law(it.sample).items())


def _law_without_the_choice(it: Votes) -> dict[int, Fraction]:
    return dict(replace(it.learner, decay=F(1)).law(it.sample).items())


TRIALS.add(
    "algorithm-m", "neighbouring samples", _private, _votes,
    lambda learner: learner.guarantee, _choice_only,
)  # fmt: skip
TRIALS.add(
    "algorithm-m", "the law of the output", _as_listed,
    replace(_votes, words="the same learners and samples; votes, noises and choices listed"),
    _law_of_library, _law_without_the_choice,
)  # fmt: skip

# Algorithm M over algorithm G


class Replaced(NamedTuple):
    """A class, a sample, a place in it, and the example that takes this place."""

    H: FiniteClass
    sample: Sample[Hashable]
    place: int
    other: Example[Hashable]


@kit.universe(
    "classes of dimension 1 on up to 2 points, three runs of algorithm G on three examples each, "
    "one example for the choice; seeded samples with one example replaced, all coins"
)
def _over_algorithm_g(budget: kit.Budget) -> Iterator[Replaced]:
    some = [H for m in (1, 2) for H in all_classes(m) if littlestone_dimension(H) == 1]
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"algorithm-m/{index}")  # instances, not secrets
        H = coins.choice(some)
        learner = _over_g(H)
        # Two runs see a label that is not predicted on "Fail": their output is listed if the noise
        # is large, and never if one of them outputs something else.
        x, runs = coins.randrange(len(H.domain)), coins.randint(1, 2)
        label = 1 - (learner.default >> x & 1)
        drawn = [
            Example(H.domain[x], label if i < runs * learner.run_size else 1 - label)
            for i in range(learner.sample_size)
        ]
        place = coins.randrange(learner.sample_size)
        for i in coins.sample(range(learner.sample_size), coins.randrange(3)):
            drawn[i] = Example(coins.choice(H.domain), coins.getrandbits(1))
        other = Example(drawn[place].point, 1 - drawn[place].label)
        yield Replaced(H, Sample.from_examples(drawn), place, other)


def _over_g(H: FiniteClass) -> M:
    G = blm.GloballyStableLearner(H, 1, n=1, blocks=2)
    return blm.PrivateLearner(
        H.domain, G, G.sample_size, 3, _HISTOGRAM, F(1, 2), 1, default=G.default
    )


def _private_over_g(guarantee: Callable[[M], PrivacyGuarantee], it: Replaced) -> kit.Comparison:
    learner = _over_g(it.H)
    allowed, neighbour = guarantee(learner), it.sample.replace(it.place, it.other)
    laws = learner.law(it.sample), learner.law(neighbour)
    return kit.within(closeness.minimal_delta(*laws, allowed.epsilon), allowed.delta, ceiling=1)


TRIALS.add(
    "algorithm-m", "over algorithm G", _private_over_g, _over_algorithm_g,
    lambda learner: learner.guarantee, _choice_only,
)  # fmt: skip
