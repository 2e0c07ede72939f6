"""Notions about random samples, without simulators: the checker recomputes each from the laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from pac_stability.checker.fields import (
    Asked,
    Key,
    Shown,
    add,
    as_element,
    as_list,
    as_probability,
    in_words,
    refuse,
    times,
    total,
)
from pac_stability.checker.pairs import COMPLETE, Test, WrittenLaw, WrittenLaws, exactly
from pac_stability.errors import InvalidInput


def _global_stability(evidence: WrittenLaws) -> Shown:
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
    return exactly(evidence, f"the most frequent output has probability {in_words(largest)}")


def _robust_generalization(evidence: WrittenLaws) -> Shown:
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
        return Shown(bound, refutes, False, (COMPLETE, adversary), tuple(trusted))
    case.limits.spend(steps << len(evidence.distribution), "witness.laws")
    # All tests: the best adversary reaches the value with more than delta, and cannot exceed it so.
    reached, exceeded = _best_adversary(evidence, bound)
    if exceeded > delta or (bound > 0 and reached <= delta):
        given = (
            f"{in_words(bound)}, which is reached with probability {in_words(reached)} and "
            f"exceeded with {in_words(exceeded)}"
        )
        raise InvalidInput("witness.value", given, f"the two on both sides of {in_words(delta)}")
    return exactly(evidence, f"{adversary}; no adversary exceeds that with more than delta")


def _frequency(evidence: WrittenLaws, counts: Callable[[Fraction], bool]) -> Fraction:
    """Return the probability that the certificate's tests have a deviation that ``counts``."""
    case = evidence.case
    tests = {outcome: Test.of(test, evidence) for outcome, test in _choices(evidence).items()}
    nothing = Test(frozenset(), Fraction(0))
    found = Fraction(0)
    for row in evidence.rows:
        for outcome, p in row.law.items():
            if counts(tests.get(outcome, nothing).deviation(row.sample)):
                found = add(found, times(row.probability, p, case.limits), case.limits)
    return found


def _exceeded_deviation(evidence: WrittenLaws) -> Shown:
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
        return Shown(value, case.claim_fails(value), False, (COMPLETE, adversary), trusted)
    case.limits.spend(steps << len(evidence.distribution), "witness.laws")
    _, exceeded = _best_adversary(evidence, deviation)
    if exceeded > found:
        raise InvalidInput("witness.value", in_words(value), f"{in_words(exceeded)}, the largest")
    return exactly(evidence, f"{adversary}; no adversary does so more often")


def _best_adversary(evidence: WrittenLaws, bound: Fraction) -> tuple[Fraction, Fraction]:
    """Return the probabilities that the best adversary reaches a deviation, and exceeds it."""
    reached: dict[Key, Fraction] = {}
    exceeded: dict[Key, Fraction] = {}
    elements, limits = list(evidence.distribution), evidence.case.limits
    for size in range(len(elements) + 1):
        for chosen in combinations(elements, size):
            test = Test.of(frozenset(chosen), evidence)
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


def _choices(evidence: WrittenLaws) -> dict[Key, frozenset[Key]]:
    """Return the certificate's strategy: a set of elements for each output."""
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


def _generalization(evidence: WrittenLaws) -> Shown:
    """The smallest alpha that |error - empirical error| exceeds with probability beta at most."""
    wrong = _mistakes(evidence)
    return _smallest_alpha(evidence, lambda row, outcome: wrong[outcome].deviation(row.sample))


def _accuracy(evidence: WrittenLaws) -> Shown:
    """The smallest alpha that error - OPT exceeds with probability beta at most."""
    optimum = evidence.case.instance.optimum
    wrong = _mistakes(evidence)
    shown = _smallest_alpha(evidence, lambda _, outcome: wrong[outcome].probability - optimum)
    if not optimum:
        return shown
    trusted = f"that {in_words(optimum)} is the smallest error in the class"
    return replace(shown, trusted=(*shown.trusted, trusted))


def _mistakes(evidence: WrittenLaws) -> dict[Key, Test]:
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
    return {outcome: Test.of(examples, evidence) for outcome, examples in wrong.items()}


def _smallest_alpha(evidence: WrittenLaws, excess: Callable[[WrittenLaw, Key], Fraction]) -> Shown:
    """Check that the value is the least that is exceeded with probability beta at most."""
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
    shown = exactly(evidence, proved)
    return replace(shown, trusted=("that the outputs err on the examples written there",))


NOTIONS: Mapping[str, Asked] = {
    "robust-generalization": Asked(fixed=("delta",), laws=_robust_generalization),
    "robust-generalization-at-epsilon": Asked(fixed=("deviation",), laws=_exceeded_deviation),
    "global-stability": Asked(at_least=True, laws=_global_stability),
    "generalization": Asked(fixed=("beta",), laws=_generalization),
    "accuracy": Asked(fixed=("beta", "optimum"), laws=_accuracy),
}
