"""What other libraries do on the tables of `private_accuracy.py`, each by its own Python.

    PYTHON docs/examples/private_rivals.py diffprivlib|interpret TABLES.npz SPLITS EPSILON ...
    PYTHON docs/examples/private_rivals.py river OUT.npz

Run by `private_accuracy.py`, with the interpreter of an environment that has that library and not
this one. Prints a line of JSON for each table, method and epsilon: the test accuracy of each
split, and how long the slowest fit took (CPU seconds). `river` writes two tables of that library.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any  # other libraries', without types

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.float64]
Fit = Callable[[Table, npt.NDArray[np.int64], int], Any]


def diffprivlib(features: int, epsilon: float) -> Iterator[tuple[str, Fit]]:
    """Yield its four classifiers at their defaults, on columns between 0 and 1: pure epsilon."""
    models = importlib.import_module("diffprivlib.models")
    bounds = (np.zeros(features), np.ones(features))
    yield (
        "GaussianNB",
        lambda X, y, seed: models.GaussianNB(epsilon=epsilon, bounds=bounds, random_state=seed).fit(
            X, y
        ),
    )
    yield (
        "LogisticRegression",
        lambda X, y, seed: models.LogisticRegression(
            epsilon=epsilon, data_norm=features**0.5, random_state=seed
        ).fit(X, y),
    )
    yield (
        "RandomForest",
        lambda X, y, seed: models.RandomForestClassifier(
            epsilon=epsilon, bounds=bounds, classes=[0, 1], random_state=seed
        ).fit(X, y),
    )
    yield (
        "DecisionTree",
        lambda X, y, seed: models.DecisionTreeClassifier(
            epsilon=epsilon, bounds=bounds, classes=[0, 1], random_state=seed
        ).fit(X, y),
    )


def interpret(features: int, epsilon: float) -> Iterator[tuple[str, Fit]]:
    """Yield its private boosting machine: (epsilon, 1e-5)."""
    privacy = importlib.import_module("interpret.privacy")
    yield (
        "DP-EBM",
        lambda X, y, seed: privacy.DPExplainableBoostingClassifier(
            epsilon=epsilon,
            delta=1e-5,
            privacy_bounds=np.array([[0.0, 1.0]] * features),
            feature_types=["continuous"] * features,
            random_state=seed,
            n_jobs=1,
        ).fit(X, y),
    )


def river(out: str) -> None:
    """Write bananas and phishing."""
    datasets = importlib.import_module("river.datasets")
    found = {}
    for name, kind in (("bananas", datasets.Bananas), ("phishing", datasets.Phishing)):
        rows = [(list(x.values()), int(y)) for x, y in kind()]
        found[f"{name} X"] = np.array([x for x, _ in rows], dtype=np.float64)
        found[f"{name} y"] = np.array([y for _, y in rows], dtype=np.int64)
    np.savez(out, **found)  # type: ignore[arg-type]  # arrays by name


def main() -> None:
    """Do what the arguments say."""
    warnings.filterwarnings("ignore")
    which, path, *rest = sys.argv[1:]
    if which == "river":
        river(path)
        return
    split = importlib.import_module("sklearn.model_selection").train_test_split
    splits, epsilons = int(rest[0]), [float(text) for text in rest[1:]]
    methods = {"diffprivlib": diffprivlib, "interpret": interpret}[which]
    held = np.load(path)
    for name in [key.removesuffix(" X") for key in held if key.endswith(" X")]:
        X, y = held[f"{name} X"], held[f"{name} y"]
        # Between 0 and 1 by the same bounds as everybody's.
        high = 1.1 * np.abs(X).max(axis=0)
        high[high == 0] = 1
        low = np.where(X.min(axis=0) < 0, -high, 0.0)
        scaled = (X - low) / (high - low)
        for epsilon in epsilons:
            for method, fit in methods(X.shape[1], epsilon):
                scores, slowest = [], 0.0
                for seed in range(splits):
                    parts = split(scaled, y, test_size=0.3, stratify=y, random_state=seed)
                    begun = time.process_time()
                    try:
                        model = fit(parts[0], parts[2], seed)
                    except Exception as error:  # theirs
                        sys.stderr.write(f"{method} on {name} at {epsilon:g}: {error!r}\n")
                        break
                    slowest = max(slowest, time.process_time() - begun)
                    scores.append(float((model.predict(parts[1]) == parts[3]).mean()))
                line = {"table": name, "method": method, "epsilon": epsilon}
                print(json.dumps(line | {"scores": scores, "seconds": slowest}), flush=True)


if __name__ == "__main__":
    main()
