"""A certificate of VERIFIED holds all laws, and the checker compares every pair of neighbours."""

import copy
import functools
import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import audit
from pac_stability.audit import AuditResult, Verdict
from pac_stability.audit.certificates import from_document, from_json, to_document, to_json
from pac_stability.checker import recheck
from pac_stability.data import FiniteDistribution, Neighbouring, Sample
from pac_stability.errors import InvalidInput
from shared_certificates import sealed
from shared_refusals import refuses

ZERO = Fraction(0)
WEIGHTS = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1)]


ORDER = "that the order of a sample makes no difference, as was declared"


class Table:
    """An algorithm that looks its answers up: one of a few, drawn for each sample."""

    def __init__(self, seed: int, *, symmetric: bool) -> None:
        self.symmetric = symmetric
        self._seed = seed

    def _draw(self, *question: object) -> tuple[int, int]:
        return random.Random(f"{self._seed} {question}").choice(WEIGHTS)

    def _key(self, sample: object) -> object:
        elements = [repr(element) for element in sample]  # type: ignore[attr-defined]  # a sample
        return sorted(elements) if self.symmetric else elements

    def law(self, sample: object) -> FiniteDistribution[object]:
        a, b = self._draw(self._key(sample))
        return FiniteDistribution({0: Fraction(a, a + b + 1), 1: Fraction(b, a + b + 1),
                                   2: Fraction(1, a + b + 1)})  # fmt: skip

    def probabilities(self, sample: Sample[object], points: Sequence[object]) -> list[Fraction]:
        draws = (self._draw(self._key(sample), point) for point in points)
        return [Fraction(a, a + b) for a, b in draws]


def answers_of(document: dict[str, Any]) -> dict[tuple[int, ...], list[dict[str, Fraction]]]:
    """The laws on every sample, read from the JSON alone: samples are tuples of places."""
    instance, answers = document["instance"], document["answers"]
    laws = []
    for form in answers["laws"]:
        pairs = [["1", form], ["0", str(1 - Fraction(form))]] if isinstance(form, str) else form
        laws.append({str(outcome): Fraction(p) for outcome, p in pairs})
    nodes = [answers["rows"], *answers["levels"]]
    n, k = instance["n"], len(instance["universe"])
    sizes = range(n, n + 1)
    if "sizes" in instance:
        sizes = range(instance["sizes"][0], instance["sizes"][1] + 1)
    found = {}
    for size, root in zip(sizes, answers["roots"], strict=True):
        for sample in product(range(k), repeat=size):
            node = root
            for depth, element in enumerate(sample):
                node = nodes[size - depth][node][element]
            found[sample] = [laws[place] for place in answers["rows"][node]]
    return found


def neighbours(a: tuple[int, ...], b: tuple[int, ...], instance: dict[str, Any]) -> bool:
    if instance["relation"] == "replace-one":
        changed = sum(x != y for x, y in zip(a, b, strict=True))
        return changed in range(1, instance["group_size"] + 1)
    long, short = (a, b) if len(a) > len(b) else (b, a)
    shorter = {long[:i] + long[i + 1 :] for i in range(len(long))}
    return len(long) == len(short) + 1 and short in shorter


def required(p: dict[str, Fraction], q: dict[str, Fraction], document: dict[str, Any]) -> Any:
    """What two laws require, from the definition: every event is tried."""
    outcomes = sorted(p.keys() | q.keys())
    delta = Fraction(document["instance"]["delta"])
    stability = document["notion"] == "uniform-stability"
    worst: Fraction | float = ZERO if stability else Fraction(1)
    for size in range(len(outcomes) + 1):
        for event in combinations(outcomes, size):
            here = sum((p.get(y, ZERO) for y in event), ZERO)
            there = sum((q.get(y, ZERO) for y in event), ZERO)
            if stability:
                worst = max(worst, here - there)
            elif here - delta > there:
                worst = max(worst, (here - delta) / there if there else math.inf)
    return worst


def largest(document: dict[str, Any]) -> Any:
    """The parameter of the laws in a certificate: every pair of samples is tried."""
    answers = answers_of(document)
    floor = ZERO if document["notion"] == "uniform-stability" else Fraction(1)
    return max(
        (required(p, q, document)
         for a in answers for b in answers
         if neighbours(a, b, document["instance"])
         for p, q in zip(answers[a], answers[b], strict=True)),
        default=floor,
    )  # fmt: skip


def private(seed: int, k: int, n: int | range, symmetric: bool, **options: Any) -> AuditResult:
    table = Table(seed, symmetric=symmetric)
    return audit.differential_privacy(
        table.law, k, n, labelled=False, symmetric=symmetric, **options
    )


