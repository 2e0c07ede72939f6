"""The exact law of D_k against all its sequences, and against what the paper says of it."""

import pickle
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes, data, dimensions, online
from pac_stability.errors import BudgetExhausted, InvalidInput, NotRealizable
from pac_stability.papers.bun_livni_moran import tournament_laws
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution
from pac_stability.testing import strategies
from shared_refusals import refuses

Sequence = tuple[tuple[int, int], ...]


def class_of(masks: list[int], points: int) -> classes.FiniteClass:
    """The class with these hypotheses, bit x being the label of point x."""
    return classes.FiniteClass([[mask >> x & 1 for x in range(points)] for mask in masks])


def target_of(weights: dict[int, int], concept: int) -> data.FiniteDistribution[data.Example[int]]:
    """Points with these weights, labelled by a mask."""
    total = sum(weights.values())
    return data.FiniteDistribution(
        {data.Example(x, concept >> x & 1): Fraction(w, total) for x, w in weights.items()}
    )


@dataclass
class Enumeration:
    """D_0, ..., D_k as laws on sequences of examples, word by word from steps (i) to (v)."""

    H: classes.FiniteClass
    examples: dict[tuple[int, int], Fraction]
    n: int
    tie: int
    pick: Callable[[int, int], int]

    def output(self, sequence: Sequence) -> int:
        soa = online.StandardOptimalAlgorithm(self.H, self.tie)
        soa.replay(sequence)
        return sum(int(label) << x for x, label in enumerate(soa.hypothesis()))

    def players(self, law: dict[Sequence, Fraction]) -> dict[Sequence, Fraction]:
        found: dict[Sequence, Fraction] = {}
        for (S, p), T in product(law.items(), product(self.examples, repeat=self.n)):
            weight = p
            for z in T:
                weight *= self.examples[z]
            found[S + T] = found.get(S + T, Fraction(0)) + weight
        return found

    def next(self, law: dict[Sequence, Fraction]) -> dict[Sequence, Fraction]:
        players = [(ST, p, self.output(ST)) for ST, p in self.players(law).items()]
        kept: dict[Sequence, Fraction] = {}
        for (first, p, f), (second, q, g) in product(players, repeat=2):
            if f == g:
                continue
            x = self.pick(min(f, g), max(f, g))
            for y in (0, 1):
                winner = first if f >> x & 1 != y else second
                sequence = (*winner, (x, y))
                kept[sequence] = kept.get(sequence, Fraction(0)) + p * q / 2
        decided = sum(kept.values())  # rounds that end in a tie are started again
        return {sequence: p / decided for sequence, p in kept.items()}

    def outputs(self, law: dict[Sequence, Fraction]) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for sequence, p in self.players(law).items():
            f = self.output(sequence)
            found[f] = found.get(f, Fraction(0)) + p
        return found


def compare(D: TournamentDistribution, oracle: Enumeration, concept: int, k: int) -> None:
    """Check the levels up to k, and on the way Observation 11 on every sequence."""
    n, draws = oracle.n, Fraction(0)
    law: dict[Sequence, Fraction] = {(): Fraction(1)}
    for j in range(k + 1):
        level = D.at(j)
        outputs = oracle.outputs(law)
        assert dict(level.law_of_output().items()) == outputs
        assert level.highest_frequency == max(outputs.values())
        assert level.collision == sum(p * p for p in outputs.values())
        assert level.expected_draws == draws
        agree = Fraction(0)
        for S, p in law.items():
            tournaments = S[n :: n + 1]
            assert len(tournaments) == j
            agree += p * all(concept >> x & 1 == y for x, y in tournaments)
            soa = online.StandardOptimalAlgorithm(D.H, D.tie)
            predictions = soa.replay(S)
            assert all(predictions[i] != S[i][1] for i in range(n, len(S), n + 1))
            for T in product(oracle.examples, repeat=n):
                after = soa.copy()
                after.replay(T)
                assert all(after.predict(x) == y for x, y in T)
        assert level.all_labels_agree == agree
        if max(outputs.values()) == 1:
            break
        # The number of rounds is geometric, and each draws two samples and two blocks.
        draws = (2 * draws + 2 * n) / sum(
            p * q for f, p in outputs.items() for g, q in outputs.items() if f != g
        )
        if j < k:
            law = oracle.next(law)


