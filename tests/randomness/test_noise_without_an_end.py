"""Noise without an end: exact identities of its weights, of questions about it, and of audits."""

import itertools
import math
import os
import random
from collections import OrderedDict, deque
from dataclasses import dataclass, make_dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from pac_stability import Epsilon, audit, data, errors, randomness
from pac_stability.audit import certificates
from pac_stability.data import distribution
from pac_stability.mechanisms import DiscreteLaplace, Geometric
from pac_stability.randomness import tails
from pac_stability.randomness.horizon import Horizon, on_grid

F = Fraction
HALF = F(1, 2)
NIGHTLY = os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly"


def test_weights_without_an_end_add_up() -> None:
    for f in (
        tails.two_sided(F(2, 3)),
        tails.one_sided(HALF),
        tails.convolved(tails.two_sided(HALF), tails.one_sided(HALF)),
    ):
        assert f.total == 1
        assert tails.cut(f, None, 2).total + tails.cut(f, 3, None).total == 1
        assert tails.in_cells(f, 3).total == tails.moved(f, 7).total == 1
        assert tails.in_cells(f, 3).at(9) == f.at(27) + f.at(28) + f.at(29)
    # z + 1 ways to be z, each of weight 1/4 2**-z
    assert tails.convolved(tails.one_sided(HALF), tails.one_sided(HALF)).at(3) == F(4, 32)


def _order(rng: randomness.ExactGenerator) -> object:
    noisy = [rng.two_sided(HALF, q) for q in (0, 1, 0)]
    ordered = sorted(noisy)
    return ordered[2] - ordered[1] >= 0, ordered[2] >= ordered[0], min(noisy) <= ordered[1]


