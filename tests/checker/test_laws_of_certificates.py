"""Certificates about a distribution: whatever is missing, doubled or from elsewhere is refused."""

import copy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pac_stability import FiniteDistribution, Sample, audit, data
from pac_stability.audit import certificates
from pac_stability.checker import fields, notions, pairs, recheck
from shared_certificates import first, noisy
from shared_refusals import refuses

COIN: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
BIASED: FiniteDistribution[object] = FiniteDistribution({0: Fraction(1, 3), 1: Fraction(2, 3)})
LABELS = FiniteDistribution.uniform(data.all_examples("a"))

ROBUST = "robust-generalization"


def total(records: tuple[int, ...]) -> FiniteDistribution[object]:
    return FiniteDistribution.point_mass(sum(records))


def label(S: Sample[str]) -> FiniteDistribution[object]:
    return FiniteDistribution.point_mass(S.labels[0])


def wrong(outcome: object, z: Any) -> bool:
    return bool(outcome != z.label)


def document_of(found: audit.AuditResult, *changes: tuple[tuple[object, ...], object]) -> Any:
    document: Any = copy.deepcopy(certificates.to_document(found))
    for path, value in changes:
        place = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
    return {**document, "sha256": certificates.digest(document)}


def stable(**options: Any) -> audit.AuditResult:
    return audit.global_stability(first, COIN, 2, **options)


def robust(delta: str = "1/4", **options: Any) -> audit.AuditResult:
    return audit.robust_generalization(first, COIN, 2, delta, **options)


def perfect(**options: Any) -> audit.AuditResult:
    return audit.perfect_generalization(noisy, COIN, 1, 0, **options)


def general() -> audit.AuditResult:
    return audit.generalization(label, LABELS, 1, "1/4", errs=wrong)


