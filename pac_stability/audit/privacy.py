"""Audits of outputs: differential privacy, and group privacy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, Unpack

from pac_stability.arguments import AnyNumber, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.audit._words import said_of_outputs
from pac_stability.audit.notion import EPSILON, About, Notion
from pac_stability.audit.options import Options
from pac_stability.audit.results import AuditResult, PairWitness
from pac_stability.audit.search.measures import Excess, Factor
from pac_stability.audit.search.over_pairs import over_pairs
from pac_stability.audit.subjects import LawSubject
from pac_stability.data import Sample

OfPairs: TypeAlias = AuditResult[PairWitness[Sample[object] | tuple[object, ...]]]
"""The answer for samples of labelled examples, or tuples of records."""


@said_of_outputs
def differential_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    epsilon: Epsilon | AnyNumber | None = None,
    **options: Unpack[Options],
) -> OfPairs:
    """Return the factor of the smallest epsilon for which outputs are differentially private.

    For all neighbouring samples, the laws of the output are (epsilon, delta)-close.

    Returns
    -------
    AuditResult
        The value is e**epsilon, or infinity; or the least delta. The witness is the first pair of
        samples that attains it, in lexicographic order.

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
    >>> two = Epsilon.exactly(2)
    >>> differential_privacy(randomized_response, 2, 3, epsilon=two, labelled=False).value
    Fraction(1, 4)
    """
    return over_pairs(
        Notion.DIFFERENTIAL_PRIVACY, mechanism, domain, n,
        claim=claim, delta=delta, epsilon=epsilon, options=options,
    )  # fmt: skip


Notion.DIFFERENTIAL_PRIVACY = Notion(
    "differential-privacy",
    EPSILON,
    About.OUTPUTS,
    "{step} changes the probability of every set of outputs by at most the factor e^epsilon, "
    "but for delta",
    differential_privacy,
    fixed=("delta",),
    measure=lambda instance: Factor(instance.delta),
    in_writing=True,
    at_factor=lambda instance: Excess(instance.epsilon_ratio),
)


def group_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    size: int,
    delta: AnyNumber = 0,
    *,
    claim: Epsilon | AnyNumber | None = None,
    **options: Unpack[Options],
) -> OfPairs:
    """Return the factor of the smallest epsilon for samples that differ in a group of examples.

    :func:`differential_privacy` for all samples that differ in at most ``size`` positions: the same
    notion, of another instance.

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
    options["group_size"] = as_size(size, "size", least=1)
    return differential_privacy(mechanism, domain, n, delta, claim=claim, **options)
