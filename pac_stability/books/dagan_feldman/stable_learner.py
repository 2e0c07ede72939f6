"""The stable learner A^sta: Section 3, Lemma 13, and Appendix B up to its algorithm."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, islice
from random import Random
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks
from pac_stability.books.dagan_feldman.learning_tasks import AnySample, delicate
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims import kit
from pac_stability.claims.instances import all_labelled_samples, random_classes
from pac_stability.claims.kit import Genes
from pac_stability.classes import Family, FiniteClass, cube, intervals, thresholds
from pac_stability.data import Example, Sample, enumerate_law
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")


class Case(NamedTuple):
    """A class, the seed of its representatives, a sample, n' and the decay rho."""

    H: FiniteClass
    seed: int
    sample: AnySample
    size: int
    rho: F

    @property
    def family(self) -> Family:
        """The class with its representatives."""
        return learning_tasks.with_chosen(self.H, self.seed)

    @property
    def learner(self) -> df.StableLearner:
        """The library's learner."""
        return _stable_learner(self.family, self.size, self.rho)

    @property
    def law(self) -> learning_tasks.Law:
        """The law of what it chooses, by definition."""
        return learning_tasks.naive_selection(self.family, self.sample, self.size, self.rho)


def _stable_learner(H: Family, size: int, rho: F) -> df.StableLearner:
    return df.StableLearner(H, size, Epsilon.exactly(rho**-2))


# The law of the algorithm


def _small_and_seeded(budget: kit.Budget) -> Iterator[Case]:
    for H in (FiniteClass([[0, 0], [0, 1]]), thresholds(2)):
        for n in (1, 2):
            for sample in all_labelled_samples(H, n):
                yield from (Case(H, 0, sample, size, F(1, 2)) for size in range(1, n + 1))
    for index in range(budget.pick(30, 400, 6000)):
        coins = Random(f"stable/{index}")
        table = coins.choice((thresholds(3), cube(2), intervals(3), cube(3)))
        n = coins.randint(2, budget.pick(5, 6, 8))
        rho = coins.choice((F(1, 2), F(3, 4), F(9, 10)))
        sample = learning_tasks.random_sample(coins, len(table.domain), n)
        yield Case(table, coins.randrange(4), sample, coins.randint(1, n), rho)


_UNIVERSE = "all samples of up to two examples of two classes, and seeded ones of up to five"
_cases = kit.universe(_UNIVERSE)(_small_and_seeded)
_cases_and_sets = kit.universe(f"{_UNIVERSE}, all T")(_small_and_seeded)


@kit.universe("samples of up to three examples, all paths of the coins")
def _some_cases(budget: kit.Budget) -> Iterator[Case]:
    """Every fifth case, with few paths."""
    cases = islice(_small_and_seeded(budget), 0, None, 5)
    yield from (it for it in cases if len(it.sample) < 4)


def _is_defined(law: Callable[[Case], learning_tasks.Law], it: Case) -> kit.Finding:
    found, wanted = law(it), it.law
    return kit.settle(
        learning_tasks.weighted(found, wanted), f"{it}: {found}, by definition {wanted}"
    )


def _of_the_learner(it: Case) -> learning_tasks.Law:
    return dict(it.learner.law(it.sample).items())


def _one_point_less(it: Case) -> learning_tasks.Law:
    return _of_the_learner(it._replace(size=max(1, it.size - 1)))


def _of_the_draws(it: Case) -> learning_tasks.Law:
    """The program that draws, run once for every path of its coins."""
    return dict(enumerate_law(lambda coins: it.learner.run(it.sample, coins)).items())


TRIALS.add("algorithm-section-3", "law", _is_defined, _cases, _of_the_learner, _one_point_less)
TRIALS.add(
    "algorithm-section-3", "drawn step by step", _is_defined, _some_cases,
    _of_the_draws, _one_point_less,
)  # fmt: skip


def _fixed_points(power: int, it: Case) -> kit.Finding:
    """h_{S,T} for all sets T of points, in S or not."""
    for k in range(len(it.H.domain) + 1):
        for T in combinations(it.H.domain, k):
            found = _stable_learner(it.family, 1, it.rho).conditioned_on(T).law(it.sample)
            wanted = learning_tasks.exponential_law(
                it.family.representatives_on(T), it.sample, it.rho
            )
            if any(found.probability(h) != p**power for h, p in wanted.items()):
                return kit.settle(False, f"{it}, T = {T}: {found}, not {wanted}")
    return kit.settle(True, "")


