"""Posteriors over rules: laws against enumeration, enclosures, and draws of both kinds."""

import tracemalloc
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import Coins, Epsilon, InvalidInput, SeededCoins, audit
from pac_stability.classes import (
    CodedSample,
    DecisionLeaf,
    DecisionSplit,
    PrunedTrees,
    SparseHalfspaces,
)
from pac_stability.classes.bits import ones_of_words
from pac_stability.data import ArraySample, FiniteDistribution, Sample, enumerate_law
from pac_stability.mechanisms import (
    Posterior,
    PosteriorUnion,
    SparsePosterior,
    TreePosterior,
    posteriors,
)

AnyPosterior = SparsePosterior | TreePosterior | PosteriorUnion
Weights = dict[Hashable, Fraction]
HALF = Fraction(1, 2)
TREES = PrunedTrees([(0, 1), (0, 2), (1, 1)], depth=2)
RULES = SparseHalfspaces(2, 2, sparsity=2, cuts=3)
# Seven examples, as different as nine points allow.
SAMPLE = Sample([(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 1), (1, 2)], [0, 1, 1, 0, 1, 1, 1])

decays = st.sampled_from([HALF, Fraction(2, 3), Fraction(158999, 262144), Fraction(1)])
samples = st.lists(
    st.tuples(st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(0, 1)), max_size=9
).map(lambda pairs: Sample([x for x, _ in pairs], [y for _, y in pairs]))


def missed(h: Callable[[Hashable], int], sample: Sample[Hashable]) -> int:
    return sum(h(x) != y for x, y in zip(sample.points, sample.labels, strict=True))


def of_trees(trees: PrunedTrees, sample: Sample[Hashable], decay: Fraction) -> Weights:
    """Every tree by name, with its weight."""
    return {tree: p * decay ** missed(tree, sample) for tree, p in trees.enumerate()}


def of_rules(rules: SparseHalfspaces, sample: Sample[Hashable], decay: Fraction) -> Weights:
    prior = zip(rules, rules.prior.tolist(), strict=True)
    return {h: Fraction(p, rules.total) * decay ** missed(h, sample) for h, p in prior}


def normalised(weights: Weights) -> FiniteDistribution[Hashable]:
    total = sum(weights.values())
    return FiniteDistribution({h: weight / total for h, weight in weights.items()})


def law_of(posterior: AnyPosterior) -> FiniteDistribution[Hashable]:
    def draw(rng: Coins) -> Hashable:
        return posterior.draw(rng)

    return enumerate_law(draw, max_draws=10**6)


def test_the_prior_of_trees() -> None:
    listed = dict(TREES.enumerate())
    assert len(listed) == TREES.count == 590
    assert sum(listed.values()) == 1
    leaf = DecisionLeaf(0)
    assert listed[leaf] == Fraction(1, 4)
    # A question with 1/2, each of three; below a leaf of one label with 1/4, and at the end 1/2.
    assert listed[DecisionSplit(0, 1, leaf, leaf)] == Fraction(1, 6) * Fraction(1, 16)
    below = DecisionSplit(1, 1, leaf, DecisionLeaf(1))
    assert listed[DecisionSplit(0, 1, leaf, below)] == Fraction(1, 6) * Fraction(1, 4) * (
        Fraction(1, 6) * Fraction(1, 4)
    )


@pytest.mark.parametrize("depth", [0, 1, 2])
@given(sample=samples, decay=decays)
def test_sums_of_trees_factorise(depth: int, sample: Sample[Hashable], decay: Fraction) -> None:
    trees = PrunedTrees([(0, 1), (1, 1), (1, 2)] if depth < 2 else [(0, 1), (1, 2)], depth)
    posterior = TreePosterior(trees, sample, decay)
    assert posterior.mass() / posterior.total == sum(of_trees(trees, sample, decay).values())
    enclosed_as_stated(posterior)


