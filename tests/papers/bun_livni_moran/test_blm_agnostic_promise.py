"""The agnostic learner's promise: its steps by hand, its law without T, a run at its size."""

import itertools
import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from pac_stability import Epsilon, Example, FiniteDistribution, Interval, Sample, audit, mechanisms
from pac_stability.classes import FiniteClass, Row, cube, singletons, thresholds
from pac_stability.errors import InvalidInput
from pac_stability.notions.losses import error
from pac_stability.papers.bun_livni_moran import (
    AgnosticPrivateLearner,
    AgnosticPromise,
    agnostic_accuracy,
    agnostic_promise,
    at_size,
    equivalence,
    train_on_examples,
    train_on_target,
)
from pac_stability.papers.bun_livni_moran.agnostic_accuracy import (
    Richness,
    _is_enough,
    _relative_entropy,
    _tuned,
    choice_failure,
    transfer_failure,
)
from pac_stability.papers.bun_livni_moran.at_size import ExampleStream, example_codes
from pac_stability.randomness import BitCoins, SeededCoins
from shared_refusals import refuses

HALF, TENTH, MILLIONTH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**6)
ASKED = AgnosticPromise(1, 1, Fraction(1, 4), TENTH, Epsilon(1), MILLIONTH)


def noisy(H: FiniteClass, row: int, flipped: Fraction) -> FiniteDistribution[Example[Hashable]]:
    """A uniform point, with the label of a hypothesis or, sometimes, the other one."""
    return FiniteDistribution(
        {
            Example(x, y): (1 - flipped if H(row, x) == y else flipped) / len(H.domain)
            for x in H.domain
            for y in (0, 1)
        }
    )


# The steps


def test_the_choice_among_few_hypotheses_by_hand() -> None:
    a, r = Fraction(1, 4), HALF
    best = choice_failure(100, Richness(1, 5), r, a)
    assert float(best) == pytest.approx(math.log(4) + 50 * math.log(1 - 1 / 16))
    # A decay near 1 is what decides.
    near = choice_failure(100, Richness(1, 5), Fraction(9, 10), a)
    mean = 0.9 * 1.25 / 2 + 0.75 / (2 * 0.9)
    assert float(near) == pytest.approx(math.log(4) + 100 * math.log(mean))
    # The two agree where they meet, at z = r.
    meet = Fraction(3, 5)  # (1 - r^2)/(1 + r^2) = 8/17
    at = choice_failure(100, Richness(1, 2), meet, Fraction(8, 17))
    assert float(at) == pytest.approx(50 * math.log(1 - 64 / 289))
    assert choice_failure(100, Richness(1, 1), r, a).upper < -50  # nothing else can be drawn


def test_the_choice_among_few_patterns_by_hand() -> None:
    N, a, r = 10_000, 1 / 16, 0.9
    found = []
    for times in (1, 3, 7, 15, 31, 63):
        M, s = times * N, times / (times + 1)
        above = a - math.sqrt(2 * math.log(2) / M)
        shift = min(above * s, math.log(1 / r) / s)
        found.append(math.log(2 * (N + M + 1)) + N * (shift**2 / 2 - shift * above * s))
    best = choice_failure(N, Richness(1), Fraction(9, 10), Fraction(1, 16))
    assert float(best) == pytest.approx(min(found), rel=1e-6)
    # T adds points to the patterns, and nothing else.
    with_T = choice_failure(N, Richness(1), Fraction(9, 10), Fraction(1, 16), spare=N)
    assert best.upper < with_T.lower
    assert float(with_T - best) < math.log(2)
    # Where nothing is proved the bound is 1.
    assert choice_failure(10, Richness(3), HALF, "1/100") == Interval.exactly(0)


def test_a_decay_near_one_costs_something_in_the_end() -> None:
    bounds = [choice_failure(10_000, Richness(1), 1 - Fraction(1, 2**j), "1/16") for j in (1, 5, 7)]
    assert bounds[0] == choice_failure(10_000, Richness(1), Fraction(7, 8), "1/16")
    assert bounds[0].upper < bounds[1].lower < bounds[1].upper < bounds[2].lower