TRIALS.add("algorithm-appendix-b", "h_{S,T}", _fixed_points, _cases_and_sets, 1, 2)

Enclosure = Callable[[FiniteClass, AnySample, int, F], df.EnclosedLaw]


def _encloses(enclosure: Enclosure, it: Case) -> kit.Finding:
    law = learning_tasks.naive_selection(it.H, it.sample, it.size, it.rho)
    found = enclosure(it.H, it.sample, it.size, it.rho).probabilities(it.H.domain)
    wanted = [learning_tasks.label_one(law, x) for x in it.H.domain]
    same = all(p in interval for p, interval in zip(wanted, found, strict=True))
    return kit.settle(same, f"{it}: {wanted} are not in {found}")


TRIALS.add(
    "algorithm-appendix-b", "enclosed", _encloses, _cases, df.enclosed_selection,
    lambda H, sample, size, rho: df.enclosed_selection(H, sample, size, rho / 2),
)  # fmt: skip


@kit.universe("thresholds on up to six points, seeded samples")
def _on_a_line(budget: kit.Budget) -> Iterator[Case]:
    for index in range(budget.pick(7, 100, 1000)):
        coins = Random(f"line/{index}")
        n = coins.randint(2, budget.pick(6, 8, 10))
        yield Case(
            thresholds(6),
            0,
            learning_tasks.random_sample(coins, 6, n),
            coins.randint(1, n),
            F(3, 4),
        )


TRIALS.add(
    "algorithm-appendix-b", "in polynomial time", _encloses, _on_a_line, df.additive_selection,
    lambda H, sample, size, rho: df.additive_selection(H, sample, size, rho * rho),
)  # fmt: skip


# Equations (1) and (2)

IsNet = Callable[[FiniteClass, AnySample, frozenset[int], F], bool]


@kit.universe("classes of the literature and seeded ones, samples, all sets of points")
def _net_cases(budget: kit.Budget) -> Iterator[tuple[FiniteClass, AnySample]]:
    for H in (thresholds(2), thresholds(3), cube(2)):
        samples = list(all_labelled_samples(H, 3))
        yield from ((H, sample) for sample in samples[:: budget.pick(7, 1, 1)])
    for index, H in enumerate(random_classes(budget.pick(10, 100, 3000), rows=6, points=4)):
        yield H, learning_tasks.random_sample(Random(f"net/{index}"), 4, 5)


def _good_cover(is_net: IsNet, it: tuple[FiniteClass, AnySample]) -> Iterator[kit.Comparison]:
    H, sample = it
    m, alpha = len(H.domain), F(1, 4)
    best = min(learning_tasks.errors_of(h, sample) for h in H)
    for T in (T for k in range(m + 1) for T in combinations(range(m), k)):
        if is_net(H, sample, frozenset(T), alpha):
            least = min(
                learning_tasks.errors_of(h, sample)
                for h in learning_tasks.with_chosen(H, 2).representatives_on(T)
            )
            yield kit.within(least - best, alpha * len(sample))


def _net_on_sample(H: FiniteClass, sample: AnySample, points: frozenset[int], alpha: F) -> bool:
    return not disagreement(H, points, tuple(map(sample.points.count, H.domain)), alpha)


TRIALS.add(
    "equation-1", "sets of points", _good_cover, _net_cases,
    _net_on_sample, lambda H, *_: len(H) > 0,
)  # fmt: skip


def _mechanism_excess(bound: Callable[[int, F], Interval], it: Case) -> kit.Comparison:
    """Equation (2) before the choice of sizes: n times the loss, for each T."""
    T = it.sample.points[: it.size]
    candidates = it.family.representatives_on(T)
    law = it.learner.conditioned_on(T).law(it.sample)
    excess = learning_tasks.mean_excess(dict(law.items()), it.sample, candidates)
    return kit.within(excess, bound(len(candidates), it.rho))


_printed: Callable[[int, F], Interval] = df.paper_excess
TRIALS.add(
    "equation-2", "subsamples", _mechanism_excess, _cases,
    _printed, lambda N, rho: df.paper_excess(N, rho) / 4,
)  # fmt: skip
TRIALS.states(
    "equation-2", _printed,
    lambda N, rho: Interval.log(N) / Interval.log(1 / rho), (2, F(1, 2)), (7, F(9, 10)),
)  # fmt: skip


