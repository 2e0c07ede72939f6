"""Small mechanisms with known parameters, wrong ones that must be refuted, and all learners.

:func:`all` and :func:`get` give the mechanisms with known curves, :mod:`pac_stability.zoo.museum`
the wrong ones, :func:`learners` every learner and compression scheme of the library, and
:mod:`pac_stability.zoo.algorithms` the benchmarks of testers of privacy.
"""

from __future__ import annotations

from pac_stability.zoo import algorithms as algorithms, museum as museum
from pac_stability.zoo.collection import (
    all as all,  # noqa: A004  # read as zoo.all()
    get as get,
    to_dict as to_dict,
)
from pac_stability.zoo.specimens import (
    LearnerSpecimen as LearnerSpecimen,
    Specimen as Specimen,
    learners as learners,
)
