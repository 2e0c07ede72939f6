"""Audits of predictions: uniform stability and private prediction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon
from pac_stability.audit._words import said_of_predictions
from pac_stability.audit.notion import EPSILON, About, Notion, Parameter
from pac_stability.audit.options import Options
from pac_stability.audit.results import AuditResult, PairWitness
from pac_stability.audit.search.measures import Excess, Factor
from pac_stability.audit.search.over_pairs import over_pairs
from pac_stability.audit.subjects import PredictionSubject
from pac_stability.data import Sample


@said_of_predictions
def uniform_stability(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    claim: AnyNumber | None = None,
    points: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> AuditResult[PairWitness[Sample[object]]]:
    """Return the smallest gamma for which predictions are uniformly stable.

    For all neighbouring samples S and S', all points x and both labels y, the probabilities that y
    is predicted at x given S and given S' differ by at most gamma (DF20, Section 2).

    Parameters
    ----------
    claim
        A gamma that is claimed, an exact number.

    Returns
    -------
    AuditResult
        The value is gamma. The witness is the first pair of samples that attains it, in
        lexicographic order.

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
    return over_pairs(
        Notion.UNIFORM_STABILITY, mechanism, domain, n, claim=claim, points=points, options=options
    )


Notion.UNIFORM_STABILITY = Notion(
    "uniform-stability",
    Parameter("gamma"),
    About.PREDICTIONS,
    "{step} changes the probability of predicting 1, at every point, by at most gamma",
    uniform_stability,
    measure=lambda _: Excess(),
)


@said_of_predictions
def private_prediction(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    epsilon: Epsilon | AnyNumber | None = None,
    points: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> AuditResult[PairWitness[Sample[object]]]:
    """Return the factor of the smallest epsilon for which predictions are private.

    For all neighbouring samples S and S' and all points x, the laws of the label predicted at x
    given S and given S' are (epsilon, delta)-close (DF20, Section 2, for neighbours).

    Returns
    -------
    AuditResult
        The value is e**epsilon, or infinity; or the least delta. The witness is the first pair of
        samples that attains it, in lexicographic order.

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
    >>> private_prediction(Average(), 1, 2, epsilon=Epsilon.exactly(2)).value
    Fraction(1, 2)
    """
    return over_pairs(
        Notion.PRIVATE_PREDICTION, mechanism, domain, n,
        claim=claim, points=points, delta=delta, epsilon=epsilon, options=options,
    )  # fmt: skip


Notion.PRIVATE_PREDICTION = Notion(
    "private-prediction",
    EPSILON,
    About.PREDICTIONS,
    "{step} changes the probability of a prediction, at every point, by at most the factor "
    "e^epsilon, but for delta",
    private_prediction,
    fixed=("delta",),
    measure=lambda instance: Factor(instance.delta),
    at_factor=lambda instance: Excess(instance.epsilon_ratio),
)
