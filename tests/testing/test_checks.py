"""A check passes what is true, refutes what is a little too much, and never passes for nothing."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, ClassVar

import pytest

from pac_stability import Coins, Epsilon, Example, FiniteDistribution, InvalidInput, Sample
from pac_stability.audit import Notion, SubjectFailure
from pac_stability.classes import thresholds
from pac_stability.data import Deterministic
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.papers.dagan_feldman import StableLearner
from pac_stability.testing import (
    Accuracy,
    Checked,
    CheckFailed,
    Declares,
    PerfectGeneralization,
    RobustGeneralization,
    check_learner,
    parametrize_with_checks,
)
from pac_stability.testing.contract import QUESTIONS
from pac_stability.testing.plugin import TALLY
from pac_stability.testing.suite import checks_of
from shared_refusals import refuses
from shared_subjects import one


def random_label(sample: Sample[object], point: object, rng: Coins) -> int:  # noqa: ARG001  # the shape of a learner
    """Predict the label of a random example: 1/n-stable, by an example that is replaced."""
    return sample.labels[rng.below(len(sample))]


def flipped(record: tuple[int, ...], rng: Coins) -> int:
    """The first record, flipped in one case of four: a factor of (3/4)/(1/4) = 3."""
    return record[0] ^ rng.bernoulli(Fraction(1, 4))


FAIR = FiniteDistribution.uniform([0, 1])
MEMBER = FiniteDistribution.uniform([Example(0, 0), Example(1, 1)])


def identity(point: object) -> int:
    return int(point == 1)


def test_a_true_declaration_passes_and_says_how_much_was_examined(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = Declares(uniform_stability=lambda n: Fraction(1, n))
    report = check_learner(random_label, declares=said, domain=2, sizes=[1, 2])
    # Over k examples there are k^n samples, each with n(k-1) neighbours; k = 2 and 4, n = 1 and 2.
    assert report.samples == 2 + 4 + 4 + 16
    assert report.pairs == 2 * 1 + 4 * 2 + 4 * 3 + 16 * 6
    assert capsys.readouterr().out == (
        "random_label: 1 check, 118 pairs\n"
        "  uniform stability: 4 instances, 26 samples, 118 pairs\n"
    )


def test_the_counterexample_is_the_smallest_and_in_words() -> None:
    said = Declares(uniform_stability=lambda n: Fraction(1, n + 1))
    with pytest.raises(CheckFailed) as failure:
        check_learner(random_label, declares=said)
    assert str(failure.value) == (
        "random_label declares uniform stability with gamma at most 1/2 (0.5), but\n"
        "  gamma = 1.\n"
        "Smallest counterexample: replacing one example, n = 1,\n"
        "  S  = [(0, 0)]\n"
        "  S' = [(0, 1)]\n"
        "  prediction at the point 0\n"
        "  {0}: probability 1 on the sample, 0 on its neighbour"
    )


def test_all_checks_run_before_one_fails(capsys: pytest.CaptureFixture[str]) -> None:
    said = Declares(
        uniform_stability=0, private_prediction=1.0, differential_privacy=Epsilon.exactly(3)
    )
    learner: Deterministic[Sample[object], object] = Deterministic(lambda _: one)
    report = check_learner(learner, declares=said, domain=1, sizes=1)
    notions = [c.notion for c in report.checked if isinstance(c, Checked)]
    assert notions == list(said.notions)
    capsys.readouterr()

    with pytest.raises(CheckFailed, match="epsilon infinite") as failure:
        check_learner(
            Deterministic(first_label),
            declares=Declares(uniform_stability=Fraction(1, 2), differential_privacy=2.0),
            sizes=1,
        )
    assert "gamma = 1." in str(failure.value)
    assert capsys.readouterr().out == "Deterministic(first_label): 2 checks, 0 pairs, 2 failed\n"


class Constant(int):
    """The hypothesis that gives all points one label."""

    def __call__(self, point: object) -> int:  # noqa: ARG002  # the shape of a learner
        return int(self)


def first_label(sample: Sample[object]) -> Constant:
    return Constant(sample.labels[0])


EXACT: list[tuple[object, Declares, Declares, dict[str, object]]] = [
    (
        flipped,
        Declares(differential_privacy=Epsilon.exactly(3)),
        Declares(differential_privacy=Epsilon.exactly(Fraction(299, 100))),
        {"domain": [0, 1], "labelled": False, "sizes": [1, 2]},
    ),
    (
        # 3/4 <= 2 * 1/4 + 1/4, and delta cannot be smaller.
        flipped,
        Declares(differential_privacy=PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 4))),
        Declares(differential_privacy=PrivacyGuarantee(Epsilon.exactly(2), Fraction(6, 25))),
        {"domain": [0, 1], "labelled": False, "sizes": 1},
    ),
    (
        # The prediction of a random label of two, flipped: from 1/4 to 1/2 to 3/4.
        lambda S, x, rng: random_label(S, x, rng) ^ rng.bernoulli(Fraction(1, 4)),
        Declares(private_prediction=Epsilon.exactly(2)),
        Declares(private_prediction=Epsilon.exactly(Fraction(199, 100))),
        {"domain": 1, "sizes": 2},
    ),
    (
        # The best simulator is a fair coin: 3/4 against 1/2, and 1/2 against 1/4.
        flipped,
        Declares(perfect_generalization=PerfectGeneralization(0, Epsilon.exactly(2))),
        Declares(perfect_generalization=PerfectGeneralization(0, Epsilon.exactly(Fraction(3, 2)))),
        {"distributions": [FAIR], "labelled": False, "sizes": 1},
    ),
    (
        # Who sees the sample of one record names it: frequency 1, probability 1/2.
        Deterministic(lambda records: records),
        Declares(robust_generalization=RobustGeneralization(Fraction(1, 2), 0)),
        Declares(robust_generalization=RobustGeneralization(Fraction(49, 100), 0)),
        {"distributions": [FAIR], "labelled": False, "sizes": 1},
    ),
    (
        # The larger of two fair bits is 1 with probability 3/4.
        Deterministic(max),
        Declares(global_stability=Fraction(3, 4)),
        Declares(global_stability=Fraction(76, 100)),
        {"distributions": [FAIR], "labelled": False, "sizes": 2},
    ),
    (
        # The constant 1 errs on (0, 0), which has probability 1/2.
        Deterministic(lambda S: one),  # noqa: ARG005  # the shape of a learner
        Declares(accuracy=Accuracy(Fraction(1, 2), 0)),
        Declares(accuracy=Accuracy(Fraction(49, 100), 0)),
        {"distributions": [MEMBER], "sizes": 1},
    ),
    (
        # Among constants nothing is better.
        Deterministic(lambda S: Constant(1)),  # noqa: ARG005  # the shape of a learner
        Declares(accuracy=Accuracy(0, 0, hypotheses=[Constant(0), Constant(1)])),
        Declares(accuracy=Accuracy(0, 0, hypotheses=[Constant(0), Constant(1), identity])),
        {"distributions": [MEMBER], "sizes": 1},
    ),
]


@pytest.mark.parametrize(("learner", "true", "false", "scope"), EXACT)
def test_every_notion_passes_at_its_exact_value_and_fails_beyond(
    learner: object, true: Declares, false: Declares, scope: dict[str, object]
) -> None:
    (check,) = checks_of(learner, declares=true, **scope)  # type: ignore[arg-type]  # its keywords
    assert check().samples > 0
    (check,) = checks_of(learner, declares=false, **scope)  # type: ignore[arg-type]  # its keywords
    with pytest.raises(CheckFailed, match="Smallest counterexample"):
        check()


def test_every_notion_was_tried() -> None:
    tried = {notion for _, said, _, _ in EXACT for notion in said.notions}
    # Generalization follows from the robust kind and is not declared.
    others = {Notion.UNIFORM_STABILITY, Notion.GENERALIZATION, Notion.TOTAL_VARIATION_STABILITY}
    # A promise of the learner has an order beside the divergence: tests/audit/test_renyi.py.
    others |= {Notion.ZERO_CONCENTRATED_PRIVACY, Notion.RENYI_PRIVACY}
    assert tried | others == set(Notion.all())


def test_the_counterexample_of_a_distribution_is_in_words() -> None:
    said = Declares(global_stability=1)
    (check,) = checks_of(Deterministic(max), declares=said, distributions=[FAIR], sizes=2)
    with pytest.raises(CheckFailed) as failure:
        check()
    assert str(failure.value) == (
        "Deterministic(max) declares global stability with eta at least 1, but\n"
        "  eta = 3/4 (0.75).\n"
        "Smallest counterexample: n = 2 draws from\n"
        "  0: 1/2 (0.5)\n"
        "  1: 1/2 (0.5)\n"
        "What attains the value, for each of 1 outputs:\n"
        "  1: 3/4"
    )


def test_a_learner_of_the_library_is_what_it_says() -> None:
    learner = StableLearner(thresholds(2), 1, Epsilon.exactly(4))
    report = check_learner(learner, domain=2, sizes=[1, 2, 3])
    assert len(report.checked) == len(QUESTIONS) + len(learner.promises(3)) == 9
    with pytest.raises(CheckFailed, match="uniform stability"):
        check_learner(
            learner,
            declares=Declares(uniform_stability=lambda n: learner.stability(n) / 2),
            domain=2,
            sizes=[1, 2, 3],
        )


def test_samples_may_be_made_of_given_examples() -> None:
    class Realizable:
        declares: ClassVar[Declares] = Declares(uniform_stability=1)
        asked: ClassVar[set[Example[object]]] = set()

        def probabilities(
            self, sample: Sample[object], points: tuple[object, ...]
        ) -> list[Fraction]:
            self.asked.update(sample)
            assert set(points) <= {0, 1}
            return [Fraction(1, 2)] * len(points)

    member = [Example(0, 0), Example(1, 1)]
    assert check_learner(Realizable(), domain=member, sizes=[1, 2]).samples == 2 + 4
    assert Realizable.asked == set(member)


def test_nothing_examined_is_a_failure() -> None:
    said = Declares(uniform_stability=1)
    (check,) = checks_of(random_label, declares=said, domain=1, sizes=11)
    with pytest.raises(CheckFailed, match=r"smallest instance has 2,048 samples.*2,000"):
        check()
    only_large = Declares(uniform_stability=lambda n: None if n < 9 else 1)
    (check,) = checks_of(random_label, declares=only_large)
    with pytest.raises(CheckFailed, match="no sample size has both"):
        check()
    (check,) = checks_of(random_label, declares=said, domain=[Example(0, 0)])
    with pytest.raises(CheckFailed, match="not checked at all"):
        check()


def test_the_budget_bounds_the_samples_and_what_is_left_is_said() -> None:
    said = Declares(uniform_stability=1)
    (check,) = checks_of(random_label, declares=said, domain=[0], sizes=range(1, 12))
    checked = check()
    assert isinstance(checked, Checked)
    assert checked.samples == sum(2**n for n in range(1, 10))  # 2^10 more would be 2,046
    assert checked.left == 2
    assert "2 instances beyond the budget" in str(checked)
    (check,) = checks_of(random_label, declares=said, domain=[0], sizes=11, budget="standard")
    assert check().samples == 2**11


@pytest.fixture
def tally() -> Iterator[None]:
    before = TALLY.budget
    yield
    TALLY.budget = before


@pytest.mark.usefixtures("tally")
def test_checks_take_the_budget_of_the_run_and_are_counted() -> None:
    TALLY.budget = "standard"
    checks, pairs, samples = TALLY.checks, TALLY.pairs, TALLY.samples
    (check,) = checks_of(random_label, declares=Declares(uniform_stability=1), domain=[0], sizes=11)
    checked = check()
    assert (TALLY.checks, TALLY.pairs) == (checks + 1, pairs + checked.pairs)
    assert TALLY.samples == samples + 2**11


class Delegating:
    """What a learner of the library does."""

    def __init__(self) -> None:
        self.inner = StableLearner(thresholds(2), 1, Epsilon.exactly(4))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def refusals_of(learner: object) -> Callable[[], object]:
    checks = checks_of(learner, declares=Declares(uniform_stability=1), domain=[0, 1], sizes=1)
    (check,) = (check for check in checks if check.name.endswith("refusals"))
    return check


def test_what_is_refused_as_it_should_be_passes() -> None:
    learner = Delegating()
    assert str(refusals_of(learner)()) == "refusals: 4 samples"
    with pytest.raises(InvalidInput) as refused:
        learner.law(None)
    assert (refused.value.argument, refused.value.given) == ("sample", "None")
    assert str(refused.value) == f"sample: got None, want {refused.value.wanted}"


@pytest.mark.parametrize("member", ["law", "run", "probabilities", "predict"])
def test_what_takes_anything_for_a_sample_is_told_what_to_raise(member: str) -> None:
    learner = Delegating()

    def careless(sample: Any, *more: object) -> object:
        return getattr(learner.inner, member)(sample, *more) if sample.labels else None

    setattr(learner, member, careless)
    # The member, what came, what it was given, and what is wanted with the line that does it.
    message = (
        rf"{member} raises AttributeError\(.*\) for None as a sample, want InvalidInput, "
        r"as self\.require\(sample\) at its beginning"
    )
    with pytest.raises(CheckFailed, match=message):
        refusals_of(learner)()


def test_bad_declarations_are_refused() -> None:
    refuses("declares: got nothing", Declares)
    refuses("declares: got None", check_learner, random_label)
    for said in (Declares(global_stability=1), Declares(accuracy=Accuracy(0, 0))):
        refuses("distributions: got none", check_learner, Deterministic(max), declares=said)
    with pytest.raises(InvalidInput, match="budget: got 'huge'"):
        check_learner(random_label, declares=Declares(uniform_stability=1), budget="huge")
    with pytest.raises(InvalidInput, match=r"perfect_generalization: got .*, want Perfect"):
        check_learner(flipped, declares=Declares(perfect_generalization=lambda n: n))  # type: ignore[arg-type, return-value]  # the point of the test
    with pytest.raises(InvalidInput, match="want FiniteDistributions"):
        check_learner(flipped, declares=Declares(global_stability=1), distributions=[3])  # type: ignore[list-item]  # so is this
    refuses("sizes", check_learner, random_label, declares=Declares(uniform_stability=1), sizes=[0])
    refuses("learners: got none", parametrize_with_checks, [])


def test_a_learner_that_raises_is_named_with_its_sample() -> None:
    def broken(sample: Sample[object], point: object, rng: Coins) -> int:  # noqa: ARG001  # the shape of a learner
        raise ZeroDivisionError

    with pytest.raises(SubjectFailure, match="broken"):
        check_learner(broken, declares=Declares(uniform_stability=1))