# How far one example moves the predictions of a learner that is made for a stability


class Promised(NamedTuple):
    """A class on some points, gamma, and a sample of at least 1/gamma examples."""

    H: Family
    points: tuple[Hashable, ...]
    gamma: F
    sample: AnySample


# On the points 0 to 4: 0 and 1 have most examples, 2 and 3 the one that is replaced, 4 is asked.
_MOVED = FiniteClass([[1, 0, 1, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1, 0, 1, 1, 0]])


def _chosen_by_x(points: frozenset[Hashable], rows: tuple[int, ...]) -> int:
    """Prefer the label of 4 that the point 2 or 3 decides, or else that of the point 0."""
    wanted = 1 if 2 in points else 0 if 3 in points else int(_MOVED.table[rows[0]][0])
    return next((row for row in rows if _MOVED.table[row][4] == wanted), rows[0])


_ATTAINING = df.ChosenRepresentatives(_MOVED, _chosen_by_x)
"""A class on five points that moves as far as any: see :func:`_balanced`."""


def _balanced(n: int, extra: int) -> AnySample:
    """Return a sample whose first example decides, if it is in T, all labels of the point 4.

    If it is not, two hypotheses are equally good, but for that example; ``extra`` examples, at a
    point where all agree, are left over.
    """
    half = (n - 1 - extra) // 2
    points: list[Hashable] = [2, *[0] * (2 * half), *[1] * extra]
    return Sample(points, [1, *[0] * half, *[1] * half, *[0] * extra])


@kit.universe("gamma n = 2 and 3, four classes: samples of which one example matters")
def concentrated(budget: kit.Budget) -> Iterator[Promised]:
    """Give samples with gamma n = 2 and 3 of which one example matters."""
    sizes = [(F(1, 10), 20), (F(1, 4), 12), (F(3, 10), 11)]
    sizes += [(F(1, 6), 13), (F(1, 20), 61)][: budget.pick(0, 1, 2)]
    for gamma, n in sizes:
        yield Promised(_ATTAINING, (0, 1, 2, 3, 4), gamma, _balanced(n, 1 - n % 2))
        for H in (cube(2), thresholds(3), cube(3)):
            for sample in delicate(H, n):
                yield Promised(H, tuple(H.domain), gamma, sample)


Constructed = Callable[[Family, F, int], df.StableLearner]


def moves(multiple: int) -> Callable[[Constructed, Promised], kit.Comparison]:
    """Ask whether a learner's predictions are stable up to a multiple of gamma, on one sample."""

    def stable(construct: Constructed, it: Promised) -> kit.Comparison:
        learner = construct(it.H, it.gamma, len(it.sample))
        here = learner.probabilities(it.sample, it.points)
        places = {z: index for index, z in enumerate(it.sample)}  # one neighbour of each type
        moved = max(
            learning_tasks.move(here, learner.probabilities(it.sample.replace(index, w), it.points))
            for z, index in places.items()
            for w in learning_tasks.examples_on(it.points)
            if w != z
        )
        return kit.within(moved, multiple * it.gamma, ceiling=1)

    return stable


def of_all_indices(H: Family, gamma: F, n: int) -> df.StableLearner:
    """Construct without a random subset: a wrong learner."""
    return df.StableLearner(H, n, gamma)


TRIALS.add(
    "algorithm-section-3", "constructed", moves(1), concentrated,
    df.StableLearner.from_outline, of_all_indices,
)  # fmt: skip


# Lemma 13: approximation

_CLASSES: tuple[Callable[[], FiniteClass], ...] = (
    lambda: FiniteClass([[0, 0], [0, 1]]),
    lambda: thresholds(2),
    lambda: cube(2),
    lambda: thresholds(3),
)


