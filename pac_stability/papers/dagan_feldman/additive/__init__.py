"""The selection distribution in polynomial time, where the normaliser is additive.

The stable learner averages over all index subsets, of which there are C(n, n'). When the sum of
the weights of the representatives is a sum along a walk over the points, as it is for thresholds
and point functions, the average takes O(n n') operations for each of some hundred numbers t:
:func:`additive_selection`. Modules: ``walks`` (which classes), ``selection`` (the result); behind
them ``_reciprocals`` (1/Z as a sum of exponentials), ``_layers`` (what of a walk matters at some
t), ``_paths`` (how random subsets move along it), ``_floats`` (doubles that are proved to lie on
one side) and ``_sums``.

**What is not covered.** *Representatives that depend on two consecutive hit points*, such as
midpoints or the first row of a table of thresholds in any order, could be had by a state that
remembers the last hit, at ``O(m**2 n')`` for each t; no family of the library chooses so.

*Intervals, exactly.* Between hit points a <= b they have weights ``x_a y_b`` that are products, so
``Z_A`` is a sum over b of ``y_b X_b``, where X_b sums x over the hit points up to b. The state of
a walk would have to hold X, a sum of which there may be exponentially many values. An
approximation scheme exists: let X be rounded down to a power of ``1 + delta`` at each hit. There
are at most n' hits, so Z comes out between ``(1 + delta)**-n'`` times itself and itself; with X in
R/delta classes, where R is the logarithm of the range of X, ``O(m n'**2 R / eta)`` numbers for
each t give every prediction up to a factor ``1 + eta``: too slow to be of use beyond small n'.
Whether there is a polynomial algorithm that is exact for all samples, or a
proof that there is none, is open to us.

*Stumps in p > 1 dimensions, exactly.* Cuts along different coordinates with equal patterns on A
must be counted once. Which they are depends on all of A, in an order that no walk along the points
respects. This too is open.
"""

from __future__ import annotations

from pac_stability.papers.dagan_feldman.additive.selection import (
    additive_selection as additive_selection,
)
from pac_stability.papers.dagan_feldman.additive.walks import (
    has_additive_normaliser as has_additive_normaliser,
)
