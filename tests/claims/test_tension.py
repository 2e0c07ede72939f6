"""How hard an instance tried: idle ones, tension, and what a run makes of them."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pac_stability import Interval, audit, claims, classes, errors
from pac_stability.claims import (
    Basis,
    Budget,
    Cache,
    Claim,
    Expectation,
    Kind,
    Status,
    Tally,
    Trial,
    Whose,
    pages,
    report,
    trial,
)
from pac_stability.claims.evidence import slack_of
from pac_stability.claims.kit import (
    AskedInstance,
    Finding,
    all_of,
    at_least,
    at_most,
    factor_at_most,
    fails,
    holds,
    idle,
    settle,
    supported,
    tightened,
    undecided,
)
from shared_refusals import refuses

HALF = Fraction(1, 2)
numbers = st.fractions(0, 3, max_denominator=20)


def one(finding: Finding) -> tuple[audit.Verdict, bool, Fraction | None]:
    return finding.verdict, finding.idle, finding.tension


# Comparisons


@given(numbers, numbers)
def test_the_tension_is_the_share_that_is_needed(value: Fraction, bound: Fraction) -> None:
    found = at_most(value, bound, "text")
    assert (found.verdict is audit.Verdict.REFUTED) == (value > bound)
    if value <= bound:
        assert found.idle == (value == 0 < bound)
        assert found.tension == (value / bound if value else None)


@given(numbers, numbers, numbers)
def test_where_everything_is_allowed_an_instance_is_idle(
    value: Fraction, bound: Fraction, ceiling: Fraction
) -> None:
    found = at_most(min(value, ceiling), bound, "text", ceiling=ceiling)
    if bound >= ceiling:
        assert one(found) == (audit.Verdict.VERIFIED, True, None)


def test_nothing_needed_where_nothing_is_allowed_has_no_tension() -> None:
    assert one(at_most(0, 0, "text")) == (audit.Verdict.VERIFIED, False, None)
    assert one(at_most(-1, 0, "text")) == (audit.Verdict.VERIFIED, False, None)


def test_enclosed_numbers_have_a_tension_that_is_not_too_large() -> None:
    value, bound = Interval(Fraction(1), Fraction(2)), Interval(Fraction(4), Fraction(8))
    assert at_most(value, bound, "text").tension == Fraction(1, 8)
    assert at_least(bound, value, "text").tension == Fraction(1, 8)
    assert at_most(Interval(Fraction(-1), Fraction(1)), 2, "text").tension == 0
    assert at_most(value, Interval(HALF, Fraction(3)), "text").verdict is audit.Verdict.BOUNDED
    assert at_least(value, Interval(HALF, Fraction(3)), "text").verdict is audit.Verdict.BOUNDED
    assert at_most(value, HALF, "text").verdict is audit.Verdict.REFUTED
    assert at_least(value, 3, "text").verdict is audit.Verdict.REFUTED


def test_a_lower_bound_that_is_no_bound_is_idle() -> None:
    assert at_least(3, 2, "text").tension == Fraction(2, 3)
    assert at_least(3, 0, "text").idle
    assert at_least(0, 0, "text").idle
    assert at_least(3, 1, "text", floor=1).idle
    assert not at_least(3, 2, "text", floor=1).idle
    assert at_least(2, 3, "text").verdict is audit.Verdict.REFUTED


def test_a_strict_comparison_fails_with_equality() -> None:
    assert at_least(2, 2, "text").tension == 1
    assert at_least(2, 2, "text", strictly=True).verdict is audit.Verdict.REFUTED
    enclosed = Interval(Fraction(2), Fraction(3))
    assert at_least(enclosed, 2, "text", strictly=True).verdict is audit.Verdict.BOUNDED
    assert not at_least(2, 0, "text", strictly=True).idle  # the value may be 0, which is refuted


def test_factors_are_compared_by_their_epsilons() -> None:
    found = factor_at_most(Fraction(3), 9, "text").tension
    assert found is not None
    assert HALF - Fraction(1, 10**9) < found <= HALF
    assert one(factor_at_most(1, 9, "text")) == (audit.Verdict.VERIFIED, True, None)
    assert one(factor_at_most(HALF, 9, "text")) == (audit.Verdict.VERIFIED, True, None)
    assert one(factor_at_most(1, 1, "text")) == (audit.Verdict.VERIFIED, True, None)
    assert factor_at_most(3, 3, "text").tension == 1
    assert factor_at_most(Interval(HALF, Fraction(2)), 3, "text").tension == 0
    assert factor_at_most(3, 2, "text").verdict is audit.Verdict.REFUTED
    assert factor_at_most(math.inf, 2, "text").verdict is audit.Verdict.REFUTED
    assert factor_at_most(math.inf, math.inf, "text").idle


def test_the_worst_part_of_an_instance_decides() -> None:
    tight = at_most(1, 2, "text")
    assert one(all_of([idle(), idle()])) == (audit.Verdict.VERIFIED, True, None)
    assert one(all_of([])) == (audit.Verdict.VERIFIED, True, None)
    assert one(all_of([idle(), tight, at_most(1, 3, "text"), holds()])) == one(tight)
    assert all_of([tight, undecided("0 to 1"), supported(HALF)]) == Finding(
        audit.Verdict.BOUNDED, "0 to 1", HALF, tension=HALF
    )

    def parts() -> Iterator[Finding]:
        yield fails("3 > 2")
        raise AssertionError  # the rest is not looked at

    assert all_of(parts()) == fails("3 > 2")


@pytest.mark.parametrize(("verdict", "is_idle", "tension"), [
    (audit.Verdict.REFUTED, True, None),
    (audit.Verdict.VERIFIED, True, HALF),
    (audit.Verdict.VERIFIED, False, Fraction(3, 2)),
    (audit.Verdict.VERIFIED, False, Fraction(-1, 2)),
])  # fmt: skip
def test_findings_that_contradict_themselves(
    verdict: audit.Verdict, is_idle: bool, tension: Fraction | None
) -> None:
    refuses("", Finding, verdict, "text", idle=is_idle, tension=tension)


# Tallies


def tally(*findings: Finding) -> Tally:
    return Tally.of(enumerate(findings))


def test_idle_instances_are_counted_apart() -> None:
    found = tally(idle(), at_most(1, 2, "text"), at_most(2, 3, "text"), holds())
    assert (found.instances, found.active) == (4, 3)
    assert found.tightest is not None
    assert found.tightest > 0.666
    assert Fraction(found.tightest) <= Fraction(2, 3)
    assert found.status is Status.SURVIVED
    assert tally(idle(), holds()).tightest is None
    refuted = tally(idle(), at_most(1, 2, "text"), fails("3 > 2"))
    assert (refuted.active, refuted.tightest) == (2, None)  # of what fails nothing is reached
    assert (refuted + found).tightest is None


@given(st.fractions(0, 1, max_denominator=10**30))
def test_a_tension_is_rounded_down(tension: Fraction) -> None:
    found = tally(Finding(audit.Verdict.VERIFIED, tension=tension)).tightest
    assert found is not None
    assert 0 <= Fraction(found) <= tension
    assert (found == 1) == (tension == 1)


@given(st.lists(st.sampled_from([idle(), holds(), at_most(1, 2, "a"), at_most(2, 3, "b")])))
def test_parts_add_up_to_the_whole(findings: list[Finding]) -> None:
    parts = [Tally.of(list(enumerate(findings))[start::3]) for start in range(3)]
    assert sum(parts, Tally()) == Tally.of(enumerate(findings))


@pytest.mark.parametrize("fields", [
    {"instances": 2, "active": 3},
    {"instances": 2, "active": -1},
    {"instances": 2, "active": 0, "tightest": 0.5},
    {"instances": 2, "active": 1, "tightest": 1.5},
    {"instances": 2, "active": 1, "tightest": 0.5, "refuting": (0, "3 > 2")},
    {"instances": 2, "active": 1, "tightest": math.nan},
    {"instances": 2, "active": 0, "refuting": (0, "3 > 2")},
    {"instances": 2, "active": 0, "supported": 1, "misled": HALF},
])  # fmt: skip
def test_tallies_that_cannot_be(fields: dict[str, object]) -> None:
    refuses("", Tally, **fields)  # type: ignore[arg-type]  # of any kind


# Runs


def comparing(value: int, bound: int) -> Callable[[], Finding]:
    return lambda: at_most(value, bound, "text")


def found_by(subject: Finding | Callable[[], Finding], _: int) -> Finding:
    return subject if isinstance(subject, Finding) else subject()


def asked(
    finding: Finding | Callable[[], Finding], name: str = "all", *, extent: str = ""
) -> Trial:
    return trial(
        name,
        found_by,
        lambda budget: range(budget.pick(3, 9, 27)),
        subject=finding,
        mutant=fails("no"),
        universe="three numbers",
        extent=extent,
    )


def claim(*trials: Trial) -> Claim:
    code = ("classes.FiniteClass",)
    return Claim("DF20:lemma-0", Kind.LEMMA, "small", "n < 3", code, trials, whose=Whose.OURS)


@pytest.mark.parametrize("budget", list(Budget))
def test_a_trial_that_is_idle_throughout_is_no_success(budget: Budget) -> None:
    evidence = claims.check(claim(asked(holds(), "one"), asked(idle(), "other")), budget)
    assert evidence.status is Status.EMPTY
    assert not evidence.as_expected
    text = report.evidence_to_text([evidence])
    assert "! empty" in text
    assert "no instance could have refuted it: other" in text


def test_what_is_gone_through_whole_is_exhausted_and_named() -> None:
    whole, part = asked(holds(), "whole", extent="n < {3, 9, 27}"), asked(holds(), "part")
    found = claims.check(claim(whole), Budget.STANDARD)
    assert (found.status, found.reproduction, found.extent) == (Status.EXHAUSTED, "toy", "n < 9")
    assert "exhausted    Lemma 0: small (n < 9)" in report.evidence_to_text([found], 60)
    assert claims.check(claim(part)).status is Status.SURVIVED
    assert claims.check(claim(whole, part)).status is Status.SURVIVED
    assert claims.check(claim(whole, part)).as_expected
    open_one = asked(undecided("0 to 1"), "whole", extent="n")
    assert claims.check(claim(open_one)).status is Status.BOUNDED


@pytest.mark.parametrize(("basis", "rocq", "extents", "status"), [
    (Basis.FINITE, (), ("n", "m"), Status.SETTLED),
    (Basis.ROCQ, ("Soa.SOA_mistakes",), ("n", ""), Status.SETTLED),
    (None, ("Soa.SOA_mistakes",), ("n", ""), Status.SURVIVED),
    (None, (), ("n", "m"), Status.EXHAUSTED),
])  # fmt: skip
def test_only_a_finite_statement_or_a_proof_is_settled(
    basis: Basis | None, rocq: tuple[str, ...], extents: tuple[str, ...], status: Status
) -> None:
    trials = [asked(holds(), str(i), extent=extent) for i, extent in enumerate(extents)]
    found = claims.check(replace(claim(*trials), basis=basis, rocq=rocq))
    assert found.status is status
    assert found.reproduction == ("verified" if status is Status.SETTLED else "toy")
    assert (str(found).count("Rocq: Soa.SOA_mistakes"), str(found).count("(finite)")) == (
        basis is Basis.ROCQ, basis is Basis.FINITE
    )  # fmt: skip
    if basis is not None:
        broken = replace(found.claim, trials=(asked(fails("no"), "x", extent="n"),))
        assert claims.check(broken).status is Status.REFUTED


@pytest.mark.parametrize("changes", [
    {"basis": Basis.ROCQ},  # no theorem is named
    {"basis": Basis.FINITE, "trials": (asked(holds(), "part"),)},
    {
        "basis": Basis.FINITE,
        "expectation": Expectation.FAILS,
        "repaired_by": "DF20:lemma-0.repaired",
    },
])  # fmt: skip
def test_a_basis_that_is_none_is_refused(changes: dict[str, Any]) -> None:
    whole = replace(claim(asked(holds(), extent="n")), whose=Whose.PRINTED, where="Section 1")
    refuses(r"basis|trials", replace, whole, **changes)


# What a trial raises is what was found


def raising() -> Finding:
    raise errors.InvalidInput("group", "groups of 1", "larger ones")


def broken_instances(_: Budget) -> Iterator[int]:
    yield 1
    raise ZeroDivisionError


def no_list(_: Budget) -> list[int]:
    raise KeyError("n")


def forgetful() -> Finding:
    """Answer once; in the second run, with less allowed, it fails."""
    forgetful_asked.append(1)
    return at_most(1, 2, "text") if len(forgetful_asked) % 4 else raising()


forgetful_asked: list[int] = []


@pytest.mark.parametrize(("trial_made", "position", "said"), [
    (asked(raising), 0, "InvalidInput: group: got groups of 1, want larger ones (line "),
    (asked(sys.exit), 0, "SystemExit (line "),
    (asked(forgetful), 0, "InvalidInput: group"),
    (
        trial(
            "b", found_by, broken_instances, subject=holds(), mutant=fails("no"), universe="u"
        ),
        1,
        "ZeroDivisionError (line ",
    ),
    (
        trial("c", found_by, no_list, subject=holds(), mutant=fails("no"), universe="u"),
        0,
        "KeyError: 'n' (line ",
    ),
])  # fmt: skip
def test_what_a_trial_raises_is_the_answer_of_its_claim(
    trial_made: Trial, position: int, said: str
) -> None:
    found = claims.check(claim(trial_made, asked(holds(), "other")))
    assert (found.status, found.word, found.as_expected) == (Status.BROKEN, "broken", False)
    assert found.reproduction == "inconclusive"
    assert found.trials[0].tally.broken is not None
    assert found.trials[0].tally.broken[0] == position
    assert found.trials[0].tally.broken[1].startswith(said)
    assert f"broken: {trial_made.name}: {said}" in " ".join(str(found).split())
    entry = json.loads(json.dumps(report.evidence_document([found], "1")))["claims"][0]
    assert entry["broken"].startswith(f"{trial_made.name}: {said}")
    assert "NOT as expected" in report.summary([found])
    assert "<dt>broken</dt>" in pages.evidence_to_html([found], "1")


def test_a_trial_that_breaks_is_asked_again_in_every_run(tmp_path: Path) -> None:
    folder = Cache(tmp_path / "cache")
    folder.store("broken", Tally.asking(asked(raising).ask(Budget.QUICK, False, 0, 1)))
    assert folder.load("broken") is None


def test_trials_that_cannot_be_imported_break_their_claim_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad, good = claims.get("DF20:appendix-a.mixtures"), claims.get("DF20:appendix-a.transitivity")
    monkeypatch.setattr(type(bad.trials), "__iter__", lambda _: raising(), raising=False)
    monkeypatch.setattr(type(bad.trials), "__len__", lambda _: 1)
    found = {e.claim.key: e for e in claims.verify([bad, replace(good, trials=(asked(holds()),))])}
    assert found[bad.key].status is Status.BROKEN
    assert claims.check(bad).status is Status.BROKEN


def test_reports_say_how_hard_it_was_tried() -> None:
    evidence = claims.check(claim(asked(comparing(2, 3)), asked(idle(), "idle")))
    text, page = report.evidence_to_text([evidence]), pages.evidence_to_html([evidence], "1")
    document = report.evidence_document([evidence], "1")
    assert "empty        Lemma 0: small " in text
    numbers = report.evidence_to_text([evidence], numbers=True)
    assert "DF20:lemma-0, ours; 3 of 6 instances; tightest 0.666, slack 1.5" in numbers
    assert "<dd>empty, 3 of 6 instances, tightest 0.666" in page
    (entry,) = json.loads(json.dumps(document))["claims"]
    assert (entry["instances"], entry["active"]) == (6, 3)
    assert [t["active"] for t in entry["trials"]] == [3, 0]
    assert [t["tightest"] for t in entry["trials"]] == [entry["tightest"], None]
    assert document["schema"] == "pac-stability/verify/5"


def test_a_small_tension_is_not_said_to_be_nothing() -> None:
    shown = [report.how_tight(t) for t in (None, 0, 5e-324, 0.001, 0.9999999, 1.0)]
    assert shown == ["-", "0", "<0.001", "0.001", "0.999", "1"]


def test_the_cache_keeps_how_hard_it_was_tried(tmp_path: Path) -> None:
    folder = Cache(tmp_path / "cache")
    for number, found in enumerate((tally(idle(), at_most(1, 3, "text")), tally(holds()))):
        folder.store(str(number), found)
        kept = folder.load(str(number))
        assert kept is not None
        assert kept.tally == found


# The statements of the papers


def of(key: str, name: str) -> Tally:
    chosen = claims.get(key)
    return Tally.of(next(t for t in chosen.trials if t.name == name).findings(Budget.QUICK))


@pytest.mark.parametrize(("key", "name"), [
    ("DF20:lemma-13.stability", "all neighbours")  # 3 gamma < 1 everywhere
])  # fmt: skip
def test_statements_that_can_fail_everywhere(key: str, name: str) -> None:
    found = of(key, name)
    assert found.active == found.instances


@pytest.mark.parametrize(("key", "name"), [
    ("CLNRW16:lemma-36", "joint, half of the deviation"),
    ("CLNRW16:theorem-19.explicit", "a test for every choice"),
])  # fmt: skip
def test_statements_that_can_fail_on_half_of_the_instances(key: str, name: str) -> None:
    found = of(key, name)
    assert 2 * found.active >= found.instances


def test_a_probability_that_may_be_one_does_not_count() -> None:
    H = claims.get("DF20:lemma-4.repaired")
    found = Tally.of(H.trials[0].findings(Budget.QUICK))
    assert found.active < found.instances  # bounds above 1 are among them


def test_only_a_universe_that_is_stated_is_settled() -> None:
    vague = [
        t.universe for c in claims.all() for t in c.trials if t.extent and "grid" in t.universe
    ]
    assert vague == []
    assert replace(asked(holds()), extent="all").extent
    assert settle(True, "").tension is None


# The second run, with less allowed


@given(numbers, numbers, st.fractions(Fraction(1, 20), 1, max_denominator=20))
def test_what_is_allowed_is_scaled(value: Fraction, bound: Fraction, share: Fraction) -> None:
    with tightened(share):
        above, below = at_most(value, bound, "text"), at_least(value, bound, "text")
    assert one(above) == one(at_most(value, bound * share, "text"))
    assert one(below) == one(at_least(value, bound / share, "text"))


def test_of_a_factor_the_epsilon_is_scaled() -> None:
    with tightened(HALF):
        assert factor_at_most(Fraction(31, 10), 9, "text").verdict is audit.Verdict.REFUTED
        found = factor_at_most(Fraction(29, 10), 9, "text").tension
        assert factor_at_most(2, math.inf, "text").idle
        assert factor_at_most(1, 1, "text").idle
    assert found is not None
    assert Fraction(96, 100) < found < Fraction(97, 100)  # ln 2.9/ln 3
    for digits in range(1, 50):
        near = 1 + Fraction(1, 10**digits)
        with tightened(Fraction(999, 1000)):
            assert factor_at_most(near, near, "text").verdict is audit.Verdict.REFUTED


def test_shares_are_multiplied_and_end() -> None:
    with tightened(HALF), tightened(HALF):
        assert at_most(1, 3, "text").verdict is audit.Verdict.REFUTED
        assert at_most(1, 4, "text").tension == 1
    assert at_most(1, 3, "text").tension == Fraction(1, 3)
    for share in (Fraction(0), Fraction(3, 2), Fraction(-1)):
        with pytest.raises(errors.InvalidInput, match="share"), tightened(share):
            pass


@given(
    st.lists(
        st.tuples(numbers, numbers, numbers).filter(lambda n: n[0] + n[1] <= n[2]),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["exact", "enclosed", "least", "factor"]),
)
def test_who_compares_is_refuted_just_below_the_tension(
    parts: list[tuple[Fraction, Fraction, Fraction]], how: str
) -> None:
    """Enclosed numbers, several parts of one instance, bounds from both sides."""

    def question(_: None, __: int) -> Finding:
        def part(value: Fraction, more: Fraction, bound: Fraction) -> Finding:
            if how == "exact":
                return at_most(value, bound, "text")
            if how == "factor":
                return factor_at_most(1 + value, 1 + bound, "text")
            enclosed = Interval(value, value + more)
            if how == "enclosed":
                return at_most(enclosed, Interval(bound, bound + 1), "text")
            return at_least(Interval(bound, bound + 1), enclosed, "text")

        return all_of(part(*each) for each in parts)

    found = Tally.asking([AskedInstance(7, question(None, 7), lambda: question(None, 7))])
    assert found.insensitive is None
    assert found.refuting is None


def lying(question: Callable[[Finding, int], Finding]) -> Trial:
    return trial(
        "liar",
        question,
        lambda budget: range(budget.pick(3, 40, 90)),
        subject=holds(),
        mutant=fails("no"),
        universe="numbers",
    )


def tension_by_hand(_: Finding, n: int) -> Finding:
    return Finding(audit.Verdict.VERIFIED, tension=Fraction(n, 100))


def comparison_thrown_away(_: Finding, n: int) -> Finding:
    found = at_most(n, 100, "text")
    return found if found.verdict is audit.Verdict.VERIFIED else holds()


@cache
def remembered(_: Finding, n: int) -> Finding:
    return at_most(n, 100, "text")


@pytest.mark.parametrize(
    "question", [tension_by_hand, comparison_thrown_away, remembered], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("budget", [Budget.QUICK, Budget.STANDARD])
def test_a_trial_that_does_not_compare_what_it_says_is_no_success(
    question: Callable[[Finding, int], Finding], budget: Budget
) -> None:
    evidence = claims.check(claim(lying(question), asked(holds(), "honest")), budget)
    assert evidence.status is Status.INSENSITIVE
    assert not evidence.as_expected
    last = budget.pick(2, 39, 89)
    (told, _) = evidence.trials
    assert told.tally.insensitive is not None
    assert told.tally.insensitive[0] == last
    text = report.evidence_to_text([evidence])
    assert "! insensitive" in text
    assert "does not compare what it says: liar: its tightest instance, number" in " ".join(
        text.split()
    )
    document = report.evidence_document([evidence], "1")
    assert [t["insensitive"] is None for t in entries(document)] == [False, True]


def entries(document: dict[str, object]) -> list[dict[str, object]]:
    (entry,) = json.loads(json.dumps(document))["claims"]
    trials = entry["trials"]
    assert isinstance(trials, list)
    return trials


def test_a_trial_that_lies_is_no_success_where_another_refutes() -> None:
    known = claims.get("DF20:definition-private-prediction.arxiv")
    with_liar = replace(known, trials=(*known.trials, lying(tension_by_hand)))
    evidence = claims.check(with_liar)
    assert evidence.status is Status.REFUTED
    assert not evidence.as_expected


def test_only_the_tightest_instance_is_asked_again() -> None:
    questions: list[int] = []

    def question(_: Finding, n: int) -> Finding:
        questions.append(n)
        return at_most((7 * n) % 10, 10, "text")

    assert claims.check(claim(lying(question)), Budget.QUICK).status is Status.SURVIVED
    assert questions == [0, 1, 2, 1]  # 0, 7 and 4 of 10


def test_a_trial_that_lies_is_not_kept(tmp_path: Path) -> None:
    folder = Cache(tmp_path / "cache")
    folder.store("liar", Tally.asking(lying(tension_by_hand).ask(Budget.QUICK, False, 0, 1)))
    assert folder.load("liar") is None


def test_parts_of_a_trial_that_lies_add_up() -> None:
    told = Tally(3, active=3, tightest=0.5, insensitive=(5, "verified again"))
    honest = Tally(3, active=3, tightest=0.75)
    assert (told + honest).status is Status.INSENSITIVE
    assert (honest + told).insensitive == (5, "verified again")
    assert (told + Tally(1, (9, "3 > 2"), active=1)).status is Status.REFUTED
    refuses("insensitive", Tally, 3, active=3, insensitive=(5, "verified again"))


# Room


@given(st.floats(0, 1, exclude_min=True, allow_subnormal=False))
def test_room_is_rounded_up(tightest: float) -> None:
    slack = slack_of(tightest)
    if slack is not None:
        assert Fraction(slack) * Fraction(tightest) >= 1
        assert Fraction(math.nextafter(slack, 0)) * Fraction(tightest) < 1
        assert (slack == 1) == (tightest == 1)
    else:
        assert tightest < 1e-300


def test_room_is_reported() -> None:
    evidence = claims.check(claim(asked(comparing(2, 3)), asked(holds(), "more")))
    assert evidence.slack == pytest.approx(1.5)
    page = pages.evidence_to_html([evidence], "1")
    assert "tightest 0.666, slack 1.5" in report.evidence_to_text([evidence], numbers=True)
    assert "survived on 3, tightest 0.666, slack 1.5: three numbers" in page
    assert "& 0.666 & 1.5 & small" in report.evidence_to_latex([evidence])
    document = report.evidence_document([evidence], "1")
    assert [t["slack"] for t in entries(document)] == [evidence.slack, None]


def test_room_on_a_class_of_ones_own() -> None:
    found = claims.check_on(claims.get("BLM20:lemma-12"), classes.thresholds(4))
    assert found.slack == 2
    assert report.class_evidence_document([found], {})["claims"][0]["slack"] == 2  # type: ignore[index]  # a list
