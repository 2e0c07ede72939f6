"""Where users wait: searches of points, commands, plans, the testers' algorithms, a delta."""

from __future__ import annotations

import importlib
import importlib.util
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from sklearn.linear_model import LogisticRegression

from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass, from_spec
from pac_stability.dimensions import growth_function, star_number
from pac_stability.estimators import FeatureBounds, plan
from pac_stability.mechanisms import DiscreteLaplace
from pac_stability.notions.closeness import hockey_stick
from pac_stability.zoo import algorithms
from tools.bench.dimensions import plain
from tools.bench.job import Baseline, Job, Program, definition
from tools.bench.measure import Run
from tools.bench.twins import growth_by_definition, star_by_definition

POINTS = {f"random:372x{m}:0.1": m for m in (9, 18, 34, 67)}
STARS = {f"random:{n}x10:0.5": n for n in (15, 30, 60, 120)}
COMMANDS = ("--help", "claims list", "audit --help", "dims --family thresholds:8")
ROWS = {f"{n} rows": n for n in (86, 172, 343, 686)}
TESTED = {each.name: each for each in algorithms.algorithms() if each.printed}
POOLED = {f"{(2 * m) ** 3:,} samples": m for m in (8, 12)}
PAIRS = {f"{2 * n + 1} outcomes": n for n in (32, 64, 128, 256, 512)}
DP_ACCOUNTING = importlib.util.find_spec("dp_accounting") is not None


def _number(found: Callable[[FiniteClass], int]) -> Program:
    def program(name: str) -> Run:
        H = from_spec(name)
        return lambda: (found(H), 0)

    return program


def _process(*words: str) -> Run:
    def run() -> tuple[None, int]:
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        return None, 0

    return run


def _shared(name: str, *more: str) -> Run:
    draft, notion = "docs/examples/drafts.py::chosen", "private-prediction"
    points = f"--domain=0..{POOLED[name] - 1}"
    return _process(
        "-m", "pac_stability", "audit", draft, "--notion", notion, points, "--n", "3", *more
    )  # fmt: skip


def _plan(name: str, *, alone: bool = False) -> Run:
    """A plan, or twenty fits of the rows that it learns from."""
    choice, n = np.random.default_rng(11), ROWS[name]
    X = choice.normal(size=(n, 8)).clip(-3, 3)
    y = X[:, 0] + X[:, 1] / 2 + choice.normal(size=n) / 2 > 0
    learnt, grid = round(0.7 * n), FeatureBounds([-3] * 8, [3] * 8)

    def run() -> tuple[None, int]:
        if not alone:
            return None, len(plan(X, y, grid=grid).lines)
        for _ in range(20):
            LogisticRegression().fit(X[:learnt], y[:learnt])
        return None, 0

    return run


def _audited(name: str) -> Run:
    return lambda: (None, TESTED[name].audit(min(2, TESTED[name].most)).counts.pairs)


def _printed(tester: int) -> dict[str, float]:
    seconds = {name: re.findall(r"\(([\d,]+) s\)", each.printed) for name, each in TESTED.items()}
    return {name: float(both[tester].replace(",", "")) for name, both in seconds.items()}


def _delta(name: str, *, ours: bool) -> Run:
    noise, half = DiscreteLaplace.from_epsilon(1, -PAIRS[name], PAIRS[name]), Fraction(1, 2)
    laws = noise.law(0), noise.law(1)
    if ours:
        return lambda: (None, len(laws[0]) * (hockey_stick(*laws, Epsilon(half)) > 0))
    pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    logs = [{y: math.log(weight) for y, weight in law.items()} for law in laws]
    made = pld.from_two_probability_mass_functions
    return lambda: (None, made(*logs).get_delta_for_epsilon(float(half)) > 0)


JOBS = {
    "patterns": Job(
        "The growth function at 6 points of random tables. Definition: all sets of points.",
        POINTS, _number(partial(growth_function, m=6)),
        (definition(plain(partial(growth_by_definition, m=6)), [*POINTS][:1]),), sizes=POINTS,
    ),
    "stars": Job(
        "The star number of random tables, exponential in points; the fitted growth is that of "
        "tables of ten. Definition: every center and set of points.",
        [*STARS, "random:120x40:0.5", "random:372x67:0.5"], _number(star_number),
        (definition(plain(star_by_definition), [*STARS][:2]),), sizes=STARS,
    ),
    "commands": Job(
        "A command from its start to its end. NumPy: an interpreter that imports it.",
        COMMANDS, lambda name: _process("-m", "pac_stability", *name.split()),
        (Baseline("NumPy", lambda _: _process("-c", "import numpy")),),
    ),
    "pool": Job(
        "The command that audits a draft, on as many processes as the default takes, from its "
        "start to its end, by the clock on the wall: beside other work this says little. The ratio "
        "is how much quicker that is.",
        POOLED, _shared, (Baseline("one process", lambda name: _shared(name, "--processes", "1")),),
        clock=time.perf_counter,
    ),
    "plans": Job(
        "`plan` on eight columns; nodes are lines. scikit-learn: a logistic regression for each of "
        "its twenty splits and numbers of answers.",
        ROWS, _plan, (Baseline("scikit-learn", partial(_plan, alone=True)),), sizes=ROWS,
    ),
    "testers": Job(
        "The exact epsilon of algorithms that testers are judged by, for two answers; nodes are "
        "pairs. Published: lower bounds at 90 % confidence for ten answers, in the seconds that "
        "the logs of DP-Sniper name, on its authors' machine.",
        TESTED, _audited,
        (Baseline("DP-Sniper, published", _audited, published=_printed(0)),
         Baseline("StatDP, published", _audited, published=_printed(1))),
    ),
    "deltas": Job(
        "The smallest delta of two laws of discrete Laplace noise at an epsilon, exact; nodes are "
        "outcomes. dp-accounting: from their privacy-loss distribution, pessimistic in floats.",
        PAIRS, partial(_delta, ours=True),
        tuple(Baseline("dp-accounting", partial(_delta, ours=False)) for _ in [0][:DP_ACCOUNTING]),
        sizes=PAIRS,
    ),
}  # fmt: skip
