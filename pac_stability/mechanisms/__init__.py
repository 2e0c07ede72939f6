"""Randomised building blocks with exact laws and exact samplers.

Each is a :class:`~pac_stability.data.Mechanism`: ``law(x)`` is a closed form, ``run(x, rng)`` draws
with integers only, and the two agree exactly. Each states its guarantee as an exact factor
``e**epsilon``. Post-processing is :func:`then`, composition :func:`compose` and
:func:`compose_adaptively`; the accounting functions compute their guarantees and those of
subsampling.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
