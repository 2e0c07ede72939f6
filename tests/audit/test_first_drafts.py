"""The styles in which people first write a learner down: what the first line of the answer says."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

import pac_stability
from pac_stability import InvalidInput, audit, randomness
from pac_stability.audit import Notion, SubjectFailure, labels, results
from pac_stability.audit.reports import text
from pac_stability.data import FiniteDistribution, FromProgram, Sample
from pac_stability.data.sample import UNEQUAL
from pac_stability.randomness import exact_generator, watch
from shared_refusals import refuses

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drafts", EXAMPLES / "drafts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DRAFTS = loaded()


def draft(name: str) -> Any:
    found = getattr(DRAFTS, name)
    return found() if isinstance(found, type) else found


POINT_PROGRAM = "a program of (sample, point, coins)"
POINT_FUNCTION = "a function of (sample, point), without coins"

# The values are those of one point and two examples, written beside their reasons.
UNDERSTOOD = {
    # Without a one, 1 is never predicted; with one, it is at times.
    "chosen": (POINT_PROGRAM, float("inf"), ()),
    "by_randint": (POINT_PROGRAM, float("inf"), (exact_generator.INCLUSIVE,)),
    # 1 with probability 1/4, 1/2 or 3/4.
    "flipped_at_times": (POINT_PROGRAM, 2, (exact_generator.REAL,)),
    # The floats of 1/(1+e), 1/2 and 1/(1+1/e); of 0 it is what is left of that of 1.
    "logistic": (
        POINT_FUNCTION,
        Fraction(1, 2) / min(Fraction(0.2689414213699951), 1 - Fraction(0.7310585786300049)),
        (labels.FLOATS_RETURNED, labels.RETURNED),
    ),
    "smoothed": (POINT_FUNCTION, 2, (labels.RETURNED,)),  # 1/4, 1/2, 3/4
    "smoothed_float": (POINT_PROGRAM, 2, (labels.FLOATS_RETURNED, labels.RETURNED)),
    "rounded_random": (POINT_PROGRAM, float("inf"), (exact_generator.REAL,)),
    "Majority": ("an estimator (fit, then predict), without coins", float("inf"), ()),
    "Smoothed": (
        "an estimator (fit, then predict; predict_proba is not asked), without coins",
        float("inf"),
        (),
    ),
    "RandomExample": ("an estimator (fit, then predict), coins as random_state", float("inf"), ()),
}


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_a_draft_is_audited_and_the_first_line_says_what_it_is(name: str) -> None:
    understood, value, said = UNDERSTOOD[name]
    result = audit.private_prediction(draft(name), 1, 2)
    assert result.value == value
    assert result.understood == understood
    assert result.assumptions == (results.PROGRAM, results.MEMORY, *said)
    first = text.audit_to_text(result, name).splitlines()[0]
    assert first == f"{name}: private prediction of {understood}"


REFUSED = {
    "numpy_noise": (
        "a draw from numpy.random at drafts.py, line",
        r"write: noisy = count \+ rng.laplace\(0, 1 / 0.5\)",
    ),
    "python_random": (
        "a draw from random at drafts.py, line",
        r"write: return sample.labels\[int\(rng.random\(\) \* len\(sample\)\)\]",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_draft_without_an_exact_law_is_refused_with_the_line_to_write(name: str) -> None:
    given, wanted = REFUSED[name]
    with pytest.raises(SubjectFailure, match=f"{given} .*{wanted}") as caught:
        audit.private_prediction(draft(name), 1, 2)
    refused = caught.value
    assert str(refused) == f"mechanism: got {refused.given}, want {refused.wanted}"
    assert "\n" not in str(refused)


def zero(_point: object) -> int:
    return 0


def test_the_names_tell_what_is_bound_where() -> None:
    def hypothesis(sample: object, rng: Any) -> Callable[[int], int]:  # noqa: ARG001
        drawn: int = rng.bernoulli("1/2")
        return lambda _: drawn

    def query(sample: Sample[int], query: int) -> int:  # noqa: ARG001
        return sample.labels[0]

    def underscored(sample: Sample[int], _point: int) -> int:
        return sample.labels[0]

    def annotated(sample: Sample[int], source: randomness.ExactGenerator) -> Callable[[int], int]:  # noqa: ARG001
        return lambda _: source.below(2)

    def by_default(sample: Sample[int], point: int, random_state: Any = None) -> int:  # noqa: ARG001
        return int(random_state.choice(sample.labels))

    for mechanism, understood in (
        (hypothesis, "a program of (sample, coins) that returns a hypothesis"),
        (annotated, "a program of (sample, coins) that returns a hypothesis"),
        (query, POINT_FUNCTION),
        (underscored, POINT_FUNCTION),
        (by_default, POINT_PROGRAM),
        (FromProgram(lambda sample, rng: zero), "a program of (sample, coins) on hypotheses"),  # noqa: ARG005
    ):
        assert audit.uniform_stability(mechanism, 1, 1).understood == understood


def test_nothing_is_bound_by_guessing() -> None:
    refused: list[tuple[Any, str]] = [
        (lambda sample, other: 0, "may be point or coins"),  # noqa: ARG005
        (lambda sample, rng, point: 0, "the coins before the point"),  # noqa: ARG005
        (lambda sample, other, point: 0, "the coins before the point"),  # noqa: ARG005
        (DRAFTS.Majority, r"an instance is an algorithm: Majority\(\)"),
    ]
    for mechanism, words in refused:
        refuses(words, audit.private_prediction, mechanism, 1, 1)
    for mechanism in (draft("smoothed"), draft("Majority")):
        with pytest.raises(InvalidInput, match="private-prediction or uniform-stability"):
            audit.differential_privacy(mechanism, 1, 1)


RETURNS: list[tuple[object, int | Fraction]] = [
    (1, 1), (True, 1), (np.int64(0), 0), (np.True_, 1), (1.0, 1), (Fraction(1, 3), Fraction(1, 3)),
    (0.1, Fraction(0.1)), (np.float64(0.25), Fraction(1, 4)),
    ({0: Fraction(2, 3), 1: Fraction(1, 3)}, Fraction(1, 3)), ({1: 1}, 1), ({0: 1}, 0),
    ({False: 0.75, True: 0.25}, Fraction(1, 4)), ({0: 1 - 0.1, 1: 0.1}, Fraction(0.1)),
    (FiniteDistribution({0: Fraction(3, 4), 1: Fraction(1, 4)}), Fraction(1, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("value", "share"), RETURNS)
def test_a_label_or_its_probability_may_be_returned(value: object, share: Fraction) -> None:
    assert labels.probability_of_one(value) == share
    assert audit.uniform_stability(lambda sample, point: value, 1, 1).value == 0  # noqa: ARG005


@pytest.mark.parametrize("value", [
    *(1.5, -0.1, float("nan"), float("inf"), 2, -1, "1", None, [1], np.array([1])),
    *({}, {0: 0.5}, {1: Fraction(1, 2)}, {0: 0.5, 1: 0.6}, {0: 0.5, 2: 0.5}, {"a": 1}),
    *({0: Fraction(1, 2), 1: Fraction(1, 2) + Fraction(1, 10**20)}, {0: 1.5, 1: -0.5}),
    ({0: "1/2", 1: "1/2"}),
])  # fmt: skip
def test_what_is_neither_is_refused(value: object) -> None:
    refuses("label: got", labels.probability_of_one, value)


def test_coins_and_returned_probabilities_add_up() -> None:
    def either(sample: Sample[int], point: int, rng: randomness.ExactGenerator) -> object:  # noqa: ARG001
        # 1 with probability 1/2, else 1/3 or 1/5 by the label.
        if rng.random() < 0.5:
            return 1
        return Fraction(1, 3) if sample.labels[0] else {0: Fraction(4, 5), 1: Fraction(1, 5)}

    assert audit.uniform_stability(either, 1, 1).value == (Fraction(1, 3) - Fraction(1, 5)) / 2


@pytest.mark.parametrize("inside", [lambda u: u, lambda u: {1: u}, lambda u: (u,)])
def test_a_draw_that_is_not_decided_is_no_label(inside: Callable[[object], object]) -> None:
    def undecided(sample: object, point: object, rng: randomness.ExactGenerator) -> object:  # noqa: ARG001
        return inside(rng.random())

    def output(sample: Sample[int], rng: randomness.ExactGenerator) -> object:
        return (inside(rng.random() + sample.labels[0] / 2),)

    with pytest.raises(SubjectFailure, match=r"rng\.random\(\)"):
        audit.private_prediction(undecided, 1, 1)
    assert audit.differential_privacy(output, 1, 1, "1/2").value == 1  # half of each is shared
    assert audit.differential_privacy(output, 1, 1, "1/4").value == math.inf


def test_coins_that_are_given_to_another_generator_are_taken_as_they_are() -> None:
    def usual(sample: Sample[int], point: int, rng: Any) -> int:  # noqa: ARG001
        return int(np.random.default_rng(rng).choice(sample.labels))

    assert audit.uniform_stability(usual, 1, 2).value == Fraction(1, 2)


def below(prng: Any, queries: tuple[int, ...], epsilon: Any) -> bool:
    return bool(queries[0] ^ prng.bernoulli(Fraction(1, 1 + epsilon)))


def given_by_name(data: tuple[int, ...], *, epsilon: Any, rng: Any) -> bool:
    return below(rng, data, epsilon)


def by_default(data: tuple[int, ...], epsilon: Any = 2, rng: Any = None) -> bool:
    return below(rng, data, epsilon)


def rows_and_labels(X: Any, y: Any, rng: Any) -> bool:
    return below(rng, (int((X[:, 0] * y).sum()),), 2)


def to_predict(X_train: Any, y_train: Any, x_test: object, *, rng: Any) -> int:  # noqa: ARG001
    assert X_train.shape == (1, 1)
    return int(below(rng, (int(y_train[0]),), 2))


def law_of_rows(X: Any, y: Any) -> FiniteDistribution[int]:
    share = Fraction(1 + int(X[0, 0] * y[0]), 3)
    return FiniteDistribution({1: share, 0: 1 - share})


NAMED: list[tuple[Any, bool, str]] = [
    (partial(below, epsilon=2), False, "partial(below)(prng, queries)"),
    (partial(given_by_name, epsilon=2), False, "partial(given_by_name)(data, rng)"),
    (by_default, False, "by_default(data, rng)"),
    (rows_and_labels, True, "rows_and_labels(X, y, rng)"),
    (law_of_rows, True, "law_of_rows(X, y)"),
    (to_predict, True, "to_predict(X_train, y_train, x_test, rng)"),
]


@pytest.mark.parametrize(("program", "labelled", "how"), NAMED)
def test_names_say_what_each_parameter_takes(program: Any, labelled: bool, how: str) -> None:
    """Each answers a bit that is wrong in one case of three: e^epsilon is 2."""
    asked: Any = audit.private_prediction if "test" in how else audit.differential_privacy
    found = asked(program, 2, 1, labelled=labelled)
    assert found.value == 2
    assert found.understood.endswith(f"called as {how}")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (below, r"below\(prng, queries, epsilon\), in which epsilon has no value, want "
                r"functools\.partial\(below, epsilon=\.\.\.\)"),
        (given_by_name, r"given_by_name\(data, epsilon, rng\), in which epsilon has no value"),
        (lambda data, epsilon: data, "in which epsilon has no value"),  # noqa: ARG005
        (lambda data, weights, c, rng: 0, "in which weights and c have no value"),  # noqa: ARG005
        (lambda epsilon: 0, "in which epsilon has no value"),  # noqa: ARG005
        (rows_and_labels, "samples of labelled examples for what takes rows and labels"),
        (lambda data: CountingForAll(), "<CountingForAll object>"),  # noqa: ARG005
        (lambda data: 0, r"pac_stability\.data\.Deterministic\(f\)\)"),  # noqa: ARG005
    ],
)  # fmt: skip
def test_a_refusal_shows_names_and_no_address(program: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        audit.differential_privacy(program, 2, 1, labelled=False)
    assert "0x" not in str(caught.value)


def size_of_ones(X: Any, y: Any) -> int:  # noqa: ARG001
    return int(y.sum())


def test_what_draws_nothing_is_wrapped_as_the_refusal_says() -> None:
    with pytest.raises(SubjectFailure, match="wrap a function without coins") as caught:
        audit.differential_privacy(size_of_ones, 1, 2)
    line = str(caught.value).rpartition(": ")[2].removesuffix(")")
    wrapped = eval(line, {"pac_stability": pac_stability, "size_of_ones": size_of_ones})  # noqa: S307
    assert audit.differential_privacy(wrapped, 1, 2).value == float("inf")
    assert audit.differential_privacy(wrapped, 1, 2).counts.outcomes == 3


def test_a_program_of_bare_points_is_told_how_to_ask_for_them() -> None:
    def total(rows: Any, rng: Any) -> object:
        return sum(rows) + rng.two_sided(Fraction(1, 2), 0)

    def ones(rows: Any, rng: Any) -> object:
        return rows.count(1) + rng.two_sided(Fraction(1, 2), 0)

    with pytest.raises(SubjectFailure, match=r"unsupported.*, or labelled=False"):
        audit.differential_privacy(total, 2, 1)
    blind = audit.differential_privacy(ones, 2, 1)
    assert (blind.value, UNEQUAL in blind.assumptions) == (1, True)
    seen = audit.differential_privacy(ones, 2, 1, labelled=False)
    assert (seen.value, UNEQUAL in seen.assumptions) == (2, False)


def test_legacy_names_and_generators_as_outcomes() -> None:
    def shares(rows: Any, rng: Any) -> Any:
        return (row ^ int(rng.rand() < 0.25) for row in rows)

    assert audit.differential_privacy(shares, 2, 2, labelled=False).value == 3
    assert randomness.SeededCoins(0).rand(2).shape == randomness.SeededCoins(0).randn(2).shape
    with pytest.raises(SubjectFailure, match="or ask by runs: --black-box"):
        audit.differential_privacy(lambda _, rng: rng.vonmises(0, 1) > 0, 2, 1, labelled=False)


class CountingForAll:
    """Counts where a copy does not help."""

    seen: ClassVar[list[int]] = []

    def fit(self, X: Any, y: Any) -> None:  # noqa: ARG002
        self.seen.append(1)

    def predict(self, X: Any) -> list[int]:
        return [int(len(self.seen) % 1000 == 0) for _ in X]


def test_an_estimator_that_keeps_something_for_all_copies_is_refused() -> None:
    with pytest.raises(SubjectFailure, match="keeps something between questions"):
        audit.private_prediction(CountingForAll(), 1, 2)


def test_probabilities_are_no_labels_of_a_hypothesis() -> None:
    def learner(sample: object, rng: object) -> dict[int, float]:  # noqa: ARG001
        return {0: 0.2}

    with pytest.raises(SubjectFailure, match="the probability of a label takes the point, too"):
        audit.private_prediction(learner, 1, 1)


class Counting:
    """A fit that would see what an earlier one left."""

    fits = 0

    def fit(self, X: Any, y: Any) -> None:  # noqa: ARG002
        self.fits += 1

    def predict(self, X: Any) -> object:
        return [self.fits - 1 for _ in X]


def test_each_question_is_put_to_a_copy() -> None:
    asked = Counting()
    result = audit.estimator(asked, domain=2, n=1)
    assert (result.value, asked.fits) == (0, 0)


class Keeping(Counting):
    """Keeps a generator, of which each copy draws the same."""

    def __init__(self, generator: object) -> None:
        self.inside = [generator]

    def predict(self, X: Any) -> list[int]:
        drawn: Any = self.inside[0]
        return [int(drawn.random() < 0.5) for _ in X]


def test_an_estimator_that_keeps_a_generator_is_refused() -> None:
    import random  # for this alone

    for generator in (np.random.default_rng(0), random.Random(0)):
        with pytest.raises(InvalidInput, match=r"keeps a .*: each copy of it draws the same"):
            audit.private_prediction(Keeping(generator), 1, 1)


class Sorting:
    """Writes where its rows and labels are, and draws one of them."""

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> None:
        y *= X[0, 0]
        X[:] = 0
        self.label = self.random_state.choice(y)

    def predict(self, X: Any) -> list[int]:
        return [self.label for _ in X]


def test_a_fit_may_write_where_its_rows_and_labels_are() -> None:
    # The point is asked about, whatever it is.
    def plain(sample: Sample[int], point: int, rng: randomness.ExactGenerator) -> int:  # noqa: ARG001
        return rng.choice(sample.labels) * sample.points[0]

    wanted = audit.uniform_stability(plain, 2, 2)
    assert audit.estimator(Sorting(), domain=2, n=2).value == wanted.value


class Randomised:
    """Draws with its random_state, or predicts nothing but ones if that is a seed."""

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Randomised:
        assert X.shape == (len(y), 2)
        seeded = isinstance(self.random_state, int)
        self.label_ = 1 if seeded else self.random_state.choice(y, p=[0.25, 0.75])
        return self

    def predict(self, X: Any) -> object:
        return np.full(len(X), self.label_)


def test_random_state_gets_the_coins_unless_it_is_a_seed() -> None:
    points = [(0, 1), (2, 3)]
    result = audit.estimator(Randomised(), domain=points, n=2)
    # The second example counts for three quarters.
    assert result.value == Fraction(3, 4)
    assert result.understood == "an estimator (fit, then predict), coins as random_state"
    seeded = audit.estimator(Randomised(7), domain=points, n=2)
    assert seeded.value == 0
    assert seeded.understood == "an estimator (fit, then predict), without coins"
    assert labels.SEEDED in seeded.assumptions


def test_probabilities_of_an_estimator_are_asked_for_by_name() -> None:
    notion = Notion.PRIVATE_PREDICTION
    result = audit.estimator(
        draft("Smoothed"), domain=1, n=2, notion=notion, method="predict_proba", claim=1
    )
    assert (result.value, result.verdict) == (2, audit.Verdict.VERIFIED)
    assert result.understood == (
        "an estimator (fit, then predict_proba; predict is not asked), without coins"
    )
    with pytest.raises(InvalidInput, match="'predict_proba', which it does not have"):
        audit.estimator(draft("Majority"), domain=1, n=1, method="predict_proba")
    with pytest.raises(InvalidInput, match="method: got 'score'"):
        audit.estimator(draft("Majority"), domain=1, n=1, method="score")
    refuses("an object with fit and predict", audit.estimator, object(), domain=1, n=1)


class OneClass:
    """Knows the classes that it has seen, as scikit-learn's estimators do."""

    def fit(self, X: Any, y: Any) -> None:  # noqa: ARG002
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares = counts / len(y)

    def predict_proba(self, X: Any) -> Any:
        return np.tile(self.shares, (len(X), 1))


