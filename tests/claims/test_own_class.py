"""Claims on a class of one's own."""

import json
from dataclasses import replace

import pytest

from pac_stability import FiniteClass, claims, classes
from pac_stability.claims import Kind, OnClass, Status, Whose, kit, report, trial
from pac_stability.papers.bun_livni_moran import COUNTEREXAMPLES

SMALL = {
    "thresholds": classes.thresholds(3),
    "square": classes.cube(2),
    "singletons": classes.singletons(3),
    "counterexample": COUNTEREXAMPLES["equal-weights"].H,
    "intervals": classes.intervals(3),
    "cube": classes.cube(3),
    "two": FiniteClass([[0, 0], [0, 1]]),
    "no thresholds": FiniteClass([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]]),
}
ON_A_CLASS = [c for c in claims.all() if any(t.of_class is not None for t in c.trials)]


def test_what_can_be_asked_of_a_class() -> None:
    found = {claim.key for claim in ON_A_CLASS}
    assert {
        "BLM20:definition-littlestone-dimension", "BLM20:fact-finite-classes",
        "BLM20:fact-optimal-mistakes", "BLM20:algorithm-soa", "BLM20:definition-8",
        "BLM20:definition-tournaments", "BLM20:observation-11", "BLM20:lemma-12",
        "BLM20:lemma-12.repaired", "BLM20:lemma-12.agreement", "BLM20:lemma-13", "BLM20:lemma-14",
        "BLM20:theorem-3.finite", "CLNRW16:definition-4", "CLNRW16:theorem-25.explicit",
        "CLNRW16:corollary-31.explicit", "DF20:definition-net", "DF20:lemma-4.repaired",
        "DF20:definition-growth.repaired", "DF20:lemma-5", "DF20:remark-14.repaired",
    } <= found  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_what_holds_holds_on_every_small_class(name: str) -> None:
    found = list(claims.verify_on(ON_A_CLASS, SMALL[name]))
    assert [entry.claim for entry in found] == ON_A_CLASS
    for entry in found:
        assert entry.as_expected, (entry.claim.key, entry.counterexample)
    assert sum(entry.status is Status.SURVIVED for entry in found) >= 20


def test_a_question_that_is_asked_of_a_class_can_fail() -> None:
    for claim in ON_A_CLASS:
        wrong = [claims.check_on(claim, H, mutant=True) for H in SMALL.values()]
        for asked in claim.trials:
            if asked.of_class is not None and asked.has_mutant:
                found = [t for e in wrong for t in e.trials if t.name == asked.name]
                assert any(t.tally.refuting for t in found), (claim.key, asked.name)


def test_lemma_12_on_a_class_where_it_fails_and_on_one_where_it_holds() -> None:
    printed, repaired = (claims.get(f"BLM20:lemma-12{end}") for end in ("", ".repaired"))
    failing = COUNTEREXAMPLES["equal-weights"].H
    found = claims.check_on(printed, failing)
    assert found.status is Status.REFUTED
    assert "all below 1/4" in (found.counterexample or "")
    assert found.as_expected  # it is known to fail in general
    assert claims.check_on(repaired, failing).status is Status.SURVIVED
    held = claims.check_on(printed, classes.thresholds(4))
    assert (held.status, held.instances) == (Status.SURVIVED, 2 * 5)
    assert held.as_expected


def test_the_table_alone_counts() -> None:
    H = classes.thresholds(3)
    named = FiniteClass(H.table, domain=["a", "b", "c"])
    for key in ("BLM20:lemma-12", "DF20:definition-net", "CLNRW16:theorem-25.explicit"):
        claim = claims.get(key)
        assert claims.check_on(claim, named) == claims.check_on(claim, H)


def test_a_class_that_is_too_large_is_refused_with_the_reason() -> None:
    found = claims.check_on(claims.get("BLM20:lemma-12"), classes.thresholds(20))
    assert (found.status, found.trials, found.instances) == (None, (), 0)
    assert found.skipped == (("the highest frequencies", "20 points, at most 9"),)
    assert found.not_run == "the highest frequencies: 20 points, at most 9"
    many = claims.check_on(claims.get("BLM20:lemma-12"), classes.cube(6))
    assert many.not_run == "the highest frequencies: 64 hypotheses, at most 40"
    deep = claims.check_on(claims.get("BLM20:lemma-12"), classes.cube(4))
    assert deep.not_run == "the highest frequencies: Littlestone dimension 4, at most 3"


