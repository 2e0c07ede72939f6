"""Lemma 12 of BLM20 fails as printed, by two routines that share no code, and holds as repaired."""

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import FiniteClass, data, littlestone_dimension
from pac_stability.papers.bun_livni_moran import formulas, lemma_12, tournaments
from pac_stability.papers.bun_livni_moran.formulas.parameters import DrawCounts
from pac_stability.papers.bun_livni_moran.tournament_laws import Pick

ZERO = Fraction(0)
Points = frozenset[int]
Sequence = tuple[tuple[int, int], ...]


@cache
def dimension(hypotheses: frozenset[Points]) -> int:
    """Littlestone dimension by its recursion, on sets of sets."""
    if len(hypotheses) < 2:
        return len(hypotheses) - 1
    best = 0
    for x in frozenset.union(*hypotheses):
        ones = frozenset(h for h in hypotheses if x in h)
        if ones != hypotheses:
            best = max(best, 1 + min(dimension(ones), dimension(hypotheses - ones)))
    return best


@dataclass
class Literal:
    """The tournaments by listing sequences of examples: steps (i) to (v), nothing merged.

    Hypotheses and predictors are sets of points. The SOA is run from the first example on each
    time.
    """

    instance: lemma_12.Lemma12Counterexample
    pick: Callable[[Points], int] = min  # among the points where two predictors differ

    def soa(self, sequence: Sequence) -> Points:
        space = frozenset(self.instance.hypotheses)
        patched: set[int] | None = None
        for x, y in sequence:
            if patched is None:
                left = frozenset(h for h in space if (x in h) == bool(y))
                if left:
                    space = left
                    continue
                patched = set(self.predictor(space))
            if y:
                patched.add(x)
            else:
                patched.discard(x)
        return self.predictor(space) if patched is None else frozenset(patched)

    def predictor(self, space: frozenset[Points]) -> Points:
        labels = set()
        for x in range(self.instance.points):
            ones = frozenset(h for h in space if x in h)
            one, zero = dimension(ones), dimension(space - ones)
            if one > zero or (one == zero and self.instance.tie):
                labels.add(x)
        return frozenset(labels)

    def blocks(self) -> Iterator[tuple[Sequence, Fraction]]:
        total = sum(weight for _, weight in self.instance.weights)
        for chosen in product(self.instance.weights, repeat=self.instance.n):
            probability = Fraction(1)
            for _, weight in chosen:
                probability *= Fraction(weight, total)
            yield tuple((x, int(x in self.instance.concept)) for x, _ in chosen), probability

    def level(self, k: int) -> dict[Sequence, Fraction]:
        """The law of S ~ D_k."""
        if k == 0:
            return {(): Fraction(1)}
        players = [(ST, p, self.soa(ST)) for ST, p in self.players(k - 1)]
        law: dict[Sequence, Fraction] = defaultdict(Fraction)
        for (first, p, f), (second, q, g) in product(players, repeat=2):
            if f != g:
                x = self.pick(f ^ g)
                for y in (0, 1):
                    winner = first if (x in f) != bool(y) else second
                    law[(*winner, (x, y))] += p * q / 2
        accepted = sum(law.values())
        return {S: p / accepted for S, p in law.items()}

    def players(self, k: int) -> Iterator[tuple[Sequence, Fraction]]:
        for (S, p), (T, q) in product(self.level(k).items(), list(self.blocks())):
            yield S + T, p * q

    def outputs(self, k: int) -> dict[Points, Fraction]:
        """Pr[SOA(S o T) = f]."""
        law: dict[Points, Fraction] = defaultdict(Fraction)
        for sequence, p in self.players(k):
            law[self.soa(sequence)] += p
        return dict(law)

    def agreement(self, k: int) -> Fraction:
        """Pr[all tournament labels agree with the concept]."""
        n, concept = self.instance.n, self.instance.concept
        return sum(
            (
                p
                for S, p in self.level(k).items()
                if all((x in concept) == bool(y) for x, y in S[n :: n + 1])
            ),
            Fraction(0),
        )


