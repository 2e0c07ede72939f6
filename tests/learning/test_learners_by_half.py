"""What the two bases make of a law, of a program, and of probabilities alone."""

import copy
import inspect
import pickle
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, strategies as st

from pac_stability import arguments, arithmetic, audit, classes, learning, testing, zoo
from pac_stability.data import FiniteDistribution, Sample, enumerate_law
from pac_stability.data.sample import require_any_sample, require_sample
from pac_stability.errors import BudgetExhausted, InvalidInput, Unanswerable
from pac_stability.papers.dagan_feldman import StableLearner, baselines
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins
from shared_refusals import refuses

AnySample = Sample[Hashable]
H = classes.thresholds(3)


class ByLaw(learning.LawfulLearner[Hashable]):
    """Row k with a weight that depends on the sample."""

    def law(self, sample: AnySample, /) -> FiniteDistribution[classes.Hypothesis]:
        weights = [1 + sum(sample.labels), 1 + len(sample), 2, 3]
        total = sum(weights)
        return FiniteDistribution({h: Fraction(w, total) for h, w in zip(H, weights, strict=True)})


class ByRun(learning.LawfulLearner[Hashable]):
    """The same, as a program."""

    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> classes.Hypothesis:
        return H[rng.choose([1 + sum(sample.labels), 1 + len(sample), 2, 3])]


