"""The shapes in which an algorithm may come, and what is said of those that misbehave."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import count, repeat
from typing import cast

import pytest

from pac_stability import Coins, Interval, InvalidInput, audit
from pac_stability.audit import AuditStopped, SubjectFailure, Verdict
from pac_stability.data import Deterministic, FiniteDistribution, FromProgram, Sample, explored_law
from shared_subjects import one, zero

THIRD = Fraction(1, 3)
HALF = cast("Fraction", 0.5)


def respond(bits: tuple[int, ...], rng: Coins) -> int:
    return bits[0] ^ rng.bernoulli(THIRD)


def respond_by_default(bits: tuple[int, ...], noise: Fraction = THIRD) -> FiniteDistribution[int]:
    return FiniteDistribution({bits[0]: 1 - noise, 1 - bits[0]: noise})


class Response:
    def law(self, bits: tuple[int, ...], /) -> FiniteDistribution[int]:
        return respond_by_default(bits)


@pytest.mark.parametrize("mechanism", [
    respond, respond_by_default, Response(), FromProgram(respond),
    lambda bits, rng: bits[0] ^ rng.bernoulli(THIRD),
])  # fmt: skip
def test_every_shape_of_one_algorithm_is_audited_alike(
    mechanism: audit.HasLaw[object, int],
) -> None:
    result = audit.differential_privacy(mechanism, 2, 1, labelled=False)
    # Randomized response that lies in one case of three: (2/3) / (1/3).
    assert result.value == 2
    assert result.counts == audit.Counts(datasets=2, pairs=2, points=0, outcomes=2)


def frequency(sample: Sample[int]) -> Fraction:
    return Fraction(1 + sum(sample.labels), 2 + len(sample))


class Frequency:
    def probabilities(self, sample: Sample[int], points: Sequence[int]) -> list[Fraction]:
        return [frequency(sample)] * len(points)


def label(sample: Sample[int], _point: int, rng: Coins) -> bool:
    return bool(rng.bernoulli(frequency(sample)))


def constant_function(sample: Sample[int], rng: Coins) -> object:
    drawn = rng.bernoulli(frequency(sample))
    return lambda _point: drawn


def constant_mapping(sample: Sample[int], rng: Coins) -> Mapping[int, int]:
    return dict.fromkeys(range(2), rng.bernoulli(frequency(sample)))


def law_of_hypotheses(sample: Sample[int]) -> FiniteDistribution[object]:
    p = frequency(sample)
    return FiniteDistribution({one: p, zero: 1 - p})


@pytest.mark.parametrize(
    "mechanism", [Frequency(), label, constant_function, constant_mapping, law_of_hypotheses]
)
def test_every_shape_of_one_predictor_is_audited_alike(mechanism: audit.Predictor[int]) -> None:
    result = audit.private_prediction(mechanism, 2, 2)
    # Of two labels none or one is 1: (2/4) / (1/4).
    assert result.value == 2
    assert result.counts.points == 2
    assert result.witness is not None
    assert audit.uniform_stability(mechanism, 2, 2).value == Fraction(1, 4)


def test_wrappers_are_called_after_what_they_hold() -> None:
    def broken(_bits: object, _rng: Coins) -> int:
        raise RuntimeError

    with pytest.raises(SubjectFailure, match=r"an error from FromProgram\(.*broken\) on"):
        audit.differential_privacy(FromProgram(broken), 2, 1, labelled=False)


def test_an_algorithm_of_no_shape_is_refused() -> None:
    for wrong in (3, object(), lambda: 0, Response):
        with pytest.raises(InvalidInput, match=r"mechanism: got .* want an object with a method"):
            audit.differential_privacy(wrong, 2, 1, labelled=False)  # type: ignore[arg-type]  # refused
        with pytest.raises(InvalidInput, match=r"mechanism: got .* probabilities"):
            audit.private_prediction(wrong, 2, 1)  # type: ignore[arg-type]  # refused


def test_what_an_algorithm_raises_is_the_cause() -> None:
    def fails(bits: tuple[int, ...], rng: Coins) -> int:
        if bits == (1, 0):
            raise ZeroDivisionError("no ones")
        return rng.below(2)

    with pytest.raises(SubjectFailure, match=r"fails on the sample \(1, 0\): .*no ones") as caught:
        audit.differential_privacy(fails, 2, 2, labelled=False)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.sample == (1, 0)
    partial = caught.value.partial
    assert partial is not None
    # Of the four samples 00 and 01 were answered, alike: one pair in two orders.
    assert (partial.value, partial.verdict) == (1, Verdict.BOUNDED)
    assert (partial.counts.datasets, partial.counts.pairs) == (2, 2)


def test_a_violation_is_kept_when_the_algorithm_fails_later() -> None:
    def reveals(bits: tuple[int, ...]) -> FiniteDistribution[int]:
        if bits[0]:
            raise RuntimeError("later")
        return FiniteDistribution.point_mass(bits[1])

    with pytest.raises(SubjectFailure, match="later") as caught:
        audit.differential_privacy(reveals, 2, 2, labelled=False, claim=1.0)
    partial = caught.value.partial
    assert partial is not None
    assert partial.verdict is Verdict.REFUTED
    assert partial.value == float("inf")
    assert isinstance(partial.witness, audit.PairWitness)
    assert {partial.witness.sample, partial.witness.neighbour} == {(0, 0), (0, 1)}


@pytest.mark.parametrize(("law", "message"), [
    (lambda _: 0, "0 from .* want a FiniteDistribution"),
    (lambda _: {0: Fraction(1)}, "want a FiniteDistribution"),
    (lambda _: FiniteDistribution({0: THIRD}), "the sum 1/3, want weights of sum exactly 1"),
    (lambda _: FiniteDistribution({0: HALF, 1: HALF}), "the float 0.5"),
    (lambda _: FiniteDistribution({0: -1, 1: 2}), "the weight -1"),
    (lambda _: FiniteDistribution.point_mass(float("nan")), "equal to themselves"),
    (lambda _bits, rng: slice(rng.below(2)), "unhashable"),
])  # fmt: skip
def test_what_is_no_law_is_refused_with_the_sample(law: object, message: str) -> None:
    with pytest.raises(SubjectFailure, match=message) as caught:
        audit.differential_privacy(law, 2, 1, labelled=False)  # type: ignore[arg-type]  # refused
    assert "on the sample (0,)" in str(caught.value)


@pytest.mark.parametrize(("answer", "message"), [
    ([Fraction(3, 2)], "a probability"),
    ([Fraction(-1, 2)], "a probability"),
    ([Interval(Fraction(1, 2), Fraction(3, 2))], "a probability"),
    ([0.5], "the float 0.5"),
    ([THIRD, THIRD], "1 probabilities, one for each point"),
    (THIRD, "1 probabilities, one for each point"),
    # Read one by one, these would be a point, an order that no one chose, and characters.
    ({0: THIRD}, "1 probabilities, one for each point"),
    ({THIRD}, "1 probabilities, one for each point"),
    ("1", "1 probabilities, one for each point"),
    (b"\0", "1 probabilities, one for each point"),
])  # fmt: skip
def test_what_is_no_probability_is_refused_with_the_sample(answer: object, message: str) -> None:
    class Wrong:
        def probabilities(self, _sample: object, _points: object, /) -> object:
            return answer

    with pytest.raises(SubjectFailure, match=message) as caught:
        audit.private_prediction(Wrong(), 1, 1)  # type: ignore[arg-type]  # refused
    assert "[(0, 0)]" in str(caught.value)


def test_iterators_are_read_as_far_as_there_are_points() -> None:
    class Endless:
        def probabilities(self, _sample: object, _points: object, /) -> object:
            return repeat(THIRD)

    class Broken:
        def probabilities(self, _sample: object, points: Sequence[int], /) -> object:
            return (Fraction(1, x) for x in points)

    with pytest.raises(SubjectFailure, match="1 probabilities, one for each point"):
        audit.private_prediction(Endless(), 1, 1)  # type: ignore[arg-type]  # refused
    with pytest.raises(SubjectFailure, match=r"Broken on the sample \[\(0, 0\)\]: ZeroDivision"):
        audit.private_prediction(Broken(), 1, 1)  # type: ignore[arg-type]  # refused


def test_integers_and_strings_are_probabilities() -> None:
    class Mixed:
        def probabilities(self, sample: Sample[int], _points: object, /) -> list[object]:
            return [1 if sample.labels[0] else "1/2"]

    assert audit.uniform_stability(Mixed(), 1, 1).value == Fraction(1, 2)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize("hypothesis", [{1: 0}, {0: 2}, "01", 3])
def test_outputs_that_are_no_hypotheses_are_refused(hypothesis: object) -> None:
    def learner(_sample: object, _rng: Coins) -> object:
        return hypothesis

    with pytest.raises(SubjectFailure, match=r"hypothesis|label"):
        audit.private_prediction(learner, 1, 1)


def test_different_laws_on_one_input_are_noticed() -> None:
    calls = count()

    def moody(_bits: object) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(next(calls))

    with pytest.raises(SubjectFailure, match=r"two different answers from .*moody.* \(0,\)"):
        audit.differential_privacy(moody, 2, 1, labelled=False)


def test_samples_are_asked_about_again_now_and_then() -> None:
    """Sample 4 of 8 changes its mind at once; no other does, and it is no witness."""
    asked: list[tuple[int, ...]] = []

    def law(bits: tuple[int, ...]) -> FiniteDistribution[int]:
        again = bits == (1, 0, 0) and bits in asked
        asked.append(bits)
        return FiniteDistribution.point_mass(int(again))

    with pytest.raises(SubjectFailure, match=r"two different answers.*\(1, 0, 0\)"):
        audit.differential_privacy(law, 2, 3, labelled=False)


def test_the_witness_is_asked_about_again() -> None:
    """Sample 3 is not among 0, 1, 2, 4, 8, ...: only as a witness it is asked about twice."""
    asked: list[tuple[int, ...]] = []

    def law(bits: tuple[int, ...]) -> FiniteDistribution[int]:
        again = asked.count(bits)
        asked.append(bits)
        odd = bits == (1, 1)
        return FiniteDistribution(
            {0: Fraction(1 + odd + (again and odd), 9), 1: Fraction(8 - odd - (again and odd), 9)}
        )

    with pytest.raises(SubjectFailure, match=r"two different answers.*\(1, 1\)"):
        audit.differential_privacy(law, 2, 2, labelled=False)


def test_a_program_that_does_not_end_stops_the_audit() -> None:
    def endless(bits: tuple[int, ...], rng: Coins) -> int:
        while bits[0]:
            rng.below(2)
        return 0

    with pytest.raises(
        AuditStopped, match=r"endless on the sample \(1,\): more than max_draws"
    ) as caught:
        audit.differential_privacy(endless, 2, 1, labelled=False)
    assert caught.value.partial is not None
    assert caught.value.partial.verdict is Verdict.SKIPPED


def test_a_loop_that_ends_with_probability_one_refutes() -> None:
    def tosses(bits: tuple[int, ...], rng: Coins) -> tuple[int, int]:
        heads = bits[0]
        while rng.below(2):
            heads += 1
        return heads, rng.below(2)  # behind the loop, which is left at a rest of 2**-64

    found = audit.differential_privacy(tosses, 2, 1, labelled=False, claim="1/2", processes=1)
    assert found.verdict is Verdict.REFUTED  # 0 is never drawn where the bit is 1
    runs = count()
    explored_law(lambda rng: (next(runs), tosses((0,), rng))[1])
    assert next(runs) < 1000


def test_declared_symmetry_is_spot_checked() -> None:
    first: Deterministic[tuple[int, ...], int] = Deterministic(lambda bits: bits[0])
    with pytest.raises(SubjectFailure, match=r"symmetric: got True, but .* answers differently"):
        audit.differential_privacy(first, 2, 2, labelled=False, symmetric=True)


def test_symmetry_is_shown_by_all_orders() -> None:
    largest: Deterministic[tuple[int, ...], int] = Deterministic(max)
    check = audit.is_symmetric(largest, 2, 3, labelled=False)
    assert check
    assert check.samples == 8
    result = audit.differential_privacy(largest, 2, 3, labelled=False, symmetric=check)
    assert result.instance.symmetry is audit.Symmetry.SHOWN
    assert result.counts.datasets == 4
    with pytest.raises(InvalidInput, match="symmetric: got a check of another instance"):
        audit.differential_privacy(largest, 3, 3, labelled=False, symmetric=check)
    with pytest.raises(InvalidInput, match="symmetric: got a check of another instance"):
        audit.differential_privacy(Response(), 2, 3, labelled=False, symmetric=check)
    with pytest.raises(InvalidInput, match="symmetric"):
        audit.differential_privacy(largest, 2, 3, labelled=False, symmetric="yes")  # type: ignore[arg-type]  # refused


def test_the_smallest_violation_of_symmetry() -> None:
    check = audit.is_symmetric(lambda sample, _point, _rng: sample.labels[-1], "a", 2)
    assert not check
    assert check.violation == (Sample("aa", [0, 1]), Sample("aa", [1, 0]))
    with pytest.raises(InvalidInput, match="symmetric: got a violation"):
        audit.private_prediction(Frequency(), "a", 2, symmetric=check)


def test_symmetric_predictions_do_not_make_symmetric_laws() -> None:
    """Which of two hypotheses is returned depends on the order; their labels do not."""

    def learner(sample: Sample[int]) -> FiniteDistribution[object]:
        return FiniteDistribution.point_mass((one, Always())[sample.labels[0]])

    class Always:
        def __call__(self, _point: int) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Always)

        def __hash__(self) -> int:
            return 1

    check = audit.is_symmetric(learner, 1, 2, points=[0])
    assert check
    assert audit.private_prediction(learner, 1, 2, symmetric=check).value == 1
    with pytest.raises(InvalidInput, match="another instance"):
        audit.differential_privacy(learner, 1, 2, symmetric=check)


def _shorter(rows: tuple[int, ...], rng: Coins) -> int:
    """Count heads, of which one sample has fewer: the counts seen of it end earlier."""
    count = 0
    while rng.bernoulli(Fraction(1, 2 * (1 + sum(rows)))):
        count += 1
    return count


def test_what_was_left_open_may_be_an_outcome_of_another_law() -> None:
    few = FromProgram(_shorter, max_draws=100)  # of 1,000
    result = audit.differential_privacy(few, 2, 1, labelled=False, processes=1)
    assert isinstance(result.value, Fraction)  # infinite in truth, by no single count
    assert result.verdict is Verdict.BOUNDED
    assert "lower bound" in result.note
    # A count of k has the ratio (1/2)**(k + 1) to 3 (1/4)**(k + 1), up to where both were seen.
    assert result.value > 1000