def test_what_is_carried_over_by_hand() -> None:
    assert float(_relative_entropy(Fraction(1, 4), HALF, 64)) == pytest.approx(
        0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    )
    # 20 of 30 are fresh, and 3 of D, so of the fresh ones, may be in a set of mass 1/2.
    one = transfer_failure(30, 10, Richness(1, 1), TENTH, HALF)
    entropy = 0.15 * math.log(0.3) + 0.85 * math.log(1.7)
    assert float(one) == pytest.approx(-20 * entropy)
    assert float(one) >= math.log(sum(math.comb(20, k) for k in range(4)) / 2**20)
    many = transfer_failure(30, 10, Richness(1, 7), TENTH, HALF)
    assert float(many - one) == pytest.approx(math.log(7))
    N, m = 30_000, 10_000
    found = []
    for times in (1, 3, 7, 15, 31, 63):
        M, q = times * N, 3750 / 20_000
        p = (M // 4 + 3750) / (N - m + M)
        entropy = q * math.log(q / p) + (1 - q) * math.log((1 - q) / (1 - p))
        found.append(math.log(2 * (N + M + 1)) - 20_000 * entropy)
    rich = transfer_failure(N, m, Richness(1), "1/8", "1/4")
    assert float(rich) == pytest.approx(min(found), rel=1e-6)
    # With 2 alpha_0 >= alpha_1 the fresh half may look as if the set were small.
    assert transfer_failure(20_000, 10_000, Richness(1, 5), "1/8", "1/4") == Interval.exactly(0)


def test_numbers_of_examples_are_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    # At most 7/2 examples are at most 3; and 61/2 on average are 30 or more with 1/2.
    monkeypatch.setattr(agnostic_accuracy, "GHOSTS", (1,))
    for rich in (Richness(1, 5), Richness(1)):
        few = [transfer_failure(200, 10, rich, Fraction(c, 400), HALF) for c in (6, 7, 8)]
        assert few[0] == few[1]
        assert few[1].upper < few[2].lower < 0
    many = [transfer_failure(200, 10, Richness(1), 0, Fraction(c, 400)) for c in (80, 81, 82)]
    assert many[0] == many[1]
    assert 0 > many[1].lower > many[2].upper


def test_the_tail_of_a_hypergeometric_law_is_largest_where_the_proof_says() -> None:
    fresh, ghost, most, least = 6, 9, 2, 4

    def likely(hits: int) -> Fraction:
        ways = sum(
            math.comb(fresh, y) * math.comb(ghost, hits - y)
            for y in range(min(most, hits - least) + 1)
            if hits - y <= ghost
        )
        return Fraction(ways, math.comb(fresh + ghost, hits))

    laws = [likely(hits) for hits in range(least, fresh + ghost + 1)]
    assert max(laws) == laws[most]
    mean = Fraction(most + least, fresh + ghost)
    bound = Interval.exp(-_relative_entropy(Fraction(most, fresh), mean, 64) * fresh)
    assert laws[most] < bound.lower


def test_steps_refuse_bad_input() -> None:
    refuses("resample", transfer_failure, 10, 10, Richness(1), 0, "1/2")
    refuses("apart_on_D", transfer_failure, 10, 5, Richness(1), 1, "1/2")
    for excess in (0, 1):
        refuses("excess", choice_failure, 10, Richness(1), HALF, excess)
    refuses("decay", choice_failure, 10, Richness(1), Fraction(1), "1/2")
    refuses("hypotheses", Richness, 1, 0)


# The learner without a half T


def literal_law(H: FiniteClass, sample: Sample[Hashable], m: int) -> dict[int, Fraction]:
    """The law of the row: patterns on the sample, relabelled, sequences of m draws, the base."""
    table = [dict(zip(H.domain, map(int, row), strict=True)) for row in H.table]
    weights: dict[tuple[int, ...], Fraction] = {}
    for row in table:
        pattern = tuple(row[x] for x in sample.points)
        wrong = sum(a != b for a, b in zip(pattern, sample.labels, strict=True))
        weights[pattern] = HALF**wrong
    law: dict[int, Fraction] = {}
    for pattern, weight in weights.items():
        relabelled = list(zip(sample.points, pattern, strict=True))
        for drawn in itertools.product(relabelled, repeat=m):
            scores = [HALF ** sum(row[x] != y for x, y in drawn) for row in table]
            for index, score in enumerate(scores):
                p = weight / sum(weights.values()) * score / sum(scores) / len(sample) ** m
                law[index] = law.get(index, Fraction(0)) + p
    return law


def halfless(H: FiniteClass, m: int, ratio: int) -> AgnosticPrivateLearner[Row]:
    base = mechanisms.exponential_learner(H, HALF)
    return AgnosticPrivateLearner(H, base, m, base.guarantee, ratio, HALF, second_half=False)


@pytest.mark.parametrize("H", [thresholds(2), singletons(2), cube(2)], ids=str)
def test_without_a_half_all_examples_are_relabelled(H: FiniteClass) -> None:
    learner = halfless(H, 2, 1)
    assert learner.sample_size == 2
    for points in itertools.product(H.domain, repeat=3):
        for labels in itertools.product((0, 1), repeat=3):
            sample = Sample[Hashable](points, labels)
            law = learner.law(sample).map(lambda h: h.index)
            assert dict(law.items()) == literal_law(H, sample, 2)


@pytest.mark.parametrize(("m", "ratio"), [(1, 1), (1, 2), (2, 1)])
def test_an_exact_audit_stays_below_the_account(m: int, ratio: int) -> None:
    H = thresholds(2)
    learner = halfless(H, m, ratio)
    claim = learner.guarantee
    result = audit.differential_privacy(
        learner, domain=H.domain, n=learner.sample_size, claim=claim.epsilon, delta=claim.delta
    )
    assert result.verdict is audit.Verdict.VERIFIED


def test_the_expected_excess_asks_for_a_half() -> None:
    refuses("second_half", halfless(thresholds(2), 1, 4).expected_excess, 4, "1/8", "1/8")
    with pytest.raises(InvalidInput, match="second_half"):
        AgnosticPrivateLearner(
            thresholds(2),
            mechanisms.exponential_learner(thresholds(2), HALF),
            1,
            mechanisms.exponential_learner(thresholds(2), HALF).guarantee,
            second_half=1,  # type: ignore[arg-type]  # what is tested
        )


# The bound


def test_the_excess_is_rarely_larger_on_two_points() -> None:
    """All samples of 12 examples, by how often each occurs: the literal law of the excess."""
    H = FiniteClass([[0], [1]])
    base = mechanisms.exponential_learner(H, Fraction(1, 50))
    m, N, p = 3, 12, Fraction(1, 16)
    learner = AgnosticPrivateLearner(H, base, m, base.guarantee, 4, HALF, second_half=False)
    wrong = Fraction(1, 50**m + 1)
    failure = Fraction(0)
    for ones in range(N + 1):
        law = learner.relabelling(Sample([0] * N, [1] * ones + [0] * (N - ones)))
        bad = sum(q for D, q in law.items() if D.labels[0])
        seen = math.comb(N, ones) * p**ones * (1 - p) ** (N - ones)
        failure += seen * (bad * (1 - wrong) + (1 - bad) * wrong)
    bound = learner.excess_failure(N, Fraction(6, 8), 0, wrong)
    assert failure < bound.lower < bound.upper < HALF


def test_nothing_is_promised_when_all_may_be_drawn() -> None:
    H = thresholds(2)
    assert halfless(H, 5, 1).excess_failure(5, "1/2", 0, 0) == Interval.exactly(1)
    assert halfless(H, 5, 40).excess_failure(200, "1/2", 0, "1/9").upper < Fraction(1, 8)
    assert halfless(H, 5, 40).excess_failure(200, "1/2", 0, 1) == Interval.exactly(1)


# The sizes


def asked_for(  # noqa: PLR0917  # as they are in the promise
    d: int = 1,
    alpha: str = "1/4",
    beta: str = "1/10",
    epsilon: str = "1",
    delta: str = "1/1000000",
    hypotheses: int | None = None,
    vc: int = 1,
) -> AgnosticPromise:
    budget, spared = Epsilon(epsilon), Fraction(delta)
    return AgnosticPromise(d, vc, Fraction(alpha), Fraction(beta), budget, spared, hypotheses)


def literal_population(asked: AgnosticPromise, N: int, excess: Fraction) -> float | None:
    """The size by the proof alone, written anew, if the part and the excess are enough for it.

    M and the decay are those of the promise.
    """
    M, r, H, vc = asked.base, float(asked.decay), asked.hypotheses, asked.vc_dimension
    m, a, beyond = M.sample_size, float(excess), float(asked.alpha - excess)

    def log_patterns(points: int) -> float:
        most = sum(math.comb(points, i) for i in range(vc + 1))
        return math.log(min(most, H or most))

    most = math.floor(M.alpha * N)
    q = most / (N - m)

    def outside(mean: float, log_count: float) -> float:
        entropy = q * math.log(q / mean) + (1 - q) * math.log1p((mean - q) / (1 - mean))
        return log_count - (N - m) * entropy if q < mean < 1 else 0.0

    chosen, carried = [0.0], [0.0]
    if H is not None:
        z = max(r, math.sqrt((1 - a) / (1 + a)))
        chosen.append(math.log(H - 1) + N * math.log(z * (1 + a) / 2 + (1 - a) / (2 * z)))
        carried.append(outside(beyond, math.log(H)))
    for times in (1, 3, 7, 15, 31, 63):
        ghost, s = times * N, times / (times + 1)
        above = a - math.sqrt(2 * math.log(2) / ghost)
        shift = min(above * s, -math.log(r) / s)
        patterns = math.log(2) + log_patterns(N + ghost)
        if above > 0:
            chosen.append(patterns + N * (shift * shift / 2 - shift * above * s))
        hits = math.floor((asked.alpha - excess) * ghost) + most
        carried.append(outside(hits / (N - m + ghost), patterns))
    log_left = math.log(asked.beta / 32) + 1e-7
    if min(chosen) > log_left or min(carried) > log_left:
        return None
    t = M.guarantee.factor
    resampled = m * math.log1p((t - 1) / N)
    if resampled > math.log(t) * (1 + 1e-13):
        return math.inf  # group privacy is no help
    factor, share = math.exp(resampled) * (1 + 1 / r) ** 2, math.expm1(resampled) / float(t - 1)
    for_epsilon = N * (factor - 1) / math.expm1(float(asked.epsilon))
    for_delta = N * share * float(M.guarantee.delta / asked.delta)
    return math.ceil(max(N, for_epsilon, for_delta) * (1 - 1e-12))


SETTINGS = [
    {},
    {"d": 2, "vc": 2},
    {"hypotheses": 2},
    {"epsilon": "13/5"},
    {"alpha": "9/10", "beta": "9/10", "delta": "9/10"},
    {"d": 2, "hypotheses": 17, "delta": "1/1000000000000"},
    *(
        {"d": d, "alpha": alpha, "beta": beta, "epsilon": epsilon, "delta": delta}
        for d, alpha, beta, epsilon, delta in itertools.product(
            (1, 2, 3), ("1/3", "1/100"), ("1/2", "1/1000000000"), ("1/1000", "5"),
            ("1/100", "1/1000000000000000")
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS)
def test_sizes_are_those_of_the_proof_written_anew(setting: dict[str, Any]) -> None:
    asked = asked_for(**setting)
    sizes, unit = _tuned(asked), asked.alpha / agnostic_accuracy._GRID
    N = sizes.part_size
    assert literal_population(asked, N, sizes.excess) == pytest.approx(asked.sample_size, rel=2e-12)
    assert _is_enough(asked, sizes)
    smaller = literal_population(asked, N - 1, sizes.excess)
    if smaller is None:  # the part is the least, and so is the excess
        assert not _is_enough(asked, sizes._replace(excess=sizes.excess - unit))
        fewer = (sizes._replace(part_size=N - 1, excess=sizes.excess + i * unit) for i in range(40))
        assert not any(_is_enough(asked, each) for each in fewer)
    else:  # or a smaller one costs more
        assert smaller >= asked.sample_size
    assert sizes.base.alpha < asked.apart == asked.alpha - asked.excess
    assert sizes.base.beta == asked.beta * 15 / 16
    assert asked.guarantee.factor <= asked.epsilon.ratio
    assert asked.guarantee.delta <= asked.delta


@pytest.mark.parametrize("setting", SETTINGS[:3])
def test_what_a_search_leaves_out_is_not_better(
    setting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, bounded = asked_for(**setting), agnostic_accuracy._bounded
    found = _tuned.__wrapped__(asked)
    monkeypatch.setattr(
        agnostic_accuracy, "_bounded", lambda it: [(0.0, *each) for _, *each in bounded(it)]
    )
    assert _tuned.__wrapped__(asked) == found


def test_sizes_and_those_with_a_small_delta() -> None:
    # A referee certified 27,779 and 720,079 for d = 1 and 2 by other means, where M's noise was
    # not tuned, and 38,230 and 1,519,186 with a small delta.
    for d, n, with_small in ((1, 26_241, 33_184), (2, 690_847, 1_265_971)):
        asked = asked_for(d)
        small = asked.with_small_delta()
        assert (asked.sample_size, small.sample_size) == (n, with_small)
        assert small.delta * small.sample_size**2 <= 1
        assert asked.exposed == Fraction(n, 10**6)
        assert ("delta is large" in str(asked)) == (d == 2)
    small = asked_for(delta="1/1000000000000")
    assert small.with_small_delta() is small


@pytest.mark.parametrize(
    ("harder", "laxer"),
    [
        ({"delta": "64/1953125"}, {"delta": "128/1953125"}),
        ({"alpha": "13/25"}, {"alpha": "53/100"}),
        ({"beta": "101/200"}, {"beta": "21/40"}),
        ({"epsilon": "9/4"}, {"epsilon": "49/20"}),
        ({"epsilon": "51/20"}, {"epsilon": "13/5"}),
        ({"hypotheses": 500}, {"hypotheses": 50}),
        ({"d": 2, "alpha": "7/25"}, {"d": 2, "alpha": "3/10"}),
    ],
    ids=str,
)
def test_less_never_takes_more(harder: dict[str, Any], laxer: dict[str, Any]) -> None:
    assert asked_for(**laxer).sample_size <= asked_for(**harder).sample_size


@pytest.mark.parametrize(("name", "values"), [
    ("delta", [f"1/{4**i * 1000}" for i in (10, 8, 6, 4, 2, 1)]),
    ("epsilon", ["1/10", "1/3", "1", "5/3", "5/2", "4"]),
    ("hypotheses", [None, 10**6, 1000, 50, 8, 4]),
    ("alpha", ["1/20", "1/10", "1/5", "7/25", "3/10", "3/5"]),
    ("beta", ["1/1000000", "1/1000", "1/50", "1/4", "1/2", "9/10"]),
])  # fmt: skip
def test_a_chain_of_promises_that_ask_for_less(name: str, values: list[Any]) -> None:
    sizes = [asked_for(2, **{name: value}).sample_size for value in values]
    assert sizes == sorted(sizes, reverse=True), sizes


@pytest.mark.parametrize(
    "setting",
    [
        {"alpha": "1/1000000000"}, {"alpha": "999999/1000000"}, {"beta": f"1/1{'0' * 40}"},
        {"epsilon": "1/10000000000000000000"}, {"epsilon": "1024"}, {"delta": f"1/1{'0' * 330}"},
    ],
    ids=lambda setting: next(iter(setting)) + "-" + next(iter(setting.values()))[:9],
)  # fmt: skip
def test_what_is_extreme_is_answered(setting: dict[str, Any]) -> None:
    asked = asked_for(**setting)
    assert asked.part_size <= asked.sample_size
    assert asked.guarantee.factor <= asked.epsilon.ratio
    assert asked.guarantee.delta <= asked.delta


@pytest.mark.parametrize(("name", "digits"), [("alpha", 30), ("beta", 40)])
def test_what_is_more_extreme_is_refused(name: str, digits: int) -> None:
    for zeros in (digits + 1, 57, 400):
        asked: dict[str, Any] = {name: f"1/1{'0' * zeros}"}
        refuses(rf"^{name}: got .*want at least 10\*\*-{digits}$", asked_for, **asked)


@pytest.mark.parametrize("step", ["choice_failure", "transfer_failure"])
def test_a_failure_that_may_be_above_what_is_left_is_not_enough(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, left = _tuned(ASKED), Interval.log(ASKED.beta / agnostic_accuracy._LEFT)
    inside = (left.lower + left.upper) / 2
    sure = {name: Interval.exactly(-100) for name in ("choice_failure", "transfer_failure")}
    for bound, enough in [
        (Interval(left.lower - 1, inside), False),
        (Interval.exactly(inside), False),
        (Interval(left.lower - 1, left.lower), True),
    ]:
        for name, value in {**sure, step: bound}.items():
            monkeypatch.setattr(agnostic_accuracy, name, lambda *_, found=value: found)
        assert _is_enough(ASKED, sizes) is enough


def test_what_is_harder_takes_more() -> None:
    n = ASKED.sample_size
    for harder in (
        AgnosticPromise(2, 1, ASKED.alpha, TENTH, ASKED.epsilon, MILLIONTH),
        AgnosticPromise(2, 2, ASKED.alpha, TENTH, ASKED.epsilon, MILLIONTH),
        AgnosticPromise(1, 1, ASKED.alpha / 2, TENTH, ASKED.epsilon, MILLIONTH),
        AgnosticPromise(1, 1, ASKED.alpha, TENTH / 10, ASKED.epsilon, MILLIONTH),
        AgnosticPromise(1, 1, ASKED.alpha, TENTH, ASKED.epsilon / 2, MILLIONTH),
        AgnosticPromise(1, 1, ASKED.alpha, TENTH, ASKED.epsilon, MILLIONTH / 10),
    ):
        assert harder.sample_size > n
    few = AgnosticPromise(1, 1, ASKED.alpha, TENTH, ASKED.epsilon, MILLIONTH, 2)
    assert few.sample_size < n


def test_the_promise_refuses_bad_input() -> None:
    refuses("vc_dimension", AgnosticPromise, 1, 2, Fraction(1, 4), TENTH, Epsilon(1), MILLIONTH)
    refuses("hypotheses", AgnosticPromise, 2, 1, Fraction(1, 4), TENTH, Epsilon(1), MILLIONTH, 3)
    refuses("epsilon", asked_for, epsilon="0")
    refuses(r"alpha: .* at least 10\*\*-30", asked_for, alpha=f"1/1{'0' * 31}")
    refuses("H", agnostic_promise, FiniteClass([[0, 1]]), "1/4", "1/10", 1, MILLIONTH)


# Runs


def test_a_run_at_its_size_keeps_its_promise() -> None:
    H = singletons(8)
    learner = AgnosticPrivateLearner.with_promise(H, "1/4", "1/10", 1, MILLIONTH)
    asked = agnostic_promise(H, "1/4", "1/10", 1, MILLIONTH)
    assert learner.part_size == asked.part_size
    assert learner.sample_size == asked.sample_size == equivalence(H).agnostic
    assert learner.guarantee == asked.guarantee
    target = noisy(H, 2, Fraction(1, 5))
    least = min(error(h, target) for h in H)
    for seed in range(3):
        f = train_on_target(learner, target, seed=seed).hypothesis
        assert error(f, target) <= least + Fraction(1, 4)


def test_a_random_part_of_given_examples_is_relabelled() -> None:
    H = thresholds(2)
    learner = AgnosticPrivateLearner.with_promise(H, "1/3", "1/3", 1, "1/100")
    n, part = learner.sample_size, learner.part_size
    assert learner.guarantee.epsilon <= Epsilon(1)
    # A part of the first examples would have one point only.
    examples = Sample.from_examples(
        [Example(0, H(1, 0))] * part + [Example(1, H(1, 1))] * (n - part)
    )
    seen = set()
    for seed in range(3):
        stream = ExampleStream([example_codes(H, examples)], H)
        training = train_on_examples(learner, stream, seed=seed)
        assert training.relabelled is not None
        often = {z: p * part for z, p in training.relabelled.items()}
        assert {(z.point, z.label) for z in often} == {(x, H(1, x)) for x in (0, 1)}
        assert sum(often.values()) == part
        seen.add(often[Example(0, H(1, 0))])
        assert all(training.hypothesis(x) == H(1, x) for x in H.domain)
        refuses("examples", stream.take, 1)
    assert len(seen) > 1


class Keys(BitCoins):
    """Coins that give the keys of the examples, of 64 bits, one list after the other."""

    def __init__(self, *given: Sequence[int]) -> None:
        self.given = list(itertools.chain(*given))

    def bits(self, count: int, /) -> int:
        keys, self.given = self.given[: count // 64], self.given[count // 64 :]
        return sum(key << 64 * i for i, key in enumerate(keys))


def test_every_order_of_a_random_part_is_as_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_size, "_AT_ONCE", 2)
    parts = []
    for keys in itertools.permutations((3, 5, 2**64 - 1)):
        rng = Keys((7, 7, 1), keys)  # a tie is drawn anew, all of it
        parts.append(tuple(at_size.random_part(3, 2, rng).tolist()))
        assert rng.given == []
    assert sorted(parts) == sorted(itertools.permutations(range(3), 2))


@pytest.mark.parametrize("second_half", [False, True])
def test_on_a_part_the_law_is_the_mean_over_the_parts(second_half: bool) -> None:
    H, base = thresholds(2), mechanisms.exponential_learner(thresholds(2), HALF)
    own = AgnosticPrivateLearner(
        H, base, 1, base.guarantee, 1, HALF, second_half=second_half, whole=3
    )
    part = AgnosticPrivateLearner(H, base, 1, base.guarantee, 1, HALF, second_half=second_half)
    assert (own.sample_size, own.part_size) == (3, part.sample_size)
    claim = own.guarantee
    assert claim == mechanisms.Subsampled(part, part.sample_size).amplified(part.guarantee, 3)
    sample = Sample([0, 1, 1], [1, 1, 0])
    expected = mechanisms.Subsampled(part, part.sample_size).law(sample)
    assert own.law(sample) == expected
    relabelled = own.relabelling(sample).bind(mechanisms.Resampled(base, 1).law)
    assert relabelled == expected
    assert own.run(sample, SeededCoins(3)) in dict(expected.items())
    refuses("3", own.run, sample[:2])
    result = audit.differential_privacy(
        own, domain=H.domain, n=3, claim=claim.epsilon, delta=claim.delta
    )
    assert result.verdict is audit.Verdict.VERIFIED


def test_a_ratio_need_not_be_whole() -> None:
    H, base = thresholds(2), mechanisms.exponential_learner(thresholds(2), HALF)
    learner = AgnosticPrivateLearner(H, base, 3, base.guarantee, Fraction(4, 3), second_half=False)
    assert learner.sample_size == 4
    refuses("ratio", AgnosticPrivateLearner, H, base, 3, base.guarantee, Fraction(2, 3))
    refuses("whole", AgnosticPrivateLearner, H, base, 3, base.guarantee, 2, whole=11)
