"""The exponential mechanism, and amplification by subsampling (Section 2.1, Lemmas 7 and 8).

From stability to privacy by flipping labels (Section 3, Corollary 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb
from random import Random
from typing import NamedTuple

from pac_stability import mechanisms
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks
from pac_stability.books.dagan_feldman.learning_tasks import factor_between
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.kit import Comparison, Genes, kept_counterexample
from pac_stability.classes import FiniteClass, thresholds
from pac_stability.mechanisms import Flip
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")

# The law of the exponential mechanism


class Weighed(NamedTuple):
    """A class, a sample, and the decay rho."""

    H: FiniteClass
    sample: learning_tasks.AnySample
    decay: F


@kit.universe(
    "all classes on up to two points with all small samples, thresholds on three",
    extent="classes on up to 2 points",
)
def _weighed(budget: kit.Budget) -> Iterator[Weighed]:
    for m in (1, 2):
        for H in all_classes(m):
            for n in range(1, budget.pick(3, 4, 5)):
                samples = all_labelled_samples(H, n)
                yield from map(Weighed._make, product([H], samples, (F(1, 2), F(4, 5))))
    for sample in all_labelled_samples(thresholds(3), 2):
        yield Weighed(thresholds(3), sample, F(2, 3))


@cache
def _law(H: FiniteClass, sample: learning_tasks.AnySample, decay: F) -> learning_tasks.Law:
    return dict(mechanisms.exponential_learner(H, decay).law(sample).items())


_by_the_mechanism: Callable[[FiniteClass, learning_tasks.AnySample, F], learning_tasks.Law] = _law


def _defined(
    law: Callable[[FiniteClass, learning_tasks.AnySample, F], learning_tasks.Law], it: Weighed
) -> kit.Finding:
    found, wanted = law(*it), learning_tasks.exponential_law(*it)
    return kit.settle(learning_tasks.weighted(found, wanted), f"{it}: {found}, not {wanted}")


TRIALS.add(
    "definition-exponential-mechanism", "law", _defined, _weighed,
    _by_the_mechanism, lambda H, sample, decay: learning_tasks.exponential_law(H, sample, decay**2),
)  # fmt: skip


# Privacy and stability


def _private(factor: Callable[[F], F], it: Weighed) -> Comparison:
    """Of the model, and of predictions."""
    H, sample, decay = it
    here, needed = _law(*it), F(1)
    for other in learning_tasks.neighbours_of(sample, H.domain):
        there = _law(H, other, decay)
        predicted = (
            learning_tasks.factor_between(
                learning_tasks.label_one(here, x), learning_tasks.label_one(there, x)
            )
            for x in H.domain
        )
        needed = F(max(needed, *(here[h] / there[h] for h in here), *predicted))
    return kit.factor_within(needed, factor(decay))


TRIALS.add(
    "lemma-7.privacy",
    "all neighbours",
    _private,
    _weighed,
    lambda rho: rho**-2,
    lambda rho: 1 / rho,
)


def _tanh(decay: F) -> F:
    return (1 - decay) / (1 + decay)


def _stable(stability: Callable[[F], F], it: Weighed) -> Comparison:
    H, sample, decay = it

    def predictions(given: learning_tasks.AnySample) -> list[F]:
        return [learning_tasks.label_one(_law(H, given, decay), x) for x in H.domain]

    moved = learning_tasks.furthest_move(predictions, sample, H.domain)
    return kit.within(moved, stability(decay), ceiling=1)


TRIALS.add(
    "lemma-7.stability", "all neighbours", _stable, _weighed, _tanh, lambda rho: _tanh(rho) / 2
)


@kit.universe("decays k/(k + 1)")
def _decays(budget: kit.Budget) -> Iterator[F]:
    yield from (F(k, k + 1) for k in range(1, budget.pick(12, 60, 400)))


def _attained(stability: Callable[[F], F], decay: F) -> Comparison:
    laws = [
        _law(learning_tasks.CONSTANTS, sample, decay)
        for sample in all_labelled_samples(learning_tasks.CONSTANTS, 1)
    ]
    p, q = (learning_tasks.label_one(law, 0) for law in laws)
    return kit.same(abs(p - q), stability(decay))


TRIALS.add("lemma-7.stability", "attained", _attained, _decays, _tanh, lambda rho: rho**-2 - 1)


# Utility


class Errors(NamedTuple):
    """The numbers of errors of the candidates, the least of them 0, and the decay."""

    counts: tuple[int, ...]
    decay: F


@kit.universe("candidates with few errors, and one best with the others equal")
def _errors(budget: kit.Budget) -> Iterator[Errors]:
    decays = (F(1, 2), F(9, 10), F(39, 40))
    for N in range(1, budget.pick(4, 5, 7)):
        for rest in combinations_with_replacement(range(budget.pick(7, 12, 20)), N - 1):
            yield from (Errors((0, *rest), rho) for rho in decays)
    for N, rho in product((2, 10, 40), decays):
        for level in range(1, 40, budget.pick(3, 1, 1)):
            yield Errors((0, *(level,) * (N - 1)), rho)


def _two_groups(genes: Genes) -> Errors:
    """Take two groups of candidates beside the best, and a decay."""
    places, some, few, others, many = genes
    return Errors((0, *sorted([few] * some + [many] * others)), 1 - F(1, places))


Excess = Callable[[int, F], Interval]


@cache
def _allowed(bound: Excess, candidates: int, decay: F) -> Interval:
    return bound(candidates, decay)


def _excess(bound: Excess, it: Errors) -> Comparison | kit.Finding:
    if len(it.counts) == 1:
        return kit.idle()
    weights = [it.decay**k for k in it.counts]
    mean = sum((w * k for w, k in zip(weights, it.counts, strict=True)), F(0)) / sum(weights)
    return kit.within(mean, _allowed(bound, len(it.counts), it.decay))


_printed: Excess = df.paper_excess
_sharp: Excess = df.exponential_excess

TRIALS.add(
    "lemma-7.utility", "numbers of errors", _excess, _errors,
    _printed, lambda N, rho: df.paper_excess(N, rho) / 3,
    kit.Climb(
        "df20-lemma-7-utility",
        (range(2, 61), range(1, 61), range(121), range(61), range(121)),
        _two_groups,
    ),
)  # fmt: skip
TRIALS.states(
    "lemma-7.utility", df.paper_excess,
    lambda N, rho: Interval.log(N) / Interval.log(1 / rho), (2, F(1, 2)), (7, F(9, 10)),
)  # fmt: skip
TRIALS.add(
    "lemma-7.sharp", "numbers of errors", _excess, _errors,
    _sharp, lambda N, rho: df.exponential_excess(N, rho) * F(9, 10),
)  # fmt: skip


@kit.universe("alpha, epsilon and |H|; one best candidate, the others equal")
def _goals(budget: kit.Budget) -> Iterator[tuple[F, F, int]]:
    epsilons = (F(3), F(1), F(1, 10))[: budget.pick(2, 3, 3)]
    yield from product((F(1, 2), F(1, 5), F(1, 20)), epsilons, (2, 3, 50))


def _size(alpha: F, epsilon: F, N: int) -> int:
    return df.sample_complexity.exponential_mechanism_size(alpha, epsilon, N).sample_size


def _enough(size: Callable[[F, F, int], int], it: tuple[F, F, int]) -> Comparison:
    alpha, epsilon, N = it
    n, rho = size(*it), mechanisms.decay_for(Epsilon(epsilon))
    rest = ((level, (N - 1) * rho**level) for level in range(n + 1))
    return kit.within(max(level * weight / (1 + weight) for level, weight in rest), alpha * n)


TRIALS.add(
    "lemma-7.sharp", "sizes", _enough, _goals,
    _size, lambda alpha, epsilon, N: max(1, _size(alpha, epsilon, N) * 2 // 3),
)  # fmt: skip


# Lemma 8: subsamples in the order of the indices

_EARLY = ({0}, {1, 2}, {1, 2, 3, 4, 5, 6})
"""For which points each place of a subsample of three holds."""


def _says_yes(parts: Iterator[tuple[int, ...]], t: F) -> F:
    """Return how often yes is said: e^(epsilon (m - 3))/2 for m places that hold."""
    held = Counter(
        sum(x in points for x, points in zip(part, _EARLY, strict=True)) for part in parts
    )
    return sum((k * t ** (m - 3) / 2 for m, k in held.items()), F(0)) / held.total()


@kit.universe("samples of 3 to 12 different examples, subsamples of three")
def _numbers_of_examples(_: kit.Budget) -> range:
    return range(3, 13)


def _in_index_order(t: F, n: int) -> kit.Finding:
    p, q = (_says_yes(combinations((first, *range(1, n)), 3), t) for first in (0, -1))
    factor = learning_tasks.factor_between(p, q)
    allowed = Interval.exp(2 * F(3, n) * Interval.log(t))
    return kit.factor_within(factor, allowed).settle(
        f"n = {n}, n' = 3, e^epsilon = {t}, yes with probability e^(epsilon (m - 3))/2 for m "
        f"places that hold: {p} on z_1, ..., z_{n} and {q} with another first example, factor "
        f"{factor}, which exceeds e^(2 epsilon eta) = {float(allowed):.5f}"
    )


TRIALS.add("lemma-8", "early places", _in_index_order, _numbers_of_examples, F(27, 10))
TRIALS.keeps("lemma-8", kept_counterexample("DF20:lemma-8"))


# Repaired: symmetric algorithms, or a random order


class Symmetric(NamedTuple):
    """Probabilities of label 1 on multisets of n' examples, n', and n."""

    table: dict[tuple[int, ...], F]
    size: int
    n: int


@kit.universe("seeded tables on multisets, all neighbouring samples of up to 4 examples")
def _symmetric(budget: kit.Budget) -> Iterator[Symmetric]:
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"subsampling/{index}")
        n = coins.choice((2, 3, 4))
        size, examples = coins.randint(1, n), coins.choice((2, 3))
        values = [F(k, 24) for k in range(4, 21)]
        kinds = list(combinations_with_replacement(range(examples), size))
        yield Symmetric({kind: coins.choice(values) for kind in kinds}, size, n)
        yield Symmetric({kind: F(3 if 0 in kind else 1, 8) for kind in kinds}, size, n)


Amplified = Callable[[F, int, int], F]
"""From the factor e^epsilon, n' and n to the factor after subsampling."""


