"""Privacy of the learner of Theorem 3: Section 4.1, Lemmas 18 and 19, Equation (13)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import floor
from typing import NamedTuple

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman import private
from pac_stability.books.dagan_feldman.as_written import AnyExample, AnySample, examples_on
from pac_stability.claims import kit
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.notions.domination import Domination
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")

# One index exchanged: Equations (6), (7) and (12), Lemma 18


class Exchange(NamedTuple):
    """An instance, the indices of I that stay (index 0 leaves), and the index that enters."""

    instance: private.Relabelling
    rest: tuple[int, ...]
    i: int

    @property
    def kept(self) -> list[Hashable]:
        """The points that stay."""
        return [self.instance.sample.points[j] for j in self.rest]

    @property
    def matched(self) -> list[tuple[Callable[[Hashable], int], Callable[[Hashable], int]]]:
        """The matched pairs of candidates."""
        points = self.instance.sample.points
        return [*self.instance.matched(self.kept, points[0], points[self.i])]


@kit.universe(
    "seeded instances with up to four examples, all I with the first index, all exchanges"
)
def _exchanges(budget: kit.Budget) -> Iterator[Exchange]:
    """Give all exchanges of the first index of small instances."""
    for instance in private.relabellings(budget, quick=14):
        n = len(instance.sample)
        for rest in combinations(range(1, n), instance.size - 1):
            yield from (Exchange(instance, rest, i) for i in range(1, n) if i not in rest)


Factor = Callable[[F, int], F]
"""From the step t and K to the factor with which h_{S,T} is at most h_{S,T'}."""


def _exchanged(factor: Factor, it: Exchange) -> kit.Comparison | kit.Finding:
    """Settle the factor of an exchange, and that the library finds the same."""
    instance, sample, kept = it.instance, it.instance.sample, it.kept
    removed, added = sample.points[0], sample.points[it.i]
    K = max(sum(h(x) != g(x) for x in sample.points) for h, g in it.matched)
    exact = private.above_by(
        instance.given(sample, (*kept, removed)), instance.given(sample, (*kept, added))
    )
    found = df.match_candidates(
        instance.learner, sample, (0, *it.rest), removed=0, added=added, points=instance.H.domain
    )
    stated = df.FactorCheck(exact, df.matching_factor(instance.step, K))
    if found.disagreements != K or found.check != stated:
        return kit.fails(f"{it}: factor {exact}, K = {K}, the library finds {found}")
    return kit.factor_within(exact, factor(instance.step, K))


for item in ("equation-6", "lemma-18"):
    TRIALS.add(
        item, "factor", _exchanged, _exchanges,
        df.matching_factor, lambda t, K: 1 + F(K, 100) * (t - 1),
    )  # fmt: skip


def _partners(most: int, it: Exchange) -> kit.Comparison | kit.Finding:
    pairs = it.matched
    first, second = [h for h, _ in pairs], [g for _, g in pairs]
    counts = [*map(first.count, set(first)), *map(second.count, set(second))]
    candidates = it.instance.family.representatives_on((*it.kept, it.instance.sample.points[0]))
    if len(set(first)) != len(candidates):
        return kit.fails(f"{it}: numbers of partners {counts}, and some have none")
    return kit.within(max(counts), most)


TRIALS.add("equation-6", "partners", _partners, _exchanges, 2, 1)


def _few_disagreements(limit: Callable[[F, int], int], it: Exchange) -> kit.Comparison:
    """Whenever I without its first index is an eta-net for the other n - 1 examples."""
    points, n, kept = it.instance.sample.points, len(it.instance.sample), it.kept
    largest = max(
        sum(h(x) != g(x) for x in points[1:])
        for h, g in product(it.instance.H, repeat=2)
        if all(h(x) == g(x) for x in kept)
    )
    eta = F(max(1, largest), n - 1)  # the least eta with which it is a net
    return kit.reaches(limit(eta, n), max(sum(h(x) != g(x) for x in points) for h, g in it.matched))


TRIALS.add(
    "equation-7", "exchanges", _few_disagreements, _exchanges,
    df.net_disagreements, lambda eta, n: df.net_disagreements(eta, n) - 1,
)  # fmt: skip


# The constants


@kit.universe("four patterns on three points, with nearly all examples at one")
def _copies(budget: kit.Budget) -> list[int]:
    return [budget.pick(360, 720, 1800)]


def _near_four(copies: int) -> tuple[private.Relabelling, F]:
    """Patterns 100, 110, 000, 001 on (u, a, b); nearly all examples at u, decays near 1."""
    H = FiniteClass([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]])
    rho = F(copies // 11, copies // 11 + 1)
    ones = copies * 49 // 180
    points: list[Hashable] = [*[0] * copies, 1, 2]
    sample: AnySample = Sample(points, [1] * ones + [0] * (copies - ones + 2))
    it = private.Relabelling(H, 0, 2, copies, rho, rho, sample)
    return it, private.above_by(it.given(sample, (0, 1)), it.given(sample, (0, 2)))


def _within_four(factor: Factor, copies: int) -> kit.Comparison:
    instance, exact = _near_four(copies)
    return kit.factor_within(exact, factor(instance.step, 1))


TRIALS.add(
    "lemma-18", "near four", _within_four, _copies, df.matching_factor, lambda t, K: 3 * t**K
)


def _approaching(below: Callable[[F], F], copies: int) -> kit.Comparison:
    instance, exact = _near_four(copies)
    return kit.reaches(exact, below(instance.step), strictly=True)


@kit.universe("sample sizes, eta = 1/20, ..., 19/20 with eta n >= 1")
def _sizes(budget: kit.Budget) -> Iterator[tuple[int, F]]:
    for n in (10, 37, 1000, 10**5)[: budget.pick(3, 4, 4)]:
        yield from ((n, eta) for k in range(1, 20) if (eta := F(k, 20)) * n >= 1)


def _constant(constant: Callable[[Interval], Interval], it: tuple[int, F]) -> kit.Comparison:
    """For kappa = 1/(eta n)."""
    n, eta = it
    kappa = 1 / (eta * n)
    exact = 4 * Interval.exp(3 * kappa * (floor(eta * (n - 1)) + 1))
    return kit.within(exact, constant(Interval.exactly(kappa)))


TRIALS.add(
    "lemma-18", "constant", _constant, _sizes,
    lambda _: 4 * Interval.exp(6), lambda _: 4 * Interval.exp(3),
)  # fmt: skip
TRIALS.add(
    "equation-12", "constant", _constant, _sizes,
    lambda kappa: 4 * Interval.exp(3 * (1 + kappa)),
    lambda kappa: 4 * Interval.exp(2 * (1 + kappa)),
)  # fmt: skip
TRIALS.add("equation-12", "near four", _approaching, _copies, lambda t: 3 * t, lambda t: 4 * t)


# One example replaced: Equations (3) to (5) and (13), Lemma 19


class Replaced(NamedTuple):
    """An instance, and the place and the new value of the example that is replaced."""

    instance: private.Relabelling
    place: int
    z: AnyExample

    @property
    def samples(self) -> tuple[AnySample, AnySample]:
        """The sample, and its neighbour."""
        sample = self.instance.sample
        return sample, sample.replace(self.place, self.z)


@kit.universe("seeded instances with up to four examples, all replacements of one example")
def _replacements(budget: kit.Budget) -> Iterator[Replaced]:
    """Give the replacements of one example of small instances."""
    for count, instance in enumerate(private.relabellings(budget, quick=7)):
        place = count % len(instance.sample)
        for z in examples_on(instance.H.domain):
            if z != instance.sample[place]:
                yield Replaced(instance, place, z)


def _fixed_subset(step: Callable[[F], F], it: Replaced) -> Iterator[kit.Comparison | kit.Finding]:
    """Settle the factor of a replacement for fixed sets of points."""
    instance, (sample, other) = it.instance, it.samples
    points = instance.H.domain
    for T in (points[: k + 1] for k in range(len(points))):
        exact = private.above_by(instance.given(sample, T), instance.given(other, T))
        check = df.check_replacement(instance.learner, sample, other, T, points)
        if check == df.FactorCheck(exact, instance.step):
            yield kit.factor_within(exact, step(instance.step))
        else:
            yield kit.fails(f"{it}, T = {T}: factor {exact}, the library finds {check}")


for item, name in (("equation-5", "neighbours"), ("lemma-19", "factor")):
    TRIALS.add(item, name, _fixed_subset, _replacements, lambda t: t, lambda t: 1 + (t - 1) / 9)


def _step_is_small(multiple: int, it: Replaced) -> kit.Comparison | kit.Finding:
    """The step is at most rho^-2 sigma^-2: e^(3/(eta n)) for sigma^2 = rho."""
    instance = it.instance
    if instance.learner.step != instance.step:
        return kit.fails(f"{instance}: the step is {instance.step}, not {instance.learner.step}")
    return kit.factor_within(instance.step, (instance.rho * instance.sigma) ** (-multiple))


TRIALS.add("lemma-19", "step", _step_is_small, _replacements, 2, 1)

Relation = Callable[[F, F, int], F]
"""From t, q and K_0 to the factor."""


def _slack(relation: Relation, it: Replaced, there: Sequence[F]) -> Iterator[kit.Comparison]:
    instance, (sample, _) = it.instance, it.samples
    q = F(instance.size, len(sample))
    here = instance.mean(sample, sample)
    for limit in range(len(sample) + 1):
        needed = private.needed_slack(here, there, relation(instance.step, q, limit))
        yield kit.within(needed, q * instance.unlucky(it.place, limit), ceiling=1)


def _subsampled(relation: Relation, it: Replaced) -> Iterator[kit.Comparison]:
    """Settle the factor and the slack between h_S and the mixed average."""
    return _slack(relation, it, it.instance.mean(*it.samples))


def _wholly_replaced(relation: Relation, it: Replaced) -> Iterator[kit.Comparison]:
    """Settle the factor, after one more step, and the slack between h_S and h_S'."""
    _, other = it.samples
    there = it.instance.mean(other, other)
    return _slack(lambda t, q, limit: t * relation(t, q, limit), it, there)


def _sharp(t: F, q: F, limit: int) -> F:
    return df.amplified_factor(1, q, df.matching_factor(t, limit))


def _printed(t: F, q: F, limit: int) -> F:
    return 1 + 4 * t**limit * q / (1 - q) if q < 1 else 4 * t**limit


def _without_matching(_: F, __: F, ___: int) -> F:
    """Pretend that other candidates change nothing: a wrong factor."""
    return F(1)


TRIALS.add("equation-3", "neighbours", _wholly_replaced, _replacements, _sharp, lambda *_: F(1, 2))
TRIALS.add("equation-4", "neighbours", _subsampled, _replacements, _sharp, _without_matching)
TRIALS.add("equation-13", "as printed", _subsampled, _replacements, _printed, _without_matching)


def _library_chain(take_mixed: bool, it: Replaced) -> kit.Finding:
    """The parts of Equation (13) that the library computes."""
    instance, (sample, other) = it.instance, it.samples
    found = df.check_subsampling(instance.learner, sample, it.place, it.z, instance.H.domain)
    middle = instance.mean(sample, other if take_mixed else sample)
    right = [tuple(part.values()) for part in (found.on_sample, found.mixed, found.on_neighbour)]
    right_parts = right == [instance.mean(sample, sample), middle, instance.mean(other, other)]
    q, t = F(instance.size, len(sample)), instance.step

    def as_written(limit: int) -> bool:
        """Whether the factors and slacks are those of Equation (13), and of Lemma 19 after it."""
        c, slack = df.matching_factor(t, limit), q * instance.unlucky(it.place, limit)
        factor = 1 + q * (c - 1)
        paper = q == 1 or found.paper_exchange(limit) == Domination(1 + c * q / (1 - q), slack)
        chain = Domination(factor, slack), Domination(factor * t, slack)
        return paper and (found.exchange(limit), found.privacy(limit)) == chain

    right_parts = right_parts and all(map(as_written, range(len(sample))))
    return kit.settle(right_parts and found.holds, f"{it}")


TRIALS.add("equation-13", "the library's parts", _library_chain, _replacements, True, False)


# More than half


def _all_sizes(budget: kit.Budget) -> Iterator[tuple[int, int]]:
    for n in range(2, budget.pick(30, 100, 300)):
        yield from ((n, size) for size in range(1, n))


def _at_least_half(_: int, it: tuple[int, int]) -> kit.Finding:
    n, size = it
    return kit.reaches(2 * (n - size), n).settle(
        f"n = {n}, n' = {size}, epsilon = {F(size, n)}: n - n' = {n - size} < n/2"
    )


TRIALS.add(
    "appendix-c.half", "sizes", _at_least_half,
    kit.universe("all n' < n, epsilon = n'/n")(_all_sizes), 2,
)  # fmt: skip


def _no_condition(factor: Callable[[F, F], F], it: tuple[int, int]) -> Iterator[kit.Comparison]:
    q = F(it[1], it[0])
    for c in (F(11), F(80)):
        yield kit.factor_within(factor(q, c), min(1 + c * q / (1 - q), 1 + 2 * c * q))


TRIALS.add(
    "appendix-c.half.repaired", "sizes", _no_condition,
    kit.universe("all n' < n, c = 11 and 80")(_all_sizes),
    lambda q, c: df.amplified_factor(1, q, c), lambda q, c: 1 + c * q / (1 - q),
)  # fmt: skip