INSTANCES = strategies.classes_with_targets(
    strategies.finite_classes(min_points=3, max_points=3, min_hypotheses=2, max_hypotheses=6)
)
Instance = tuple[classes.FiniteClass, int, data.FiniteDistribution[data.Example[int]]]


def differing(f: int, g: int) -> list[int]:
    return [x for x in range((f ^ g).bit_length()) if (f ^ g) >> x & 1]


def some(f: int, g: int) -> int:
    """A choice that no order of the points gives."""
    return differing(f, g)[(f + g) % len(differing(f, g))]


PICKS: dict[str, tuple[tournament_laws.Pick, Callable[[int, int], int]]] = {
    "lowest": ("lowest", lambda f, g: differing(f, g)[0]),
    "highest": ("highest", lambda f, g: differing(f, g)[-1]),
    "order": ((1, 2, 0), lambda f, g: min(differing(f, g), key=(1, 2, 0).index)),
    "pairs": (some, some),
}


@settings(max_examples=40)
@given(INSTANCES, st.sampled_from([(1, 2), (2, 1)]), st.integers(0, 1), st.sampled_from([*PICKS]))
def test_the_law_is_that_of_all_sequences(
    instance: Instance, size: tuple[int, int], tie: int, named: str
) -> None:
    H, row, target = instance
    concept = sum(H(row, x) << x for x in range(3))
    n, k = size
    pick, literally = PICKS[named]
    D = TournamentDistribution(H, target, 0, n, pick=pick, tie=tie, threshold=1, concept=row)
    examples = {(z.point, z.label): p for z, p in target.items()}
    compare(D, Enumeration(H, examples, n, tie, literally), concept, k)


def test_three_levels_of_thresholds_are_those_of_all_sequences() -> None:
    # Three points, n = 1: every level is decided, and level 3 has sequences of six examples.
    H, target = classes.thresholds(3), target_of({0: 1, 1: 1, 2: 1}, 0b110)
    D = TournamentDistribution(H, target, 0, 1, threshold=1, concept=1)
    examples = {(z.point, z.label): p for z, p in target.items()}
    compare(D, Enumeration(H, examples, 1, 1, PICKS["lowest"][1]), 0b110, 3)


# The classes below, as masks over the points, have targets on which no level k <= d has an output
# of frequency 2^-d.
A = class_of([17, 22, 12, 9, 31, 29], 5)
A_TARGET = target_of(dict.fromkeys(range(5), 1), 31)


def test_a_class_of_dimension_2_without_a_frequent_output() -> None:
    # Its law is that of all sequences, by the enumeration; these are the values that it has.
    D = TournamentDistribution(A, A_TARGET, 2, 1, tie=0)
    examples = {(z.point, z.label): p for z, p in A_TARGET.items()}
    compare(D, Enumeration(A, examples, 1, 0, PICKS["lowest"][1]), 31, 2)
    assert dimensions.littlestone_dimension(A) == 2
    assert D.threshold == Fraction(1, 4)
    assert D.is_defined
    levels = [D.at(k) for k in range(3)]
    assert [level.highest_frequency for level in levels] == [
        Fraction(1, 5),
        Fraction(6, 25),
        Fraction(64, 305),
    ]
    assert [level.all_labels_agree for level in levels] == [1, Fraction(1, 2), Fraction(891, 8662)]
    assert [level.expected_draws for level in levels] == [0, Fraction(5, 2), Fraction(35000, 4331)]


