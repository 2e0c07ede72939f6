"""Audits of estimators, as scikit-learn has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack, cast

from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.labels import Fitting, is_estimator
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.options import Options
from pac_stability.audit.results import AuditResult, PairWitness
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput


def estimator(
    estimator: object,
    *,
    domain: int | Iterable[object],
    n: int,
    claim: Epsilon | AnyNumber | None = None,
    notion: Notion | None = None,
    method: str | None = None,
    **options: Unpack[Options],
) -> AuditResult[PairWitness[Sample[object]]]:
    """Audit what an estimator predicts after it was fitted to a sample.

    Parameters
    ----------
    estimator
        An object with ``fit(X, y)`` and ``predict(X)``, of scikit-learn or written like one. For
        each question a copy of it is fitted, to rows of points and an array of labels; a point that
        is a tuple is a row, another one a row of one entry.

        Where it has an attribute ``random_state`` that is ``None``, that is set to coins
        (:class:`~pac_stability.randomness.ExactGenerator`), and all that they decide is followed.
        Estimators of scikit-learn itself take no coins, and those that draw are refused.
    domain, n
        As for :func:`~pac_stability.audit.uniform_stability`.
    claim
        What is claimed of the parameter of the notion.
    notion
        ``Notion.UNIFORM_STABILITY``, which is the default, or ``Notion.PRIVATE_PREDICTION``.
    method
        ``"predict"``, or ``"predict_proba"`` for a label that is drawn with these probabilities. By
        default ``predict``, if it has one.
    **options
        See :class:`~pac_stability.audit.options.Options`.

    Returns
    -------
    AuditResult
        As for the audit of the notion.

    Raises
    ------
    InvalidInput
        It is no estimator, or keeps a generator that a copy of it would repeat.
    SubjectFailure, AuditStopped
        As for the audit of the notion.

    Examples
    --------
    >>> class Majority:
    ...     def fit(self, X, y):
    ...         self.answer = int(2 * sum(y) > len(y))
    ...         return self
    ...     def predict(self, X):
    ...         return [self.answer for _ in X]
    >>> result = estimator(Majority(), domain=1, n=3)
    >>> result.value, result.understood
    (Fraction(1, 1), 'an estimator (fit, then predict), without coins')
    """
    if not is_estimator(estimator):
        raise InvalidInput("estimator", described(estimator), "an object with fit and predict")
    asked = Notion.UNIFORM_STABILITY if notion is None else notion
    fitting = Fitting.of(estimator, method)
    found = asked.ask(fitting, domain, n, claim=claim, **options)
    return cast("AuditResult[PairWitness[Sample[object]]]", found)
