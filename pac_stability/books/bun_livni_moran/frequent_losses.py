"""Section IV-B: Lemma 13, the loss of what the tournaments output often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from pac_stability.arithmetic import Interval
from pac_stability.books.bun_livni_moran.climbs import tournament_settings
from pac_stability.books.bun_livni_moran.contested import first, with_a_twin
from pac_stability.books.bun_livni_moran.frequent_hypotheses import SETTINGS, all_settings
from pac_stability.books.bun_livni_moran.literal import TournamentSetting, label_string
from pac_stability.books.bun_livni_moran.settings import own_settings, tournaments
from pac_stability.claims.trials import Budget, Finding, Trials, all_of, at_most, trial
from pac_stability.classes import FiniteClass
from pac_stability.papers.bun_livni_moran.formulas import FrequentOutputLoss


def _erring(budget: Budget) -> Iterator[TournamentSetting]:
    """Settings where what is frequent has a loss, then all others."""
    for d, n in product((1, 2, 3), range(2, budget.pick(9, 13, 17))):
        yield _barely_unseen(d, n)
    yield from first(with_a_twin, budget.pick(20, 100, 1000))
    yield from all_settings(budget)


def _barely_unseen(d: int, n: int) -> TournamentSetting:
    """All labelings of d points, seen so rarely that none of them is with probability 2^-d."""
    most = max(w for w in range(1000) if (1000 - w) ** n * 2**d >= 1000**n)
    rows = [[*labels, 0] for labels in product((0, 1), repeat=d)]
    weights = [most // d] * d
    return TournamentSetting(FiniteClass(rows), 0, (*weights, 1000 - sum(weights)), n)


_ERRING = (
    "all labelings of up to 3 points that none of n examples is at with a probability of just "
    "2^-d, n up to 8 (more with the budget), seeded settings in which an output of D_1 has a loss "
    f"(20, 100, 1000), then {SETTINGS}"
)


def _stated_loss(d: int, n: int) -> Interval:
    return FrequentOutputLoss(Fraction(1, 2**d), n).lemma_13()


def _small_loss(bound: Callable[[int, int], Interval], setting: TournamentSetting) -> Finding:
    d, n = setting.dimension, setting.n
    D = tournaments(setting, d, None)
    return all_of(
        at_most(
            setting.loss(f),
            bound(d, n),
            f"{setting}, k = {k}: {label_string(f, setting.points)} has frequency {p} and loss "
            f"{setting.loss(f)} > {bound(d, n)}",
            ceiling=1,
        )
        for k in range(D.last_defined + 1)
        for f, p in D.at(k).law_of_output().items()
        if p >= Fraction(1, 2**d)
    )


def _power(exponent: Callable[[int], int], setting: TournamentSetting) -> Finding:
    D = tournaments(setting, setting.dimension)

    def limited(k: int, loss: Fraction, p: Fraction) -> Finding:
        most = (1 - loss) ** exponent(setting.n)
        return at_most(
            p,
            most,
            f"{setting}, k = {k}: a hypothesis of loss {loss} has frequency {p} > {most}",
            ceiling=1,
        )

    def by_loss(k: int) -> Iterator[tuple[Fraction, Fraction]]:
        """The losses of outputs, with the frequency of the most frequent one."""
        found: dict[Fraction, Fraction] = {}
        for f, p in D.at(k).law_of_output().items():
            loss = setting.loss(f)
            found[loss] = max(p, found.get(loss, p))
        yield from found.items()

    return all_of(limited(k, loss, p) for k in range(D.last_defined + 1) for loss, p in by_loss(k))


TRIALS: Trials = {
    "BLM20:lemma-13": (
        trial(
            "d/n",
            _small_loss,
            _erring,
            subject=_stated_loss,
            mutant=lambda d, n: _stated_loss(d, n) * Fraction(9, 20),
            universe=_ERRING,
            on_class=own_settings(),
            climb=tournament_settings("blm20-lemma-13", n=5),
        ),
        trial(
            "the power",
            _power,
            all_settings,
            subject=lambda n: n,
            mutant=lambda n: n + 1,
            universe=SETTINGS,
            on_class=own_settings(),
        ),
    ),
}
