"""Audits of predictions: uniform stability and private prediction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from pac_stability.arithmetic import Epsilon, ExactNumber
from pac_stability.audit.claimed import Claim
from pac_stability.audit.domains import points_of
from pac_stability.audit.engine import audit_pairs
from pac_stability.audit.measures import Factor, Gap, Measure
from pac_stability.audit.options import Options, instance_of, limits_of
from pac_stability.audit.results import AuditResult, Notion
from pac_stability.audit.subjects import PredictionSubject, prediction_source
from pac_stability.notions.frontier import probability_of


def uniform_stability(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    claim: ExactNumber | None = None,
    points: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the smallest gamma for which predictions are uniformly stable."""
    return _audit(
        Notion.UNIFORM_STABILITY, mechanism, domain, n,
        points=points, measure=Gap(), claim=Claim.of_number(claim), options=options,
    )  # fmt: skip


def private_prediction(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    delta: ExactNumber = 0,
    *,
    claim: Epsilon | float | ExactNumber | None = None,
    points: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> AuditResult:
    """Return the factor of the smallest epsilon for which predictions are private."""
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
    return audit_pairs(instance, source, measure, claim, limits_of(options))
