"""Audits of stability in total variation: of outputs, as uniform stability is of predictions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.audit.notion import About, Notion, Parameter
from pac_stability.audit.options import Options
from pac_stability.audit.privacy import OfPairs
from pac_stability.audit.search.measures import Excess
from pac_stability.audit.search.over_pairs import over_pairs
from pac_stability.audit.subjects import LawSubject


def total_variation_stability(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    claim: AnyNumber | None = None,
    **options: Unpack[Options],
) -> OfPairs:
    """Return the smallest gamma for which outputs are stable in total variation.

    For all neighbouring samples S and S' and all events E, the probabilities of E given S and given
    S' differ by at most gamma. That is (0, gamma)-differential privacy; of a learner, it implies
    gamma-stable predictions.

    Parameters
    ----------
    mechanism, domain, n
        As for :func:`~pac_stability.audit.privacy.differential_privacy`.
    claim
        A gamma that is claimed, an exact number.
    **options
        See :class:`~pac_stability.audit.options.Options`.

    Returns
    -------
    AuditResult
        The value is gamma. The witness is the first pair of samples that attains it, in
        lexicographic order, with the event whose two probabilities are furthest apart.

    Raises
    ------
    InvalidInput, SubjectFailure, AuditStopped
        As for :func:`~pac_stability.audit.privacy.differential_privacy`.

    Notes
    -----
    O(R) for each pair of samples with different laws on R outcomes; floats with proven error bounds
    rule pairs out, fractions decide.

    Examples
    --------
    The first of two bits is published, the second after a flip in one case of four.

    >>> from fractions import Fraction
    >>> def both(bits, rng):
    ...     return (bits[0], bits[1] ^ rng.bernoulli(Fraction(1, 4)))
    >>> result = total_variation_stability(both, 2, 2, claim="1/2", labelled=False)
    >>> result.value, result.verdict.value, result.witness.sample, result.witness.neighbour
    (Fraction(1, 1), 'refuted', (0, 0), (1, 0))
    """
    notion = Notion.TOTAL_VARIATION_STABILITY
    return over_pairs(notion, mechanism, domain, n, claim=claim, options=options)


Notion.TOTAL_VARIATION_STABILITY = Notion(
    "total-variation-stability",
    Parameter("gamma"),
    About.OUTPUTS,
    "{step} changes the probability of every set of outputs by at most gamma",
    total_variation_stability,
    measure=lambda _: Excess(),
    in_writing=True,
)
