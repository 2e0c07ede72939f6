"""The classifiers with scikit-learn, where it is installed: its checks, and what is promised."""

import pickle
import subprocess
import sys
import warnings
from collections import Counter
from functools import partial

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import BudgetExhausted, Neighbouring
from pac_stability.estimators import (
    ExponentialStumpClassifier,
    FeatureBounds,
    PrivacyReport,
    PrivateClassifier,
    PrunedTreeClassifier,
    SparseHalfspaceClassifier,
    tune,
)
from pac_stability.mechanisms import Ledger
from shared_interrupts import interrupted, moments
from shared_refusals import refuses

Data = tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]
KINDS = [
    PrivateClassifier,
    SparseHalfspaceClassifier,
    PrunedTreeClassifier,
    ExponentialStumpClassifier,
]
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
    # Threads of BLAS wait for one another at each small product, where other tests run besides:
    # nine times the work.
    threads = pytest.importorskip("threadpoolctl", reason=reason)  # scikit-learn requires it
    with warnings.catch_warnings(), threads.threadpool_limits(1):
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
    assert (model.predict(X) == y).mean() > (0.6 if kind is ExponentialStumpClassifier else 0.75)
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
            SparseHalfspaceClassifier(1, ledger=other).fit(X, labels)
    with pytest.raises(ValueError, match="class"):
        PrivateClassifier(1, ledger=other).fit(X, np.zeros(len(y)))
    many = np.arange(600) % 256
    with pytest.raises(ValueError, match="256 classes: at most 255"):
        PrivateClassifier(1, ledger=other).fit(np.zeros((600, 2)), many)
    with pytest.raises(ValueError, match="Unknown label type"):
        PrivateClassifier(1, ledger=other).fit(X, X[:, 0])
    refuses("bounds", PrivateClassifier(1, grid=FeatureBounds([0, 0], 1), ledger=other).fit, X, y)
    for epsilon in (0, -1, float("nan"), "much"):
        refuses("epsilon", PrivateClassifier(epsilon, ledger=other).fit, X, y)
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


def test_many_classes_are_told_apart_by_trees() -> None:
    datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn is not installed")
    iris = datasets.load_iris()
    names = iris.target_names[iris.target]
    grid = FeatureBounds(0, 8)
    exact = float(PrivateClassifier(3, grid=grid).evaluate_exact(iris.data, names))
    assert 0.9 < exact < 0.97
    model = PrivateClassifier(3, grid=grid).fit(iris.data, names)
    assert abs((model.predict(iris.data) == names).mean() - exact) < 0.25
    assert model.decision_function(iris.data).shape == (150, 3)
    assert "if x" in str(model.hypothesis_)
    with pytest.raises(ValueError, match="binary"):
        SparseHalfspaceClassifier(3, grid=grid).fit(iris.data, names)


def test_the_expected_accuracy_is_of_what_is_drawn(table: Data) -> None:
    X, y = table
    X, y, asked, right = X[:40], y[:40], X[40:], y[40:]
    for model in (
        PrivateClassifier(2, grid=FeatureBounds(0, 1, resolution=3)),
        PrunedTreeClassifier(2, depth=1, grid=FeatureBounds(0, 1, resolution=3)),
    ):
        said = model.evaluate_exact(X, y, asked, right)
        assert not said.private
        assert "not private" in repr(said)
        assert not hasattr(model, "n_features_in_")
        drawn = [(model.fit(X, y).predict(asked) == right).mean() for _ in range(150)]
        # Ten standard errors, and what rare draws may be worth.
        assert abs(float(said) - np.mean(drawn)) < 10 * np.std(drawn) / 150**0.5 + 0.02
    with pytest.raises(ValueError, match="y_test"):
        model.evaluate_exact(X, y, asked, y)


def test_what_lies_beyond_the_bounds_is_clipped_and_said(table: Data) -> None:
    X, y = table
    with pytest.warns(UserWarning, match="beyond the public bounds"):
        PrivateClassifier(1, grid=FeatureBounds(0, 0.5)).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PrivateClassifier(1, grid=FeatureBounds(0, 1)).fit(X, y)
        PrivateClassifier(1).fit(X * 1e9, y)


def test_a_search_is_warned_of(table: Data) -> None:
    selection = pytest.importorskip("sklearn.model_selection", reason="scikit-learn is missing")
    X, y = table
    ledger = Ledger(epsilon=100)
    search = selection.GridSearchCV(
        SparseHalfspaceClassifier(1, ledger=ledger), {"sparsity": [1, 2]}, cv=2
    )
    with pytest.warns(UserWarning, match="each spends its own epsilon"):
        search.fit(X, y)
    # Two settings, two folds, and the best once more.
    assert sum(ledger.spent().values()) == 5


