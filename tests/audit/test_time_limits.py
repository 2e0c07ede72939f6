"""A time limit is obeyed by what reads no clock; without the alarm these tests never end."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pac_stability import _alarm, audit
from pac_stability._alarm import Alarm, TimeIsUp, limited
from pac_stability.audit.certificates import to_report
from pac_stability.audit.reports.html import audit_to_html
from pac_stability.audit.reports.text import audit_to_text, case_of
from pac_stability.audit.statistics import RunsUnfinished, privacy_bound
from pac_stability.classes import FiniteClass
from pac_stability.cli import loading, main
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.dimensions import star, star_number
from pac_stability.errors import BudgetExhausted
from pac_stability.randomness import Coins, SeededCoins

SOON = 0.05


def endless(sample: Sample[int], rng: Coins) -> int:
    """Never answers on one sample alone."""
    while sample.labels[0]:
        pass
    return rng.below(2)


def deaf(sample: Sample[int], rng: Coins) -> int:
    """Catches what an alarm raises, a few times."""
    for _ in range(2):
        with contextlib.suppress(BaseException):
            endless(sample, rng)
    return endless(sample, rng)


def many_paths(sample: Sample[int], rng: Coins) -> int:
    """Has 2**900 paths of its coins, the first of which take long."""
    return sum(rng.below(2) for _ in range(900)) % 2 + len(sample)


def at_the_end(sample: Sample[int], rng: Coins) -> int:
    """Answers every sample but the last."""
    while sample.labels == (1, 1):
        pass
    return rng.below(2)


PROGRAMS = (endless, deaf, many_paths, at_the_end)


def stopped(program: Callable[..., int], **options: object) -> audit.AuditResult:
    with pytest.raises(audit.AuditStopped, match=r"the time limit of 0.05 s was reached ") as stop:
        audit.differential_privacy(program, 1, 2, claim=1, time_limit=SOON, **options)  # type: ignore[arg-type]
    assert stop.value.partial is not None
    return stop.value.partial


@pytest.fixture(params=["by a signal", "by a thread"])
def how(request: pytest.FixtureRequest) -> Iterator[None]:
    """Alarms of both kinds: the signal is that of the tests' own time limit."""
    handler, left = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    if request.param == "by a signal":
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    known = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getsignal(signal.SIGALRM) is known
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *left)


@pytest.mark.usefixtures("how")
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_does_not_answer_is_ended(program: Callable[..., int]) -> None:
    assert stopped(program).verdict is audit.Verdict.SKIPPED


@pytest.mark.usefixtures("how")
def test_so_it_is_on_another_thread_and_where_processes_are_asked() -> None:
    found: list[audit.AuditResult] = []
    thread = threading.Thread(target=lambda: found.append(stopped(endless)))
    thread.start()
    thread.join()
    found.append(stopped(endless, processes=2))
    assert [each.verdict for each in found] == [audit.Verdict.SKIPPED] * 2


def test_what_is_about_draws_and_what_is_only_run_are_ended() -> None:
    coin = FiniteDistribution.uniform([0, 1])
    with pytest.raises(audit.AuditStopped, match="before an answer was known"):
        audit.global_stability(
            lambda _, rng: endless(Sample([0], [1]), rng), coin, 1, time_limit=SOON
        )

    def hangs(bit: int) -> int:
        while bit:
            pass
        return bit

    with pytest.raises(RunsUnfinished, match="the time ended after 100 of 200 runs") as ended:
        privacy_bound(hangs, [(0, 1)], runs=100, time_limit=SOON)
    assert ended.value.tallies[0].counts == {0: 100}


def test_where_nothing_was_examined_the_value_is_none() -> None:
    found = stopped(endless)
    report = to_report(found, "1")
    assert (report["value"], report["counts"]["outcomes"]) == (None, 0)  # type: ignore[index]
    assert repr(found) == "<AuditResult: differential-privacy, epsilon factor none, SKIPPED>"
    text = audit_to_text(found, "it")
    assert "value       none\n" in text
    for told in (text, audit_to_html(found, "it", "1"), case_of("it", found).message):
        assert "none" in told
        assert "e^epsilon" not in told
        assert "lower bound" not in told
        assert "Nothing random" not in told  # it was asked nothing to its end


def test_a_command_ends_while_it_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "LEAST", SOON)
    module = tmp_path / "never.py"
    module.write_text("while True:\n    pass\n")
    line = ["audit", f"{module}::f", "--notion", "differential-privacy", "--domain", "1"]
    assert main([*line, "--n", "1", "--time-limit", "0.05"]) == 3
    said = "pac-stability: inconclusive: the time limit of 0.05 s was reached while the algorithm "
    assert capsys.readouterr().err == f"{said}was loaded\n"


def test_a_star_number_is_ended_with_its_bounds() -> None:
    size = 40
    rows = [[(i >> k & 1) ^ (i % (k + 3) == 0) for k in range(size)] for i in range(400)]
    found = star(FiniteClass(rows), time_limit=SOON)
    assert 0 < found.lower < found.upper <= size
    with pytest.raises(BudgetExhausted, match="allow more time"):
        star_number(FiniteClass(rows), time_limit=SOON)


@pytest.mark.usefixtures("how")
def test_alarms_nest() -> None:
    with limited(None, "nothing"), Alarm(60), pytest.raises(TimeIsUp), Alarm(SOON):
        endless(Sample([0], [1]), SeededCoins(1))


class Slow:
    """Never lets a block begin."""

    def __enter__(self) -> None:
        endless(Sample([0], [1]), SeededCoins(1))

    def __exit__(self, *_: object) -> None:
        """Never reached."""


@pytest.mark.usefixtures("how")
def test_a_block_that_never_begins_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_alarm, "_AT_MOST", 3)
    with pytest.raises(TimeIsUp), Alarm(SOON), Slow():
        pass


def test_no_alarm_rings_where_python_would_ignore_it() -> None:
    class Kept:
        def __del__(self) -> None:
            found.append(_alarm._may_end(sys._getframe()))

    found = [_alarm._may_end(sys._getframe())]
    Kept()
    assert found == [True, False]


@pytest.mark.parametrize(
    ("stop", "raised"),
    [(KeyboardInterrupt, audit.AuditInterrupted), (TimeIsUp, audit.AuditStopped)],
)
def test_what_ends_inside_a_law_says_how_much_of_it_is_known(
    stop: type[BaseException], raised: type[BaseException]
) -> None:
    def program(rows: tuple[int, ...], rng: Coins) -> object:
        answers = [rng.below(2) for _ in range(3)]
        if rows == (1,) and answers == [1, 0, 1]:
            raise stop
        return sum(answers)

    said = r"program was asked on the sample \(1,\) \(5 paths are known, of probability 5/8\)"
    with pytest.raises(raised, match=said):
        audit.differential_privacy(program, 2, 1, labelled=False, time_limit=1000)


def test_published_noise_on_a_fine_grid_is_told_of_a_coarser_one() -> None:
    def program(rows: tuple[int, ...], rng: Any) -> object:
        noisy = rows[0] + rng.laplace(0, 10)
        if rng.below(2):
            raise KeyboardInterrupt
        return noisy

    with pytest.raises(audit.AuditInterrupted, match="probability 0; --grid 1 has fewer steps"):
        audit.differential_privacy(program, 2, 1, labelled=False)
