"""Sections II, IV-B and IV-C: the overview of the proof, the distributions D_k, and Lemma 14.

The overview counts mistakes, and has a random contest. The D_k have a variant with a budget.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

from pac_stability.books.bun_livni_moran import literal, settings
from pac_stability.books.bun_livni_moran.literal import Tournaments, TournamentSetting
from pac_stability.claims import kit
from pac_stability.claims.kit import Budget, Finding
from pac_stability.classes import FiniteClass, affine_lines
from pac_stability.data import Example, Sample
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran import RandomContest
from pac_stability.papers.bun_livni_moran.formulas import ExpectedDraws, expected_draws
from pac_stability.randomness import SeededCoins

TRIALS = kit.Table("BLM20")
F = Fraction


class Runs:
    """The SOA on all samples of n examples: how many mistakes it makes, and what it ends with."""

    def __init__(self, setting: TournamentSetting) -> None:
        self.setting, self.d, soa = setting, setting.dimension, setting.soa
        self.all = [(T, p, soa.mistakes(T), soa(T)) for T, p in setting.blocks()]

    def mass(self, mistakes: int) -> Fraction:
        """Return Pr[M = i]."""
        return sum((p for _, p, M, _ in self.all if mistakes == M), F(0))

    @cached_property
    def ready(self) -> list[tuple[literal.Sequence, Fraction, int]]:
        """The samples with d - 1 mistakes, their probabilities, and the predictors after them."""
        return [(T, p, f) for T, p, M, f in self.all if self.d - 1 == M]

    @cached_property
    def frequencies(self) -> dict[int, Fraction]:
        """How likely each predictor comes with d - 1 mistakes."""
        law = defaultdict[int, Fraction](Fraction)
        for _, p, f in self.ready:
            law[f] += p
        return dict(law)

    @property
    def q(self) -> Fraction:
        """Pr[M = d - 1]."""
        return self.mass(self.d - 1)

    @property
    def collision(self) -> Fraction:
        """Pr[f_1 = f_2] given that both runs make d - 1 mistakes; 1 if none does."""
        squares = sum((p * p for p in self.frequencies.values()), F(0))
        return squares / self.q**2 if self.q else F(1)

    @property
    def highest(self) -> Fraction:
        """The frequency of the most frequent output, whatever the mistakes."""
        law = defaultdict[int, Fraction](Fraction)
        for _, p, _, f in self.all:
            law[f] += p
        return max(law.values())

    @property
    def won(self) -> Fraction:
        """How likely the contest takes place and outputs the target, pair by pair."""
        won, soa = F(0), self.setting.soa
        for T, p, f in self.ready:
            # Each player wins against all others with probability 1/2, first or second in the pair.
            for g, q in self.frequencies.items():
                if f != g and soa((*T, self.setting.mistake(f, g))) == self.setting.concept:
                    won += p * q
        return won


@kit.universe(
    "every class on up to 2 points with every concept and n up to 2, the lines over GF(3), then "
    "seeded classes on up to 5 points"
)
def _any_settings(budget: Budget) -> Iterator[TournamentSetting]:
    yield from settings.uniform_settings((1, 2), (1, 2), least=1)
    H = FiniteClass(affine_lines(3).table)
    yield TournamentSetting(H, min(literal.hypotheses_of(H)), (1,) * 9, budget.pick(2, 3, 3))
    many = settings.random_settings(
        budget.pick(80, 800, 8000), points=5, rows=9, n=3, seed="overview"
    )
    yield from (setting for setting in many if setting.dimension >= 1)


_settings = _any_settings.and_on(settings.own_settings(least=1))


def _some_number(
    least: Callable[[int], Fraction], setting: TournamentSetting
) -> kit.Finding | kit.Comparison:
    runs = Runs(setting)
    found = [runs.mass(i) for i in range(runs.d + 1)]
    if sum(found) != 1:
        return kit.fails(f"{setting}: M = 0, ..., d with probabilities {found}, which are not all")
    return kit.reaches(max(found), least(runs.d))


def _identified(slack: int, setting: TournamentSetting) -> Iterator[kit.Finding]:
    runs = Runs(setting)
    for T, _, M, f in runs.all:
        if runs.d - slack <= M:
            shown = literal.label_string(f, setting.points)
            text = f"{setting}: after {M} mistakes on {T} the SOA predicts {shown}"
            yield kit.settle(f == setting.concept, text)


def _agreement(
    share: Callable[[Fraction], Fraction], setting: TournamentSetting
) -> kit.Finding | kit.Comparison:
    runs = Runs(setting)
    if not runs.q or runs.collision < F(1, 4):
        return kit.idle()  # the other case of the overview
    all_with_mistakes = (
        sum((p for _, p, _, g in runs.all if g == f), F(0)) for f in runs.frequencies
    )
    return kit.reaches(max(all_with_mistakes), share(runs.q))


TRIALS.add(
    "overview-mistakes", "some number is likely", _some_number, _settings,
    lambda d: F(1, d + 1), lambda d: F(1, d),
)  # fmt: skip
TRIALS.add("overview-mistakes", "d mistakes identify", _identified, _settings, 0, 1)
TRIALS.add(
    "overview-agreement", "the most frequent output", _agreement, _settings,
    lambda q: q / 4, lambda q: q,
)  # fmt: skip

# The contest


def _pair_by_pair(
    formula: Callable[[Fraction, Fraction], Fraction], setting: TournamentSetting
) -> kit.Comparison:
    runs = Runs(setting)
    return kit.same(formula(runs.q, runs.collision), runs.won)


TRIALS.add(
    "overview-contest", "pair by pair", _pair_by_pair, _settings,
    lambda q, collision: q * q * (1 - collision) / 2, lambda q, collision: q * q * (1 - collision),
)  # fmt: skip


@kit.universe("five and six points with as many predictors after one mistake, n up to 2")
def _spread(budget: Budget) -> Iterator[TournamentSetting]:
    """Give targets whose points are as many different predictors after one mistake.

    They are the points of one set, beside which the class has each of them alone, and with one
    point outside: after a mistake at x the SOA predicts x alone.
    """
    for k in range(5, budget.pick(6, 7, 8) + 1):
        alone = [[int(x == y) for y in range(k)] for x in range(k)]
        H = FiniteClass([[1] * k + [0], *([*row, e] for row in alone for e in (0, 1))])
        for weights in ((1,) * k + (0,), (2,) * k + (1,), (2,) + (1,) * (k - 1) + (0,)):
            for n, highest in ((1, False), (1, True), (2, False)):
                yield TournamentSetting(H, (1 << k) - 1, weights, n, highest=highest)


def _often_won(share: Fraction, setting: TournamentSetting) -> kit.Finding | kit.Comparison:
    runs = Runs(setting)
    if not runs.q or runs.collision >= F(1, 4):
        return kit.idle()
    return kit.reaches(runs.won, share * runs.q**2)


TRIALS.add("overview-contest", "at least 3 q^2/8", _often_won, _spread, F(3, 8), F(9, 20))


def _reason(share: int, setting: TournamentSetting) -> kit.Finding | kit.Comparison:
    """Which of the three cases it is, and what is frequent by it."""
    runs = Runs(setting)
    q, least = runs.q, F(1, runs.d + 1)
    if runs.mass(runs.d) >= least:
        meant = "identified", runs.highest, least
    elif q < least:
        return kit.idle()
    elif runs.collision >= F(1, 4):
        meant = "collision", runs.highest, q / 4
    else:
        meant = "contest", runs.won, 3 * q * q / 8
    contest = RandomContest(setting.H, setting.target, setting.n, tie=setting.tie)
    case, value, bound = contest.frequent_output()
    if (case, value, bound) != meant:
        return kit.fails(f"{setting}: by {case} {value}, at least {bound}; by listing {meant}")
    return kit.reaches(value, bound * share)


_all_cases = replace(
    _settings,
    words=f"{_settings.words}, and five and six points with as many predictors after one mistake",
    instances=lambda budget: chain(_settings.instances(budget), _spread.instances(Budget.QUICK)),
)
TRIALS.add("overview-contest", "what is frequent, and why", _reason, _all_cases, 1, 2)


class At(NamedTuple):
    """A setting and a number of tournaments."""

    setting: TournamentSetting
    k: int


@kit.universe(
    "every class on up to 2 points with every concept and tie, n up to 2, two counterexamples to "
    "Lemma 12, two classes with both ways of picking, then seeded settings on up to 3 points; k up "
    "to 2 (3 from the standard budget on)"
)
def _any_levels(budget: kit.Budget) -> Iterator[At]:
    first = chain(
        settings.uniform_settings((1, 2), (1, 2)),
        map(settings.counterexample, ("equal-weights", "pairs")),
        settings.where_the_pick_counts(),
    )
    yield from (At(*it) for it in product(first, range(3)))
    seeded = settings.random_settings(budget.pick(25, 250, 2500), points=3, rows=6, n=1)
    yield from (At(*it) for it in product(seeded, range(budget.pick(3, 4, 4))))


def _own_levels(H: FiniteClass) -> Iterator[At]:
    return (At(*it) for it in product(settings.own_settings().instances(H), range(3)))


_levels = _any_levels.and_on(
    kit.OnClass(_own_levels, f"{settings.OWN_SETTINGS}; k up to 2", points=3, hypotheses=8)
)
_listed = replace(_levels, words=f"{_levels.words}; all samples")

# The law of the output, and where it is undefined

Law = dict[int, Fraction] | None
"""Pr[SOA(S o T) = f] by f; ``None`` if the rounds never end."""


def _library_law(setting: TournamentSetting, k: int) -> Law:
    D = settings.tournaments(setting, k)
    return dict(D.law_of_output().items()) if D.is_defined else None


def _law_of_losers(setting: TournamentSetting, k: int) -> Law:
    return Tournaments(setting, loser=True).outputs(k) or None


def _as_listed(law: Callable[[TournamentSetting, int], Law], at: At) -> kit.Comparison:
    return kit.same(law(*at), Tournaments(at.setting).outputs(at.k) or None)


def _defined(setting: TournamentSetting, k: int) -> bool:
    return settings.tournaments(setting, k, None).is_defined


def _defined_at_equality(setting: TournamentSetting, k: int) -> bool:
    tau = F(1, 2**setting.dimension)
    return settings.tournaments(setting, k, min(F(1), tau + F(1, 1000))).is_defined


def _as_defined(is_defined: Callable[[TournamentSetting, int], bool], at: At) -> kit.Comparison:
    D, tau = Tournaments(at.setting), F(1, 2**at.setting.dimension)
    below = [max(D.outputs(j).values(), default=tau) for j in range(at.k)]
    return kit.same(is_defined(*at), all(p < tau for p in below))


def _ends(least: Callable[[Fraction], Fraction], at: At) -> Finding | kit.Comparison:
    frequencies = Tournaments(at.setting).outputs(at.k)
    if not frequencies:
        return kit.idle()
    tau, theta = max(frequencies.values()), 1 - sum(p * p for p in frequencies.values())
    if (theta > 0) != (tau < 1):
        return kit.fails(
            f"{kit.show(at)}: two players differ with probability {theta}, for frequency {tau}"
        )
    return kit.reaches(theta, least(tau))


_DEFINITION = "definition-tournaments"
TRIALS.add(_DEFINITION, "the law of the output", _as_listed, _levels, _library_law, _law_of_losers)
TRIALS.add(
    _DEFINITION, "where it is undefined", _as_defined, _levels, _defined, _defined_at_equality
)
TRIALS.add(
    "remark-termination", "how often players differ", _ends, _levels,
    lambda tau: 1 - tau, lambda tau: 1 - tau / 2,
)  # fmt: skip

# Samples that the library draws


class Drawn(NamedTuple):
    """A setting, a number of tournaments and a seed."""

    setting: TournamentSetting
    k: int
    seed: int


@kit.universe(f"samples drawn with seeds, over {_levels.words}")
def _drawn(budget: kit.Budget) -> Iterator[Drawn]:
    for setting, k in _levels.instances(kit.Budget.QUICK):
        if settings.tournaments(setting, k).is_defined:
            yield from (Drawn(setting, k, seed) for seed in range(budget.pick(1, 4, 20)))


def _sizes(sizes: Callable[[int, int], tuple[int, int]], it: Drawn) -> Finding:
    setting, k, seed = it
    n, S = setting.n, settings.tournaments(setting, k).run(SeededCoins(seed)).sample
    examples = [(int(str(z.point)), z.label) for z in S]
    matches = set(range(n, len(examples), n + 1))
    right = all(
        setting.soa(tuple(examples[:i])) >> x & 1 != y
        if i in matches
        else setting.weights[x] > 0 and setting.concept >> x & 1 == y
        for i, (x, y) in enumerate(examples)
    )
    return kit.settle(
        (len(examples), len(matches)) == sizes(k, n) and right,
        f"{kit.show(it)}: {len(examples)} examples, {len(matches)} of them from tournaments, not "
        f"{sizes(k, n)}; or an example of the wrong kind: {examples}",
    )


TRIALS.add(
    "remark-sizes", "samples drawn", _sizes, _drawn,
    lambda k, n: (k * (n + 1), k), lambda k, n: (k * n, k),
)  # fmt: skip


@kit.universe("the drawing, and samples drawn with seeds")
def _seeds(budget: kit.Budget) -> Iterator[int | None]:
    yield None  # the winners of the drawing
    yield from range(budget.pick(40, 400, 4000))


def _parts(name: Callable[[blm.TournamentRecord], tuple[str, ...]], seed: int | None) -> Finding:
    record = blm.figure_2(None if seed is None else SeededCoins(seed))
    names = name(record)
    examples = [z for part in names for z in _part(record, part)]
    drawn = ("T_010", "(x_01, y_01)", "T_01", "(x_0, y_0)", "T_0", "(x, y)")
    return kit.settle(
        Sample.from_examples(examples) == record.sample and (seed is not None or names == drawn),
        f"seed {seed}: the parts {' o '.join(names)} are {examples}, the sample is {record.sample}",
    )


def _part(record: blm.TournamentRecord, name: str) -> list[Example[Hashable]]:
    """Look a part up in the tree, by the way to it that its name tells."""
    way = name.partition("_")[2].partition(",")[0] if "_" in name else ""
    if name.startswith("T"):
        return list(_match(record, way[:-1]).players[int(way[-1])].drawn)
    return [_match(record, way).example]


def _match(record: blm.TournamentRecord, way: str) -> blm.Match:
    match = record.match
    if match is None:
        raise ValueError("a way that ends at the empty sample")
    return _match(match.players[int(way[0])].record, way[1:]) if way else match


TRIALS.add(
    "figure-2", "parts looked up in the tree", _parts, _seeds,
    blm.parts_of_sample, lambda record: blm.parts_of_sample(record)[::-1],
)  # fmt: skip

# Observation 11


def _mistakes(play: Callable[[TournamentSetting], Tournaments], at: At) -> Iterator[Finding]:
    setting, k = at
    n, soa = setting.n, setting.soa
    for S, _, _ in play(setting).players(k) if k else ():
        made = all(soa(S[:i]) >> S[i][0] & 1 != S[i][1] for i in range(n, k * (n + 1), n + 1))
        text = f"{setting}, k = {k}: on {S} a tournament example is no mistake"
        yield kit.settle(made and soa.mistakes(S) >= k, text)


def _fits_the_last(patches: bool, at: At) -> Iterator[Finding]:
    setting, k = at
    soa = literal.Soa(literal.hypotheses_of(setting.H), setting.points, setting.tie, patches)
    for S, _, f in Tournaments(setting, soa).players(k):
        T = S[len(S) - setting.n :]
        text = f"{setting}, k = {k}: SOA(S o T) is wrong on T = {T} after {S}"
        yield kit.settle(all(f >> x & 1 == y for x, y in T), text)


TRIALS.add(
    "observation-11", "mistakes", _mistakes, _listed,
    Tournaments, lambda setting: Tournaments(setting, loser=True),
)  # fmt: skip
TRIALS.add("observation-11", "consistent with T", _fits_the_last, _listed, True, False)

# The variant with a budget of draws


class Limited(NamedTuple):
    """A setting, a number of tournaments and a budget in blocks of n draws."""

    setting: TournamentSetting
    k: int
    blocks: int

    @property
    def outputs(self) -> dict[int | None, Fraction]:
        """The law of the output, by listing; ``None`` for "Fail"."""
        return literal.Budgeted(self.setting, self.blocks * self.setting.n).outputs(self.k)


@kit.universe(
    "a counterexample to Lemma 12, every class on up to 2 points with every concept and tie and k "
    "up to 2, two classes on 3 points with k = 2, then seeded settings on up to 3 points; budgets "
    "up to 12 n"
)
def _limited(budget: kit.Budget) -> Iterator[Limited]:
    seeded = settings.random_settings(budget.pick(20, 200, 2000), points=3, rows=5, n=2)
    asked = chain(
        product([settings.counterexample("equal-weights")], [1], [2, 4, 8]),
        chain.from_iterable(
            chain(product([setting], [0, 1], [2, 4, 6]), product([setting], [2], [6, 8]))
            for setting in settings.uniform_settings((1, 2), (1,))
        ),
        # With twelve blocks a tie of two winners of D_1 can be followed by another round.
        product(settings.where_the_pick_counts(), [2], [6, 12]),
        product(seeded, [1], [2, 5, 8]),
    )
    yield from (Limited(*it) for it in asked)


def _library_variant(it: Limited) -> dict[int | None, Fraction]:
    setting, k, blocks = it
    H, target, n = setting.H, setting.target, setting.n
    D = blm.MonteCarloTournament(H, target, k, n, blocks * n, pick=setting.order, tie=setting.tie)
    return dict(D.law_of_output().items())


def _same_variant(
    variant: Callable[[Limited], dict[int | None, Fraction]], it: Limited
) -> kit.Comparison:
    return kit.same(variant(it), it.outputs)


TRIALS.add(
    "definition-monte-carlo", "the law of the output", _same_variant, _limited,
    _library_variant, lambda it: _library_variant(it._replace(blocks=it.blocks + 2)),
)  # fmt: skip

# Lemma 14


def _nearly_two_outputs() -> Iterator[TournamentSetting]:
    """Three hypotheses; D_0 has two outputs of nearly 1/2, so that most rounds are ties."""
    H = FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    for (n, rare), highest in product(((1, 499), (1, 400)), (False, True)):
        yield TournamentSetting(H, 0, (rare, 499, 1001 - rare - 499), n, 1, highest)


@kit.universe(
    "every class of dimension at least 1 on up to 2 points with every concept and tie, three "
    "hypotheses that make nearly two outputs, the counterexamples to Lemma 12, then seeded "
    "settings on up to 6 points, and one of three (of nine, from the standard budget on) "
    f"{settings.CONTESTED}; samples are listed with their draws where they are few"
)
def _of_lemma_14(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from settings.uniform_settings((1, 2), (1, 2), least=1)
    yield from _nearly_two_outputs()
    yield from settings.counterexamples()
    yield from settings.of_dimension_two(budget, thinned=budget.pick(3, 9, 9))
    many = settings.random_settings(
        budget.pick(80, 800, 8000), points=6, rows=9, n=3, seed="lemma-14"
    )
    yield from (setting for setting in many if setting.dimension >= 1)


_in_dimension = _of_lemma_14.and_on(settings.own_settings(least=1))


def _below_threshold(step: int, setting: TournamentSetting) -> Iterator[Finding]:
    d = setting.dimension
    D, tau = settings.tournaments(setting, d, None), F(1, 2**d)
    for i in range(D.last_defined + 1 - step):
        found = D.at(i).highest_frequency
        text = (
            f"{setting}: D_{i + step} is defined, and an output of D_{i} has frequency {found} >= "
            f"2^-{d}"
        )
        yield kit.reaches(tau, found, strictly=True).settle(text)


TRIALS.add("lemma-14.indices", "the highest frequency", _below_threshold, _in_dimension, 0)
TRIALS.add(
    "lemma-14.indices-repaired", "the highest frequency", _below_threshold, _in_dimension, 1, 0
)

Draws = Callable[[int, int, Fraction], Fraction]
"""From k, n and the threshold to a bound on E[M_k]."""


def _mean_draws(bound: Draws, setting: TournamentSetting) -> Iterator[Finding | kit.Comparison]:
    d, n = setting.dimension, setting.n
    listed = Tournaments(setting) if sum(map(bool, setting.weights)) ** n <= 5 else None
    for tau in (F(1, 2**d), F(1, 2)):
        D = settings.tournaments(setting, d, tau)
        for k in range(D.last_defined + 1):
            found = D.at(k).expected_draws
            mean = found if listed is None or k > 2 else listed.mean_draws(k)
            formula = expected_draws((D.at(i).collision for i in range(k)), n)
            text = f"{setting}: E[M_{k}] = {mean}, the library says {found}, by formula {formula}"
            yield (
                kit.within(found, bound(k, n, tau)) if mean == found == formula else kit.fails(text)
            )


def _from_threshold(k: int, n: int, tau: Fraction) -> Fraction:
    return ExpectedDraws(k, n, tau).from_threshold


_FROM_DIFFERENCES = "the mean, from how often players differ"
TRIALS.add(
    "lemma-14", _FROM_DIFFERENCES, _mean_draws, _in_dimension,
    lambda k, n, _: F(4 ** (k + 1) * n), lambda k, n, _: F(2 * (2**k - 1) * n),
    settings.tournament_settings("blm20-lemma-14", n=3, dimensions=(1, 2)),
)  # fmt: skip


def _by_the_law(share: Fraction, it: Limited) -> Finding | kit.Comparison:
    """Markov's inequality; outputs do not depend on the draws."""
    D = settings.tournaments(it.setting, it.k)
    if not D.is_defined:
        return kit.idle()
    N, outputs = it.blocks * it.setting.n, it.outputs
    fail = outputs.get(None, F(0))
    if any(outputs.get(f, F(0)) != p * (1 - fail) for f, p in D.law_of_output().items()):
        return kit.fails(f"{kit.show(it)}: outputs depend on the draws")
    return kit.within(fail * N, share * D.expected_draws, ceiling=N)


