"""The bench: what it measures, what it says got slower, and the page that it writes."""

import itertools
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from shared_tools import JOBS, bench, job, measure, page

ROOT = Path(__file__).parents[2]


def spin(count: int) -> measure.Task:
    """Build a program that counts."""
    return lambda: lambda: (sum(range(count)), count)


def test_programs_take_turns_and_are_stopped_one_by_one() -> None:
    def endless() -> measure.Run:
        def run() -> tuple[int, int]:
            while True:
                pass

        return run

    def dead() -> measure.Run:
        raise SystemExit(1)

    found = measure.measure(
        {"quick": spin(1000), "slow": spin(300_000), "endless": endless, "dead": dead},
        limit=0.3,
        rounds=3,
    )
    assert len(found["quick"].seconds) == 3
    assert found["quick"].value == sum(range(1000))
    assert all(seconds > 0 for seconds in found["slow"].seconds)
    assert found["endless"].seconds == found["dead"].seconds == ()
    assert found["endless"].median is None


def test_what_is_short_is_run_several_times_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def now() -> float:
        return clock[0]

    monkeypatch.setattr(measure, "time", SimpleNamespace(process_time=now, perf_counter=now))

    def lasting(seconds: float) -> measure.Task:
        calls = itertools.count(1)

        def run() -> tuple[int, int]:
            clock[0] += seconds
            return next(calls), 0

        return lambda: run

    names = {"4 ms": 0.004, "10 ms": 0.01, "1 s": 1.0, "nothing": 0.0}
    tasks = {name: lasting(seconds) for name, seconds in names.items()}
    found = measure.measure(tasks, limit=100, rounds=2)
    # The first turn is of one run; the others are of what takes 10 ms, but of no more than 1,000.
    assert {name: found[name].value for name in names} == {
        "4 ms": 1 + 3 + 3,
        "10 ms": 3,
        "1 s": 3,
        "nothing": 2001,
    }
    for name, seconds in names.items():
        assert found[name].seconds == pytest.approx((seconds, seconds))


def test_two_programs_that_do_not_agree_end_the_run() -> None:
    asked = job.Job("", ["one"], lambda _: spin(10)(), (job.informed(lambda _: spin(11)()),))
    with pytest.raises(SystemExit, match="do not agree"):
        list(asked.rows(["one"], limit=1, rounds=1))


def row(ours: tuple[float, ...], theirs: tuple[float, ...]) -> job.Row:
    """What a run found, made up."""
    found = {"library": measure.Measurement(ours, 1, 1), "informed": measure.Measurement(theirs)}
    return job.Row("thresholds:4096", found)


def test_seconds_that_others_printed_stand_beside_what_was_run() -> None:
    def never(_: str) -> measure.Run:
        raise SystemExit("nothing of theirs is run")

    peer = job.Baseline("theirs", never, published={"one": 126.0})
    asked = job.Job("What.", ["one"], lambda _: spin(1)(), (peer,))
    (found,) = asked.rows(["one"], limit=1, rounds=1)
    assert found.found["theirs"].seconds == (126.0,)


def test_the_time_of_a_command_is_that_of_its_process() -> None:
    before, own = measure.processor(), time.process_time()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    assert measure.processor() - before > time.process_time() - own


def test_what_got_slower_beside_its_baselines_is_told() -> None:
    kept = {"vc": {"thresholds:4096": page.beside_baselines(row((1.0, 1.2, 1.1), (4.0, 4.4)))}}
    assert not bench.complaints("vc", [row((1.6, 1.5, 1.4), (4.0,))], kept)
    (told,) = bench.complaints("vc", [row((1.8, 1.8, 1.8), (4.0,))], kept)
    assert told.startswith("slower: vc, thresholds:4096: 1.7 times")
    # A machine on which everything takes three times as long is no regression.
    assert not bench.complaints("vc", [row((3.3,), (12.0,))], kept)
    (told,) = bench.complaints("vc", [row((), (4.0,))], kept)
    assert told.startswith("not in time: vc, thresholds:4096")
    assert not bench.complaints("vc", [row((9.0,), ())], kept)


def test_a_table_shows_who_was_quicker() -> None:
    table = page.table([row((0.002, 0.001, 0.004), (0.0005, 0.001))], 10)
    assert "| thresholds:4096 | 1 | 1 | 2.00 (1.00-4.00) | 0.750 (0.500-1.00) |" in table
    assert "| 0.375 (0.125-1.00) |" in table
    assert "| stopped | > 5,000 |" in page.table([row((0.002,), ())], 10)


def test_how_cost_grows_is_fitted_kept_and_compared() -> None:
    sizes = {f"{n} rows": n for n in (1, 2, 4, 8, 16)}
    asked = job.Job("What.", sizes, lambda _: spin(1)(), (), sizes=sizes)

    def rows(power: float) -> list[job.Row]:
        return [
            job.Row(name, {"library": measure.Measurement((0.001 * n**power,), 1, 1, n)})
            for name, n in sizes.items()
        ]

    assert page.exponents(asked, rows(2.0)) == pytest.approx({"library": 2.0})
    text = page.with_job("", "rows", asked, rows(1.5), 10)
    assert f"{page.GROWS} library 1.50. The library's process held 16 MB at most." in text
    assert page.recorded(text, "rows") == 1.5
    assert page.recorded(page.with_job(text, "vc", JOB, [row((1.0,), ())], 10), "vc") is None
    assert not bench.grown("rows", 1.5, 1.7)
    (told,) = bench.grown("rows", 1.5, 1.9)
    assert told == "steeper: rows: to the power 1.90, was 1.50\n"
    assert page.curves(asked, rows(1.0))["library"][-1] == (16, 0.016)


JOB = job.Job("What.", [], lambda _: spin(1)(), ())


def test_a_job_that_is_measured_again_leaves_the_others_on_the_page() -> None:
    first = page.with_job("", "vc", JOB, [row((1.0,), (2.0,))], 10)
    both = page.with_job(first, "draws", JOB, [row((1.0,), (4.0,))], 10)
    again = page.with_job(both, "vc", JOB, [row((1.0,), (8.0,))], 10)
    assert again.startswith(page.HEAD)
    assert again.index("## vc") < again.index("| 8,000 |") < again.index("## draws")
    assert "| 4,000 |" in again
    assert "| 2,000 |" not in again


def test_the_page_has_the_jobs_that_there_are() -> None:
    written = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")
    assert written.startswith(page.HEAD)
    shown = [line.removeprefix("## ") for line in written.splitlines() if line.startswith("## ")]
    assert shown == list(JOBS)
    for asked in JOBS.values():
        for baseline in asked.baselines:
            assert set(baseline.instances or ()) <= set(asked.instances)
