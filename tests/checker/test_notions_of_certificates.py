"""The checker's own table of notions says what the library says of them, and nothing else."""

from __future__ import annotations

import pytest

from pac_stability.audit import About, Notion
from pac_stability.checker.recheck_notions import NOTIONS

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
