"""Every front door of the room takes a table, or says what it wants."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from pac_stability import dimensions
from pac_stability.classes import Boxes, FiniteClass, Halfspaces, Stumps, Thresholds
from pac_stability.errors import InvalidInput

FRONTS: dict[str, Callable[..., object]] = {
    **{name: getattr(dimensions, name) for name in (
        *("vc", "dual_vc", "littlestone", "threshold", "star"),
        *("vc_dimension", "dual_vc_dimension", "littlestone_dimension", "threshold_dimension"),
        *("star_number", "teaching_dimension", "shattered_tree", "refutation", "chain_cover"),
    )},
    "growth": lambda H: dimensions.growth_function(H, 1),
    "teaching": lambda H: dimensions.minimum_teaching_set(H, 0),
    "teaches": lambda H: dimensions.teaches(H, 0, [0]),
    "net": lambda H: dimensions.is_alpha_net(H, [0], Fraction(1, 2)),
    "at least": lambda H: dimensions.at_least(H, 1, "vc").holds,
    "half graph": lambda H: dimensions.refute_half_graph(H, 3),
}  # fmt: skip
ROWS = [[0, 1, 1], [1, 1, 0], [1, 0, 1]]


def _plain(answer: object) -> object:
    return (answer.lower, answer.upper) if isinstance(answer, dimensions.Bounds) else answer


@pytest.mark.parametrize("name", FRONTS)
def test_a_table_is_a_class(name: str) -> None:
    front = FRONTS[name]
    wanted = _plain(front(FiniteClass(ROWS)))
    exact = [[Fraction(cell) for cell in row] for row in ROWS[:1]]
    mixed = [*exact, *[[Decimal(cell) for cell in row] for row in ROWS[1:]]]
    for table in (ROWS, tuple(map(tuple, ROWS)), np.array(ROWS), np.array(ROWS, float), mixed):
        assert _plain(front(table)) == wanted


@pytest.mark.parametrize("name", FRONTS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, 2]], "H: got 2 at row 0, column 1, want values 0 and 1 only"),
        ([0, 1], "H: got 1 dimension"),
        ("01", "H: got '01', want a FiniteClass, or a table of 0 and 1"),
        (None, "H: got None, want a FiniteClass"),
        (Boxes, "H: got the family Boxes, which has no table"),
    ],
)
def test_what_is_no_table_is_named(name: str, given: object, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        FRONTS[name](given)
    assert str(caught.value).startswith(message)


def test_a_family_answers_from_what_it_knows() -> None:
    assert dimensions.vc_dimension(Boxes(2)) == 4
    assert dimensions.vc_dimension(Halfspaces(3)) == 4
    with pytest.raises(InvalidInput, match="the family Thresholds, of infinite dimension"):
        dimensions.littlestone_dimension(Thresholds())
    with pytest.raises(InvalidInput, match="the family Boxes, which has no table"):
        FRONTS["star_number"](Boxes(2))


def test_stumps_shatter_what_their_orders_can_cut() -> None:
    """The largest v with C(v, v // 2) <= 2p: 2, 3, 4, 4, 5, ... by hand."""
    values = [Stumps(p).known["vc"].value for p in (1, 2, 3, 4, 5, 9, 10, 17, 18, 34, 35)]
    assert values == [2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]