@functools.cache
def results(seed: int) -> dict[str, AuditResult]:
    ordered, free = Table(seed, symmetric=False), Table(seed, symmetric=True)
    comes = Neighbouring.ADD_REMOVE
    return {
        "stability": audit.uniform_stability(ordered, 1, 3),
        "predictions": audit.private_prediction(ordered, 2, 2, "1/9"),
        "predictions up to order": audit.private_prediction(free, 2, 3),
        "outputs": private(seed, 3, 3, False),
        "outputs up to order": private(seed, 3, 4, True),
        "with delta": private(seed, 2, 3, False, delta="1/7"),
        "insertions": private(seed, 2, range(1, 4), False, relation=comes),
        "insertions up to order": private(seed, 3, range(1, 4), True, relation=comes),
        "insertions into nothing": private(seed, 2, 1, False, relation=comes),
        "groups": audit.group_privacy(ordered.law, 2, 4, 2, labelled=False),
        "groups of all": audit.group_privacy(ordered.law, 3, 2, 5, labelled=False),
        "one element": private(seed, 2, 1, False),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_the_value_is_that_of_every_pair(seed: int) -> None:
    for name, found in results(seed).items():
        document = to_document(found)
        assert found.verdict is Verdict.VERIFIED, name
        assert largest(document) == found.value, name
        checked = recheck(document)
        assert checked.proven or checked.but_for_order, name
        assert (checked.exact, checked.value) == (True, found.value), name
        assert "no two neighbours show more" in checked.proved[2], name
        assert all("worse" not in sentence for sentence in checked.trusted), name
        order = [sentence for sentence in checked.trusted if sentence.startswith(ORDER[:14])]
        assert order == ([ORDER] if " up to order" in name else []), name
        assert from_document(document) == from_json(to_json(found)) == found, name


@pytest.mark.parametrize("name", sorted(results(2)))
def test_every_answer_counts(name: str) -> None:
    """An extreme law anywhere but in the witness: two neighbours show more, whichever it is."""
    document = to_document(results(2)[name])
    laws: Any = document["answers"]["laws"]  # type: ignore[index]  # a dictionary
    extreme = "1/999" if isinstance(laws[0], str) else [[0, "1/999"], [1, "1/999"], [2, "997/999"]]
    rows: Any = document["answers"]["rows"]  # type: ignore[index]  # as above
    said = []
    for row, column in product(range(len(rows)), range(len(rows[0]))):
        changed: Any = copy.deepcopy(document)
        changed["answers"]["laws"].append(extreme)
        changed["answers"]["rows"][row][column] = len(laws)
        with pytest.raises(InvalidInput) as refusal:
            recheck(sealed(changed))
        said.append("show more" in str(refusal.value))
    assert any(said) or len(said) == 2
    assert len(said) - sum(said) <= 2  # the laws of the witness itself


@settings(max_examples=60)
@given(st.data())
def test_no_other_answers_pass(data: st.DataObject) -> None:
    """One place anywhere in the diagram is changed: it is accepted if and only if it is true."""
    found = results(7)[data.draw(st.sampled_from(sorted(results(7))))]
    document = copy.deepcopy(to_document(found))
    answers: Any = document["answers"]
    nodes = [answers["rows"], *answers["levels"]]
    depth = data.draw(st.integers(0, len(nodes) - 1))
    below = len(answers["laws"]) if depth == 0 else len(nodes[depth - 1])
    node = data.draw(st.integers(0, len(nodes[depth]) - 1))
    place = data.draw(st.integers(0, len(nodes[depth][node]) - 1))
    nodes[depth][node][place] = data.draw(st.integers(0, below - 1))
    witness: Any = document["witness"]
    places = {repr(z): i for i, z in enumerate(document["instance"]["universe"])}  # type: ignore[index]  # a dictionary
    column = document["instance"]["points"].index(witness["point"]) if "point" in witness else 0  # type: ignore[index]  # a dictionary
    kept = all(
        answers_of(document)[tuple(places[repr(z)] for z in witness[sample])][column]
        == {str(y): Fraction(p) for y, p in witness[law]}
        for sample, law in (("sample", "law"), ("neighbour", "neighbour_law"))
    )
    if kept and largest(document) == found.value:
        again = recheck(sealed(document))
        assert again.proven or again.but_for_order
    else:
        refuses(r"another law than in the answers|show more", recheck, sealed(document))


def verified() -> dict[str, Any]:
    return to_document(results(3)["predictions"])


def test_two_laws_verify_nothing() -> None:
    """The forgery of a finding: any two equal laws, and a sound certificate of them."""
    forged = {**verified(), "answers": None, "value": "1"}
    same = [[0, "1"]]
    forged["witness"] = forged["witness"] | {
        "law": same, "neighbour_law": same, "event": [0], "value": "1"
    }  # fmt: skip
    checked = recheck(sealed(forged))
    assert (checked.proven, checked.exact, checked.refutes) == (False, False, False)
    counts: Any = forged["counts"]
    assert counts["datasets"] != counts["pairs"]
    assert checked.trusted[:2] == (
        "that the laws are those of the mechanism: it was not asked",
        f"that nothing else is worse: the search speaks of {counts['datasets']} datasets and "
        f"{counts['pairs']} pairs, and only another search can confirm it",
    )
    with pytest.raises(InvalidInput, match="another law than in the answers"):
        recheck(sealed(forged | {"answers": verified()["answers"]}))


WRONG: dict[str, tuple[tuple[object, ...], object, str]] = {
    "a law that is none": (("laws", 0), "3/2", "a number from 0 to 1"),
    "a law of an output": (("laws", 0), [[0, "1"]], "lowest terms"),
    "a row too short": (("rows", 0), [0], "a list of 2"),
    "a law from elsewhere": (("rows", 0), [0, 99], "an index below"),
    "a law before the first": (("rows", 0), [0, -1], "an integer that is at least 0"),
    "a truth value": (("rows", 0), [0, True], "an integer that is at least 0"),
    "a node too long": (("levels", 0, 0), [0, 0, 0, 0, 0], "a list of 4"),
    "a node from elsewhere": (("levels", 1, 0), [0, 0, 0, 999], "an index below"),
    "a level too many": (("levels",), [[[0] * 4]] * 3, "2, one for each element"),
    "a level too few": (("levels",), [[[0] * 4]], "2, one for each element"),
    "no root": (("roots",), [], "a list of 1"),
    "roots of two": (("roots",), [0, 0], "a list of 1"),
    "a root from elsewhere": (("roots",), [1], "an index below 1"),
    "no laws": (("laws",), [], "an index below 0"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_diagram_is_named(case: str) -> None:
    path, other, message = WRONG[case]
    document = copy.deepcopy(verified())
    place = document["answers"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = other
    refuses(message, recheck, sealed(document))


def test_answers_are_for_pairs_alone() -> None:
    coin: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    document = to_document(audit.global_stability(lambda _: coin, coin, 1))
    assert document["answers"] is None
    with pytest.raises(InvalidInput, match="null: the witness has all laws"):
        recheck(sealed(document | {"answers": verified()["answers"]}))


def test_refutations_stay_small_and_infinity_needs_no_search() -> None:
    refuted = audit.differential_privacy(
        Table(1, symmetric=False).law, 2, 3, labelled=False, claim=0
    )
    assert (refuted.verdict, refuted.answers) == (Verdict.REFUTED, None)
    publish = audit.differential_privacy(FiniteDistribution.point_mass, 2, 2, labelled=False)
    assert (publish.value, publish.answers) == (math.inf, None)
    checked = recheck(to_document(publish))
    assert (checked.proven, checked.exact) == (True, True)
    assert checked.proved[-1].endswith("so the parameter is infinite")
    assert "worse" not in " ".join(checked.trusted)


def test_what_would_take_too_long_is_not_proved() -> None:
    document = to_document(results(3)["outputs"])
    assert recheck(document, max_steps=20_000).proven
    for steps in (0, 10, 100):
        checked = recheck(document, max_steps=steps)
        assert (checked.proven, checked.exact, checked.refutes) == (False, False, False)
        assert f"to compare all pairs takes more than {steps} steps" in checked.trusted[1]
        assert not any("another search" in sentence for sentence in checked.trusted)


def test_every_comparison_is_counted() -> None:
    """Two samples of one bit: four pairs of elements, and two laws on two outcomes each."""

    def flipped(records: tuple[int, ...]) -> FiniteDistribution[object]:
        bit = records[0]
        return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})

    document = to_document(audit.differential_privacy(flipped, 2, 1, labelled=False))
    assert recheck(document, max_steps=8).proven
    assert not recheck(document, max_steps=7).proven


def test_the_steps_of_insertions_are_counted() -> None:
    """Up to two bits, a law of two outcomes for each of the seven samples.

    At the top: 2 * 2 steps. Below, the ends of two samples of two bits beside one of one bit, 2
    each; two more pairs that have yet to leave a bit out, and one bit beside none, 4 each. Then
    eight pairs of samples, two laws on two outcomes each; and the witness, two bits and one.
    """
    samples = [sample for size in range(3) for sample in product((0, 1), repeat=size)]

    def each(records: tuple[int, ...]) -> FiniteDistribution[object]:
        p = Fraction(1 + samples.index(tuple(records)), 8)
        return FiniteDistribution({0: p, 1: 1 - p})

    found = audit.differential_privacy(each, 2, 2, labelled=False, relation=Neighbouring.ADD_REMOVE)
    document: Any = to_document(found)
    sizes = sorted(len(document["witness"][key]) for key in ("sample", "neighbour"))
    steps = 4 + 2 * 2 + 3 * 4 + 8 * 4 + sizes[0] * sizes[1]
    assert recheck(document, max_steps=steps).proven
    assert not recheck(document, max_steps=steps - 1).proven


def test_equal_nodes_without_changes_left_are_not_followed() -> None:
    """The last of two bits decides: four pairs of first bits and four of last ones, and two laws.

    Samples that differ in the first bit only have one node after it, and need no look.
    """

    def last(records: tuple[int, ...]) -> FiniteDistribution[object]:
        return FiniteDistribution({records[-1]: Fraction(3, 4), 1 - records[-1]: Fraction(1, 4)})

    document = to_document(audit.differential_privacy(last, 2, 2, labelled=False))
    assert recheck(document, max_steps=4 + 4 + 4).proven
    assert not recheck(document, max_steps=4 + 4 + 3).proven


def test_elements_come_and_go_at_every_place() -> None:
    """The last bit is published with noise: what comes before it makes no difference."""

    def last(records: tuple[int, ...]) -> FiniteDistribution[object]:
        bit = records[-1]
        return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})

    sizes, comes = range(1, 4), Neighbouring.ADD_REMOVE
    found = audit.differential_privacy(last, 2, sizes, labelled=False, relation=comes)
    assert found.value == 3
    honest: Any = to_document(found)
    law = [[0, "3/4"], [1, "1/4"]]
    forged = {**honest, "value": "1"}
    forged["witness"] = honest["witness"] | {
        "sample": [0, 0], "neighbour": [0], "law": law, "neighbour_law": law, "event": [0],
        "value": "1",
    }  # fmt: skip
    refuses("show more", recheck, sealed(forged))


