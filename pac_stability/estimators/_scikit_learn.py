"""What the classifiers take from scikit-learn, its public part; and what is said without it."""

from __future__ import annotations

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
