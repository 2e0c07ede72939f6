"""The bench: what it measures, what it says got slower, and the page that it writes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from shared_tools import history, measure, page, sections

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
        assert found[name].first == pytest.approx(seconds)
        assert found[name].seconds == found[name].wall == pytest.approx((seconds, seconds))


def test_two_programs_that_do_not_agree_end_the_run() -> None:
    section = sections.Section(
        "",
        ["one"],
        lambda _: spin(10)(),
        (sections.Baseline("wrong", lambda _: spin(11)()),),
    )
    with pytest.raises(SystemExit, match="do not agree"):
        list(section.rows(["one"], limit=1, rounds=1))


def lines(ours: tuple[float, ...], theirs: tuple[float, ...]) -> list[history.Line]:
    """One line of a run that was made up."""
    programs = {
        "library": history.Program(ours, None, None, 1),
        "informed": history.Program(theirs, None, None, 0),
    }
    run = {"when": "2000-01-01 00:00", "of": "v", "machine": "m", "python": "3", "numpy": "2"}
    return [history.Line(run, "vc", "thresholds:4096", 10.0, "1", programs)]


def test_what_got_slower_beside_its_baselines_is_told() -> None:
    before = lines((1.0, 1.2, 1.1), (4.0, 4.4, 4.0))
    assert not list(history.slower(before, lines((1.6, 1.5, 1.4), (4.0,))))
    (told,) = history.slower(before, lines((1.7, 1.7, 1.7), (4.0,)))
    assert "vc, thresholds:4096: 1.5 times as long as on 2000-01-01" in told
    # A machine on which everything takes three times as long is no regression.
    assert not list(history.slower(before, lines((3.3,), (12.0,))))
    (told,) = history.slower(before, lines((), (4.0,)))
    assert "now not less than 10" in told
    # Without a baseline only the same machine can tell.
    alone = [replace(line, programs={"library": line.programs["library"]}) for line in before]
    late = lines((2.0,), ())
    assert len(list(history.slower(alone, late))) == 1
    elsewhere = [replace(line, run={**line.run, "machine": "other"}) for line in late]
    assert not list(history.slower(alone, elsewhere))


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    kept = lines((1.0, 2.0), ())
    history.append(tmp_path / "kept", kept)
    history.append(tmp_path / "kept", kept)
    assert history.read(tmp_path / "kept") == kept * 2
    assert not history.read(tmp_path / "none")


def test_a_table_shows_who_was_quicker() -> None:
    (line,) = lines((0.002, 0.001, 0.004), (0.0005, 0.001))
    table = page.compared([line])
    assert "| thresholds:4096 | 1 | 1 | 2.00 (1.00-4.00) | 0.750 (0.500-1.00) |" in table
    assert "| 0.375 (0.125-1.00) |" in table
    (stopped,) = lines((0.002,), ())
    assert "| stopped | > 5,000 |" in page.compared([stopped])


def test_the_page_is_what_the_history_says() -> None:
    kept = history.read(ROOT / "docs" / "runs" / "bench.jsonl")
    written = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")
    assert page.written(kept) == written, "python -m tools.bench --page"


def test_every_section_has_quick_instances_and_most_two_baselines() -> None:
    for title, section in sections.SECTIONS.items():
        assert section.quick, title
        assert set(section.quick) <= set(section.names), title
        for baseline in section.baselines:
            assert baseline.without < set(section.names), (title, baseline.label)
    both = [
        t
        for t, s in sections.SECTIONS.items()
        if {"definition", "informed"} <= {b.label for b in s.baselines}
    ]
    assert len(both) >= 15
