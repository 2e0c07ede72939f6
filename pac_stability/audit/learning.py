"""Audits on a given distribution: generalization in its kinds, global stability, accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Never, Unpack, cast

from pac_stability.arguments import AnyNumber, as_number, as_probability
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.claimed import Claim
from pac_stability.audit.options import RunOptions
from pac_stability.audit.results import AuditResult, Notion
from pac_stability.audit.search.distributional import SampledLaws, sampled_laws
from pac_stability.audit.search.engine import enclosed_value
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


def robust_generalization(
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    delta: AnyNumber,
    *,
    claim: AnyNumber | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult:
    """Return the smallest epsilon for which an algorithm generalizes robustly.

    An adversary sees the output on n draws from D, but not the sample, and names a test: a set of
    possible draws, thus of examples with their labels where the draws are examples. The probability
    that the frequency of the test on the sample is off its probability by more than epsilon is at
    most delta, whatever the adversary (CLNRW16, Definition 5, the probability taken jointly).

    Parameters
    ----------
    mechanism
        The algorithm under audit, in any of the shapes that have a law: an object with ``law``, a
        function of the sample that returns one, or a program of the sample and ``rng``.
    distribution
        D, the law of one draw. Draws of ``Example``s make a ``Sample``, others a tuple.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure that is allowed.
    claim
        An epsilon that is claimed, an exact number.
    **options
        See :class:`~pac_stability.audit.options.RunOptions`.

    Returns
    -------
    AuditResult
        The value is epsilon, a difference of frequencies. The strategy of the witness is the
        test that an adversary makes of each output; it deviates by the value or more with a
        probability of more than delta.

    Raises
    ------
    InvalidInput
        An argument is not as described, or a law is known up to intervals only.
    SubjectFailure
        The algorithm raised, gave something that is no law, or two different answers on one sample.
    AuditStopped
        A limit was reached, or there are more samples than the limits allow.

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
    """
    claimed = Claim.of_number(claim)
    allowed = probability_of(delta)
    found = sampled_laws(Notion.ROBUST_GENERALIZATION, mechanism, distribution, n, options)
    found = replace(found, instance=replace(found.instance, delta=allowed))
    best = robust_notion.minimal_epsilon(found.laws, found.samples, allowed)
    adversary = best.below or best.above
    return found.result(best.epsilon, claimed, adversary.tests, shown=best.epsilon)


def perfect_generalization(
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    beta: AnyNumber,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult:
    """Return the factor of the smallest epsilon for which an algorithm generalizes perfectly.

    There is a simulator, a law that does not see the sample, to which the law of the output is
    (epsilon, delta)-close on all samples but a share of beta (CLNRW16, Definition 8, for one D).

    Parameters
    ----------
    mechanism
        The algorithm under audit, in any of the shapes that have a law: an object with ``law``, a
        function of the sample that returns one, or a program of the sample and ``rng``.
    distribution
        D, the law of one draw. Draws of ``Example``s make a ``Sample``, others a tuple.
    n
        The size of the samples, at least 1.
    beta
        The share of samples, in probability, on which the laws may be far apart.
    delta
        The other parameter of closeness.
    claim
        An epsilon that is claimed: a number, or an ``Epsilon``.
    **options
        See :class:`~pac_stability.audit.options.RunOptions`.

    Returns
    -------
    AuditResult
        The value is e**epsilon, infinity, or an enclosure of it. The strategy of the witness is the
        law of the best simulator found.

    Raises
    ------
    InvalidInput
        An argument is not as described, or a law is known up to intervals only.
    SubjectFailure
        The algorithm raised, gave something that is no law, or two different answers on one sample.
    AuditStopped
        A limit was reached, or there are more samples than the limits allow.

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
    claimed = Claim.of_epsilon(claim)
    allowed, share = probability_of(delta), as_number(beta, "beta")
    found = sampled_laws(Notion.PERFECT_GENERALIZATION, mechanism, distribution, n, options)
    found = replace(found, instance=replace(found.instance, delta=allowed, beta=share))
    best = perfect_notion.minimal_epsilon(found.laws, found.samples, share, allowed)
    value, note = enclosed_value(best.lower, best.upper)
    return found.result(value, claimed, best.simulator.items(), shown=best.upper, note=note)


