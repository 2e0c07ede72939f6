"""Sizes as functions: monotone, within range, refusing what is no parameter; and compared."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.arithmetic import Epsilon
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import sample_complexity as sizes

# Near ones too: there, a search that is only nearly optimal would not be monotone.
units = st.one_of(
    st.fractions(Fraction(1, 10**4), Fraction(99, 100)),
    st.integers(1, 999).map(lambda k: Fraction(k, 1000)),
    st.integers(1, 60).map(lambda k: Fraction(1, 10) + Fraction(k, 10**6)),
)
levels = st.one_of(units, st.fractions(Fraction(1, 1000), Fraction(5)))
dimensions = st.integers(1, 20)
kinds = st.sampled_from(["paper", "sharp"])


def pairs(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, Any]]:
    return st.tuples(values, values).map(lambda pair: (min(pair), max(pair)))


QUICK: dict[str, Callable[..., int]] = {
    "net": lambda a, b, _, d, **kw: sizes.net_size(a, b, d, **kw).subset_size,
    "uniform": lambda a, b, _, d, **kw: sizes.uniform_convergence_size(a, b, d, **kw).sample_size,
    "selection": lambda a, _, t, d, **kw: (
        sizes.exponential_mechanism_size(a, t, d, **kw).sample_size
    ),
    "exponential": lambda a, b, t, d, **kw: (
        sizes.exponential_learner_size(a, b, t, d, 2**120, **kw).sample_size
    ),
    "disjoint": lambda a, b, g, d, **kw: sizes.disjoint_average_size(a, b, g, d, **kw).sample_size,
    "subset": lambda a, b, g, d, **kw: sizes.subset_average_size(a, b, g, d, **kw).sample_size,
    "aggregation": lambda a, b, t, d, **kw: sizes.aggregation_size(a, b, t, d, **kw).sample_size,
    "realizable": lambda a, b, t, d, **kw: (
        sizes.realizable_private_size(a, b, t, d, **kw).sample_size
    ),
}
SLOW: dict[str, Callable[..., int]] = {
    "theorem-1": lambda a, b, g, d, **kw: sizes.theorem_1(a, b, g, d, **kw).sample_size,
    "corollary-2": lambda a, b, t, d, **kw: sizes.corollary_2(a, b, t, d, **kw).sample_size,
    "theorem-3": lambda a, b, t, d, **kw: sizes.theorem_3(a, b, t, d, **kw).sample_size,
}


def is_monotone(size: Callable[..., int], data: st.DataObject, level: Any) -> None:
    alpha, beta = data.draw(pairs(units)), data.draw(pairs(units))
    asked, d = data.draw(pairs(level)), data.draw(pairs(dimensions))
    kind = data.draw(kinds)
    varied = data.draw(st.sampled_from(["alpha", "beta", "level", "dimension", "all"]))
    easy = (alpha[1], beta[1], asked[1], d[0])
    hard = tuple(
        harder if varied in (name, "all") else same
        for name, harder, same in zip(
            ("alpha", "beta", "level", "dimension"),
            (alpha[0], beta[0], asked[0], d[1]),
            easy,
            strict=True,
        )
    )
    assert 0 <= size(*easy, constants=kind) <= size(*hard, constants=kind)


@pytest.mark.parametrize("name", QUICK)
@settings(max_examples=6)
@given(st.data())
def test_sizes_are_monotone(name: str, data: st.DataObject) -> None:
    is_monotone(QUICK[name], data, units if name in ("disjoint", "subset") else levels)


@pytest.mark.parametrize("name", SLOW)
@settings(max_examples=2)
@given(st.data())
def test_sizes_of_the_theorems_are_monotone(name: str, data: st.DataObject) -> None:
    is_monotone(SLOW[name], data, units if name == "theorem-1" else levels.filter(lambda t: t < 2))


@pytest.mark.parametrize("name", [*QUICK, *SLOW])
def test_sizes_do_not_fall_by_tiny_steps_of_alpha(name: str) -> None:
    # Where rounding to integers moves the best division of alpha.
    size = {**QUICK, **SLOW}[name]
    steps = 12 if name in QUICK else 3
    found = [
        size(
            Fraction(1, 5) - Fraction(k, 5000),
            Fraction(1, 20),
            Fraction(1, 3),
            2,
            constants="sharp",
        )
        for k in range(steps)
    ]
    assert found == sorted(found)


@pytest.mark.parametrize("name", [*QUICK, *SLOW])
@pytest.mark.parametrize("alpha", ["1/2", "1/1000"])
def test_sharp_sizes_are_the_smaller_ones(name: str, alpha: str) -> None:
    size = {**QUICK, **SLOW}[name]
    sharp, paper = (size(alpha, "1/20", "1/4", 3, constants=kind) for kind in ("sharp", "paper"))
    assert sharp <= paper


def test_sizes_far_out() -> None:
    # d ln(1/alpha) / (gamma alpha) = 9.2e10, d / alpha**2 = 1e10, with constants and logarithms.
    assert 10**11 < sizes.theorem_1("1/10000", "1/20", "1/10000", 100).sample_size < 10**13
    # d**2 / (epsilon alpha) = 1e8, with 10.9 from Lemma 18 and three logarithms.
    assert 10**10 < sizes.theorem_3("1/10000", "1/20", 1, 100).sample_size < 10**14


def test_a_finite_class_and_a_growth_function_help() -> None:
    free = sizes.theorem_1("1/10", "1/20", "1/10", 2).sample_size
    assert sizes.theorem_1("1/10", "1/20", "1/10", 2, class_size=4).sample_size < free
    grown = sizes.theorem_1("1/10", "1/20", "1/10", 2, growth=lambda m: 2 * m)
    assert grown.sample_size < free


def test_an_epsilon_may_be_given_in_every_form() -> None:
    exact = sizes.corollary_2("1/10", "1/20", Epsilon(0.5), 1)
    assert exact == sizes.corollary_2("1/10", "1/20", 0.5, 1)
    assert exact == sizes.corollary_2("1/10", "1/20", "1/2", 1)


@pytest.mark.parametrize("name", [*QUICK, *SLOW])
def test_parameters_out_of_range_are_refused(name: str) -> None:
    size = {**QUICK, **SLOW}[name]
    good = {"a": "1/10", "b": "1/20", "t": "1/10", "d": 2}
    wrong: list[tuple[str, Any, str]] = [
        ("a", 0, "alpha"),
        ("a", 1, "alpha"),
        ("a", float("nan"), "alpha"),
        ("d", -1, "vc_dimension" if name != "selection" else "class_size"),
        ("d", 0, "vc_dimension" if name != "selection" else "class_size"),
    ]
    if name != "selection":
        wrong += [("b", 0, "beta"), ("b", "3/2", "beta")]
    if name in ("disjoint", "subset", "theorem-1"):
        wrong += [("t", 0, "gamma"), ("t", 1, "gamma")]
    elif name not in ("net", "uniform"):
        wrong += [("t", 0, "epsilon"), ("t", -1, "epsilon")]
    for key, value, argument in wrong:
        given_values = {**good, key: value}
        with pytest.raises(InvalidInput) as refused:
            size(*given_values.values(), constants="sharp")
        assert refused.value.argument == argument
    with pytest.raises(InvalidInput, match="'paper' or 'sharp'"):
        size(*good.values(), constants="best")


def test_other_arguments_are_refused() -> None:
    with pytest.raises(InvalidInput, match="one hypothesis, for which no example is needed"):
        sizes.theorem_1("1/10", "1/10", "1/10", 0)
    with pytest.raises(InvalidInput, match=r"class_size: got 7, want at least 2\*\*3"):
        sizes.theorem_1("1/10", "1/10", "1/10", 3, class_size=7)
    with pytest.raises(InvalidInput, match="epsilon alpha / 4 below 1"):
        sizes.corollary_2("1/2", "1/10", 9, 1, constants="paper")
    with pytest.raises(InvalidInput, match="targets"):
        sizes.realizable_private_size("1/10", "1/10", 1, 1, targets="some")  # type: ignore[arg-type]  # that is the test
    with pytest.raises(InvalidInput, match="setting"):
        sizes.disjoint_average_size("1/10", "1/10", "1/10", 1, setting="other")  # type: ignore[arg-type]  # that is the test
    with pytest.raises(InvalidInput, match="at most 1/4"):
        sizes.stable_lower_bound("1/3", "1/10", 3)
    with pytest.raises(InvalidInput, match="below 1/2"):
        sizes.stable_lower_bound("1/10", "1/10", 3, beta="1/2")


def test_a_comparison_has_a_row_for_everything() -> None:
    rows = sizes.compare(
        ["exponential", "aggregation"],
        ["1/5", "1/10"],
        ["1/2"],
        beta="1/20",
        vc_dimension=1,
        class_size=2**20,
    )
    assert [(row.learner, row.alpha, row.constants) for row in rows[:4]] == [
        ("exponential", Fraction(1, 5), "paper"),
        ("exponential", Fraction(1, 5), "sharp"),
        ("exponential", Fraction(1, 10), "paper"),
        ("exponential", Fraction(1, 10), "sharp"),
    ]
    last = sizes.aggregation_size("1/10", "1/20", "1/2", 1, class_size=2**20)
    assert rows[-1].sample_size == last.sample_size
    assert len(rows) == 8
    with pytest.raises(InvalidInput, match="one of"):
        sizes.compare(["theorem-2"], ["1/5"], ["1/2"], beta="1/20", vc_dimension=1)
    with pytest.raises(InvalidInput, match="size of the class"):
        sizes.compare(["exponential"], ["1/5"], ["1/2"], beta="1/20", vc_dimension=1)


def test_a_crossover_is_where_the_order_changes() -> None:
    place = sizes.crossover(
        "theorem-1", "disjoint-average", "1/10", beta="1/20", vc_dimension=1, octaves=1
    )
    assert place is not None

    def order(alpha: Fraction) -> bool:
        one = sizes.theorem_1(alpha, "1/20", "1/10", 1).sample_size
        return one < sizes.disjoint_average_size(alpha, "1/20", "1/10", 1).sample_size

    assert order(place.smaller)
    assert not order(place.larger)
    assert place.larger / place.smaller <= Fraction(17, 16)
    assert (
        sizes.crossover(
            "disjoint-average", "theorem-1", "1/2", beta="1/20", vc_dimension=1, octaves=1
        )
        is None
    )
    with pytest.raises(InvalidInput, match="same goal"):
        sizes.crossover("theorem-1", "theorem-3", "1/2", beta="1/20", vc_dimension=1)
