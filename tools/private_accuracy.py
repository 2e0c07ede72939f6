"""Test accuracy of the private classifiers on tables that come inside scikit-learn.

    python tools/private_accuracy.py --splits 20

Prints, for each table, estimator and epsilon, the mean over splits (seeds 0, 1, ...; 70 % to learn
from, stratified) with its standard error, and how long a fit took. Features are between 0, or minus
the bound, and 1.1 times the largest absolute value of the table: a stand-in for public bounds, the
same that `docs/how-to` warns of. Each split draws one model with seeded coins: for measuring, not
private. Needs the extra `sklearn`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import warnings

import numpy as np
import numpy.typing as npt

try:
    from sklearn import datasets
    from sklearn.model_selection import train_test_split
except ModuleNotFoundError:
    sys.exit("skipped: pip install 'pac_stability[sklearn]'")

from pac_stability.estimators import FeatureBounds
from pac_stability.estimators.classifiers import (
    PrivateClassifier,
    PrunedTreeClassifier,
    SparseHalfspaceClassifier,
)

EPSILONS = (0.1, 0.5, 1.0, 3.0)
KINDS = (PrivateClassifier, SparseHalfspaceClassifier, PrunedTreeClassifier)
Table = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def tables() -> dict[str, Table]:
    """Return measurements and labels by name."""
    cancer, wine = datasets.load_breast_cancer(), datasets.load_wine()
    iris, digits = datasets.load_iris(), datasets.load_digits()
    some = np.isin(digits.target, [3, 8])
    return {
        "breast cancer": (cancer.data, cancer.target),
        "wine, class 1": (wine.data, (wine.target == 1).astype(int)),
        "iris virginica": (iris.data, (iris.target == 2).astype(int)),
        "digits, 3 or 8": (digits.data[some], (digits.target[some] == 8).astype(int)),
        "digits, parity": (digits.data, digits.target % 2),
    }


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--tables", nargs="+", help="names that begin so")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="random_state")
    print(f"splits 0 to {options.splits - 1}; test accuracy (standard error) at epsilon")
    print(f"{'':16}{'':28}" + "".join(f"{epsilon:>15}" for epsilon in EPSILONS) + "   s a fit")
    for name, (measured, labels) in tables().items():
        if options.tables and not name.startswith(tuple(options.tables)):
            continue
        high = 1.1 * np.abs(measured).max(axis=0)
        high[high == 0] = 1
        grid = FeatureBounds(np.where(measured.min(axis=0) < 0, -high, 0.0), high)
        for kind in KINDS:
            cells, spent = [], 0.0
            for epsilon in EPSILONS:
                found = []
                for seed in range(options.splits):
                    parts = train_test_split(
                        measured, labels, test_size=0.3, stratify=labels, random_state=seed
                    )
                    learn, test, given, wanted = parts
                    model = kind(epsilon, grid=grid, random_state=seed)
                    begun = time.process_time()
                    model.fit(learn, given)
                    spent = max(spent, time.process_time() - begun)
                    found.append(float((model.predict(test) == wanted).mean()))
                error = statistics.stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
                cells.append(f"{statistics.mean(found):.3f} ({error:.3f})")
            row = "".join(f"{cell:>15}" for cell in cells)
            print(f"{name:16}{kind.__name__:28}{row}   {spent:.2f}", flush=True)


if __name__ == "__main__":
    main()
