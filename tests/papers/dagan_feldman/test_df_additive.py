"""The stable learner's selection in polynomial time, against all index subsets."""

import math
import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import Example, FiniteDistribution, InvalidInput, Sample, classes
from pac_stability._core.additive_sums import path_sums
from pac_stability.classes import Family, FiniteClass, Hypothesis
from pac_stability.papers.dagan_feldman import additive_paths, additive_sums, additive_walks
from pac_stability.papers.dagan_feldman.additive_paths import Floats
from pac_stability.papers.dagan_feldman.additive_sums import additive_selection
from shared_refusals import refuses

NARROW = Fraction(1, 10**11)
DECAYS = [Fraction(1), Fraction(9, 10), Fraction(1, 2), Fraction(1, 1000), Fraction(1, 10**200)]


def errors_of(h: Hypothesis, sample: Sample[Hashable]) -> int:
    return sum(h(z.point) != z.label for z in sample)


def by_definition(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> FiniteDistribution[Hypothesis]:
    """The law of the hypothesis, index subset by index subset, in fractions."""
    law: dict[Hypothesis, Fraction] = {}
    subsets = Counter(
        frozenset(sample.points[i] for i in chosen)
        for chosen in combinations(range(len(sample)), subset_size)
    )
    for hit, times in subsets.items():
        weights = {h: decay ** errors_of(h, sample) for h in H.representatives_on(hit)}
        share = Fraction(times, subsets.total()) / sum(weights.values())
        for h, weight in weights.items():
            law[h] = law.get(h, Fraction(0)) + share * weight
    return FiniteDistribution(law)


def require_enclosure(
    H: Family,
    sample: Sample[Hashable],
    subset_size: int,
    decay: Fraction,
    elsewhere: Iterable[Hashable] = (),
) -> additive_walks.EnclosedLaw:
    """Compare everything that a selection says with the definition."""
    law = by_definition(H, sample, subset_size, decay)
    chosen = additive_selection(H, sample, subset_size, decay)
    assert 0 <= chosen.slack < NARROW
    # The lower bounds and their slack make up one, so each sum of some of them is enclosed.
    assert chosen.law().encloses(law)
    assert len(set(chosen.hypotheses)) == len(chosen.hypotheses)
    points = [*dict.fromkeys(sample.points), *elsewhere]
    for point, p in zip(points, chosen.probabilities(points), strict=True):
        assert sum(share * h(point) for h, share in law.items()) in p
        assert p.width <= chosen.slack
    n = len(sample)
    loss = chosen.loss(sample)
    assert sum(share * Fraction(errors_of(h, sample), n) for h, share in law.items()) in loss
    assert loss.width <= chosen.slack
    return chosen


def random_sample(rng: np.random.Generator, points: Sequence[Hashable]) -> Sample[Hashable]:
    n = int(rng.integers(1, 8))
    return Sample(
        [points[i] for i in rng.integers(0, len(points), n)], rng.integers(0, 2, n).tolist()
    )


def random_setting(rng: np.random.Generator, n: int) -> tuple[int, Fraction]:
    return int(rng.integers(1, n + 1)), DECAYS[rng.integers(len(DECAYS))]


FAMILIES: dict[str, tuple[Family, Sequence[Hashable]]] = {
    "Thresholds": (classes.Thresholds(), [0, 1, 2, 0.5, Fraction(7, 3), -4]),
    "SignedThresholds": (classes.SignedThresholds(), [0, 1, 2, 0.5, Fraction(7, 3), -4]),
    "Stumps(1)": (classes.Stumps(1), [(0,), (1,), (2.5,), (-1,)]),
    "Singletons": (classes.Singletons(), [0, 1, 2, 3, 5, "a"]),
    "Subsets(1)": (classes.Subsets(1), [0, 1, "b", None, (2, 3)]),
    "Subsets(0)": (classes.Subsets(0), [0, 1, "b"]),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_families(name: str) -> None:
    H, points = FAMILIES[name]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sample = random_sample(rng, points)
        size, decay = random_setting(rng, len(sample))
        require_enclosure(H, sample, size, decay, elsewhere=points)


@pytest.fixture
def always_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gather stops that are free or forbidden however few they are."""
    monkeypatch.setattr(additive_paths, "_WORTH", 0)
    monkeypatch.setattr(additive_paths, "_GAIN", 0)


@pytest.mark.usefixtures("always_gathered")
@pytest.mark.parametrize("name", FAMILIES)
def test_stops_that_do_not_matter_are_gathered(name: str) -> None:
    # Weights fall so fast that at each node most stops are free or forbidden.
    H, points = FAMILIES[name]
    for seed in range(12):
        rng = np.random.default_rng(seed)
        sample = random_sample(rng, points)
        size, _ = random_setting(rng, len(sample))
        require_enclosure(H, sample, size, Fraction(1, 10 ** (6 * (seed % 4))), elsewhere=points)


def test_gathered_stops_leave_the_answer_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: list[tuple[Family, Fraction]] = [
        (classes.Thresholds(), Fraction(1, 20000)),
        (classes.SignedThresholds(), Fraction(1, 20000)),
        (classes.Singletons(), Fraction(3, 10)),
        (classes.Subsets(1), Fraction(3, 10)),
    ]
    sample = noisy_threshold(400, 11)
    gathered = [additive_selection(H, sample, 60, decay) for H, decay in settings]
    monkeypatch.setattr(additive_paths, "_WORTH", 1 << 60)
    for (H, decay), there in zip(settings, gathered, strict=True):
        here = additive_selection(H, sample, 60, decay)
        # Both are lower bounds that sum to nearly one.
        assert max(here.slack, there.slack) < NARROW
        assert abs(here.lowers - there.lowers).max() < NARROW * 2**60


def test_few_stops_remain_at_strong_decays() -> None:
    # 3,000 points, of which some dozens matter at a node, and some hundred at the end, in order.
    sample = noisy_threshold(3000, 11)
    walk = additive_walks.walk_of(classes.Thresholds(), sample)
    sums = additive_sums.Sums(walk, 300, Fraction(1, 20000))
    seen: list[int] = []

    def counted(
        layers: additive_paths.Layers, smallest: Floats, largest: Floats
    ) -> additive_paths.Passed | None:
        passed = at(layers, smallest, largest)
        seen.append(len(passed.copies) if passed else 0)
        return passed

    at = additive_paths.Layers.at
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(additive_paths.Layers, "at", counted)
        probabilities, _ = sums.probabilities()
    assert probabilities.sum() > 1 - 1e-10
    assert len(seen) > 10
    assert np.mean(seen) < 800


def centre_inside(n: int) -> FiniteClass:
    H = classes.subsets(n, 1)
    return H.select_rows([1, 2, 0, *range(3, n + 1)])


def with_a_constant_point(n: int) -> FiniteClass:
    table = classes.signed_thresholds(n).table
    return FiniteClass(np.hstack((table, np.ones((len(table), 1), dtype=np.uint8), table[:, :1])))


TABLES: dict[str, Callable[[int], FiniteClass]] = {
    "thresholds": classes.thresholds,
    "thresholds from the other end": lambda n: classes.thresholds(n).select_rows(range(n, -1, -1)),
    "signed thresholds": classes.signed_thresholds,
    "signed thresholds and a constant point": with_a_constant_point,
    "patterns of thresholds": lambda n: classes.Thresholds().restrict(range(n)),
    "singletons": classes.singletons,
    "complements of singletons": lambda n: classes.singletons(n).complement(),
    "empty set first": lambda n: classes.subsets(n, 1),
    "empty set in the middle": centre_inside,
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        domain = int(rng.integers(3, 7))
        H = TABLES[name](domain)
        sample = random_sample(rng, H.domain)
        size, decay = random_setting(rng, len(sample))
        require_enclosure(H, sample, size, decay, elsewhere=H.domain)


def grown(rng: np.random.Generator, points: int) -> npt.NDArray[np.uint8]:
    """A random maximum class of VC dimension 1: each row flips a new point of some earlier row."""
    rows = [rng.integers(0, 2, points)]
    for point in rng.permutation(points):
        row = rows[rng.integers(len(rows))].copy()
        row[point] ^= 1
        rows.append(row)
    return np.array(rows, dtype=np.uint8)


def test_grown_classes_with_repeated_and_constant_points() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = grown(rng, int(rng.integers(1, 5)))
        extra = table[:, rng.integers(0, table.shape[1], 2)] ^ rng.integers(0, 2, 2)
        constant = np.full((len(table), 1), rng.integers(0, 2))
        H = FiniteClass(np.hstack((table, extra, constant)).astype(np.uint8))
        sample = random_sample(rng, H.domain)
        size, decay = random_setting(rng, len(sample))
        require_enclosure(H, sample, size, decay, elsewhere=H.domain)


def test_whatever_table_is_accepted_is_answered() -> None:
    accepted = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        H = FiniteClass(rng.integers(0, 2, (rng.integers(1, 6), rng.integers(1, 4))))
        sample = random_sample(rng, H.domain)
        if additive_walks.has_additive_normaliser(H, sample):
            size, decay = random_setting(rng, len(sample))
            require_enclosure(H, sample, size, decay, elsewhere=H.domain)
            accepted += len(H) > 2
    assert accepted > 25


class LastCut(classes.Thresholds):
    """Thresholds with other representatives."""

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[classes.Threshold]:
        return [classes.Threshold(h.cut - 1) for h in super().representatives_on(points)]


class LastRows(FiniteClass):
    """A table with other representatives."""

    def representatives_on(self, points: Iterable[Hashable]) -> tuple[classes.Row, ...]:
        last = {tuple(h(x) for x in points): h for h in self}
        return tuple(last.values())


def test_other_classes_are_refused() -> None:
    sample: Sample[Hashable] = Sample([0, 1, 2], [0, 1, 0])
    others: list[Family] = [
        classes.intervals(3),
        classes.cube(3),
        classes.Subsets(2),
        classes.Intervals(),
        LastCut(),
        LastRows(classes.thresholds(3).table),
        # The row that represents what lies between two hits depends on both.
        classes.thresholds(3).select_rows([1, 0, 3, 2]),
        # The last row has a pattern of its own where 2 is hit, but also where 0 and 1 are.
        FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]]),
        FiniteClass(np.zeros((0, 3), dtype=np.uint8)),
    ]
    for H in others:
        assert not additive_walks.has_additive_normaliser(H, sample)
        with pytest.raises(InvalidInput, match=r"^H: .*exact_selection") as refused:
            additive_selection(H, sample, 2, Fraction(1, 2))
        assert refused.value.argument == "H"
    plane: Sample[Hashable] = Sample([(0, 1), (1, 0)], [0, 1])
    assert not additive_walks.has_additive_normaliser(classes.Stumps(2), plane)


def test_bad_input() -> None:
    H = classes.thresholds(3)
    sample: Sample[Hashable] = Sample([0, 1, 1], [0, 1, 1])
    half = Fraction(1, 2)
    for size in (0, 4, "2"):
        with pytest.raises(InvalidInput, match=r"^subset_size: "):
            additive_selection(H, sample, size, half)  # type: ignore[arg-type]  # the string is wrong
    for decay in (0, 2, float("nan")):
        with pytest.raises(InvalidInput, match=r"^decay: "):
            additive_selection(H, sample, 2, decay)  # type: ignore[arg-type]  # the float is wrong
    refuses(r"^sample: ", additive_selection, H, Sample([], []), 1, half)
    with pytest.raises(InvalidInput, match=r"^sample: "):
        additive_selection(H, [(0, 1)], 1, half)  # type: ignore[arg-type]  # that is what is wrong
    refuses(r"^point: ", additive_selection, H, Sample([0, 7], [0, 1]), 1, half)
    refuses(r"^point: ", additive_walks.has_additive_normaliser, H, Sample([0, 7], [0, 1]))
    refuses(r"^point: ", additive_selection(H, sample, 2, half).probabilities, [7])


def noisy_threshold(n: int, seed: int) -> Sample[Hashable]:
    rng = np.random.default_rng(seed)
    labels = (np.arange(n) >= 2 * n // 5) ^ (rng.random(n) < 0.2)
    return Sample(range(n), labels.astype(int).tolist())


def test_one_index_of_many() -> None:
    # A is one point a: the cuts at a and beyond it compete.
    sample, decay = noisy_threshold(200, 1), Fraction(1, 3)
    require_enclosure(classes.Thresholds(), sample, 1, decay)


def test_means_of_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = noisy_threshold(12, 9)
    chosen = additive_selection(classes.Thresholds(), sample, 5, Fraction(2, 3))
    law = by_definition(classes.Thresholds(), sample, 5, Fraction(2, 3))
    data = FiniteDistribution(
        {
            Example(-1, 0): Fraction(3, 5),
            Example(4, 1): Fraction(1, 10),
            Example(4, 0): Fraction(3, 10),
        }
    )
    wanted = sum(
        share * mass * (h(z.point) != z.label)
        for h, share in law.items()
        for z, mass in data.items()
    )
    assert wanted in chosen.loss(data)
    # Tables of labels are made for some points at a time.
    whole = chosen.probabilities(range(12)), chosen.loss(sample)
    monkeypatch.setattr(additive_walks, "_CELLS", 30)
    assert (chosen.probabilities(range(12)), chosen.loss(sample)) == whole
    third = Fraction(1, 3)
    wanted = sum(share * third ** errors_of(h, sample) for h, share in law.items())
    assert wanted in chosen.expectation(lambda h: third ** errors_of(h, sample))
    tiny = FiniteDistribution(
        {Example(4, 1): Fraction(1, 2**80), Example(4, 0): 1 - Fraction(1, 2**80)}
    )
    wanted = sum(share * tiny.probability(Example(4, 1 - h(4))) for h, share in law.items())
    assert wanted in chosen.loss(tiny)
    refuses(r"^data: ", chosen.loss, [(4, 1)])  # type: ignore[arg-type]  # that is what is wrong
    refuses(r"^point: ", chosen.loss, Sample(["a"], [1]))


@pytest.mark.parametrize(
    "H",
    [
        classes.Thresholds(), classes.SignedThresholds(), classes.Stumps(1), classes.Subsets(1),
        classes.Singletons(), classes.thresholds(12),
    ],
    ids=lambda H: type(H).__name__,
)  # fmt: skip
def test_sums_of_values_where_a_hypothesis_says_one(
    H: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    at: list[Hashable] = [(x,) if isinstance(H, classes.Stumps) else x for x in range(12)]
    sample = Sample(at[2::3], [0, 1, 1, 0])
    chosen = additive_selection(H, sample, 2, Fraction(1, 2))
    points = [at[k] for k in (5, 0, 11, 8, 3, 5)]
    monkeypatch.setattr(additive_walks, "_CELLS", 10)
    for values in ([3, -1, 4, -1, 5, 2], [2**90, -1, 7, 1, 2**80, 3]):
        exact = np.array(values, dtype=np.int64 if max(values) < 2**62 else object)
        wanted = [
            sum(v for x, v in zip(points, values, strict=True) if h(x)) for h in chosen.hypotheses
        ]
        assert chosen.labels.sums(points, exact).tolist() == wanted
    assert chosen.labels.sums([], np.zeros(0, dtype=np.int64)).tolist() == [0] * len(wanted)


def test_steps_are_tabulated_in_parts_and_sums_are_kept_in_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = Sample([x for x in range(40) for _ in range(1 + x % 3)], [0, 1] * 39 + [1])
    whole = additive_selection(classes.Thresholds(), sample, 15, Fraction(9, 10)).lowers
    monkeypatch.setattr(additive_paths, "_AT_ONCE", 50)
    monkeypatch.setattr(additive_paths, "_HELD", 0)
    blocks = []

    def noted(*given: object, **named: object) -> object:
        blocks.append(named["block"])
        return path_sums(*given, **named)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(additive_sums, "path_sums", noted)
    again = additive_selection(classes.Thresholds(), sample, 15, Fraction(9, 10)).lowers
    assert again.tolist() == whole.tolist()
    assert set(blocks) == {7}


def test_two_and_all_but_one_index() -> None:
    sample = noisy_threshold(25, 2)
    for H in (classes.Thresholds(), classes.SignedThresholds(), classes.Singletons()):
        for size in (2, 24, 25):
            require_enclosure(H, sample, size, Fraction(4, 5))


def test_one_distinct_point_many_times() -> None:
    sample: Sample[Hashable] = Sample([3] * 500, [i % 3 == 0 for i in range(500)])
    for size in (1, 499, 500):
        chosen = additive_selection(classes.Thresholds(), sample, size, Fraction(99, 100))
        # 167 of 500 labels are 1: the cut at 3 gets 333 wrong, the one beyond it 167.
        weight = Fraction(99, 100) ** (333 - 167)
        assert weight / (1 + weight) in chosen.probabilities([3])[0]
        assert chosen.slack < NARROW


def test_a_sample_of_few_points_with_many_copies() -> None:
    # Sets of points, not of indices, are gone through here: the number of index subsets that hit
    # exactly A is, by inclusion and exclusion, a signed sum over the subsets of A.
    rng = np.random.default_rng(5)
    copies, size, decay = [90, 1, 30, 75, 4], 60, Fraction(97, 100)
    points = [point for point, copied in enumerate(copies) for _ in range(copied)]
    sample: Sample[Hashable] = Sample(points, rng.integers(0, 2, len(points)).tolist())
    H = classes.Thresholds()
    law: dict[Hypothesis, Fraction] = {}
    for k in range(1, 6):
        for hit in combinations(range(5), k):
            count = sum(
                (-1) ** (k - j) * math.comb(sum(copies[i] for i in some), size)
                for j in range(k + 1)
                for some in combinations(hit, j)
            )
            weights = {h: decay ** errors_of(h, sample) for h in H.representatives_on(hit)}
            share = Fraction(count, math.comb(200, size)) / sum(weights.values())
            for h, weight in weights.items():
                law[h] = law.get(h, Fraction(0)) + share * weight
    chosen = additive_selection(H, sample, size, decay)
    assert chosen.law().encloses(FiniteDistribution({h: p for h, p in law.items() if p}))
    assert chosen.slack < NARROW


def test_weights_of_any_size() -> None:
    # Normalisers differ by factors up to 2**(100 * 20).
    sample = noisy_threshold(20, 3)
    for size in (1, 2, 19):
        require_enclosure(classes.Thresholds(), sample, size, Fraction(1, 2**100))


def test_equal_weights_at_full_size() -> None:
    # With decay 1 all n' + 1 cuts are equally likely: the one at a point has 1/(n' + 1) if it is
    # hit, which has probability n'/n; the one beyond the greatest hit has 1/(n' + 1) always.
    n, size = 3000, 400
    sample = noisy_threshold(n, 4)
    chosen = additive_selection(classes.Thresholds(), sample, size, Fraction(1))
    hit = Fraction(size, n * (size + 1))
    law = chosen.law()
    for index in (0, 1, 1500):
        h = chosen.hypotheses[index]
        assert isinstance(h, classes.Threshold)
        # The greatest hit is x with probability C(x, n' - 1)/C(n, n').
        greatest = Fraction(math.comb(int(h.cut) - 1, size - 1), math.comb(n, size)) if h.cut else 0
        assert hit + Fraction(greatest) / (size + 1) in law.probability(h)
    assert chosen.slack < NARROW
    # A point x is labelled 1 by the cuts at hit points up to x.
    (p,) = chosen.probabilities([1999])
    assert hit * 2000 <= p.upper
    assert p.lower <= hit * 2000 + Fraction(1, 10**100)


def test_full_size_against_sampled_subsets() -> None:
    # Given the subset, each label has an exact probability; 2,000 of them are averaged. Hoeffding:
    # off by more than 0.08 with probability below 2 exp(-2 * 2000 * 0.08**2) < 2e-11 at a point.
    n, size, decay, draws = 3000, 400, 0.9, 2000
    sample = noisy_threshold(n, 6)
    chosen = additive_selection(classes.Thresholds(), sample, size, Fraction(9, 10))
    assert chosen.slack < NARROW
    labels = np.array(sample.labels)
    ones_below = np.concatenate(([0], np.cumsum(labels)))
    zeros_above = (1 - labels).sum() - np.concatenate(([0], np.cumsum(1 - labels)))
    errors = ones_below + zeros_above
    asked = [900, 1180, 1200, 1230, 2900]
    found = np.zeros(len(asked))
    rng = np.random.default_rng(7)
    for _ in range(draws):
        hit = np.sort(rng.choice(n, size, replace=False))
        cuts = np.append(hit, hit[-1] + 1)
        weights = decay ** (errors[cuts] - errors[cuts].min())
        shares = np.concatenate(([0.0], np.cumsum(weights))) / weights.sum()
        found += shares[np.searchsorted(cuts, asked, side="right")]
    for p, average in zip(chosen.probabilities(asked), found / draws, strict=True):
        assert abs(float(p) - average) < 0.08


def test_the_answer_does_not_depend_on_the_number_of_processors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = noisy_threshold(1500, 8)
    answers = []
    for processors in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        answers.append(additive_selection(classes.Thresholds(), sample, 200, Fraction(1, 2)))
    assert np.array_equal(answers[0].lowers, answers[1].lowers)


@pytest.mark.parametrize(
    "H",
    [
        classes.Thresholds(), classes.SignedThresholds(), classes.Stumps(1), classes.Singletons(),
        classes.Subsets(1), classes.thresholds(4),
    ],
    ids=lambda H: type(H).__name__,
)  # fmt: skip
def test_sent_to_another_process(H: Family) -> None:
    points: list[Hashable] = [0, 1, 1, 3]
    if isinstance(H, classes.Stumps):
        points = [(point,) for point in points]
    found = additive_selection(H, Sample(points, [0, 1, 0, 1]), 2, Fraction(1, 2))
    there = pickle.loads(pickle.dumps(found))  # noqa: S301  # our own
    assert there.lowers.tolist() == found.lowers.tolist()
    assert there.probabilities(points) == found.probabilities(points)
