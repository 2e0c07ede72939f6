"""Audits of zero-concentrated privacy: Renyi divergences of all orders at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.audit.notion import About, Notion, Parameter
from pac_stability.audit.options import Options
from pac_stability.audit.privacy import OfPairs
from pac_stability.audit.search.measures import Divergence
from pac_stability.audit.search.over_pairs import over_pairs
from pac_stability.audit.subjects import LawSubject


def zero_concentrated_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    claim: AnyNumber | None = None,
    **options: Unpack[Options],
) -> OfPairs:
    """Enclose the smallest rho for which outputs are zero-concentrated private.

    For all neighbouring samples S and S' and all orders a > 1, the Renyi divergence of order a of
    the law of the output on S from that on S' is at most rho a (Bun & Steinke 2016, Definition
    1.1).

    Parameters
    ----------
    mechanism, domain, n
        As for :func:`~pac_stability.audit.privacy.differential_privacy`.
    claim
        A rho that is claimed, a number of at least 0.
    **options
        See :class:`~pac_stability.audit.options.Options`.

    Returns
    -------
    AuditResult
        The value is an enclosure of rho, which is irrational; or 0, or infinity. A claim is
        VERIFIED or REFUTED where the enclosure decides it, else the verdict is BOUNDED; so it is
        without a claim. The witness has the order of a divergence that attains the lower bound,
        where 1 stands for the Kullback-Leibler divergence.

    Raises
    ------
    InvalidInput
        As for :func:`~pac_stability.audit.privacy.differential_privacy`, or a law is known up to
        intervals only.
    SubjectFailure, AuditStopped
        As for :func:`~pac_stability.audit.privacy.differential_privacy`.

    Notes
    -----
    Some ten to some hundred divergences for each pair of laws with other likelihood ratios;
    :mod:`pac_stability.notions.zero_concentrated` says why finitely many orders bound all.

    Examples
    --------
    Randomised response with the true answer in three cases of four: rho is ln(3) / 2 = 0.5493.

    >>> from fractions import Fraction
    >>> def response(bits, rng):
    ...     return bits[0] ^ rng.bernoulli(Fraction(1, 4))
    >>> result = zero_concentrated_privacy(response, 2, 1, claim="0.55", labelled=False)
    >>> round(float(result.value), 4), result.verdict.value, result.witness.order
    (0.5493, 'verified', Fraction(1, 1))
    """
    notion = Notion.ZERO_CONCENTRATED_PRIVACY
    return over_pairs(notion, mechanism, domain, n, claim=claim, options=options)


Notion.ZERO_CONCENTRATED_PRIVACY = Notion(
    "zero-concentrated-privacy",
    Parameter("rho", most=None),
    About.OUTPUTS,
    "{step} changes the law of the output by a Renyi divergence of at most rho times its order, "
    "for every order",
    zero_concentrated_privacy,
    measure=lambda _: Divergence(),
    in_writing=True,
)