class TwoClasses(OneClass):
    """Needs two classes, as many of scikit-learn's estimators do; some at one point alone."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict

    def fit(self, X: Any, y: Any) -> None:
        super().fit(X, y)
        if len(self.classes_) < 2 and not self.strict:
            raise ValueError("one class")

    def predict_proba(self, X: Any) -> Any:
        if self.strict and len(self.classes_) < 2 and X[0][0] == 1:
            raise ValueError("one class")
        return super().predict_proba(X)


@pytest.mark.parametrize("notion", [Notion.UNIFORM_STABILITY, Notion.PRIVATE_PREDICTION])
@pytest.mark.parametrize("delta", [0, Fraction(1, 2), 1])
def test_an_error_may_be_an_outcome(notion: Notion, delta: Any) -> None:
    """The value is that of laws on the labels and the error, compared event by event."""
    private = notion is Notion.PRIVATE_PREDICTION
    if not private and delta:
        return
    subject = labels.Fitting.of(TwoClasses(), "predict_proba")
    options: dict[str, Any] = {
        "points": (labels.ANSWERS, 0),
        **({"delta": delta} if private else {}),
    }
    found = notion.ask(subject, 1, 3, **options)

    def law(ys: tuple[int, ...]) -> dict[object, Fraction]:
        one = Fraction(sum(ys), len(ys))
        return {"error": Fraction(1)} if one in {0, 1} else {1: one, 0: 1 - one}

    worst: Any = 0
    for ys in product((0, 1), repeat=3):
        for place in range(3):
            p, q = law(ys), law((*ys[:place], 1 - ys[place], *ys[place + 1 :]))
            for size in range(4):
                for event in combinations(("error", 0, 1), size):
                    here, there = (sum(r.get(o, 0) for o in event) for r in (p, q))
                    if not private:
                        worst = max(worst, here - there)
                    elif here > delta:
                        worst = max(worst, (here - delta) / there if there else math.inf)
    assert found.value == (max(worst, 1) if private else worst)
    assert labels.ERRORS in found.assumptions


def test_errors_are_outcomes_only_where_that_is_asked_and_certain() -> None:
    def ask(asked: object, **options: Any) -> Any:
        return audit.estimator(asked, domain=2, n=2, method="predict_proba", **options)

    assert ask(TwoClasses(), on_error="outcome").witness.point == labels.ANSWERS
    with pytest.raises(SubjectFailure, match=r"on_error=.outcome. \(--on-error outcome\)"):
        ask(TwoClasses())
    with pytest.raises(SubjectFailure, match="one class"):  # at one point alone
        ask(TwoClasses(strict=True), on_error="outcome")
    refuses("on_error: got 'ignore'", ask, TwoClasses(), on_error="ignore")
    with pytest.raises(SubjectFailure, match="takes coins"):
        audit.estimator(Randomised(), domain=2, n=2, on_error="outcome")


def test_columns_are_those_of_the_classes() -> None:
    assert audit.estimator(OneClass(), domain=1, n=2).value == Fraction(1, 2)


class Regressor(Counting):
    """Predicts a number that is no label."""

    def predict(self, X: Any) -> list[float]:
        return [0.5 for _ in X]


class Short(Counting):
    """Forgets to answer."""

    def predict(self, X: Any) -> list[int]:  # noqa: ARG002
        return []


@pytest.mark.parametrize(
    ("wrong", "words"), [(Regressor(), "label: got 0.5"), (Short(), "0 answers")]
)
def test_an_estimator_that_predicts_no_labels_is_refused(wrong: Counting, words: str) -> None:
    with pytest.raises(SubjectFailure, match=words):
        audit.private_prediction(wrong, 1, 1)


def test_scikit_learns_own_estimators() -> None:
    missing = "scikit-learn is not installed"
    dummy = pytest.importorskip("sklearn.dummy", reason=missing)
    neighbors = pytest.importorskip("sklearn.neighbors", reason=missing)
    tree = pytest.importorskip("sklearn.tree", reason=missing).DecisionTreeClassifier
    for drawing_nothing in (dummy.DummyClassifier(), neighbors.KNeighborsClassifier(1)):
        result = audit.estimator(drawing_nothing, domain=2, n=2)
        assert result.value == 1
        assert labels.SEEDED not in result.assumptions
    # NumPy draws entropy for every RandomState, before the seed replaces it.
    seeded = audit.estimator(tree(random_state=0), domain=2, n=2)
    assert seeded.value == 1
    assert labels.SEEDED in seeded.assumptions
    with pytest.raises(SubjectFailure, match=r"numpy\.random.*DecisionTree.*an integer as random"):
        audit.estimator(tree(), domain=2, n=2)


def test_names_that_scikit_learn_gives_to_its_work_are_no_draw() -> None:
    """Forests hand their trees to joblib, which names and dates each call."""
    missing = "scikit-learn is not installed"
    forest = pytest.importorskip("sklearn.ensemble", reason=missing).RandomForestClassifier
    result = audit.estimator(forest(2, random_state=0), domain=1, n=2)
    assert result.value == 1
    assert labels.SEEDED in result.assumptions
    parallel = audit.estimator(forest(2, random_state=0, n_jobs=2), domain=1, n=2)
    assert parallel.value == 1
    boosted = pytest.importorskip("sklearn.ensemble").HistGradientBoostingClassifier
    boosting = audit.estimator(boosted(max_iter=1, random_state=0), domain=1, n=2)
    assert watch.PROCESSORS in boosting.assumptions
    pipeline = pytest.importorskip("sklearn.pipeline", reason=missing).make_pipeline
    assert audit.estimator(pipeline(forest(2, random_state=0)), domain=1, n=2).value == 1
    workers = pytest.importorskip("joblib", reason=missing).Parallel

    def named(sample: Sample[int], point: int) -> int:  # noqa: ARG001
        return int(workers()._id[0], 16) % 2  # what a program that calls joblib itself could do

    with pytest.raises(SubjectFailure, match=r"os\.urandom"):
        audit.private_prediction(named, 1, 1)


class Seeded(Counting):
    """Draws as scikit-learn's do, with what its function makes of a seed."""

    def __init__(self, make: Callable[[object], Any], random_state: object) -> None:
        self.make = make
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> None:
        self.label = int(y[self.make(self.random_state).randint(len(X))])

    def predict(self, X: Any) -> list[int]:
        return [self.label for _ in X]


