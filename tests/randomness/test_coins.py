"""The samplers proved by feeding them every string of bits, and the seeded stream."""

import json
import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.randomness import Coins, SeededCoins, SystemCoins, WeightedChoice
from shared_coins import FixedBits, OutOfBits
from shared_refusals import refuses


def law_on_all_strings(draw: Callable[[Coins], int], length: int) -> tuple[Counter[int], int]:
    """Return how many strings give each answer, and how many end in the middle of a rejection."""
    settled: Counter[int] = Counter()
    rejected = 0
    for value in range(1 << length):
        try:
            settled[draw(FixedBits(value, length))] += 1
        except OutOfBits:
            rejected += 1
    return settled, rejected


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 9])
def test_below_is_uniform_over_all_bit_strings(n: int) -> None:
    width = (n - 1).bit_length()
    attempts = 3
    settled, rejected = law_on_all_strings(lambda c: c.below(n), width * attempts)
    # Only strings whose every attempt falls on one of the 2**width - n spare values are left over.
    assert rejected == (2**width - n) ** attempts
    assert set(settled) == set(range(n))
    assert len(set(settled.values())) == 1


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(any), st.integers(1, 5))
def test_choose_has_exactly_the_weights(weights: list[int], scale: int) -> None:
    length = 2 * (sum(weights) - 1).bit_length()
    fractions = [Fraction(weight, scale) for weight in weights]
    for given_weights in (weights, WeightedChoice(weights)):
        settled, _ = law_on_all_strings(lambda c, w=given_weights: c.choose(w), length)  # type: ignore[misc]  # default argument binds the loop variable
        total = sum(settled.values())
        assert [Fraction(settled[i], total) for i in range(len(weights))] == [
            Fraction(weight, sum(weights)) for weight in weights
        ]
    table = WeightedChoice(fractions)
    assert [Fraction(w, table.total) for w in table] == [Fraction(w, sum(weights)) for w in weights]


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(5, 8), 1])
def test_bernoulli_has_exactly_its_probability(p: int | Fraction) -> None:
    settled, _ = law_on_all_strings(lambda c: c.bernoulli(p), 6)
    assert Fraction(settled[1], sum(settled.values())) == p


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1], [0.5, 0.5], [True, 1], ["one"], None, 3])
def test_bad_weights_are_refused(weights: list[int]) -> None:
    refuses(r"^weights(\[[01]\])?: got", SystemCoins().choose, weights)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
def test_bad_sizes_are_refused(n: int) -> None:
    refuses(r"^n: got", SystemCoins().below, n)


@pytest.mark.parametrize("p", [Fraction(-1, 2), Fraction(3, 2), 0.5])
def test_bad_probabilities_are_refused(p: Fraction) -> None:
    refuses(r"^p: got", SystemCoins().bernoulli, p)


def test_the_stream_is_the_documented_function_of_the_seed() -> None:
    key = blake2b(b"int:0x5", person=b"seed").digest()
    blocks = b"".join(
        blake2b(i.to_bytes(16, "little"), key=key, person=b"stream").digest() for i in range(3)
    )
    stream = int.from_bytes(blocks, "little")
    coins = SeededCoins(5)
    for count in (1, 10, 600, 3, 512):
        assert coins.bits(count) == stream & ((1 << count) - 1)
        stream >>= count


@given(st.lists(st.integers(1, 700), max_size=6), st.integers())
def test_a_state_through_json_resumes_the_stream(counts: list[int], seed: int) -> None:
    coins = SeededCoins(seed)
    for count in counts:
        coins.bits(count)
    resumed = SeededCoins.from_state(json.loads(json.dumps(coins.state())))
    assert resumed.bits(900) == coins.bits(900)


def test_integers_of_numpy_are_seeds_like_those_of_python() -> None:
    assert SeededCoins(np.int64(5)).bits(256) == SeededCoins(5).bits(256)  # type: ignore[arg-type]  # NumPy's integers have an index


def test_weights_made_ready_are_an_immutable_value() -> None:
    table = WeightedChoice([Fraction(1, 2), Fraction(1, 3)])
    assert table == WeightedChoice([3, 2]) != WeightedChoice([2, 3])
    assert table != [3, 2]
    assert len({table, WeightedChoice((3, 2))}) == 1
    assert list(table) == [table[0], table[1]] == [3, 2]
    assert pickle.loads(pickle.dumps(table)) == table  # noqa: S301  # our own bytes
    with pytest.raises(AttributeError):
        table.total = 7  # type: ignore[misc]  # what is tested


def test_spawned_streams_depend_on_seed_and_key_only() -> None:
    parent, used = SeededCoins("s"), SeededCoins("s")
    used.bits(99)
    assert parent.spawn(1).bits(256) == used.spawn(1).bits(256)
    seeds = [parent, parent.spawn(1), parent.spawn("1"), SeededCoins(1), SeededCoins(b"s")]
    assert len({coins.bits(256) for coins in seeds}) == len(seeds)


@pytest.mark.parametrize(
    "state",
    [
        {}, {"key": "zz", "position": 0}, {"key": "00", "position": 0},
        {"key": "00" * 64, "position": -1}, {"key": "00" * 64, "position": "0"},
        {"key": "00" * 64, "position": 2**140}, {"key": 0, "position": 0}, ["key", "position"],
    ],
)  # fmt: skip
def test_altered_states_are_refused(state: object) -> None:
    refuses("", SeededCoins.from_state, state)


def test_seeds_of_other_types_are_refused() -> None:
    refuses(r"^seed: got", SeededCoins, 1.5)  # type: ignore[arg-type]  # what is tested


def test_the_seeded_stream_passes_a_chi_square_test() -> None:
    # 10 cells, 20,000 draws: P(chi^2_9 > 50) is about 1e-7; the seed is fixed.
    counts = Counter(map(SeededCoins(2024).below, [10] * 20_000))
    assert sum((counts[i] - 2000) ** 2 for i in range(10)) < 50 * 2000
