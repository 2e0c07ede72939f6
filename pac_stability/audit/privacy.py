"""Audits of outputs: differential privacy, and group privacy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from pac_stability.arguments import AnyNumber, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.claimed import Claim
from pac_stability.audit.domains import points_in, points_of
from pac_stability.audit.options import Options, instance_of
from pac_stability.audit.results import AuditResult, Notion
from pac_stability.audit.search.engine import audit_pairs
from pac_stability.audit.search.measures import Factor
from pac_stability.audit.subjects import LawSubject, law_source
from pac_stability.data import Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.notions.frontier import probability_of


def differential_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the factor of the smallest epsilon for which outputs are differentially private.

    For all neighbouring samples, the laws of the output are (epsilon, delta)-close.

    Parameters
    ----------
    mechanism
        The algorithm under audit, in any of the shapes that have a law: an object with ``law``, a
        function of the sample that returns one, or a program of the sample and ``rng``.
    domain
        A number m, for the points 0, ..., m - 1, or the points themselves. Samples are made of the
        labelled examples over them, or of the points if ``labelled`` is false.
    n
        The size of the samples.
    delta
        The other parameter of closeness, an exact probability.
    claim
        An epsilon that is claimed: a number, or an ``Epsilon``.
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
        The algorithm raised, gave something that is no law, or two different answers on one
        sample.
    AuditStopped
        A limit was reached, or the domain is larger than the limits allow.

    Notes
    -----
    At delta = 0 the comparison takes O(k N) numbers for each of R outcomes, for N samples over k
    elements; otherwise O(R) for each pair of samples with different laws. Laws that are equal are
    kept once. Floats with proven error bounds rule pairs out; fractions decide. CLNRW16,
    Definition 7.

    Examples
    --------
    >>> from fractions import Fraction
    >>> def randomized_response(bits, rng):
    ...     return tuple(bit ^ rng.bernoulli(Fraction(1, 4)) for bit in bits)
    >>> result = differential_privacy(randomized_response, 2, 3, labelled=False)
    >>> result.value, result.witness.sample, result.witness.neighbour
    (Fraction(3, 1), (0, 0, 0), (0, 0, 1))
    >>> differential_privacy(randomized_response, 2, 3, "1/4", labelled=False).value
    Fraction(2, 1)
    """
    return _audit(mechanism, domain, n, distance=1, delta=delta, claim=claim, options=options)


def group_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    size: int,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the factor of the smallest epsilon for samples that differ in a group of examples.

    As :func:`differential_privacy`, for all samples that differ in at most ``size`` positions.

    Parameters
    ----------
    mechanism, domain, n
        As for :func:`differential_privacy`.
    size
        The size of the group, at least 1.
    delta, claim, **options
        As for :func:`differential_privacy`; neighbours arise by replacement.

    Returns
    -------
    AuditResult
        The value is e**epsilon, or infinity.

    Raises
    ------
    InvalidInput, SubjectFailure, AuditStopped
        As for :func:`differential_privacy`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> def randomized_response(bits, rng):
    ...     return tuple(bit ^ rng.bernoulli(Fraction(1, 4)) for bit in bits)
    >>> group_privacy(randomized_response, 2, 3, 2, labelled=False).value
    Fraction(9, 1)
    """
    if options.get("relation", Neighbouring.REPLACE_ONE) is not Neighbouring.REPLACE_ONE:
        raise InvalidInput("relation", "another relation", "Neighbouring.REPLACE_ONE for groups")
    distance = as_size(size, "size", least=1)
    return _audit(
        mechanism, domain, n, distance=distance, delta=delta, claim=claim, options=options
    )


def _audit(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    distance: int,
    delta: AnyNumber,
    claim: Epsilon | AnyNumber | None,
    options: Options,
) -> AuditResult:
    measure, elements = Factor(probability_of(delta)), points_of(domain)
    notion = Notion.DIFFERENTIAL_PRIVACY
    instance = replace(
        instance_of(notion, mechanism, elements, n, points=None, options=options),
        delta=measure.delta,
        group_size=distance,
    )
    source = law_source(mechanism, points_in(elements))
    return audit_pairs(instance, source, measure, Claim.of_epsilon(claim), options)
