"""What claims name and ask of no other instance: the library beside definitions that are spelt out.

The mechanism is one with two outputs on two or three examples, so that every event, every sample
and every order of it can be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.as_defined import Computed, as_defined
from pac_stability.data import FiniteDistribution, FromLaw, Multiset
from pac_stability.mechanisms import PrivacyGuarantee, Resampled
from pac_stability.notions import differential_privacy, group_privacy, robust_generalization
from pac_stability.papers.cummings_et_al import (
    ArithmeticMeanSimulator,
    CoordinateAdversary,
    Experiment,
    FixedSampleSimulator,
    GeometricMeanSimulator,
    OrderAsKey,
    RandomTests,
    advantage,
    resampling_pipeline,
    simulate,
    tightness,
)
from pac_stability.papers.cummings_et_al.implications import PerfectGuarantee
from pac_stability.papers.cummings_et_al.implications.rules import group_guarantee, resampled

Law = FiniteDistribution[Hashable]
_HALF = Fraction(1, 2)


def _told(ones: int, n: int) -> Law:
    """One with probability (1 + ones)/(2 + n): what is told of n bits."""
    one = Fraction(1 + ones, 2 + n)
    return FiniteDistribution({1: one, 0: 1 - one})


def _of_type(kind: Multiset[int]) -> Law:
    return _told(kind.count(1), len(list(kind.elements())))


def _of_sequence(bits: tuple[int, ...]) -> Law:
    return _told(sum(bits), len(bits))


def _events(laws: list[Law]) -> list[tuple[Hashable, ...]]:
    outcomes = sorted({o for law in laws for o in law.support}, key=str)
    return [e for k in range(len(outcomes) + 1) for e in combinations(outcomes, k)]


def _beyond(p: Law, q: Law, t: Fraction) -> Fraction:
    """The largest P(E) - t Q(E) or Q(E) - t P(E)."""
    return max(
        sum((a.probability(o) - t * b.probability(o) for o in event), Fraction(0))
        for event in _events([p, q])
        for a, b in ((p, q), (q, p))
    )


def _least_factor(p: Law, q: Law) -> Fraction:
    return max(
        max(p.probability(o) / q.probability(o), q.probability(o) / p.probability(o))
        for o in p.support
    )


# Definition 8: simulators, and how well they can be told from the mechanism


def _simulated(n: int, p: Fraction) -> Iterator[Computed]:
    D = FiniteDistribution({1: p, 0: 1 - p})
    experiment = Experiment.on_types(_of_type, n)
    weights = [comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]
    laws = [_told(j, n) for j in range(n + 1)]
    one = sum((w * law.probability(1) for w, law in zip(weights, laws, strict=True)), Fraction(0))
    mean: Law = FiniteDistribution({1: one, 0: 1 - one})
    simulator: ArithmeticMeanSimulator[int, Multiset[int], Hashable] = ArithmeticMeanSimulator(
        experiment
    )
    found = advantage(experiment, simulator, D)
    where = f"{n} bits, Pr[1] = {p}"
    t, delta = Fraction(11, 10), Fraction(1, 20)
    epsilon = Epsilon.exactly(t)
    missed = [_beyond(law, mean, t) for law in laws]

    def least(values: list[Fraction], beta: Fraction) -> Fraction:
        """The least value that is exceeded on a beta share of the samples at most."""
        return min(
            v
            for v in [Fraction(0), Fraction(1), *values]
            if sum((w for w, u in zip(weights, values, strict=True) if u > v), Fraction(0)) <= beta
        )

    yield Computed(f"the mean law, {where}", simulator.law(D), mean)
    yield Computed(
        f"beta, {where}",
        found.beta(epsilon, delta),
        sum((w for w, d in zip(weights, missed, strict=True) if d > delta), Fraction(0)),
    )
    for beta in (Fraction(0), Fraction(1, 4), _HALF):
        yield Computed(
            f"delta for beta = {beta}, {where}",
            found.delta(beta, epsilon),
            least(missed, beta),
        )
        yield Computed(
            f"the factor for beta = {beta}, {where}",
            found.epsilon(beta),
            max(Fraction(1), least([_least_factor(law, mean) for law in laws], beta)),
        )
    yield Computed(
        f"sample and output, {where}",
        found.joint.minimal_delta(epsilon),
        max(
            sum(
                (
                    w * max(Fraction(0), a.probability(o) - t * b.probability(o))
                    for w, law in zip(weights, laws, strict=True)
                    for a, b in ((law, mean) if not turned else (mean, law),)
                    for o in (0, 1)
                ),
                Fraction(0),
            )
            for turned in (False, True)
        ),
    )
    yield Computed(
        f"output alone, {where}",
        found.output_alone.minimal_delta(Epsilon.exactly(1)),
        Fraction(0),
    )
    certain = FiniteDistribution({7: Fraction(1)})
    constant: Experiment[int, Multiset[int], int] = Experiment.on_types(
        lambda T: FiniteDistribution.point_mass(max(T.support)), n
    )
    yield Computed("a certain output", simulate(ArithmeticMeanSimulator(constant), certain), 7)


def _simulators() -> Iterator[Computed]:
    for n, p in ((1, _HALF), (2, Fraction(1, 4)), (3, Fraction(2, 3))):
        yield from _simulated(n, p)


SIMULATORS = as_defined(
    "the mean law as a simulator",
    _simulators,
    "a bit with noise that depends on up to three bits; every distinguisher of Definition 8",
)


# Theorem 39: the geometric mean


def _geometric(n: int, p: Fraction) -> Iterator[Computed]:
    D = FiniteDistribution({1: p, 0: 1 - p})
    simulator = GeometricMeanSimulator(Experiment.on_types(_of_type, n))

    def mean_log(o: int) -> Interval:
        terms = (
            Interval.log(_told(j, n).probability(o)) * (comb(n, j) * p**j * (1 - p) ** (n - j))
            for j in range(n + 1)
        )
        return sum(terms, Interval.exactly(0))

    def near() -> bool:
        one, zero = Interval.exp(mean_log(1)), Interval.exp(mean_log(0))
        wanted, given = one / (one + zero), simulator.law(D).probability(1)
        return (wanted - given).upper < Fraction(1, 2**50) > (given - wanted).upper

    yield Computed(f"the geometric mean, {n} bits, Pr[1] = {p}", near(), True)


def _geometric_means() -> Iterator[Computed]:
    yield from _geometric(1, _HALF)
    yield from _geometric(3, Fraction(1, 3))


def _rows() -> Iterator[Computed]:
    """Rows of the tables of how tight the implications are, their mechanisms written out."""
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    favourite = tightness.favourite(2)
    noisy = tightness.noisy_favourite(2, half)
    bits = tightness.noisy_majority(2, half)
    told = tightness.randomized_responses(2, Fraction(3))
    yield Computed(
        "the favourite of a, a, b",
        favourite.law(Multiset.of("aab")),
        FiniteDistribution.point_mass("a"),
    )
    yield Computed(
        "the noisy favourite of b, b",
        noisy.law(Multiset.of("bb")),
        FiniteDistribution({"a": Fraction(1, 6), "b": Fraction(4, 6), "c": Fraction(1, 6)}),
    )
    for ones, p in ((0, Fraction(1, 6)), (1, Fraction(1, 3)), (2, Fraction(2, 3))):
        # 1 when the count and noise z, of weight 2^-|z|, exceed 1: z > 1 - count.
        yield Computed(
            f"the noisy majority of two bits with {ones} ones",
            bits.law(Multiset({0: 2 - ones, 1: ones})).probability(1),
            p,
        )
    yield Computed(
        "randomized answers to 0, 1",
        told.law((0, 1)),
        FiniteDistribution(
            {
                (a, b): (Fraction(3, 4) if a == 0 else Fraction(1, 4))
                * (Fraction(3, 4) if b == 1 else Fraction(1, 4))
                for a, b in product((0, 1), repeat=2)
            }
        ),
    )
    yield Computed(
        "factors of the mechanisms",
        [one.private().factor for one in (noisy, bits, told, tightness.constant(2))],
        [Fraction(4), Fraction(2), Fraction(3), Fraction(1)],
    )
    yield Computed(
        "a revealed sample",
        tightness.reveal(2).law(Multiset.of("ab")),
        FiniteDistribution.point_mass(Multiset.of("ab")),
    )
    yield Computed(
        "names and sizes",
        [(one.n, one.outputs) for one in (favourite, bits, told, tightness.reveal(2))],
        [(2, 3), (2, 2), (2, 4), (2, 6)],
    )

    def deviation(exhibit: tightness.KnownMechanism[Multiset[str], str]) -> Fraction:
        return robust_generalization.minimal_epsilon(exhibit.law, exhibit.samples, tenth).epsilon

    def proved(row: tightness.TightnessRow, exact: Fraction) -> bool:
        """What is proved holds, what is printed is another number, and the ratio is theirs."""
        within = row.exact.lower == exact == row.exact.upper and exact <= row.proved.upper
        off = row.ratio * exact - row.proved
        return within and -Fraction(1, 2**40) < off.lower <= off.upper < Fraction(1, 2**40)

    yield Computed(
        "Theorem 21 beside the best adversary",
        proved(tightness.finite_range_row(favourite, tenth), deviation(favourite)),
        True,
    )
    yield Computed(
        "Theorem 20 beside the best adversary",
        proved(tightness.private_to_robust_row(noisy, tenth), deviation(noisy)),
        True,
    )

    yield Computed(
        "Lemma 36 beside the best adversary: rows hold",
        all(
            row.exact.lower <= row.proved.upper
            for row in (
                tightness.perfect_to_robust_row(
                    tightness.noisy_favourite(4, Fraction(9, 10)), Epsilon.exactly(Fraction(6, 5))
                ),
                tightness.private_to_perfect_row(noisy, tenth),
                tightness.private_to_perfect_row(bits, tenth),
            )
        ),
        True,
    )


GEOMETRIC_MEAN = as_defined(
    "the geometric mean",
    _geometric_means,
    "a bit with noise that depends on up to three bits",
)
ROWS = as_defined(
    "rows of the table",
    _rows,
    "the mechanisms of the table on two examples, written out; rows beside the best adversary",
)


# Group privacy


def _group_cases() -> Iterator[Computed]:
    samples = list(product((0, 1), repeat=3))
    t, delta = Fraction(11, 10), Fraction(1, 50)
    epsilon = Epsilon.exactly(t)

    def pairs(size: int) -> list[tuple[Law, Law]]:
        return [
            (_of_sequence(s), _of_sequence(u))
            for s, u in combinations(samples, 2)
            if sum(a != b for a, b in zip(s, u, strict=True)) <= size
        ]

    for size in (1, 2, 3):
        yield Computed(
            f"the factor of groups of {size}",
            group_privacy.minimal_epsilon(_of_sequence, samples, size),
            max(_least_factor(p, q) for p, q in pairs(size)),
        )
        yield Computed(
            f"the delta of groups of {size}",
            group_privacy.minimal_delta(_of_sequence, samples, size, epsilon),
            max(_beyond(p, q, t) for p, q in pairs(size)),
        )
        yield Computed(
            f"whether groups of {size} are private",
            [
                group_privacy.holds(_of_sequence, samples, size, Epsilon.exactly(f))
                for f in (Fraction(3, 2), Fraction(2), Fraction(4))
            ],
            [
                max(_least_factor(p, q) for p, q in pairs(size)) <= f
                for f in (Fraction(3, 2), Fraction(2), Fraction(4))
            ],
        )
        yield Computed(
            f"the guarantee of groups of {size}",
            _parts(group_guarantee(PrivacyGuarantee(epsilon, delta), size)),
            (size, t**size, sum(t**i for i in range(size)) * delta),
        )
    for n, elements in product((1, 2, 5, 6), ((0,), (0, 1), (0, 1, 2))):
        fixed = FixedSampleSimulator.central(_of_type, elements, n)
        kinds = [
            Multiset.of(kind) for kind in product(elements, repeat=n) if sorted(kind) == list(kind)
        ]
        yield Computed(
            f"the distance of the central type of {n} of {len(elements)} elements",
            fixed.radius,
            max(
                n - sum(min(fixed.sample.count(e), kind.count(e)) for e in kind.support)
                for kind in kinds
            ),
        )
        yield Computed(
            f"no type of {n} of {len(elements)} elements is more central",
            fixed.radius,
            min(
                max(n - sum(min(a.count(e), b.count(e)) for e in b.support) for b in kinds)
                for a in kinds
            ),
        )
        radius = fixed.radius
        yield Computed(
            f"its guarantee, {n} of {len(elements)} elements",
            (
                fixed.guarantee(epsilon, delta)[0].ratio,
                fixed.guarantee(epsilon, delta)[1],
            ),
            (t**radius, sum(t**i for i in range(radius)) * delta),
        )
        yield Computed(
            f"its law, {n} of {len(elements)} elements",
            fixed.law(FiniteDistribution.point_mass(0)),
            _of_type(fixed.sample),
        )


def _parts(guarantee: object) -> tuple[object, object, object]:
    size, epsilon = getattr(guarantee, "size", None), getattr(guarantee, "epsilon", None)
    return size, getattr(epsilon, "ratio", None), getattr(guarantee, "delta", None)


GROUPS = as_defined(
    "groups and fixed samples",
    _group_cases,
    "a bit with noise that depends on three bits, groups of up to three; central types of up to "
    "six of three elements",
)


# Definition 5 in two readings


def _coordinates() -> Iterator[Computed]:
    for k, n, epsilon in ((1, 2, Fraction(1, 4)), (2, 2, Fraction(1, 4)), (2, 3, Fraction(1, 5))):
        pair = CoordinateAdversary(k, n, epsilon)
        samples = list(product(product((0, 1), repeat=k), repeat=n))

        def shares(
            k: int = k,
            n: int = n,
            epsilon: Fraction = epsilon,
            samples: list[tuple[tuple[int, ...], ...]] = samples,
        ) -> list[Fraction]:
            """The share of the coordinates that deviate, for each sample."""
            return [
                Fraction(
                    sum(
                        abs(Fraction(sum(z[i] for z in sample), n) - _HALF) > epsilon
                        for i in range(k)
                    ),
                    k,
                )
                for sample in samples
            ]

        where = f"{k} coordinates, n = {n}, epsilon = {epsilon}"
        yield Computed(
            f"joint, {where}",
            pair.joint,
            sum(shares()) / len(shares()),
        )
        yield Computed(
            f"split, {where}",
            pair.split,
            min(
                g + Fraction(sum(s > g for s in shares()), len(shares()))
                for g in [Fraction(0), *shares()]
            ),
        )
        yield Computed(
            f"the law of the shares, {where}",
            {s: p for p, s in pair.failures if p},
            {s: Fraction(shares().count(s), len(shares())) for s in set(shares())},
        )
        yield Computed(
            f"elements and tests, {where}",
            (
                len(pair.distribution.support),
                sorted(len(test) for test in pair.adversary.support),
            ),
            (2**k, [2 ** (k - 1)] * k),
        )


COORDINATES = as_defined(
    "one coordinate at random",
    _coordinates,
    "a constant mechanism on up to two fair bits, up to three examples; all samples",
)


# Composition


def _keys() -> Iterator[Computed]:
    n, elements = 2, (0, 1, 2)
    tests = tuple(frozenset(pair) for pair in ((0, 1), (1, 2)))
    pair = OrderAsKey(elements, n, tests)
    die = FiniteDistribution.uniform(elements)
    epsilon = Fraction(1, 4)
    samples = list(product(elements, repeat=n))

    def best(outputs: Callable[[tuple[int, ...]], dict[object, Fraction]]) -> Fraction:
        """The best adversary, by all tests for each output."""
        masses: dict[object, dict[tuple[int, ...], Fraction]] = {}
        for sample in samples:
            for output, p in outputs(sample).items():
                kinds = masses.setdefault(output, {})
                kinds[sample] = kinds.get(sample, Fraction(0)) + p / len(samples)
        return sum(
            (
                max(
                    sum(
                        (
                            p
                            for sample, p in kinds.items()
                            if abs(
                                Fraction(sum(x in test for x in sample), n)
                                - Fraction(len(test), len(elements))
                            )
                            > epsilon
                        ),
                        Fraction(0),
                    )
                    for size in range(len(elements) + 1)
                    for test in combinations(elements, size)
                )
                for kinds in masses.values()
            ),
            Fraction(0),
        )

    yield Computed(
        "one output alone, the best adversary",
        pair.failure_alone(die, epsilon),
        best(lambda sample: dict(pair.key.law(sample).items())),
    )
    yield Computed(
        "the other one alone",
        pair.failure_alone(die, epsilon),
        best(lambda sample: dict(pair.encrypted.law(sample).items())),
    )
    yield Computed(
        "both outputs, the best adversary",
        pair.failure_together(die, epsilon),
        best(lambda sample: dict(pair.together.law(sample).items())),
    )
    for m, size in ((4, 3), (5, 2)):
        random_tests = RandomTests(2, m, size)
        yield Computed(
            f"two of {m} are distinct",
            random_tests.distinct,
            Fraction(len(list(permutations(range(m), 2))), m**2),
        )
        yield Computed(
            f"the deviation of {size} of {m}",
            random_tests.deviation,
            1 - Fraction(size, m),
        )
        yield Computed(
            f"both outputs of random tests, {size} of {m}",
            random_tests.failure_together,
            (
                Fraction(m - 1, m)
                * (1 - Interval.exp(-factorial(2) * Fraction(comb(size, 2), comb(m, 2))).upper)
            ),
        )
    # One example: a test of mass p deviates by 1 - p or p; by more than 3/4 at most a quarter.
    yield Computed(
        "one output of random tests, one example",
        RandomTests(1, 3, 1).failure_alone(Fraction(3, 4)).value,
        Fraction(1, 4),
    )


KEYS = as_defined(
    "keys and random tests",
    _keys,
    "two of three elements and two tests, all adversaries; random tests of two elements",
)


# Theorem 32


def _pipelines() -> Iterator[Computed]:
    for n in (1, 2, 3):
        found = resampling_pipeline(_of_sequence, [0, 1], n, "1/10", symmetric=True)

        def compiled(bits: tuple[int, ...], n: int = n) -> Law:
            resamples = list(product(bits, repeat=n))
            one = sum((_of_sequence(r).probability(1) for r in resamples), Fraction(0))
            p = one / len(resamples)
            return FiniteDistribution({1: p, 0: 1 - p})

        def pairs(n: int = n) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
            return [
                ((0,) * (n - k) + (1,) * k, (0,) * (n - k - 1) + (1,) * (k + 1)) for k in range(n)
            ]

        def delta(
            t: Fraction,
            compiled: Callable[[tuple[int, ...]], Law] = compiled,
            pairs: Callable[[], list[tuple[tuple[int, ...], tuple[int, ...]]]] = pairs,
        ) -> Fraction:
            return max(_beyond(compiled(s), compiled(u), t) for s, u in pairs())

        yield Computed(
            f"the factor of Algorithm 2 on {n} bits",
            found.private_factor(),
            max(_least_factor(compiled(s), compiled(u)) for s, u in pairs()),
        )
        stated = found.stated().guarantee
        yield Computed(
            f"whether Theorem 32 holds on {n} bits",
            (found.holds(), found.stated().n, found.stated().beta),
            (
                delta(stated.factor) <= stated.delta,
                n,
                Fraction(1, 10),
            ),
        )
        yield Computed(
            f"the law of Algorithm 2 on {n} bits",
            [
                Resampled(FromLaw(_of_sequence), n).law((0,) * (n - k) + (1,) * k)
                for k in range(n + 1)
            ],
            [compiled((0,) * (n - k) + (1,) * k) for k in range(n + 1)],
        )
    perfect = PerfectGuarantee(Fraction(1, 100), Epsilon.exactly(2), Fraction(1, 1000))
    yield Computed(
        "the rule gives what is stated, with n of at most 64",
        [resampled(perfect, n).privacy for n in (10, 64, 1000)],
        [resampled(perfect, n).privacy for n in (10, 64, 64)],
    )


PIPELINES = as_defined(
    "finite pipelines",
    _pipelines,
    "a bit with noise that depends on up to three bits; all samples and resamples",
)


# Definition 7


def _private_cases() -> Iterator[Computed]:
    samples = list(product((0, 1), repeat=2))
    pairs = [
        (s, u)
        for s, u in product(samples, repeat=2)
        if sum(a != b for a, b in zip(s, u, strict=True)) == 1
    ]
    factor = max(_least_factor(_of_sequence(s), _of_sequence(u)) for s, u in pairs)
    for t in (Fraction(1), Fraction(5, 4), factor, Fraction(3)):
        for delta in (Fraction(0), Fraction(1, 8)):
            yield Computed(
                f"({t}, {delta})-privacy of a bit with noise",
                differential_privacy.holds(_of_sequence, pairs, Epsilon.exactly(t), delta),
                all(_beyond(_of_sequence(s), _of_sequence(u), t) <= delta for s, u in pairs),
            )
        yield Computed(
            f"the frontier at {t}",
            differential_privacy.frontier(_of_sequence, pairs).minimal_delta(Epsilon.exactly(t)),
            max(_beyond(_of_sequence(s), _of_sequence(u), t) for s, u in pairs),
        )


PRIVATE = as_defined(
    "whether, and the frontier",
    _private_cases,
    "a bit with noise that depends on two bits; all events",
)
