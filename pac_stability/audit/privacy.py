"""Audits of outputs: differential privacy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from pac_stability.arithmetic import Epsilon, ExactNumber, as_fraction, as_size
from pac_stability.audit.claimed import claimed_factor
from pac_stability.audit.engine import sweep
from pac_stability.audit.instances import Options, points_of, universe_of
from pac_stability.audit.measures import Factor
from pac_stability.audit.results import AuditResult, Instance, Notion, Symmetry
from pac_stability.audit.subjects import LawSubject, law_source
from pac_stability.data import Neighbouring


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
    exact = as_fraction(delta, "delta")
    source = law_source(mechanism)
    symmetric = options.get("symmetric", bool(getattr(mechanism, "symmetric", False)))
    instance = Instance(
        Notion.DIFFERENTIAL_PRIVACY,
        universe_of(points_of(domain), options.get("labelled", True)),
        as_size(n, "n"),
        delta=exact,
        relation=options.get("relation", Neighbouring.REPLACE_ONE),
        symmetry=Symmetry.DECLARED if symmetric else Symmetry.NONE,
    )
    return sweep(
        instance, lambda sample: (source.answer(sample),), Factor(exact), claimed_factor(claim)
    )
