"""Expectations of weights over normalisers: the sum over nodes, and who computes it."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, partial

import numpy as np

from pac_stability._core.additive_sums import path_sums
from pac_stability.papers.dagan_feldman.additive import _reciprocals
from pac_stability.papers.dagan_feldman.additive._floats import (
    Floats,
    Integers,
    Scaled,
    exponentials_below,
    float_below,
    scaled_powers,
)
from pac_stability.papers.dagan_feldman.additive._paths import paths
from pac_stability.papers.dagan_feldman.additive.walks import Brought, Walk

_LANES = 4
_RULES = ("hit", "last", "first", "only", "missed")
_BATCHES_AT_ONCE = 4
_STEPS_AT_ONCE = 1 << 24
_CHUNKS_BETWEEN = 2
_WORTH_A_THREAD = 1 << 17


class Sums:
    """The sum over nodes t of the share of t, times the expectation of ``t w_h e**(-t Z_A)``.

    Parameters
    ----------
    walk
        Where which hypotheses are collected.
    subset_size
        n'.
    decay
        rho.
    """

    def __init__(self, walk: Walk, subset_size: int, decay: Fraction) -> None:
        self._walk = walk
        self._subset_size = subset_size
        route = walk.route
        excess_errors = walk.errors - walk.errors.min()
        levels, level_of = np.unique(excess_errors, return_inverse=True)
        # Weights relative to the best one; the last level stands for no hypothesis.
        self._weights = scaled_powers(decay, int(levels[-1]) + 1).take(levels)
        self._level_of = np.append(level_of, len(levels))
        self._copies = np.array([stop.copies for stop in route.stops], dtype=np.int64)
        self._paths = paths(self._copies, subset_size)
        self._windows = np.stack(self._all_windows()).astype(np.int32)
        brought = [[getattr(stop, rule) for stop in route.stops] for rule in _RULES]
        self._brought = _padded(brought, len(walk.hypotheses))
        self._slots = self._level_of[self._brought]
        self._largest_sum = self._bound_normaliser()

    def _all_windows(self) -> tuple[Integers, ...]:
        """Return the windows of both states; those of the first are empty where it cannot be."""
        low, high = self._paths.low, self._paths.high
        stops = np.arange(len(low))
        route = self._walk.route
        if route.leaves_on is None:
            return low, high, np.ones_like(low), np.zeros_like(low)
        first_low = stops if route.leaves_on == "miss" else np.zeros_like(low)
        first_high = high if route.leaves_on == "miss" else np.zeros_like(low)
        first_low = np.maximum(first_low, low)
        gone = (stops > route.chain) | (first_low > first_high)
        gone = np.logical_or.accumulate(gone)
        return low, high, np.where(gone, 1, first_low), np.where(gone, 0, first_high)

    def _bound_normaliser(self) -> float:
        """Return about the largest Z_A, in units of the largest weight; nothing depends on it."""
        weights = np.append(
            np.ldexp(self._weights.mantissas, np.maximum(self._weights.exponents, -1000)), 0
        )
        brought = np.sort(weights[self._slots].sum(axis=0).max(axis=0))[::-1]
        others = len(self._walk.route.always) + len(self._walk.route.beyond)
        return float(brought[: self._subset_size].sum()) + others + 1

    def probabilities(self) -> tuple[Floats, int]:
        """Return the sums, and how many roundings can have made them too large.

        Notes
        -----
        Nodes are added from small t to large ones until hardly anything is missing from 1, or all
        exponentials vanish.
        """
        nodes = _Nodes(self._largest_sum, self._weights)
        walk = self._walk
        by_slot = np.zeros(self._slots.shape)
        always = np.zeros(len(walk.route.always))
        beyond = np.zeros(len(walk.route.beyond))
        work = max(len(self._paths.steps), self._slots.size)
        chunk = max(1, min(_BATCHES_AT_ONCE, _STEPS_AT_ONCE // work))
        # Always as many chunks between two looks, so that results do not depend on the machine.
        threads = _CHUNKS_BETWEEN if chunk * work > _WORTH_A_THREAD else 1
        done = 0
        with ThreadPoolExecutor(max_workers=min(threads, os.cpu_count() or 1)) as pool:
            while done < nodes.batches:
                end = min(done + _CHUNKS_BETWEEN * chunk, nodes.batches)
                run = map if threads == 1 else pool.map
                for part in run(partial(self._part, nodes, chunk), range(done, end, chunk)):
                    by_slot += part[0]
                    always += part[1]
                    beyond += part[2]
                done = end
                found = by_slot.sum() + always.sum() + beyond.sum()
                if 1 - found < self._negligible(_LANES * done):
                    break
        total = np.zeros(len(walk.hypotheses) + 1)
        np.add.at(total, self._brought, by_slot)
        np.add.at(total, list(walk.route.always), always)
        np.add.at(total, list(walk.route.beyond), beyond)
        return total[:-1], self._roundings(_LANES * done)

    def _part(self, nodes: _Nodes, count: int, start: int) -> tuple[Floats, Floats, Floats]:
        """Return what some batches of nodes contribute, by slot, ``always`` and ``beyond``."""
        route = self._walk.route
        lower, exponentials = nodes.batch(start, count)
        always = self._level_of[list(route.always)]
        beyond = self._level_of[list(route.beyond)]
        factors = np.take(exponentials, self._slots[0], axis=1)
        for slots in self._slots[1:]:
            factors *= np.take(exponentials, slots, axis=1)
        sums = np.zeros_like(factors)
        ends = exponentials[:, beyond].prod(axis=1)
        end_sums = np.zeros_like(ends)
        totals = np.zeros_like(ends)
        path_sums(
            self._copies.astype(np.int32),
            self._windows,
            self._paths.steps,
            two_states=route.leaves_on is not None,
            leave_on_miss=route.leaves_on == "miss",
            chain=route.chain,
            factors=factors,
            ends=ends,
            sums=sums,
            end_sums=end_sums,
            totals=totals,
        )
        lower *= exponentials[:, always].prod(axis=1)[:, None]
        by_slot = np.stack(
            [(np.take(lower, slots, axis=1) * sums).sum(axis=(0, 3)) for slots in self._slots]
        )
        return (
            by_slot,
            (lower[:, always] * totals[:, None]).sum(axis=(0, 2)),
            (lower[:, beyond] * end_sums[:, None]).sum(axis=(0, 2)),
        )

    def _negligible(self, nodes: int) -> float:
        """Return about what is missing from 1 when more nodes would not help."""
        hits = self._subset_size * len(self._slots)
        return 2.0**-51 * self._roundings(nodes) + 2.0**-47 * hits

    def _roundings(self, nodes: int) -> int:
        """Count the roundings that one summand, from step to sum, can have gone through.

        Notes
        -----
        A pass forwards and one backwards meet at a stop. At each stop a value is a sum of at most
        ``copies + 2`` numbers, each multiplied at most four times; what hypotheses are brought
        together is multiplied too. Then follow sums over a window, over nodes, and over the slots
        of a hypothesis; what happens once for each is below 100.
        """
        stops = len(self._copies)
        reached = np.minimum(self._copies, self._paths.high.max())
        together = len(self._slots) + len(self._walk.route.always) + len(self._walk.route.beyond)
        window = int((self._paths.high - self._paths.low).max()) + 1
        return (
            self._paths.roundings
            + int(reached.sum())
            + stops * (6 + together)
            + 2 * window
            + nodes
            + int(np.bincount(self._brought.ravel())[:-1].max(initial=0))
            + 100
        )


def _padded(brought: list[list[Brought]], nothing: int) -> Integers:
    """Return what the slots bring, one hypothesis of each at a time: shape (k, rules, stops)."""
    most = max((len(own) for row in brought for own in row), default=0)
    table = np.full((max(most, 1), len(brought), len(brought[0])), nothing, dtype=np.int64)
    for rule, row in enumerate(brought):
        for stop, own in enumerate(row):
            table[: len(own), rule, stop] = own
    return table


class _Nodes:
    """The nodes t of the sum of exponentials, in batches of four."""

    def __init__(self, largest_sum: float, weights: Scaled) -> None:
        # The Gauss rule stands for all t up to one whose product with the largest sum is 4.
        level = math.floor(math.log(4 / largest_sum) / math.log(_reciprocals.RATIO))
        gauss, gauss_shares = _smallest_nodes(level)
        # Beyond the last node no exponential is left, even at the smallest weight.
        octaves = 12 - int(weights.exponents.min())
        count = _LANES * (octaves - level // _LANES)
        start = _reciprocals.RATIO ** (level + 1)
        others = scaled_powers(_reciprocals.RATIO, count, start)
        self._weights = weights
        self._nodes = Scaled(
            np.concatenate((gauss.mantissas, others.mantissas)),
            np.concatenate((gauss.exponents, others.exponents)),
        )
        self._shares = np.append(gauss_shares, np.full(count, _reciprocals.step_below()))
        self.batches = len(self._shares) // _LANES

    def batch(self, start: int, count: int) -> tuple[Floats, Floats]:
        """Return ``share * t * w`` and ``e**(-t w)``, both from below.

        Shape (batches, weights + 1, lanes); without a weight there is no share, and the factor 1.
        """
        chosen = np.arange(_LANES * start, _LANES * min(start + count, self.batches))
        lower, upper = self._nodes.take(chosen).products(self._weights)
        one = np.ones((len(chosen), 1))
        shares = np.hstack((lower * self._shares[chosen, None], 0 * one))
        factors = np.hstack((exponentials_below(upper), one))
        return _side_by_side(shares), _side_by_side(factors)


def _side_by_side(rows: Floats) -> Floats:
    """Put every four rows side by side: (4 b, k) becomes (b, k, 4)."""
    batches = len(rows) // _LANES
    return np.ascontiguousarray(rows.reshape(batches, _LANES, -1).transpose(0, 2, 1))


@cache
def _smallest_nodes(level: int) -> tuple[Scaled, Floats]:
    """Return the Gauss rule for the nodes up to ``RATIO**level``, and the share of each node."""
    rule = _reciprocals.gauss_rule()
    scale = _reciprocals.RATIO**level
    nodes = [scaled_powers(Fraction(1), 1, node * scale) for node in rule.nodes]
    step = Fraction(_reciprocals.step_below())
    shares = [float_below(step * w / t) for t, w in zip(rule.nodes, rule.weights, strict=True)]
    return (
        Scaled(
            np.concatenate([node.mantissas for node in nodes]),
            np.concatenate([node.exponents for node in nodes]),
        ),
        np.array(shares),
    )