def _by_the_library(t: F, size: int, n: int) -> F:
    return mechanisms.subsampling_amplification(
        mechanisms.PrivacyGuarantee(Epsilon.exactly(t)), size, n
    ).factor


def _amplification(amplified: Amplified, it: Symmetric) -> Comparison:
    table, size, n = it
    examples = sorted({z for kind in table for z in kind})
    t = F(1)
    for kind, p in table.items():
        for place, z in product(range(size), examples):
            other = tuple(sorted((*kind[:place], z, *kind[place + 1 :])))
            t = max(t, F(learning_tasks.factor_between(p, table[other])))

    def subsampled(sample: tuple[int, ...]) -> F:
        parts = [tuple(sorted(part)) for part in combinations(sample, size)]
        return sum((table[part] for part in parts), F(0)) / len(parts)

    # The rest of the sample runs through everything, so one place is enough.
    needed = max(
        learning_tasks.factor_between(subsampled(sample), subsampled((z, *sample[1:])))
        for sample in product(examples, repeat=n)
        for z in examples
    )
    return kit.factor_within(needed, amplified(t, size, n))


TRIALS.add(
    "lemma-8.repaired", "symmetric algorithms", _amplification, _symmetric,
    _by_the_library, lambda t, size, n: 1 + F(size, 2 * n) * (t - 1),
)  # fmt: skip