@given(sample=samples, decay=decays)
def test_sums_of_rules(sample: Sample[Hashable], decay: Fraction) -> None:
    posterior = SparsePosterior(RULES, sample, decay)
    assert posterior.mass() / posterior.total == sum(of_rules(RULES, sample, decay).values())
    enclosed_as_stated(posterior)
    enclosed_as_stated(PosteriorUnion([posterior, TreePosterior(TREES, sample, decay)], [2, 3]))


def enclosed_as_stated(posterior: AnyPosterior) -> None:
    exact = posterior.mass()
    for bits in (1, 40, posterior.precision + 100):
        low, high = posterior.enclosed_mass(bits)
        assert low <= exact * 2**bits <= high
    # At the precision that it names, and a hundred bits more, the bounds agree in ninety.
    assert low > 0
    assert (high - low) << 90 <= low


def test_the_law_of_trees_is_that_of_enumeration() -> None:
    posterior = TreePosterior(TREES, SAMPLE, HALF)
    assert law_of(posterior) == normalised(of_trees(TREES, SAMPLE, HALF))


def test_the_law_of_a_deeper_tree() -> None:
    trees = PrunedTrees([(0, 1)], depth=3)  # 2 + (2 + (2 + 4)^2)^2 = 1446
    sample = Sample([(0,), (1,), (1,)], [1, 1, 0])
    posterior = TreePosterior(trees, sample, Fraction(1, 3))
    assert law_of(posterior) == normalised(of_trees(trees, sample, Fraction(1, 3)))


def test_the_law_of_a_union_is_one_exponential_mechanism() -> None:
    trees = PrunedTrees([(0, 1), (1, 2)], depth=1)
    parts: list[Posterior] = [
        SparsePosterior(RULES, SAMPLE, HALF),
        TreePosterior(trees, SAMPLE, HALF),
    ]
    rules, grown = of_rules(RULES, SAMPLE, HALF), of_trees(trees, SAMPLE, HALF)
    for shares in ((1, 1), (3, 1)):
        whole = {h: shares[0] * w for h, w in rules.items()} | {
            h: shares[1] * w for h, w in grown.items()
        }
        assert law_of(PosteriorUnion(parts, shares)) == normalised(whole)
    # And one of unions.
    half = PosteriorUnion(parts)
    nested = {h: w / 2 for h, w in rules.items()} | {h: w * 3 / 2 for h, w in grown.items()}
    assert law_of(PosteriorUnion([half, parts[1]])) == normalised(nested)


def test_draws_from_enclosures_have_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    # As for large samples: nothing is written out.
    monkeypatch.setattr(posteriors, "SHORT", -1)
    monkeypatch.setattr(posteriors, "SHORT", -1)
    trees = PrunedTrees([(0, 1), (1, 1)], depth=2)
    parts: list[Posterior] = [
        SparsePosterior(SparseHalfspaces(2, 2, sparsity=1), SAMPLE, Fraction(1, 8)),
        TreePosterior(trees, SAMPLE, Fraction(1, 8)),
    ]
    union = PosteriorUnion(parts)
    assert not union.short
    weights = of_rules(SparseHalfspaces(2, 2, sparsity=1), SAMPLE, Fraction(1, 8)) | of_trees(
        trees, SAMPLE, Fraction(1, 8)
    )
    law, rng = normalised(weights), SeededCoins(7)
    found: Counter[Hashable] = Counter(union.draw(rng) for _ in range(3000))
    for rule, probability in law.items():
        # Six standard deviations: 130 outcomes of a fixed seed.
        allowed = 6 * (float(probability) * 3000) ** 0.5 + 6
        assert abs(found[rule] - 3000 * probability) < allowed
    assert set(found) <= set(law.support)


def test_a_node_is_enclosed_term_by_term() -> None:
    posterior = TreePosterior(TREES, SAMPLE, Fraction(158999, 262144))
    cell = posterior._cells.root
    exact = cell.terms(posterior._exact)
    for bits in (10, 200):
        low, high = (cell.terms(powers) for powers in posterior._powers(bits))
        assert len(low) == len(high) == len(exact) == 2 + len(TREES.splits)
        assert all(a <= x * 2**bits <= b for a, x, b in zip(low, exact, high, strict=True))


