"""Certificates of strangers: work in proportion to their length, or a limit that is named."""

import inspect
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from pac_stability import FiniteDistribution, InvalidInput, audit, checker
from pac_stability.audit.certificates import to_document
from pac_stability.checker.fields import Limits, TooLongError, add, as_key, mass, times
from shared_certificates import noisy, sealed
from shared_refusals import refuses

HALF = Fraction(1, 2)


class Half:
    """Predicts by a fair coin."""

    def probabilities(self, _: object, points: Sequence[object]) -> list[Fraction]:
        return [HALF] * len(points)


def refuted() -> dict[str, Any]:
    return to_document(audit.differential_privacy(noisy, 2, 1, labelled=False, claim=0.5))


def test_values_of_the_file_are_not_hashed_as_numbers() -> None:
    """All of these fall into one place of a dictionary of integers; as texts they do not."""
    prime = (1 << 61) - 1
    numbers = [i * prime + 5 for i in range(1, 50)]
    assert len({hash(number) for number in numbers}) == 1
    keys = [as_key(number, "it") for number in numbers]
    assert all(type(key) is str for key in keys)
    assert len({hash(key) for key in keys}) == len(set(keys)) == len(keys)
    for nested in ([5, [6]], {"fraction": "1/3"}, 0.5, None, "x", True):
        assert type(as_key(nested, "it")) is str


def test_keys_are_equal_where_python_calls_the_values_equal_and_nowhere_else() -> None:
    groups: list[list[object]] = [
        [1, True, 1.0, {"fraction": "1"}, {"fraction": "2/2"}], [0, False, -0.0],
        [0.5, {"fraction": "1/2"}], [None], ["none"], ["1"], ['"1"'], ["1/2"], ["(1)"],
        [[1], [True]],
        [[[1]]], [[1, 2]], ["(1,2)"], [["1,2"]], [[1, "2"]], [[]], [""], [[""]], [{"object": 0}],
        ["object 0"], [{"object": 1}], [1 << 2000, {"fraction": str(1 << 2000)}], [1e308],
        ["\u00e9"], ["\\u00e9"], [-1], [{"fraction": "-1/2"}],
    ]  # fmt: skip
    keys = [{as_key(value, "it", objects=2) for value in group} for group in groups]
    assert all(len(group) == 1 for group in keys)
    assert len(set.union(*keys)) == len(groups)


def test_thousands_of_points_that_collide_as_numbers() -> None:
    document = refuted()
    prime = (1 << 61) - 1
    collide = [i * prime + 5 for i in range(1, 5000)]
    document["instance"]["universe"] += collide
    assert checker.recheck(sealed(document)).refutes
    shared = Fraction(1, 4) / len(collide)
    document["witness"]["law"] = [[0, "3/4"], *([outcome, str(shared)] for outcome in collide)]
    document["witness"]["event"] = [0]
    document["witness"]["neighbour_law"] = [[0, "1/4"], [1, "3/4"]]
    assert checker.recheck(sealed(document)).refutes


def test_the_limit_on_work_is_the_one_that_is_documented() -> None:
    """Some ten seconds of work, as the docs say: a certificate may ask for that much of anybody."""
    assert inspect.signature(checker.recheck).parameters["max_steps"].default == 10_000_000


@pytest.mark.parametrize("limit", [1 << 12, 1 << 14])
def test_long_numbers_are_counted(limit: int) -> None:
    """A greatest common divisor of b bits takes b^2 / 2^17 steps, and these add up to a limit."""
    bits = 1 << 12
    number = Fraction((1 << bits) - 1, 1 << (bits - 1))
    text = f"{hex(number.numerator)}/{hex(number.denominator)}"
    steps = bits * bits >> 17
    limits = Limits(limit, 2 * steps)
    assert limits.number(text, "it") == number
    assert (limits.spent, limits.left) == (steps, steps)
    limits.number(text, "it")
    with pytest.raises(TooLongError, match="it: got more than 256 steps of work, want more max"):
        limits.number(text, "it")
    assert limits.spent == 2 * steps
    refuses(f"at most {limit >> 3} bits", Limits(limit >> 3, 10**6).number, text, "it")
    short = Limits(limit, 0)
    assert short.number("1/3", "it") == Fraction(1, 3)


