"""Sections I-A, III-A and III-C: losses, indistinguishability, privacy, global stability."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from pac_stability import audit
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran import literal
from pac_stability.books.bun_livni_moran.settings import random_settings, uniform_settings
from pac_stability.claims import instances, kit
from pac_stability.claims.kit import Comparison
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, FromLaw, Sample
from pac_stability.errors import NotRealizable
from pac_stability.notions import closeness
from pac_stability.notions.by_type import laws_by_type
from pac_stability.notions.global_stability import most_frequent_output
from pac_stability.papers.bun_livni_moran import require_realizable
from pac_stability.papers.bun_livni_moran.formulas import FrequentOutputLoss
from pac_stability.papers.bun_livni_moran.theorems import few_outputs_to_frequent
from pac_stability.papers.guarantees import OutputCount

TRIALS = kit.Table("BLM20")
F = Fraction
Law = FiniteDistribution[int]
Target = FiniteDistribution[Example[int]]


@dataclass(frozen=True, slots=True)
class Labels:
    """A predictor as a function of the point."""

    mask: int

    def __call__(self, point: Hashable) -> int:
        """Return the label of a point."""
        return self.mask >> int(str(point)) & 1


# Losses


class Labelled(NamedTuple):
    """A sample on two points, and a labelling of them."""

    sample: Sample[Hashable]
    f: Labels


@kit.universe(
    "all samples of up to 3 examples on two points (more with the budget), all labellings of the "
    "points",
    extent="samples of up to {3, 4, 5} examples on 2 points",
)
def _samples(budget: kit.Budget) -> Iterator[Labelled]:
    for n in range(1, budget.pick(3, 4, 5) + 1):
        for sample in instances.all_labelled_samples(FiniteClass([[0, 0]]), n):
            yield from (Labelled(sample, Labels(f)) for f in range(4))


def _losses(it: Labelled) -> tuple[Fraction, Fraction]:
    """The population loss under the uniform distribution of a sample, and its empirical loss."""
    sample, f = it
    law = FiniteDistribution.mixture(
        (F(1, len(sample)), FiniteDistribution.point_mass(z)) for z in sample
    )
    return law.expectation(lambda z: int(f(z.point) != z.label)), sample.loss(f)


def _counted_losses(it: Labelled) -> tuple[Fraction, Fraction]:
    errors = F(it.sample.count_errors(it.f))
    return errors, errors


def _are_losses(
    losses: Callable[[Labelled], tuple[Fraction, Fraction]], it: Labelled
) -> Comparison:
    meant = F(sum(it.f(z.point) != z.label for z in it.sample), len(it.sample))
    return kit.same(losses(it), (meant, meant))


TRIALS.add("definition-7", "against a count", _are_losses, _samples, _losses, _counted_losses)


@kit.universe(
    "every class on up to 2 points (3 from the standard budget on), one of each kind, with every "
    "support",
    extent="classes on up to {2, 3, 3} points",
)
def _targets(budget: kit.Budget) -> Iterator[tuple[FiniteClass, Target]]:
    for m in budget.pick((1, 2), (1, 2, 3), (1, 2, 3)):
        examples = [Example(x, y) for x, y in product(range(m), (0, 1))]
        for H, chosen in product(instances.all_classes(m), product((0, 1), repeat=2 * m)):
            if any(chosen):
                support = [z for z, c in zip(examples, chosen, strict=True) if c]
                yield H, FiniteDistribution.uniform(support)


def _is_accepted(H: FiniteClass, target: Target) -> bool:
    try:
        require_realizable(H, FiniteDistribution(dict(target.items())))
    except NotRealizable:
        return False
    return True


def _has_one_label_a_point(_: FiniteClass, target: Target) -> bool:
    return len({z.point for z in target.support}) == len(target.support)


def _realizable(
    accepted: Callable[[FiniteClass, Target], bool], it: tuple[FiniteClass, Target]
) -> kit.Finding:
    H, target = it
    fits = any(
        all(h >> z.point & 1 == z.label for z in target.support) for h in literal.hypotheses_of(H)
    )
    return kit.settle(
        accepted(H, target) == fits,
        f"class {literal.class_string(H)}, examples {target.support}: a hypothesis of loss 0 "
        f"{'exists' if fits else 'does not exist'}",
    )


TRIALS.add(
    "definition-realizable", "accepted or refused", _realizable, _targets,
    _is_accepted, _has_one_label_a_point,
)  # fmt: skip

# Indistinguishable distributions, and private algorithms


class Pair(NamedTuple):
    """Two laws, e^epsilon and delta."""

    p: Law
    q: Law
    factor: Fraction
    delta: Fraction


@kit.universe("seeded pairs of laws, three factors, three deltas")
def _pairs_of_laws(budget: kit.Budget) -> Iterator[Pair]:
    factors, deltas = (F(1), F(3, 2), F(3)), (F(0), F(1, 10), F(1, 3))
    for p, q in instances.random_laws(budget.pick(40, 200, 2000), outcomes=budget.pick(4, 5, 8)):
        yield from (Pair(p, q, t, delta) for t, delta in product(factors, deltas))


def _mass(law: Law, event: tuple[int, ...]) -> Fraction:
    return sum((law.probability(o) for o in event), F(0))


def _every_event(close: Callable[[Law, Law, Epsilon, Fraction], bool], it: Pair) -> Comparison:
    p, q, t, delta = it
    outcomes = sorted({*p.support, *q.support})
    events = (e for size in range(len(outcomes) + 1) for e in combinations(outcomes, size))
    both = [(_mass(p, event), _mass(q, event)) for event in events]
    truth = all(a <= t * b + delta and b <= t * a + delta for a, b in both)
    return kit.same(close(p, q, Epsilon.exactly(t), delta), truth)


def _one_direction(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> bool:
    return closeness.hockey_stick(p, q, epsilon) <= delta


TRIALS.add(
    "definition-indistinguishability", "all events", _every_event, _pairs_of_laws,
    closeness.are_close, _one_direction,
)  # fmt: skip

LawTable = tuple[Law, ...]
"""An algorithm on two examples at one point, or two elements of {0, 1}: a law for each sample."""
_SAMPLES = tuple(product((0, 1), repeat=2))


class Algorithm(NamedTuple):
    """The laws of an algorithm on the samples 00, 01, 10, 11, and delta."""

    laws: LawTable
    delta: Fraction


@kit.universe("seeded algorithms on samples of two examples, two deltas")
def _algorithms(budget: kit.Budget) -> Iterator[Algorithm]:
    for laws in instances.random_laws(
        budget.pick(25, 200, 2000), outcomes=3, laws=4, seed="tables"
    ):
        yield from (Algorithm(laws, delta) for delta in (F(0), F(1, 5)))


def _mechanism(laws: LawTable) -> FromLaw[Sample[Hashable], int]:
    return FromLaw(lambda S: laws[_SAMPLES.index(S.labels)])


def _audited(it: Algorithm) -> object:
    return audit.differential_privacy(_mechanism(it.laws), 1, 2, it.delta).value


def _audited_for_groups(it: Algorithm) -> object:
    return audit.group_privacy(_mechanism(it.laws), 1, 2, 2, it.delta).value


def _least_factor(p: Law, q: Law, delta: Fraction) -> Fraction | float:
    """The least t >= 1 with p(E) <= t q(E) + delta for every event E."""
    least: Fraction | float = F(1)
    for event in (e for size in range(1, 4) for e in combinations(range(3), size)):
        a, b = _mass(p, event) - delta, _mass(q, event)
        if a > 0:
            least = max(least, a / b if b else math.inf)
    return least


def _private(factor: Callable[[Algorithm], object], it: Algorithm) -> Comparison:
    meant = max(
        _least_factor(it.laws[i], it.laws[j], it.delta)
        for (i, S), (j, T) in product(enumerate(_SAMPLES), repeat=2)
        if sum(a != b for a, b in zip(S, T, strict=True)) == 1
    )
    return kit.same(factor(it), meant)


TRIALS.add("definition-9", "the least factor", _private, _algorithms, _audited, _audited_for_groups)

# Global stability


class Targeted(NamedTuple):
    """The laws of an algorithm on the samples 00, 01, 10, 11, and what these are drawn from."""

    laws: LawTable
    target: Law


@kit.universe("seeded algorithms on samples of two elements, seeded targets")
def _on_targets(budget: kit.Budget) -> Iterator[Targeted]:
    even = FiniteDistribution.uniform(range(3))
    yield Targeted((even,) * 4, FiniteDistribution.uniform((0, 1)))
    count = budget.pick(60, 500, 5000)
    laws = instances.random_laws(count, outcomes=4, laws=4, seed="stable")
    yield from map(Targeted, laws, instances.random_distributions(count, 2))


def _highest_frequency(it: Targeted) -> Fraction:
    found: dict[int, Fraction] = {}
    for (a, b), law in zip(_SAMPLES, it.laws, strict=True):
        for h, q in law.items():
            p = it.target.probability(a) * it.target.probability(b) * q
            found[h] = found.get(h, F(0)) + p
    return max(found.values())


def _eta(it: Targeted, *, symmetric: bool = False) -> Fraction:
    laws = laws_by_type(
        lambda S: it.laws[_SAMPLES.index((S[0], S[1]))], (0, 1), 2, symmetric=symmetric
    )
    return most_frequent_output(laws, it.target).probability


def _stable(eta: Callable[[Targeted], Fraction], it: Targeted) -> Comparison:
    return kit.same(eta(it), _highest_frequency(it))


def _averaging(least: Callable[[int], Fraction], it: Targeted) -> Comparison:
    outputs = len({h for law in it.laws for h in law.support})
    return kit.reaches(_highest_frequency(it), least(outputs))


TRIALS.add(
    "definition-4", "all ordered samples", _stable, _on_targets,
    _eta, lambda it: _eta(it, symmetric=True),
)  # fmt: skip
TRIALS.add(
    "remark-averaging", "the most frequent output", _averaging,
    replace(_on_targets, words=f"{_on_targets.words}; the first attains 1/N"),
    lambda outputs: few_outputs_to_frequent(OutputCount(outputs)).eta,
    lambda outputs: F(1, max(1, outputs - 1)),
)  # fmt: skip

# Proposition 5: what a consistent learner outputs often has small loss


class Consistent(NamedTuple):
    """A setting, and a consistent learner.

    It is ``soa``, ``first`` (the least hypothesis that fits) or ``any`` (one of those, uniformly).
    """

    setting: literal.TournamentSetting
    learner: str

    def choices(self, T: tuple[tuple[int, int], ...]) -> list[int]:
        """Return what may be output, with equal probabilities."""
        if self.learner == "soa":
            return [self.setting.soa(T)]
        rows = sorted(literal.hypotheses_of(self.setting.H))
        found = [h for h in rows if all(h >> x & 1 == y for x, y in T)]
        return found[:1] if self.learner == "first" else found


@kit.universe(
    "every class on up to 2 points with every concept and n up to 2, then seeded ones on up to 4 "
    "points; the SOA, and two learners that output hypotheses that fit"
)
def _consistent(budget: kit.Budget) -> Iterator[Consistent]:
    seeded = random_settings(budget.pick(30, 500, 5000), points=4, rows=6, n=3)
    for settings in (uniform_settings((1, 2), (1, 2)), seeded):
        yield from (Consistent(*it) for it in product(settings, ("soa", "first", "any")))


def _outputs(it: Consistent) -> dict[int, Fraction]:
    """Pr[A(S) = h] over all samples."""
    frequencies: dict[int, Fraction] = {}
    for T, p in it.setting.blocks():
        found = it.choices(T)
        for h in found:
            frequencies[h] = frequencies.get(h, F(0)) + p / len(found)
    return frequencies


def _bounded(
    bound: Callable[[Fraction, int], Interval], it: Consistent
) -> Iterator[kit.Finding | Comparison]:
    for h, eta in _outputs(it).items():
        loss = it.setting.loss(h)
        yield kit.within(loss, bound(eta, it.setting.n), ceiling=1) if loss else kit.idle()


def _power(exponent: Callable[[int], int], it: Consistent) -> Iterator[Comparison]:
    for h, eta in _outputs(it).items():
        yield kit.within(eta, (1 - it.setting.loss(h)) ** exponent(it.setting.n), ceiling=1)


def _stated_loss(eta: Fraction, n: int) -> Interval:
    return FrequentOutputLoss(eta, n).proposition_5()


TRIALS.add(
    "proposition-5", "ln(1/eta)/n", _bounded, _consistent,
    _stated_loss, lambda eta, n: _stated_loss(eta, n) / 2,
)  # fmt: skip
TRIALS.states(
    "proposition-5",
    _stated_loss,
    lambda eta, n: Interval.log(1 / eta) / n,
    (F(1, 3), 5),
    (F(3, 4), 9),
)
TRIALS.add("proposition-5", "the power", _power, _consistent, lambda n: n, lambda n: n + 1)
