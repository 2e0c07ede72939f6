"""Laws of patched labellings: the kernel against dictionaries of integers, limb by limb."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability._core.patched_laws import PatchedLaw, PatchedTournament

Law = dict[int, int]
Words = npt.NDArray[np.uint64]
LIMBS = 9

# Where carries go far: limbs of zeros and of ones.
limb = st.sampled_from([0, 1, 2, 2**63, 2**64 - 2, 2**64 - 1])
weight = st.lists(limb, min_size=3, max_size=3).map(
    lambda limbs: sum(value << 64 * place for place, value in enumerate(limbs))
)


def words(numbers: list[int], width: int) -> Words:
    data = b"".join(number.to_bytes(8 * width, "little") for number in numbers)
    return np.frombuffer(data, dtype=np.uint64).reshape(len(numbers), width)


def numbers(rows: Words) -> list[int]:
    return [int.from_bytes(row.tobytes(), "little") for row in rows]


def made(points: int, target: dict[int, tuple[int, int]], limbs: int = LIMBS) -> PatchedLaw:
    return PatchedLaw(
        points,
        limbs,
        np.array(list(target), dtype=np.int64),
        np.array([label for label, _ in target.values()], dtype=np.uint8),
        np.array([factor for _, factor in target.values()], dtype=np.uint64),
        1 << 24,
    )


def filled(law: PatchedLaw, weights: Law) -> PatchedLaw:
    law.add(words(list(weights), law.words), words(list(weights.values()), law.limbs))
    return law


def held(law: PatchedLaw) -> Law:
    keys, weights = law.entries(0, law.size)
    pairs = zip(numbers(keys), numbers(weights), strict=True)
    return {f: w for f, w in pairs if w}


def drawn(weights: Law, target: dict[int, tuple[int, int]]) -> Law:
    after: Law = {}
    for f, w in weights.items():
        for x, (label, factor) in target.items():
            patched = f & ~(1 << x) | label << x
            after[patched] = after.get(patched, 0) + w * factor
    return {f: w for f, w in after.items() if w}


Target = dict[int, tuple[int, int]]


def settings_on(points: int) -> st.SearchStrategy[tuple[int, Target, Law]]:
    some = st.integers(0, 2) | st.integers(points - 3, points - 1)
    factor = st.integers(1, 3) | st.sampled_from([2**61, 2**61 - 1])
    labelling = st.sets(some).map(lambda ones: sum(1 << x for x in ones))
    return st.tuples(
        st.just(points),
        st.dictionaries(some, st.tuples(st.integers(0, 1), factor), max_size=4),
        st.dictionaries(labelling, weight, max_size=8),
    )


SETTINGS = st.sampled_from([3, 64, 70]).flatmap(settings_on)


@given(SETTINGS, st.sampled_from([0.5, 1e6]))
def test_examples_come_to_all_labellings_at_once(
    setting: tuple[int, dict[int, tuple[int, int]], Law], work: float
) -> None:
    points, target, weights = setting
    law = filled(made(points, target), weights)
    for _ in range(3):
        while law.draw(work):
            with pytest.raises(ValueError, match="being drawn"):
                filled(law, {0: 1})
        weights = drawn(weights, target)
        assert held(law) == weights
        positive, largest, squares = law.summary(0, law.size)
        assert positive == len(weights)
        assert numbers(largest[None]) == [max(weights.values(), default=0)]
        assert numbers(squares[None]) == [sum(w * w for w in weights.values())]
        assert numbers(law.weights(words([0, 1], law.words))) == [weights.get(f, 0) for f in (0, 1)]


@given(SETTINGS, st.data(), st.sampled_from([0.5, 1e6]))
def test_everybody_meets_everybody_else(
    setting: tuple[int, dict[int, tuple[int, int]], Law], data: st.DataObject, work: float
) -> None:
    points, target, weights = setting
    # Some have a version space too: a second entry, with other weight.
    others = data.draw(st.dictionaries(st.sampled_from([0, 1, 3, 5]), weight, max_size=3))
    order = data.draw(st.permutations([0, 1, 2, *range(points - 3, points)])) + list(range(points))
    order = list(dict.fromkeys(order))
    law, into = filled(made(points, target), weights), made(points, target)
    keys = words(list(others), law.words)
    tournament = PatchedTournament(
        law, into, keys, words(list(others.values()), LIMBS), np.array(order, dtype=np.int64)
    )
    while tournament.advance(work):
        pass
    players = [*weights.items(), *others.items()]
    expected: Law = {}
    met: dict[tuple[int, int], int] = {}
    for i, (f, w) in enumerate(players):
        for g, v in players:
            if f != g:
                x = next(x for x in order if (f ^ g) >> x & 1)
                if i < len(weights):
                    expected[f ^ 1 << x] = expected.get(f ^ 1 << x, 0) + w * v
                else:
                    met[f, x] = met.get((f, x), 0) + v
    assert held(into) == {f: w for f, w in expected.items() if w}
    places, at, masses = tournament.met
    named = [list(others)[place] for place in places.tolist()]
    found = dict(zip(zip(named, at.tolist(), strict=True), numbers(masses), strict=True))
    assert {pair: w for pair, w in found.items() if w} == {p: w for p, w in met.items() if w}


def test_many_labellings_are_told_apart_and_memory_is_given_back() -> None:
    law, into = made(64, dict.fromkeys(range(12), (0, 1)), 1), made(64, {0: (0, 1)}, 2)
    filled(law, {2**12 - 1: 1})
    for _ in range(12):
        while law.draw(100):
            pass
    # Surjections onto the points that were seen.
    assert law.size == 2**12
    assert sum(held(law).values()) == 12**12
    before = law.memory
    none = words([], 1)
    tournament = PatchedTournament(law, into, none, none, np.arange(64, dtype=np.int64))
    assert law.memory > before
    while tournament.advance(1e5):
        pass
    del tournament
    law.summary(0, law.size)
    assert law.memory == before
    total = 12**24 - sum(w * w for w in held(law).values())
    assert sum(held(into).values()) == total