def test_sums_and_products_are_counted() -> None:
    a, b = Fraction(1, 3**2000), Fraction(1, 5**2000)
    for combine in (add, times):
        limits = Limits(1 << 18, 10**6)
        result = combine(a, b, limits)
        bits = result.denominator.bit_length()
        assert limits.spent == bits * bits >> 17 > 0
        with pytest.raises(TooLongError):
            combine(a, b, Limits(1 << 18, limits.spent - 1))
    bits = (a + b).denominator.bit_length()
    assert add(a, b, Limits(bits, 10**6)) == a + b
    with pytest.raises(InvalidInput, match=r"more than .* bits, want shorter ones, or more max"):
        add(a, b, Limits(bits - 1, 10**6))
    assert mass(["x", "z"], {"x": HALF, "y": HALF}, Limits(10, 10)) == HALF


def test_a_claim_of_less_than_the_factor_one_is_none() -> None:
    """No two laws have a factor below 1, and the checker would divide by such a claim."""
    for claim in ("0", "-1", "1/2", "0x1"):
        with pytest.raises(InvalidInput, match=r"claim: got .*(at least 1|lowest terms)"):
            checker.recheck(sealed(refuted() | {"claim": claim}))
    fair: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    perfect = to_document(audit.perfect_generalization(noisy, fair, 1, 0, claim=0))
    assert checker.recheck(perfect).verdict == "refuted"
    for claim in ("0", "-1", "1/2"):
        refuses(r"claim: got .*at least 1", checker.recheck, sealed(perfect | {"claim": claim}))
    # Of other notions a claim may be anything: a gap of -1 is claimed, and fails.
    gap = to_document(audit.uniform_stability(Half(), 1, 1, claim=0))
    assert checker.recheck(sealed(gap | {"claim": "-1", "verdict": "refuted"})).refutes


ALIKE: dict[str, tuple[list[dict[str, object]], bool]] = {
    "the same labels": ([{"repr": "f", "labels": [[0, 1], [1, 0]]},
                         {"repr": "g", "labels": [[1, 0], [0, 1]]}], True),
    "other labels": ([{"repr": "f", "labels": [[0, 1], [1, 0]]},
                      {"repr": "f", "labels": [[0, 1], [1, 1]]}], False),
    "one text": ([{"repr": "f"}, {"repr": "f"}], True),
    "two texts": ([{"repr": "f"}, {"repr": "g"}], False),
    "a text, and labels": ([{"repr": "f"}, {"repr": "f", "labels": [[0, 1]]}], False),
}  # fmt: skip


@pytest.mark.parametrize("case", ALIKE)
def test_outcomes_that_look_the_same_prove_nothing(case: str) -> None:
    """A constant learner that makes a new object of one function each time is no breach."""
    objects, alike = ALIKE[case]
    document = refuted() | {"objects": objects, "value": "infinity"}
    document["witness"] |= {
        "law": [[{"object": 0}, "1"]], "neighbour_law": [[{"object": 1}, "1"]],
        "event": [{"object": 0}], "value": "infinity",
    }  # fmt: skip
    checked = checker.recheck(sealed(document))
    assert (checked.proven, checked.refutes) == (not alike, not alike)
    said = any("objects 0 and 1 are two" in sentence for sentence in checked.trusted)
    assert said == alike


def test_many_orderings_are_counted() -> None:
    """One sample of n equal elements, of which n! would be computed."""
    one: FiniteDistribution[object] = FiniteDistribution.point_mass("a")
    document = to_document(audit.global_stability(lambda _: one, one, 2, symmetric=True))
    n = 100_000
    document["instance"]["n"] = n  # type: ignore[index]  # a dictionary
    document["witness"]["laws"][0]["sample"] = ["a"] * n  # type: ignore[index]  # as above
    steps = n * 17**2 >> 9
    document = json.loads(json.dumps(document))
    # Besides, there is a law on one outcome for a sample of n elements.
    assert checker.recheck(sealed(document), max_steps=steps + n).exact
    refuses("steps of work", checker.recheck, sealed(document), max_steps=steps + n - 1)
    with pytest.raises(InvalidInput, match=r"witness\.laws\.sample: .* steps of work"):
        checker.recheck(sealed(document), max_steps=steps - 1)
