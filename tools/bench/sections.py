"""What is measured: for each job its instances, the library, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pac_stability import dimensions
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import Bounds
from tools.bench import (
    additive,
    answers,
    audits,
    baselines,
    building,
    concentration,
    cores,
    decisions,
    draws,
    draws_at_scale,
    generalization,
    growth,
    implicit_classes,
    instances,
    laws,
    noise,
    online_game,
    selections,
    tournaments,
    twins,
    whole_learners,
)
from tools.bench.measure import Measurement, Run, measure

Program = Callable[[str], Run]
"""Prepares the instance of a name and returns what is timed."""

LIBRARY = "library"


@dataclass(frozen=True)
class Baseline:
    """Another way to the same number, on the instances for which it was written.

    Attributes
    ----------
    label
        "definition" reads the mathematics aloud; "informed" is what a good user of Python, NumPy or
        of the peer's library writes; others say what they are.
    without
        Instances that it is not run on: it would take hours, or was not written for them.
    """

    label: str
    program: Program
    without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Row:
    """One instance, by program."""

    instance: str
    found: dict[str, Measurement]


@dataclass(frozen=True)
class Section:
    """Instances of one job, the library's program, and the baselines.

    Attributes
    ----------
    what
        A paragraph for the page.
    quick
        The instances of a quick run.
    grows
        Whether the instances are sizes of series, which end where a run is stopped.
    by_wall
        Whether times are those of the clock on the wall, not of the processor.
    """

    what: str
    names: Sequence[str]
    library: Program
    baselines: tuple[Baseline, ...] = ()
    quick: tuple[str, ...] = ()
    grows: bool = field(default=False)
    by_wall: bool = field(default=False)

    def rows(self, names: Sequence[str], *, limit: float, rounds: int) -> Iterator[Row]:
        """Measure instances; all programs that end must agree."""
        ended = set()
        for name in names:
            if self.grows and growth.series_of(name) in ended:
                continue
            tasks = {LIBRARY: partial(self.library, name)}
            for baseline in self.baselines:
                if name not in baseline.without:
                    tasks[baseline.label] = partial(baseline.program, name)
            found = measure(tasks, limit=limit, rounds=rounds)
            if self.by_wall:
                found = {title: replace(one, seconds=one.wall) for title, one in found.items()}
            values = {one.value for one in found.values() if one.seconds}
            if len(values) > 1:
                raise SystemExit(f"{name}: the programs do not agree: {values}")
            if self.grows and not found[LIBRARY].seconds:
                ended.add(growth.series_of(name))
            yield Row(name, found)


def on_class(program: Callable[[FiniteClass], Run]) -> Program:
    """A program on hypothesis classes, by their names."""
    return lambda name: program(instances.named(name))


def search(function: Callable[[FiniteClass], Bounds[object]]) -> Program:
    """A compiled search: dimension and nodes."""

    def program(hypotheses: FiniteClass) -> Run:
        def run() -> tuple[int, int]:
            found = function(hypotheses)
            return found.value, found.nodes

        return run

    return on_class(program)


def plain(function: Callable[[NDArray[np.uint8]], int]) -> Program:
    """A baseline on tables, which counts no nodes."""
    return on_class(lambda hypotheses: lambda: (function(hypotheses.table), 0))


def definition(program: Program, *without: str) -> Baseline:
    """The mathematics read aloud."""
    return Baseline("definition", program, frozenset(without))


def informed(program: Program, *without: str) -> Baseline:
    """What a good user writes."""
    return Baseline("informed", program, frozenset(without))


def _but(names: Sequence[str], *kept: str) -> list[str]:
    """Instances that are out of reach."""
    return [name for name in names if name not in kept]


SECTIONS = {
    "littlestone-small": Section(
        "Definition: max over points of 1 + min over labels, memoised by version space. "
        'Informed: decide "Ldim >= k" with size pruning, balanced columns first, equal '
        "columns merged, bounds in a memo.",
        instances.SMALL,
        search(dimensions.littlestone),
        (
            definition(plain(twins.plain_recursion)),
            informed(plain(twins.informed_search)),
        ),
        quick=("cube:7", "thresholds:64"),
    ),
    "littlestone-hard": Section(
        "The hard set. The definition would take years; informed as above.",
        instances.HARD,
        search(dimensions.littlestone),
        (informed(plain(twins.informed_search)),),
        quick=("random:2000x128:0.25", "random:4096x128:0.1"),
    ),
    "vc": Section(
        "Definition: all sets of points, size by size, and the labellings of each. Informed: "
        "sets in increasing order, pruned by the size of their cells, rows as bits of Python "
        "integers.",
        instances.VC,
        search(dimensions.vc),
        (
            definition(
                plain(twins.vc_by_definition),
                *_but(instances.VC, "random:64x12:0.5", "random:128x24:0.5"),
            ),
            informed(plain(baselines.plain_vc)),
        ),
        quick=("random:64x12:0.5",),
    ),
    "threshold": Section(
        "Definition: every sequence of points. Informed: branch and bound over first pairs, "
        "bounded by degrees, with a memo.",
        instances.THRESHOLD,
        search(dimensions.threshold),
        (
            definition(
                plain(twins.threshold_by_definition),
                *_but(instances.THRESHOLD, "random:12x6:0.5", "random:24x12:0.5"),
            ),
            informed(plain(twins.first_pair_search)),
        ),
        quick=("random:12x6:0.5",),
    ),
    "decisions": Section(
        "Is a dimension less than k? Decided by one question from above, against finding the "
        "dimension; the value is 1 for yes.",
        list(decisions.INSTANCES),
        decisions.decided,
        (Baseline("whole search", decisions.found),),
        quick=("threshold < 91, stumps on iris",),
    ),
    "two-cores": Section(
        "Two threads against one, by the clock on the wall, which needs two cores that have "
        "nothing else to do: six searches that take long, and four that do not.",
        cores.LONG + cores.SHORT,
        cores.on(2),
        (Baseline("one thread", cores.on(1)),),
        quick=("vc, random:256x64:0.5",),
        by_wall=True,
    ),
    "building": Section(
        "A class with distinct rows, packed. Definition: a set of tuples, entry by entry. "
        "Informed: one comparison in NumPy, bytes, nothing packed and nothing checked.",
        list(building.INSTANCES),
        building.library,
        (definition(building.loops, "intervals(1000)"), informed(building.arrays)),
        quick=("intervals(30)",),
    ),
    "online": Section(
        "A stream of examples labelled by a random hypothesis, ten for each point; nodes are "
        "examples. The table of the library's solver is warm, and so are the memos. "
        "Definition: Ldim of both sides by the memoised recursion. Informed: by the informed "
        "search.",
        instances.ONLINE,
        on_class(online_game.library),
        (
            definition(
                on_class(online_game.literal),
                *_but(instances.ONLINE, "thresholds:256", "unions_of_intervals:12,2"),
            ),
            informed(on_class(online_game.informed), "random:2048x128:0.25"),
        ),
        quick=("unions_of_intervals:12,2",),
    ),
    "audit": Section(
        "Private prediction of a predictor that looks its exact probabilities up in a table; "
        "nodes are pairs. Definition: a loop over every ordered pair of neighbours and every "
        "point, with fractions. Informed: NumPy in floats, each kind of replacement at once, "
        "given the table without asking.",
        list(audits.INSTANCES),
        audits.library,
        (definition(audits.plain), informed(audits.arrays)),
        quick=("4 points, n = 5",),
    ),
    "draws": Section(
        "Draws of one of 1,000 hypotheses on 64 points; nodes are draws, 20 that count the "
        "errors on n examples anew each time, or 10,000 that count them once. Definition: "
        "errors example by example, the weights as a list of fractions. Informed: NumPy in "
        "floats: the sample counted by point, one product with the table, `Generator.choice`, "
        "or for permute-and-flip the noisy maximum.",
        list(draws.INSTANCES),
        draws.library,
        (
            definition(
                draws.literal,
                *_but(
                    list(draws.INSTANCES),
                    "exponential eps=1 n=100",
                    "exponential base 2 n=100",
                    "permute-and-flip eps=1 n=100",
                ),
            ),
            informed(draws.arrays),
        ),
        quick=("exponential eps=0.1 n=1000", "exponential eps=0.1 n=1000, prepared"),
    ),
    "batches": Section(
        "10,000 draws of the exponential mechanism in a batch, exact, coins of the operating "
        "system, errors sorted and weights rounded once. Informed: `Generator.choice` with float "
        "weights, neither exact nor private.",
        list(answers.BATCHES),
        answers.exact_batch,
        (informed(answers.float_batch),),
        quick=("1,000 candidates, eps = 1",),
    ),
    "noise": Section(
        "1,000 draws of discrete Laplace noise, coins of the operating system; by the library one "
        "after the other, or in one call. Definition: exact coins, one after the other. Informed: "
        "NumPy's geometric numbers in floats, in one call, neither exact nor private. OpenDP: its "
        "mechanisms for one integer, call after call, or for vectors, in one call.",
        list(noise.INSTANCES),
        noise.library,
        (
            definition(noise.literal, "epsilon = .0001", "epsilon = .0001, in one call"),
            informed(noise.arrays),
            *([Baseline("OpenDP", noise.opendp)] if noise.OPENDP else []),
        ),
        quick=("epsilon = 1", "epsilon = 1, in one call"),
    ),
    "draws-at-scale": Section(
        "One draw of the stable learner from 10^6 examples in arrays, nothing prepared: a "
        "random subset of n' examples, one hypothesis for each of its patterns, their errors "
        "on all examples, and an exact choice. Definition: floats, and one pass of NumPy over "
        "the sample for each candidate. Informed: floats, and sums of labels between the "
        "values of the subset, for all candidates at once.",
        list(draws_at_scale.INSTANCES),
        draws_at_scale.library,
        (
            definition(
                draws_at_scale.array_operations,
                *_but(list(draws_at_scale.INSTANCES), "thresholds, n' = 400"),
            ),
            informed(draws_at_scale.sums),
        ),
        quick=("thresholds, n' = 400",),
    ),
    "answers": Section(
        "Questions to a learner that is prepared for the sample, preparation included; nodes "
        "are answers. Definition: the same learner asked by `predict`, which counts anew each "
        "time. Informed: NumPy in floats, errors of all cuts counted once; not written for "
        "voters.",
        list(answers.INSTANCES),
        answers.prepared,
        (
            definition(answers.anew, "20 voters, stumps 569 x 30", "stumps 10^6 x 10, n' = 40"),
            informed(answers.arrays, *answers.WITHOUT_ARRAYS),
        ),
        quick=("thresholds, 10^4, n' = 100",),
    ),
    "selection": Section(
        "The law of the hypothesis that the stable learner draws, in certified bounds; the "
        "value is a probability, in billionths; nodes are sets of points and their prefixes. "
        "Definition: the average over all C(n, n') index subsets. Informed: NumPy, once for "
        "each set of distinct points.",
        list(selections.INSTANCES),
        selections.library,
        (
            definition(selections.plain, *list(selections.INSTANCES)[1:]),
            informed(selections.point_sets),
        ),
        quick=("|H|=200 m=8 n=16 n'=8",),
    ),
    "additive": Section(
        "The same law for thresholds in polynomial time, certified, with labels wrong one "
        "time in ten; the value is the loss on the sample in millionths, nodes are examples. "
        "Definition: every index subset, in floats. Informed: the same sum of exponentials, "
        "states in vectors of NumPy. On intervals, and on stumps in the plane, the definition is "
        "the sum over all sets of points that can be hit, and the value in thousandths.",
        additive.NAMES,
        additive.library,
        (
            definition(additive.plain, *_but(list(additive.INSTANCES), "n=20 n'=5 decay 0.9")),
            informed(additive.arrays, *additive.FAMILIES),
        ),
        quick=("n=20 n'=5 decay 0.9",),
    ),
    "tournaments": Section(
        "Runs of algorithm G at the sizes for which the private learner runs it (alpha = "
        "1/4); nodes are runs. `given` is on an array of examples, the others on a simulated "
        "target, all at once from the law of one. Definition: the "
        "paper read aloud, lists of examples, the SOA run anew on each. Informed: example by "
        "example, with states and predictors remembered.",
        list(tournaments.INSTANCES),
        tournaments.library,
        (
            definition(
                tournaments.straightforward,
                *tournaments.GIVEN,
                "thresholds(4), d=2 repaired",
                "thresholds(8), d=3 repaired",
            ),
            informed(tournaments.literal, "thresholds(8), d=3 repaired"),
        ),
        quick=("singletons(8), d=1",),
    ),
    "tournament-laws": Section(
        "The exact law of k tournaments of n examples each on a uniform target; the value is "
        "the frequency of the most frequent output, nodes are states. Informed: the same "
        "recursion, a dictionary of integers for each level (the library's readable twin).",
        list(laws.INSTANCES),
        laws.library,
        (informed(laws.dictionaries, "thresholds(64), k=2 n=2"),),
        quick=("thresholds(16), k=2 n=2",),
    ),
    "whole-learners": Section(
        "Algorithm M by level, and the agnostic learner with its promise, at the sizes that "
        "keep it (alpha 1/4, beta 1/10, epsilon 1, delta 10^-6), from a target by law; "
        "nodes are the examples that the library's learner takes, the value is on how "
        "many points its output is wrong. The baseline is the same at the sizes of the "
        "paper's accounting with the repaired Lemma 12.",
        _but(list(whole_learners.INSTANCES), "M, thresholds(15), d=4"),
        whole_learners.sharp,
        (Baseline("paper's sizes", whole_learners.as_before),),
        quick=("M, singletons(8), d=1",),
    ),
    "by-law": Section(
        "Algorithm M by level at its size, all runs at once from the exact law of one, "
        "against the same runs example by example. Values and nodes are as above; from `d=4` on "
        "the examples would take half an hour and more.",
        list(whole_learners.BY_LAW),
        whole_learners.by_law,
        (
            Baseline(
                "run by run",
                whole_learners.run_by_run,
                frozenset(name for name in whole_learners.BY_LAW if "d=3" not in name),
            ),
        ),
        quick=("M by law, thresholds(7), d=3",),
    ),
    "implicit": Section(
        "Classes without a table, against the tables of the same classes: the first predictor "
        "of the standard optimal algorithm. Nothing is remembered from before. Nodes are columns.",
        implicit_classes.NAMES,
        implicit_classes.library,
        (Baseline("table", implicit_classes.table),),
        quick=("first predictor, thresholds(1024)",),
    ),
    "robust": Section(
        "The best adversary against robust generalization at epsilon = 1/4: for each output, "
        "the test (a set of the m elements) that fails with it most often, among `2^(m-1)`. "
        "All are given the types of the samples with their probabilities, and a table of "
        "laws. The value is the probability of failure in billionths; nodes are pairs of a "
        "type and a test. Definition: in fractions, test by test and type by type. Informed: "
        "matrix products in NumPy's floats.",
        list(generalization.ROBUST),
        generalization.robust,
        (
            definition(
                generalization.robust_plain, *[n for n in generalization.ROBUST if "m=8" in n]
            ),
            informed(generalization.robust_arrays),
        ),
        quick=("identity, m=4 n=6",),
    ),
    "perfect": Section(
        "The smallest beta of perfect generalization for laws on two outcomes, each with a "
        "denominator of its own, by one sort; nodes are laws. Definition: every simulator at "
        "an end of what is close to a law, in fractions. Informed: the same in NumPy's "
        "floats.",
        list(generalization.PERFECT),
        generalization.perfect,
        (
            definition(generalization.perfect_plain, "10,000 laws"),
            informed(generalization.perfect_arrays),
        ),
        quick=("100 laws",),
    ),
    "concentrated": Section(
        "Rho of a binomial law and its tilt in one direction, rounded to 10^-7; nodes are "
        "likelihood ratios. Definition: sums of rational intervals, and the bound by "
        "curvature alone. Informed: the largest of 4,000 orders in NumPy's floats, which is a "
        "lower bound and certifies nothing.",
        list(concentration.INSTANCES),
        concentration.library,
        (definition(concentration.intervals), informed(concentration.arrays)),
        quick=("8 ratios",),
    ),
    "growth": Section(
        "The library alone, as sizes double, until a run takes longer than the limit. The "
        "exponent is that of time in the size, from one row to the next: where it jumps, the "
        "job falls off a cliff.",
        growth.NAMES,
        growth.library,
        quick=tuple(growth.NAMES[:2]),
        grows=True,
    ),
}
