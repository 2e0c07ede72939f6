"""One guarantee turned into another, for every mechanism that has it.

=======================================  ==========================================================
from                                     to
=======================================  ==========================================================
few outputs (Theorem 21)                 robust generalization: ``finite_range_to_robust``
differential privacy (Theorem 20)        robust generalization: ``private_to_robust``
perfect generalization (Lemma 36)        robust generalization: ``perfect_to_robust``
pure differential privacy (Theorem 39)   perfect generalization: ``private_to_perfect``, and
                                         ``private_to_perfect_any_range``
differential privacy, group privacy      perfect generalization: ``group_to_perfect``
several perfect guarantees (Theorem 12)  one for all: ``compose_perfect``
perfect generalization (Corollary 10)    laws on two samples: ``close_pair``
any, post-processed (Lemma 11)           the same: ``post_process``
=======================================  ==========================================================

Each takes ``constants`` where the paper's differ from what is proved here, and says in its notes
for whom it holds and why. ``..._deviation`` and ``..._epsilon`` are the formulas, as intervals.
"""

from __future__ import annotations

from pac_stability.compression.bounds import Reading as Reading
from pac_stability.papers.cummings_et_al.implications.composition import (
    ClosePair as ClosePair,
    close_ends as close_ends,
    close_pair as close_pair,
    compose_perfect as compose_perfect,
    post_process as post_process,
    processed_simulator as processed_simulator,
    product_simulator as product_simulator,
)
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    PerfectGuarantee as PerfectGuarantee,
    RobustGuarantee as RobustGuarantee,
)
from pac_stability.papers.cummings_et_al.implications.perfect_from_privacy import (
    any_range_epsilon as any_range_epsilon,
    group_to_perfect as group_to_perfect,
    private_to_perfect as private_to_perfect,
    private_to_perfect_any_range as private_to_perfect_any_range,
    private_to_perfect_epsilon as private_to_perfect_epsilon,
)
from pac_stability.papers.cummings_et_al.implications.robust_from_finite_range import (
    finite_range_deviation as finite_range_deviation,
    finite_range_failure as finite_range_failure,
    finite_range_to_robust as finite_range_to_robust,
)
from pac_stability.papers.cummings_et_al.implications.robust_from_perfect import (
    perfect_deviation as perfect_deviation,
    perfect_to_robust as perfect_to_robust,
)
from pac_stability.papers.cummings_et_al.implications.robust_from_privacy import (
    Release as Release,
    posterior_failure as posterior_failure,
    private_deviation as private_deviation,
    private_to_robust as private_to_robust,
    pure_privacy_deviation as pure_privacy_deviation,
    released_deviation as released_deviation,
    theorem_20 as theorem_20,
)
from pac_stability.papers.cummings_et_al.implications.rules import (
    RULES as RULES,
    GroupGuarantee as GroupGuarantee,
    ResampledGuarantee as ResampledGuarantee,
)
