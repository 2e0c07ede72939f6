"""Recheck what is shown by the laws on all samples at once.

The laws are complete, because the probabilities of the samples that are listed sum to one; so these
certificates prove an exact value wherever the recomputation below is not too long.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TypeVar, cast

from pac_stability.checker.recheck_simulators import is_close, no_simulator
from pac_stability.checker.recheck_values import (
    Case,
    Key,
    Law,
    Limits,
    Number,
    Shown,
    add,
    as_element,
    as_key,
    as_law,
    as_list,
    as_object,
    as_parameter,
    as_probability,
    as_text,
    in_words,
    mass,
    refuse,
    times,
    total,
)
from pac_stability.errors import InvalidInput

N = TypeVar("N", bound=Number)


@dataclass(frozen=True, slots=True)
class _Row:
    """One sample (or all its orderings), its probability, and the law of the output on it."""

    sample: tuple[Key, ...]
    probability: Fraction
    law: Law


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The laws and the strategy of a certificate, read."""

    case: Case
    distribution: Law
    rows: tuple[_Row, ...]
    strategy: dict[Key, object]
    value: Number


@dataclass(frozen=True, slots=True)
class _Set:
    """A set of elements, and its probability."""

    elements: frozenset[Key]
    probability: Fraction

    @classmethod
    def of(cls, elements: frozenset[Key], evidence: _Evidence) -> _Set:
        return cls(elements, mass(elements, evidence.distribution, evidence.case.limits))

    def deviation(self, sample: tuple[Key, ...]) -> Fraction:
        """Return how far its frequency in a sample is from its probability."""
        frequency = Fraction(sum(z in self.elements for z in sample), len(sample) or 1)
        return abs(frequency - self.probability)


def check_laws(value: object, case: Case) -> Shown:
    """Check the laws on all samples, and recompute the parameter from them."""
    keys = ("kind", "up_to_order", "laws", "strategy", "value")
    fields = as_object(value, "witness", keys)
    as_text(fields["kind"], "witness.kind", ("laws",))
    up_to_order = fields["up_to_order"]
    if not isinstance(up_to_order, bool):
        raise refuse("witness.up_to_order", up_to_order, "true or false")
    distribution = case.instance.distribution
    if distribution is None:
        raise InvalidInput("instance.distribution", "none", "the distribution of an element")
    strategy: dict[Key, object] = {}
    for pair in as_list(fields["strategy"], "witness.strategy"):
        outcome, choice = as_list(pair, "witness.strategy", length=2)
        key = as_key(outcome, "witness.strategy", objects=len(case.objects))
        if key in strategy:
            raise InvalidInput("witness.strategy", "an outcome twice", "each outcome once")
        strategy[key] = choice
    rows = tuple(_rows(fields["laws"], up_to_order, case, distribution))
    work = sum(len(row.sample) * len(row.law) for row in rows)
    case.limits.spend(work, "witness.laws")
    shown = as_parameter(fields["value"], "witness.value", case.limits)
    check = {
        "global-stability": _global_stability,
        "robust-generalization": _robust_generalization,
        "robust-generalization-at-epsilon": _exceeded_deviation,
        "perfect-generalization": _perfect_generalization,
        "perfect-generalization-at-epsilon": _perfect_generalization,
        "generalization": _generalization,
        "accuracy": _accuracy,
    }[case.notion]
    return check(_Evidence(case, distribution, rows, strategy, shown))


def _rows(forms: object, up_to_order: bool, case: Case, distribution: Law) -> Iterator[_Row]:
    """Yield the samples with their probabilities, which must be all there are."""
    n, count = case.instance.n, len(case.objects)
    common = 1
    for p in distribution.values():
        common = math.lcm(common, p.denominator)
        if n * common.bit_length() > case.limits.bits:
            raise InvalidInput("instance.n", str(n), "shorter samples, or more max_bits")
    seen: set[object] = set()
    everything = Fraction(0)
    for form in as_list(forms, "witness.laws"):
        fields = as_object(form, "witness.laws", ("sample", "law"))
        sample = tuple(
            as_element(z, "witness.laws.sample", labelled=case.instance.labelled)
            for z in as_list(fields["sample"], "witness.laws.sample")
        )
        if len(sample) != n or not set(sample) <= distribution.keys():
            raise refuse("witness.laws.sample", fields["sample"], f"{n} elements of the universe")
        counts = Counter(sample)
        identity = frozenset(counts.items()) if up_to_order else sample
        if identity in seen:
            raise refuse("witness.laws.sample", fields["sample"], "each sample once")
        seen.add(identity)
        probability = _probability(counts, distribution, case.limits)
        if up_to_order:
            probability *= _orderings(counts.values(), case.limits)
        everything = add(everything, probability, case.limits)
        law = as_law(fields["law"], "witness.laws.law", count, case.limits)
        yield _Row(sample, probability, law)
    if everything != 1:
        given = f"samples of total probability {in_words(everything)}"
        raise InvalidInput("witness.laws", given, "all samples")


