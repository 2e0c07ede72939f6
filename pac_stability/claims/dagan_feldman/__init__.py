"""The statements of DF20."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.dagan_feldman import (
    definitions,
    exponential,
    growth,
    nets,
    relation,
    subsampling,
)

CLAIMS: tuple[Claim, ...] = (
    *definitions.CLAIMS,
    *nets.CLAIMS,
    *growth.CLAIMS,
    *exponential.CLAIMS,
    *subsampling.CLAIMS,
    *relation.CLAIMS,
)
