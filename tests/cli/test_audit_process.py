"""The audit as a process of its own: progress on a terminal, Ctrl-C, checkpoints, workers."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pac_stability.audit.options import Progress
from pac_stability.cli import output

Command = Callable[..., Any]

# A test runner may have been started with SIGINT ignored, which a child inherits.
START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from pac_stability.cli import main; sys.exit(main(sys.argv[1:]))"
)
PATIENCE = 20  # seconds, only ever waited for when something is broken

# Samples of 5 examples over 4 points: 32,768 of them, each of which takes a moment.
LEARNER = """\
from fractions import Fraction

def flipped(sample, point, rng):
    return sample.labels[rng.below(len(sample))] ^ rng.bernoulli(Fraction(1, 4))
"""
ASKED = ("--notion", "private-prediction", "--domain", "4", "--n")
LONG = (*ASKED, "5")


@pytest.fixture
def learner(tmp_path: Path) -> str:
    path = tmp_path / "learner_in_a_process.py"
    path.write_text(LEARNER)
    return f"{path}::flipped"


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    with contextlib.suppress(OSError):
        os.close(slave)


def read_until(master: int, text: str) -> str:
    seen = ""
    while text not in seen:
        ready, _, _ = select.select([master], [], [], PATIENCE)
        assert ready, f"waited for {text!r}, saw {seen!r}"
        seen += os.read(master, 4096).decode()
    return seen


def environment() -> dict[str, str]:
    left_out = ("NO_COLOR", "FORCE_COLOR", "PYTHONUNBUFFERED")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {"TERM": "xterm", "COLUMNS": "120"}


@pytest.mark.parametrize("rich", [True, False])
def test_ctrl_c_keeps_the_checkpoint_and_the_audit_goes_on(
    terminal: tuple[int, int], learner: str, tmp_path: Path, rich: bool
) -> None:
    master, slave = terminal
    checkpoint = tmp_path / "audit.checkpoint"
    start = START if rich else f"import sys; sys.modules['rich'] = None; {START}"
    with subprocess.Popen(
        [sys.executable, "-c", start, "audit", learner, *LONG, "--checkpoint", str(checkpoint)],
        stdout=subprocess.PIPE,
        stderr=slave,
        text=True,
        env=environment(),
    ) as process:
        try:
            os.close(slave)
            shown = read_until(master, " left")
            process.send_signal(signal.SIGINT)
            shown += read_until(master, "has the answers so far")
            out, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "of 32,768 samples; the value is a lower bound" in " ".join(out.split())
    assert "private prediction" in shown
    assert "of 32,768, " in shown
    assert all(x in shown for x in ("interrupted while", f"; {checkpoint} has the answers so far"))
    assert "Traceback" not in shown
    assert json.loads(checkpoint.read_text())["format"].startswith("pac-stability")


@pytest.mark.parametrize("no_color", [False, True])
def test_the_verdict_has_a_colour_on_a_terminal_unless_told_otherwise(
    terminal: tuple[int, int], learner: str, no_color: bool
) -> None:
    master, slave = terminal
    with subprocess.Popen(
        [sys.executable, "-c", START, "audit", learner, *ASKED, "1", "--claim", "0.1"],
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env=environment() | ({"NO_COLOR": "1"} if no_color else {}),
    ) as process:
        os.close(slave)
        shown = read_until(master, "the claim fails")
        assert process.wait(PATIENCE) == 1
    assert ("\x1b[1;31mREFUTED\x1b[0m: " in shown) is not no_color


def test_a_checkpoint_of_a_stopped_audit_is_finished(
    command: Command, learner: str, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "audit.checkpoint"
    # Far more than is answered before the time is looked at for the first time.
    asked = ("audit", learner, *ASKED, "4", "--checkpoint", checkpoint)
    stopped = command(*asked, "--time-limit", "0.001")
    assert stopped.code == 3
    assert "time limit" in stopped.err
    assert "verdict     VERIFIED" not in stopped.out
    finished = command(*asked)
    assert (finished.code, finished.err) == (0, "")
    assert not checkpoint.exists()
    # 8 examples: 4,096 samples of 4, each with 28 neighbours; p = 1/4 + k/8.
    assert "4,096 samples, 114,688 pairs of neighbours" in finished.out
    assert "e^epsilon = 3/2 (1.5)" in finished.out


def test_two_processes_say_the_same(command: Command, learner: str) -> None:
    answers = [
        command("audit", learner, *ASKED, "2", "--json", *more).out
        for more in ((), ("--processes", "2"))
    ]
    assert json.loads(answers[0]) == json.loads(answers[1])


def test_too_many_pairs_are_refused_before_anything_is_asked(
    command: Command, learner: str
) -> None:
    result = command("audit", learner, *LONG, "--max-pairs", "1000")
    assert (result.code, result.out) == (3, "")
    # 8^5 samples with 35 neighbours each.
    assert "1,146,880 pairs" in result.err
    assert "more than --max-pairs 1000; --max-pairs 1146880 would do" in result.err


@pytest.mark.parametrize(("remaining", "shown"), [
    (None, "asking 12 of 3,400"), (7.2, "asking 12 of 3,400, 0:08 left"),
    (59.9, "asking 12 of 3,400, 1:00 left"), (3725.0, "asking 12 of 3,400, 1:02:05 left"),
])  # fmt: skip
def test_the_time_that_is_left(remaining: float | None, shown: str) -> None:
    assert output._of_audit(Progress("asking", 12, 3400, 1.0, remaining)).state == shown


STALE = """\
from fractions import Fraction