def test_two_laws_are_compared_once() -> None:
    """Four examples, so 16 pairs of them; and the same two laws of two outcomes at both points."""

    class Noisy:
        def probabilities(self, sample: Sample[int], points: Sequence[int]) -> list[Fraction]:
            return [Fraction(1 + 2 * sample.labels[0], 4)] * len(points)

    document = to_document(audit.private_prediction(Noisy(), 2, 1))
    assert recheck(document, max_steps=20).proven
    assert not recheck(document, max_steps=19).proven


def test_groups_that_come_and_go_are_not_followed() -> None:
    document = to_document(results(3)["insertions"])
    document["instance"]["group_size"] = 2  # type: ignore[index]  # a dictionary
    checked = recheck(sealed(document))
    assert not checked.proven
    assert "groups that come and go" in checked.trusted[1]


def test_answers_too_many_for_a_certificate_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    found = results(3)["outputs"]
    results.cache_clear()
    for limit, least in (("search.engine.MOST_ANSWERS", 80), ("search.engine.MOST_PLACES", 20)):
        for most, there in ((10**6, True), (least, False)):
            monkeypatch.setattr(f"pac_stability.audit.{limit}", most)
            assert (results(3)["outputs"].answers is not None) == there
            results.cache_clear()
        monkeypatch.undo()
    monkeypatch.setattr("pac_stability.audit.certificates.LONGEST_ANSWERS", 100)
    document = to_document(found)
    assert document["answers"] is None
    assert not recheck(document).proven


def test_what_is_equal_is_shared() -> None:
    """The sum of ten labels: 4^10 samples, and a node for each sum of each number of labels."""

    class Average:
        def probabilities(self, sample: Sample[int], points: Sequence[int]) -> list[Fraction]:
            return [Fraction(sum(sample.labels), len(sample))] * len(points)

    found = audit.uniform_stability(Average(), 2, 6, claim="1/6")
    assert found.counts.datasets == 4**6
    assert found.answers is not None
    assert [len(level) for level in found.answers.levels] == [6, 5, 4, 3, 2, 1]
    assert len(to_json(found)) < 4000
    assert recheck(to_document(found), max_steps=1000).proven


def test_the_same_samples_as_by_counting() -> None:
    """Up to order the diagram goes through sorted samples in every order."""
    document = to_document(results(5)["outputs up to order"])
    answers = answers_of(document)
    for sample in combinations_with_replacement(range(3), 4):
        law = Table(5, symmetric=True).law(sample)
        assert answers[sample] == answers[sample[::-1]] == [{str(y): p for y, p in law.items()}]
