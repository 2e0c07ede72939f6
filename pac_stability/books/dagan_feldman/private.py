"""The learner of Theorem 3: Appendix C with Lemmas 15 and 17."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks
from pac_stability.books.dagan_feldman.learning_tasks import AnySample
from pac_stability.claims import kit
from pac_stability.claims.kit import Genes
from pac_stability.classes import Family, FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")
Predictions = tuple[F, ...]

# h_{S,T} and h_S by their definitions


@dataclass(frozen=True)
class Relabelling:
    """A small instance of the algorithm of Appendix C.

    Attributes
    ----------
    H, seed
        The class, and the seed of its representatives.
    size, blocks
        n' and r.
    rho, sigma
        The decays of the exponential mechanism and of the vote, both e^(-1/(eta n)) in the paper,
        up to a root for the second.
    sample
        S.
    """

    H: FiniteClass
    seed: int
    size: int
    blocks: int
    rho: F
    sigma: F
    sample: AnySample

    @property
    def family(self) -> Family:
        """The class with its representatives."""
        return learning_tasks.with_chosen(self.H, self.seed)

    @property
    def learner(self) -> df.RelabellingLearner:
        """The library's learner."""
        return df.RelabellingLearner(
            df.StableLearner(self.family, self.size, Epsilon.exactly(self.rho**-2)),
            df.RealizablePrivateLearner(self.family, self.blocks, Epsilon.exactly(self.sigma**-2)),
        )

    @property
    def step(self) -> F:
        """rho^-2 times the factor of one vote more or less: e^(3/(eta n)) or less."""
        s = 1 / self.sigma
        return self.rho**-2 * (1 + s**self.blocks) / (1 + s ** (self.blocks - 2))

    def phi(self, sample: AnySample, h: Hypothesis) -> Predictions:
        """Return phi_S(h): the blocks of S_h vote, softly, by a consistent representative each."""
        n, r, s = len(sample), self.blocks, self.sigma
        votes = [0] * len(self.H.domain)
        for j in range(r):
            block = sample.points[j * (n // r) : (j + 1) * (n // r)]
            (voter,) = (
                g for g in self.family.representatives_on(block) if all(g(x) == h(x) for x in block)
            )
            votes = [v + voter(x) for v, x in zip(votes, self.H.domain, strict=True)]
        return tuple(s ** (r - v) / (s ** (r - v) + s**v) for v in votes)

    def given(self, sample: AnySample, chosen: Iterable[Hashable]) -> Predictions:
        """Return h_{S,T}: Equation (8), with Z over H_T."""
        return _given(self, sample, frozenset(chosen))

    def mean(self, sample: AnySample, points_from: AnySample) -> Predictions:
        """Return the average of h_{S,S'_J}; h_S, Equation (9), if both samples are the same."""
        subsets = list(combinations(points_from.points, self.size))
        share = F(1, len(subsets))
        return _mixed([(share, self.given(sample, subset)) for subset in subsets])

    def matched(
        self, kept: Sequence[Hashable], removed: Hashable, added: Hashable
    ) -> list[tuple[Hypothesis, Hypothesis]]:
        """Return the matched pairs: candidates that agree on the points that stay."""
        before = self.family.representatives_on((*kept, removed))
        after = self.family.representatives_on((*kept, added))
        return [(h, g) for h in before for g in after if all(h(x) == g(x) for x in kept)]

    def unlucky(self, index: int, limit: int) -> F:
        """Of the index sets with the replaced index, find the fraction with more differences.

        Between hypotheses that agree on the points that stay.
        """
        points = self.sample.points
        subsets = list(combinations((j for j in range(len(points)) if j != index), self.size - 1))
        apart = {tuple(h(x) != g(x) for x in points) for h, g in product(self.H, repeat=2)}
        beyond = sum(
            limit < max(sum(differ) for differ in apart if not any(differ[j] for j in kept))
            for kept in subsets
        )
        return F(beyond, len(subsets))

    def __str__(self) -> str:
        return (
            f"{self.H.table.tolist()}, representatives {self.seed}, S = {self.sample}, n' = "
            f"{self.size}, r = {self.blocks}, rho = {self.rho}, sigma = {self.sigma}"
        )


@lru_cache(maxsize=4096)
def _given(it: Relabelling, sample: AnySample, points: frozenset[Hashable]) -> Predictions:
    law = learning_tasks.exponential_law(it.family.representatives_on(points), sample, it.rho)
    return _mixed([(p, it.phi(sample, h)) for h, p in law.items()])


def _mixed(parts: Sequence[tuple[F, Predictions]]) -> Predictions:
    width = len(parts[0][1])
    return tuple(sum((p * q[x] for p, q in parts), F(0)) for x in range(width))


def above_by(p: Sequence[F], q: Sequence[F]) -> F:
    """Return the least factor with which one predictor is at most the other (both positive)."""
    return max(max(a / b, (1 - a) / (1 - b)) for a, b in zip(p, q, strict=True))


def needed_slack(p: Sequence[F], q: Sequence[F], factor: F) -> F:
    """Return the least slack with which one predictor is at most a factor times the other."""
    pairs = zip(p, q, strict=True)
    return max(F(0), *(max(a - factor * b, (1 - a) - factor * (1 - b)) for a, b in pairs))


_DECAYS = (F(1, 2), F(3, 4), F(9, 10))


def relabellings(budget: kit.Budget, *, quick: int) -> Iterator[Relabelling]:
    """Give small instances, from a seed; some with proper subsets, of larger dimension."""
    for index in range(budget.pick(quick, 12 * quick, 200 * quick)):
        coins = Random(f"relabelling/{index}")
        H = coins.choice((thresholds(2), thresholds(3), cube(2), intervals(3)))
        n = coins.randint(2, budget.pick(4, 5, 6))
        yield _drawn(coins, H, n, range(1, n + 1), range(1, n + 1))
    few = quick // 7
    for index in range(budget.pick(few, 8 * few, 60 * few)):
        coins = Random(f"larger relabelling/{index}")
        n = coins.randint(5, budget.pick(6, 7, 8))
        yield _drawn(coins, (cube(3), intervals(4))[index % 2], n, range(2, n - 1), range(2, 4))


def _drawn(coins: Random, H: FiniteClass, n: int, sizes: range, blocks: range) -> Relabelling:
    seed, size = coins.randrange(3), coins.randint(sizes[0], sizes[-1])
    r = coins.randint(blocks[0], blocks[-1])
    rho, sigma = coins.choice(_DECAYS), coins.choice(_DECAYS)
    return Relabelling(
        H, seed, size, r, rho, sigma, learning_tasks.random_sample(coins, len(H.domain), n)
    )


# The algorithm

_UNIVERSE = "seeded instances with up to four examples"


def _thirty(budget: kit.Budget) -> Iterator[Relabelling]:
    return relabellings(budget, quick=30)


_instances = kit.universe(_UNIVERSE)(_thirty)
_instances_and_sets = kit.universe(f"{_UNIVERSE}, all T")(_thirty)
Predicted = Callable[[Relabelling], Sequence[F]]


def _relabelled(found: Predicted, it: Relabelling) -> kit.Comparison:
    """phi_S(h) for the first hypothesis."""
    return kit.same(found(it), it.phi(it.sample, it.H[0]))


TRIALS.add(
    "algorithm-appendix-c", "phi_S(h)", _relabelled, _instances,
    lambda it: it.learner.relabelled(it.sample, it.H[0], it.H.domain),
    lambda it: it.learner.private.probabilities(it.sample, it.H.domain),
)  # fmt: skip

Given = Callable[[Relabelling, tuple[Hashable, ...]], Sequence[F]]


def _h_s_t(it: Relabelling, T: tuple[Hashable, ...]) -> Sequence[F]:
    return it.learner.conditioned_on(T, it.sample, it.H.domain)


def _conditioned(found: Given, it: Relabelling) -> Iterator[kit.Comparison]:
    for T in (T for k in range(len(it.H.domain) + 1) for T in combinations(it.H.domain, k)):
        yield kit.same(found(it, T), it.given(it.sample, T))


TRIALS.add(
    "equation-8", "all T", _conditioned, _instances_and_sets,
    _h_s_t, lambda it, T: _h_s_t(it, T[1:]),
)  # fmt: skip


def _averaged(found: Predicted, it: Relabelling) -> kit.Comparison:
    return kit.same(found(it), it.mean(it.sample, it.sample))


TRIALS.add(
    "equation-9", "averages", _averaged, _instances,
    lambda it: it.learner.probabilities(it.sample, it.H.domain),
    lambda it: it.learner.selector.probabilities(it.sample, it.H.domain),
)  # fmt: skip


# Lemma 15: the factor


class Parameters(NamedTuple):
    """The sizes n and n', and eta."""

    n: int
    size: int
    eta: F


@kit.universe("sample sizes, shares n'/n and eta")
def _parameters(budget: kit.Budget) -> Iterator[Parameters]:
    for n in (50, 1000, 2000)[: budget.pick(2, 2, 3)]:
        for share, k in product((F(1, 50), F(1, 10), F(2, 5)), range(1, 10)):
            if k * n >= 10:
                yield Parameters(n, max(1, int(share * n)), F(k, 10))


def _climb(name: str) -> kit.Climb[Parameters]:
    """Describe parameters by hundreds of n, thousandths of n'/n and hundredths of eta."""

    def instance(genes: Genes) -> Parameters | None:
        hundreds, share, eta = genes
        n = 100 * hundreds
        if eta * n < 100 or not share * n >= 1000:
            return None
        return Parameters(n, share * n // 1000, F(eta, 100))

    return kit.Climb(name, (range(1, 41), range(1, 1000), range(1, 100)), instance)


def _explicit(combined: Callable[[F, F], Interval], it: Parameters) -> kit.Comparison:
    """The library's factor, with K_0 of the net, is within that for q = n'/n and 1/(eta n)."""
    n, size, eta = it
    learner = df.PrivatePredictionLearner(thresholds(9), size, eta, blocks=1)
    factor = learner.guarantee(n, df.net_disagreements(eta, n), 0).factor
    return kit.within(factor, combined(F(size, n), 1 / (eta * n)))


def _four_times(q: F, kappa: F) -> Interval:
    return Interval.exp(3 * kappa) * (1 + 4 * q)


TRIALS.add(
    "lemma-15.explicit", "as in the proof", _explicit, _parameters,
    lambda q, kappa: Interval.exp(3 * kappa) * (1 + 4 * Interval.exp(6) * (q / (1 - q))),
    _four_times, _climb("df20-lemma-15-proof"),
)  # fmt: skip
TRIALS.add(
    "lemma-15.explicit", "sharper", _explicit, _parameters,
    lambda q, kappa: Interval.exp(3 * kappa) * (1 + q * (4 * Interval.exp(3 * (1 + kappa)) - 1)),
    _four_times, _climb("df20-lemma-15-sharper"),
)  # fmt: skip


# Lemma 15: predictions


class Predicting(NamedTuple):
    """A learner, the same at its sample by the definition, and an example that is replaced."""

    learner: df.PrivatePredictionLearner
    defined: Relabelling
    place: int
    z: learning_tasks.AnyExample


_ALIKE = FiniteClass([[0, 0, 0], [1, 1, 1]])
_PARITIES = FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
"""Any two points decide the third."""


@kit.universe("seeded samples of five to nine examples, six classes, one example relabelled")
def predicting(budget: kit.Budget) -> Iterator[Predicting]:
    """Give learners on samples of which one example is relabelled."""
    for index in range(budget.pick(24, 120, 1500)):
        coins = Random(f"lemma 15/{index}")
        H = (cube(2), thresholds(3), intervals(3), _ALIKE, _PARITIES, cube(3))[index % 6]
        least = {_ALIKE: 2, _PARITIES: 3}.get(H, 1)  # enough that few indices tell all
        n = coins.randint(least + 4, budget.pick(9, 9, 10))
        sample = learning_tasks.random_sample(coins, len(H.domain), n)
        if H is _ALIKE:  # a tie
            sample = Sample(sample.points, [place % 2 for place in range(n)])
        size, blocks = coins.randint(least, least + 1), coins.randint(1, 3)
        eta = coins.choice((F(1, 4), F(1, 2), F(9, 10)))
        learner = df.PrivatePredictionLearner(H, size, eta, blocks=blocks)
        parts = learner.at(n)
        rho, sigma = parts.selector.decay, parts.private.vote.decay
        defined = Relabelling(H, 0, size, blocks, rho, sigma, sample)
        place = coins.randrange(n)
        z = Example(sample.points[place], 1 - sample.labels[place])
        yield Predicting(learner, defined, place, z)


Guarantee = Callable[[df.PrivatePredictionLearner, int, int, F], PrivacyGuarantee]
"""From n, K_0 and how often it is exceeded."""


def predicts_privately(guarantee: Guarantee, it: Predicting) -> Iterator[kit.Comparison]:
    """Check the guarantee on two neighbours, with all numbers K_0 of disagreements."""
    sample, n = it.defined.sample, len(it.defined.sample)
    other = sample.replace(it.place, it.z)
    here, there = it.defined.mean(sample, sample), it.defined.mean(other, other)
    unlucky = [it.defined.unlucky(it.place, K) for K in range(n + 1)]
    pure = guarantee(it.learner, n, unlucky.index(F(0)), F(0))
    yield kit.factor_within(above_by(here, there), pure.factor)
    for K in range(n):
        found = guarantee(it.learner, n, K, unlucky[K])
        yield kit.within(needed_slack(here, there, found.factor), found.delta, ceiling=1)


def _of_the_subset_alone(
    learner: df.PrivatePredictionLearner, n: int, K: int, share: F
) -> PrivacyGuarantee:
    """Forget that weights and labels of the sample change too: a wrong guarantee."""
    factor = learner.guarantee(n, K, share).factor / learner.at(n).step
    return PrivacyGuarantee(Epsilon.exactly(1 + (factor - 1) / 50), F(0))


TRIALS.add(
    "lemma-15.explicit", "predictions", predicts_privately, predicting,
    lambda learner, n, K, share: learner.guarantee(n, K, share), _of_the_subset_alone,
)  # fmt: skip


@kit.universe("three classes, differences just above eta = 1/2, 1/3, ..., alpha = 1/3 and 1/10")
def _conditions(budget: kit.Budget) -> Iterator[tuple[FiniteClass, F, F]]:
    inverses = range(2, budget.pick(12, 30, 60))
    kinds = (FiniteClass([[0, 0], [1, 0]]), thresholds(2), cube(2))
    yield from product(kinds, [F(1, k) for k in inverses], (F(1, 3), F(1, 10)))


def _implied(shift: int, it: tuple[FiniteClass, F, F]) -> kit.Comparison:
    """N' <= epsilon n and n' >= N^net_{eta, alpha} + 1 give epsilon >= 1/(eta n)."""
    H, eta, alpha = it
    mass = eta + F(1, 10**6)
    law: FiniteDistribution[Hashable] = FiniteDistribution({0: mass, 1: 1 - mass})
    least = df.DrawnNets(H, law, eta).least_size(alpha)
    return kit.reaches((least + shift) * eta, 1)


TRIALS.add("lemma-15.last-condition", "two hypotheses", _implied, _conditions, 1, -4)


# Equation (11) and Lemma 17: the loss on the sample


def _selected_loss(bound: Callable[[Relabelling], Interval], it: Relabelling) -> kit.Comparison:
    law = learning_tasks.naive_selection(it.family, it.sample, it.size, it.rho)
    return kit.within(learning_tasks.mean_excess(law, it.sample, it.H) / len(it.sample), bound(it))


def _approximation(it: Relabelling) -> df.SampleApproximation:
    return df.approximation_of(it.learner.selector, it.sample)


TRIALS.add(
    "equation-11", "on the sample", _selected_loss, _instances,
    lambda it: _approximation(it).bound,
    lambda it: Interval.exactly(_approximation(it).from_subset),
)  # fmt: skip


def _loss(predicted: Sequence[F], it: Relabelling) -> F:
    at = dict(zip(it.H.domain, predicted, strict=True))
    return sum((abs(at[z.point] - z.label) for z in it.sample), F(0)) / len(it.sample)


def _loss_on_sample(
    bound: Callable[[Relabelling], Interval], it: Relabelling
) -> kit.Comparison | kit.Finding:
    loss = _loss(it.mean(it.sample, it.sample), it)
    best = F(min(learning_tasks.errors_of(h, it.sample) for h in it.H), len(it.sample))
    found = _loss(it.learner.probabilities(it.sample, it.H.domain), it)
    least = min(it.sample.loss(h) for h in it.H)
    if (found, least) != (loss, best):
        return kit.settle(False, f"{it}: loss {found}, by definition {loss}; least {least}, {best}")
    if (lost := it.learner.relabelling_loss(it.sample)) != _given_away(it):
        return kit.settle(False, f"{it}: relabelling loses {_given_away(it)}, not {lost}")
    return kit.within(loss - best, bound(it))


def _given_away(it: Relabelling) -> F:
    def lost(h: Hypothesis) -> F:
        predicted = it.learner.relabelled(it.sample, h, it.sample.points)
        off = (abs(h(x) - p) for x, p in zip(it.sample.points, predicted, strict=True))
        return sum(off, F(0)) / len(it.sample)

    return it.learner.selector.law(it.sample).expectation(lost)


TRIALS.add(
    "lemma-17.explicit", "on the sample", _loss_on_sample, _instances,
    lambda it: _approximation(it).bound + it.learner.relabelling_loss(it.sample),
    lambda it: _approximation(it).bound,
)  # fmt: skip