def _probability(counts: Counter[Key], distribution: Law, limits: Limits) -> Fraction:
    """Return the probability of a sample in a fixed order."""
    result = Fraction(1)
    for element, count in counts.items():
        result = times(result, distribution[element] ** count, limits)
    return result


def _orderings(multiplicities: Iterable[int], limits: Limits) -> int:
    """Return in how many orders a sample can be written."""
    so_far, orderings = 0, 1
    for multiplicity in multiplicities:
        so_far += multiplicity
        limits.spend(so_far * so_far.bit_length() ** 2 >> 9, "witness.laws.sample")
        orderings *= math.comb(so_far, multiplicity)
    return orderings


_COMPLETE = "there is a law for every sample: their probabilities sum to 1"


def _exactly(evidence: _Evidence, proved: str) -> Shown:
    """Return that the parameter is what the certificate says, and nothing else."""
    refutes = evidence.case.claim_fails(evidence.value)
    return Shown(evidence.value, refutes, exact=True, proved=(_COMPLETE, proved))


def _global_stability(evidence: _Evidence) -> Shown:
    """The probability of the most frequent output."""
    limits = evidence.case.limits
    frequency: dict[Key, Fraction] = {}
    for row in evidence.rows:
        for outcome, p in row.law.items():
            sofar = frequency.get(outcome, Fraction(0))
            frequency[outcome] = add(sofar, times(row.probability, p, limits), limits)
    largest = max(frequency.values())
    if evidence.value != largest:
        raise InvalidInput("witness.value", in_words(evidence.value), in_words(largest))
    for outcome, choice in evidence.strategy.items():
        written = as_probability(choice, "witness.strategy", limits)
        if not written == frequency.get(outcome) == largest:
            raise refuse("witness.strategy", choice, "a most frequent output and its probability")
    return _exactly(evidence, f"the most frequent output has probability {in_words(largest)}")


def _robust_generalization(evidence: _Evidence) -> Shown:
    """The smallest deviation that an adversary exceeds with probability delta at most.

    The adversary answers each output with a test, a set of elements. The deviation is the distance
    between the frequency of the test in the sample and its probability.
    """
    case, delta, bound = evidence.case, evidence.case.instance.delta, evidence.value
    if isinstance(bound, float) or bound < 0:
        raise InvalidInput("witness.value", in_words(bound), "a number from 0 to 1")
    found = _frequency(evidence, lambda deviation: deviation >= bound)
    attained = bound == 0 or found > delta
    adversary = (
        f"the adversary of the certificate makes deviations of {in_words(bound)} or more with "
        f"probability {in_words(found)}, where delta is {in_words(delta)}"
    )
    steps = sum(len(row.law) + len(row.sample) for row in evidence.rows)
    if steps << len(evidence.distribution) > case.limits.left:
        refutes = attained and case.claim_fails(bound)
        trusted = ["that no adversary exceeds the value with more than delta"]
        if not attained:
            trusted.append("that another adversary attains it")
        return Shown(bound, refutes, False, (_COMPLETE, adversary), tuple(trusted))
    case.limits.spend(steps << len(evidence.distribution), "witness.laws")
    # All tests: the best adversary reaches the value with more than delta, and cannot exceed it so.
    reached, exceeded = _best_adversary(evidence, bound)
    if exceeded > delta or (bound > 0 and reached <= delta):
        given = (
            f"{in_words(bound)}, which is reached with probability {in_words(reached)} and "
            f"exceeded with {in_words(exceeded)}"
        )
        raise InvalidInput("witness.value", given, f"the two on both sides of {in_words(delta)}")
    return _exactly(evidence, f"{adversary}; no adversary exceeds that with more than delta")


