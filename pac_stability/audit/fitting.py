"""An estimator, as scikit-learn has them, as what predicts: fitted to a sample, then asked."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described, require_word
from pac_stability.audit.returned import label_of, of_labels
from pac_stability.audit.shapes import PREDICTION_SHAPES, AskedEstimator, method_of
from pac_stability.data import Sample, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.learning.learner import Classifier, fresh_copy, is_sklearns, rows_of
from pac_stability.randomness import ExactGenerator
from pac_stability.randomness.watch import is_generator

METHODS = ("predict", "predict_proba")

SEEDED = "Its random_state is one seed: whoever knows it can repeat what it drew."
"""What is assumed of an estimator with a seed."""


@dataclass(frozen=True, slots=True)
class Fitting(AskedEstimator):
    """An estimator, and how it is asked.

    Attributes
    ----------
    estimator
        What is copied and fitted.
    method
        What is called then.
    """

    estimator: object
    method: str

    @classmethod
    def of(cls, estimator: object, method: str | None = None) -> Fitting:
        """Return an estimator as it is asked, refusing one of which a copy would repeat draws.

        Raises
        ------
        InvalidInput
            It keeps a generator, or has no such method.
        """
        has = [name for name in METHODS if method_of(estimator, name) is not None]
        chosen = has[0] if method is None and has else method
        require_word(chosen, "method", METHODS)
        if chosen not in has:
            raise InvalidInput("method", f"{chosen!r}, which it does not have", PREDICTION_SHAPES)
        kept = list(map(id, _generators(estimator)))
        for generator in _generators(fresh_copy(cast("Classifier", estimator))):
            if id(generator) not in kept:
                raise InvalidInput(
                    "mechanism",
                    f"{type(estimator).__name__}, which keeps a {type(generator).__name__}: each "
                    "copy of it draws the same",
                    "random_state=None for coins, or an integer for one seed",
                )
        return cls(estimator, str(chosen))

    @property
    def understood(self) -> str:
        """What it is, for the first line of a report."""
        others = [name for name in METHODS if name != self.method]
        unasked = [name for name in others if method_of(self.estimator, name) is not None]
        steps = f"fit, then {self.method}" + "".join(f"; {name} is not asked" for name in unasked)
        return (
            f"an estimator ({steps}), {'coins as random_state' if self.draws else 'without coins'}"
        )

    @property
    def advice(self) -> str:
        """What to change, for the message about one that draws by itself."""
        if not is_sklearns(self.estimator):
            return ""
        return ": an integer as random_state, and n_jobs=1, where it has them"

    @property
    def seeded(self) -> bool:
        """Whether it has a seed."""
        return getattr(self.estimator, "random_state", None) is not None

    @property
    def draws(self) -> bool:
        """Whether it takes coins: those of scikit-learn take seeds."""
        missing = object()
        given = getattr(self.estimator, "random_state", missing)
        return given is None and not is_sklearns(self.estimator)

    def __call__(self, sample: Sample[Any], points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        rows, labels = rows_of(sample.points), np.array(sample.labels)

        def at(point: object, rng: ExactGenerator | None = None) -> int | Fraction:
            return self._at(rows.copy(), labels.copy(), point, rng)  # a fit may write there

        if not self.draws:
            return [Fraction(at(point)) for point in points]
        return [enumerate_law(partial(at, point)).expectation(Fraction) for point in points]

    def _at(
        self,
        rows: npt.NDArray[Any],
        labels: npt.NDArray[Any],
        point: object,
        rng: ExactGenerator | None,
    ) -> int | Fraction:
        fresh = fresh_copy(cast("Classifier", self.estimator))
        if rng is not None:
            cast("Any", fresh).random_state = rng
        fitted = fresh.fit(rows, labels)
        model = fresh if fitted is None else fitted
        answers = list(getattr(model, self.method)(rows_of([point])))
        if len(answers) != 1:
            raise InvalidInput(
                self.method, f"{len(answers)} answers for one row", "an answer for each row"
            )
        if self.method == "predict":
            return label_of(answers[0])
        row = list(answers[0])
        classes = list(getattr(model, "classes_", range(len(row))))
        if len(classes) != len(row):
            raise InvalidInput("predict_proba", described(row), "a probability for each class")
        return of_labels(dict(zip(classes, row, strict=True)))


def _generators(estimator: object) -> list[object]:
    """Return the generators that an estimator holds: those that a copy of it would copy."""
    copied: dict[int, Any] = {}
    copy.deepcopy(estimator, copied)
    return [one for one in copied.get(id(copied), ()) if is_generator(one)]