def global_stability(
    mechanism: LawSubject,
    distribution: FiniteDistribution[object],
    n: int,
    *,
    claim: AnyNumber | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult:
    """Return the probability of the most frequent output: the largest eta of global stability.

    An algorithm is (n, eta)-globally stable on D if some output has probability at least eta on n
    draws from D (BLM20, Definition 4).

    Parameters
    ----------
    mechanism
        The algorithm under audit, in any of the shapes that have a law: an object with ``law``, a
        function of the sample that returns one, or a program of the sample and ``rng``.
    distribution
        D, the law of one draw. Draws of ``Example``s make a ``Sample``, others a tuple.
    n
        The size of the samples, at least 1.
    claim
        An eta that is claimed, an exact number; the value must be at least so much.
    **options
        See :class:`~pac_stability.audit.options.RunOptions`.

    Returns
    -------
    AuditResult
        The value is eta. The strategy of the witness is that output with its probability.

    Raises
    ------
    InvalidInput
        An argument is not as described, or a law is known up to intervals only.
    SubjectFailure
        The algorithm raised, gave something that is no law, or two different answers on one sample.
    AuditStopped
        A limit was reached, or there are more samples than the limits allow.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> die = FiniteDistribution.uniform([1, 2, 3])
    >>> result = global_stability(Deterministic(max), die, 2, claim="1/2")
    >>> result.value, result.verdict.value, result.witness.strategy
    (Fraction(5, 9), 'verified', ((3, Fraction(5, 9)),))
    """
    claimed = Claim.of_number(claim)
    found = sampled_laws(Notion.GLOBAL_STABILITY, mechanism, distribution, n, options)
    best = global_stability_notion.most_frequent_output(found.by_type, distribution)
    strategy = ((best.output, best.probability),)
    return found.result(best.probability, claimed, strategy, shown=best.probability, at_least=True)


def generalization(
    mechanism: LawSubject,
    distribution: FiniteDistribution[Example[object]],
    n: int,
    beta: AnyNumber,
    *,
    claim: AnyNumber | None = None,
    errs: Errs | None = None,
    **options: Unpack[RunOptions],
) -> AuditResult:
    """Return the smallest alpha by which the errors on the sample and under D differ.

    For the output h on a sample S of n draws from D, |err(h) - err(S, h)| exceeds alpha with
    probability at most beta (CLNRW16, Definition 1).

    Parameters
    ----------
    mechanism
        The algorithm under audit, in any of the shapes that have a law: an object with ``law``, a
        function of the sample that returns one, or a program of the sample and ``rng``.
    distribution
        D, the law of one ``Example``.
    n
        The size of the samples, at least 1.
    beta
        The probability of failure that is allowed.
    claim
        An alpha that is claimed, an exact number.
    errs
        Whether an output errs on an example; by default outputs are hypotheses.
    **options
        See :class:`~pac_stability.audit.options.RunOptions`.

    Returns
    -------
    AuditResult
        The value is alpha. The strategy of the witness names the examples on which each output
        errs.

    Raises
    ------
    InvalidInput
        An argument is not as described, or a law is known up to intervals only.
    SubjectFailure
        The algorithm raised, gave something that is no law, or two different answers on one sample.
    AuditStopped
        A limit was reached, or there are more samples than the limits allow.

    Examples
    --------
    >>> from pac_stability.data import Deterministic, all_examples
    >>> fair = FiniteDistribution.uniform(all_examples("a"))
    >>> first = Deterministic(lambda S: S.labels[0])
    >>> generalization(first, fair, 2, "1/4", errs=lambda label, z: label != z.label).value
    Fraction(1, 2)
    """
    claimed = Claim.of_number(claim)
    share = as_probability(beta, "beta")
    found = sampled_laws(Notion.GENERALIZATION, mechanism, distribution, n, options, labelled=True)
    found = replace(found, instance=replace(found.instance, beta=share))
    alpha = generalization_notion.minimal_alpha(
        _learner_laws(found), distribution, share, errs=_judge(errs)
    )
    return found.result(alpha, claimed, _mistakes(found, errs), shown=alpha)


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
) -> AuditResult:
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
    claimed = Claim.of_number(claim)
    share = as_probability(beta, "beta")
    found = sampled_laws(Notion.ACCURACY, mechanism, distribution, n, options, labelled=True)
    members = None if hypotheses is None else tuple(hypotheses)
    alpha = accuracy_notion.minimal_alpha(
        _learner_laws(found), distribution, share, hypotheses=members, errs=_judge(errs)
    )
    best = Fraction(0)
    if members is not None:
        best = losses.optimal_error(members, distribution, errs=_judge(errs))
    found = replace(found, instance=replace(found.instance, beta=share, optimum=best))
    return found.result(alpha, claimed, _mistakes(found, errs), shown=alpha)


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
