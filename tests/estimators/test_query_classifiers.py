"""Classifiers that answer by query: they spend before they answer, and are not copied."""

import copy
import pickle
import sys
import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import BudgetExhausted, Epsilon, InvalidInput
from pac_stability.estimators import (
    PrivateClassifier,
    PrivatePredictionClassifier,
    StablePredictionClassifier,
    label_public,
)
from pac_stability.estimators.classifiers import chances_of_one, teachers_for, vote_accuracy
from pac_stability.mechanisms import GeometricVote, Ledger

Data = tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]
WITHOUT = "scikit-learn is not installed: pip install 'pac_stability[sklearn]'"


@pytest.fixture
def table() -> Data:
    pytest.importorskip("sklearn", reason=WITHOUT)
    rng = np.random.default_rng(0)
    X = rng.random((200, 3))
    return X, np.where(X[:, 1] > 0.5, "yes", "no")


@pytest.mark.parametrize("kind", [PrivatePredictionClassifier, StablePredictionClassifier])
def test_the_checks_of_scikit_learn(kind: type[object]) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks", reason=WITHOUT)
    model = kind(teachers=3) if kind is PrivatePredictionClassifier else kind()
    refuses = "a fitted one holds the data: it is not pickled"
    expected = dict.fromkeys(
        ("check_estimators_pickle", "check_estimators_pickle(readonly_memmap=True)"), refuses
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = checks.check_estimator(
            model, expected_failed_checks=expected, on_fail=None, on_skip=None
        )
    count = Counter(one["status"] for one in found)
    sys.stdout.write(f"{type(model).__name__}: {dict(count)}\n")
    assert [one["check_name"] for one in found if one["status"] == "failed"] == []
    assert count["passed"] > 45


def test_answers_are_spent_before_they_are_given(table: Data) -> None:
    X, y = table
    ledger = Ledger(epsilon=2)
    model = PrivatePredictionClassifier(epsilon="1/4", teachers=5, ledger=ledger).fit(X, y)
    assert ledger.spent() == {}
    assert set(model.predict(X[:3])) <= {"yes", "no"}
    assert sum(ledger.spent().values()) == 3
    with pytest.raises(BudgetExhausted):
        model.predict(X[:6])
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:1, :2])
    with pytest.raises(ValueError, match="NaN"):
        model.predict(np.full((1, 3), np.nan))
    assert sum(ledger.spent().values()) == 3
    assert model.privacy_ is not None
    assert model.privacy_.guarantee.factor <= Epsilon("1/4").ratio
    assert model.privacy_.scope.startswith("one answer")


def test_a_fitted_one_is_not_copied(table: Data) -> None:
    model = PrivatePredictionClassifier(teachers=5)
    pickle.dumps(model)
    model.fit(*table)
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(InvalidInput, match="holds the private data"):
            take(model)


def test_replacing_a_row_changes_one_teacher(table: Data) -> None:
    X, y = table
    other = y.copy()
    other[7] = "no" if y[7] == "yes" else "yes"
    votes = [
        PrivatePredictionClassifier(teachers=9).fit(X, labels)._votes(X) for labels in (y, other)
    ]
    assert np.abs(votes[0] - votes[1]).max() <= 1


def test_the_law_of_an_answer(table: Data) -> None:
    X, y = table
    model = PrivatePredictionClassifier(epsilon=Epsilon.exactly(4), teachers=3)
    model.fit(X, y)
    vote = GeometricVote(Fraction(1, 4))
    assert chances_of_one(vote, 3) == [
        Fraction(1, 20),
        Fraction(1, 5),
        Fraction(4, 5),
        Fraction(19, 20),
    ]
    assert vote_accuracy(vote, np.array([3, 0]), np.array([True, True]), 3) == 0.5
    exact = float(model.evaluate_exact(X, y))
    drawn = [(model.predict(X) == y).mean() for _ in range(30)]
    assert abs(np.mean(drawn) - exact) < 6 * np.std(drawn) / 30**0.5
    with pytest.raises(ValueError, match="labels learnt from"):
        model.evaluate_exact(X, y == "yes")


def test_a_public_table_is_labelled(table: Data) -> None:
    X, y = table
    ledger = Ledger(epsilon=2)
    model = PrivatePredictionClassifier(epsilon="1/8", teachers=5, ledger=ledger).fit(X, y)
    labels, spent = label_public(model, X[:4])
    assert len(labels) == 4
    assert spent is not None
    assert spent.factor == model.privacy_.guarantee.factor**4  # type: ignore[union-attr]  # just fitted
    assert sum(ledger.spent().values()) == 4
    whole = PrivateClassifier("1/8").fit(X, y)
    assert label_public(whole, X).spent == whole.privacy_.guarantee  # type: ignore[union-attr]  # likewise
    with pytest.warns(UserWarning, match="not private"):
        seeded = PrivatePredictionClassifier(teachers=5, random_state=1).fit(X, y)
    assert seeded.privacy_ is None
    assert label_public(seeded, X[:2]).spent is None


def test_stable_predictions(table: Data) -> None:
    X, y = table
    ledger = Ledger(epsilon=60)
    model = StablePredictionClassifier(1, flip="1/20", ledger=ledger).fit(X, y)
    assert (model.predict(X[:50]) == y[:50]).mean() > 0.7
    assert ledger.left(1) == 10
    assert model.privacy_ is not None
    assert model.privacy_.guarantee.factor <= Epsilon(1).ratio
    assert model.privacy_.claim == "DF20:corollary-2"
    with pytest.raises(BudgetExhausted):
        model.predict(X[:20])
    for wrong in ({"flip": 0}, {"flip": "2/3"}, {"epsilon": 0}, {"epsilon": "1/1000"}):
        with pytest.raises(InvalidInput):
            StablePredictionClassifier(**wrong).fit(X, y)


def test_bad_parameters(table: Data) -> None:
    X, y = table
    for epsilon in (0, -1, "much"):
        with pytest.raises(InvalidInput, match="epsilon"):
            PrivatePredictionClassifier(epsilon=epsilon).fit(X, y)
    with pytest.raises(InvalidInput, match="base"):
        PrivatePredictionClassifier("a forest").fit(X, y)
    with pytest.raises(InvalidInput, match="teachers"):
        PrivatePredictionClassifier(teachers=0).fit(X, y)
    with pytest.raises(ValueError, match="201 teachers"):
        PrivatePredictionClassifier(teachers=201).fit(X, y)
    with pytest.raises(ValueError, match="binary"):
        PrivatePredictionClassifier().fit(X, np.arange(200) % 3)


def test_how_many_teachers() -> None:
    assert teachers_for(0.5, 398) == 30
    assert teachers_for(1, 7) == 1
