"""Audits on a given distribution: generalization in its kinds, global stability, accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Never, Unpack, cast

from pac_stability.arguments import AnyNumber, as_number, as_probability
from pac_stability.arithmetic import Epsilon, as_epsilon
from pac_stability.audit._words import said_of_draws
from pac_stability.audit.notion import EPSILON, About, Notion, Parameter
from pac_stability.audit.options import RunOptions
from pac_stability.audit.results import AuditResult, LawsWitness
from pac_stability.audit.search.distributional import SampledLaws, sampled_laws
from pac_stability.audit.search.engine import enclosed_value
from pac_stability.audit.search.over_pairs import at_epsilon
from pac_stability.audit.subjects import LawSubject
from pac_stability.data import Example, FiniteDistribution
from pac_stability.notions import (
    accuracy as accuracy_notion,
    generalization as generalization_notion,
    global_stability as global_stability_notion,
    losses,
    perfect_generalization as perfect_notion,
    robust_generalization as robust_notion,
)
from pac_stability.notions.by_type import LawsByType
from pac_stability.notions.frontier import probability_of

Errs = Callable[[Never, Never], bool]


@said_of_draws
def robust_generalization(
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    delta: AnyNumber = 0,
    *,
    claim: AnyNumber | None = None,
    epsilon: AnyNumber | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult[LawsWitness]:
    """Return the smallest epsilon for which an algorithm generalizes robustly.

    An adversary sees the output on n draws from D, but not the sample, and names a test: a set of
    possible draws, thus of examples with their labels where the draws are examples. The probability
    that the frequency of the test on the sample is off its probability by more than epsilon is at
    most delta, whatever the adversary (CLNRW16, Definition 5, the probability taken jointly).

    Parameters
    ----------
    delta
        The probability of failure that is allowed.
    claim
        An epsilon that is claimed, an exact number; or a delta, where epsilon is fixed.
    epsilon
        In place of delta: what is fixed, so that the value is the least delta.

    Returns
    -------
    AuditResult
        The value is epsilon, a difference of frequencies. The strategy of the witness is the
        test that an adversary makes of each output; it deviates by the value or more with a
        probability of more than delta. Where epsilon is fixed the value is the probability with
        which the best adversary exceeds it.

    Notes
    -----
    :func:`pac_stability.notions.robust_generalization.minimal_epsilon` says what it costs.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> coin = FiniteDistribution.uniform([0, 1])
    >>> reveal = Deterministic(lambda sample: sample)
    >>> robust_generalization(reveal, coin, 3, "1/4").value
    Fraction(1, 6)
    >>> robust_generalization(reveal, coin, 3, epsilon="1/6").value
    Fraction(1, 4)
    """
    allowed = probability_of(delta)
    if epsilon is not None:
        notion = at_epsilon(Notion.ROBUST_GENERALIZATION, allowed)
        deviation = robust_notion.tolerated_deviation(epsilon)
        found = sampled_laws(
            notion, mechanism, distribution, n, claim, options, deviation=deviation
        )
        adversary = robust_notion.optimal_adversary(found.laws, found.samples, deviation)
        return found.result(adversary.failure, adversary.tests)
    notion = Notion.ROBUST_GENERALIZATION
    found = sampled_laws(notion, mechanism, distribution, n, claim, options, delta=allowed)
    best = robust_notion.minimal_epsilon(found.laws, found.samples, allowed)
    return found.result(best.epsilon, (best.below or best.above).tests)


Notion.ROBUST_GENERALIZATION = Notion(
    "robust-generalization",
    Parameter("epsilon"),
    About.DRAWS,
    "whoever sees the output finds a test on which sample and distribution differ by more than "
    "epsilon with probability at most delta",
    robust_generalization,
    fixed=("delta",),
    strategy=(
        "the test that is made of an output",
        "This adversary answers an output with a test, a set of elements",
    ),
)


@said_of_draws
def perfect_generalization(
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    beta: AnyNumber,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    epsilon: Epsilon | AnyNumber | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult[LawsWitness]:
    """Return the factor of the smallest epsilon for which an algorithm generalizes perfectly.

    There is a simulator, a law that does not see the sample, to which the law of the output is
    (epsilon, delta)-close on all samples but a share of beta (CLNRW16, Definition 8, for one D).

    Parameters
    ----------
    beta
        The share of samples, in probability, on which the laws may be far apart.
    delta
        The other parameter of closeness.

    Returns
    -------
    AuditResult
        The value is e**epsilon, infinity, or an enclosure of it; or the least delta. The strategy
        of the witness is the law of the best simulator found.

    Notes
    -----
    :func:`pac_stability.notions.perfect_generalization.minimal_epsilon` says when it is exact.

    Examples
    --------
    >>> from fractions import Fraction
    >>> coin = FiniteDistribution.uniform([0, 1])
    >>> def noisy(sample, rng):
    ...     return sample[0] ^ rng.bernoulli(Fraction(1, 5))
    >>> result = perfect_generalization(noisy, coin, 1, 0)
    >>> result.value, dict(result.witness.strategy)
    (Fraction(5, 2), {0: Fraction(1, 2), 1: Fraction(1, 2)})
    """
    allowed, share = probability_of(delta), as_number(beta, "beta")
    notion = Notion.PERFECT_GENERALIZATION
    if epsilon is not None:
        notion = at_epsilon(notion, allowed)
        factor = as_epsilon(epsilon)
        found = sampled_laws(
            notion, mechanism, distribution, n, claim, options,
            beta=share, epsilon_ratio=factor.ratio,
        )  # fmt: skip
        best = perfect_notion.minimal_delta(found.laws, found.samples, share, factor)
    else:
        found = sampled_laws(
            notion, mechanism, distribution, n, claim, options, delta=allowed, beta=share
        )
        best = perfect_notion.minimal_epsilon(found.laws, found.samples, share, allowed)
    value, note = enclosed_value(best.lower, best.upper)
    return found.result(value, best.simulator.items(), shown=best.upper, note=note)


Notion.PERFECT_GENERALIZATION = Notion(
    "perfect-generalization",
    EPSILON,
    About.DRAWS,
    "for all samples but a fraction beta, a simulator that knows only the distribution "
    "imitates the output up to the factor e^epsilon, but for delta",
    perfect_generalization,
    fixed=("delta", "beta"),
    strategy=("simulator", "This simulator imitates them"),
    in_writing=True,
)


@said_of_draws
def global_stability(
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    *,
    claim: AnyNumber | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult[LawsWitness]:
    """Return the probability of the most frequent output: the largest eta of global stability.

    An algorithm is (n, eta)-globally stable on D if some output has probability at least eta on n
    draws from D (BLM20, Definition 4).

    Parameters
    ----------
    claim
        An eta that is claimed, an exact number; the value must be at least so much.

    Returns
    -------
    AuditResult
        The value is eta. The strategy of the witness is that output with its probability.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> die = FiniteDistribution.uniform([1, 2, 3])
    >>> result = global_stability(Deterministic(max), die, 2, claim="1/2")
    >>> result.value, result.verdict.value, result.witness.strategy
    (Fraction(5, 9), 'verified', ((3, Fraction(5, 9)),))
    """
    found = sampled_laws(Notion.GLOBAL_STABILITY, mechanism, distribution, n, claim, options)
    best = global_stability_notion.most_frequent_output(found.by_type, distribution)
    return found.result(best.probability, ((best.output, best.probability),))


Notion.GLOBAL_STABILITY = Notion(
    "global-stability",
    Parameter("eta", larger_is_better=True),
    About.DRAWS,
    "one output appears with probability at least eta",
    global_stability,
    strategy=("most frequent output", "The most frequent output, and its probability"),
    in_writing=True,
)


@said_of_draws
def generalization(
    mechanism: LawSubject,
    distribution: FiniteDistribution[Example[object]],
    n: int,
    beta: AnyNumber,
    *,
    claim: AnyNumber | None = None,
    errs: Errs | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult[LawsWitness]:
    """Return the smallest alpha by which the errors on the sample and under D differ.

    For the output h on a sample S of n draws from D, |err(h) - err(S, h)| exceeds alpha with
    probability at most beta (CLNRW16, Definition 1).

    Parameters
    ----------
    distribution
        D, the law of one ``Example``.
    beta
        The probability of failure that is allowed.
    claim
        An alpha that is claimed, an exact number.
    errs
        Whether an output errs on an example; by default outputs are hypotheses.

    Returns
    -------
    AuditResult
        The value is alpha. The strategy of the witness names the examples on which each output
        errs.

    Examples
    --------
    >>> from pac_stability.data import Deterministic, all_examples
    >>> fair = FiniteDistribution.uniform(all_examples("a"))
    >>> first = Deterministic(lambda S: S.labels[0])
    >>> generalization(first, fair, 2, "1/4", errs=lambda label, z: label != z.label).value
    Fraction(1, 2)
    """
    share = as_probability(beta, "beta")
    found = sampled_laws(
        Notion.GENERALIZATION, mechanism, distribution, n, claim, options, beta=share
    )
    alpha = generalization_notion.minimal_alpha(
        _learner_laws(found), distribution, share, errs=_judge(errs)
    )
    return found.result(alpha, _mistakes(found, errs))


_MISTAKES = ("where an output errs", "The examples on which each output errs")

Notion.GENERALIZATION = Notion(
    "generalization",
    Parameter("alpha"),
    About.EXAMPLES,
    "error on the sample and true error differ by more than alpha with probability at most beta",
    generalization,
    fixed=("beta",),
    strategy=_MISTAKES,
)


def accuracy(
    mechanism: LawSubject,
    distribution: FiniteDistribution[Example[object]],
    n: int,
    beta: AnyNumber,
    *,
    hypotheses: Iterable[object] | None = None,
    claim: AnyNumber | None = None,
    errs: Errs | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult[LawsWitness]:
    """Return the smallest alpha by which the error of the output exceeds the best one.

    For the output h on n draws from D, err(h) exceeds OPT + alpha with probability at most beta
    (CLNRW16, Definitions 2 and 3).

    Parameters
    ----------
    mechanism, distribution, n
        As for :func:`generalization`.
    beta
        The probability of failure that is allowed.
    hypotheses
        The class whose smallest error is OPT; by default OPT is 0, as it is where the examples are
        labelled by a member of the class.
    claim, errs, **options
        As for :func:`generalization`.

    Returns
    -------
    AuditResult
        The value is alpha. The strategy of the witness names the examples on which each output
        errs.

    Raises
    ------
    InvalidInput, SubjectFailure, AuditStopped
        As for :func:`generalization`.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> halves = FiniteDistribution.uniform([Example("a", 0), Example("b", 1)])
    >>> ones = Deterministic(lambda S: frozenset(x for x, y in zip(S.points, S.labels) if y))
    >>> errs = lambda ones, z: (z.point in ones) != z.label
    >>> accuracy(ones, halves, 2, "1/4", errs=errs).value
    Fraction(0, 1)
    >>> accuracy(ones, halves, 2, "1/5", errs=errs).value
    Fraction(1, 2)
    """
    share = as_probability(beta, "beta")
    found = sampled_laws(Notion.ACCURACY, mechanism, distribution, n, claim, options, beta=share)
    members = None if hypotheses is None else tuple(hypotheses)
    alpha = accuracy_notion.minimal_alpha(
        _learner_laws(found), distribution, share, hypotheses=members, errs=_judge(errs)
    )
    best = Fraction(0)
    if members is not None:
        best = losses.optimal_error(members, distribution, errs=_judge(errs))
    return found.result(alpha, _mistakes(found, errs), optimum=best)


Notion.ACCURACY = Notion(
    "accuracy",
    Parameter("alpha"),
    About.EXAMPLES,
    "the error exceeds the best possible one by more than alpha with probability at most beta",
    accuracy,
    fixed=("beta",),
    strategy=_MISTAKES,
)


def _mistakes(found: SampledLaws, errs: Errs | None) -> tuple[tuple[object, object], ...]:
    """Return every output with the examples on which it errs."""
    universe = cast("tuple[Example[object], ...]", found.instance.universe)
    outputs = dict.fromkeys(output for law in found.laws.values() for output in law.support)
    return tuple(
        (output, tuple(z for z in universe if z in wrong))
        for output, wrong in losses.mistakes(outputs, universe, _judge(errs))
    )


def _learner_laws(found: SampledLaws) -> LawsByType[Example[object], object]:
    return cast("LawsByType[Example[object], object]", found.by_type)


def _judge(errs: Errs | None) -> Callable[[object, Example[object]], bool] | None:
    return cast("Callable[[object, Example[object]], bool] | None", errs)
