"""The checker's own table of notions says what the library says of them, and nothing else."""

from fractions import Fraction

import pytest

from pac_stability.audit import About, Notion
from pac_stability.audit.notions.notion import OWN, Instance
from pac_stability.checker.notions import NOTIONS

EVERY = [*Notion.all(), *(n.at_epsilon for n in Notion.all() if n.at_epsilon is not None)]


def test_both_know_the_same_notions() -> None:
    assert set(NOTIONS) == {notion.name for notion in EVERY}


@pytest.mark.parametrize("notion", EVERY, ids=repr)
def test_both_read_them_alike(notion: Notion) -> None:
    asked = NOTIONS[notion.name]
    assert asked.pairs == notion.about.pairs
    assert asked.points == (notion.about is About.PREDICTIONS)
    assert asked.factor == notion.parameter.is_factor
    assert asked.at_least == notion.parameter.larger_is_better
    own = tuple((name, Fraction(2)) for name in notion.fixed if name in OWN)
    by_order = asked.pairs and not notion.measured(Instance(notion, (), 1, own=own)).exactly
    assert (asked.divergence is not None) == by_order
    names = {"epsilon": "epsilon_ratio" if notion.parameter.name == "delta" else "epsilon"}
    if notion.name == "robust-generalization-at-epsilon":  # its epsilon is a deviation
        names["epsilon"] = "deviation"
    fixed = {names.get(name, name) for name in notion.fixed}
    optimum = {"optimum"} if notion.name == "accuracy" else set()
    assert set(asked.fixed) == fixed | optimum
