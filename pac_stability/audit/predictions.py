"""Audits of predictions: uniform stability and private prediction."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Unpack

from pac_stability.arithmetic import Epsilon, ExactNumber, Interval, as_fraction, as_size
from pac_stability.audit.claimed import claimed_factor, claimed_number
from pac_stability.audit.engine import sweep
from pac_stability.audit.instances import Options, points_of, universe_of
from pac_stability.audit.measures import Factor, Gap, Measure
from pac_stability.audit.results import AuditResult, Instance, Notion, Symmetry
from pac_stability.audit.subjects import PredictionSubject, prediction_source
from pac_stability.data import FiniteDistribution, Neighbouring


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
        Notion.UNIFORM_STABILITY, mechanism, domain, n, Fraction(0), Gap(), claimed_number(claim),
        points, options,
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
    exact = as_fraction(delta, "delta")
    return _audit(
        Notion.PRIVATE_PREDICTION, mechanism, domain, n, exact, Factor(exact),
        claimed_factor(claim), points, options,
    )  # fmt: skip


def _audit(
    notion: Notion,
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    delta: Fraction,
    measure: Measure,
    claim: Fraction | None,
    points: Iterable[object] | None,
    options: Options,
) -> AuditResult:
    elements = points_of(domain)
    asked = elements if points is None else points_of(points, "points")
    source = prediction_source(mechanism, asked)
    symmetric = options.get("symmetric", bool(getattr(mechanism, "symmetric", False)))
    instance = Instance(
        notion,
        universe_of(elements, options.get("labelled", True)),
        as_size(n, "n"),
        asked,
        delta=delta,
        relation=options.get("relation", Neighbouring.REPLACE_ONE),
        symmetry=Symmetry.DECLARED if symmetric else Symmetry.NONE,
    )

    def laws(sample: object) -> tuple[FiniteDistribution[object], ...]:
        exact = [p for p in source.answer(sample) if not isinstance(p, Interval)]
        return tuple(FiniteDistribution({1: p, 0: 1 - p}) for p in exact)

    return sweep(instance, laws, measure, claim)
