"""Section IV-B: the distributions D_k, what their samples look like, and Observation 11."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.literal import (
    Soa,
    Tournaments,
    TournamentSetting,
    hypotheses_of,
)
from pac_stability.books.bun_livni_moran.settings import (
    OWN_SETTINGS,
    counterexample,
    own_settings,
    random_settings,
    tournaments,
    uniform_settings,
    where_the_pick_counts,
)
from pac_stability.claims.trials import (
    Budget,
    Finding,
    OnClass,
    Trials,
    all_of,
    at_least,
    fails,
    idle,
    settle,
    trial,
)
from pac_stability.data import Example, Sample
from pac_stability.papers.bun_livni_moran import (
    Match,
    TournamentRecord,
    figure_2,
    parts_of_sample,
)
from pac_stability.randomness import SeededCoins

At: TypeAlias = tuple[TournamentSetting, int]
"""A setting and a number of tournaments."""


def _levels(budget: Budget) -> Iterator[At]:
    for setting in uniform_settings((1, 2), (1, 2)):
        for k in range(3):
            yield setting, k
    for name in ("equal-weights", "pairs"):
        for k in range(3):
            yield counterexample(name), k
    yield from product(where_the_pick_counts(), range(3))
    for setting in random_settings(budget.pick(25, 250, 2500), points=3, rows=6, n=1):
        for k in range(budget.pick(3, 4, 4)):
            yield setting, k


_LEVELS = (
    "every class on up to 2 points with every concept and tie, n up to 2, two counterexamples to "
    "Lemma 12, two classes with both ways of picking, then seeded settings on up to 3 points; k up "
    "to 2 (3 from the standard budget on)"
)

_OWN_LEVELS: OnClass[At] = OnClass(
    lambda H: product(own_settings().instances(H), range(3)),
    f"{OWN_SETTINGS}; k up to 2",
    points=3,
    hypotheses=8,
)

Law: TypeAlias = Callable[[TournamentSetting, int], dict[int, Fraction] | None]
"""Pr[SOA(S o T) = f] by f; ``None`` if the rounds never end."""


def _library_law(setting: TournamentSetting, k: int) -> dict[int, Fraction] | None:
    D = tournaments(setting, k)
    return dict(D.law_of_output().items()) if D.is_defined else None


def _law_of_losers(setting: TournamentSetting, k: int) -> dict[int, Fraction] | None:
    return Tournaments(setting, loser=True).outputs(k) or None


def _as_listed(law: Law, at: At) -> Finding:
    setting, k = at
    meant, found = Tournaments(setting).outputs(k) or None, law(setting, k)
    return settle(meant == found, f"{setting}, k = {k}: law {found}, by listing samples {meant}")


def _defined(setting: TournamentSetting, k: int) -> bool:
    return tournaments(setting, k, None).is_defined


def _defined_at_equality(setting: TournamentSetting, k: int) -> bool:
    tau = Fraction(1, 2**setting.dimension)
    return tournaments(setting, k, min(Fraction(1), tau + Fraction(1, 1000))).is_defined


def _as_defined(is_defined: Callable[[TournamentSetting, int], bool], at: At) -> Finding:
    setting, k = at
    D, tau = Tournaments(setting), Fraction(1, 2**setting.dimension)
    below = [max(D.outputs(j).values(), default=tau) for j in range(k)]
    meant, found = all(p < tau for p in below), is_defined(setting, k)
    return settle(
        meant == found,
        f"{setting}, k = {k}: highest frequencies {', '.join(map(str, below))}, 2^-d = {tau}; "
        f"said {'defined' if found else 'undefined'}",
    )


def _ends(least: Callable[[Fraction], Fraction], at: At) -> Finding:
    setting, k = at
    frequencies = Tournaments(setting).outputs(k)
    if not frequencies:
        return idle()
    tau = max(frequencies.values())
    theta = 1 - sum(p * p for p in frequencies.values())
    text = (
        f"{setting}, k = {k}: two players differ with probability {theta}, not at least "
        f"{least(tau)}, for highest frequency {tau}"
    )
    return at_least(theta, least(tau), text) if (theta > 0) == (tau < 1) else fails(text)


# Samples that the library draws

Drawn: TypeAlias = tuple[TournamentSetting, int, int]
"""A setting, a number of tournaments and a seed."""


def _drawn(budget: Budget) -> Iterator[Drawn]:
    for setting, k in _levels(Budget.QUICK):
        if tournaments(setting, k).is_defined:
            for seed in range(budget.pick(1, 4, 20)):
                yield setting, k, seed


def _sizes(sizes: Callable[[int, int], tuple[int, int]], instance: Drawn) -> Finding:
    setting, k, seed = instance
    n, S = setting.n, tournaments(setting, k).run(SeededCoins(seed)).sample
    examples = [(int(str(z.point)), z.label) for z in S]
    appended = examples[n :: n + 1]
    others = [z for i, z in enumerate(examples) if i % (n + 1) != n]
    from_target = all(setting.weights[x] > 0 and setting.concept >> x & 1 == y for x, y in others)
    mistakes = all(
        setting.soa(tuple(examples[:i])) >> x & 1 != y
        for i, (x, y) in enumerate(examples)
        if i % (n + 1) == n
    )
    return settle(
        (len(examples), len(appended)) == sizes(k, n) and from_target and mistakes,
        f"{setting}, k = {k}, seed {seed}: {len(examples)} examples, {len(appended)} of them from "
        f"tournaments, not {sizes(k, n)}; or an example of the wrong kind: {examples}",
    )


# Figure 2


def _seeds(budget: Budget) -> Iterator[int | None]:
    yield None  # the winners of the drawing
    yield from range(budget.pick(40, 400, 4000))


def _parts(name: Callable[[TournamentRecord], tuple[str, ...]], seed: int | None) -> Finding:
    record = figure_2(None if seed is None else SeededCoins(seed))
    names = name(record)
    examples: list[Example[Hashable]] = []
    for part in names:
        examples += _part(record, part)
    drawn = ("T_010", "(x_01, y_01)", "T_01", "(x_0, y_0)", "T_0", "(x, y)")
    return settle(
        Sample.from_examples(examples) == record.sample and (seed is not None or names == drawn),
        f"seed {seed}: the parts {' o '.join(names)} are {examples}, the sample is {record.sample}",
    )


def _part(record: TournamentRecord, name: str) -> list[Example[Hashable]]:
    """Look a part up in the tree, by the way to it that its name tells."""
    way = name.partition("_")[2].partition(",")[0] if "_" in name else ""
    if name.startswith("T"):
        return list(_match(record, way[:-1]).players[int(way[-1])].drawn)
    return [_match(record, way).example]


def _match(record: TournamentRecord, way: str) -> Match:
    match = record.match
    if match is None:
        raise ValueError("a way that ends at the empty sample")
    return _match(match.players[int(way[0])].record, way[1:]) if way else match


# Observation 11


def _mistakes(play: Callable[[TournamentSetting], Tournaments], at: At) -> Finding:
    setting, k = at
    n, soa = setting.n, setting.soa
    places = range(n, k * (n + 1), n + 1)
    return all_of(
        settle(
            all(soa(S[:i]) >> S[i][0] & 1 != S[i][1] for i in places) and soa.mistakes(S) >= k,
            f"{setting}, k = {k}: on {S} a tournament example is no mistake",
        )
        for S, _, _ in play(setting).players(k)
        if places
    )


def _fits_the_last(patches: bool, at: At) -> Finding:
    setting, k = at
    soa = Soa(hypotheses_of(setting.H), setting.points, setting.tie, patches)
    return all_of(
        settle(
            all(f >> x & 1 == y for x, y in S[len(S) - setting.n :]),
            f"{setting}, k = {k}: SOA(S o T) is wrong on T = {S[len(S) - setting.n :]} after {S}",
        )
        for S, _, f in Tournaments(setting, soa).players(k)
    )


TRIALS: Trials = {
    "BLM20:definition-tournaments": (
        trial(
            "the law of the output",
            _as_listed,
            _levels,
            subject=_library_law,
            mutant=_law_of_losers,
            universe=_LEVELS,
            on_class=_OWN_LEVELS,
        ),
        trial(
            "where it is undefined",
            _as_defined,
            _levels,
            subject=_defined,
            mutant=_defined_at_equality,
            universe=_LEVELS,
            on_class=_OWN_LEVELS,
        ),
    ),
    "BLM20:remark-termination": (
        trial(
            "how often players differ",
            _ends,
            _levels,
            subject=lambda tau: 1 - tau,
            mutant=lambda tau: 1 - tau / 2,
            universe=_LEVELS,
            on_class=_OWN_LEVELS,
        ),
    ),
    "BLM20:remark-sizes": (
        trial(
            "samples drawn",
            _sizes,
            _drawn,
            subject=lambda k, n: (k * (n + 1), k),
            mutant=lambda k, n: (k * n, k),
            universe="samples drawn with seeds, over " + _LEVELS,
        ),
    ),
    "BLM20:figure-2": (
        trial(
            "parts looked up in the tree",
            _parts,
            _seeds,
            subject=parts_of_sample,
            mutant=lambda record: parts_of_sample(record)[::-1],
            universe="the drawing, and samples drawn with seeds",
        ),
    ),
    "BLM20:observation-11": (
        trial(
            "mistakes",
            _mistakes,
            _levels,
            subject=Tournaments,
            mutant=lambda setting: Tournaments(setting, loser=True),
            universe=_LEVELS + "; all samples",
            on_class=_OWN_LEVELS,
        ),
        trial(
            "consistent with T",
            _fits_the_last,
            _levels,
            subject=True,
            mutant=False,
            universe=_LEVELS + "; all samples",
            on_class=_OWN_LEVELS,
        ),
    ),
}
