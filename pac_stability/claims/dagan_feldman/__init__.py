"""The statements of DF20, in the order of the paper."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.dagan_feldman import (
    agnostic_coins,
    appendix_d,
    covers,
    definitions,
    exponential,
    flip,
    growth,
    introduction,
    lemma_13,
    lines,
    lower_bound,
    matching,
    net_sizes,
    nets,
    overview,
    predictions,
    private,
    private_baselines,
    private_lower_bound,
    rates,
    realizable,
    relation,
    results,
    stable,
    subsampling,
    uniform_convergence,
)

CLAIMS: tuple[Claim, ...] = (
    *introduction.CLAIMS,  # Section 1
    *private_baselines.CLAIMS,
    *results.CLAIMS,  # Section 1.1
    *private_lower_bound.CLAIMS,
    *agnostic_coins.CLAIMS,
    *lines.CLAIMS,
    *definitions.CLAIMS,  # Section 2
    *predictions.CLAIMS,
    *nets.CLAIMS,  # Section 2.1
    *net_sizes.CLAIMS,
    *growth.CLAIMS,
    *uniform_convergence.CLAIMS,
    *exponential.CLAIMS,
    *subsampling.CLAIMS,
    *realizable.CLAIMS,
    *results.THEOREM_10,  # Section 3
    *stable.CLAIMS,
    *lower_bound.CLAIMS,
    *flip.CLAIMS,
    *rates.CLAIMS,  # Section 4
    *overview.CLAIMS,
    *relation.CLAIMS,  # Appendix A
    *stable.APPENDIX_B,  # Appendix B
    *lemma_13.CLAIMS,
    *covers.CLAIMS,
    *private.CLAIMS,  # Appendix C
    *realizable.REMARK_16,
    *private.LEMMA_17,
    *matching.CLAIMS,
    *appendix_d.CLAIMS,  # Appendix D
)