def check_random_state(seed: object) -> Any:
    """What scikit-learn has under this name, in short."""
    return np.random.mtrand._rand if seed is None else np.random.RandomState(seed)  # type: ignore[arg-type]  # a seed


def test_entropy_that_a_seed_replaces_is_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """The label of one example, the same in each run; only where there is a seed for certain."""
    drawing = Seeded(check_random_state, 0)
    with pytest.raises(SubjectFailure, match=r"os\.urandom"):
        audit.estimator(drawing, domain=1, n=2)
    module = ModuleType("sklearn.utils.validation")
    monkeypatch.setattr(module, "check_random_state", check_random_state, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    result = audit.estimator(drawing, domain=1, n=2)
    assert result.value == 1
    assert labels.SEEDED in result.assumptions
    with pytest.raises(SubjectFailure, match=r"os\.urandom"):
        audit.estimator(Seeded(lambda seed: np.random.RandomState(seed), 0), domain=1, n=2)  # type: ignore[arg-type]  # noqa: PLW0108
    for no_seed in ("0", [0]):
        with pytest.raises(SubjectFailure):
            audit.estimator(Seeded(check_random_state, no_seed), domain=1, n=2)
    with pytest.raises(SubjectFailure, match=r"numpy\.random"):
        audit.estimator(Seeded(lambda _: check_random_state(None), 0), domain=1, n=2)


def test_order_does_not_matter_to_a_draft() -> None:
    for name in ("smoothed", "Majority", "flipped_at_times"):
        shown = audit.is_symmetric(draft(name), 1, 2)
        assert shown
        result = audit.uniform_stability(draft(name), 1, 2)
        assert audit.uniform_stability(draft(name), 1, 2, symmetric=True).value == result.value
