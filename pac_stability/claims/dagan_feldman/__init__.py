"""The statements of DF20, in the order of the paper."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.dagan_feldman import (
    definitions,
    exponential,
    growth,
    introduction,
    nets,
    realizable,
    relation,
    results,
    subsampling,
)

CLAIMS: tuple[Claim, ...] = (
    *introduction.CLAIMS,  # Section 1
    *results.CLAIMS,  # Section 1.1
    *definitions.CLAIMS,  # Section 2
    *nets.CLAIMS,  # Section 2.1
    *growth.CLAIMS,
    *exponential.CLAIMS,
    *subsampling.CLAIMS,
    *realizable.CLAIMS,
    *results.THEOREM_10,  # Section 3
    *relation.CLAIMS,  # Appendix A
    *realizable.REMARK_16,
)