@pytest.mark.parametrize(
    ("program", "law"),
    [
        # One half of what is not a tie, which has the probability 5/27 at r = 1/2.
        (lambda rng: rng.two_sided(HALF, 0) > rng.two_sided(HALF, 0), {0: F(16, 27), 1: F(11, 27)}),
        # The difference of two geometric numbers is two-sided: 0 with (1 - r) / (1 + r).
        (lambda rng: rng.one_sided(HALF, 0) == rng.one_sided(HALF, 0), {0: F(2, 3), 1: F(1, 3)}),
        (lambda rng: rng.geometric(HALF) >= 3, {False: F(3, 4), True: F(1, 4)}),
        (lambda rng: (z := rng.two_sided(HALF, 0)) - z == 0 and z >= z, {True: F(1)}),  # noqa: PLR0124  # of itself
        (lambda rng: abs(rng.two_sided(HALF, 0)) >= 1, {False: F(1, 3), True: F(2, 3)}),
        (lambda rng: max(0, min(1, rng.two_sided(HALF, 0))) == 0, {False: F(1, 3), True: F(2, 3)}),
        (lambda rng: round(rng.two_sided(HALF, 0) + 3) >= 4, {False: F(2, 3), True: F(1, 3)}),
        (lambda rng: rng.two_sided(HALF, 0) // 2 >= 1, {False: F(5, 6), True: F(1, 6)}),
        (_order, {(True, True, True): F(1)}),
    ],
)  # fmt: skip
def test_questions_have_exact_laws(program: Any, law: dict[object, Fraction]) -> None:
    assert data.enumerate_law(program) == data.FiniteDistribution(law)


def test_a_threshold_with_two_noises_is_compared_again_and_again() -> None:
    """The difference of two geometric numbers is one two-sided number: the laws are the same."""

    def above(noise: Any) -> list[bool]:
        bar = 1 + noise()
        return [q + noise() >= bar for q in (0, 2, 1)]

    one = data.enumerate_law(lambda rng: tuple(above(lambda: rng.two_sided(HALF, 0))))
    other = data.enumerate_law(
        lambda rng: tuple(above(lambda: rng.geometric(HALF) - rng.geometric(HALF)))
    )
    assert one == other


@pytest.mark.parametrize(
    "of",
    [
        lambda z, _: round(z / 2) > 0,
        lambda z, _: (round(z / 2), z > 1),
        lambda z, _: [-3 * round(z / 2) >= -3, -3 * round(z / 2) > -3, round(z / 2) == 1],
        lambda z, _: np.array([z / 4]).round(1)[0] >= 0.3,
        lambda z, _: np.rint((z - 0.5) / 1) == 2,
        lambda z, y: round(10 * z + 5 * y, -1) > 10,
        lambda z, _: (round(round(z / 3) / 2) > 0, z > 1),
        lambda z, y: max(round(z / 2), round(y / 2)) > 0,
        lambda z, y: (round(z / 2) + y > 1, abs(round(z / 2)) > 1, round(z / 2) % 2 == 1),
        lambda z, _: 2 * int(min(max(z, 0), 9)) - round(int(min(max(z, 0), 9)) / 2) > 3,
    ],
)
def test_a_half_becomes_even_as_python_rounds_it(of: Any) -> None:
    """Each program is run on all pairs of integers in a wide window, by Python's own rounding."""
    decays = F(2, 5), F(1, 4)
    law = data.explored_law(lambda rng: of(*(rng.two_sided(r, 1) for r in decays)))
    wanted: dict[object, float] = {}
    for pair in product(range(-38, 41), repeat=2):
        shares = [(1 - r) / (1 + r) * r ** abs(k - 1) for r, k in zip(decays, pair, strict=True)]
        seen = of(*pair)
        outcome: object = tuple(seen) if isinstance(seen, list | tuple) else bool(seen)
        wanted[outcome] = wanted.get(outcome, 0) + math.prod(map(float, shares))
    for outcome, share in wanted.items():
        known: Any = law.probability(outcome)
        assert float(getattr(known, "lower", known)) == pytest.approx(share, abs=1e-12)


def test_a_sum_and_the_largest_of_the_same_numbers() -> None:
    """Neither is decided by the other: one number is decided, all but a share of 2**-64."""

    def both(rng: randomness.ExactGenerator) -> object:
        z = np.array([rng.two_sided(F(1, 16), q) for q in (0, 1)])
        return bool(z.sum() > 1), bool(z.max() > 1)

    law = data.explored_law(both)
    one, other = np.meshgrid(at := np.arange(-16, 17), at)
    weights = (15 / 17) ** 2 * 16.0 ** -abs(one) * 16.0 ** -abs(other)
    far, high = one + other + 1 > 1, np.maximum(one, other + 1) > 1
    for outcome in product((False, True), repeat=2):
        wanted = weights[(far == outcome[0]) & (high == outcome[1])].sum()
        share: Any = law.probability(outcome)
        assert float(share.lower) == pytest.approx(wanted, abs=1e-12)

    def four(rng: randomness.ExactGenerator) -> object:
        z = [rng.two_sided(F(4, 5), 0) for _ in range(4)]
        return sum(z) > 1, max(z) > 1

    with pytest.raises(randomness.InexactDraw, match="--grid 1"):
        data.explored_law(four)


@dataclass(frozen=True)
class Published:
    """A number with noise, in an object."""

    number: object


def test_a_number_in_an_object_is_told_apart_as_in_a_tuple() -> None:
    def noisy(made: Any) -> Any:
        return lambda rows, rng: made(rng.two_sided(HALF, rows[0]))

    one, other = (
        audit.differential_privacy(noisy(made), 2, 1, labelled=False)
        for made in (Published, lambda number: (number,))
    )
    assert (one.value, one.verdict, one.counts) == (other.value, other.verdict, other.counts)
    assert one.value == 2


def test_published_numbers_are_told_apart_in_a_window_and_by_their_tails() -> None:
    noise = DiscreteLaplace(HALF)
    law = data.enumerate_law(lambda rng: noise.run(0, rng))
    assert dict(law.items()) == {
        0: F(1, 3),
        "less than 0, falling by 1/2 a step": F(1, 3),
        "more than 0, falling by 1/2 a step": F(1, 3),
    }
    drawn = [noise.run(0, randomness.SeededCoins(seed)) for seed in range(300)]
    assert 70 < drawn.count(0) < 130
    assert {type(z) for z in drawn} == {int}
    assert min(Geometric(HALF).run(5, randomness.SeededCoins(seed)) for seed in range(99)) == 5


def _sum(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return DiscreteLaplace(HALF).run(sum(rows), rng)


def _prefix_sums(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    total, out = 0, []
    for row in rows:
        total = total + row + rng.two_sided(HALF, 0)
        out.append(total)
    return out


def _reused(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    noise = rng.two_sided(HALF, 0)
    return [row + noise for row in rows]  # the difference of two rows is told


def _difference_and_one(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    first, second = sum(rows) + rng.two_sided(HALF, 0), rng.two_sided(HALF, 0)
    return {"difference": first - second, "first": first}


def _sum_and_one(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    first, second = sum(rows) + rng.two_sided(HALF, 0), rng.two_sided(HALF, 0)
    return first + second, first, second


def _count_and_share(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    count = sum(rows) + rng.two_sided(HALF, 0)
    return count, count / len(rows), -count


def _remainder(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return (sum(rows) + rng.two_sided(HALF, 0)) % 2


def _as_written(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return sum(rows) + rng.laplace(0, 1)


@pytest.mark.parametrize(
    ("program", "value"),
    [
        (_sum, 2), (_prefix_sums, 2), (_reused, float("inf")), (_as_written, None),
        (_difference_and_one, 2), (_sum_and_one, 2),
        (_count_and_share, 2),
    ],
)  # fmt: skip
def test_audits_of_noise_without_an_end(program: Any, value: object) -> None:
    result = audit.differential_privacy(program, 2, 2, labelled=False, processes=1)
    if value is None:  # e, but for the rounding of the decay to the side of more noise
        assert F(2718, 1000) < Fraction(result.value) < F(27182819, 10**7)  # type: ignore[arg-type]  # a number
    else:
        assert result.value == value


def test_a_remainder_is_decided_but_for_very_little() -> None:
    # Even with 5/9: 1/3 for 0, and 2/3 (1/4 + 1/16 + ...) for all others.
    result = audit.differential_privacy(_remainder, 2, 1, labelled=False, processes=1)
    assert abs(F(str(result.value)) - F(5, 4)) < F(1, 2**60)


def test_a_namespace_in_which_code_was_run_keeps_its_built_in_names() -> None:
    space: dict[str, Any] = {}
    exec("half = 1 / 2", space)  # noqa: S102  # it holds the names of all Python then

    def program(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
        return rows[0] + rng.two_sided(F(space["half"]), 0)  # asked again, further out

    result = audit.differential_privacy(program, 2, 1, labelled=False, processes=1)
    assert result.value == 2


def test_a_claim_on_which_the_grid_decides_is_not_settled() -> None:
    def nearly(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> bool:
        return bool(3 * sum(rows) + rng.laplace(0, 1) >= 2)

    def judged(claim: Fraction) -> str:
        factor = Epsilon.exactly(claim)
        result = audit.differential_privacy(nearly, 2, 1, claim=factor, labelled=False, processes=1)
        return result.verdict.value

    value = audit.differential_privacy(nearly, 2, 1, labelled=False, processes=1).value
    assert isinstance(value, Fraction)
    assert judged(value * 2) == "verified"
    assert judged(value / 2) == "refuted"
    # On a finer grid the tie at 2 weighs less, so that the smaller of two probabilities falls.
    assert judged(value) == "bounded"

    def predicts(sample: data.Sample[int], point: int, rng: randomness.ExactGenerator) -> int:
        return int(sum(sample.labels) + point + rng.laplace(0, 2.0) > 1)

    assert audit.private_prediction(predicts, 1, 1, claim="0.6").verdict.value == "verified"


def test_loops_that_end_with_probability_one_have_an_enclosed_law() -> None:
    def tosses(rng: randomness.ExactGenerator) -> int:
        count = 0
        while rng.bernoulli(HALF):
            count += 1
        return count

    law = data.explored_law(tosses)
    assert isinstance(law, distribution.EnclosedDistribution)
    assert law.probability(3).lower == F(1, 16)
    assert law.probability(3).width <= F(1, 2**64)


def _tied(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    x, y = rng.two_sided(HALF, sum(rows)), rng.two_sided(HALF, 0)
    return (x > y, x, y, x - y)[1:]  # compared, then published: far out they are told together


def _three(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return sum(rows) + sum(rng.two_sided(HALF, 0) for _ in range(3))


def _one(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return sum(rows) + rng.two_sided(HALF, 0)


def _some(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    more = rng.one_sided(F(1, 4), 0) if sum(rows) else 0
    return sum(rows) + rng.two_sided(HALF, 0) + more


def _gap(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    x, y = rng.two_sided(HALF, sum(rows)), rng.two_sided(F(3, 4), 0)
    return x - y if x >= y else None


def _either(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    slow = rng.bernoulli(F(9, 10) if sum(rows) else HALF)
    return rng.two_sided(HALF if slow else F(1, 4), 0)


def _largest(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return max(rng.two_sided(HALF, sum(rows)), rng.two_sided(F(3, 4), 0))


def _hidden(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> tuple[Any, ...]:
    """The last number, told at once for all answers, tells a coin that moves the first."""
    unseen = 2 * rng.bernoulli(HALF)
    x = rng.two_sided(HALF, unseen * rows[0])
    return x, rng.two_sided(HALF, 0), rng.one_sided(HALF, unseen)


def _beside(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    x, _, more = _hidden(rows, rng)
    y = rng.two_sided(HALF, 0)
    return x, y, y + more


def _turned(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    x, y = rng.two_sided(HALF, sum(rows)), rng.two_sided(HALF, 0)
    return x + y, x - y


def _histogram(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return np.bincount(rows, minlength=2) + rng.laplace(0, 1, size=2)


def _unalike(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    decay = HALF if rng.bernoulli(F(1, 3 + sum(rows))) else F(1, 4)
    return [rng.two_sided(decay, 0), rng.two_sided(decay, 0)]


@pytest.mark.parametrize(("program", "delta", "value", "verdict"), [
    (_one, 0, 2, "verified"),
    (_one, F(1, 100), None, "bounded"),  # a tail is one outcome: exact for ratios alone
    (_three, 0, 2, "verified"),  # d**2 / 2**d, whose ratio is monotone from somewhere on
    # At z -> oo the sum over g of 3/4 2**g 4**-g is 3/2, and the shift doubles it.
    (_some, 0, 3, "verified"),
    (_gap, 0, F(4, 3), "verified"),  # what falls by 3/4 outlasts the other
    (_either, 0, F(9, 5), "verified"),  # nobody sees which noise it was: 9/10 to 1/2 far out
    # To the left both are there, 2 * 4/3 ** 0 at the most; to the right the slow one outlasts.
    (_largest, 0, 2, "verified"),
    (_unalike, 0, None, "bounded"),  # two numbers far out hang together
    (_tied, 0, None, "bounded"),
    (_as_written, F(1, 100), None, "bounded"),
    # Whether there was a coin is told by the last number: 2 or more with odds 1 to 4.
    (_hidden, 0, F(17, 5), "verified"),
    (_beside, 0, F(17, 5), "verified"),
    (_turned, 0, None, "bounded"),  # two numbers of two noises each: seen from below
])  # fmt: skip
def test_what_is_known_from_below_is_not_verified(
    program: Any, delta: Fraction, value: object, verdict: str
) -> None:
    claim = Epsilon.exactly(100)
    result = audit.differential_privacy(
        program, 2, 1, claim=claim, delta=delta, labelled=False, processes=1
    )
    assert result.verdict.value == verdict
    assert value is None or result.value == value


def test_windows_are_wide_enough_for_ratios_of_tails_to_be_monotone() -> None:
    """The ratio of 12 + 7 d and 12 + d**2 at the same fall rises to d = 2, and falls then."""
    r = F(1, 2)
    assert tails.monotone_from({r: (F(1), F(1))}, {r: (F(2), F(1))}) == 0
    assert tails.monotone_from({r: (F(12), F(7))}, {r: (F(12), F(0), F(1))}) == 4

    # The sums of one and of three such numbers, and a share of more: told apart further out.
    def mixed(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
        often = 1 + 2 * rng.bernoulli(F(1 + sum(rows), 4))
        return sum(rows) + sum(rng.two_sided(r, 0) for _ in range(often))

    result = audit.differential_privacy(mixed, 2, 1, labelled=False, processes=1)
    # Far out d**2 alone counts: to the right twice as likely once more by the shift.
    assert (result.value, result.verdict.value) == (4, "verified")


def _sums(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
    return list(itertools.accumulate(rows[0] + rng.laplace(0, 4) for _ in range(2)))


def test_numbers_that_hang_together_take_a_coarser_grid_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pac_stability.randomness.horizon._MOST_WAYS", 1 << 6)
    run = partial(audit.differential_privacy, _sums, 2, 1, labelled=False, processes=1)
    claimed = run(claim=Epsilon.exactly(3))
    with on_grid(4):  # one that was asked for stays
        asked = run()
    assert str(claimed).split("\n")[1].startswith("noise on a grid of 1/2, since numbers that hang")
    assert str(asked).split("\n")[1].startswith("noise on a grid of 1/4 (a finer")
    # Each of two sums moves by 1 more, at scale 4; the claim is judged on 1/4, too.
    values = [float(each.value) for each in (claimed, asked)]
    assert values == [pytest.approx(math.exp(2 / 4), abs=1e-4)] * 2
    assert "(on one of 1/4 epsilon changes by" in str(claimed)
    assert claimed.verdict.value == "verified"


def test_what_needs_its_grid_keeps_it() -> None:
    horizon = Horizon()
    horizon.coarsen(1 << 13)
    assert horizon.grid == 8
    horizon.refine(F(1, 3))
    horizon.coarsen(1 << 13)
    assert horizon.grid == 24


def test_a_law_that_is_left_open_anyway_is_followed_by_its_likeliest_paths() -> None:
    runs = 0

    def deep(rng: randomness.ExactGenerator) -> object:
        nonlocal runs
        runs += 1
        return int(rng.two_sided(HALF, 0)) > 0, [rng.bernoulli(F(1, 16)) for _ in range(12)]

    law: Any = data.explored_law(deep)
    most = F(2, 3) * F(15, 16) ** 12
    assert law.probability((False, (0,) * 12)).lower <= most
    assert float(law.probability((False, (0,) * 12)).lower) == pytest.approx(float(most), abs=1e-4)
    assert float(law.probability("what was left open").upper) < 1 / 32
    assert runs < 5000


def test_a_path_ends_where_its_probability_has_very_many_digits() -> None:
    def loop(rng: randomness.ExactGenerator) -> int:
        return next(k for k in itertools.count() if rng.choose((3**800, 5**500)))

    law: Any = data.explored_law(loop)
    assert float(law.probability(0).lower) == pytest.approx(1 / (1 + 3**800 / 5**500))


def test_a_value_on_a_grid_is_that_of_the_grid() -> None:
    result = audit.differential_privacy(_as_written, 2, 1, labelled=False, processes=1)
    assert result.verdict.value == "bounded"
    assert "about: e^epsilon = " in str(result)


@pytest.mark.parametrize(
    ("program", "stop"),
    [(_one, False), (_three, False), (_as_written, True), (_one, True), (_histogram, True)],
)
def test_certificates_are_rechecked_against_programs_with_such_noise(
    program: Any, stop: bool
) -> None:
    for claim in [Epsilon.exactly(F(3, 2)), *([] if stop else [Epsilon.exactly(9)])]:
        result = audit.differential_privacy(
            program, 2, 2, claim=claim, labelled=False, processes=1, stop_at_first=stop
        )
        document = certificates.to_document(result)
        assert (
            audit.recheck(document, against=program).proved[-1].startswith("the laws are those of")
        )
        with pytest.raises(errors.InvalidInput, match="against"):
            audit.recheck(document, against=_gap)


def test_what_an_interrupted_audit_kept_is_told_apart_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)  # one sample a piece
    kept = tmp_path / "kept"
    run = partial(
        audit.differential_privacy, _sum, 2, 2, labelled=False, checkpoint=kept, processes=1
    )
    with pytest.raises(audit.AuditStopped):
        run(time_limit=1e-9)
    assert kept.exists()
    result = run()
    assert (result.value, result.verdict.value, result.kept) == (2, "verified", 0)
    assert "told apart anew" in result.note


def test_seeded_geometric_draws_stay_what_they_were() -> None:
    assert [randomness.SeededCoins(k).geometric(0.3) for k in range(8)] == [3, 1, 2, 2, 2, 1, 10, 5]
    drawn = randomness.SeededCoins(5).geometric(0.25, size=(2, 3))
    assert (drawn.tolist(), drawn.dtype.kind) == ([[1, 8, 3], [10, 4, 1]], "i")


def _publishes_and_asks(seed: int) -> tuple[Any, Any]:
    """Make a program that publishes and compares two numbers, and what they add up to."""
    coins = random.Random(seed)
    moved, sign = coins.choice((0, 1)), coins.choice((1, -1))
    kinds = coins.choice(((0, 1, 2, 3, 4, 5), (0, 2, 4, 5, 6, 7)))
    steps = [(coins.choice(kinds), coins.randint(-2, 2)) for _ in range(coins.choice((2, 3)))]

    def told(row: int, noise: list[Any], see: Any) -> tuple[object, ...]:
        x, y = noise[0] + row, noise[1] + row * moved
        ways = (
            lambda c: see(x + c), lambda c: see(x + sign * y + c), lambda c: bool(y >= c),
            lambda c: bool(x + sign * y >= c), lambda c: see(c * x), lambda c: see(abs(y) + c),
            lambda c: see((x + c) // 2), lambda c: see(max(x, y + c) // 2),
        )  # fmt: skip
        return tuple(ways[kind](c) for kind, c in steps)

    def program(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
        drawn = [rng.two_sided(HALF, 0) for _ in range(2)]
        return told(rows[0], drawn, lambda number: number)

    return program, told


@pytest.mark.parametrize("seed", range(200 if NIGHTLY else 12))
def test_no_value_is_above_what_is_enumerated(seed: int) -> None:
    program, told = _publishes_and_asks(seed)
    result = audit.differential_privacy(program, 2, 1, labelled=False, processes=1)
    laws: list[dict[tuple[Any, ...], Fraction]] = [{}, {}]
    for row, law in enumerate(laws):
        for pair in product(range(-20, 21), repeat=2):
            seen = told(row, [*pair], lambda number: number)
            law[seen] = law.get(seen, F(0)) + HALF ** (abs(pair[0]) + abs(pair[1]))
    # Beyond 6, an edge of what is enumerated would be taken for a fact about the noise.
    near = {seen for law in laws for seen in law if all(abs(value) < 7 for value in seen)}
    if all(seen in law for seen in near for law in laws):
        ratios = [laws[side][seen] / laws[1 - side][seen] for seen in near for side in (0, 1)]
        # Far out, the ratio of two sums tends slowly to its limit, which is larger.
        assert F(4, 5) * max(ratios) <= result.value <= F(4, 3) * max(ratios)
    else:
        assert result.value > 10


def _publishes_several(seed: int) -> Any:
    """Make a program that publishes numbers, some of which depend on more than their own noise."""
    coins = random.Random(seed)
    kinds = [
        (coins.choice((HALF, F(1, 3))), coins.randrange(3), coins.random() < 0.3) for _ in "abc"
    ]
    asked = [(coins.randrange(3), coins.randrange(3)) for _ in range(coins.randrange(3))]
    told = [(coins.randrange(5), i) for i in coins.sample(range(3), coins.choice((2, 3)))]
    named = coins.random() < 0.3

    def program(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
        noisy = [
            (rng.one_sided if one else rng.two_sided)(decay, 0) + by * rows[0]
            for decay, by, one in kinds
        ]
        said = [bool(noisy[i] >= noisy[j] - 1 if i != j else noisy[i] >= 1) for i, j in asked]
        unseen = rng.bernoulli(F(1, 3))
        ways = (
            lambda x: x,
            lambda x: 1 - x,
            lambda x: x + unseen,
            lambda _: 1 + unseen,
            lambda x: x if unseen else 2,
        )
        out = [ways[kind](noisy[i]) for kind, i in told]
        if named:
            order = range(len(out))[:: 1 - 2 * rows[0]]
            return {str(place): out[place] for place in order}
        return said[: seed % 3], out

    return program


@pytest.mark.parametrize("seed", range(200 if NIGHTLY else 12))
def test_factors_have_the_largest_ratio_of_all_that_is_published(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for spread in (1 << 40, 1):
        monkeypatch.setattr("pac_stability.randomness.horizon._SPREAD", spread)
        result = audit.differential_privacy(
            _publishes_several(seed) if seed else _hidden, 2, 1, labelled=False, processes=1
        )
        found.append((result.value, result.verdict))
    assert found[0] == found[1]


def test_vectors_of_noise_are_told_apart_where_it_matters() -> None:
    result = audit.differential_privacy(_histogram, 2, 3, labelled=False, processes=1)
    one = audit.differential_privacy(_as_written, 2, 1, labelled=False, processes=1)
    assert (result.value, result.counts.outcomes < 100) == (F(str(one.value)) ** 2, True)


def test_a_number_without_tails_is_told_apart_whole() -> None:
    # Its law is known up to a share that is left open, so one place of it tells no ratio.
    horizon = Horizon(ratios=True)
    horizon.spread({0: 1 << 12})
    assert 0 in horizon.kept
    horizon.known(0, (randomness.WeightedChoice((1, 2, 0, 0)), ((), ()), 1, 0))
    assert 0 not in horizon.kept


class _Named(NamedTuple):
    first: object
    second: object


_Held = make_dataclass("_Held", ["first", "second"], frozen=True)


@pytest.mark.parametrize(
    "held",
    [
        lambda *pair: pair, lambda *pair: (each for each in pair), _Named, _Held,
        lambda *pair: [{"in": deque(pair)}], lambda *pair: dict(zip("ba", pair, strict=True)),
        lambda *p: OrderedDict([*enumerate(p)][:: -1 if type(p[0]) is int else 1]),
        lambda *pair: np.array(pair, dtype=object),
        lambda *pair: pytest.importorskip("pandas").DataFrame({"x": pair}, dtype=object),
    ],
)  # fmt: skip
def test_a_clipped_number_beside_another_has_one_window(held: Any) -> None:
    def clipped(rows: tuple[int, ...], rng: randomness.ExactGenerator) -> object:
        if rows[0] > 1:
            return held(rng.two_sided(HALF, 40), 0)
        first, second = rng.two_sided(HALF, 0), rng.two_sided(HALF, 0)
        # Of 0 and a number that is 0, ``max`` returns what comes first.
        return held(max(first, 0) if rows[0] else max(0, first), second)

    pairs = [((0,), (1,)), ((2,), (3,))]
    result = audit.differential_privacy(clipped, 4, 1, labelled=False, processes=1, pairs=pairs)
    assert result.value == 1