def _frequency(evidence: _Evidence, counts: Callable[[Fraction], bool]) -> Fraction:
    """Return how often the tests of the certificate make a deviation that counts."""
    case = evidence.case
    tests = {outcome: _Set.of(test, evidence) for outcome, test in _choices(evidence).items()}
    nothing = _Set(frozenset(), Fraction(0))
    found = Fraction(0)
    for row in evidence.rows:
        for outcome, p in row.law.items():
            if counts(tests.get(outcome, nothing).deviation(row.sample)):
                found = add(found, times(row.probability, p, case.limits), case.limits)
    return found


def _exceeded_deviation(evidence: _Evidence) -> Shown:
    """The probability with which the best adversary exceeds a fixed deviation."""
    case, deviation, value = evidence.case, evidence.case.instance.own["deviation"], evidence.value
    found = _frequency(evidence, lambda amount: amount > deviation)
    if found != value:
        raise InvalidInput("witness.value", in_words(value), f"{in_words(found)}, as the tests do")
    adversary = (
        f"the adversary of the certificate makes deviations of more than {in_words(deviation)} "
        f"with probability {in_words(found)}"
    )
    steps = sum(len(row.law) + len(row.sample) for row in evidence.rows)
    if steps << len(evidence.distribution) > case.limits.left:
        trusted = ("that no adversary does so more often",)
        return Shown(value, case.claim_fails(value), False, (_COMPLETE, adversary), trusted)
    case.limits.spend(steps << len(evidence.distribution), "witness.laws")
    _, exceeded = _best_adversary(evidence, deviation)
    if exceeded > found:
        raise InvalidInput("witness.value", in_words(value), f"{in_words(exceeded)}, the largest")
    return _exactly(evidence, f"{adversary}; no adversary does so more often")


def _best_adversary(evidence: _Evidence, bound: Fraction) -> tuple[Fraction, Fraction]:
    """Return how often the best adversary reaches a deviation, and how often one exceeds it."""
    reached: dict[Key, Fraction] = {}
    exceeded: dict[Key, Fraction] = {}
    elements, limits = list(evidence.distribution), evidence.case.limits
    for size in range(len(elements) + 1):
        for chosen in combinations(elements, size):
            test = _Set.of(frozenset(chosen), evidence)
            at_least: dict[Key, Fraction] = {}
            more: dict[Key, Fraction] = {}
            for row in evidence.rows:
                deviation = test.deviation(row.sample)
                counted = [at_least] * (deviation >= bound) + [more] * (deviation > bound)
                for outcome, p in row.law.items():
                    for masses in counted:
                        sofar = masses.get(outcome, Fraction(0))
                        masses[outcome] = add(sofar, times(row.probability, p, limits), limits)
            for best, mine in ((reached, at_least), (exceeded, more)):
                for outcome, p in mine.items():
                    best[outcome] = max(p, best.get(outcome, p))
    return total(reached.values(), limits), total(exceeded.values(), limits)


def _choices(evidence: _Evidence) -> dict[Key, frozenset[Key]]:
    """Return the strategy of a certificate that chooses elements for each output."""
    instance = evidence.case.instance
    universe = set(instance.universe)
    choices: dict[Key, frozenset[Key]] = {}
    for outcome, forms in evidence.strategy.items():
        elements = frozenset(
            as_element(z, "witness.strategy", labelled=instance.labelled)
            for z in as_list(forms, "witness.strategy")
        )
        if not elements <= universe:
            raise refuse("witness.strategy", forms, "elements of the universe")
        choices[outcome] = elements
    return choices


def _generalization(evidence: _Evidence) -> Shown:
    """The smallest alpha by which error and error on the sample differ, up to beta."""
    wrong = _mistakes(evidence)
    return _smallest_alpha(evidence, lambda row, outcome: wrong[outcome].deviation(row.sample))


def _accuracy(evidence: _Evidence) -> Shown:
    """The smallest alpha by which the error exceeds OPT, up to beta."""
    optimum = evidence.case.instance.optimum
    wrong = _mistakes(evidence)
    shown = _smallest_alpha(evidence, lambda _, outcome: wrong[outcome].probability - optimum)
    if not optimum:
        return shown
    trusted = f"that {in_words(optimum)} is the smallest error in the class"
    return replace(shown, trusted=(*shown.trusted, trusted))


