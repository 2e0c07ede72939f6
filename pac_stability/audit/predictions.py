"""Audits of predictions: uniform stability and private prediction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.claimed import Claim
from pac_stability.audit.domains import points_of
from pac_stability.audit.options import Options, instance_of
from pac_stability.audit.results import AuditResult, Notion
from pac_stability.audit.search.engine import audit_pairs
from pac_stability.audit.search.measures import Factor, Gap, Measure
from pac_stability.audit.subjects import PredictionSubject, prediction_source
from pac_stability.notions.frontier import probability_of


def uniform_stability(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    claim: AnyNumber | None = None,
    points: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the smallest gamma for which predictions are uniformly stable.

    For all neighbouring samples S and S', all points x and both labels y, the probabilities that y
    is predicted at x given S and given S' differ by at most gamma (DF20, Section 2).

    Parameters
    ----------
    mechanism
        The algorithm under audit: an object with ``probabilities(sample, points)``, a program of
        the sample, the point and ``rng``, or a learner, in any shape that has a law, whose outputs
        are hypotheses.
    domain
        A number m, for the points 0, ..., m - 1, or the points themselves. Samples are made of the
        labelled examples over them.
    n
        The size of the samples.
    claim
        A gamma that is claimed, an exact number.
    points
        Where predictions are asked for; by default on the whole domain.
    **options
        See :class:`~pac_stability.audit.options.Options`.

    Returns
    -------
    AuditResult
        The value is gamma. The witness is the first pair of samples that attains it, in
        lexicographic order.

    Raises
    ------
    InvalidInput
        An argument is not as described.
    SubjectFailure
        The algorithm raised, gave something that is no probability, or two different answers on one
        sample.
    AuditStopped
        A limit was reached, or the domain is larger than the limits allow.

    Notes
    -----
    The algorithm is asked once about each of the N samples, C(n+k-1, n) up to order or k^n, over
    k = 2m examples, and a few times more to see that it does not change its mind. Then
    O(k N) numbers are compared for each point, by floats with proven error bounds and, where these
    do not tell, as fractions. Memory is 16 bytes for each sample and point, and what the distinct
    probabilities take.

    Examples
    --------
    A label is predicted with the frequency of ones in the sample:

    >>> from fractions import Fraction
    >>> class Average:
    ...     symmetric = True
    ...     def probabilities(self, sample, points):
    ...         return [Fraction(sum(sample.labels), len(sample))] * len(points)
    >>> result = uniform_stability(Average(), 2, 4, claim="1/4")
    >>> result.value, result.verdict.value, result.counts.pairs
    (Fraction(1, 4), 'verified', 420)
    """
    return _audit(
        Notion.UNIFORM_STABILITY, mechanism, domain, n,
        points=points, measure=Gap(), claim=Claim.of_number(claim), options=options,
    )  # fmt: skip


def private_prediction(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    points: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the factor of the smallest epsilon for which predictions are private.

    For all neighbouring samples S and S' and all points x, the laws of the label predicted at x
    given S and given S' are (epsilon, delta)-close (DF20, Section 2, for neighbours).

    Parameters
    ----------
    mechanism
        The algorithm under audit: an object with ``probabilities(sample, points)``, a program of
        the sample, the point and ``rng``, or a learner, in any shape that has a law, whose outputs
        are hypotheses.
    domain
        A number m, for the points 0, ..., m - 1, or the points themselves. Samples are made of the
        labelled examples over them.
    n
        The size of the samples.
    delta
        The other parameter of closeness, an exact probability.
    claim
        An epsilon that is claimed: a number, or an ``Epsilon``.
    points
        Where predictions are asked for; by default on the whole domain.
    **options
        See :class:`~pac_stability.audit.options.Options`.

    Returns
    -------
    AuditResult
        The value is e**epsilon, or infinity. The witness is the first pair of samples that attains
        it, in lexicographic order.

    Raises
    ------
    InvalidInput
        An argument is not as described.
    SubjectFailure
        The algorithm raised, gave something that is no probability, or two different answers on one
        sample.
    AuditStopped
        A limit was reached, or the domain is larger than the limits allow.

    Notes
    -----
    Cost and memory are those of :func:`uniform_stability`.

    Examples
    --------
    Averages are stable, and not private at all:

    >>> from fractions import Fraction
    >>> class Average:
    ...     symmetric = True
    ...     def probabilities(self, sample, points):
    ...         return [Fraction(sum(sample.labels), len(sample))] * len(points)
    >>> result = private_prediction(Average(), 1, 2, claim=1.0)
    >>> result.value, result.verdict.value
    (inf, 'refuted')
    >>> result.witness.sample.labels, result.witness.neighbour.labels, result.witness.event
    ((1, 0), (0, 0), (1,))
    """
    return _audit(
        Notion.PRIVATE_PREDICTION, mechanism, domain, n, points=points,
        measure=Factor(probability_of(delta)), claim=Claim.of_epsilon(claim), options=options,
    )  # fmt: skip


def _audit(
    notion: Notion,
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    points: Iterable[object] | None,
    measure: Measure,
    claim: Claim,
    options: Options,
) -> AuditResult:
    elements = points_of(domain)
    asked = elements if points is None else points_of(points, "points")
    instance = instance_of(notion, mechanism, elements, n, points=asked, options=options)
    if isinstance(measure, Factor):
        instance = replace(instance, delta=measure.delta)
    source = prediction_source(mechanism, asked)
    return audit_pairs(instance, source, measure, claim, options)