@kit.universe("three factors, all n' <= n, one example marked")
def _marked(budget: kit.Budget) -> Iterator[tuple[F, int, int]]:
    for n in range(1, budget.pick(6, 12, 30)):
        yield from product([F(5, 4), F(2), F(9)], range(1, n + 1), [n])


def _amplified_to(amplified: Amplified, it: tuple[F, int, int]) -> Comparison:
    """Yes is said with probability c if the marked example was drawn, c/t otherwise."""
    t, size, n = it
    with_mark, all_sets = comb(n - 1, size - 1), comb(n, size)
    p = F(with_mark, all_sets) + F(all_sets - with_mark, all_sets) / t
    return kit.same(p * t, amplified(t, size, n))


TRIALS.add("lemma-8.repaired", "attained", _amplified_to, _marked, _by_the_library, lambda t, *_: t)


@kit.universe("the algorithm of early places on 3 to 9 examples")
def _places(budget: kit.Budget) -> Iterator[tuple[F, int]]:
    for n in range(3, budget.pick(10, 13, 16)):
        yield from ((t, n) for t in (F(3, 2), F(27, 10), F(8)))


def _in_random_order(amplified: Amplified, it: tuple[F, int]) -> Comparison:
    t, n = it
    p, q = (_says_yes(permutations((first, *range(1, n)), 3), t) for first in (0, -1))
    return kit.factor_within(learning_tasks.factor_between(p, q), amplified(t, 3, n))