def as_points(law: data.FiniteDistribution[int], points: int) -> dict[Points, Fraction]:
    return {frozenset(x for x in range(points) if f >> x & 1): p for f, p in law.items()}


@pytest.mark.parametrize("name", ["five-hypotheses", "equal-weights", "pairs", "every-pick"])
def test_no_output_reaches_a_quarter_by_two_independent_routines(name: str) -> None:
    instance = lemma_12.COUNTEREXAMPLES[name]
    literal = Literal(instance)
    D = instance.tournaments()
    for k in range(3):
        outputs = literal.outputs(k)
        assert outputs == as_points(D.at(k).law_of_output(), instance.points)
        assert max(outputs.values()) < Fraction(1, 4)
        assert D.at(k).all_labels_agree == literal.agreement(k)


@pytest.mark.parametrize("name", sorted(lemma_12.COUNTEREXAMPLES))
def test_every_counterexample_is_one(name: str) -> None:
    instance = lemma_12.COUNTEREXAMPLES[name]
    hypotheses = frozenset(instance.hypotheses)
    assert len(hypotheses) == len(instance.hypotheses)
    assert dimension(hypotheses) == instance.dimension == littlestone_dimension(instance.H)
    assert instance.concept in hypotheses  # hence the target is realizable
    printed = lemma_12.reached_frequencies(
        instance.H, instance.target, instance.n, tie=instance.tie, constants="printed"
    )
    assert printed.level is None
    assert len(printed.frequencies) == instance.dimension + 1
    assert max(printed.frequencies) < Fraction(1, 2**instance.dimension)
    # What the proof claims for the target: rho_k = 2^-k. It is right for k = 1.
    assert printed.agreement[:2] == (Fraction(1), Fraction(1, 2))
    assert all(rho < Fraction(1, 2**k) for k, rho in enumerate(printed.agreement[2:], start=2))
    repaired = lemma_12.reached_frequencies(
        instance.H, instance.target, instance.n, tie=instance.tie, constants="repaired"
    )
    assert repaired.level is not None


def test_the_first_level_of_the_pairs_by_hand() -> None:
    # D_0. Example (4, 0) leaves all seven sets: dimension 1 with a point and 2 without it, so the
    # empty set is predicted. Example (x, 0), x < 4, leaves the empty set and the pairs of the other
    # three points: ties, so these three are predicted. Five predictors of frequency 1/5.
    D = lemma_12.COUNTEREXAMPLES["pairs"].tournaments()
    law = as_points(D.at(0).law_of_output(), 5)
    rest = [frozenset({0, 1, 2, 3}) - {x} for x in range(4)]
    assert law == dict.fromkeys([frozenset[int](), *rest], Fraction(1, 5))


def is_below(
    instance: lemma_12.Lemma12Counterexample, pick: Pick = "lowest", tie: int | None = None
) -> bool:
    """Whether no output of D_0, ..., D_d has frequency 2^-d."""
    label = instance.tie if tie is None else tie
    H, target, n = instance.H, instance.target, instance.n
    return (
        lemma_12.reached_frequencies(H, target, n, pick=pick, tie=label, constants="printed").level
        is None
    )


def test_for_the_pairs_every_order_of_picking_fails() -> None:
    instance = lemma_12.COUNTEREXAMPLES["pairs"]
    assert all(is_below(instance, pick=order) for order in permutations(range(5)))