def _climb(name: str, *, n: range, sizes: range, decays: Sequence[F]) -> kit.Climb[Case]:
    """Describe a case by its class, the choice of representatives, n, n', rho and n examples."""

    def instance(genes: Genes) -> Case | None:
        which, seed, count, size, decay, *codes = genes
        H = _CLASSES[which]()
        examples = [Example(code // 2 % len(H.domain), code % 2) for code in sorted(codes[:count])]
        if size > count:
            return None
        return Case(H, seed, Sample.from_examples(examples), size, decays[decay])

    genes = (range(len(_CLASSES)), range(3), n, sizes, range(len(decays)))
    return kit.Climb(name, (*genes, *[range(6)] * n[-1]), instance)


@kit.universe("seeded samples with a small decay, and the least alpha for each")
def _accurate_cases(budget: kit.Budget) -> Iterator[Case]:
    for index in range(budget.pick(25, 300, 4000)):
        coins = Random(f"accurate/{index}")
        table = coins.choice((FiniteClass([[0, 0], [0, 1]]), thresholds(2), thresholds(3)))
        n = coins.randint(3, budget.pick(6, 7, 8))
        sample = learning_tasks.random_sample(coins, len(table.domain), n)
        rho = coins.choice((F(1, 4), F(1, 20)))
        yield Case(table, coins.randrange(3), sample, coins.randint(1, n), rho)


def _three_alpha(multiple: F, it: Case) -> kit.Comparison | kit.Finding:
    """For the least alpha, in steps of 1/40, with which the lemma's conditions hold here."""
    H, n = it.H, len(it.sample)
    counts = tuple(map(it.sample.points.count, H.domain))
    subsets = list(combinations(it.sample.points, it.size))
    largest = max(len(it.family.representatives_on(T)) for T in subsets)
    mechanism = (Interval.log(largest) / Interval.log(1 / it.rho)).upper / n
    excess = learning_tasks.mean_excess(it.law, it.sample, H) / n
    for alpha in (F(k, 40) for k in range(1, 40)):
        bad = sum(disagreement(H, frozenset(map(H.column, T)), counts, alpha) for T in subsets)
        if mechanism <= alpha and F(bad, len(subsets)) <= alpha:
            return kit.within(excess, multiple * alpha, ceiling=1)
    return kit.idle()


TRIALS.add(
    "lemma-13.approximation", "three alpha", _three_alpha, _accurate_cases, F(3), F(1, 20),
    _climb(
        "df20-lemma-13-approximation",
        n=range(3, 8), sizes=range(1, 8), decays=(F(1, 4), F(1, 20), F(1, 400)),
    ),
)  # fmt: skip


def _approximates(
    parts: Callable[[Case], tuple[F, Interval]], it: Case
) -> kit.Comparison | kit.Finding:
    """For the excess and a bound on it."""
    found, bound = parts(it)
    exact = learning_tasks.mean_excess(it.law, it.sample, it.H) / len(it.sample)
    if found != exact:
        return kit.settle(False, f"{it}: excess {found}, by definition {exact}")
    return kit.within(exact, bound, ceiling=1)


def _approximation(it: Case) -> df.SampleApproximation:
    return df.approximation_of(it.learner, it.sample)


TRIALS.add(
    "lemma-13.sharp", "samples", _approximates, _cases,
    lambda it: (_approximation(it).excess, _approximation(it).bound),
    lambda it: (_approximation(it).excess, _approximation(it).from_mechanism * F(1, 2)),
)  # fmt: skip


# Lemma 13: stability


@cache
def _predictions(H: FiniteClass, seed: int, sample: AnySample, size: int, rho: F) -> tuple[F, ...]:
    law = Case(H, seed, sample, size, rho).law
    return tuple(learning_tasks.label_one(law, x) for x in H.domain)


Bound = Callable[[df.StableLearner, int], F]


def _stable(bound: Bound, it: Case) -> kit.Comparison:
    def predictions(sample: AnySample) -> tuple[F, ...]:
        # Equal multisets have equal laws.
        ordered = Sample.from_examples(sorted(sample, key=str))
        return _predictions(*it._replace(sample=ordered))

    moved = learning_tasks.furthest_move(predictions, it.sample, it.H.domain)
    return kit.within(moved, bound(it.learner, len(it.sample)), ceiling=1)


@kit.universe("samples of four and more examples of three classes, n' = 1, rho = 9/10")
def _gentle_cases(budget: kit.Budget) -> Iterator[Case]:
    """Samples with n' = 1, so large and with a decay so slow that 3 gamma < 1."""
    for H in (thresholds(2), cube(2), thresholds(3)):
        for n in range(4, budget.pick(5, 6, 7) + 1):
            kinds = list(combinations_with_replacement(learning_tasks.examples_on(H.domain), n))
            for index, kind in enumerate(kinds[:: budget.pick(6, 2, 1)]):
                yield Case(H, index % 3, Sample.from_examples(kind), 1, F(9, 10))


def _three_gamma(learner: df.StableLearner, n: int) -> F:
    """3 gamma for the least gamma with n' <= gamma n and e^gamma >= e^epsilon, from above."""
    return 3 * max(F(learner.subset_size, n), Interval.log(learner.decay**-2).upper)


TRIALS.add(
    "lemma-13.stability", "all neighbours", _stable, _gentle_cases,
    _three_gamma, lambda learner, n: _three_gamma(learner, n) / 3,
    _climb(
        "df20-lemma-13-stability", n=range(4, 8), sizes=range(1, 3),
        decays=[F(k, k + 1) for k in range(4, 20)],
    ),
)  # fmt: skip


@kit.universe("gamma = 1/10, 1/3, 9/10 and three sample sizes")
def _promises(budget: kit.Budget) -> Iterator[tuple[F, int]]:
    for gamma in (F(1, 10), F(1, 3), F(9, 10)):
        yield from ((gamma, n) for n in (30, 100, 1001)[: budget.pick(2, 3, 3)])


def _kept(construct: Callable[[F, int], df.StableLearner], it: tuple[F, int]) -> kit.Comparison:
    """By both accounts."""
    gamma, n = it
    learner = construct(gamma, n)
    part = F(learner.subset_size, n)
    exact = part + (1 - part) * (1 - learner.decay) / (1 + learner.decay)
    return kit.within(max(exact, learner.paper_stability(n)), gamma)


TRIALS.add(
    "lemma-13.stability", "the paper's account", _kept, _promises,
    lambda gamma, n: df.StableLearner.from_lemma_13(thresholds(9), gamma / 3, n),
    lambda gamma, n: df.StableLearner.from_lemma_13(thresholds(9), gamma, n),
)  # fmt: skip
TRIALS.add(
    "lemma-13.stability", "constructed", moves(3), concentrated,
    df.StableLearner.from_lemma_13, of_all_indices,
)  # fmt: skip


@kit.universe("samples of up to three examples of three classes")
def _stability_cases(budget: kit.Budget) -> Iterator[Case]:
    for H in (FiniteClass([[0, 0], [0, 1]]), thresholds(2), cube(2)):
        for n in range(1, budget.pick(4, 5, 6)):
            for sample in list(all_labelled_samples(H, n))[:: budget.pick(2 * n - 1, 1, 1)]:
                for size in range(1, n + 1):
                    yield Case(H, size % 2, sample, size, F(1, 2))
                    yield Case(H, 0, sample, size, F(4, 5))


def _own(learner: df.StableLearner, n: int) -> F:
    return learner.stability(n)


def _without_the_subset(learner: df.StableLearner, _: int) -> F:
    return (1 - learner.decay) / (1 + learner.decay)


TRIALS.add(
    "lemma-13.stability.sharp", "all neighbours", _stable, _stability_cases,
    _own, _without_the_subset,
    _climb(
        "df20-lemma-13-sharp", n=range(1, 5), sizes=range(1, 5),
        decays=[F(k, 10) for k in range(1, 10)],
    ),
)  # fmt: skip


class Equality(NamedTuple):
    """n, n', whether an example is left over, and rho."""

    n: int
    size: int
    extra: int
    rho: F


@kit.universe("a class of four hypotheses on five points, up to nine examples, n' up to 4")
def _equalities(_: kit.Budget) -> Iterator[Equality]:
    shapes = (
        (1, 1, 0), (3, 1, 0), (3, 2, 0), (5, 1, 0), (5, 3, 0), (9, 4, 0), (4, 2, 1), (6, 3, 1),
    )  # fmt: skip
    yield from (Equality(*shape, rho) for shape in shapes for rho in (F(1, 2), F(9, 10)))


def _attained(bound: Bound, it: Equality) -> kit.Comparison:
    """Without the replaced example two are equally good; with it, all agree on the point 4."""
    sample = _balanced(it.n, it.extra)
    given = sample, sample.replace(0, Example(3, 0))
    p, q = (
        learning_tasks.label_one(learning_tasks.naive_selection(_ATTAINING, S, it.size, it.rho), 4)
        for S in given
    )
    allowed = bound(_stable_learner(_ATTAINING, it.size, it.rho), it.n)
    return kit.within(abs(p - q), allowed, ceiling=1)


TRIALS.add(
    "lemma-13.stability.sharp", "equality", _attained, _equalities, _own, _without_the_subset
)