TRIALS.add(
    "lemma-8.repaired", "random order", _in_random_order, _places,
    _by_the_library, lambda t, size, n: 1 + F(size, 4 * n) * (t - 1),
)  # fmt: skip


# From stability to privacy by flipping labels (Section 3, Corollary 2)


def _flipped(p: F, z: F) -> F:
    return (1 - z) * p + z * (1 - p)


# How likely each label is afterwards


def _predictions(most: F) -> Callable[[kit.Budget], Iterator[tuple[F, F]]]:
    def instances(budget: kit.Budget) -> Iterator[tuple[F, F]]:
        q = budget.pick(20, 40, 200)
        alphas = [a for k in range(1, q) if (a := F(k, q)) <= most]
        yield from ((F(j, 10), a) for a in alphas for j in range(11))

    return instances


def _least(bound: Callable[[F], F], it: tuple[F, F]) -> kit.Finding:
    p, alpha = it
    least = min(_flipped(p, alpha), 1 - _flipped(p, alpha))
    return kit.reaches(least, bound(alpha)).settle(
        f"alpha = {alpha}: a label of probability {p} has probability {least} after the flip, "
        f"below {bound(alpha)}"
    )


TRIALS.add(
    "section-3.flip-probability", "predictions", _least,
    kit.universe("predictions and alpha in a grid")(_predictions(F(1))), lambda alpha: alpha,
)  # fmt: skip
TRIALS.add(
    "section-3.flip.repaired", "both labels", _least,
    kit.universe("predictions and alpha up to 1/2 in a grid")(_predictions(F(1, 2))),
    lambda alpha: alpha, lambda alpha: 2 * alpha,
)  # fmt: skip


# How private predictions are afterwards


def _flip_goals(most: F) -> Callable[[kit.Budget], Iterator[tuple[F, F]]]:
    def instances(budget: kit.Budget) -> Iterator[tuple[F, F]]:
        q = budget.pick(20, 40, 100)
        alphas = [a for k in range(1, q) if (a := F(k, q)) <= most]
        yield from product(alphas, (F(1, 10), F(1, 2), F(9, 10)))

    return instances


