"""The languages of random and numpy.random: exact laws, and refusals that nothing gets around."""

import bisect
import copy
import heapq
import math
import pickle
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import arithmetic, data, errors, randomness
from pac_stability.data import tape
from pac_stability.randomness import exact_generator, undecided
from pac_stability.randomness.watch import HiddenDraw, Watch
from shared_refusals import refuses

Program = Callable[[Any], Any]
NAN = float("nan")
TENTH = Fraction(0.1)  # the binary number
NEARLY_ONE = (0.1, 0.2, 0.7)

uniform = data.FiniteDistribution.uniform


def weighted(weights: dict[Any, Any]) -> data.FiniteDistribution[Any]:
    return data.FiniteDistribution({outcome: Fraction(each) for outcome, each in weights.items()})


def arranged(values: Any, k: int) -> data.FiniteDistribution[object]:
    return uniform(list(permutations(values, k)))


def asking(text: str, names: dict[str, Any]) -> Callable[[randomness.ExactGenerator], bool]:
    return lambda rng: bool(eval(text, {**names, "rng": rng}))  # noqa: S307


def shuffled(rng: randomness.ExactGenerator) -> tuple[str, ...]:
    values = list("abc")
    rng.shuffle(values)
    return tuple(values)


def shuffled_rows(rng: randomness.ExactGenerator) -> object:
    rows = np.array([[0, 1], [2, 3], [4, 5]])
    rng.shuffle(rows)
    return tuple(map(tuple, rows.tolist()))


def with_itself(u: randomness.LazyUniform) -> tuple[bool, ...]:
    return (u < u, u > u, u <= u, u >= u)  # noqa: PLR0124  # what is tested


def beside(u: randomness.LazyUniform, noise: Any) -> tuple[bool, ...]:
    return (u < noise / 2, bool(noise / 2 > u))


