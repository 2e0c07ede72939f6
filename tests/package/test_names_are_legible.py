"""A name that a user gives reaches no terminal and no page with control characters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pac_stability import Example, FiniteClass, FiniteDistribution, Sample, audit, data, dimensions
from pac_stability.audit.statistics import privacy_bound
from pac_stability.dimensions.trees import TREE_FORMATS
from pac_stability.errors import BudgetExhausted, PacStabilityError
from pac_stability.randomness import Coins

RED = "a\x1b[31m\u202eb\x07"
DOMAIN = [RED, "b"]
TABLE = FiniteClass([[0, 1], [1, 0], [1, 1]], domain=DOMAIN, names=[RED, "c", "d"])


class Named:
    """An outcome that writes what it likes."""

    def __init__(self, label: int) -> None:
        self.label = label

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and other.label == self.label

    def __hash__(self) -> int:
        return self.label

    def __repr__(self) -> str:
        return RED


def learn(sample: Sample[str], rng: Coins) -> Named:
    return Named(sample.labels[0] ^ rng.below(2))


def fails(sample: Sample[str], rng: Coins) -> object:
    raise ValueError(RED, sample, rng)


def hangs(sample: Sample[str], rng: Coins) -> object:
    while len(sample):
        rng = rng  # noqa: PLW0127  # for ever
    return sample


for each in (learn, fails, hangs):
    each.__name__ = each.__qualname__ = RED


def raised(act: Callable[[], object]) -> Exception:
    with pytest.raises(PacStabilityError) as caught:
        act()
    return caught.value


def fitted() -> object:
    estimators = pytest.importorskip("pac_stability.estimators")
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({RED: np.arange(30.0), "b": np.arange(30.0)[::-1]})
    labels = np.where(np.arange(30) > 15, RED, "no\nelse: yes")
    return estimators.PrivateClassifier(5).fit(table, labels).hypothesis_


PRINTED: dict[str, Callable[[], object]] = {
    "an audit": lambda: audit.differential_privacy(learn, DOMAIN, 1, claim=1),
    "its witness": lambda: audit.differential_privacy(learn, DOMAIN, 1).witness,
    "laws": lambda: audit.global_stability(
        learn, FiniteDistribution.uniform([Example(RED, 0), Example("b", 1)]), 1
    ),
    "symmetry": lambda: audit.is_symmetric(learn, DOMAIN, 2),
    "statistics": lambda: privacy_bound(lambda name: name, [(RED, "b")], runs=50),
    "a law": lambda: FiniteDistribution.uniform([Named(0), Named(1)]),
    "a sample": lambda: Sample([RED], [1]),
    "a multiset": lambda: data.Multiset.of([RED]),
    "a class": lambda: TABLE,
    "a row": lambda: next(iter(TABLE)),
    "a dimension": lambda: dimensions.star(TABLE),
    "a rule": fitted,
    "an error": lambda: raised(lambda: audit.differential_privacy(fails, DOMAIN, 1)),
    "a limit": lambda: raised(
        lambda: audit.differential_privacy(hangs, DOMAIN, 1, time_limit=0.01)
    ),
    "a budget": lambda: BudgetExhausted(RED),
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_is_legible(name: str) -> None:
    shown = PRINTED[name]()
    faces = (str, repr, *(getattr(type(shown), f"_repr_{kind}_", None) for kind in ("html", "svg")))
    told = [str(face(shown)) for face in faces if face is not None]
    assert any("a?[31m?b?" in text or r"\x1b" in text or "\n" in text for text in told)
    for text in told:
        assert text.replace("\n", "").isprintable()
        assert "\nelse: yes" not in text


def test_trees_are_legible() -> None:
    tree = dimensions.LittlestoneSearch(TABLE).run().tree
    assert tree is not None
    for draw in TREE_FORMATS.values():
        assert draw(tree, TABLE.domain, TABLE.names).replace("\n", "").isprintable()
