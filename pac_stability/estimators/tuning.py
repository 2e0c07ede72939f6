"""A choice among settings as part of one private draw, in place of cross-validation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import Epsilon
from pac_stability.errors import InvalidInput
from pac_stability.estimators.checked import checked_table, coins_of, warn_of_clipping
from pac_stability.estimators.classifiers import Neighbours, RuleClassifier
from pac_stability.estimators.drawing import DrawnRule, decay_of
from pac_stability.mechanisms import Ledger, Posterior, PosteriorUnion
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class _Setting:
    """A rule, and which of the candidates it is one of."""

    number: int
    rule: DrawnRule

    def __call__(self, point: Hashable, /) -> int:
        return self.rule(point)

    def labels(self, codes: npt.NDArray[np.int64], /) -> npt.NDArray[np.uint8]:
        return self.rule.labels(codes)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A posterior whose draws say which of the candidates they are of."""

    number: int
    posterior: Posterior

    @property
    def total(self) -> int:
        return self.posterior.total

    @property
    def precision(self) -> int:
        return self.posterior.precision

    @property
    def short(self) -> bool:
        return self.posterior.short

    def mass(self) -> Fraction:
        return self.posterior.mass()

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        return self.posterior.enclosed_mass(bits)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> _Setting:
        return _Setting(self.number, cast("DrawnRule", self.posterior.draw(rng)))


def union_of_settings(posteriors: Sequence[Posterior], shares: Sequence[int]) -> PosteriorUnion:
    """Return the union of the lists of several settings; a draw has a ``number`` and a ``rule``."""
    return PosteriorUnion([_Numbered(i, part) for i, part in enumerate(posteriors)], shares)


def tune(
    candidates: Sequence[RuleClassifier],
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    epsilon: Epsilon | AnyNumber = 1.0,
    shares: Sequence[int] | None = None,
    neighbours: Neighbours = "replace-one",
    classes: Sequence[object] | None = None,
    ledger: Ledger | None = None,
    random_state: object = None,
) -> RuleClassifier:
    """Draw a rule from all rules of several settings at once: tuning for the price of one fit.

    Parameters
    ----------
    candidates
        Classifiers with the settings to choose among, at least one: sparsity, depth, grid, kind.
        Their own epsilon, neighbours, classes, ledger and random_state are not used. The list must
        be made before the data are seen.
    X, y
        What is learnt from.
    epsilon
        What is spent in all, once.
    shares
        A positive integer for each candidate: its share of the prior. Equal by default.
    neighbours, classes, ledger, random_state
        As for :class:`PrivateClassifier`.

    Returns
    -------
    RuleClassifier
        The candidate whose rule was drawn, fitted; its ``privacy_`` covers the choice as well.

    Raises
    ------
    InvalidInput
        There are no candidates, one is of another kind, a parameter is out of range, or the rules
        of a candidate do not fit the table; nothing is spent.
    ValueError, BudgetExhausted
        As for ``fit``.

    Notes
    -----
    One exponential mechanism over the union of the lists
    (:class:`~pac_stability.mechanisms.PosteriorUnion`), so the guarantee is that of one fit. To
    have k candidates in place of the best one alone costs at most ``2 log(k)/epsilon`` errors. A
    search by cross-validation on the same rows spends a fit for every candidate and fold, and its
    scores are not private at all.

    Examples
    --------
    With scikit-learn::

        grid = FeatureBounds(low, high)
        candidates = [SparseHalfspaceClassifier(sparsity=k, grid=grid) for k in (1, 2, 3)]
        model = tune([*candidates, PrunedTreeClassifier(depth=3, grid=grid)], X, y, epsilon=1)
    """
    from sklearn.base import clone  # noqa: PLC0415  # an extra

    kept = list(candidates)
    if not kept:
        raise InvalidInput("candidates", "none", "at least one")
    for one in kept:
        if not isinstance(one, RuleClassifier):
            raise InvalidInput("candidates", described(one), "classifiers that are published whole")
    decay, guarantee = decay_of(epsilon, neighbours)
    models = [clone(one) for one in kept]
    for model in models:
        model.set_params(
            epsilon=epsilon,
            neighbours=neighbours,
            classes=classes,
            ledger=ledger,
            random_state=random_state,
        )
    checked = [checked_table(model, X, y, classes, most=model.most_classes) for model in models]
    data = checked[0]
    lists = [model.rules(data.table.shape[1], len(data.known)) for model in models]
    coins = coins_of(random_state)
    warn_of_clipping(lists[0].grid, data.table)
    parts = [each.posterior(data.table, data.labels, decay) for each in lists]
    union = union_of_settings(parts, [1] * len(parts) if shares is None else shares)
    if ledger is not None:
        ledger.reserve(guarantee)
    drawn = cast("_Setting", union.draw(coins))
    chosen: RuleClassifier = models[drawn.number]
    return chosen.publish(drawn.rule, lists[drawn.number].grid, data.known, guarantee)
