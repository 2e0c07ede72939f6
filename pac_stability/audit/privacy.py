"""Audits of outputs: differential privacy, and group privacy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from pac_stability.arithmetic import Epsilon, ExactNumber, as_size
from pac_stability.audit.claimed import Claim
from pac_stability.audit.domains import points_of
from pac_stability.audit.engine import audit_pairs
from pac_stability.audit.measures import Factor
from pac_stability.audit.options import Options, instance_of, limits_of
from pac_stability.audit.results import AuditResult, Notion
from pac_stability.audit.subjects import LawSubject, law_source
from pac_stability.data import Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.notions.frontier import probability_of


def differential_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    delta: ExactNumber = 0,
    *,
    claim: Epsilon | float | ExactNumber | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the factor of the smallest epsilon for which outputs are differentially private."""
    return _audit(mechanism, domain, n, distance=1, delta=delta, claim=claim, options=options)


def group_privacy(
    mechanism: LawSubject,
    domain: int | Iterable[object],
    n: int,
    size: int,
    delta: ExactNumber = 0,
    *,
    claim: Epsilon | float | ExactNumber | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the factor of the smallest epsilon at which groups are protected."""
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
    delta: ExactNumber,
    claim: Epsilon | float | ExactNumber | None,
    options: Options,
) -> AuditResult:
    measure = Factor(probability_of(delta))
    notion = Notion.DIFFERENTIAL_PRIVACY
    instance = replace(
        instance_of(notion, mechanism, points_of(domain), n, points=None, options=options),
        delta=measure.delta,
        group_size=distance,
    )
    source = law_source(mechanism)
    return audit_pairs(instance, source, measure, Claim.of_epsilon(claim), limits_of(options))