def several(rows: Sequence[tuple[tuple[int, int], int]], kinds: int) -> CodedSample:
    points = np.array([x for x, _ in rows], dtype=np.int64).reshape(len(rows), 2)
    return CodedSample(points, np.array([y for _, y in rows], dtype=np.int64), kinds)


ROWS = [((0, 0), 0), ((0, 1), 1), ((1, 0), 2), ((1, 2), 2), ((2, 1), 1), ((1, 2), 0)]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_trees_of_three_labels(depth: int) -> None:
    trees = PrunedTrees([(0, 1), (1, 1)], depth, labels=3)
    listed = dict(trees.enumerate())
    assert len(listed) == trees.count
    assert sum(listed.values()) == 1
    weights: Weights = {
        tree: prior * HALF ** sum(tree(x) != y for x, y in ROWS) for tree, prior in listed.items()
    }
    posterior = TreePosterior(trees, several(ROWS, 3), HALF)
    assert posterior.mass() / posterior.total == sum(weights.values())
    enclosed_as_stated(posterior)
    assert law_of(posterior) == normalised(weights)


def test_a_tree_of_three_labels_is_private() -> None:
    rows = [((x, 0), y) for x in (0, 1) for y in range(3)]
    trees = PrunedTrees([(0, 1)], 1, labels=3)

    def program(data: tuple[tuple[tuple[int, int], int], ...], rng: Coins) -> Hashable:
        return TreePosterior(trees, several(data, 3), HALF).draw(rng)

    found = audit.differential_privacy(program, rows, 2, claim=Epsilon.exactly(4), labelled=False)
    assert found.verdict is audit.Verdict.VERIFIED
    assert found.value > 2


def test_large_counts_are_drawn_where_they_must_fall() -> None:
    # Twelve hundred examples of an exclusive or: other trees err on three hundred of them.
    points = [(i & 1, i >> 1 & 1) for i in range(1200)]
    labels = [x ^ y for x, y in points]
    posterior = TreePosterior(PrunedTrees.evenly(2, 1, 3, 2), ArraySample(points, labels), HALF)
    assert not posterior.short
    for seed in range(5):
        tree = posterior.draw(SeededCoins(seed))
        assert [tree(point) for point in points[:4]] == labels[:4]


def test_words_are_counted_as_numbers_are(monkeypatch: pytest.MonkeyPatch) -> None:
    words = np.random.default_rng(1).integers(0, 2**64, (3, 2, 5), dtype=np.uint64, endpoint=False)
    wanted = [int(word).bit_count() for word in words.ravel()]
    assert ones_of_words(words).ravel().tolist() == wanted
    monkeypatch.delattr(np, "bitwise_count", raising=False)  # as before NumPy 2
    assert ones_of_words(words).ravel().tolist() == wanted
    assert ones_of_words(words[0, 0]).tolist() == wanted[:5]


def test_a_draw_holds_some_bits_for_each_cell() -> None:
    """Codes are eight bytes a cell; 60 bytes a cell were answers with a byte, and all powers."""
    rng, n = np.random.default_rng(1), 40_000
    points = rng.integers(0, 16, (n, 10))
    sample = ArraySample(points, ((points[:, 0] > 7) ^ (rng.random(n) < 0.1)).astype(np.uint8))
    trees = PrunedTrees([(f, c) for f in range(10) for c in range(1, 16)], depth=2)
    tracemalloc.start()
    try:
        TreePosterior(trees, sample, Fraction(3, 5)).draw(SeededCoins(1))
        assert tracemalloc.get_traced_memory()[1] < 36 * points.size
    finally:
        tracemalloc.stop()


def test_no_examples() -> None:
    empty: Sample[Hashable] = Sample([], [])
    for posterior in (TreePosterior(TREES, empty, HALF), SparsePosterior(RULES, empty, HALF)):
        assert posterior.mass() == posterior.total


def drawn_from(
    make: Callable[[Sample[Hashable]], AnyPosterior],
) -> Callable[[Sample[Hashable], Coins], Hashable]:
    def program(sample: Sample[Hashable], rng: Coins) -> Hashable:
        return make(sample).draw(rng)

    return program


