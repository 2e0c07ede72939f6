"""What estimators do with data before they learn: checks, coins, and warnings.

What they take from scikit-learn is its public part, and without it they say what to install.
"""

from __future__ import annotations

import numbers
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pac_stability.estimators.grids import FeatureGrid, Table
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins

__all__ = ["BaseEstimator", "ClassifierMixin"]

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "sklearn":
        raise

    class ClassifierMixin:  # type: ignore[no-redef]  # in its place
        """Stands in for the mixin."""

    class BaseEstimator:  # type: ignore[no-redef]  # in its place
        """Stands in for the base, and says what to install when one is made."""

        def __new__(cls, *_: object, **__: object) -> BaseEstimator:
            """Refuse."""
            message = "the classifiers need scikit-learn: pip install 'pac_stability[sklearn]'"
            raise ImportError(message)


Labels = npt.NDArray[np.int64]


class CheckedTable(NamedTuple):
    """Data that are fit to learn from.

    Attributes
    ----------
    table
        The measurements, shape (n, p).
    labels
        n numbers of labels, from 0.
    known
        The labels themselves, in order.
    """

    table: Table
    labels: Labels
    known: npt.NDArray[np.generic]


def checked_table(
    estimator: object,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    classes: Sequence[object] | None,
    *,
    most: int,
) -> CheckedTable:
    """Return measurements and labels, as scikit-learn checks them.

    Parameters
    ----------
    estimator
        Who learns; names of columns and their number are noted in it.
    X, y
        The data.
    classes
        The labels that there are, or None for those in y.
    most
        How many there may be.

    Raises
    ------
    ValueError
        The data are not fit: not finite, empty, of one kind of label or too many.
    """
    from sklearn.utils.multiclass import (  # noqa: PLC0415  # an extra
        check_classification_targets,
        type_of_target,
    )
    from sklearn.utils.validation import validate_data  # noqa: PLC0415

    table, given = validate_data(estimator, X, y, dtype=np.float64)
    check_classification_targets(given)
    kind = type_of_target(given, input_name="y", raise_unknown=True)
    if kind != "binary" and most == 2:
        message = f"Only binary classification is supported. The type of the target is {kind}."
        raise ValueError(message)
    known = np.unique(given if classes is None else np.asarray(classes))
    if len(known) < 2:
        message = (
            f"{len(known)} class: the classifier needs two; with classes=(a, b) a table of one"
            " kind can be learnt from"
        )
        raise ValueError(message)
    if len(known) > most:
        raise ValueError(f"{len(known)} classes: at most {most} are supported")
    if not np.isin(given, known).all():
        raise ValueError(f"y has labels other than classes={tuple(known.tolist())}")
    return CheckedTable(table, np.searchsorted(known, given).astype(np.int64), known)


def asked_table(estimator: object, X: npt.ArrayLike) -> Table:
    """Return points to be labelled, checked against the columns that were learnt from."""
    from sklearn.utils.validation import validate_data  # noqa: PLC0415  # an extra

    return cast("Table", validate_data(estimator, X, reset=False, dtype=np.float64))


def coins_of(random_state: object) -> Coins:
    """Return the coins for a ``random_state``, with a warning when they are repeatable."""
    if random_state is None:
        return SYSTEM_COINS
    warnings.warn(
        "random_state makes the draw repeatable, and so not private: privacy_ is None",
        stacklevel=3,
    )
    if isinstance(random_state, numbers.Integral):
        return SeededCoins(int(random_state))
    from sklearn.utils import check_random_state  # noqa: PLC0415  # an extra

    return SeededCoins(int(check_random_state(random_state).randint(2**31 - 1)))


def warn_of_clipping(grid: FeatureGrid, table: Table) -> None:
    """Say when measurements lie beyond public bounds; only the owner of the data is told."""
    beyond = int(grid.clipped(table))
    if beyond:
        warnings.warn(
            f"{beyond} of {table.size} measurements lie beyond the public bounds and count as the"
            " bounds (this sentence is about the private data: do not publish it)",
            stacklevel=3,
        )


def warn_of_searches() -> None:
    """Say that each fit spends, when scikit-learn fits again and again to compare."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("sklearn.model_selection"):
            warnings.warn(
                "this fit is one of a search or cross-validation: each spends its own epsilon, and"
                " scores on held-out private rows are not private; pac_stability.estimators.tune"
                " chooses among settings for the epsilon of one fit",
                stacklevel=3,
            )
            return
        frame = frame.f_back
