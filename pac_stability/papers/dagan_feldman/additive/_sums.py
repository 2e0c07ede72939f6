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
from pac_stability.papers.dagan_feldman.additive._layers import FREELY, Layers
from pac_stability.papers.dagan_feldman.additive.walks import Walk

_LANES = 4
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
        excess_errors = walk.errors - walk.errors.min()
        levels, level_of = np.unique(excess_errors, return_inverse=True)
        # Weights relative to the best one; the last level stands for no hypothesis.
        self._weights = scaled_powers(decay, int(levels[-1]) + 1).take(levels)
        self._level_of = np.append(level_of, len(levels))
        self._layers = Layers(walk.route, len(walk.hypotheses), self._level_of, subset_size)
        self._largest_sum = self._bound_normaliser()

    def _bound_normaliser(self) -> float:
        """Return about the largest Z_A, in units of the largest weight; nothing depends on it."""
        weights = np.append(
            np.ldexp(self._weights.mantissas, np.maximum(self._weights.exponents, -1000)), 0
        )
        brought = np.sort(weights[self._layers.slots].sum(axis=0).max(axis=0))[::-1]
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
        work = max(self._layers.work, self._layers.slots.size)
        chunk = max(1, min(_BATCHES_AT_ONCE, _STEPS_AT_ONCE // work))
        # Always as many chunks between two looks, so that results do not depend on the machine.
        threads = _CHUNKS_BETWEEN if chunk * work > _WORTH_A_THREAD else 1
        total = np.zeros(len(self._walk.hypotheses) + 1)
        done = roundings = 0
        with ThreadPoolExecutor(max_workers=min(threads, os.cpu_count() or 1)) as pool:
            while done < nodes.batches:
                end = min(done + _CHUNKS_BETWEEN * chunk, nodes.batches)
                run = map if threads == 1 else pool.map
                parts = list(run(partial(self._part, nodes, chunk), range(done, end, chunk)))
                for part, counted in filter(None, parts):
                    total += part
                    roundings = max(roundings, counted)
                done = end
                counted = roundings + self._roundings_of_sums(_LANES * done)
                if None in parts or 1 - total.sum() < self._negligible(counted):
                    break
        return total[:-1], roundings + self._roundings_of_sums(_LANES * done)

    def _part(self, nodes: _Nodes, count: int, start: int) -> tuple[Floats, int] | None:
        """Return what some batches of nodes contribute, and the roundings of one product."""
        route = self._walk.route
        layers = self._layers.at(*nodes.smallest_and_largest(start, count))
        if layers is None:
            return None
        lower, exponentials = nodes.batch(start, count)
        always = self._level_of[list(route.always)]
        beyond = self._level_of[list(route.beyond)]
        factors = np.take(exponentials, layers.slots[0], axis=1)
        for slots in layers.slots[1:]:
            factors *= np.take(exponentials, slots, axis=1)
        sums = np.zeros_like(factors)
        ends = exponentials[:, beyond].prod(axis=1)
        end_sums = np.zeros_like(ends)
        totals = np.zeros_like(ends)
        path_sums(
            layers.copies.astype(np.int32),
            layers.windows,
            layers.paths.steps,
            two_states=route.leaves_on is not None,
            leave_on_miss=route.leaves_on == "miss",
            chain=layers.chain,
            block=layers.block,
            factors=factors,
            ends=ends,
            sums=sums,
            end_sums=end_sums,
            totals=totals,
        )
        lower *= exponentials[:, always].prod(axis=1)[:, None]
        found = np.zeros(len(self._walk.hypotheses) + 1)
        for slots, brought in zip(layers.slots, layers.brought, strict=True):
            by_slot = (np.take(lower, slots, axis=1) * sums).sum(axis=(0, 3))
            np.add.at(found, brought, by_slot)
        np.add.at(found, list(route.always), (lower[:, always] * totals[:, None]).sum(axis=(0, 2)))
        np.add.at(
            found, list(route.beyond), (lower[:, beyond] * end_sums[:, None]).sum(axis=(0, 2))
        )
        together = len(layers.slots) + len(route.always) + len(route.beyond)
        return found, layers.roundings(together)

    def _negligible(self, roundings: int) -> float:
        """Return about what is missing from 1 when more nodes would not help."""
        hits = self._subset_size * len(self._layers.slots)
        return 2.0**-51 * roundings + 2.0**-47 * hits

    def _roundings_of_sums(self, nodes: int) -> int:
        """Count the roundings of sums over nodes, and over the slots of a hypothesis.

        Notes
        -----
        What happens once for each summand is below 100.
        """
        return nodes + self._layers.most_slots + 100


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

    def smallest_and_largest(self, start: int, count: int) -> tuple[Floats, Floats]:
        """Return bounds on ``t w`` for all t of some batches, for each w, from below and above."""
        chosen = self._chosen(start, count)
        lower, upper = self._nodes.take(chosen).products(self._weights)
        return lower.min(axis=0), upper.max(axis=0)

    def _chosen(self, start: int, count: int) -> Integers:
        chosen: Integers = np.arange(_LANES * start, _LANES * min(start + count, self.batches))
        return chosen

    def batch(self, start: int, count: int) -> tuple[Floats, Floats]:
        """Return ``share * t * w`` and ``e**(-t w)``, both from below.

        Shape (batches, weights + 3, lanes). The last three have no share; their factors are 1 for
        what has no weight, and those of what is hit ``FREELY`` and of what is ``FORBIDDEN``.
        """
        chosen = self._chosen(start, count)
        lower, upper = self._nodes.take(chosen).products(self._weights)
        one = np.ones((len(chosen), 1))
        shares = np.hstack((lower * self._shares[chosen, None], np.zeros((len(chosen), 3))))
        factors = np.hstack((exponentials_below(upper), one, FREELY * one, 0 * one))
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
