"""One class on which Lemma 12 of BLM20 fails for every n from 3 on, proved for all n at once.

A routine of its own, with integers that are rounded down. Every number in it is a lower bound on a
probability, for all n of a range at the same time; what the bounds on all outputs lack of one
bounds what any output can have beyond its own. For a single n it decides other counterexamples,
too, those that are too large for a list of all sequences.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import pytest

from pac_stability import errors
from pac_stability.papers.bun_livni_moran import formulas, lemma_12

Points = frozenset[int]
State = frozenset[Points] | tuple[int, ...]
"""A version space, or the predictor that is left when no hypothesis is, as its points in order."""

ONE = 1 << 96
MOST = 30
"""So many examples elsewhere than at point 4 are followed; more lack from the sum."""


@cache
def dimension(space: frozenset[Points]) -> int:
    """Littlestone dimension by its recursion."""
    if len(space) < 2:
        return len(space) - 1
    splits = [frozenset(h for h in space if x in h) for x in frozenset.union(*space)]
    return max(
        (1 + min(dimension(ones), dimension(space - ones)) for ones in splits if ones != space),
        default=0,
    )


@dataclass
class Machine:
    """The SOA on an instance that predicts 1 at a tie; lower bounds on all probabilities."""

    instance: lemma_12.Lemma12Counterexample
    predictors: dict[State, Points] = field(default_factory=dict)
    moves: dict[tuple[State, int, int], State] = field(default_factory=dict)

    def predictor(self, state: State) -> Points:
        """The points that are predicted 1, as they are at a tie."""
        if state not in self.predictors:
            self.predictors[state] = self._predictor(state)
        return self.predictors[state]

    def _predictor(self, state: State) -> Points:
        if isinstance(state, tuple):
            return frozenset(state)
        ones = {x: frozenset(h for h in state if x in h) for x in range(self.instance.points)}
        return frozenset(x for x in ones if dimension(ones[x]) >= dimension(state - ones[x]))

    def after(self, state: State, x: int, y: int) -> State:
        """Where an example leads."""
        if (state, x, y) not in self.moves:
            self.moves[state, x, y] = self._after(state, x, y)
        return self.moves[state, x, y]

    def _after(self, state: State, x: int, y: int) -> State:
        if not isinstance(state, tuple):
            left = frozenset(h for h in state if (x in h) == bool(y))
            if left:
                return left
        others = self.predictor(state) - {x}
        return tuple(sorted(others | {x} if y else others))

    def players(
        self, law: dict[State, int], counts: Sequence[int], weights: dict[int, int]
    ) -> dict[State, int]:
        """After some examples of the target; ``counts[j]`` is the chance that there are j."""
        total, concept = sum(weights.values()), self.instance.concept
        found: dict[State, int] = defaultdict(int)
        for j, count in enumerate(counts):
            if j:
                moved: dict[State, int] = defaultdict(int)
                for state, p in law.items():
                    for x, weight in weights.items():
                        moved[self.after(state, x, int(x in concept))] += p * weight // total
                law = moved
            for state, p in law.items():
                if count:
                    found[state] += p * count >> 96
        return found

    def frequencies(self, counts: Sequence[int], weights: dict[int, int]) -> list[tuple[int, int]]:
        """Bounds on the highest frequency for k = 0, 1, 2."""
        found = []
        law: dict[State, int] = {frozenset(self.instance.hypotheses): ONE}
        for k in range(3):
            law = self.players(law, counts, weights)
            outputs: dict[Points, int] = defaultdict(int)
            for state, p in law.items():
                outputs[self.predictor(state)] += p
            highest = max(outputs.values())
            found.append((highest, highest + ONE - sum(outputs.values())))
            if k == 2:
                break
            apart = ONE - sum(p * p >> 96 for p in outputs.values())  # at most
            kept: dict[State, int] = defaultdict(int)
            for state, p in law.items():
                f = self.predictor(state)
                for g, q in outputs.items():
                    if f != g:
                        x = min(f ^ g)
                        kept[self.after(state, x, int(x not in f))] += p * q // apart
            law = kept
        return found


FOR_ALL = Machine(lemma_12.counterexample_for(3))
ELSEWHERE = {0: 4, 1: 9, 3: 8}  # of 21 + 15 (n - 1)


def least(n: int, last: int | None) -> list[int]:
    """For j = 0, 1, ...: Pr[j of the examples are elsewhere than at point 4], at least.

    With q = 7/(5 n + 2) it is (product over i < j of q (n - i)) / j! times (1 - q)^n times
    (1 - q)^-j. The first factors grow with n; so does the second, as the derivative of its
    logarithm is the sum over m >= 2 of (5/7 - 1/m) q^m; the third falls, to 1.
    """
    none, square, power = ONE, ONE * (5 * n - 5) // (5 * n + 2), n
    while power:
        if power & 1:
            none = none * square >> 96
        square = square * square >> 96
        power >>= 1
    found = []
    for j in range(min(MOST, n) + 1):
        found.append(none)
        none = none * 7 * (n - j) // ((5 * n + 2) * (j + 1))
        if last is not None:
            none = none * (5 * last + 2) // (5 * last - 5)
    return found


def frequencies(n: int, last: int | None) -> list[tuple[int, int]]:
    """For k = 0, 1, 2 bounds on the highest frequency, for all n from ``n`` to ``last``."""
    return FOR_ALL.frequencies(least(n, last), ELSEWHERE)


def is_counterexample(n: int, last: int | None) -> bool:
    return all(4 * highest < ONE for _, highest in frequencies(n, last))


def test_the_class_is_the_same_for_every_n() -> None:
    for n in (3, 7, 1000):
        instance = lemma_12.counterexample_for(n)
        assert instance.hypotheses == FOR_ALL.instance.hypotheses
        assert instance.concept == frozenset()
        assert dict(instance.weights) == {**ELSEWHERE, 4: 15 * (n - 1)}
        assert (instance.dimension, instance.tie, instance.n) == (2, 1, n)
    assert dimension(frozenset(FOR_ALL.instance.hypotheses)) == 2
    assert all(4 not in h for h in FOR_ALL.instance.hypotheses)
    with pytest.raises(errors.InvalidInput, match="n"):
        lemma_12.counterexample_for(2)


@pytest.mark.parametrize("n", [3, 4, 5, 11, 29])
def test_the_library_finds_the_same(n: int) -> None:
    instance = lemma_12.counterexample_for(n)
    exact = lemma_12.reached_frequencies(instance.H, instance.target, n, constants="printed")
    assert exact.level is None
    for p, (low, high) in zip(exact.frequencies, frequencies(n, n), strict=True):
        assert low <= p * ONE <= high
        assert high - low < 1 << 32


def test_no_output_reaches_a_quarter_for_any_n_from_three_on() -> None:
    n = 3
    while not is_counterexample(n, None):
        length = max(1, n * n // 400)
        while not is_counterexample(n, n + length - 1):
            assert length > 1, f"n = {n}"
            length //= 2
        n += length
    assert n > 100  # up to here in ranges that end, and from here on in one that does not


def test_two_examples_are_too_few_for_it() -> None:
    assert not is_counterexample(2, 2)


@pytest.mark.parametrize("name", ["five-hypotheses", "theorem-10", "least-frequent"])
def test_single_examples_by_this_routine(name: str) -> None:
    instance = lemma_12.COUNTEREXAMPLES[name]
    assert (instance.n, instance.tie) == (1, 1)
    exact = lemma_12.reached_frequencies(instance.H, instance.target, 1, constants="printed")
    bounds = Machine(instance).frequencies([0, ONE], dict(instance.weights))
    for p, (low, high) in zip(exact.frequencies, bounds, strict=True):
        assert low <= p * ONE <= high
        assert high - low < 1 << 32


def test_the_lowest_frequencies_are_close_to_what_is_proved() -> None:
    instance = lemma_12.COUNTEREXAMPLES["least-frequent"]
    found = lemma_12.reached_frequencies(instance.H, instance.target, 1, constants="printed")
    assert formulas.proved_frequency(2).lower > Fraction(10505, 100000)
    assert formulas.proved_frequency(2).upper < max(found.frequencies) < Fraction(1058, 10000)