def test_the_limits_are_the_last_that_pass() -> None:
    reach: OnClass[FiniteClass] = OnClass(lambda H: [H], "it", 3, 4, dimension=1)
    assert reach.refusal(FiniteClass([[0, 0, 0], [0, 0, 1]])) is None
    assert reach.refusal(classes.singletons(3)) is None
    assert reach.refusal(classes.thresholds(3)) == "Littlestone dimension 2, at most 1"
    assert reach.refusal(classes.singletons(4)) == "4 points, at most 3"
    assert reach.refusal(FiniteClass(classes.cube(3).table[:5])) == "5 hypotheses, at most 4"


def test_every_claim_that_is_not_run_says_why() -> None:
    found = list(claims.verify_on(claims.all(), classes.thresholds(3)))
    for entry in found:
        assert (entry.status is None) == (entry.not_run is not None)
    why = {entry.claim.key: entry.not_run for entry in found}
    assert why["DF20:lemma-8"] == (
        "not about a class; it examines samples of 3 to 12 different examples, subsamples of three"
    )
    assert why["BLM20:theorem-1"] == "asymptotic: no instance settles it"
    assert why["BLM20:theorem-10"] == "open: no instance settles it"
    # Lemma 14 is about dimension at least 1.
    one = claims.check_on(claims.get("BLM20:lemma-14"), FiniteClass([[0, 1]]))
    assert one.not_run == "what it is about does not occur in this class"


def made_up(bound: int) -> claims.Claim:
    asked = trial(
        "points",
        lambda most, m: kit.settle(m <= most, f"{m} points"),
        lambda _: [1],
        subject=bound,
        mutant=0,
        universe="1",
        on_class=OnClass(lambda H: [len(H.domain)], "the number of points", 4, 16),
    )
    code = ("classes.FiniteClass",)
    return claims.Claim(
        "DF20:lemma-0", Kind.LEMMA, "few", "few points", code, (asked,), whose=Whose.OURS
    )


def test_what_should_hold_and_does_not_is_marked() -> None:
    H = classes.thresholds(3)
    good, bad = claims.check_on(made_up(3), H), claims.check_on(made_up(2), H)
    large = claims.check_on(made_up(2), classes.thresholds(5))
    assert (good.as_expected, bad.as_expected, large.as_expected) == (True, False, True)
    text = report.class_evidence_to_text([good, bad, large], 70)
    assert text.splitlines() == [
        "DF20  PAC learning with stable and private predictions",
        f"  survived     Lemma 0: few{42 * ' '}1",
        f"! refuted      Lemma 0: few{42 * ' '}1",
        "    COUNTEREXAMPLE: 3 points",
        "",
        "- DF20:lemma-0: not run: points: 5 points, at most 4",
    ]
    numbers = report.class_evidence_to_text([good, bad, large], 70, numbers=True).splitlines()
    assert numbers[2] == "    DF20:lemma-0, ours; 1 instance"
    assert numbers[-2:] == ["", "- DF20:lemma-0: not run: points: 5 points, at most 4"]
    assert report.class_summary([good, bad, large]) == (
        "3 claims on this class: 1 survived, 1 refuted; not run: 1 too large a class; "
        "REFUTED, though it should hold: DF20:lemma-0"
    )
    document = report.class_evidence_document([bad], {"schema": "x"})
    assert json.loads(json.dumps(document)) == document
    assert document["as_expected"] is False


def test_what_fails_in_general_says_what_it_is_that_fails() -> None:
    found = claims.check_on(claims.get("BLM20:lemma-12"), COUNTEREXAMPLES["equal-weights"].H)
    text = report.class_evidence_to_text([found], 200)
    assert "    on this class: class {" in text
    assert "in general: fails as printed (FOCS 2020, Section IV-B, Lemma 12); instead: " in text


def test_a_trial_that_takes_no_class_says_so() -> None:
    claim = replace(made_up(3), trials=(replace(made_up(3).trials[0], of_class=None),))
    found = claims.check_on(claim, classes.thresholds(3))
    assert found.not_run == "not about a class; it examines 1"
