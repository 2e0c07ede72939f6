"""Test accuracy of the private classifiers on seven tables, and of their competitors.

    python docs/examples/private_accuracy.py [--splits 20] [--environments DIR [--rivals ...]]

Prints, for each table, method and epsilon, the mean over splits (seeds 0, 1, ...; 70 % to learn
from, stratified) with its standard error, and the CPU seconds of the slowest fit. Of our own
classifiers it is the expected accuracy over all coins (`evaluate_exact`), so that only the splits
are random; of others, that of one fit a split. Features are between 0, or minus the bound, and 1.1
times the largest absolute value of the table, for everybody: a stand-in for public bounds, which
`docs/how-to/a-private-classifier.md` warns of. None of this is private: it is for measuring.

With `--environments` an environment is made there, by pip, for each of `river` (which has two of
the tables), `diffprivlib` and `interpret` (competitors); one that cannot be made is skipped, and
why is said. Needs the extra `sklearn`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
import venv
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

try:
    from sklearn import datasets
    from sklearn.model_selection import train_test_split
except ModuleNotFoundError:
    sys.exit("skipped: pip install 'pac_stability[sklearn]'")

from pac_stability.estimators import (
    FeatureBounds,
    PrivateClassifier,
    PrivatePredictionClassifier,
    PrunedTreeClassifier,
    SparseHalfspaceClassifier,
)

EPSILONS = (0.1, 0.5, 1.0, 3.0)
KINDS = (PrivateClassifier, SparseHalfspaceClassifier, PrunedTreeClassifier)
NEEDS = {
    "river": ["river"],
    "diffprivlib": ["diffprivlib", "scikit-learn<1.7"],
    "interpret": ["interpret"],
}
RIVALS = Path(__file__).with_name("private_rivals.py")
Table = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def tables() -> dict[str, Table]:
    """Return measurements and labels by name: the tables inside scikit-learn."""
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


def interpreter(folder: Path, name: str) -> str | None:
    """Return the Python of an environment with a library, made if need be; None if it cannot be."""
    home = folder / name
    python = home / "bin" / "python"
    ready = home / "ready"
    if not ready.exists():
        venv.create(home, with_pip=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *NEEDS[name]],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            reason = (done.stderr.strip() or "pip failed").splitlines()[-1]
            print(f"{name}: skipped, it does not install: {reason}", flush=True)
            return None
        ready.touch()
    return str(python)


def of_river(folder: Path) -> dict[str, Table]:
    """Return bananas and phishing, where river can be installed."""
    python, out = interpreter(folder, "river"), folder / "river.npz"
    if python is None:
        return {}
    done = subprocess.run(
        [python, RIVALS, "river", out], capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"bananas, phishing: skipped: {done.stderr.strip().splitlines()[-1]}", flush=True)
        return {}
    held = np.load(out)
    return {name: (held[f"{name} X"], held[f"{name} y"]) for name in ("bananas", "phishing")}


def bounds_of(measured: npt.NDArray[np.float64]) -> FeatureBounds:
    """Return the stand-in for public bounds."""
    high = 1.1 * np.abs(measured).max(axis=0)
    high[high == 0] = 1
    return FeatureBounds(np.where(measured.min(axis=0) < 0, -high, 0.0), high)


def ours(name: str, table: Table, splits: int) -> None:
    """Print the lines of our classifiers on a table."""
    measured, labels = table
    grid = bounds_of(measured)
    parts = [
        train_test_split(measured, labels, test_size=0.3, stratify=labels, random_state=seed)
        for seed in range(splits)
    ]
    for kind in KINDS:
        cells, slowest = [], 0.0
        for epsilon in EPSILONS:
            model = kind(epsilon, grid=grid)
            found = [float(model.evaluate_exact(a, c, b, d)) for a, b, c, d in parts]
            begun = time.process_time()
            model.fit(parts[0][0], parts[0][2])
            slowest = max(slowest, time.process_time() - begun)
            cells.append(cell(found))
        line(name, kind.__name__, cells, slowest)
    cells, slowest = [], 0.0
    for epsilon in EPSILONS:
        found = []
        for learn, test, given, wanted in parts:
            begun = time.process_time()
            one = PrivatePredictionClassifier(epsilon=epsilon).fit(learn, given)
            slowest = max(slowest, time.process_time() - begun)
            found.append(float(one.evaluate_exact(test, wanted)))
        cells.append(cell(found))
    line(name, "one answer: teachers", cells, slowest)


def theirs(folder: Path, name: str, kept: dict[str, Table], splits: int) -> None:
    """Print the lines of a competitor on all tables."""
    python, data = interpreter(folder, name), folder / "tables.npz"
    if python is None:
        return
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for key, (X, y) in kept.items():
        arrays[f"{key} X"], arrays[f"{key} y"] = X, y
    np.savez(data, **arrays)  # type: ignore[arg-type]  # arrays by name
    rows: dict[tuple[str, str], dict[float, tuple[list[float], float]]] = {}
    with subprocess.Popen(
        [python, RIVALS, name, data, str(splits), *map(str, EPSILONS)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as worker:  # fmt: skip
        assert worker.stdout is not None  # noqa: S101  # a pipe
        for text in worker.stdout:
            told = json.loads(text)
            row = rows.setdefault((told["table"], told["method"]), {})
            row[told["epsilon"]] = told["scores"], told["seconds"]
            if len(row) == len(EPSILONS):
                cells = [cell(row[epsilon][0]) for epsilon in EPSILONS]
                line(told["table"], told["method"], cells, max(s for _, s in row.values()))
        complaints = worker.stderr.read() if worker.stderr is not None else ""
    if worker.returncode:
        print(f"{name}: stopped: {complaints.strip().splitlines()[-1]}", flush=True)


def cell(scores: Sequence[float]) -> str:
    """Return a mean and its standard error."""
    if not scores:
        return "failed"
    error = statistics.stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0
    return f"{statistics.mean(scores):.3f} ({error:.3f})"


def line(table: str, method: str, cells: Sequence[str], seconds: float) -> None:
    """Print a line of the table."""
    row = "".join(f"{text:>15}" for text in cells)
    print(f"{table:16}{method:28}{row}   {seconds:.2f}", flush=True)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--tables", nargs="+", help="names that begin so")
    parser.add_argument("--environments", type=Path, help="a folder for other libraries")
    parser.add_argument("--rivals", nargs="*", default=["diffprivlib", "interpret"])
    parser.add_argument("--rivals-only", action="store_true")
    parser.add_argument("--rival-splits", type=int, help="by default as many")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    kept = tables()
    if options.environments is None:
        print("bananas, phishing, competitors: skipped, without --environments DIR")
    else:
        options.environments.mkdir(parents=True, exist_ok=True)
        kept |= of_river(options.environments)
    if options.tables:
        kept = {key: kept[key] for key in kept if key.startswith(tuple(options.tables))}
    print(f"splits 0 to {options.splits - 1}; test accuracy (standard error) at epsilon")
    print(f"{'':16}{'':28}" + "".join(f"{epsilon:>15}" for epsilon in EPSILONS) + "   s a fit")
    if not options.rivals_only:
        for name, table in kept.items():
            ours(name, table, options.splits)
    if options.environments is not None:
        for rival in options.rivals:
            theirs(options.environments, rival, kept, options.rival_splits or options.splits)


if __name__ == "__main__":
    main()