class Lean(learning.PointwiseLearner[Hashable]):
    """A coin whose bias is the share of ones."""

    def probabilities(
        self, sample: AnySample, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        return (Fraction(1 + sum(sample.labels), 2 + len(sample)),) * len(points)


class Irrational(learning.PointwiseLearner[Hashable]):
    def probabilities(
        self, sample: AnySample, points: Sequence[Hashable], /
    ) -> tuple[arithmetic.Interval, ...]:
        return (1 / arithmetic.Interval.sqrt(2 + len(sample)),) * len(points)


LEARNERS: list[learning.Learner[Hashable]] = [ByLaw(), ByRun(), Lean(), Irrational()]


@given(testing.strategies.samples(range(3), max_size=4))
def test_each_of_law_and_run_is_found_from_the_other(sample: Sample[int]) -> None:
    assert ByRun().law(sample) == ByLaw().law(sample)
    assert enumerate_law(lambda rng: ByLaw().run(sample, rng)) == ByLaw().law(sample)


@given(testing.strategies.samples(range(3), max_size=4), st.sampled_from(range(3)))
def test_predictions_are_those_of_a_drawn_hypothesis(sample: Sample[int], x: int) -> None:
    for learner in (ByLaw(), ByRun(), Lean()):
        (p,) = learner.probabilities(sample, [x])
        assert enumerate_law(partial(learner.predict, sample, x)).probability(1) == p
    for learner in (ByLaw(), ByRun()):
        expected = learner.law(sample).expectation(lambda h: h(x))
        assert learner.probabilities(sample, [0, x])[1] == expected


def test_a_class_with_neither_law_nor_run_is_refused_where_it_is_written() -> None:
    with pytest.raises(TypeError, match="Nothing has neither law nor run"):

        class Nothing(learning.LawfulLearner[Hashable]):
            pass


@pytest.mark.parametrize("learner", [Lean(), Irrational()], ids=lambda it: type(it).__name__)
def test_without_a_hypothesis_its_law_is_refused_with_the_reason(
    learner: learning.PointwiseLearner[Hashable],
) -> None:
    sample = Sample([0], [1])
    name = type(learner).__name__
    for asked, question in (("law", learner.law), ("run", learner.run)):
        with pytest.raises(Unanswerable, match=rf"^{asked} of {name}: .*no hypothesis"):
            question(sample)
    with pytest.raises(Unanswerable, match=rf"^law of {name}: "):
        audit.differential_privacy(learner, 2, 1)


def test_a_coin_is_not_tossed_for_an_irrational_probability() -> None:
    with pytest.raises(Unanswerable, match="irrational"):
        Irrational().predict(Sample([0], [1]), 0, SeededCoins(0))


def test_nothing_is_said_unless_a_learner_says_it() -> None:
    for learner in LEARNERS:
        assert not learner.symmetric
        assert learner.promises(3) == {}


def test_reasons_survive_other_processes() -> None:
    for error in (Unanswerable("law of x", "why"), BudgetExhausted("too long", 2, 5)):
        twin = pickle.loads(pickle.dumps(error))  # noqa: S301  # made here
        assert (str(twin), type(twin), vars(twin)) == (str(error), type(error), vars(error))
    assert str(Unanswerable("law of x", "why")) == "law of x: why"
    assert isinstance(BudgetExhausted("too long"), Unanswerable)


def test_samples_and_points_are_checked_by_name() -> None:
    sample = Sample([0, 1], [0, 1])
    require_sample(sample, 2)
    require_any_sample(sample, 2)
    assert arguments.as_points(iter([1, 2])) == (1, 2)
    for check in (require_sample, require_any_sample):
        refuses(r"^S: got 2 examples, want at least 3 examples", check, sample, 3, "S")
        refuses(r"^sample: got None, want a Sample", check, None)
    with pytest.raises(InvalidInput, match=r"^points: got 3, want several points"):
        arguments.as_points(3)  # type: ignore[call-overload, arg-type, unused-ignore]  # no points


@given(st.lists(st.integers(-9, 9), unique=True, max_size=20), st.data())
def test_a_mask_is_the_integer_of_its_labels(points: list[int], data: st.DataObject) -> None:
    labels = [data.draw(st.integers(0, 1)) for _ in points]
    bits = sum(label << i for i, label in enumerate(labels))
    h = learning.Mask(bits, points)
    assert [h(x) for x in points] == labels
    assert h == bits
    assert hash(h) == hash(bits)
    assert {bits: "seen"}[h] == "seen"
    for twin in (pickle.loads(pickle.dumps(h)), copy.deepcopy(h)):  # noqa: S301  # made here
        assert (twin, twin.domain, type(twin)) == (h, tuple(points), learning.Mask)


def test_a_mask_is_printed_with_its_points_and_told_from_others() -> None:
    assert repr(learning.Mask(2, ("a", (0, 1)))) == "<Mask 'a': 0, (0, 1): 1>"
    wide = [learning.Mask(1 << 40, range(64)), learning.Mask(1 << 41, range(64))]
    assert len({repr(h) for h in wide}) == 2
    assert repr(wide[0]).endswith("48 more: 0x10000000000>")


def test_what_labels_no_such_points_is_refused() -> None:
    for bits in (-1, 4):
        refuses(r"below 2\*\*2", learning.Mask, bits, "ab")
    refuses(r"^point: got 'c', want one of the 2 points", learning.Mask(1, "ab"), "c")


def test_a_certificate_keeps_the_labels_of_a_mask() -> None:
    first = audit.global_stability(
        lambda S: FiniteDistribution.point_mass(learning.Mask(S.labels[0], "a")),
        FiniteDistribution.uniform(Sample("aa", [0, 1])),
        1,
    )
    again = audit.certificates.from_json(audit.certificates.to_json(first))
    assert again.witness is not None
    ((h, _),) = again.witness.strategy  # type: ignore[union-attr]  # of a notion about laws
    assert isinstance(h, audit.certificates.RecordedObject)
    assert h("a") in (0, 1)
    assert repr(h).startswith("<Mask 'a': ")


QUESTIONS = {"law", "run", "probabilities", "predict", "promises", "stability", "guarantee"}


def test_help_says_what_the_parameters_of_learners_mean() -> None:
    """Once in the sources, and under every question that can be put to a learner."""
    for learner in (spec.learner for spec in zoo.learners()):
        for name, member in inspect.getmembers(type(learner), inspect.isfunction):
            parameters = [*inspect.signature(member).parameters][1:]
            if name not in QUESTIONS or not parameters:
                continue
            lines = (inspect.getdoc(member) or "").split("\n")
            start = lines.index("Parameters") + 2 if "Parameters" in lines else 0
            listed = lines[start : [*lines[start:], ""].index("") + start]
            named = ", ".join(line for line in listed if line[:1].strip())
            refused = {"law", "run"} & {name} and lines[0].startswith("Refuse")
            assert refused or set(named.split(", ")) >= set(parameters), (member, named)
    shown = inspect.getdoc(StableLearner.stability) or ""
    assert "\n\nParameters\n----------\nn\n    The size of the samples.\n\nReturns\n---" in shown
    assert "sample\n    S.\n" in (inspect.getdoc(baselines.DisjointAverage.law) or "")


def test_the_words_of_a_user_are_left_alone() -> None:
    class Mine(learning.LawfulLearner[int]):
        def law(self, sample: Sample[int], /) -> FiniteDistribution[classes.Hypothesis]:
            """Answer."""
            raise NotImplementedError

    assert Mine.law.__doc__ == "Answer."
