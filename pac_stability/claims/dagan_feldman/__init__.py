"""The statements of DF20, in the order of the paper."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.dagan_feldman import (
    covers,
    definitions,
    exponential,
    flip,
    growth,
    introduction,
    lower_bound,
    matching,
    nets,
    private,
    realizable,
    relation,
    results,
    stable,
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
    *stable.CLAIMS,
    *lower_bound.CLAIMS,
    *flip.CLAIMS,
    *results.THEOREM_12,  # Section 4
    *matching.SECTION_4,
    *relation.CLAIMS,  # Appendix A
    *stable.APPENDIX_B,  # Appendix B
    *covers.CLAIMS,
    *private.CLAIMS,  # Appendix C
    *realizable.REMARK_16,
    *private.LEMMA_17,
    *matching.CLAIMS,
    *lower_bound.APPENDIX_D,  # Appendix D
)
