"""Plans: a bound that holds on every table, and a comparison on a public one."""

from fractions import Fraction

import numpy as np
import pytest

from pac_stability.estimators import (
    FeatureBounds,
    Plan,
    PlannedAnswer,
    PrivateClassifier,
    PrunedTreeClassifier,
    SparseHalfspaceClassifier,
    cost_in_errors,
    plan,
)
from shared_refusals import refuses

WITHOUT = "scikit-learn is not installed: pip install 'pac_stability[sklearn]'"


def line(answers: int, model: float, query: float, rows: int = 70) -> PlannedAnswer:
    return PlannedAnswer(1.0, rows, answers, model, query, 5)


def test_where_a_model_becomes_better() -> None:
    lines = [line(1, 0.9, 0.95), line(3, 0.9, 0.85), line(10, 0.9, 0.7), line(1, 0.9, 0.5, 20)]
    found = Plan(tuple(lines))
    assert found.crossover(1.0) == 3
    assert found.crossover(1.0, 20) == 1
    assert Plan((line(1, 0.5, 0.9),)).crossover(1.0) is None
    assert str(found).splitlines()[1].endswith("0.900   0.950  query, 5 teachers")
    assert str(found).splitlines()[2].endswith("model")
    refuses("what was planned", found.crossover, 2.0)


def test_the_cost_in_errors() -> None:
    pytest.importorskip("sklearn", reason=WITHOUT)
    grid = FeatureBounds(0, 1, resolution=960)
    # One feature of one, 15 cuts, 2 orientations: 30 rules. 2 (ln 30 + ln 20) / 1 = 12.794.
    one = SparseHalfspaceClassifier(1, sparsity=1, grid=grid)
    assert cost_in_errors(one, 1) == Fraction(1280, 100)
    half = SparseHalfspaceClassifier(1, sparsity=1, grid=grid, neighbours="add-remove")
    assert cost_in_errors(half, 1) == Fraction(640, 100)
    # Depth 1, 15 splits: 1/2 1/15 1/2 1/2 = 1/120; and half of that in a union with 30 rules.
    tree = PrunedTreeClassifier(2, depth=1, grid=grid)
    assert cost_in_errors(tree, 1, failure="1/2") == Fraction(549, 100)  # ln 240 = 5.4806
    # A union halves each prior: that of the rarest tree, and 2 ln 2 = 1.386 more.
    kinds = (PrivateClassifier, PrunedTreeClassifier, SparseHalfspaceClassifier)
    union, trees, sparse = (cost_in_errors(kind(1, grid=grid), 30) for kind in kinds)
    assert trees > sparse
    assert Fraction(138, 100) <= union - trees <= Fraction(139, 100)
    for wrong in (0, 1, 2):
        refuses("failure", cost_in_errors, one, 1, failure=wrong)
    refuses("epsilon", cost_in_errors, SparseHalfspaceClassifier(0), 3)


def test_a_plan_on_a_public_table() -> None:
    pytest.importorskip("sklearn", reason=WITHOUT)
    rng = np.random.default_rng(0)
    X = rng.random((150, 3))
    y = X[:, 0] + X[:, 1] > 1
    told: list[Fraction] = []
    found = plan(
        X, y, epsilon=(0.5, 2), answers=(1, 40), rows=(60, 100), splits=2, grid=FeatureBounds(0, 1),
        progress=told.append,
    )  # fmt: skip
    assert told == [Fraction(done, 16) for done in range(1, 17)]
    assert len(found.lines) == 8
    first = {(one.epsilon, one.rows, one.answers): one for one in found.lines}
    # A model costs the same for any number of answers; answers get worse; more rows help.
    assert first[2, 100, 1].model == first[2, 100, 40].model > first[2, 60, 1].model
    assert first[2, 100, 1].query > first[2, 100, 40].query
    assert found.crossover(2, 100) in (1, 40)
    for wrong in ({"rows": (150,)}, {"answers": ()}, {"splits": 0}, {"epsilon": 0}):
        refuses("", plan, X, y, **wrong)
    refuses("y_public", plan, X, np.zeros(150))