def test_tuning_is_one_draw(table: Data) -> None:
    X, y = table
    ledger = Ledger(epsilon=1)
    grid = FeatureBounds(0, 1)
    sparse = [SparseHalfspaceClassifier(sparsity=k, grid=grid) for k in (1, 2)]
    candidates = [*sparse, PrunedTreeClassifier(depth=1)]
    model = tune(candidates, X, y, epsilon="1/2", ledger=ledger)
    assert sum(ledger.spent().values()) == 1
    assert model.privacy_ is not None
    assert type(model) in (SparseHalfspaceClassifier, PrunedTreeClassifier)
    assert (model.predict(X) == y).mean() > 0.4
    assert not hasattr(candidates[0], "hypothesis_")
    best = tune(candidates, X, y, epsilon=30, shares=[1, 3, 1])
    assert best.get_params()["sparsity"] == 2
    for bad in ([], [object()]):
        refuses("candidates", tune, bad, X, y, ledger=ledger)  # type: ignore[arg-type]  # wrong
    refuses("shares", tune, candidates, X, y, shares=[1], ledger=ledger)
    with pytest.raises(ValueError, match="binary"):
        tune(candidates, X, np.arange(len(y)) % 3, ledger=ledger)
    assert sum(ledger.spent().values()) == 1


def test_frames_and_pipelines(table: Data) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pipeline = pytest.importorskip("sklearn.pipeline", reason="scikit-learn is not installed")
    preprocessing = pytest.importorskip("sklearn.preprocessing", reason="it is not installed")
    X, y = table
    names = ["radius", "area", "depth", "width", "age"]
    frames = [pandas.DataFrame(X, columns=names)]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frames.append(polars.DataFrame(X, schema=names))
    for frame in frames:
        scaled = preprocessing.FunctionTransformer(lambda part: part * 2).set_output(
            transform="pandas" if frame is frames[0] else "polars"
        )
        model = pipeline.make_pipeline(scaled, PrivateClassifier(9, grid=FeatureBounds(0, 2)))
        assert (model.fit(frame, y).predict(frame) == y).mean() > 0.6
        assert any(name in str(model[-1].hypothesis_) for name in names)


def test_public_categories() -> None:
    pipeline = pytest.importorskip("sklearn.pipeline", reason="scikit-learn is not installed")
    preprocessing = pytest.importorskip("sklearn.preprocessing", reason="it is not installed")
    colours = np.array([["red"], ["green"], ["blue"]] * 60)
    y = colours[:, 0] == "green"
    coded = preprocessing.OneHotEncoder(categories=[["red", "green", "blue"]], sparse_output=False)
    one = PrivateClassifier(5, grid=FeatureBounds(0, 1, resolution=1))
    model = pipeline.make_pipeline(coded, one).fit(colours, y)
    assert (model.predict(colours) == y).mean() > 0.95


def test_a_refused_fit_leaves_what_was_fitted(table: Data) -> None:
    X, y = table[0], table[1]
    wider = np.column_stack([X, X])
    for model in (
        PrivateClassifier(1, ledger=Ledger(epsilon=1)),
        PrivateClassifier(1, ledger=Ledger(epsilon="5/2"), neighbours="add-remove"),
    ):
        model.fit(X, y)
        before = dict(vars(model))
        for data, labels in ((wider, y), (X, y[:-1]), (X, np.zeros(len(y)))):
            with pytest.raises((BudgetExhausted, ValueError)):
                model.fit(data, labels)
            assert vars(model) == before
        assert len(model.predict(X)) == len(X)


def test_no_interrupt_leaves_half_a_fit(table: Data) -> None:
    X, y = table[0][:20, :2], table[1][:20]
    for moment in moments(lambda: PrunedTreeClassifier(1, depth=1).fit(X, y), 40, seed=3):
        ledger = Ledger(epsilon=3)
        model = PrunedTreeClassifier(1, depth=1, ledger=ledger).fit(X[:, :1], y)
        rule = model.hypothesis_
        interrupted(partial(model.fit, X, y), moment)
        assert model.n_features_in_ == len(model.hypothesis_.features)
        new = model.hypothesis_ is not rule
        assert 1 + new <= sum(ledger.spent().values()) <= 2


def test_a_ledger_of_both_relations_counts_twice(table: Data) -> None:
    X, y = table[0], table[1]
    ledger = Ledger(epsilon=1)
    added = PrivateClassifier(0.5, neighbours="add-remove", ledger=ledger).fit(X, y)
    assert added.privacy_ is not None
    assert added.privacy_.guarantee.neighbours is Neighbouring.ADD_REMOVE
    with pytest.raises(BudgetExhausted, match="for one row replaced"):
        PrivateClassifier(0.5, ledger=ledger).fit(X, y)
    other = Ledger(epsilon=1, neighbours="add-remove")
    refuses("other sizes", PrivateClassifier(0.5, ledger=other).fit, X, y)
    assert [each.name for each in ledger.entries()] == ["PrivateClassifier"]
    refuses("neighbours", PrivacyReport, added.privacy_.guarantee, "replace-one")


@pytest.mark.parametrize(
    ("cell", "said"), [("Smith", "no number"), (np.nan, "NaN"), ("1,5", "no number")]
)
def test_an_error_shows_no_cell_and_recommends_nothing_unprivate(
    table: Data, cell: object, said: str
) -> None:
    X = table[0][:9].astype(object)
    X[4, 1] = cell
    model = PrivateClassifier(1).fit(table[0], table[1])
    for ask in (lambda: PrivateClassifier(1).fit(X, table[1][:9]), lambda: model.predict(X)):
        with pytest.raises(ValueError, match=said) as caught:
            ask()
        for word in ("Smith", "1,5", "imput", "HistG"):
            assert word not in str(caught.value)
