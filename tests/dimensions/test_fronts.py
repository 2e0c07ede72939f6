"""Every front door of the room takes a table, or says what it wants."""

import inspect
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from pac_stability import InvalidInput, Sample, Unanswerable, classes, dimensions, online
from pac_stability.classes import Boxes, FiniteClass, Halfspaces, Stumps, Thresholds
from pac_stability.dimensions import Leaf, MistakeTree

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
@pytest.mark.parametrize(("given", "message"), [
    ([[0, 2]], "H: got 2 at row 0, column 1, want values 0 and 1 only"),
    ([0, 1], "H: got 1 dimension"),
    ("01", "H: got '01', want a FiniteClass, or a table of 0 and 1"),
    (None, "H: got None, want a FiniteClass"),
    (Boxes, "H: got the family Boxes, which has no table"),
])  # fmt: skip
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


# Everything public of three rooms: a table, or a message that says what is wanted

ALSO: dict[str, object] = {
    "how": "or", "beta": Fraction(1, 2), "k": 2, "m": 1, "hypothesis": 0, "points": [0], "size": 1,
    "horizon": 2, "alpha": Fraction(1, 2), "flips": (1,), "form": {}, "rounds": [], "n": 10,
    "epsilon": Fraction(1, 2), "learner": online.Halving(ROWS), "sample": Sample([0], [1]),
    "adversary": online.GreedyAdversary(ROWS), "domain": "abc", "representatives": [min] * 3,
    "tree": MistakeTree(Leaf(0)),
}  # fmt: skip
RECORDS = {online.PlayedGame, classes.Spec}
"""Results that are made by the library, not by its users."""


def _asked(call: Callable[..., object], H: object) -> object:
    """Call something with a class, and whatever else it wants."""
    parameters = inspect.signature(call).parameters.values()
    given: dict[str, object] = {}
    for parameter in parameters:
        if parameter.name in ("H", "table"):
            given[parameter.name] = H
        elif parameter.kind is parameter.VAR_POSITIONAL:
            return call(*given.values(), H)
        elif parameter.default is parameter.empty:
            given[parameter.name] = ALSO[parameter.name]
    return call(**given)


def _takes_a_class(call: object) -> bool:
    try:
        parameters = inspect.signature(call).parameters  # type: ignore[arg-type] # it may be none
    except (TypeError, ValueError):
        return False
    return bool({"H", "table", "families", "classes"} & parameters.keys())


def _public() -> Iterator[tuple[str, Callable[..., object]]]:
    found = [
        *(dimensions.vc(ROWS).witness, dimensions.dual_vc(ROWS).witness),
        *(dimensions.threshold(ROWS).witness, dimensions.star(ROWS).witness),
        *(dimensions.shattered_tree(ROWS), dimensions.refutation(ROWS)),
        *(dimensions.chain_cover(ROWS), dimensions.refute_shattering(ROWS, 3)),
        *(dimensions.refute_half_graph(ROWS, 4), dimensions.at_least(ROWS, 1)),
        online.Transcript.of(ROWS, "SOA", []),
    ]
    for room in (classes, dimensions, online):
        for name in room.__all__:
            thing = getattr(room, name)
            if _takes_a_class(thing) and thing not in RECORDS:
                yield name, thing
    for one in found:
        for name, method in inspect.getmembers(one, inspect.ismethod):
            if not name.startswith("_") and _takes_a_class(method):
                yield f"{type(one).__name__}.{name}", method


PUBLIC = dict(_public())


def test_many_take_a_class() -> None:
    assert len(PUBLIC) > 60


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_takes_a_table_or_says_what_it_wants(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    wanted = _told(PUBLIC[name], FiniteClass(ROWS))
    for table in (ROWS, np.array(ROWS), pandas.DataFrame(ROWS)):
        assert _told(PUBLIC[name], table) == wanted
    for wrong in (Boxes(2), Boxes, "01", None, [[0, 2]], 7):
        _told(PUBLIC[name], wrong)


def _told(call: Callable[..., object], H: object) -> object:
    try:
        answer = _asked(call, H)
    except (InvalidInput, Unanswerable) as error:
        return str(error)
    return _plain(answer) if isinstance(answer, int | str | tuple | dimensions.Bounds) else None
