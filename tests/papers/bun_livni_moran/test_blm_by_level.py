"""M with runs by level: its sizes by hand, its levels, its law, and runs at its size."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from operator import ne

import numpy as np
import pytest

from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import StableHistogram
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran import (
    ByLevelPrivateLearner,
    DrawCounts,
    GloballyStableLearner,
    PrivateLearner,
    TournamentDistribution,
    tally_on_examples,
    tally_on_target,
    train_on_target,
)
from pac_stability.papers.bun_livni_moran.at_size import ExampleStream
from pac_stability.papers.bun_livni_moran.formulas import (
    ByLevelSizes,
    PrivateLearnerSizes,
    fewest_fresh_examples,
    least_runs,
    missed_output,
    sharper_agreement_bounds,
)
from pac_stability.papers.bun_livni_moran.formulas.parameters import (
    agreement_of_levels,
    best_blocks,
    largest_squares,
)
from pac_stability.papers.bun_livni_moran.formulas.sizes import (
    HALVINGS,
    PARTS,
    float_sample_size,
    frequency_lists,
    least_loss,
    selection_size,
    stable_levels,
)
from pac_stability.randomness import SeededCoins
from shared_refusals import refuses

HALF, QUARTER, TENTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)
MILLIONTH = Fraction(1, 10**6)


def sizes(d: int) -> ByLevelSizes:
    return ByLevelSizes(d, QUARTER, TENTH, Epsilon(1), MILLIONTH)


def uniform(H: FiniteClass, row: int) -> FiniteDistribution[Example[Hashable]]:
    return FiniteDistribution.uniform([Example(x, H(row, x)) for x in H.domain])


# The sizes


@pytest.mark.parametrize("d", [1, 2, 3])
def test_each_level_alone_is_enough(d: int) -> None:
    M = sizes(d)
    taus = M.frequencies
    assert taus in frequency_lists(d)
    collisions = [largest_squares(Fraction(1), tau) for tau in taus]
    rest = [TENTH / 2**j for j in range(1, 9)]
    for k, level in enumerate(M.levels):
        assert level.level == k
        assert level.frequency == taus[k]
        assert level.fresh == (k < d)
        reached = taus[k] * DrawCounts(collisions[:k]).within(level.blocks)
        assert 0 <= reached - level.eta < level.eta / 2**60
        missed = [missed_output(level.runs - i, level.eta, M.histogram) for i in (0, 1)]
        # For one share of beta they are enough, and least.
        assert any(missed[0] <= TENTH - share < missed[1] for share in rest)
    # At level d it is the target that is frequent, which has no loss.
    assert (1 - M.loss) ** M.n <= min(taus[:-1])
    drawn = sum(level.runs * (level.blocks + (level.level < d)) for level in M.levels)
    assert M.sample_size == drawn * M.n + M.choice_size
    assert any(
        M.choice_size == selection_size(M.runs // 2 - 1, QUARTER, M.loss, share, M.decay)
        for share in rest
    )


@pytest.mark.parametrize("d", range(1, 8))
def test_some_level_reaches_its_frequency(d: int) -> None:
    assert len(frequency_lists(d)) > 8
    for taus in frequency_lists(d):
        assert len(taus) == d + 1
        # If no level below d does, the target is that frequent at level d.
        assert agreement_of_levels(taus[:-1])[-1] >= taus[-1] > 0
        assert agreement_of_levels(taus[:-1]) == sharper_agreement_bounds(d, taus[0])


@pytest.mark.parametrize(("d", "before"), [(1, 2880), (2, 53692), (3, 2347039), (4, 1569230972)])
def test_no_fresh_examples_at_the_last_level_take_fewer(d: int, before: int) -> None:
    # With T on all levels, and the frequencies that were best for that.
    assert sizes(d).sample_size < before * Fraction(5, 6)


@pytest.mark.parametrize(("d", "beta"), [(1, HALF), (2, TENTH)])
def test_no_division_that_was_discarded_is_better(d: int, beta: Fraction) -> None:
    for asked in (replace(sizes(d), beta=beta),):
        found = [
            sum(k * (each.blocks + each.fresh) for k, each in zip(runs, stable, strict=True)) * n
            + selection_size(sum(runs) // 2 - 1, asked.alpha, loss, share, asked.decay)
            for stable in stable_levels(d)
            for share in (asked.beta / 2**j for j in range(1, HALVINGS + 1))
            for runs in [
                [least_runs(each.eta, asked.histogram, asked.beta - share) for each in stable]
            ]
            for part in PARTS
            for n in [fewest_fresh_examples(stable[0].frequency, part * asked.alpha)]
            for loss in [min(part * asked.alpha, least_loss(stable[0].frequency, n))]
        ]
        assert asked.sample_size == min(found)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_about_so_many_examples_are_as_many_but_for_some_percent(d: int) -> None:
    for asked in (sizes(d), replace(sizes(d), alpha=Fraction(1, 32), epsilon=Epsilon(HALF))):
        assert abs(float_sample_size(asked) / asked.sample_size - 1) < 0.03


def test_blocks_for_levels_that_agree_differently() -> None:
    # Two pairs at level 0, and one at level 1, all of them decided.
    assert best_blocks((Fraction(1, 8), TENTH)) == (6, Fraction(7, 8) ** 2 * Fraction(9, 10))
    # Where T is no block more, a retry is worth less.
    assert best_blocks((Fraction(9, 10),))[0] > best_blocks((Fraction(9, 10),), 0)[0] == 2


@pytest.mark.parametrize("failure", [Fraction(1, 3), TENTH, MILLIONTH])
def test_the_runs_are_the_fewest(failure: Fraction) -> None:
    histogram = StableHistogram.from_privacy(Epsilon(1), MILLIONTH)
    for eta in (Fraction(1), HALF, Fraction(1, 17), Fraction(1, 40000), Fraction(1, 3**60)):
        k = least_runs(eta, histogram, failure)
        assert missed_output(k, eta, histogram) <= failure < missed_output(k - 1, eta, histogram)


def test_the_largest_sum_of_squares() -> None:
    parts = [Fraction(i, 6) for i in range(7)]
    for most in parts[2:]:
        for total in parts:
            # On a grid that both numbers are on, and of as many parts as there may be.
            allowed = [part for part in parts if part <= most]
            sums = (p for p in product(allowed, repeat=3) if sum(p) == total)
            best = max(sum(x * x for x in p) for p in sums)
            assert largest_squares(total, most) == best


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_levels_are_the_sharp_sizes(d: int) -> None:
    sharp = PrivateLearnerSizes(d, QUARTER, TENTH, Epsilon(1), MILLIONTH)
    assert sharp.by_level == sizes(d)
    assert sharp.sample_size == sizes(d).sample_size
    assert sizes(d).guarantee.epsilon <= Epsilon(1)
    assert sizes(d).guarantee.delta <= MILLIONTH


def test_less_is_never_more() -> None:
    n = sizes(2).sample_size
    for harder in (
        replace(sizes(2), alpha=QUARTER * 9 / 10),
        replace(sizes(2), beta=TENTH * 9 / 10),
        replace(sizes(2), epsilon=Epsilon(Fraction(9, 10))),
        replace(sizes(2), delta=MILLIONTH / 2),
        sizes(3),
    ):
        assert harder.sample_size >= n


def test_sizes_refuse_bad_input() -> None:
    for change, argument in (
        ({"dimension": 0}, "dimension"),
        ({"dimension": 9}, "dimension"),
        ({"alpha": Fraction(1)}, "alpha"),
        ({"delta": Fraction(0)}, "delta"),
        ({"epsilon": Epsilon(0)}, "epsilon"),
    ):
        refuses(argument, replace, sizes(1), **change)


# One level of algorithm G


def test_a_level_is_one_part_of_the_mixture() -> None:
    H = thresholds(3)
    target = uniform(H, 1)
    whole = GloballyStableLearner(H, QUARTER, n=1, blocks=6)
    laws = []
    for k in range(3):
        G = GloballyStableLearner(H, QUARTER, n=1, blocks=6, level=k)
        laws.append((Fraction(1, 3), G.law_of_output(target)))
        enclosed = G.enclosed_law_of_output(target)
        exact = dict(laws[-1][1].items())
        assert all(p.lower <= exact.get(f, 0) <= p.upper for f, p in enclosed.items())
        assert G.promises(100) == {}
        made, arguments = G.__reduce__()[:2]
        assert callable(made)
        assert isinstance(arguments, tuple)
        assert made(*arguments) == G
    assert FiniteDistribution.mixture(laws) == whole.law_of_output(target)
    assert whole.level is None


def test_a_low_level_does_with_fewer_blocks() -> None:
    H = thresholds(3)
    assert GloballyStableLearner(H, QUARTER, n=2, blocks=0, level=0).sample_size == 2
    refuses("blocks", GloballyStableLearner, H, QUARTER, n=2, blocks=1, level=1)
    refuses("level", GloballyStableLearner, H, QUARTER, level=3)


def test_one_level_alone_promises_nothing() -> None:
    H = thresholds(3)
    whole = GloballyStableLearner(H, QUARTER)
    assert whole.promises(whole.sample_size)
    for k in range(whole.dimension + 1):
        assert not GloballyStableLearner(H, QUARTER, level=k).promises(whole.sample_size)


def test_runs_and_tallies_are_of_the_level() -> None:
    H = thresholds(3)
    target = uniform(H, 1)
    for k in (0, 2):
        G = GloballyStableLearner(H, QUARTER, n=1, blocks=6, level=k)
        law = {int(f): p for f, p in G.law_of_output(target).items()}
        tally = tally_on_target(G, target, 4000, seed=k, by_law=False)
        assert set(tally.outputs) <= set(law)
        for f, p in law.items():
            assert abs(tally.outputs.get(f, 0) - 4000 * p) < 250
        sample = Sample[Hashable].from_examples(target.sample(SeededCoins(1)) for _ in range(7))
        possible = {f for f, _ in G.law(sample).items()}
        assert {G.run(sample, SeededCoins(seed)) for seed in range(60)} == possible


@pytest.mark.parametrize("size", [3, 8])
def test_without_fresh_examples_the_output_is_the_predictor_of_the_winner(size: int) -> None:
    H = thresholds(size)  # of few points in dictionaries, of more in the core
    target = uniform(H, 1)
    d = littlestone_dimension(H)
    for k in range(1, d + 1):
        blocks = 2 * (2**k - 1)
        G = GloballyStableLearner(H, QUARTER, n=1, blocks=blocks, level=k, fresh=False)
        D = G.tournaments(target, k)
        free = TournamentDistribution(H, target, k, 1, threshold=1)
        by_state = {int(G.default): D.fail_probability}
        for state, p in free.law_of_state().items():
            f = SoaStates(H).predictor(state)
            by_state[f] = by_state.get(f, Fraction(0)) + p * (1 - D.fail_probability)
        law = {int(f): p for f, p in G.law_of_output(target).items()}
        assert law == by_state
        assert law != dict(replaced(G, fresh=True).law_of_output(target).items())
        for f, enclosed in G.enclosed_law_of_output(target).items():
            assert enclosed.lower <= law[int(f)] <= enclosed.upper
        # Runs on the target, all at once, and on given examples, which are no more than the blocks.
        assert G.sample_size == blocks
        for tally in (
            tally_on_target(G, target, 3000, seed=k),
            tally_on_target(G, target, 3000, seed=k, by_law=False),
        ):
            assert all(abs(tally.outputs.get(f, 0) - 3000 * p) < 220 for f, p in law.items())
    # With d tournaments the target is as frequent as it is that all labels agree.
    everywhere = TournamentDistribution(H, target, d, 1, threshold=1)
    for concept in (row for row in range(len(H)) if H.target(row) == target):
        named = TournamentDistribution(H, target, d, 1, threshold=1, concept=concept)
        labels = sum(H(concept, x) << x for x in range(size))
        assert everywhere.law_of_predictor().probability(labels) >= named.all_labels_agree


def replaced(G: GloballyStableLearner, *, fresh: bool) -> GloballyStableLearner:
    again, arguments = G.__reduce__()
    assert isinstance(again, partial)
    assert isinstance(arguments, tuple)
    made = partial(again, fresh=fresh)(*arguments)
    assert isinstance(made, GloballyStableLearner)
    return made


def test_given_examples_end_with_the_blocks() -> None:
    H = thresholds(3)
    G = GloballyStableLearner(H, QUARTER, n=2, blocks=6, level=2, fresh=False)
    assert G.sample_size == G.least_examples == 12
    target = uniform(H, 1)
    sample = Sample[Hashable].from_examples(target.sample(SeededCoins(4)) for _ in range(12))
    law = {int(f): p for f, p in G.law(sample).items()}
    codes = np.array([2 * H.domain.index(z.point) + z.label for z in sample])
    tally = tally_on_examples(G, ExampleStream([codes] * 2000, H), 2000, seed=1)
    assert all(abs(tally.outputs.get(f, 0) - 2000 * p) < 160 for f, p in law.items())
    assert replaced(G, fresh=False) == G != replaced(G, fresh=True)
    assert not G.promises(100)


@pytest.mark.parametrize("level", [None, 0])
def test_some_run_would_see_no_examples(level: int | None) -> None:
    with pytest.raises(InvalidInput, match="fresh"):
        GloballyStableLearner(thresholds(3), QUARTER, n=2, blocks=6, level=level, fresh=False)


# The learner


def small() -> ByLevelPrivateLearner[Hashable]:
    """A run of level 0 and two of level 1: seven examples, and one for the choice."""
    H = singletons(2)
    low = GloballyStableLearner(H, HALF, n=1, blocks=0, level=0)
    high = GloballyStableLearner(H, HALF, n=1, blocks=2, level=1)
    M: PrivateLearner[Hashable] = PrivateLearner(
        H.domain, low, 1, 3, StableHistogram(HALF, 1, 3), HALF, 1, low.default
    )
    return ByLevelPrivateLearner(((low, 1), (high, 2)), M)


def test_the_law_is_that_of_the_runs_on_their_parts() -> None:
    M = small()
    assert M.sample_size == M.least_examples == 8
    (low, _), (high, _) = M.levels
    sample = Sample[Hashable]([0] * 8, [0, 0, 0, 0, 0, 1, 0, 0])
    law: dict[int, Fraction] = {}
    for f, p in low.law(sample[:1]).items():
        for g, q in high.law(sample[1:4]).items():
            for h, r in high.law(sample[4:7]).items():
                votes = [int(f), int(g), int(h)]
                for listed, s in M.conclusion.histogram.law(votes).items():
                    choice = M.conclusion._choice(listed)
                    for output, t in choice.law(sample[7:]).items():
                        law[output] = law.get(output, Fraction(0)) + p * q * r * s * t
    found = {int(f): p for f, p in M.law(sample).items()}
    assert found == law
    assert {int(M.run(sample, SeededCoins(seed))) for seed in range(40)} <= set(law)


def test_its_privacy_is_that_of_the_histogram_and_the_choice() -> None:
    M = small()
    assert M.guarantee == M.conclusion.guarantee
    assert M.promises(8)
    refuses("levels", ByLevelPrivateLearner, M.levels[:1], M.conclusion)


@pytest.mark.parametrize("H", [singletons(6), thresholds(6)], ids=["singletons", "thresholds"])
def test_a_run_at_its_size(H: FiniteClass) -> None:
    M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, MILLIONTH)
    d = len(M.levels) - 1
    assert M.sample_size == sizes(d).sample_size
    target = uniform(H, 2)
    for seed in range(3):
        training = train_on_target(M, target, seed=seed)
        f = training.hypothesis
        assert sum(f(x) != H(2, x) for x in H.domain) <= len(H.domain) / 4
        assert [tally.runs for tally in training.tallies] == [k.runs for k in sizes(d).levels]
        # Levels have coins of their own.
        own = [tally_on_target(stable, target, runs, seed=seed) for stable, runs in M.levels]
        assert all(map(ne, own, training.tallies))
    again = train_on_target(M, target, seed=2)
    assert again == training
    counted = sum((Counter(tally.outputs) for tally in training.tallies), Counter[int]())
    assert counted[int(f)] >= M.conclusion.histogram.threshold - M.conclusion.histogram.truncation