TRIALS.add("lemma-14", "Markov's inequality against the law", _by_the_law, _limited, F(1), F(1, 4))


@kit.universe("k up to 4, n = 1 and 7, tau = 1/2, 1/4 and 1/140")
def _sums(_: kit.Budget) -> Iterator[tuple[int, int, Fraction]]:
    yield from product(range(5), (1, 7), (F(1, 2), F(1, 4), F(1, 140)))


def _ordered(
    bounds: Callable[[int, int, Fraction], ExpectedDraws], it: tuple[int, int, Fraction]
) -> Finding | kit.Comparison:
    k, n, tau = it
    found, g = bounds(k, n, tau), 2 / (1 - tau)
    meant = sum((g**j for j in range(1, k + 1)), F(0)) * n
    summed, printed = (2 ** (2 * k + 2) - 4) // 3 * n, 2 ** (2 * k + 2) * n
    if not (found.from_threshold == meant and found.summed == summed < printed == found.printed):
        return kit.fails(
            f"k = {k}, n = {n}, tau = {tau}: {found!r}, not {meant}, {summed}, {printed}"
        )
    return kit.within(meant, summed)


TRIALS.add(
    "lemma-14.repaired", "the three bounds", _ordered, _sums,
    ExpectedDraws, lambda k, n, tau: ExpectedDraws(k, n, tau / 2),
)  # fmt: skip
TRIALS.add(
    "lemma-14.repaired", _FROM_DIFFERENCES, _mean_draws, _in_dimension,
    _from_threshold, lambda k, n, tau: _from_threshold(k, n, tau) * (1 - tau),
)  # fmt: skip
