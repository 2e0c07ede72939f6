"""One contract for every learner and scheme of the library, put to it as a user's would be."""

import inspect
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pytest

from pac_stability import audit, classes, data, errors, zoo
from pac_stability.arithmetic import Constants, Epsilon, Interval
from pac_stability.audit import About, AuditResult, Notion, Verdict
from pac_stability.learning import LawfulLearner, PointwiseLearner, Promises
from pac_stability.mechanisms import PrivacyGuarantee, exponential_learner
from pac_stability.papers import guarantees
from pac_stability.papers.bun_livni_moran import GloballyStableLearner
from pac_stability.papers.dagan_feldman import FlippedLearner, StableLearner, VotingLearner
from pac_stability.randomness import SYSTEM_COINS, Coins
from pac_stability.testing import CheckFailed, Declares, check_learner, suite
from pac_stability.testing.contract import QUESTIONS

SPECIMENS = zoo.learners()
H = classes.thresholds(2)
HALF = Fraction(1, 2)
AnySample = data.Sample[Hashable]


def label(specimen: zoo.LearnerSpecimen) -> str:
    return f"{SPECIMENS.index(specimen)}-{specimen.name}"


CHECKS = [
    pytest.param(check, id=f"{label(specimen)}-{check.name}")
    for specimen in SPECIMENS
    for check in suite.checks_of(
        specimen.learner,
        domain=specimen.elements,
        sizes=specimen.sizes,
        distributions=specimen.distributions,
    )
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_contract_is_kept(check: Callable[[], object]) -> None:
    check()


def everywhere(kind: type[object]) -> Iterator[type[object]]:
    for child in type.__subclasses__(kind):
        yield child
        yield from everywhere(child)


def test_no_learner_of_the_library_is_left_out() -> None:
    # By name: a dataclass with slots is made twice. Books have examples and mutants of their own.
    concrete = {
        f"{kind.__module__}.{kind.__name__}"
        for kind in (*everywhere(LawfulLearner), *everywhere(PointwiseLearner))
        if kind.__module__.startswith("pac_stability.") and not inspect.isabstract(kind)
        if not kind.__module__.startswith("pac_stability.books.")
    }
    left_out = {
        "compression.any_class._Agnostic": "what two have in common",
        "compression.smallest.TableScheme": "what two have in common",
        "papers.dagan_feldman.baselines.BlockVotes": "what three have in common",
    }
    kinds = [type(specimen.learner) for specimen in SPECIMENS]
    listed = {f"{kind.__module__}.{kind.__name__}" for kind in kinds}
    assert listed == concrete - {f"pac_stability.{name}" for name in left_out}


# Where the order matters, but not on two points.
SILENT = {
    "MaximumClassScheme": "which cube is found first depends on the order of the points",
    "BoostingScheme": "groups are drawn by index",
    "LittlestoneScheme": "mistakes are kept in the order in which they are made",
    "_AgnosticProper": "the first right example fills up",
    "_AgnosticImproper": "the first right example fills up",
}


@pytest.mark.parametrize("specimen", SPECIMENS, ids=label)
def test_the_order_is_said_not_to_matter_where_it_does_not(specimen: zoo.LearnerSpecimen) -> None:
    examples = isinstance(specimen.elements[0], data.Example)
    shown = audit.is_symmetric(
        specimen.learner, specimen.elements, specimen.sizes[-1], labelled=not examples
    )
    assert bool(shown) == specimen.learner.symmetric or specimen.name in SILENT


# Every audit of every learner: an answer, or the reason why there can be none.


def cell(specimen: zoo.LearnerSpecimen, notion: Notion) -> AuditResult | errors.Unanswerable:
    n = specimen.sizes[0]
    given = tuple(z for z in specimen.elements if isinstance(z, data.Example))
    try:
        if notion.about.pairs:
            more: dict[str, object] = {"order": 2} if "order" in notion.fixed else {}
            if notion.about is About.PREDICTIONS:
                more["points"] = specimen.points
            return notion.ask(specimen.learner, specimen.elements, n, labelled=not given, **more)
        examples = given or tuple(data.Example(x, i % 2) for i, x in enumerate(specimen.points))
        fixed = dict.fromkeys(notion.fixed, "1/4")
        return notion.ask(specimen.learner, data.FiniteDistribution.uniform(examples), n, **fixed)
    except errors.Unanswerable as reason:
        return reason


@pytest.mark.parametrize("notion", Notion.all(), ids=lambda notion: notion.name)
@pytest.mark.parametrize("specimen", SPECIMENS, ids=label)
def test_every_audit_of_every_learner_has_an_answer_or_a_reason(
    specimen: zoo.LearnerSpecimen, notion: Notion
) -> None:
    found = cell(specimen, notion)
    if isinstance(specimen.learner, PointwiseLearner) and notion.about is not About.PREDICTIONS:
        assert isinstance(found, errors.Unanswerable)
        assert str(found).startswith(f"law of {specimen.name}: ")
        assert "no hypothesis" in str(found)
    else:
        assert isinstance(found, AuditResult)
        assert found.counts.datasets > 0
        assert found.verdict in (Verdict.VERIFIED, Verdict.BOUNDED)


def test_the_program_of_the_issue_runs() -> None:
    G = GloballyStableLearner(H, "1/4", n=1, blocks=2)
    D = data.FiniteDistribution.uniform([data.Example(x, H(1, x)) for x in H.domain])
    # G says the right rule for certain when both points are seen among the examples that it uses.
    assert audit.accuracy(G, D, 3, HALF, hypotheses=H).value in (0, HALF)
    assert audit.private_prediction(G, H.domain, 3).value == float("inf")


# What is promised of outputs is needed: a little less fails the contract.

OF_OUTPUTS: dict[Notion, Callable[[Fraction], Declares]] = {
    Notion.TOTAL_VARIATION_STABILITY: lambda gamma: Declares(total_variation_stability=gamma),
    Notion.ZERO_CONCENTRATED_PRIVACY: lambda rho: Declares(zero_concentrated_privacy=rho),
}


def least(specimen: zoo.LearnerSpecimen, notion: Notion, n: int) -> Fraction:
    """Return a number that outputs on samples of size n exceed, or that is negative."""
    labelled = not isinstance(specimen.elements[0], data.Example)
    found = notion.ask(specimen.learner, specimen.elements, n, labelled=labelled).value
    value = found.lower if isinstance(found, Interval) else found
    assert isinstance(value, Fraction)
    return value - Fraction(1, 10**6)


@pytest.mark.parametrize("notion", OF_OUTPUTS, ids=lambda notion: notion.name)
def test_a_promise_that_is_too_small_fails_the_contract(notion: Notion) -> None:
    tampered = 0
    for specimen in SPECIMENS:
        n = specimen.sizes[0]
        promised = specimen.learner.promises(n).get(notion)
        if promised is None:
            continue
        less = least(specimen, notion, n)
        assert isinstance(promised, Fraction)
        assert 0 < less < promised
        checks = suite.checks_of(
            specimen.learner, domain=specimen.elements, sizes=n, declares=OF_OUTPUTS[notion](less)
        )
        (check,) = (c for c in checks if c.name == f"{specimen.name}-{notion.name}")
        with pytest.raises(CheckFailed, match=f"declares {notion.title} with "):
            check()
        tampered += 1
    assert tampered >= {"gamma": 8, "rho": 5}[notion.parameter.name]


def test_what_is_private_is_stable_and_concentrated_as_well() -> None:
    private = PrivacyGuarantee(Epsilon.exactly(3), Fraction(1, 10))
    assert guarantees.by_privacy(private) == {
        Notion.DIFFERENTIAL_PRIVACY: private,
        Notion.PRIVATE_PREDICTION: private,
        Notion.TOTAL_VARIATION_STABILITY: Fraction(11, 20),
    }
    pure = guarantees.by_privacy(PrivacyGuarantee(Epsilon.exactly(3)))
    rho = pure[Notion.ZERO_CONCENTRATED_PRIVACY]
    assert isinstance(rho, Fraction)
    assert math.isclose(rho, math.log(3) / 2)
    assert Interval.log(3, 256).upper / 2 <= rho
    mechanism = exponential_learner(H, HALF)
    chosen = guarantees.by_choice(mechanism)
    assert chosen[Notion.TOTAL_VARIATION_STABILITY] == Fraction(1, 3)
    rho = chosen[Notion.ZERO_CONCENTRATED_PRIVACY]
    assert isinstance(rho, Fraction)
    assert math.isclose(rho, math.log(4) ** 2 / 8)
    assert Interval.log(2, 256).upper ** 2 / 2 <= rho


# What is promised, beyond what small samples can show.


def test_the_globally_stable_learner_promises_what_is_proved_of_its_size() -> None:
    H4 = classes.thresholds(4)
    for constants, H_d, proved in (
        (Constants.SHARP, H4, True),
        (Constants.PROVED, H4, True),
        (Constants.PRINTED, H4, False),
        (Constants.PRINTED, H, True),
    ):
        G = GloballyStableLearner(H_d, "1/4", constants=constants)
        expected = {Notion.GLOBAL_STABILITY: G.parameters.eta} if proved else {}
        assert G.promises(G.sample_size) == G.promises(G.sample_size + 1) == expected
        assert G.promises(G.sample_size - 1) == {}
        smaller = GloballyStableLearner(H_d, "1/4", constants=constants, n=G.parameters.n - 1)
        assert smaller.promises(smaller.sample_size) == {}


def test_a_flip_promises_what_it_makes_of_the_promises_of_its_base() -> None:
    stable = StableLearner(H, 1, Epsilon.exactly(4))
    flipped = FlippedLearner(stable, Fraction(1, 10)).promises(3)
    gamma = stable.stability(3)
    assert flipped[Notion.UNIFORM_STABILITY] == Fraction(4, 5) * gamma
    factor = min(1 + 8 * gamma, FlippedLearner(stable, Fraction(1, 10)).factor_from_privacy(3))
    assert isinstance(factor, Fraction)
    assert flipped[Notion.PRIVATE_PREDICTION] == PrivacyGuarantee(Epsilon.exactly(factor))
    # Without a flip the base's own privacy stays, and of one promise one follows.
    unflipped = FlippedLearner(stable, Fraction(0)).promises(3)
    assert unflipped[Notion.PRIVATE_PREDICTION] == stable.guarantee(3)
    voting = FlippedLearner(VotingLearner(HALF), Fraction(1, 10)).promises(3)
    assert voting[Notion.PRIVATE_PREDICTION] == PrivacyGuarantee(Epsilon.exactly(5))


# Each question can be answered with no.


@dataclass(frozen=True)
class Right(LawfulLearner[Hashable]):
    """Row 1, or the row of the first label."""

    symmetric: ClassVar[bool] = False

    @property
    def least_examples(self) -> int:
        return 1

    def law(self, sample: AnySample, /) -> data.FiniteDistribution[classes.Hypothesis]:
        self.require(sample)
        return data.FiniteDistribution({H[1]: HALF, H[2 * sample.labels[0]]: HALF})

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for all
        return {Notion.UNIFORM_STABILITY: HALF}


class BiasedRun(Right):
    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> classes.Hypothesis:
        return H[1] if rng.below(3) else H[2 * sample.labels[0]]


class NoRun(Right):
    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> classes.Hypothesis:  # noqa: ARG002  # the shape
        raise errors.Unanswerable("run", "too tired")


class OtherProbabilities(Right):
    def probabilities(
        self, sample: AnySample, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        return tuple(p / 2 for p in super().probabilities(sample, points))


class OtherPredictions(Right):
    def predict(self, sample: AnySample, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        return 1 - super().predict(sample, point, rng)


class TooFew(Right):
    def probabilities(
        self, sample: AnySample, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        return super().probabilities(sample, points)[1:]


class NoProbability(PointwiseLearner[Hashable]):
    def probabilities(
        self, sample: AnySample, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        self.require(sample)
        return (Fraction(3, 2),) * len(points)


@dataclass(frozen=True)
class Labels:
    label: int

    def __call__(self, point: Hashable) -> int:  # noqa: ARG002  # the shape
        return self.label


class WrongLabel(Right):
    def law(self, sample: AnySample, /) -> data.FiniteDistribution[classes.Hypothesis]:
        self.require(sample)
        return data.FiniteDistribution({Labels(2): 1})


class Fresh:
    """A hypothesis that equals only itself."""

    def __call__(self, point: Hashable) -> int:  # noqa: ARG002  # the shape
        return 1


class Incomparable(Right):
    def law(self, sample: AnySample, /) -> data.FiniteDistribution[classes.Hypothesis]:
        self.require(sample)
        return data.FiniteDistribution({Fresh(): 1})


class SaysSymmetric(Right):
    symmetric: ClassVar[bool] = True


class ByIdentity(Right):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Forgetful(Right):
    """A copy promises nothing."""

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return Copied, ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Right)

    def __hash__(self) -> int:
        return 0


class Copied(Forgetful):
    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the shape
        return {}


class TakesAll(Right):
    def law(self, sample: AnySample, /) -> data.FiniteDistribution[classes.Hypothesis]:  # noqa: ARG002  # the shape
        return data.FiniteDistribution({H[1]: 1})


class PromisesTooMuch(Right):
    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the shape
        return {Notion.UNIFORM_STABILITY: Fraction(1, 3)}


WRONG: list[tuple[type, str, str]] = [
    (BiasedRun, "law-of-runs", "that of the runs is"),
    (NoRun, "law-of-runs", "no run: run: too tired"),
    (OtherProbabilities, "predictions", "by its law it is another"),
    (OtherPredictions, "predictions", "but predicts by"),
    (TooFew, "predictions", "1 probabilities for 2 points"),
    (NoProbability, "predictions", "is 3/2"),
    (WrongLabel, "hypotheses", "not 0 or 1"),
    (Incomparable, "hypotheses", "does not equal a copy"),
    (SaysSymmetric, "order", "it says that the order does not matter"),
    (ByIdentity, "copy", "not equal to it"),
    (Forgetful, "copy", "promises something else"),
    (TakesAll, "refusals", "takes None for a sample"),
    (PromisesTooMuch, "uniform-stability", "gamma = 1/2"),
]


def test_a_right_learner_passes_all_questions() -> None:
    assert len(check_learner(Right(), domain=2, sizes=[1, 2]).checked) == len(QUESTIONS) + 1
    assert {question for _, question, _ in WRONG} == {*QUESTIONS, "uniform-stability"}


@pytest.mark.parametrize(("wrong", "question", "words"), WRONG)
def test_a_wrong_learner_fails_its_question(wrong: type, question: str, words: str) -> None:
    checks = suite.checks_of(wrong(), domain=2, sizes=[1, 2], declares=None)
    (check,) = (c for c in checks if c.name == f"{wrong.__name__}-{question}")
    with pytest.raises(CheckFailed, match=words):
        check()


def test_a_question_that_was_never_answered_has_not_been_passed() -> None:
    with pytest.raises(CheckFailed, match="was not checked at all"):
        suite.checks_of(EndlessRun(), domain=2, sizes=[1])[0]()


class EndlessRun(Right):
    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> classes.Hypothesis:  # noqa: ARG002  # the shape
        while rng.below(2):
            pass
        return H[1]


def test_samples_that_are_too_small_are_left_out() -> None:
    learner = StableLearner(H, 3, 1.0)
    assert check_learner(learner, domain=2, sizes=[1, 2, 3]).samples > 0
    with pytest.raises(errors.InvalidInput, match="3 or more examples"):
        check_learner(learner, domain=2, sizes=[1, 2])