def test_with_another_pick_rule_the_same_class_has_a_frequent_output() -> None:
    D = TournamentDistribution(A, A_TARGET, 2, 1, tie=0, pick="highest")
    assert D.last_defined == 1
    assert D.at(1).highest_frequency == Fraction(7, 25)


@dataclass
class Case:
    """A target without a frequent output, and the largest frequencies of its levels."""

    H: classes.FiniteClass
    target: data.FiniteDistribution[data.Example[int]]
    tie: int
    n: int
    frequencies: list[float]


CASES = {
    "n=5": Case(
        class_of([0, 40, 265, 521, 528, 52, 85, 20], 10),
        target_of({9: 1, 5: 3, 2: 1, 7: 4, 1: 6, 8: 2, 6: 2}, 0),
        tie=1,
        n=5,
        frequencies=[0.1297, 0.1462, 0.1489],
    ),
    "n=20": Case(
        class_of([2464, 2433, 2977, 2340, 357, 2853, 3333, 421, 2343, 933, 2981, 429, 436], 12),
        target_of({4: 7, 1: 1, 9: 14, 3: 13, 10: 1, 6: 2, 0: 1, 8: 1}, 2433),
        tie=0,
        n=20,
        frequencies=[0.1715, 0.1735, 0.1606],
    ),
    "d=3": Case(
        class_of(
            [1824, 0, 1858, 1603, 608, 1153, 740, 741, 778, 1451]  # noqa: RUF005
            + [13, 144, 948, 1300, 1626, 412, 541],
            11,
        ),
        target_of(dict.fromkeys([0, 1, 2, 3, 4, 5, 6, 7, 8, 10], 1), 0),
        tie=1,
        n=1,
        frequencies=[0.1, 0.04, 0.0587, 0.0361],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_other_classes_without_a_frequent_output(name: str) -> None:
    # The frequencies, to four digits, were found once by another program in other arithmetic.
    case = CASES[name]
    d = len(case.frequencies) - 1
    D = TournamentDistribution(case.H, case.target, d, case.n, tie=case.tie)
    assert dimensions.littlestone_dimension(case.H) == d
    assert D.is_defined
    found = [float(D.at(k).highest_frequency) for k in range(d + 1)]
    assert found == pytest.approx(case.frequencies, abs=5.1e-5)
    assert max(found) < 2**-d
    assert D.all_labels_agree < D.threshold


def test_a_class_without_a_frequent_output_for_any_order_of_the_points() -> None:
    H = class_of([453, 390, 775, 907, 269, 531, 308, 26], 10)
    target = target_of(dict.fromkeys(range(10), 1), 775)
    shuffler = random.Random(0)  # any orders will do
    for tie, _ in product((0, 1), range(8)):
        order = shuffler.sample(range(10), 10)
        D = TournamentDistribution(H, target, 2, 1, tie=tie, pick=order)
        assert D.threshold == Fraction(1, 4)
        assert D.is_defined
        assert D.highest_frequency < D.threshold


LARGER = strategies.finite_classes(max_points=9, min_hypotheses=2, max_hypotheses=24)


@settings(max_examples=60)
@given(
    strategies.classes_with_targets(LARGER, max_weight=9),
    st.integers(0, 6),
    st.integers(0, 1),
    st.sampled_from([None, Fraction(1, 2), Fraction(9, 10), 1]),
)
def test_what_holds_at_every_level(
    instance: Instance, n: int, tie: int, threshold: Fraction | None
) -> None:
    H, _, target = instance
    # Where the target does not tell concepts apart it is the first.
    first = next(h for h in range(len(H)) if all(H(h, x) == y for x, y in target.support))
    D = TournamentDistribution(H, target, 3, n, tie=tie, threshold=threshold)
    assert D.concept == first
    last = D.last_defined
    assert D.is_defined == (last == 3)
    for k in range(last + 1):
        level = D.at(k)
        law = level.law_of_output()
        for f, p in law.items():
            wrong = sum(q for z, q in target.items() if f >> z.point & 1 != z.label)
            assert p <= (1 - wrong) ** n  # Lemma 13, sharpened
        if D.threshold <= Fraction(1, 2):
            assert 3 * level.expected_draws <= (4 ** (k + 1) - 4) * n  # below Lemma 14's 4^(k+1) n
        rho = level.all_labels_agree
        truth = sum(H(first, x) << x for x in range(len(H.domain)))
        if k == dimensions.littlestone_dimension(H):
            assert law.probability(truth) >= rho
        if k == 0:
            assert rho == 1
            assert level.expected_draws == 0
            continue
        below = D.at(k - 1)
        before, theta = below.all_labels_agree, 1 - below.collision
        assert below.highest_frequency < D.threshold
        assert theta > 1 - D.threshold
        if k == 1:
            assert rho == Fraction(1, 2)
        assert rho >= before * (before - D.threshold) / (2 * theta)
        assert rho <= before * (1 - before / 2) / theta
    if last < 3:
        assert D.at(last).highest_frequency >= D.threshold


@settings(max_examples=60)
@given(LARGER, st.integers(0, 6), st.integers(0, 1))
def test_some_level_has_an_output_of_the_repaired_frequency(
    H: classes.FiniteClass, n: int, tie: int
) -> None:
    # 2^-d for d <= 1 as printed. For d >= 2, r_1 = 1/2 and r_k = r_{k-1} (r_{k-1} - tau) / 2 bound
    # the probability from below that all labels agree, and tau works when r_d >= tau: 1/10 for 2,
    # 1/140 for 3, 2^-(2^d) for all d.
    d = dimensions.littlestone_dimension(H)
    tau = Fraction(1, {0: 1, 1: 2, 2: 10, 3: 140}.get(d, 2 ** (2**d)))
    target = data.FiniteDistribution.uniform(data.Example(x, H(0, x)) for x in H.domain)
    D = TournamentDistribution(H, target, d, n, tie=tie, threshold=tau)
    assert D.at(D.last_defined).highest_frequency >= tau


@given(LARGER, st.integers(0, 4))
def test_every_concept_has_labels_of_its_own(H: classes.FiniteClass, n: int) -> None:
    # One example leaves hypotheses of loss zero that differ elsewhere.
    target = data.FiniteDistribution.point_mass(data.Example(0, H(0, 0)))
    concepts = [row for row in range(len(H)) if H(row, 0) == H(0, 0)]
    for row in concepts:
        D = TournamentDistribution(H, target, 1, n, threshold=1, concept=row)
        if D.is_defined:
            assert D.all_labels_agree == Fraction(1, 2)


def test_larger_classes_take_no_long_time_and_few_states() -> None:
    # The states are those that the enumeration of patterns would reach: for thresholds on 8
    # points an interval of version space or one of 2^8 predictors.
    H = classes.thresholds(8)
    target = data.FiniteDistribution.uniform(data.Example(x, H(4, x)) for x in range(8))
    D = TournamentDistribution(H, target, 3, 10, threshold=1)
    assert [D.at(k).state_count for k in range(4)] == [24, 38, 45, 53]
    lines = classes.affine_lines(3)
    everywhere = data.FiniteDistribution.uniform(data.Example(x, lines(0, x)) for x in lines.domain)
    E = TournamentDistribution(lines, everywhere, 2, 10, threshold=1)
    assert sum(E.law_of_output().numerators.values()) == E.law_of_output().denominator


def test_one_hypothesis_ends_at_level_0() -> None:
    H = classes.FiniteClass([[0, 1]])
    D = TournamentDistribution(H, data.FiniteDistribution.point_mass(data.Example(0, 0)), 1, 3)
    assert D.threshold == 1
    assert not D.is_defined
    assert D.at(0).law_of_output() == data.FiniteDistribution.point_mass(0b10)


def test_the_threshold_is_reached_by_equality() -> None:
    # Two points, one drawn: the output is one of two hypotheses with probability 1/2 each.
    H = classes.FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
    target = target_of({0: 1, 1: 1}, 0b00)
    D = TournamentDistribution(H, target, 1, 1, tie=1, threshold="1/2")
    assert D.at(0).law_of_output() == data.FiniteDistribution.uniform([0b01, 0b10])
    assert not D.is_defined
    assert TournamentDistribution(H, target, 1, 1, tie=1, threshold="501/1000").is_defined


def test_without_draws_only_the_empty_sample_is_defined() -> None:
    D = TournamentDistribution(A, A_TARGET, 1, 0)
    assert D.last_defined == 0
    assert len(D.at(0).law_of_output()) == 1
    assert D.at(0).expected_draws == 0


def test_bad_input_is_named() -> None:
    def made(**changed: object) -> TournamentDistribution:
        arguments = {"H": A, "target": A_TARGET, "k": 1, "n": 1, "tie": 0, **changed}
        return TournamentDistribution(**arguments)  # type: ignore[arg-type]  # what is refused

    for name, value, message in [
        ("k", -1, "k: got -1"),
        ("k", 1.5, "k: got 1.5"),
        ("n", -1, "n: got -1"),
        ("tie", 2, "tie: got 2"),
        ("threshold", 0, "threshold: got 0"),
        ("threshold", Fraction(3, 2), "threshold: got 3/2"),
        ("threshold", float("nan"), "threshold: got nan"),
        ("concept", 0, r"concept: got 0, want a row of loss zero: one of \(4,\)"),
        ("pick", "middle", "pick: got 'middle'"),
        ("pick", 3, "pick: got 3"),
        ("pick", (0, 1, 2, 3, "x"), "point: got 'x'"),
        ("pick", (0, 1), r"pick: got \(0, 1\), want every point"),
        ("pick", (0, 1, 2, 3, 3), "pick: got .*, want every point"),
        ("max_states", 0, "max_states: got 0"),
        ("H", classes.FiniteClass(A.table[:0]), "H: got the empty class"),
    ]:
        refuses(message, made, **{name: value})
    with pytest.raises(NotRealizable, match=r"examples \(0, 0\), \(1, 1\)"):
        made(
            H=classes.FiniteClass([[0, 0], [1, 1]]),
            target=data.FiniteDistribution.uniform([data.Example(0, 0), data.Example(1, 1)]),
        )
    for column in (7, -1, "0", 0):
        with pytest.raises(InvalidInput, match=r"pick: got .*, want a column where they differ"):
            made(pick=lambda *_, column=column: column).law_of_output()


def test_a_distribution_is_a_value() -> None:
    D = TournamentDistribution(A, A_TARGET, 2, 1, tie=0, pick=[4, 3, 2, 1, 0], threshold="1/2")
    same = TournamentDistribution(
        A, A_TARGET, 1, 1, tie=0, pick=(4, 3, 2, 1, 0), threshold=Fraction(1, 2)
    ).at(2)
    assert same == D
    assert hash(D) == hash(same)
    assert D.at(1) != D
    law = D.law_of_output()
    returned = pickle.loads(pickle.dumps(D))  # noqa: S301  # our own bytes
    assert returned == D
    assert returned.law_of_output() == law
    assert returned.at(3).highest_frequency == D.at(3).highest_frequency


def test_an_undefined_level_says_where_the_sequence_ends() -> None:
    D = TournamentDistribution(
        classes.thresholds(4), target_of(dict.fromkeys(range(4), 1), 0), 3, 5
    )
    message = "k: got 3, want at most 0: an output of D_0 has frequency .*, and 1/4 ends"
    refuses(message, D.law_of_output)
    refuses(message, D.run)


def test_too_many_states_are_refused() -> None:
    H = classes.singletons(30)
    target = data.FiniteDistribution.uniform(data.Example(x, H(0, x)) for x in H.domain)
    D = TournamentDistribution(H, target, 0, 5, max_states=1000)
    with pytest.raises(BudgetExhausted, match="more than 1000 states"):
        D.law_of_output()
