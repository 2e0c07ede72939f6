"""Sample sizes that suffice for each statement of DF20, and for its baselines.

Every size is an integer that provably suffices, with the parameters of the learner it is for.
Printed constants are the paper's own division of alpha, beta and gamma and the explicit constants
of what it cites; proved ones the same division with the best lemmas that we can prove; sharp ones,
the default, these lemmas and the best of a fixed list of divisions. Real numbers are only compared
by certified intervals; floats guide the search. Smaller alpha, beta, gamma or epsilon, and larger
classes, never give a smaller size.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