SHORT = [{"sample": [z], "law": [[z, "1"]]} for z in (0, 1)]
STRANGE = [{"sample": [a, b], "law": [[0, "1"]]} for a in (0, 1) for b in (0, 2)]
WRONG: dict[str, tuple[audit.AuditResult, tuple[object, ...], object, str]] = {
    "another kind": (stable(), ("witness", "kind"), "pair", "one of laws"),
    "an order": (stable(), ("witness", "up_to_order"), 0, "true or false"),
    "no distribution": (stable(), ("instance", "distribution"), None, "the distribution of an"),
    "others": (stable(), ("instance", "distribution"), [[0, "1"]], "the elements of the universe"),
    "short samples": (stable(), ("witness", "laws"), SHORT, "2 elements of the universe"),
    "other samples": (stable(), ("witness", "laws"), STRANGE, "2 elements of the universe"),
    "an outcome twice": (
        stable(), ("witness", "strategy"), [[1, "1/2"], [True, "1/2"]], "each outcome once"
    ),
    "a rare outcome": (stable(), ("witness", "strategy"), [[7, "1/2"]], "a most frequent output"),
    "another frequency": (stable(), ("witness", "strategy"), [[1, "1/3"]], "a most frequent out"),
    "a deviation without end": (robust(), ("witness", "value"), "infinity", "from 0 to 1"),
    "a deviation below 0": (robust(), ("witness", "value"), "-1/2", "from 0 to 1"),
    "a test of others": (robust(), ("witness", "strategy"), [[0, [2]]], "elements of the univ"),
    "a simulator of 1/2": (perfect(), ("witness", "strategy"), [[0, "1/2"]], "a sum of exactly 1"),
    "a simulator far away": (perfect(), ("witness", "strategy"), [[0, "1"]], "1 - beta"),
    "a factor below 1": (perfect(), ("witness", "value"), "1/2", "a factor of at least 1"),
    "mistakes elsewhere": (
        general(), ("witness", "strategy"), [[0, [["b", 1]]], [1, []]], "elements of the univ"
    ),
    "mistakes left out": (general(), ("witness", "strategy"), [[0, [["a", 1]]]], "all outputs"),
    "an unlabelled error": (stable(), ("notion",), "accuracy", "examples, for a notion about err"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(case: str) -> None:
    found, path, value, message = WRONG[case]
    assert recheck(certificates.to_document(found)).notion == found.instance.notion.value
    refuses(message, recheck, document_of(found, (path, value)))


def test_up_to_order_each_multiset_stands_once() -> None:
    found = audit.global_stability(total, COIN, 2, symmetric=True)
    document = certificates.to_document(found)
    assert recheck(document).exact
    laws: Any = document["witness"]["laws"]  # type: ignore[index]  # a dictionary
    assert [entry["sample"] for entry in laws] == [[0, 0], [0, 1], [1, 1]]
    doubled = [*laws, {"sample": [1, 0], "law": [[1, "1"]]}]
    refuses("each sample once", recheck, document_of(found, (("witness", "laws"), doubled)))


def test_the_weights_of_multisets_are_multinomial() -> None:
    """The number of ones among four draws of a biased coin: 2 and 3 have 24/81 and 32/81."""
    found = audit.global_stability(total, BIASED, 4, symmetric=True)
    assert found.value == Fraction(32, 81)
    assert recheck(certificates.to_document(found)).value == Fraction(32, 81)


def test_a_sample_of_nothing_has_no_frequencies() -> None:
    nothing = {"sample": [], "law": [[0, "1"]]}
    document = document_of(
        robust(), (("instance", "n"), 0), (("witness", "laws"), [nothing]),
        (("witness", "value"), "1"), (("value",), "1"),
    )  # fmt: skip
    # The test of all elements has the probability 1 and the frequency 0.
    assert recheck(document).exact


def test_an_adversary_must_exceed_delta() -> None:
    """The first of two bits is known, and the second agrees half the time."""
    assert [robust(delta).value for delta in ("0", "49/100", "1/2", "1")] == [
        Fraction(1, 2), Fraction(1, 2), 0, 0
    ]  # fmt: skip
    for delta in ("0", "49/100", "1/2", "1"):
        assert recheck(certificates.to_document(robust(delta))).exact
    low = document_of(robust("1/2"), (("value",), "1/2"), (("witness", "value"), "1/2"))
    refuses("which is reached with probability", recheck, low)
    unproved = recheck(low, max_steps=24)
    assert not unproved.proven
    assert "that another adversary attains it" in unproved.trusted
    attained = recheck(certificates.to_document(robust("49/100")), max_steps=24)
    assert (attained.exact, attained.proven) == (False, False)
    assert "that another adversary attains it" not in attained.trusted
    # A bound is none if nothing shows it: of two laws it is the lower one, of adversaries neither.
    bounded = recheck(document_of(robust("49/100"), (("verdict",), "bounded")), max_steps=24)
    assert (bounded.exact, bounded.proven) == (False, False)
    refuted = recheck(certificates.to_document(robust("49/100", claim="1/3")), max_steps=24)
    assert (refuted.exact, refuted.proven, refuted.refutes) == (False, True, True)


def test_an_adversary_that_only_meets_delta_refutes_nothing() -> None:
    """Not all adversaries are tried; that of the certificate has probability 1/2, and delta is."""
    met = document_of(robust("49/100", claim="1/3"), (("instance", "delta"), "1/2"))
    unproved = recheck(met, max_steps=24)
    assert (unproved.exact, unproved.proven, unproved.refutes) == (False, False, False)
    assert "that another adversary attains it" in unproved.trusted
    # A deviation of 0 or more is there always, even where that is no more than delta.
    zero = recheck(certificates.to_document(robust("1")), max_steps=24)
    assert (zero.exact, zero.proven) == (False, False)
    assert "that another adversary attains it" not in zero.trusted


def test_every_adversary_is_counted() -> None:
    """Four samples of two bits with one outcome each: 8 steps to read, and (2 + 1) * 4 a test."""
    document = certificates.to_document(robust())
    assert recheck(document, max_steps=8 + 12 * 4).exact
    assert not recheck(document, max_steps=8 + 12 * 4 - 1).exact


@pytest.mark.parametrize("claim", [None, Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)])
@pytest.mark.parametrize("steps", [24, 1000])
def test_a_witness_refutes_a_claim_below_its_value_alone(
    claim: Fraction | None, steps: int
) -> None:
    document: Any = certificates.to_document(robust())
    instance = fields.StatedInstance(
        labelled=False, universe=("0", "1"), n=2, points=(), epsilon_ratio=Fraction(1),
        delta=Fraction(1, 4), beta=Fraction(0), optimum=Fraction(0), relation="replace-one",
        group_size=1, distribution={"0": Fraction(1, 2), "1": Fraction(1, 2)}, symmetry="none",
        sizes=range(2, 3),
    )  # fmt: skip
    limits = fields.Limits(1 << 16, steps)
    shown = pairs.check_laws(
        document["witness"],
        fields.Case(ROBUST, notions.NOTIONS[ROBUST], claim, instance, [], limits),
    )
    assert shown.value == Fraction(1, 2)
    assert shown.refutes == (claim == Fraction(1, 3))
    # Adversaries are tried where there is room for it, and counted where they are tried.
    assert (shown.exact, limits.spent) == ((True, 8 + 48) if steps == 1000 else (False, 8))


def test_long_laws_are_counted() -> None:
    """Two samples of one bit with laws on two outcomes each: four steps, and not one less."""
    document = certificates.to_document(perfect())
    assert recheck(document, max_steps=4).notion == "perfect-generalization"
    refuses(r"witness\.laws: got more than 3 steps of work", recheck, document, max_steps=3)


def test_long_samples_have_long_probabilities() -> None:
    """Each draw of a fair coin adds two bits to what is allowed for."""
    document = certificates.to_document(stable())
    assert recheck(document, max_bits=4).exact
    refuses(r"instance\.n: got 2, want shorter samples", recheck, document, max_bits=3)


def test_what_a_simulator_proves() -> None:
    """It bounds the factor from above, which is what a claim that is kept asks for."""
    kept = recheck(certificates.to_document(perfect(claim=2)))
    assert (kept.verdict, kept.proven, kept.exact) == ("verified", True, False)
    assert "on samples of probability 1" in kept.proved[1]
    bare = recheck(certificates.to_document(perfect()))
    assert (bare.verdict, bare.proven) == ("verified", False)
    assert bare.trusted[1:2] == ("that no simulator has a smaller factor",)
    failed = recheck(certificates.to_document(perfect(claim=0)))
    assert (failed.verdict, failed.proven, failed.refutes) == ("refuted", True, True)
    assert failed.proved[-1] == "so the claim 1 fails"


def test_the_best_of_several_tests_is_taken() -> None:
    """One of three elements is published, of probabilities 1/2, 1/3 and 1/6.

    Whatever comes out, a test of it alone is off by 1/2, 2/3 or 5/6, and others by less.
    """
    three: FiniteDistribution[object] = FiniteDistribution(
        {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}
    )
    quiet: FiniteDistribution[object] = FiniteDistribution.point_mass("nothing")
    for mechanism, delta in product((first, lambda _: quiet), ("0", "1/6", "1/3", "1/2", "2/3")):
        found = audit.robust_generalization(mechanism, three, 1, delta)
        assert recheck(certificates.to_document(found)).value == found.value
        for other in (Fraction(sixths, 6) for sixths in range(6)):
            forged = document_of(
                found, (("value",), str(other)), (("witness", "value"), str(other)),
                (("witness", "strategy"), []),
            )  # fmt: skip
            if other == found.value:
                assert recheck(forged).exact
            else:
                refuses("which is reached with probability", recheck, forged)


def test_a_test_may_be_of_all_elements() -> None:
    assert recheck(document_of(robust(), (("witness", "strategy"), [[0, [0, 1]]]))).exact


def test_the_gap_is_not_negative_and_may_be_nothing() -> None:
    """With beta = 1 nothing is asked, so that the value is 0; and it is not less."""
    nothing = audit.generalization(label, LABELS, 1, "1", errs=wrong)
    assert nothing.value == 0
    assert recheck(certificates.to_document(nothing)).exact
    low = document_of(nothing, (("value",), "-1/2"), (("witness", "value"), "-1/2"))
    refuses("which is reached with probability", recheck, low)


@pytest.mark.parametrize("mistakes", [[], [0], [1], [0, 1]])
@pytest.mark.parametrize("constant", [0, 1])
def test_a_hypothesis_errs_where_its_labels_are_others(constant: int, mistakes: list[int]) -> None:
    """On the point "a", and not on "b", of which nothing is drawn."""
    object_0 = {"object": 0}
    laws = [{"sample": [["a", y]], "law": [[object_0, "1"]]} for y in (0, 1)]
    found = audit.accuracy(label, LABELS, 1, 0, errs=wrong, hypotheses=[0, 1])
    document = document_of(
        found,
        (("objects",), [{"repr": "h", "labels": [["a", constant], ["b", 1]]}]),
        (("witness", "laws"), laws),
        (("witness", "strategy"), [[object_0, [["a", y] for y in mistakes]]]),
    )
    optimum = Fraction(str(document["instance"]["optimum"]))
    excess = str(Fraction(len(mistakes), 2) - optimum)
    document["value"] = document["witness"]["value"] = excess
    document["sha256"] = certificates.digest(document)
    if mistakes == [1 - constant]:
        assert recheck(document).exact
    else:
        refuses("those of the hypothesis", recheck, document)


def test_sure_draws_need_one_bit_each() -> None:
    sure: FiniteDistribution[object] = FiniteDistribution.point_mass(0)
    document = certificates.to_document(audit.global_stability(first, sure, 2))
    assert recheck(document, max_bits=2).exact
    refuses(r"instance\.n: got 2", recheck, document, max_bits=1)


def test_an_infinite_factor_proves_that_the_laws_are_complete_and_no_more() -> None:
    idle = recheck(
        document_of(
            perfect(claim=0), (("witness", "value"), "infinity"),
            (("witness", "strategy"), [[0, "1"]]),
        )
    )  # fmt: skip
    assert idle.proved[0].startswith("there is a law for every sample")
    assert idle.proved[1:] == ("so the claim 1 fails",)