def test_no_way_of_picking_helps() -> None:
    # Every function of the two predictors, another one in each round. In round 1 all choices are
    # tried. In round 2 the frequency of an output is a sum over pairs of predictors, so that its
    # largest value takes the best point for each pair.
    instance = lemma_12.COUNTEREXAMPLES["every-pick"]
    literal = Literal(instance)
    points, share = range(instance.points), Fraction(1, instance.points)

    @cache
    def output_after(kept: Sequence) -> dict[Points, Fraction]:
        law: dict[Points, Fraction] = defaultdict(Fraction)
        for x in points:
            law[literal.soa((*kept, (x, 0)))] += share
        return law

    def matches(players: list[tuple[Sequence, Fraction, Points]]) -> list[tuple[Points, Points]]:
        return list(combinations({f: None for _, _, f in players}, 2))

    def kept(player: Sequence, f: Points, x: int) -> Sequence:
        return (*player, (x, int(x not in f)))

    first: list[tuple[Sequence, Fraction, Points]] = [
        (((x, 0),), share, literal.soa(((x, 0),))) for x in points
    ]
    assert len({f for _, _, f in first}) == 5  # so that a pair is apart with probability 4/5
    tried = 0
    for choice in product(*(sorted(f ^ g) for f, g in matches(first))):
        tried += 1
        picked = {frozenset(pair): x for pair, x in zip(matches(first), choice, strict=True)}
        level: dict[Sequence, Fraction] = defaultdict(Fraction)
        for (one, p, f), (_, q, g) in permutations(first, 2):
            level[kept(one, f, picked[frozenset((f, g))])] += p * q / Fraction(4, 5)
        assert sum(level.values()) == 1
        second = [
            ((*S, (x, 0)), p * share, literal.soa((*S, (x, 0))))
            for S, p in level.items()
            for x in points
        ]
        outputs: dict[Points, Fraction] = defaultdict(Fraction)
        for _, p, f in second:
            outputs[f] += p
        assert max(outputs.values()) <= Fraction(9, 50)
        theta = 1 - sum(p * p for p in outputs.values())
        won: dict[tuple[Points, int], dict[Points, Fraction]] = {}
        for S, p, f in second:
            for x in points:
                law = won.setdefault((f, x), defaultdict(Fraction))
                for h, q in output_after(kept(S, f, x)).items():
                    law[h] += p * q
        most: dict[Points, Fraction] = defaultdict(Fraction)
        for f, g in matches(second):
            for h in {h for x in f ^ g for h in (*won[f, x], *won[g, x])}:
                most[h] += max(
                    won[f, x].get(h, ZERO) * outputs[g] + won[g, x].get(h, ZERO) * outputs[f]
                    for x in f ^ g
                )
        assert max(most.values()) / theta < Fraction(1, 4)
    assert tried == 64


def test_the_one_with_equal_weights_depends_on_the_order_of_picking() -> None:
    instance = lemma_12.COUNTEREXAMPLES["equal-weights"]
    failing = [order for order in permutations(range(5)) if is_below(instance, pick=order)]
    assert tuple(range(5)) in failing
    assert len(failing) == 25


def test_both_tie_rules_fail_on_one_class() -> None:
    instance, coins = lemma_12.COUNTEREXAMPLES["both-ties"], random.Random(12)
    for tie in (0, 1):
        for _ in range(20):
            order = coins.sample(range(instance.points), instance.points)
            assert is_below(instance, pick=order, tie=tie)


@pytest.mark.parametrize("name", ["equal-weights", "pairs", "every-pick"])
def test_exchanging_the_labels_and_the_tie_rule_changes_nothing(name: str) -> None:
    instance = lemma_12.COUNTEREXAMPLES[name]
    swapped = instance.swapped()
    assert swapped.tie == 0
    everything = frozenset(range(instance.points))
    for k in range(3):
        law = as_points(instance.tournaments(k).law_of_output(), instance.points)
        assert as_points(swapped.tournaments(k).law_of_output(), instance.points) == {
            everything - f: p for f, p in law.items()
        }


def test_the_printed_lemma_is_right_up_to_dimension_one() -> None:
    small = [it for it in map(instance_of, range(80)) if littlestone_dimension(it[0]) <= 1]
    assert len(small) > 10
    for H, target, n, tie, pick in small:
        assert (
            lemma_12.reached_frequencies(
                H, target, n, tie=tie, pick=pick, constants="printed"
            ).level
            is not None
        )


