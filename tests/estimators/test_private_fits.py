"""What a fit draws, without scikit-learn: verified by the exact audit; fits that look, refuted."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import Epsilon, audit, data, errors, mechanisms, randomness
from pac_stability.estimators import FeatureBounds, FeatureGrid, RoundNumbers, drawing, planning

HALF = Fraction(1, 2)
# Measurements of one feature; the bounds 0 and 2 are public.
DOMAIN: Sequence[Hashable] = [(0.0,), (1.0,), (2.0,)]
ENDS: Sequence[Hashable] = [(0.0,), (2.0,)]
PUBLIC = FeatureBounds(0, 2, resolution=2)
Table = npt.NDArray[np.float64]
Labels = npt.NDArray[np.uint8]


def arrays(sample: data.Sample[Hashable]) -> tuple[Table, Labels]:
    points = np.array([list(x) for x in sample.points], dtype=np.float64)  # type: ignore[call-overload]  # tuples
    return points.reshape(len(sample), 1), np.array(sample.labels, dtype=np.uint8)


def fitted(
    table: Table,
    labels: Labels,
    grid: FeatureGrid = PUBLIC,
    *,
    decay: Fraction = HALF,
    kinds: tuple[drawing.RuleClass, ...] = ("sparse", "trees"),
    depth: int = 1,
) -> mechanisms.Posterior:
    lists = drawing.rules_for(kinds, grid, table.shape[1], depth=depth)
    return lists.posterior(table, labels, decay)


def public(table: Table, labels: Labels) -> mechanisms.Posterior:
    return fitted(table, labels)


def bounds_of_the_table(table: Table, labels: Labels) -> mechanisms.Posterior:
    return fitted(table, labels, FeatureBounds(table.min() - 1, table.max() + 1, resolution=2))


def standardised(table: Table, labels: Labels) -> mechanisms.Posterior:
    centred = (table - table.mean()) / (table.std() or 1)
    return fitted(centred, labels, FeatureBounds(-1, 1, resolution=2))


def class_weights(table: Table, labels: Labels) -> mechanisms.Posterior:
    # Rows of the rarer label count three times.
    rare = int(2 * labels.sum() < len(labels))
    again = np.repeat(np.arange(len(labels)), np.where(labels == rare, 3, 1))
    return fitted(table[again], labels[again])


def majority_first(table: Table, labels: Labels) -> mechanisms.Posterior:
    return fitted(table, labels, kinds=("sparse" if 2 * labels.sum() > len(labels) else "trees",))


def depth_by_cross_validation(table: Table, labels: Labels) -> mechanisms.Posterior:
    posteriors = [fitted(table, labels, kinds=("trees",), depth=depth) for depth in (0, 1)]
    return max(posteriors, key=lambda found: found.mass() / found.total)


def warmer_when_unsure(table: Table, labels: Labels) -> mechanisms.Posterior:
    sure = abs(2 * int(labels.sum()) - len(labels)) == len(labels)
    return fitted(table, labels, decay=Fraction(1, 8) if sure else HALF)


def without_what_is_missing(table: Table, labels: Labels) -> mechanisms.Posterior:
    kept = table[:, 0] < 2
    return fitted(table[kept], labels[kept])


def until_no_errors(table: Table, labels: Labels) -> mechanisms.Posterior:
    first = fitted(table, labels)
    return first if labels.sum() % 2 else fitted(table, labels, decay=Fraction(1, 64))


def median_split(table: Table, labels: Labels) -> mechanisms.Posterior:
    middle = float(np.median(table))
    return fitted(table, labels, FeatureBounds(middle - 1, middle + 1, resolution=2))


WRONG = [
    bounds_of_the_table, standardised, class_weights, majority_first, depth_by_cross_validation,
    warmer_when_unsure, until_no_errors, median_split,
]  # fmt: skip


def program(
    fit: Callable[[Table, Labels], mechanisms.Posterior],
) -> Callable[[data.Sample[Hashable]], data.FiniteDistribution[Hashable]]:
    """The law of the rule that is published, from every path of the coins of its draw."""

    def law(sample: data.Sample[Hashable]) -> data.FiniteDistribution[Hashable]:
        def drawn(rng: randomness.Coins) -> Hashable:
            return fit(*arrays(sample)).draw(rng)

        return data.enumerate_law(drawn)

    return law


def test_a_fit_is_private() -> None:
    right = audit.differential_privacy(program(public), ENDS, 2, claim=Epsilon.exactly(4))
    assert right.verdict is audit.Verdict.VERIFIED
    assert 2 < right.value <= 4


def test_to_drop_rows_by_what_they_hold_is_private() -> None:
    # Each row is dropped or kept by itself, so errors change by no more than one.
    found = audit.differential_privacy(
        program(without_what_is_missing), ENDS, 2, claim=Epsilon.exactly(4)
    )
    assert found.verdict is audit.Verdict.VERIFIED


def test_with_a_row_added_the_same_decay_costs_half() -> None:
    found = audit.differential_privacy(
        program(public),
        DOMAIN[:2],
        2,
        claim=Epsilon.exactly(2),
        relation=data.Neighbouring.ADD_REMOVE,
    )
    assert found.verdict is audit.Verdict.VERIFIED


@pytest.mark.parametrize("wrong", WRONG)
def test_fits_that_look_are_refuted(wrong: Callable[[Table, Labels], mechanisms.Posterior]) -> None:
    found = audit.differential_privacy(
        program(wrong), DOMAIN, 2, claim=Epsilon.exactly(4), stop_at_first=True
    )
    assert found.verdict is audit.Verdict.REFUTED


def tuned(table: Table, labels: Labels) -> mechanisms.Posterior:
    kinds: list[tuple[drawing.RuleClass, ...]] = [("sparse",), ("trees",)]
    parts = [fitted(table, labels, kinds=kind) for kind in kinds]
    return planning.union_of_settings(parts, [2, 1])


def test_tuning_is_as_private_as_one_fit() -> None:
    found = audit.differential_privacy(program(tuned), ENDS, 2, claim=Epsilon.exactly(4))
    assert found.verdict is audit.Verdict.VERIFIED
    assert found.value > 2


def test_a_choice_among_settings_has_the_law_of_one_mechanism() -> None:
    table, labels = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1], dtype=np.uint8)
    kinds: list[tuple[drawing.RuleClass, ...]] = [("sparse",), ("trees",)]
    parts = [fitted(table, labels, kinds=kind) for kind in kinds]

    def law_of(posterior: mechanisms.Posterior) -> data.FiniteDistribution[Hashable]:
        def drawn(rng: randomness.Coins) -> Hashable:
            return posterior.draw(rng)

        return data.enumerate_law(drawn)

    found = law_of(planning.union_of_settings(parts, [2, 1]))
    masses = [2 * parts[0].mass() / parts[0].total, parts[1].mass() / parts[1].total]
    for number, (part, mass) in enumerate(zip(parts, masses, strict=True)):
        for rule, probability in law_of(part).items():
            chosen = [y for y in found.support if (y.number, y.rule) == (number, rule)]  # type: ignore[attr-defined]  # a setting
            assert [found.probability(y) for y in chosen] == [probability * mass / sum(masses)]


def test_epsilon_is_spent_and_not_more() -> None:
    for neighbours in ("replace-one", "add-remove"):
        _, spent = drawing.decay_of(1, neighbours)
        asked = Epsilon(1).ratio
        assert Fraction(999, 1000) * asked < spent.factor <= asked
        assert spent.delta == 0
    assert drawing.decay_of(Epsilon.exactly(4), "replace-one")[0] == HALF


@pytest.mark.parametrize(("make", "argument"), [
    (lambda: drawing.decay_of(0, "replace-one"), "epsilon"),
    (lambda: drawing.decay_of(-1, "replace-one"), "epsilon"),
    (lambda: drawing.decay_of(float("inf"), "replace-one"), "epsilon"),
    (lambda: drawing.decay_of(1, "swap"), "neighbours"),
])  # fmt: skip
def test_bad_parameters(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        make()
    assert caught.value.argument == argument


def test_which_rules_depends_on_the_width_alone() -> None:
    assert len(drawing.sparse_rules(30, 960, None)) == 487_200 + 26_100 + 900
    assert [drawing.sparse_rules(p, 61, None).sparsity for p in (1, 64, 65, 600, 2000)] == [
        3,
        3,
        3,
        1,
        1,
    ]
    grid = FeatureBounds(0, 1)
    assert [(drawing.tree_rules(p, grid, None).depth, len(drawing.tree_rules(p, grid, None).splits))
            for p in (1, 2, 3, 31)] == [(3, 15), (3, 30), (2, 45), (2, 217)]  # fmt: skip
    assert len(drawing.tree_rules(2, RoundNumbers(), None).splits) == 122
