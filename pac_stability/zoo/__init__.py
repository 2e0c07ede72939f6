"""Small mechanisms with known parameters, wrong ones that must be refuted, and all learners.

:func:`all` and :func:`get` give the mechanisms with known curves, :mod:`pac_stability.zoo.museum`
the wrong ones, :func:`learners` every learner and compression scheme of the library, and
:mod:`pac_stability.zoo.algorithms` the benchmarks of testers of privacy.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