def instance_of(
    seed: int,
) -> tuple[FiniteClass, data.FiniteDistribution[data.Example[Hashable]], int, int, list[int]]:
    """A random class with a target, an auxiliary size, a tie rule and an order of picking."""
    coins = random.Random(seed)
    points = coins.randint(1, 7)
    masks = coins.sample(range(2**points), min(coins.randint(1, 10), 2**points))
    H = FiniteClass([[mask >> x & 1 for x in range(points)] for mask in masks])
    support = coins.sample(range(points), coins.randint(1, points))
    weights = {x: coins.randint(1, 3) for x in support}
    total = sum(weights.values())
    target: data.FiniteDistribution[data.Example[Hashable]] = data.FiniteDistribution(
        {data.Example(x, masks[0] >> x & 1): Fraction(w, total) for x, w in weights.items()}
    )
    order = coins.sample(range(points), points)
    return H, target, coins.randint(1, 4), coins.randint(0, 1), order


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_the_repaired_lemma_holds(seed: int) -> None:
    H, target, n, tie, pick = instance_of(seed)
    found = lemma_12.reached_frequencies(H, target, n, tie=tie, pick=pick, constants="repaired")
    assert found.level is not None
    assert len(found.frequencies) == found.level + 1
    # rho_k is at least what the repaired proof says, as far as D_k is defined.
    assert all(
        rho >= bound for rho, bound in zip(found.agreement, found.threshold.agreement, strict=False)
    )


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_one_tournament_changes_the_agreement_as_proved(seed: int) -> None:
    H, target, n, tie, pick = instance_of(seed)
    # Threshold 1: every level is defined until all players agree.
    D = tournaments.TournamentDistribution(H, target, 3, n, tie=tie, pick=pick, threshold=1)
    for k in range(D.last_defined):
        below, rho, above = D.at(k), D.at(k).all_labels_agree, D.at(k + 1).all_labels_agree
        theta, tau = 1 - below.collision, below.highest_frequency
        assert rho * (rho - tau) / (2 * theta) <= above <= rho * (1 - rho / 2) / theta
        if tau < 1:
            whole = rho // tau
            q = whole * tau**2 + (rho - whole * tau) ** 2
            assert (rho**2 - q) / (2 * (1 - q)) <= above


def test_at_the_dimension_the_target_is_as_frequent_as_agreement() -> None:
    for instance in lemma_12.COUNTEREXAMPLES.values():
        D = instance.tournaments()
        concept = sum(1 << x for x in instance.concept)
        assert D.law_of_output().probability(concept) >= D.all_labels_agree


def test_algorithm_g_with_the_printed_numbers_fails_for_alpha_two() -> None:
    instance = lemma_12.COUNTEREXAMPLES["theorem-10"]
    G = formulas.GlobalStabilityParameters(2, Fraction(2), "paper")
    assert (G.n, G.blocks, G.sample_size, G.eta) == (instance.n, 512, 513, Fraction(1, 24))
    levels = [instance.tournaments(k) for k in range(3)]
    laws = [level.law_of_output() for level in levels]
    collisions = [level.collision for level in levels]
    outputs = {f for law in laws for f in law.support}
    # G draws k uniformly; that draws can run out makes every output but the one of "Fail" rarer.
    most = max(sum(law.probability(f) for law in laws) for f in outputs) / 3
    assert most < G.eta
    assert round(float(most), 7) == 0.0394716
    # Whatever is output on "Fail", which is all but impossible, it does not help.
    within = [DrawCounts(collisions[:k]).enclosed_within(G.blocks, 400) for k in range(3)]
    fail = sum(1 - probability.lower for probability in within) / 3
    assert 0 < fail < Fraction(1, 10**90)
    assert most + fail < G.eta
    # The repaired bound is 1/60, with more examples.
    assert (
        formulas.GlobalStabilityParameters(2, Fraction(2), "proved").eta == Fraction(1, 60) < most
    )
