"""The random contest and Proposition 5, against enumeration of all sequences."""

import itertools
import random
from collections.abc import Hashable, Iterable
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes, dimensions, errors, online, testing
from pac_stability.data import Deterministic, Example, FiniteDistribution, FromLaw, Sample
from pac_stability.papers.bun_livni_moran import formulas, stable, tournaments
from pac_stability.papers.bun_livni_moran.lemma_12 import RandomContest
from shared_classes import labelled
from shared_refusals import refuses


def as_mask(labels: Iterable[int]) -> int:
    return sum(int(y) << x for x, y in enumerate(labels))


FOUR_POINTS = testing.strategies.finite_classes(
    min_points=4, max_points=4, min_hypotheses=2, max_hypotheses=7
)
INSTANCES = testing.strategies.classes_with_targets(FOUR_POINTS, max_weight=3)
Instance = tuple[classes.FiniteClass, int, FiniteDistribution[Example[Hashable]]]


@given(INSTANCES, st.sampled_from(["lowest", "highest"]), st.integers(0, 1), st.integers(0, 2))
@settings(max_examples=40)
def test_the_contest_against_all_pairs_of_sequences(
    instance: Instance, pick: str, tie: int, n: int
) -> None:
    H, row, target = instance
    d = dimensions.littlestone_dimension(H)
    contest = RandomContest(H, target, n, tie=tie)

    runs = []
    for sequence, p in target.power(n).items():
        soa = online.StandardOptimalAlgorithm(H, tie)
        soa.replay(sequence)
        runs.append((soa, p))
        assert soa.mistakes <= d
        if soa.mistakes == d:
            assert soa.hypothesis().tolist() == H.table[row].tolist()

    law: dict[tuple[int, int], Fraction] = {}
    for soa, p in runs:
        key = sum(1 << i for i in soa.version_space), soa.mistakes
        law[key] = law.get(key, Fraction(0)) + p
    assert dict(contest.law().items()) == law
    counts = [sum((p for soa, p in runs if soa.mistakes == i), Fraction(0)) for i in range(d + 1)]
    assert [contest.law_of_mistakes().probability(i) for i in range(d + 1)] == counts
    assert max(counts) >= Fraction(1, d + 1)
    assert contest.q == counts[d - 1]

    outputs: dict[int | None, Fraction] = {}
    for (first, p), (second, q) in itertools.product(runs, repeat=2):
        f, g = first.hypothesis(), second.hypothesis()
        differ = [x for x in range(4) if f[x] != g[x]]
        if first.mistakes != d - 1 or second.mistakes != d - 1 or not differ:
            outputs[None] = outputs.get(None, Fraction(0)) + p * q
            continue
        x = differ[0] if pick == "lowest" else differ[-1]
        for y in (0, 1):
            winner = (first if f[x] != y else second).copy()
            winner.update(x, y)
            key_ = as_mask(winner.hypothesis())
            outputs[key_] = outputs.get(key_, Fraction(0)) + p * q / 2
            assert winner.mistakes == d  # also when the label is not that of the target
    assert contest.success == outputs.get(as_mask(H.table[row]), 0)


def test_every_case_of_the_overview_occurs_and_keeps_its_bound() -> None:
    coins = random.Random(3)  # a fixed sequence of instances
    found: dict[str, int] = {}
    for _ in range(150):
        H = classes.random_class(coins.randint(3, 9), 5, seed=coins.randrange(10**6))
        if dimensions.littlestone_dimension(H) < 1:
            continue
        row = coins.randrange(len(H))
        contest = RandomContest(
            H, labelled(H, row, [coins.randint(1, 3) for _ in range(5)]), coins.randint(1, 3)
        )
        try:
            case, probability, bound = contest.frequent_output()
        except errors.InvalidInput:
            likely = contest.law_of_mistakes().probability
            d = contest.dimension
            assert max(likely(d), likely(d - 1)) < Fraction(1, d + 1)
            continue
        assert probability >= bound
        found[case] = found.get(case, 0) + 1
    H = classes.FiniteClass(classes.affine_lines(3).table)
    contest = RandomContest(H, labelled(H, 0, [1] * 9), 3)
    case, probability, bound = contest.frequent_output()
    once = 0
    for points in itertools.product(range(9), repeat=3):
        soa = online.StandardOptimalAlgorithm(H)
        soa.replay((x, H(0, x)) for x in points)
        once += soa.mistakes == 1
    assert contest.q == Fraction(once, 9**3) == Fraction(137, 243)
    assert case == "contest"
    assert probability == contest.success >= bound == Fraction(3, 8) * contest.q**2
    assert {"identified", "collision"} <= set(found)


