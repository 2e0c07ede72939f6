"""Sizes as functions: monotone, within range, refusing what is no parameter; and compared."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.arithmetic import Constants, Epsilon
from pac_stability.classes import FiniteClass, Thresholds
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import sample_complexity as sizes
from shared_refusals import refuses

# Near ones too: there, a search that is only nearly optimal would not be monotone.
units = st.one_of(
    st.fractions(Fraction(1, 10**4), Fraction(99, 100)),
    st.integers(1, 999).map(lambda k: Fraction(k, 1000)),
    st.integers(1, 60).map(lambda k: Fraction(1, 10) + Fraction(k, 10**6)),
)
levels = st.one_of(units, st.fractions(Fraction(1, 1000), Fraction(5)))
dimensions = st.integers(1, 20)
kinds = st.sampled_from(list(Constants))


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
def test_sizes_fall_from_printed_to_proved_to_sharp(name: str, alpha: str) -> None:
    size = {**QUICK, **SLOW}[name]
    printed, proved, sharp = (size(alpha, "1/20", "1/4", 3, constants=c) for c in Constants)
    assert sharp <= proved <= printed
    assert (sharp == proved) == (name in ("net", "uniform", "selection"))


def test_of_a_finite_class_the_sharp_size_is_the_smaller_of_two() -> None:
    # Of two hypotheses a union bound knows more than the mean of the parts' deviations.
    sharp, proved = (
        sizes.disjoint_average_size("1/20", "1/7", "2/3", 1, class_size=2, constants=c)
        for c in ("sharp", "proved")
    )
    assert (sharp.sample_size, sharp.blocks, sharp.block_size) == (4224, 2, 2112)
    assert sharp == replace(proved, constants=Constants.SHARP)
    # By itself: 2 ln((2 - 1) / (1/7 / 2)) / alpha**2 = 2111.2 for each of two parts.


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
    refuses("'printed', 'proved' or 'sharp'", size, *good.values(), constants="best")


def test_other_arguments_are_refused() -> None:
    with pytest.raises(InvalidInput, match="one hypothesis, for which no example is needed"):
        sizes.theorem_1("1/10", "1/10", "1/10", 0)
    with pytest.raises(InvalidInput, match=r"class_size: got 7, want at least 2\*\*3"):
        sizes.theorem_1("1/10", "1/10", "1/10", 3, class_size=7)
    refuses("epsilon alpha / 4 below 1", sizes.corollary_2, "1/2", "1/10", 9, 1, constants="paper")
    with pytest.raises(InvalidInput, match="targets"):
        sizes.realizable_private_size("1/10", "1/10", 1, 1, targets="some")  # type: ignore[arg-type]  # that is the test
    with pytest.raises(InvalidInput, match="setting"):
        sizes.disjoint_average_size("1/10", "1/10", "1/10", 1, setting="other")  # type: ignore[arg-type]  # that is the test
    refuses("at most 1/4", sizes.stable_lower_bound, "1/3", "1/10", 3)
    refuses("below 1/2", sizes.stable_lower_bound, "1/10", "1/10", 3, beta="1/2")


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
        ("exponential", Fraction(1, 5), "printed"),
        ("exponential", Fraction(1, 5), "proved"),
        ("exponential", Fraction(1, 5), "sharp"),
        ("exponential", Fraction(1, 10), "printed"),
    ]
    last = sizes.aggregation_size("1/10", "1/20", "1/2", 1, class_size=2**20)
    assert rows[-1].sample_size == last.sample_size
    assert len(rows) == 12
    refuses("one of", sizes.compare, ["theorem-2"], ["1/5"], ["1/2"], beta="1/20", vc_dimension=1)
    with pytest.raises(InvalidInput, match="size of the class"):
        sizes.compare(["exponential"], ["1/5"], ["1/2"], beta="1/20", vc_dimension=1)


@pytest.mark.parametrize("constants", Constants)
@pytest.mark.parametrize("name", [*sizes.STABLE, *sizes.PRIVATE])
def test_an_ask_is_answered_by_name(name: str, constants: Constants) -> None:
    known: dict[str, Any] = {"class_size": 1000, "constants": constants}
    ask = sizes.Ask("1/10", "1/20", gamma="1/3", epsilon="1/2", vc_dimension=2, **known)
    size = sizes.answer(name, ask)
    level = "1/3" if name in sizes.STABLE else "1/2"
    (row,) = sizes.compare(
        [name], ["1/10"], [level], beta="1/20", vc_dimension=2, class_size=1000,
        constants=[constants],
    )  # fmt: skip
    assert size.sample_size == row.sample_size
    assert size.constants is row.constants is constants
    assert size.parameters
    for parameter, value in size.parameters.items():
        assert getattr(size, parameter) == value
    H = FiniteClass(np.array([[h >> x & 1 for x in range(10)] for h in range(1000)]))
    learner: Any = size.learner(H)
    learner = getattr(learner, "base", learner)  # what is flipped
    assert learner.least_sample_size == size.sample_size


def test_what_a_size_needs_is_asked_for() -> None:
    ask = sizes.Ask("1/10", "1/20", vc_dimension=1)
    for name, argument in (("theorem-1", "gamma"), ("theorem-3", "epsilon")):
        refuses(f"^{argument}: got None, want ", sizes.answer, name, ask)
    refuses("one of", sizes.answer, "theorem-2", ask)
    size = sizes.exponential_learner_size("1/10", "1/20", 1, 1, 4)
    refuses(r"^H: got .*want a FiniteClass", size.learner, Thresholds())


def test_help_shows_what_may_be_known() -> None:
    for function in (sizes.theorem_1, sizes.aggregation_size, sizes.net_size):
        words = inspect.getdoc(function) or ""
        assert "class_size\n    The number of hypotheses, if it is finite" in words
        known = [*inspect.signature(function).parameters][-3:]
        assert known == ["constants", "class_size", "growth"]


EXTREMES = {
    "tiny accuracy": ("1e-30", "1/20", "1/10", None),
    "tiny confidence": ("1/10", "1e-30", "1/10", None),
    "tiny level": ("1/10", "1/20", "1e-30", None),
    "many hypotheses": ("1/10", "1/20", "1/10", 10**30),
    "near one": (1 - Fraction(1, 10**30), 1 - Fraction(1, 10**30), "1/10", None),
}


@pytest.mark.parametrize("extreme", EXTREMES)
@pytest.mark.parametrize("name", ["theorem-1", "disjoint-average", "corollary-2", "theorem-3"])
def test_sizes_at_extremes_are_answers_or_refused(name: str, extreme: str) -> None:
    alpha, beta, level, known = EXTREMES[extreme]
    size: Callable[..., Any] = {**sizes.STABLE, **sizes.PRIVATE}[name]
    private = name in sizes.PRIVATE
    if (private and extreme == "tiny level") or (name, extreme) == ("theorem-3", "tiny accuracy"):
        # No Epsilon is below 2**-64, and no list of divisions goes as far as an alpha of 10**-30.
        refuses(r"^(epsilon|alpha): got ", size, alpha, beta, level, 3, class_size=known)
        return
    assert size(alpha, beta, level, 3, class_size=known).sample_size > 0


def test_what_floats_cannot_hold_is_refused() -> None:
    least = Fraction(1, 10**100)
    assert sizes.uniform_convergence_size(least, least, 3).sample_size > 10**200
    for alpha, beta, argument in ((least / 2, "1/2", "alpha"), ("1/2", least / 2, "beta")):
        with pytest.raises(InvalidInput, match=rf"^{argument}: got .*, want at least 10\*\*-100$"):
            sizes.uniform_convergence_size(alpha, beta, 3)
    refuses(r"^population: got ", sizes.threshold_net_size, "1/10", "1/10", 10**30)
    assert sizes.agnostic_lower_bound("1e-30", "1/20", 10**30) > 10**88
