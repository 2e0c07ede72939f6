"""Section IV-C: algorithm G and Theorem 10."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from pac_stability.arithmetic import Constants, Interval
from pac_stability.books.bun_livni_moran import settings
from pac_stability.books.bun_livni_moran.literal import Budgeted, TournamentSetting
from pac_stability.claims import kit
from pac_stability.data import Sample
from pac_stability.papers.bun_livni_moran import GloballyStableLearner, formulas

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
