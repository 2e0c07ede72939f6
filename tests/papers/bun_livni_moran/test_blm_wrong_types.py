"""Values of another type are refused by name, whatever they would have done."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pac_stability import arithmetic, classes, data
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran import formulas
from shared_refusals import refuses

H = classes.singletons(3)
TARGET = data.FiniteDistribution.uniform([data.Example(x, H(1, x)) for x in range(3)])
EXAMPLES = data.Sample([0, 1], [0, 1])
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
M = blm.PrivateLearner.of_class(H, HALF, HALF, 1.0, QUARTER)
G = blm.GloballyStableLearner(H, HALF)
AGNOSTIC = blm.AgnosticPrivateLearner.of_class(H, HALF, HALF, 1.0, QUARTER)
SIZES = formulas.PrivateLearnerSizes(1, HALF, HALF, arithmetic.Epsilon(1.0), QUARTER)

# Callers without type checkers pass anything.
Call = Callable[[Any], object]

OBJECTS: list[tuple[str, str, Call]] = [
    ("TournamentDistribution", "H", lambda v: blm.TournamentDistribution(v, TARGET, 1, 1)),
    ("MonteCarloTournament", "H", lambda v: blm.MonteCarloTournament(v, TARGET, 1, 1, 6)),
    ("GloballyStableLearner", "H", lambda v: blm.GloballyStableLearner(v, HALF)),
    ("SoaStates", "H", blm.SoaStates),
    ("require_realizable", "H", lambda v: blm.require_realizable(v, TARGET)),
    ("equivalence", "H", blm.equivalence),
    ("M", "H", lambda v: blm.PrivateLearner.of_class(v, HALF, HALF, 1.0, HALF)),
    ("agnostic", "H", lambda v: blm.AgnosticPrivateLearner.of_class(v, HALF, HALF, 1.0, HALF)),
    ("GenericPrivateLearner", "hypotheses", lambda v: blm.GenericPrivateLearner(v, 1.0)),
    ("ExampleStream", "H", lambda v: blm.ExampleStream([], v)),
    ("ExampleStream", "chunks", lambda v: blm.ExampleStream(v, H)),
    ("example_codes", "H", lambda v: blm.example_codes(v, EXAMPLES)),
    ("example_codes", "sample", lambda v: blm.example_codes(H, v)),
    ("resampling_guarantee", "guarantee", lambda v: blm.resampling_guarantee(v, 1, 1)),
    ("agnostic_sizes_over", "M", lambda v: blm.agnostic_sizes_over(v, 1)),
    ("tally_on_target", "learner", lambda v: blm.tally_on_target(v, TARGET, 1)),
    ("tally_on_target", "target", lambda v: blm.tally_on_target(G, v, 1)),
    (
        "tally_on_examples",
        "learner",
        lambda v: blm.tally_on_examples(v, blm.ExampleStream([], H), 1),
    ),
    ("tally_on_examples", "examples", lambda v: blm.tally_on_examples(G, v, 1)),
    ("train_on_target", "learner", lambda v: blm.train_on_target(v, TARGET)),
    ("train_on_examples", "examples", lambda v: blm.train_on_examples(M, v)),
    ("agnostic on target", "learner", lambda v: blm.train_on_target(v, TARGET)),
    ("agnostic on target", "target", lambda v: blm.train_on_target(AGNOSTIC, v)),
    ("agnostic on examples", "examples", lambda v: blm.train_on_examples(AGNOSTIC, v)),
    ("M.run", "sample", M.run),
    ("M.law", "sample", M.law),
    ("DrawCounts", "collisions", blm.DrawCounts),
    ("pick", "pick", lambda v: blm.GloballyStableLearner(H, HALF, pick=v)),
]


@pytest.mark.parametrize(("name", "argument", "call"), OBJECTS)
@pytest.mark.parametrize("value", [None, 3, math.nan], ids=str)
def test_objects_of_another_type(name: str, argument: str, call: Call, value: object) -> None:
    refuses(rf"^{argument}: got ", call, value)
    assert name


NUMBERS: list[tuple[str, Call]] = [
    ("alpha", lambda v: blm.PrivateLearner.of_class(H, v, HALF, 1.0, HALF)),
    ("beta", lambda v: blm.PrivateLearner.of_class(H, HALF, v, 1.0, HALF)),
    ("epsilon", lambda v: blm.PrivateLearner.of_class(H, HALF, HALF, v, HALF)),
    ("delta", lambda v: blm.PrivateLearner.of_class(H, HALF, HALF, 1.0, v)),
    ("alpha", lambda v: blm.AgnosticPrivateLearner.of_class(H, v, HALF, 1.0, HALF)),
    ("delta", lambda v: blm.AgnosticPrivateLearner.of_class(H, HALF, HALF, 1.0, v)),
    ("alpha", lambda v: blm.GloballyStableLearner(H, v)),
    ("n", lambda v: blm.GloballyStableLearner(H, HALF, n=v)),
    ("blocks", lambda v: blm.GloballyStableLearner(H, HALF, blocks=v)),
    ("budget", lambda v: blm.MonteCarloTournament(H, TARGET, 1, 1, v)),
    ("k", lambda v: blm.TournamentDistribution(H, TARGET, v, 1)),
    ("runs", lambda v: blm.tally_on_target(G, TARGET, v)),
    ("count", lambda v: blm.ExampleStream([np.zeros(3, dtype=np.uint8)], H).take(v)),
    ("tie", lambda v: blm.GloballyStableLearner(H, HALF, tie=v)),
    ("vc_dimension", lambda v: blm.agnostic_sizes_over(SIZES, v)),
]


@pytest.mark.parametrize(("argument", "call"), NUMBERS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -1, "x", [], np.int64(-3)], ids=repr)
def test_numbers_that_are_none(argument: str, call: Call, value: object) -> None:
    refuses(rf"^{argument}: got ", call, value)


def test_an_empty_class_is_called_empty() -> None:
    empty = classes.FiniteClass(np.zeros((0, 2), dtype=np.uint8))
    for of_class in (blm.PrivateLearner.of_class, blm.AgnosticPrivateLearner.of_class):
        refuses("H: got the empty class", of_class, empty, HALF, HALF, 1.0, HALF)
