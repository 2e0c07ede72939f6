"""A notion is a value: listed once, found by its name, the same wherever it travels."""

import copy
import pickle
from fractions import Fraction

import pytest

from pac_stability.audit import About, Notion
from pac_stability.audit.notions.notion import OWN, Instance
from shared_refusals import refuses

EVERY = [*Notion.all(), *(n.at_epsilon for n in Notion.all() if n.at_epsilon is not None)]


def instance_of(notion: Notion) -> Instance:
    own = tuple((name, Fraction(2)) for name in notion.fixed if name in OWN)
    return Instance(notion, (), 1, own=own)


def test_a_notion_is_there_once() -> None:
    names = [notion.name for notion in EVERY]
    assert len(set(names)) == len(EVERY) >= 12
    for notion in EVERY:
        assert Notion.named(notion.name) is notion
        assert pickle.loads(pickle.dumps(notion)) is notion  # noqa: S301  # our own
        assert copy.deepcopy(Instance(notion, (), 1)).notion is notion


@pytest.mark.parametrize("notion", Notion.all(), ids=repr)
def test_its_name_in_python_is_that_on_the_command_line(notion: Notion) -> None:
    name = notion.name.upper().replace("-", "_")
    assert getattr(Notion, name) is notion
    assert repr(notion) == f"<Notion.{name}>"
    assert notion.ask.__name__ == name.lower()


@pytest.mark.parametrize("notion", EVERY, ids=repr)
def test_a_notion_is_measured_on_pairs_or_has_a_strategy(notion: Notion) -> None:
    assert (notion.measure is not None) == notion.about.pairs == (notion.strategy == ("", ""))
    assert notion.about.pairs == ("{step}" in notion.promise)
    if notion.measure is None:
        refuses("want one about neighbouring samples", notion.measured, Instance(notion, (), 1))
    else:
        assert notion.measured(instance_of(notion)).floor in (0, 1)


def test_epsilon_and_delta_change_places() -> None:
    asked = {notion.name for notion in Notion.all() if notion.at_epsilon is not None}
    assert asked == {notion.name for notion in Notion.all() if "delta" in notion.fixed}
    for notion in EVERY:
        if notion.at_epsilon is not None:
            assert notion.parameter.name == "epsilon"
            assert notion.at_epsilon.parameter.name == "delta"
            assert "epsilon" in notion.at_epsilon.fixed
            assert "delta" not in notion.at_epsilon.fixed
            assert notion.at_epsilon.about is notion.about is not About.EXAMPLES


def test_a_name_that_no_notion_has() -> None:
    refuses("notion: got 'privacy', want one of uniform-stability", Notion.named, "privacy")