# Each law is written from what the documentation of random and numpy.random says.
LAWS: dict[str, tuple[Program, data.FiniteDistribution[Any]]] = {
    "random() < p": (lambda r: r.random() < 0.25, weighted({True: "1/4", False: "3/4"})),
    "a float is binary": (lambda r: r.random() < 0.1, weighted({True: TENTH, False: 1 - TENTH})),
    "a fraction": (lambda r: r.random() >= Fraction(1, 3), weighted({True: "2/3", False: "1/3"})),
    "reversed": (lambda r: 0.25 > r.random(),  # noqa: SIM300  # what is tested
 weighted({True: "1/4", False: "3/4"})),
    "numpy's float first": (
        lambda r: bool(np.float64(0.25) >= r.random()),
        weighted({True: "1/4", False: "3/4"}),
    ),
    "beyond the ends": (
        lambda r: (r.random() < 2, r.random() < 0, r.random() > -math.inf, r.random() < math.inf),
        uniform([(True, False, True, True)]),
    ),
    "uniform(a, b)": (lambda r: r.uniform(-1, 3) < 0, weighted({True: "1/4", False: "3/4"})),
    "uniform(b, a)": (lambda r: r.uniform(3, -1) < 0, weighted({True: "1/4", False: "3/4"})),
    "random(size) < p": (
        lambda r: tuple((r.random(2) < 0.5).tolist()),
        uniform(list(product([False, True], repeat=2))),
    ),
    "one draw, many thresholds": (
        lambda r: tuple((np.array([0.25, 0.5]) > r.random()).tolist()),
        weighted({(True, True): "1/4", (False, True): "1/4", (False, False): "1/2"}),
    ),
    "inverse distribution function": (
        lambda r: bisect.bisect([0.25, 0.5, 1.0], r.random()),
        weighted({0: "1/4", 1: "1/4", 2: "1/2"}),
    ),
    "inverse distribution function, numpy's": (
        lambda r: int(np.searchsorted([0.25, 0.5, 1.0], r.random())),
        weighted({0: "1/4", 1: "1/4", 2: "1/2"}),
    ),
    "bins": (
        lambda r: int(np.digitize(r.random(), [0.25, 0.5])),
        weighted({0: "1/4", 1: "1/4", 2: "1/2"}),
    ),
    "itself": (
        lambda r: with_itself(r.random()),
        weighted({(False, False, True, True): 1}),
    ),
    "an array of draws": (
        lambda r: tuple(np.where(np.array([r.random(), r.random()]) < 0.5, 1, 0).tolist()),
        uniform(list(product([0, 1], repeat=2))),
    ),
    "rounded": (lambda r: round(r.uniform(0, 2)), weighted({0: "1/4", 1: "1/2", 2: "1/4"})),
    "rounded to tenths": (
        lambda r: round(r.uniform(0.5, 0.7), 1) == 0.5,
        weighted({True: (Fraction(11, 20) - Fraction(0.5)) / (Fraction(0.7) - Fraction(0.5)),
                  False: (Fraction(0.7) - Fraction(11, 20)) / (Fraction(0.7) - Fraction(0.5))}),
    ),
    "numpy's ceil": (lambda r: int(np.ceil(r.random() * 3)), uniform([1, 2, 3])),
    "its size": (lambda r: abs(r.uniform(-1, 2)) < 0.5, weighted({True: "1/3", False: "2/3"})),
    # Half of the noise is 1/2 with probability 1/2, and at least 1 else.
    "beside noise": (
        lambda r: beside(r.random(), r.geometric(0.5)),
        weighted({(True, True): "3/4", (False, False): "1/4"}),
    ),
    "randrange": (lambda r: r.randrange(3), uniform([0, 1, 2])),
    "randrange by steps": (lambda r: r.randrange(10, 3, -3), uniform([10, 7, 4])),
    "randint includes its end": (lambda r: r.randint(1, 3), uniform([1, 2, 3])),
    "randint(3), NumPy's of old": (lambda r: r.randint(3), uniform(range(3))),
    "randint with size": (lambda r: int(r.randint(1, 3, size=1)[0]), uniform([1, 2])),
    "integers excludes it": (lambda r: r.integers(1, 3), uniform([1, 2])),
    "integers(n)": (lambda r: r.integers(2), uniform([0, 1])),
    "integers, endpoint": (lambda r: r.integers(1, 3, endpoint=True), uniform([1, 2, 3])),
    "integers, size": (
        lambda r: tuple(r.integers(0, 2, size=(2, 1)).ravel().tolist()),
        uniform(list(product([0, 1], repeat=2))),
    ),
    "getrandbits": (lambda r: r.getrandbits(2), uniform(range(4))),
    "randbytes": (lambda r: r.randbytes(1)[0], uniform(range(256))),
    "choice": (lambda r: r.choice("ab"), uniform("ab")),
    "choice(n)": (lambda r: r.choice(3), uniform(range(3))),
    "choice of tuples": (lambda r: r.choice([(0, 1), (2, 3)]), uniform([(0, 1), (2, 3)])),
    "choice, p": (
        lambda r: r.choice(["a", "b", "c"], p=[0.25, 0.75, 0]),
        weighted({"a": "1/4", "b": "3/4"}),
    ),
    "choice, p in proportion": (
        lambda r: r.choice(3, p=NEARLY_ONE),
        weighted(
            {i: Fraction(p) / sum(map(Fraction, NEARLY_ONE)) for i, p in enumerate(NEARLY_ONE)}
        ),
    ),
    "choice, size": (
        lambda r: tuple(r.choice([5, 6], size=2).tolist()),
        uniform(list(product([5, 6], repeat=2))),
    ),
    "choice without replacement": (
        lambda r: tuple(r.choice(3, size=2, replace=False).tolist()),
        arranged(range(3), 2),
    ),
    # The first has p; the second is drawn among the others, in proportion.
    "choice without replacement, p": (
        lambda r: tuple(r.choice(3, size=2, replace=False, p=[0.5, 0.25, 0.25]).tolist()),
        weighted(
            {
                (0, 1): "1/4", (0, 2): "1/4",
                (1, 0): "1/6", (1, 2): "1/12", (2, 0): "1/6", (2, 1): "1/12",
            }
        ),
    ),
    "choices": (lambda r: tuple(r.choices("ab", k=2)), uniform(list(product("ab", repeat=2)))),
    "choices, weights": (
        lambda r: r.choices("ab", weights=[3, 1.0])[0],
        weighted({"a": "3/4", "b": "1/4"}),
    ),
    "choices, cum_weights": (
        lambda r: r.choices("ab", cum_weights=[3, 4])[0],
        weighted({"a": "3/4", "b": "1/4"}),
    ),
    "sample": (lambda r: tuple(r.sample("abc", 2)), arranged("abc", 2)),
    "sample, counts": (
        lambda r: tuple(sorted(r.sample("ab", 2, counts=[2, 1]))),
        weighted({("a", "a"): "1/3", ("a", "b"): "2/3"}),
    ),
    "shuffle": (shuffled, arranged("abc", 3)),
    "shuffle of rows": (shuffled_rows, arranged([(0, 1), (2, 3), (4, 5)], 3)),
    "permutation(n)": (lambda r: tuple(r.permutation(3).tolist()), arranged(range(3), 3)),
    "permutation": (lambda r: tuple(r.permutation(["a", "b"]).tolist()), arranged("ab", 2)),
    "binomial": (
        lambda r: r.binomial(2, Fraction(1, 3)),
        weighted({0: "4/9", 1: "4/9", 2: "1/9"}),
    ),
    "binomialvariate": (lambda r: r.binomialvariate(1), uniform([0, 1])),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_every_method_has_the_law_that_it_is_documented_with(name: str) -> None:
    program, law = LAWS[name]
    assert data.enumerate_law(program) == law


@pytest.mark.parametrize("name", LAWS)
def test_coins_draw_what_the_law_says(name: str) -> None:
    program, law = LAWS[name]
    runs, coins = 400, randomness.SeededCoins(name)
    drawn = Counter(program(coins) for _ in range(runs))
    assert drawn.keys() <= set(law.support)
    for outcome in law.support:
        p = float(law.probability(outcome))
        # Seven standard deviations, and the seed is fixed.
        assert abs(drawn[outcome] - runs * p) <= 7 * math.sqrt(runs * p) + 1


def test_the_methods_do_what_those_of_the_two_languages_do() -> None:
    """The same calls are understood by the originals, with outcomes of the same support."""
    generators = {"random": random.Random(1), "numpy": np.random.default_rng(1)}
    generators["numpy of old"] = np.random.RandomState(1)
    for name, (program, law) in LAWS.items():
        understood = 0
        for language, generator in generators.items():
            if (name, language) == ("shuffle of rows", "random"):
                continue  # it exchanges views, and loses rows
            try:
                outcomes = {program(generator) for _ in range(50)}
            except (TypeError, AttributeError, ValueError, ZeroDivisionError):
                continue
            understood += 1
            assert outcomes <= set(law.support), name
        # Python 3.12 has binomialvariate.
        assert understood or name in {"binomialvariate"}, name


thresholds = st.lists(
    st.one_of(
        st.fractions(-1, 2, max_denominator=7),
        st.floats(-1, 2, allow_nan=False),
        st.integers(-1, 2),
    ),
    max_size=5,
)


@given(thresholds)
def test_comparisons_of_one_draw_agree_with_one_number(given_thresholds: list[Any]) -> None:
    law = data.enumerate_law(lambda rng: compared(rng.random(), given_thresholds))
    # The definition: a number is between two neighbouring thresholds, as often as these are apart.
    exact = [min(max(Fraction(each), Fraction(0)), Fraction(1)) for each in given_thresholds]
    cuts = sorted({Fraction(0), Fraction(1), *exact})
    expected: Counter[tuple[bool, ...]] = Counter()
    for low, high in pairwise(cuts):
        middle = (low + high) / 2
        expected[tuple(middle < each for each in exact)] += high - low  # type: ignore[assignment]  # fractions
    assert dict(law.items()) == dict(expected)


def compared(u: randomness.LazyUniform, with_what: list[Any]) -> tuple[bool, ...]:
    return tuple(u < each for each in with_what)


@given(thresholds)
def test_all_four_comparisons_are_of_one_number(with_what: list[Any]) -> None:
    u = randomness.SeededCoins(3).random()
    for each in with_what:
        below = u < each
        assert (u <= each, u > each, u >= each) == (below, not below, not below)
        assert (each > u, each >= u, each < u, each <= u) == (below, below, not below, not below)


HALF, QUARTER, THIRD, SIXTH = (Fraction(1, k) for k in (2, 4, 3, 6))


def _parts(r: randomness.ExactGenerator) -> object:
    u = r.random()
    return bool(u < 0.5), bool(2 * u > 1.5), math.floor(4 * u)


@pytest.mark.parametrize(
    ("program", "law"),
    [
        (lambda r: int(r.random() * 3), dict.fromkeys(range(3), THIRD)),
        (lambda r: int(r.uniform(-2, 2)), {-1: QUARTER, 0: HALF, 1: QUARTER}),
        (lambda r: bool(1 + r.uniform(-1, 1) > 0.5), {True: 3 * QUARTER, False: QUARTER}),
        (lambda r: bool(1 - r.random() < 0.25), {True: QUARTER, False: 3 * QUARTER}),
        (lambda r: bool(np.float64(0.25) + r.random() > 0.5), {True: 3 * QUARTER, False: QUARTER}),
        (
            _parts,
            {(True, False, 0): QUARTER, (True, False, 1): QUARTER, (False, False, 2): QUARTER,
             (False, True, 3): QUARTER},
        ),
        (lambda r: bool(r.random() < r.random()), {True: HALF, False: HALF}),
        (lambda r: int(np.argmax(r.random(3))), dict.fromkeys(range(3), THIRD)),
        (
            lambda r: "".join(sorted("abc", key=lambda _: r.random())),
            {"".join(order): SIXTH for order in permutations("abc")},
        ),
        (
            lambda r: tuple(r.permuted([1, 2, 3]).tolist()),
            dict.fromkeys(permutations([1, 2, 3]), SIXTH),
        ),
        (lambda r: r.hypergeometric(2, 3, 2), {0: Fraction(3, 10), 1: Fraction(3, 5),
                                              2: Fraction(1, 10)}),
        (lambda r: tuple(r.multinomial(1, [0.25, 0.75]).tolist()), {(1, 0): QUARTER,
                                                                   (0, 1): 3 * QUARTER}),
        (lambda r: bool(np.mean([0, 1]) + r.geometric(0.5) > 1.75), {True: HALF, False: HALF}),
        (lambda r: bool((np.array([r.geometric(0.5) + 0.25]).round() >= 2)[0]),
         {True: HALF, False: HALF}),
        # e**0 to twice e**0: the exponential mechanism, and again among those that are left
        (lambda r: int(np.argmax([r.gumbel() for _ in range(3)])), dict.fromkeys(range(3), THIRD)),
        (
            lambda r: tuple(np.argsort(-2 * r.gumbel(scale=0.5, size=3))[:2].tolist()),
            dict.fromkeys(permutations(range(3), 2), SIXTH),
        ),
    ],
)  # fmt: skip
def test_what_people_write_has_an_exact_law(program: Program, law: dict[object, Fraction]) -> None:
    assert data.enumerate_law(program) == data.FiniteDistribution(law)


@pytest.mark.parametrize("top", [
    lambda s: np.argsort(s)[::-1][:2],
    lambda s: np.argsort(-s)[:2],
    lambda s: sorted(range(4), key=lambda i: s[i], reverse=True)[:2],
    lambda s: heapq.nlargest(2, range(4), key=(s / 3).__getitem__),
])  # fmt: skip
def test_the_largest_two_of_numbers_with_gumbel_noise(top: Callable[[Any], Any]) -> None:
    """The exponential mechanism, and again among the others: Plackett's and Luce's law."""
    scores, weights = np.array([2, 1, 0, 0.5]), np.exp([2, 1, 0, 0.5])
    law = data.enumerate_law(lambda r: tuple(map(int, top(scores + r.gumbel(size=4)))))
    for i, j in permutations(range(4), 2):
        share = weights[i] / weights.sum() * weights[j] / (weights.sum() - weights[i])
        assert float(law.probability((i, j))) == pytest.approx(share, rel=1e-14)


def test_numpy_rounds_a_number_with_noise_as_python_does() -> None:
    laws = [
        data.enumerate_law(program)
        for program in (
            lambda r: round(1 + r.laplace(0, 2), 1) > 0.3,
            lambda r: np.round(1 + r.laplace(0, 2), 1) > 0.3,
            lambda r: (np.array([1]) + r.laplace(0, 2, size=1)).round(1)[0] > 0.3,
        )
    ]
    assert laws[0] == laws[1] == laws[2]


@pytest.mark.parametrize(("program", "share"), [
    (lambda r: bool(r.normal(0, 2) >= 1), (1 - math.erf(1 / 32 * 15 / math.sqrt(2))) / 2),
    (lambda r: bool(r.gauss(3, 1) > r.normal(2, 1)), 0.74),
    (lambda r: bool(r.poisson(2) < 2), 3 * math.exp(-2)),
])  # fmt: skip
def test_what_is_irrational_is_enclosed(program: Program, share: float) -> None:
    found = data.explored_law(program).probability(True)
    assert isinstance(found, arithmetic.Interval)
    assert 0 < found.width < Fraction(1, 2**58)
    assert float(found.lower) == pytest.approx(share, abs=0.02)


REFUSED: dict[str, tuple[Program, str]] = {
    "of a number, then another": (
        lambda r: [u := r.random(), u < 0.5, u < r.random()][2],
        "with another",
    ),
    "another, then a number": (
        lambda r: sorted([r.random(), r.random()])[0] < 0.5,
        "with a number",
    ),
    "returned of another law": (lambda r: r.beta(2, 3), r"rng\.beta\(\) as a result"),
    "returned Gumbel noise": (lambda r: r.gumbel(), "Gumbel noise as a result"),
    "Gumbel noise, 13 in order": (
        lambda r: sorted(r.gumbel(size=13))[1] is None,
        "the order of more than 12 numbers",
    ),
    "squared": (lambda r: r.random() ** 2, "a power of"),
    "made a float": (lambda r: float(r.random()), "the float of"),
    "a logarithm": (lambda r: math.log(r.random()), "the float of"),
    "an index": (lambda r: [0, 1][r.random()], "a rounding of"),
    "noise as an index": (lambda r: [0, 1][r.laplace()], "a number with noise as an index"),
    "added after a comparison": (
        lambda r: [u := r.random(), u < 0.5, u + r.random()][2] > 1,
        "a sum of .* after a comparison",
    ),
    "its truth": (lambda r: 1 if r.random() else 0, "the truth of"),
    "printed": (lambda r: str(r.random()), "the digits of"),
    "formatted": (lambda r: f"{r.random():.1f}", "the digits of"),
    "pickled": (lambda r: pickle.dumps(r.random()), "pickled"),
    "a key": (lambda r: {r.random(): 1}, "as a key"),
    "nan": (lambda r: r.random() < NAN, "not a number"),
    "single precision": (lambda r: r.random() < np.float32(0.5), "of type float32"),
    "text": (lambda r: r.random() < "0.5", "of type str"),
    "as floats": (lambda r: r.random(3).astype(float)[0], "the float of"),
    "a ufunc": (lambda r: np.log(r.random()), "numpy.log"),
    "a method of floats": (lambda r: r.random().hex(), r"rng.random\(\).hex"),
    "laplace": (lambda r: r.laplace(0, 1) > 0, "rng.laplace"),
    "vonmisesvariate": (lambda r: r.vonmisesvariate(0, 1) > 0, "rng.vonmisesvariate"),
    "a seed": (lambda r: r.seed(0), "rng.seed"),
    "the float of noise": (lambda r: float(r.geometric(0.5)), "the float of a number with noise"),
    "the text of noise": (lambda r: str(r.laplace()), "the text of a number with noise"),
    "beside Gumbel noise": (lambda r: r.random() < r.gumbel(), "Gumbel noise"),
    "a hash of the coins": (lambda r: hash(r) % 2, "a hash of the coins"),
    "coins as a key": (lambda r: {r: 1}[r], "a hash of the coins"),
    "copied coins": (lambda r: copy.copy(r).below(2) == r.below(2), "a copy of the coins"),
    "deeply copied coins": (lambda r: copy.deepcopy([r])[0].below(2), "a copy of the coins"),
}


def test_a_real_number_that_is_returned_lies_on_the_grid_of_noise() -> None:
    law = data.enumerate_law(lambda r: [3 * r.random() - 1, 7])
    assert law == data.FiniteDistribution.uniform([(Fraction(k, 16), 7) for k in range(-16, 32)])
    # After a comparison it lies in what is left; the grid becomes so fine that the ends are on it.
    least: Any = Fraction(1, 50)
    found: Any = data.enumerate_law(lambda r: max(r.uniform(0, "1/40"), least))
    # No real number equals one at which another outcome lies.
    assert found.probability("exactly 1/50") == Fraction(4, 5)
    rest = {*found.support} - {"exactly 1/50"}
    assert all(each < Fraction(1, 40) for each in rest)


def test_a_real_number_equals_no_number_but_itself() -> None:
    def program(r: randomness.ExactGenerator) -> object:
        u: Any = r.random()
        return u == 0.5, u != 0.5, u in [0.25], u == u, u == r.random(), (u == np.zeros(2)).any()  # noqa: PLR0124

    assert data.enumerate_law(program) == data.FiniteDistribution(
        {(False, True, False, True, False, False): 1}
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_exact_law_is_refused_whatever_the_program_does(name: str) -> None:
    program, words = REFUSED[name]

    def swallowing(rng: randomness.ExactGenerator) -> object:
        try:
            return program(rng)
        except BaseException:  # the worst that it can do
            return 0

    with pytest.raises(randomness.InexactDraw, match=words) as caught:
        data.enumerate_law(program)
    # What is returned has no line: not that of whoever asks for the law.
    assert ("test_languages.py, line" in str(caught.value)) is not name.startswith("returned")
    if not name.startswith("returned"):
        with pytest.raises(randomness.InexactDraw, match=words):
            data.enumerate_law(swallowing)


NAMED = {"math": math, "k": 2, "scale": 2, "a": 2, "b": 3, "p": 0.3, "t": 1, "loc": 0}


# On a grid, near 1 - (1 + 1/2) e**-1/2 and 1 - e**-1/2, the shares of the continuous ones.
def test_a_gamma_draw_of_whole_shape_is_a_sum() -> None:
    for asked, share in (("rng.gamma(k, scale) < t", 0.0902), ("rng.chisquare(2) < t", 0.3935)):
        law = data.enumerate_law(asking(asked, NAMED))
        assert float(law.probability(True)) == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(("asked", "share"), [
    ("rng.logistic(loc, scale) < t", 1 / (1 + math.exp(-0.5))),
    ("3 - t > rng.logistic(1)", 1 / (1 + math.exp(-1))),
    ("rng.logistic() > 40", 1 / (1 + math.exp(40))),
    ("rng.standard_cauchy() < t", 0.75),
    ("3 + 2 * rng.standard_cauchy() > t", 0.75),
    ("rng.standard_cauchy() / 2 - t <= 0.5 * t", 0.5 + math.atan(3) / math.pi),
    ("rng.standard_t(2) < t", 0.5 + 1 / (2 * math.sqrt(3))),
    ("rng.standard_t(df=1) < -1", 0.25),
    ("rng.f(2, 2) < 3", 0.75),  # x / (1 + x)
    ("rng.rayleigh(scale) < t", 1 - math.exp(-1 / 8)),
    ("rng.rayleigh(scale) < -t", 0),
    ("rng.weibull(a) < t", 1 - math.exp(-1)),
    ("t - 3 <= rng.weibull(a)", 1),
    ("rng.weibullvariate(alpha=scale, beta=b) < t", 1 - math.exp(-1 / 8)),
    ("rng.pareto(a) > t", 0.25),
    ("t < rng.pareto(a) < 3", 1 / 4 - 1 / 16),
    ("t - rng.pareto(a) > 0", 0.75),
    ("-2 * rng.pareto(size=2)[0] < -t", 2 / 3),
    ("rng.paretovariate(b) < 2", 7 / 8),
    ("rng.paretovariate(b) < t - 1", 0),
    ("rng.power(a) < t / 2", 0.25),
    ("rng.power(a) < -t", 0),
    ("rng.power(b) > rng.power(b)", 0.5),
    ("rng.beta(a, b) < p", 6 * 0.09 * 0.49 + 4 * 0.027 * 0.7 + 0.0081),
    ("rng.betavariate(0.5, 0.5) < 0.25", 1 / 3),  # 2 asin(sqrt(x)) / pi
    ("rng.dirichlet([1, 1])[1] < p", 0.3),
    ("rng.gamma(0.5) < t", math.erf(1)),
    ("rng.chisquare(df=1) < t", math.erf(math.sqrt(0.5))),
    ("rng.lognormal(loc, scale) < t", 0.5),
    ("rng.lognormvariate(0, 1) < math.e", 0.5 + math.erf(math.sqrt(0.5)) / 2),
    ("rng.gumbel(loc, scale) < t", math.exp(-math.exp(-0.5))),
    ("t - rng.gumbel() >= 1", math.exp(-1)),
])  # fmt: skip
def test_a_continuous_draw_is_below_a_number_with_its_probability(asked: str, share: float) -> None:
    law = data.enumerate_law(asking(asked, NAMED))
    assert float(law.probability(True)) == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize(
    "asked",
    [
        "1 / rng.pareto(2) > t", "rng.power(2) > rng.power(3)", "rng.power(2) ** 2 > t",
        "rng.logistic() + rng.random() > t", "math.floor(rng.pareto(2)) > t",
        "max(x := rng.gumbel(), rng.gumbel()) is x and x > t",
        "(x := rng.gumbel()) > t and x > rng.gumbel()", "rng.dirichlet([1, 1, 1])[0] < p",
        "rng.multivariate_normal([0, 0], [[2, 1], [1, 2]])[0] > t",
    ],
)  # fmt: skip
def test_what_is_asked_of_a_continuous_draw_besides_is_refused(asked: str) -> None:
    with pytest.raises(randomness.InexactDraw):
        data.enumerate_law(asking(asked, NAMED))


@pytest.mark.parametrize(
    "asked",
    ["rng.power(0) < t", "rng.beta(1, -1) < t", "rng.f(1, 2, 3, 4) < t", "rng.weibull(b=2) < t",
     "rng.logistic(0, 0) < t", "rng.standard_t(math.nan) < t"],
)  # fmt: skip
def test_parameters_of_continuous_draws_are_checked(asked: str) -> None:
    refuses("", data.enumerate_law, asking(asked, NAMED))
    with pytest.raises(errors.Unanswerable, match="nearly never"):
        data.enumerate_law(asking("rng.logistic() > 99999", NAMED))


# A triangle's law: what is more than 1/2 above the middle has 1/8, and so on a grid, nearly.
@pytest.mark.parametrize(("asked", "share"), [
    ("rng.random() + rng.random() > 1.5", 1 / 8),
    ("rng.random() - rng.random() > 0.5", 1 / 8),
    ("np.mean(rng.random(3)) > 0.5", 1 / 2),
    ("rng.uniform(-1, 1) + rng.uniform(-1, 1) < -2", 0),
    ("1 < (u := rng.random()) + rng.random() and u < 0", 0),
    ("(u := rng.random()) + rng.random() < 9 and round(u) == 1", 1 / 2),
])  # fmt: skip
def test_sums_of_uniform_draws_lie_on_a_grid(asked: str, share: float) -> None:
    law = data.enumerate_law(asking(asked, {**NAMED, "np": np}))
    assert float(law.probability(True)) == pytest.approx(share, abs=0.05)


def test_triangular_noise_has_its_mode_between_the_others() -> None:
    for order in ("-1, 0, 3", "-1, 3, 0", "left=-1, mode=0, right=3", "low=-1, high=3, mode=0"):
        law = data.enumerate_law(asking(f"rng.triangular({order}) > 0.5", {}))
        assert law.probability(True) == Fraction(5, 2) ** 2 / 12  # 1 - F(x) = (3 - x)**2 / 12
    for asked, wanted in {
        "rng.triangular(0, 4) >= 3": "1/8", "rng.triangular(-1, 0, 3) >= -1": "1",
        "rng.triangular(-1, 0, 3) >= -0.5": "15/16", "rng.triangular(0, 0, 2) >= 1": "1/4",
        "rng.triangular(0, 2, 2) >= 1": "3/4", "rng.triangular(0, 2, 2) >= 2": "0",
    }.items():  # fmt: skip
        law = data.enumerate_law(asking(asked, {}))
        assert law.probability(True) == Fraction(wanted)
    assert len(randomness.SeededCoins(1).triangular(0, 1, 2, 5)) == 5
    for wrong in ((1,), (1, 1), (2, 2, 2)):
        with pytest.raises(errors.InvalidInput, match="want two different ends and the mode"):
            randomness.SeededCoins(1).triangular(*wrong)


@pytest.mark.parametrize(("asked", "like"), [
    ("laplace.rvs(1, 2, random_state=rng) > 1.5", "rng.laplace(1, 2) > 1.5"),
    ("laplace(scale=2).rvs(random_state=rng) > 1", "rng.laplace(0, 2) > 1"),
    ("laplace.rvs([0, 1], 2, size=2, random_state=rng)[1] > 1", "rng.laplace(1, 2) > 1"),
    ("expon.rvs(1, 2, random_state=rng) > 2", "1 + rng.exponential(2) > 2"),
    ("uniform.rvs(-1, 3, random_state=rng) > 0.5", "rng.uniform(-1, 2) > 0.5"),
    ("triang.rvs(0.25, -1, 4, random_state=rng) > 0.5", "rng.triangular(-1, 0, 3) > 0.5"),
    ("gumbel_r.rvs(1, random_state=rng) > rng.gumbel()", "rng.gumbel(1) > rng.gumbel()"),
    ("bernoulli.rvs(0.25, random_state=rng) == 1", "rng.binomial(1, 0.25) == 1"),
    ("binom.rvs(3, 0.25, loc=1, random_state=rng) == 2", "rng.binomial(3, 0.25) == 1"),
    ("geom.rvs(0.25, size=2, random_state=rng)[0] == 2", "rng.geometric(0.25) == 2"),
    ("nbinom.rvs(2, 0.25, random_state=rng) == 2", "rng.negative_binomial(2, 0.25) == 2"),
    ("randint.rvs(2, 5, random_state=rng) == 4", "rng.integers(2, 5) == 4"),
    ("hypergeom.rvs(5, 2, 3, random_state=rng) == 1", "rng.hypergeometric(2, 3, 3) == 1"),
    ("cauchy(1, 2).rvs(random_state=rng) > 2", "1 + 2 * rng.standard_cauchy() > 2"),
    ("logistic.rvs(scale=2, size=2, random_state=rng)[1] > 2", "rng.logistic(0, 2) > 2"),
    ("t.rvs(3, random_state=rng) > 1", "rng.standard_t(3) > 1"),
    ("beta.rvs(2, 3, scale=2, random_state=rng) > 1", "2 * rng.beta(2, 3) > 1"),
    ("gamma.rvs(0.5, scale=2, random_state=rng) > 1", "2 * rng.gamma(0.5) > 1"),
    ("chi2.rvs(2, random_state=rng) > 1", "rng.chisquare(2) > 1"),
    ("weibull_min.rvs(2, random_state=rng) > 1", "rng.weibull(2) > 1"),
    ("lomax.rvs(2, random_state=rng) > 1", "rng.pareto(2) > 1"),
    ("pareto.rvs(2, random_state=rng) > 2", "rng.paretovariate(2) > 2"),
    ("powerlaw.rvs(2, random_state=rng) > 0.5", "rng.power(2) > 0.5"),
    ("lognorm.rvs(2, scale=3, random_state=rng) > 1", "3 * rng.lognormal(0, 2) > 1"),
    ("gumbel_l.rvs(random_state=rng) > 0", "-rng.gumbel() > 0"),
    ("dlaplace.rvs(math.log(2), loc=1, random_state=rng) > 1", "rng.two_sided(F(1, 2), 0) > 0"),
])  # fmt: skip
def test_laws_of_scipy_draw_with_coins(asked: str, like: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    names = {**vars(stats), "math": math, "F": Fraction}
    with Watch():
        laws = [data.enumerate_law(asking(text, names)) for text in (asked, like)]
    assert laws[0] == laws[1]
    assert 0 < laws[0].probability(True) < 1


def test_laws_of_scipy_that_coins_do_not_know_are_refused_and_others_draw_as_before() -> None:
    stats = pytest.importorskip("scipy.stats")
    with Watch(), pytest.raises(randomness.InexactDraw, match=r"scipy\.stats\.gennorm\.rvs"):
        data.enumerate_law(lambda rng: bool(stats.gennorm.rvs(1, random_state=rng) > 1))
    with Watch():
        seeded = stats.norm.rvs(size=3, random_state=1).tolist()
    assert seeded == stats.norm.rvs(size=3, random_state=1).tolist()
    with pytest.raises(HiddenDraw, match=r"a draw from scipy\.stats"), Watch():
        stats.norm.rvs()


def test_failures_before_the_last_success_are_counted() -> None:
    law = data.enumerate_law(lambda rng: bool(rng.negative_binomial(2, 0.5) >= 2))
    assert law.probability(True) == 1 - Fraction(1, 4) - Fraction(1, 4)
    refuses(r"n: got 1\.5", randomness.SeededCoins(1).negative_binomial, 1.5, 0.5)


WRONG: dict[str, tuple[Program, str]] = {
    "randint of nothing": (lambda r: r.randint(2, 1), r"integers\(a, b\) leaves b out"),
    "integers of nothing": (lambda r: r.integers(2, 2), "no values"),
    "randrange of nothing": (lambda r: r.randrange(0), "no values"),
    "choice of nothing": (lambda r: r.choice([]), "choice from nothing"),
    "choice from a set": (lambda r: r.choice({1, 2}), "a value of type set"),
    "choice from a dictionary": (lambda r: r.choice({0: 1}), "a value of type dict"),
    "choice, shuffle": (lambda r: r.choice(3, size=2, shuffle=False), "shuffle"),
    "choice, p too large": (
        lambda r: r.choice(2, p=[0.5, 0.6]),
        "p: got probabilities that sum to 1.1",
    ),
    "choice, p too short": (lambda r: r.choice(2, p=[1]), "1 probabilities"),
    "choice, p negative": (lambda r: r.choice(2, p=[-0.5, 1.5]), r"p\[0\]: got -0.5, want a prob"),
    "too many without replacement": (lambda r: r.choice(2, size=3, replace=False), "at most 2"),
    "too few positive": (lambda r: r.choice(2, size=2, replace=False, p=[1, 0]), "too few"),
    "sample of too many": (lambda r: r.sample([1], 2), "at most 1"),
    "sample from a set": (lambda r: r.sample({1, 2}, 1), "a value of type set"),
    "shuffle of a tuple": (lambda r: r.shuffle((1, 2)), "type tuple"),
    "multinomial, p negative": (lambda r: r.multinomial(1, [1, -0.5]), r"pvals\[1\]: got -0.5"),
    "negative weights": (lambda r: r.choices("ab", [2, -0.5]), r"weights\[1\]: got -0.5"),
    "both weights": (lambda r: r.choices("ab", [1, 1], cum_weights=[1, 2]), "one of the two"),
    "wrong weights": (lambda r: r.choices("ab", [1]), "1 of them"),
    "uniform on nothing": (lambda r: r.uniform(1, 1) < 2, "another number"),
    "uniform to infinity": (lambda r: r.uniform(0, math.inf) < 2, "finite"),
    "binomial, p": (lambda r: r.binomial(2, 1.5), "a probability"),
    "random, dtype": (lambda r: r.random(2, dtype=np.float32), "dtype"),
    "no such draw": (lambda r: r.tomorrow(), "coins have no 'tomorrow'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_meant_by_either_language_is_an_error(name: str) -> None:
    program, words = WRONG[name]
    with pytest.raises((errors.InvalidInput, TypeError, AttributeError), match=words):
        data.enumerate_law(program)
    with pytest.raises((errors.InvalidInput, TypeError, AttributeError), match=words):
        program(randomness.SeededCoins(1))


def test_a_copy_of_a_draw_is_the_draw() -> None:
    def copies(rng: randomness.ExactGenerator) -> tuple[bool, ...]:
        u = rng.random()
        return u < 0.5, copy.copy(u) < 0.5, copy.deepcopy([u])[0] < 0.25

    law = data.enumerate_law(copies)
    assert law == weighted(
        {(True, True, True): "1/4", (True, True, False): "1/4", (False, False, False): "1/2"}
    )


def test_the_text_of_the_coins_tells_nothing() -> None:
    assert data.enumerate_law(repr) == uniform(["<coins>"])


KEPT: list[Any] = []


@pytest.mark.parametrize(
    "use", [lambda: KEPT[0].random() < 0.5, lambda: KEPT[1] < 0.5, lambda: KEPT[0].below(2)]
)
def test_what_was_drawn_in_another_run_is_found_whatever_the_program_does(
    use: Callable[[], Any],
) -> None:
    def keeping(rng: randomness.ExactGenerator) -> int:
        if not KEPT:
            KEPT.extend((rng, rng.random()))
            return 0
        try:
            return int(use())
        except Exception:
            return 0

    KEPT.clear()
    with pytest.raises(HiddenDraw, match="after the program had returned"):
        data.enumerate_law(keeping)


@pytest.mark.parametrize(("values", "paths"), [
    ([0, 1, 0, 0, 1], 2), ((1, True, 1, 1.0), 3), (np.array([3, 1, 3, 3]), 2),
    (np.array([0.2, 0.7, 0.2]), 3), (np.array([[1, 2], [1, 2], [1, 3]]), 3), ("aba", 3),
    (range(3), 3),
])  # fmt: skip
def test_paths_to_the_very_same_member_are_one(values: Any, paths: int) -> None:
    def chosen(rng: randomness.ExactGenerator) -> str:
        return repr(rng.choice(values))

    shares = Counter(repr(value) for value in values)
    assert data.enumerate_law(chosen) == weighted(
        {value: Fraction(often, len(values)) for value, often in shares.items()}
    )
    assert len(list(data.enumerate_paths(chosen))) == paths
    # It is the value of the sequence itself.
    assert {
        type(path.outcome) for path in data.enumerate_paths(lambda rng: rng.choice(values))
    } <= set(map(type, values))


def test_geometric_draws_are_for_coins() -> None:
    rng = randomness.SeededCoins(2)
    drawn = Counter(rng.geometric(0.5) for _ in range(400))
    assert min(drawn) == 1
    assert 150 < drawn[1] < 250
    assert rng.geometric(1, size=3).tolist() == [1, 1, 1]
    refuses("positive probability", rng.geometric, 0)


def test_what_was_understood_is_said() -> None:
    def said(program: Program) -> list[str]:
        with Watch() as watch:
            data.enumerate_law(program)
        return [each for each in watch.assumed if each not in (tape.ASKED, tape.ASKED_FOR_ONE)]

    assert said(lambda rng: rng.random() < 0.25) == [exact_generator.REAL]
    assert said(lambda rng: rng.random() < 0.1) == [exact_generator.REAL, undecided.FLOATS]
    assert said(lambda rng: rng.binomial(2, 0.1)) == [undecided.FLOATS]
    assert said(lambda rng: rng.binomial(2, 0.5)) == []
    assert said(lambda rng: rng.randint(0, 1)) == [exact_generator.INCLUSIVE]
    assert said(lambda rng: rng.integers(0, 1)) == []


def test_as_many_bits_are_drawn_as_decide() -> None:
    class Counting(randomness.BitCoins):
        def __init__(self) -> None:
            self.drawn = 0

        def bits(self, count: int, /) -> int:
            self.drawn += count
            return 0

    coins = Counting()
    u = coins.random()
    assert coins.drawn == 0
    assert u < 0.5
    assert coins.drawn == 1
    assert u < 0.5
    assert not u > 0.75
    assert coins.drawn == 1
    assert u < 0.25
    assert coins.drawn == 2