def _mistakes(evidence: _Evidence) -> dict[Key, _Set]:
    """Return the examples on which each output errs; known hypotheses must err on these."""
    if not evidence.case.instance.labelled:
        raise InvalidInput("instance.labelled", "false", "examples, for a notion about errors")
    wrong = _choices(evidence)
    if not {outcome for row in evidence.rows for outcome in row.law} <= wrong.keys():
        raise InvalidInput("witness.strategy", "an output without its mistakes", "all outputs")
    for index, table in enumerate(evidence.case.objects):
        mistakes = wrong.get(f"object {index}", frozenset())
        for point, label in table.items():
            for given in (0, 1):
                example = f"example {point} {given}"
                errs = example in mistakes
                if example in evidence.distribution and errs != (given != label):
                    raise InvalidInput(
                        "witness.strategy", "other mistakes", "those of the hypothesis"
                    )
    return {outcome: _Set.of(examples, evidence) for outcome, examples in wrong.items()}


def _smallest_alpha(evidence: _Evidence, excess: Callable[[_Row, Key], Fraction]) -> Shown:
    """Check that the value is exceeded with probability beta at most, and nothing less is."""
    beta, alpha = evidence.case.instance.beta, evidence.value
    limits = evidence.case.limits
    over = reached = Fraction(0)
    for row in evidence.rows:
        for outcome, p in row.law.items():
            amount = excess(row, outcome)
            if amount >= alpha:
                reached = add(reached, times(row.probability, p, limits), limits)
            if amount > alpha:
                over = add(over, times(row.probability, p, limits), limits)
    if over > beta or alpha < 0 or (alpha > 0 and reached <= beta):
        given = (
            f"{in_words(alpha)}, which is reached with probability {in_words(reached)} and "
            f"exceeded with {in_words(over)}"
        )
        raise InvalidInput("witness.value", given, f"the two on both sides of {in_words(beta)}")
    proved = (
        f"where the outputs err as written, {in_words(alpha)} is exceeded with probability "
        f"{in_words(over)} and reached with {in_words(reached)}, where beta is {in_words(beta)}"
    )
    shown = _exactly(evidence, proved)
    return replace(shown, trusted=("that the outputs err on the examples written there",))


def _perfect_generalization(evidence: _Evidence) -> Shown:
    """A factor, or a delta, at which a simulator is close on all but beta of the samples."""
    case, instance, value = evidence.case, evidence.case.instance, evidence.value
    simulator = {
        outcome: as_probability(p, "witness.strategy", case.limits)
        for outcome, p in evidence.strategy.items()
    }
    if total(simulator.values(), case.limits) != 1:
        raise InvalidInput("witness.strategy", "another sum", "a simulator: a sum of exactly 1")
    name = "factor" if case.asked.factor else "delta"
    if value < case.asked.factor or (value == math.inf and not case.asked.factor):
        raise InvalidInput(
            "witness.value", in_words(value), f"a {name} of at least {int(case.asked.factor)}"
        )
    covered = Fraction(0)
    for row in evidence.rows:
        if is_close(row.law, simulator, *_closeness(case, value), case.limits):
            covered = add(covered, row.probability, case.limits)
    if value != math.inf and covered < 1 - instance.beta:
        given = f"a simulator that is close with probability {in_words(covered)}"
        raise InvalidInput("witness.strategy", given, f"1 - beta, {in_words(1 - instance.beta)}")
    proved = (
        _COMPLETE,
        f"the simulator of the certificate is close to the laws, at the {name} {in_words(value)}, "
        f"on samples of probability {in_words(covered)}",
    )[: 1 if value == math.inf else 2]
    fails = case.claim_fails(value)
    laws = [(row.probability, row.law) for row in evidence.rows]
    refutes = (
        fails
        and case.claim is not None
        and no_simulator(laws, *_closeness(case, case.claim), instance.beta, case.limits)
    )
    trusted = f"that no simulator has a smaller {name}"
    if fails and not refutes:
        trusted += ", and so that the claim fails"
    return Shown(value, refutes, exact=False, proved=proved, trusted=(trusted,))


def _closeness(case: Case, value: N) -> tuple[N | Fraction, Fraction]:
    """Return a value of the parameter as a factor, with the delta beside it."""
    if case.asked.factor:
        return value, case.instance.delta
    return case.instance.epsilon_ratio, cast("Fraction", value)
