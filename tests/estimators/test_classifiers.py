"""The classifiers with scikit-learn, where it is installed: its checks, and what is promised."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.estimators import (
    FeatureBounds,
    PrivateClassifier,
    PrunedTreeClassifier,
    SparseHalfspaceClassifier,
)
from pac_stability.mechanisms import Ledger

Data = tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]
KINDS = [PrivateClassifier, SparseHalfspaceClassifier, PrunedTreeClassifier]
kinds = pytest.mark.parametrize("kind", KINDS)


def test_without_scikit_learn_a_classifier_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['sklearn'] = None; sys.modules['sklearn.base'] = None\n"
        "from pac_stability import estimators\n"
        "try: estimators.PrivateClassifier()\n"
        "except ImportError as missing: print(missing)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "the classifiers need scikit-learn: pip install 'pac_stability[sklearn]'\n"
    )


def test_no_other_room_imports_scikit_learn() -> None:
    program = "import sys, pac_stability.testing; sys.exit('sklearn' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.fixture
def table() -> Data:
    pytest.importorskip("sklearn", reason="not installed: pip install 'pac_stability[sklearn]'")
    rng = np.random.default_rng(0)
    X = rng.random((200, 5))
    return X, np.where(X[:, 1] - X[:, 3] > 0.1, "yes", "no")


@kinds
def test_the_checks_of_scikit_learn(kind: type[PrivateClassifier]) -> None:
    reason = "not installed: pip install 'pac_stability[sklearn]'"
    checks = pytest.importorskip("sklearn.utils.estimator_checks", reason=reason)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        small = kind(depth=1) if kind is PrunedTreeClassifier else kind()  # type: ignore[call-arg]  # its own
        found = checks.check_estimator(small, on_fail=None, on_skip=None)
    count = Counter(one["status"] for one in found)
    sys.stdout.write(f"{kind.__name__}: {dict(count)}\n")
    assert [one["check_name"] for one in found if one["status"] == "failed"] == []
    assert count["passed"] > 50


@kinds
def test_what_is_fitted(kind: type[PrivateClassifier], table: Data) -> None:
    X, y = table
    model = kind(8, grid=FeatureBounds(0, 1)).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.75
    assert set(model.decision_function(X)) <= {-1.0, 1.0}
    assert model.privacy_ is not None
    assert model.privacy_.guarantee.delta == 0
    assert "yes" in str(model.hypothesis_)
    # No data are kept: it pickles to a few bytes, and predicts the same.
    kept = pickle.dumps(model)
    assert len(kept) < 4000
    assert (pickle.loads(kept).predict(X) == model.predict(X)).all()  # noqa: S301  # our own


def test_a_seed_is_no_privacy(table: Data) -> None:
    X, y = table
    for seed in (3, np.random.RandomState(3)):
        with pytest.warns(UserWarning, match="not private"):
            model = PrivateClassifier(random_state=seed).fit(X, y)
        assert model.privacy_ is None


def test_a_ledger_is_asked_before_the_draw(table: Data) -> None:
    X, y = table
    ledger = Ledger(epsilon=1)
    model = PrivateClassifier("1/2", ledger=ledger)
    for _ in range(2):
        model.fit(X, y)
    with pytest.raises(BudgetExhausted):
        model.fit(X, y)
    # Nothing is spent on what is refused.
    other = Ledger(epsilon=1)
    for wrong in (np.full_like(X, np.nan), np.full_like(X, np.inf), X[:0]):
        with pytest.raises(ValueError, match=r"NaN|infinity|sample"):
            PrivateClassifier(1, ledger=other).fit(wrong, y[: len(wrong)])
    for labels in (np.arange(len(y)) % 3, np.zeros(len(y))):
        with pytest.raises(ValueError, match="class"):
            PrivateClassifier(1, ledger=other).fit(X, labels)
    with pytest.raises(InvalidInput, match="bounds"):
        PrivateClassifier(1, grid=FeatureBounds([0, 0], 1), ledger=other).fit(X, y)
    with pytest.raises(InvalidInput, match="epsilon"):
        PrivateClassifier(0, ledger=other).fit(X, y)
    assert other.spent() == {}


def test_classes_may_be_stated(table: Data) -> None:
    X, _ = table
    model = PrivateClassifier(5, classes=("no", "yes")).fit(X, np.full(len(X), "yes"))
    assert (model.predict(X) == "yes").mean() > 0.9
    with pytest.raises(ValueError, match="other than"):
        PrivateClassifier(5, classes=("a", "b")).fit(X, np.full(len(X), "yes"))


def test_names_of_columns(table: Data) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    X, y = table
    frame = pandas.DataFrame(X, columns=["radius", "area", "depth", "width", "age"])
    model = SparseHalfspaceClassifier(20, grid=FeatureBounds(0, 1)).fit(frame, y)
    assert any(name in str(model.hypothesis_) for name in frame.columns)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"age": "other"}))
