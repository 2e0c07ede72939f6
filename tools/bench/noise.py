"""Discrete Laplace noise: the library, NumPy in floats, and OpenDP."""

from __future__ import annotations

import importlib
import importlib.util
import math
from fractions import Fraction

import numpy as np

from pac_stability.mechanisms import DiscreteLaplace
from pac_stability.randomness import SYSTEM_COINS
from tools.bench.job import Baseline, Job, informed
from tools.bench.measure import Run

SEED, DRAWS, FAR = 11, 1000, 1 << 40

AT_ONCE = ", in one call"
INSTANCES = {
    f"epsilon = {epsilon}{how}": Fraction(epsilon)
    for how in ("", AT_ONCE)
    for epsilon in ("1", ".01", ".0001")
}
OPENDP = importlib.util.find_spec("opendp") is not None


def library(name: str) -> Run:
    """Coins of the operating system, as for everything private."""
    mechanism = DiscreteLaplace.from_epsilon(INSTANCES[name], -FAR, FAR)

    def run() -> tuple[int, int]:
        if name.endswith(AT_ONCE):
            return len(mechanism.draws(0, DRAWS, SYSTEM_COINS)), DRAWS
        for _ in range(DRAWS):
            mechanism.run(0, SYSTEM_COINS)
        return DRAWS, DRAWS

    return run


def arrays(name: str) -> Run:
    """The same in floats, in one call: neither exact nor private."""
    failure = -math.expm1(-float(INSTANCES[name]))
    choice = np.random.default_rng(SEED)

    def run() -> tuple[int, int]:
        drawn = choice.geometric(failure, DRAWS) - choice.geometric(failure, DRAWS)
        return len(drawn), DRAWS

    return run


def opendp(name: str) -> Run:
    """OpenDP's mechanism for vectors of integers in one call, or that for one integer."""
    prelude = importlib.import_module("opendp.prelude")
    prelude.enable_features("contrib")
    atom, scale = prelude.atom_domain(T=int), float(1 / INSTANCES[name])
    zeros = [0] * DRAWS
    if name.endswith(AT_ONCE):
        space = prelude.vector_domain(atom), prelude.l1_distance(T=int)
    else:
        space = atom, prelude.absolute_distance(T=int)
    mechanism = prelude.m.make_laplace(*space, scale=scale)

    def run() -> tuple[int, int]:
        noise = mechanism(zeros) if name.endswith(AT_ONCE) else [mechanism(0) for _ in zeros]
        return len(noise), DRAWS

    return run


JOBS = {
    "noise": Job(
        "1,000 draws of discrete Laplace noise, coins of the operating system; by the library one "
        "after the other, or in one call. Informed: "
        "NumPy's geometric numbers in floats, in one call, neither exact nor private. OpenDP: its "
        "mechanisms for one integer, call after call, or for vectors, in one call.",
        INSTANCES,
        library,
        (informed(arrays), *([Baseline("OpenDP", opendp)] if OPENDP else [])),
    )
}