def learner(sample, x, rng):
    {}return rng.bernoulli(Fraction(1, 2))
"""


def test_an_edited_learner_is_asked_again(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fair coin is audited with a checkpoint, then edited so that one sample leaks."""
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    file, checkpoint = tmp_path / "stale_learner.py", tmp_path / "stale.checkpoint"
    file.write_text(STALE.format(""))
    asked = (
        *("audit", f"{file}::learner", "--notion", "private-prediction", "--domain", "2"),
        *("--n", "4", "--claim", "0.5", "--checkpoint", checkpoint),
    )
    assert command(*asked, "--time-limit", "1e-9").code == 3
    kept = checkpoint.read_bytes()
    file.write_text(STALE.format("if sample.labels == (1, 1, 1, 0): return 1\n    "))
    refuted = command(*asked)
    assert refuted.code == 1
    assert "verdict     REFUTED" in refuted.out
    assert "is of other code: the module stale_learner changed since" in " ".join(
        refuted.out.split()
    )
    assert "came from a checkpoint" not in refuted.out
    assert (tmp_path / "stale.checkpoint.old").read_bytes() == kept
    assert not checkpoint.exists()


def test_the_report_says_how_many_answers_came_from_a_file(
    command: Command, learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = tmp_path / "audit.checkpoint"
    asked = ("audit", learner, *ASKED, "2", "--checkpoint", checkpoint)
    with monkeypatch.context() as slowly:  # a sample at a time, so that it stops at once
        slowly.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
        assert command(*asked, "--time-limit", "1e-9").code == 3
    kept = checkpoint.read_bytes()
    for more in ((), ("--check-cache", "2"), ("--check-cache", "100%")):
        checkpoint.write_bytes(kept)
        text = " ".join(command(*asked, *more).out.split())
        assert "of the 64 answers came from a checkpoint, which says that the same code" in text
    checkpoint.write_bytes(kept)
    document = json.loads(command(*asked, "--json").out)
    assert 0 < document["kept"] <= 64
    assert "came from a checkpoint" in " ".join(document["assumptions"])
    checkpoint.write_bytes(kept)
    assert json.loads(command(*asked, "--json", "--fresh").out)["kept"] == 0
    assert not checkpoint.exists()


def test_options_about_a_checkpoint_need_one(command: Command, learner: str) -> None:
    for option in (("--fresh",), ("--check-cache", "3")):
        result = command("audit", learner, *ASKED, "2", *option)
        assert result.code == 2
        assert f"{option[0]}: got no --checkpoint" in result.err
    for bad in ("x", "-1", "101%", "3/2"):
        assert command("audit", learner, *ASKED, "2", "--check-cache", bad).code == 2


def test_work_that_takes_long_says_how_it_ends(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "LATE", 0.001)
    with output.told_late("it ends so"):
        while signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
            pass  # until the words are due
    with output.told_late("not told"):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert capfd.readouterr().err == "it ends so\n"