def test_with_dimension_one_the_case_of_agreement_gives_an_eighth() -> None:
    # Pr[M = 0] + Pr[M = 1] = 1; the bound for q = 1/2 is q/4 = 1/8, not (1/2)^2/4.
    H = classes.singletons(4)
    for n in range(5):
        contest = RandomContest(H, labelled(H, 0, [1, 1, 1, 1]), n)
        case, probability, bound = contest.frequent_output()
        assert case in ("identified", "collision")
        assert probability >= bound >= Fraction(1, 8)


def test_the_contest_refuses() -> None:
    H = classes.thresholds(2)
    refuses("Littlestone dimension 0", RandomContest, H.select_rows([0]), labelled(H, 0, [1, 1]), 1)
    with pytest.raises(errors.NotRealizable):
        RandomContest(H, FiniteDistribution.uniform([Example(0, 1), Example(1, 0)]), 1)
    contest = RandomContest(H, labelled(H, 1, [1, 1]), 1)
    refuses("mistakes: got 2", contest.law_of_output, 2)


def first_fit(H: classes.FiniteClass) -> Deterministic[Sample[Hashable], classes.Row]:
    return Deterministic(lambda S: next(h for h in H if S.count_errors(h) == 0))


@given(INSTANCES, st.integers(0, 2))
@settings(max_examples=40)
def test_proposition_5_holds_for_consistent_learners(instance: Instance, n: int) -> None:
    H, _, target = instance
    uniform_fit: FromLaw[Sample[Hashable], classes.Row] = FromLaw(
        lambda S: FiniteDistribution.uniform([h for h in H if S.count_errors(h) == 0])
    )
    result = stable.proposition_5(uniform_fit, H, target, n + 1)
    assert result.inconsistent is None
    assert result.holds
    assert sum(output.frequency for output in result.outputs) == 1
    for output in result.outputs:
        wrong = (p for z, p in target.items() if output.hypothesis(z.point) != z.label)
        assert output.loss == sum(wrong)
        assert output.frequency <= (1 - output.loss) ** (n + 1)
        bound = formulas.FrequentOutputLoss(output.frequency, n + 1).proposition_5()
        assert output.loss <= bound.upper
    assert result.stability == max(output.frequency for output in result.outputs)


def test_proposition_5_of_the_soa_is_level_0_of_the_tournaments() -> None:
    H = classes.thresholds(4)
    target = labelled(H, 2, [1, 2, 1, 1])

    def soa(S: Sample[Hashable]) -> tuple[int, ...]:
        learner = online.StandardOptimalAlgorithm(H)
        learner.replay(S)
        return tuple(learner.hypothesis().tolist())

    class Table(dict[Hashable, int]):
        def __hash__(self) -> int:  # type: ignore[override]  # never changed after it is made
            return hash(tuple(self.items()))

    learner: Deterministic[Sample[Hashable], Table] = Deterministic(
        lambda S: Table(zip(H.domain, soa(S), strict=True))
    )
    result = stable.proposition_5(learner, H, target, 3)
    level = tournaments.TournamentDistribution(H, target, k=0, n=3).law_of_output()
    assert {
        as_mask(output.hypothesis.values()): output.frequency for output in result.outputs
    } == dict(level.items())
    assert result.holds


def test_without_consistency_the_conclusion_fails_and_a_sample_says_why() -> None:
    H = classes.thresholds(2)
    target = labelled(H, 2, [1, 1])  # all labels 0
    always: Deterministic[Sample[Hashable], classes.Row] = Deterministic(
        lambda S: H[0]  # noqa: ARG005  # it says 1 everywhere
    )
    result = stable.proposition_5(always, H, target, 2)
    assert not result.holds
    (violation,) = result.violations
    assert violation.frequency == violation.loss == 1
    assert result.inconsistent is not None
    assert result.inconsistent.count_errors(H[0]) == 2
    refuses("n: got 0", stable.proposition_5, always, H, target, 0)
    assert stable.proposition_5(first_fit(H), H, target, 2).outputs[0].loss == 0
