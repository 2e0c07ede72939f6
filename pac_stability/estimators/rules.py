"""What is published: a rule that a person can read, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.classes import DecisionLeaf, DecisionSplit, DecisionTree, SparseHalfspace
from pac_stability.estimators.grids import FeatureBounds, FeatureGrid, Table
from pac_stability.mechanisms import PrivacyGuarantee


@dataclass(frozen=True, repr=False)
class PrivacyReport(Tabled):
    """What was spent on a model, and what the guarantee is about.

    Attributes
    ----------
    guarantee
        What was spent: at most what was asked.
    neighbours
        ``"replace-one"`` or ``"add-remove"``: which two tables the guarantee compares.
    scope
        What it covers.
    claim
        The statement that proves it, of :mod:`pac_stability.claims`; or the mechanism whose notes
        do.
    """

    _kind: ClassVar[str] = "what was spent"

    guarantee: PrivacyGuarantee
    neighbours: str
    scope: str = "whole model: it may be published, and asked without limit"
    notion: str = "pure differential privacy"
    claim: str = "DF20:lemma-7.privacy"


@dataclass(frozen=True, eq=False)
class FittedRule:
    """A rule with the grid it reads measurements by, and the names of things.

    Attributes
    ----------
    rule
        What was drawn, a hypothesis on codes.
    grid
        What makes codes of measurements.
    features
        The names of the features.
    classes
        The names of the labels 0 and 1.

    Examples
    --------
    >>> grid = FeatureBounds(0, [20, 10], resolution=10)
    >>> rule = SparseHalfspace(2, (0, 1), (1, -1), 3)
    >>> print(FittedRule(rule, grid, ("radius", "smoothness"), ("benign", "malignant")))
    radius - smoothness >= 0.3, as shares of their ranges: malignant; else benign
    >>> one = SparseHalfspace(2, (0,), (1,), 3, upward=False)
    >>> print(FittedRule(one, grid, ("radius", "smoothness"), ("benign", "malignant")))
    radius < 6: malignant; else benign
    """

    rule: SparseHalfspace | DecisionTree
    grid: FeatureGrid
    features: Sequence[str]
    classes: Sequence[str]

    def labels(self, table: Table) -> npt.NDArray[np.uint8]:
        """Return the labels, 0 or 1, of measurements, shape (n, p)."""
        return self.rule.labels(self.grid.codes(table))

    def __repr__(self) -> str:
        return f"<FittedRule: {' / '.join(str(self).splitlines())}>"

    def __str__(self) -> str:
        if isinstance(self.rule, SparseHalfspace):
            return self._sum(self.rule)
        return "\n".join(self._lines(self.rule, ""))

    def _sum(self, rule: SparseHalfspace) -> str:
        names = [self.features[i] for i in rule.features]
        side = ">=" if rule.upward else "<"
        verdict = f"{self.classes[1]}; else {self.classes[0]}"
        if len(names) == 1:
            # The first sign is always +.
            return f"{names[0]} {side} {self.grid.value(rule.features[0], rule.cut):g}: {verdict}"
        signs = [" + " if sign > 0 else " - " for sign in rule.signs]
        terms = "".join(s + n for s, n in zip(signs, names, strict=True)).removeprefix(" + ")
        if isinstance(self.grid, FeatureBounds):
            cut, unit = f"{rule.cut / self.grid.largest:.3g}", "shares of their ranges"
        else:
            cut, unit = str(rule.cut), "numbers of round numbers reached"
        return f"{terms} {side} {cut}, as {unit}: {verdict}"

    def _lines(self, tree: DecisionTree, indent: str) -> list[str]:
        if isinstance(tree, DecisionLeaf):
            return [f"{indent}{self.classes[tree.label]}"]
        assert isinstance(tree, DecisionSplit)  # noqa: S101  # there is nothing else
        cut = f"{self.grid.value(tree.feature, tree.cut):g}"
        return [
            f"{indent}if {self.features[tree.feature]} >= {cut}:",
            *self._lines(tree.above, indent + "    "),
            f"{indent}else:",
            *self._lines(tree.below, indent + "    "),
        ]
