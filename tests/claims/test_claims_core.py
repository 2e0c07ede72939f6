"""Claims, trials, evidence, the runner and its cache."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import claims
from pac_stability.audit.options import Progress
from pac_stability.claims import (
    Budget,
    Cache,
    Claim,
    Expectation,
    Kind,
    Method,
    Status,
    Tally,
    Whose,
    trial,
)
from pac_stability.claims.kit import Finding, fails, holds, settle, supported, undecided
from shared_refusals import refuses


def numbers(budget: Budget) -> Iterator[int]:
    yield from range(budget.pick(5, 20, 100))


def below(bound: int, number: int) -> Finding:
    return settle(number < bound, f"{number} >= {bound}")


def claim(*, subject: int = 1000, mutant: int | None = 3, key: str = "DF20:lemma-0") -> Claim:
    asked = trial("numbers", below, numbers, subject=subject, mutant=mutant, universe="integers")
    code = ("classes.FiniteClass",)
    return Claim(key, Kind.LEMMA, "small", "n < 1000", code, (asked,), whose=Whose.OURS)


def test_what_survives_counts_instances() -> None:
    evidence = claims.check(claim())
    assert (evidence.status, evidence.instances) == (Status.SURVIVED, 5)
    assert evidence.as_expected
    assert claims.check(claim(), Budget.STANDARD).instances == 20


def test_the_first_counterexample_is_reported_and_not_expected() -> None:
    evidence = claims.check(claim(subject=2))
    assert (evidence.status, evidence.counterexample) == (Status.REFUTED, "2 >= 2")
    assert evidence.instances == 3  # the rest would not change it
    assert not evidence.as_expected


def test_what_fails_as_printed_must_be_refuted() -> None:
    printed = replace(
        claim(subject=2),
        whose=Whose.PRINTED,
        where="Section 2",
        expectation=Expectation.FAILS,
        repaired_by="DF20:lemma-0.repaired",
    )
    assert claims.check(printed).as_expected
    kept = replace(printed, trials=claim().trials)
    assert not claims.check(kept).as_expected


def test_what_fails_must_be_refuted_by_each_trial() -> None:
    refuting = trial("small", below, numbers, subject=2, universe="integers")
    again = trial("smaller", below, numbers, subject=1, universe="integers")
    other = trial("others", below, numbers, subject=1000, universe="integers")
    printed = replace(
        claim(),
        whose=Whose.PRINTED,
        where="Section 2",
        expectation=Expectation.FAILS,
        repaired_by="DF20:lemma-0.repaired",
        trials=(refuting, again),
    )
    assert claims.check(printed).as_expected
    evidence = claims.check(replace(printed, trials=(refuting, other)))
    assert evidence.status is Status.REFUTED
    assert not evidence.as_expected


def test_no_instance_is_no_success() -> None:
    nothing = trial("none", below, lambda _: (), subject=1, mutant=0, universe="nothing")
    evidence = claims.check(replace(claim(), trials=(nothing,)))
    assert evidence.status is Status.EMPTY
    assert not evidence.as_expected


def test_a_trial_that_cannot_fail_is_found_out() -> None:
    assert claims.notices_mutants(claim()) == ()
    assert claims.notices_mutants(claim(mutant=5)) == ("numbers",)


def test_the_worst_trial_decides() -> None:
    def ask(finding: Finding, _: int) -> Finding:
        return finding

    def evidence(*findings: Finding) -> claims.Evidence:
        trials = tuple(
            trial(str(i), ask, numbers, subject=f, mutant=fails("no"), universe="integers")
            for i, f in enumerate(findings)
        )
        return claims.check(replace(claim(), trials=trials))

    drawn = supported(Fraction(1, 100))
    assert evidence(holds(), drawn).status is Status.SUPPORTED
    assert evidence(holds(), drawn).misled == Fraction(5, 100)
    assert evidence(drawn, undecided("0 to 1")).status is Status.BOUNDED
    assert evidence(undecided("0 to 1"), fails("3 > 2")).status is Status.REFUTED


def test_asymptotic_claims_are_recorded() -> None:
    recorded = Claim(
        "DF20:theorem-0",
        Kind.THEOREM,
        "a limit",
        "as n grows",
        ("classes.FiniteClass",),
        method=Method.ASYMPTOTIC,
        expectation=Expectation.RECORDED,
        whose=Whose.OURS,
    )
    evidence = claims.check(recorded)
    assert evidence.status is Status.RECORDED
    assert evidence.as_expected
    evidence = claims.check(replace(recorded, method=Method.OPEN))
    assert evidence.status is Status.OPEN
    assert evidence.as_expected


@pytest.mark.parametrize("change", [
    {"key": "lemma-0"},
    {"key": "xy99:lemma-0"},
    {"trials": ()},
    {"method": Method.ASYMPTOTIC},
    {"expectation": Expectation.FAILS},
    {"repaired_by": "DF20:lemma-0.repaired"},
    {"whose": Whose.PRINTED},  # and no word where
    {"kind": Kind.REPAIR, "whose": Whose.PROOF, "where": "Section 2"},
])  # fmt: skip
def test_contradictory_claims(change: dict[str, object]) -> None:
    made = claim()
    fields = {name: getattr(made, name) for name in Claim.__slots__}
    assert Claim(**fields) == made
    refuses("", Claim, **{**fields, **change})


@pytest.mark.parametrize("expectation", [e for e in Expectation if e.refuted])
@pytest.mark.parametrize("whose", Whose)
def test_words_fit_whose_sentence_it_is(expectation: Expectation, whose: Whose) -> None:
    # "Fails as printed" is said of a printed statement only, and nothing of ours is left refuted.
    fitting = {
        Whose.PRINTED: {Expectation.FAILS, Expectation.MISPRINT, Expectation.RANGE},
        Whose.PROOF: {Expectation.STEP, Expectation.MISPRINT, Expectation.RANGE},
        Whose.READING: {Expectation.READING},
        Whose.OURS: set(),
    }

    def make() -> Claim:
        return replace(
            claim(subject=2),
            whose=whose,
            where="Section 2",
            expectation=expectation,
            repaired_by="DF20:lemma-0.repaired",
        )

    if expectation in fitting[whose]:
        made = make()
        assert claims.check(made).word == expectation.word_for("refuted") != "refuted"
    else:
        refuses("its source", make)


@pytest.mark.parametrize(("whose", "expectation"), [
    (Whose.PRINTED, Expectation.FAILS), (Whose.PRINTED, Expectation.RANGE),
    (Whose.PROOF, Expectation.STEP), (Whose.READING, Expectation.READING),
])  # fmt: skip
def test_a_definition_does_not_fail(whose: Whose, expectation: Expectation) -> None:
    misprint = replace(
        claim(),
        kind=Kind.DEFINITION,
        whose=Whose.PRINTED,
        where="Section 2",
        expectation=Expectation.MISPRINT,
        repaired_by="DF20:lemma-0.repaired",
    )
    refuses("cannot fail", replace, misprint, whose=whose, expectation=expectation)


@pytest.mark.parametrize(("key", "place"), [
    ("BLM20:lemma-12", "FOCS 2020, Section IV-B, Lemma 12"),
    ("BLM20:lemma-12.independence", "FOCS 2020, Section IV-B, proof of Lemma 12"),
    ("BLM20:lemma-12.repaired", ""),
    ("BLM20:theorem-2", "arXiv 2020, Section 1.1, Theorem 2"),
    ("DF20:section-1.1.lines", "COLT 2020, Section 1.1"),
    ("DF20:appendix-a.mixtures", "COLT 2020, Appendix A"),
    ("DF20:definition-net", "COLT 2020, Section 2.1"),
    ("DF20:equation-15", "COLT 2020, Appendix D, Equation 15"),
    ("DF20:definition-private-prediction.arxiv", "arXiv 2019, Section 1"),
    ("CLNRW16:composition-robust", "COLT 2016, Section 1.1"),
    ("CLNRW16:theorem-40", "COLT 2016, Section 5.2, Theorem 40"),
])  # fmt: skip
def test_where_a_sentence_stands(key: str, place: str) -> None:
    assert claims.get(key).place == place


def test_what_is_expected_to_fail_and_holds_is_no_word_but_the_status() -> None:
    kept = replace(
        claim(),
        whose=Whose.READING,
        where="Section 2",
        expectation=Expectation.READING,
        repaired_by="DF20:lemma-0.repaired",
    )
    assert claims.check(kept).word == "survived"
    assert claims.check(claim(subject=2)).word == "refuted"


def test_a_claim_that_holds_needs_a_mutant() -> None:
    refuses("mutant", claim, mutant=None)


def test_tallies_of_parts_add_up_to_the_whole() -> None:
    asked = claim(subject=17).trials[0]
    parts = [Tally.of(asked.findings(Budget.DEEP, start=s, step=7)) for s in range(7)]
    total = sum(parts, Tally())
    assert total.refuting == (17, "17 >= 17")


def test_a_deep_run_has_more_than_a_standard_one_and_ever_fewer_of_what_is_left() -> None:
    def asked(most: int, *, exhaustive: bool = False) -> list[int]:
        seen: list[int] = []

        def look(_: int, x: int) -> Finding:
            seen.append(x)
            return settle(True, "")

        one = trial(
            "squares",
            look,
            lambda budget: range(budget.pick(3, most, 2048)),
            subject=1,
            mutant=2,
            universe="integers",
            extent="numbers" if exhaustive else "",
        )
        for _ in one.findings(Budget.DEEP):
            pass
        return seen

    assert asked(2048) == asked(5, exhaustive=True) == list(range(2048))
    few = asked(5)
    assert few[:5] == [0, 1, 2, 3, 4]
    assert few[5:9] == [5, 6, 7, 8]  # all of the first 64
    assert [x for x in few if 64 <= x < 128] == list(range(64, 128, 2))
    assert [x for x in few if x >= 1024] == list(range(1024, 2048, 32))
    many = asked(1000)
    assert many[:1000] == list(range(1000))
    assert many[1000:] == list(range(1000, 2000, 2)) + list(range(2000, 2048, 4))


def test_the_same_evidence_wherever_it_runs() -> None:
    chosen = claims.select(["DF20:appendix-a.*"])
    here = {e.claim.key: e for e in claims.verify(chosen)}
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for executor in (threads, processes):
            assert {e.claim.key: e for e in claims.verify(chosen, executor=executor)} == here


def test_the_cache_answers_the_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = claims.select(["DF20:appendix-a.*"])
    cache = Cache(tmp_path / "new")
    first = list(claims.verify(chosen, cache=cache))

    def never(task: object) -> Tally:
        raise AssertionError(task)

    monkeypatch.setattr("pac_stability.claims.running.run_task", never)
    assert list(claims.verify(chosen, cache=cache)) == first
    for file in (tmp_path / "new").iterdir():
        file.write_text("{", encoding="utf-8")  # as if the disk had been full
    with pytest.raises(AssertionError):
        list(claims.verify(chosen, cache=cache))


def test_progress_reaches_the_end() -> None:
    seen: list[Progress] = []
    list(claims.verify(claims.select(["DF20:appendix-a.*"]), progress=seen.append))
    assert (seen[-1].done, seen[-1].total) == (2, 2)


def test_unknown_keys() -> None:
    refuses("DF20:appendix-a", claims.get, "DF20:appendix-a")
    refuses("item: got", claims.select, ["DF21:*"])


def test_order_of_use() -> None:
    first, second = claim(key="DF20:lemma-1"), claim(key="DF20:lemma-2")
    first = replace(first, uses=("DF20:lemma-2",))
    assert claims.in_order_of_use([first, second]) == (second, first)
    refuses("circle", claims.in_order_of_use, [first, replace(second, uses=("DF20:lemma-1",))])