def public(sample: Sample[Hashable]) -> PosteriorUnion:
    rules = SparseHalfspaces(1, 2, sparsity=1)
    trees = PrunedTrees([(0, 1), (0, 2)], depth=1)
    return PosteriorUnion(
        [SparsePosterior(rules, sample, HALF), TreePosterior(trees, sample, HALF)]
    )


def cuts_at_quantiles(sample: Sample[Hashable]) -> TreePosterior:
    cuts = sorted({point[0] for point in sample.points if isinstance(point, tuple)} - {0})
    return TreePosterior(PrunedTrees([(0, cut) for cut in cuts or [1]], 1), sample, HALF)


def share_by_fit(sample: Sample[Hashable]) -> PosteriorUnion:
    parts = public(sample).parts
    best = max(parts, key=lambda part: part.mass() / part.total)
    return PosteriorUnion(parts, [3 if part is best else 1 for part in parts])


def depth_by_labels(sample: Sample[Hashable]) -> TreePosterior:
    deep = 0 < sum(sample.labels) < len(sample)
    return TreePosterior(PrunedTrees([(0, 1), (0, 2)], 1 if deep else 0), sample, HALF)


DOMAIN: Sequence[Hashable] = [(0,), (1,), (2,)]


def test_the_audit_verifies_what_is_drawn_and_refutes_what_looked() -> None:
    claim = Epsilon.exactly(4)
    right = audit.differential_privacy(drawn_from(public), DOMAIN, 2, claim=claim)
    assert right.verdict is audit.Verdict.VERIFIED
    for wrong in (cuts_at_quantiles, share_by_fit, depth_by_labels):
        found = audit.differential_privacy(drawn_from(wrong), DOMAIN, 2, claim=claim)
        assert found.verdict is audit.Verdict.REFUTED, wrong.__name__


@pytest.mark.parametrize(("make", "argument"), [
    (lambda: PrunedTrees([], 1), "splits"),
    (lambda: PrunedTrees([(0, 1), (0, 1)], 1), "splits"),
    (lambda: PrunedTrees([3], 1), "splits"),  # type: ignore[list-item]  # wrong
    (lambda: PrunedTrees([(0, -1)], 1), "splits"),
    (lambda: PrunedTrees([(0, 1)], 9), "depth"),
    (lambda: TreePosterior(TREES, Sample([(0,)], [0]), HALF), "sample"),
    (lambda: TreePosterior(TREES, Sample([(0, -2)], [0]), HALF), "sample"),
    (lambda: TreePosterior(TREES, SAMPLE, Fraction(2)), "decay"),
    (lambda: TreePosterior(RULES, SAMPLE, HALF), "trees"),  # type: ignore[arg-type]  # wrong
    (lambda: SparsePosterior(TREES, SAMPLE, HALF), "rules"),  # type: ignore[arg-type]  # wrong
    (lambda: SparsePosterior(RULES, SAMPLE, Fraction(0)), "decay"),
    (lambda: PrunedTrees([(0, 1)], 1, 1), "labels"),
    (lambda: TreePosterior(TREES, several(ROWS, 3), HALF), "sample"),
    (lambda: several(ROWS, 2), "labels"),
    (lambda: CodedSample(np.zeros((2, 1)), np.zeros(2, dtype=np.int64), 2), "points"),  # type: ignore[arg-type]  # wrong
    (lambda: CodedSample(np.zeros((2, 1), int), np.zeros(3, dtype=np.int64), 2), "labels"),
    (lambda: PosteriorUnion([]), "parts"),
    (lambda: PosteriorUnion([TreePosterior(TREES, SAMPLE, HALF)], [1, 2]), "shares"),
    (lambda: PosteriorUnion([TreePosterior(TREES, SAMPLE, HALF)], [0]), "shares"),
    (lambda: DecisionSplit(1, 0, DecisionLeaf(0), DecisionLeaf(1))((3,)), "point"),
])  # fmt: skip
def test_bad_input(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
