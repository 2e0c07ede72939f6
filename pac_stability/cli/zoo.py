"""``pac-stability zoo algorithms``: the table of exact values for the benchmarks."""

from __future__ import annotations

import argparse

from pac_stability.audit.results import PairWitness
from pac_stability.cli.loading import Exit
from pac_stability.cli.output import emit, to_json
from pac_stability.zoo import algorithms

_HEAD = f"{'algorithm':<20} {'k':>2}  {'claimed':>7}  {'epsilon':>9}  {'seconds':>7}  worst pair"


def run(options: argparse.Namespace) -> int:
    """Print a line for each algorithm and k as soon as it is computed."""
    entries = algorithms.table(options.names, options.queries)
    if options.json:
        found = {"schema": "pac-stability/algorithms/1", "algorithms": [*map(_fields, entries)]}
        emit(to_json(found))
        return Exit.OK
    emit(f"made for epsilon = {algorithms.EPSILON}; * exceeds its claim\n\n{_HEAD}\n")
    for entry in entries:
        claim = entry.algorithm.claim
        claimed = "" if claim is None else f"{claim * algorithms.EPSILON:g}"
        star = "*" if entry.breaks else " "
        emit(
            f"{entry.algorithm.name:<20} {entry.k:>2}  {claimed:>7}  {_epsilon(entry):>8}{star} "
            f"{entry.seconds:>8.2f}  {_pair(entry)}\n"
        )
    return Exit.OK


def _epsilon(entry: algorithms.Measured) -> str:
    return "infinite" if entry.epsilon == float("inf") else f"{entry.epsilon:.6f}"


def _pair(entry: algorithms.Measured) -> str:
    witness = entry.result.witness
    if not isinstance(witness, PairWitness) or entry.result.value == 1:
        return ""
    return " / ".join(
        "  ".join(map(str, sample[0] if entry.algorithm.of_answers else sample))
        for sample in (witness.sample, witness.neighbour)
    )


def _fields(entry: algorithms.Measured) -> dict[str, object]:
    claim = entry.algorithm.claim
    return {
        "name": entry.algorithm.name,
        "source": entry.algorithm.source,
        "k": entry.k,
        "claimed": None if claim is None else claim * algorithms.EPSILON,
        "epsilon": entry.epsilon if entry.epsilon < float("inf") else "infinite",
        "exceeds_its_claim": entry.breaks,
        "worst_pair": _pair(entry),
        "printed": entry.algorithm.printed,
        "seconds": round(entry.seconds, 3),
    }