def _flip_private(gamma: Callable[[F, F], F], it: tuple[F, F]) -> kit.Finding:
    """The flip of the worst gamma-stable predictions, 0 and gamma, has a factor e^epsilon."""
    alpha, epsilon = it
    g, allowed = gamma(alpha, epsilon), Interval.exp(epsilon)
    p, q = _flipped(F(0), alpha), _flipped(g, alpha)
    factor = factor_between(p, q)
    return kit.factor_within(factor, allowed).settle(
        f"alpha = {alpha}, epsilon = {epsilon}: the {g}-stable predictions 0 and {g} become {p} "
        f"and {q}, with the factor {factor} > e^epsilon = {float(allowed):.5f}"
    )


TRIALS.add(
    "section-3.flip", "worst predictions", _flip_private,
    kit.universe("alpha in a grid, three epsilons")(_flip_goals(F(1))),
    lambda alpha, epsilon: epsilon * alpha / 2,
)  # fmt: skip
TRIALS.keeps("section-3.flip", kept_counterexample("DF20:section-3.flip"))
TRIALS.add(
    "section-3.flip.repaired", "epsilon alpha", _flip_private,
    kit.universe("alpha up to 1/2 in a grid, three epsilons")(_flip_goals(F(1, 2))),
    lambda alpha, epsilon: epsilon * alpha, lambda alpha, epsilon: 2 * epsilon * alpha,
)  # fmt: skip


@kit.universe("two predictions in a grid, three flips")
def _pairs(budget: kit.Budget) -> Iterator[tuple[F, F, F]]:
    q = budget.pick(10, 24, 80)
    grid = [F(k, q) for k in range(q + 1)]
    yield from product(grid, grid, (F(1, 20), F(1, 4), F(1, 2)))


def _factor(formula: Callable[[F, F], F | float], it: tuple[F, F, F]) -> Comparison | kit.Finding:
    """From the probability of a flip and gamma to the factor, which some predictions have."""
    p, q, z = it
    gamma = abs(p - q)
    attained, allowed = factor_between(_flipped(F(0), z), _flipped(gamma, z)), formula(z, gamma)
    if attained != allowed:
        return kit.fails(f"z = {z}, gamma = {gamma}: the worst factor is {attained}, not {allowed}")
    return kit.factor_within(factor_between(_flipped(p, z), _flipped(q, z)), allowed)


TRIALS.add(
    "section-3.flip.repaired", "exact factor", _factor, _pairs,
    lambda z, gamma: Flip(z).factor_after(gamma), lambda z, gamma: 1 + gamma / z,
)  # fmt: skip


# How often labels are wrong afterwards


def _losses(budget: kit.Budget) -> Iterator[tuple[F, F]]:
    q = budget.pick(20, 60, 300)
    yield from product([F(k, q) for k in range(q + 1)], [F(k, 20) for k in range(11)])


def _error(multiple: int, it: tuple[F, F]) -> kit.Finding:
    L, alpha = it
    best = L - alpha
    if best < 0 or alpha == 0:
        return kit.idle()
    return kit.within(_flipped(L, alpha), multiple * alpha).settle(
        f"alpha = {alpha}, inf L_D = {best}: the stable learner has loss {L}, the flipped one "
        f"{_flipped(L, alpha)} > {multiple * alpha}"
    )


TRIALS.add(
    "section-3.flip-error", "losses", _error,
    kit.universe("losses and alpha in a grid, the excess being alpha")(_losses), 2,
)  # fmt: skip


def _flip_excess(allowed: Callable[[F], F], it: tuple[F, F]) -> Comparison:
    """Labels that are wrong with probability L are wrong with L (1 - a) + (1 - L) a afterwards."""
    L, alpha = it
    return kit.within(_flipped(L, alpha) - L, allowed(alpha))


TRIALS.add(
    "section-3.flip-error.repaired", "losses", _flip_excess,
    kit.universe("losses and alpha up to 1/2 in a grid")(_losses),
    lambda alpha: alpha, lambda alpha: alpha / 2,
)  # fmt: skip
