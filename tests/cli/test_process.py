"""The command as a process of its own: signals, terminals, pipes."""

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# A test runner may have been started with SIGINT ignored, which a child inherits.
START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from pac_stability.cli import main; sys.exit(main(sys.argv[1:]))"
)
HARD = ("--family", "random:1024x64:1/2:3", "--only", "littlestone,threshold,vc")
PATIENCE = 20  # seconds, only ever waited for when something is broken


class Terminal:
    """The master side of a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.seen = ""

    def read_until(self, text: str) -> str:
        """Everything that was written before ``text`` appeared, and ``text``."""
        while text not in self.seen:
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            assert ready, f"waited for {text!r}, saw {self.seen!r}"
            try:
                self.seen += os.read(self.master, 4096).decode()
            except OSError as error:  # the other side is closed
                raise AssertionError(f"{text!r} never came, only {self.seen!r}") from error
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def write(self, text: str) -> None:
        os.write(self.master, text.encode())

    def hang_up(self) -> None:
        """The process has its own copy of the slave side."""
        os.close(self.slave)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    yield opened
    os.close(opened.master)
    with contextlib.suppress(OSError):
        os.close(opened.slave)


def environment(**changes: str) -> dict[str, str]:
    """A plain terminal, whatever the tests run in."""
    # An unbuffered stream of Python loses, in silence, what a broken pipe did not take.
    left_out = ("NO_COLOR", "FORCE_COLOR", "PYTHONUNBUFFERED")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {"TERM": "xterm", "COLUMNS": "100"} | changes


@contextlib.contextmanager
def started(
    *words: object, program: str = START, env: dict[str, str] | None = None, **streams: Any
) -> Iterator[subprocess.Popen[Any]]:
    """The command, which does not outlive the test, whatever happens in it."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | streams
    command = [sys.executable, "-c", program, *map(str, words)]
    with subprocess.Popen(command, env=env or environment(), **streams) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(*command: object, **changes: str) -> subprocess.CompletedProcess[str]:
    """What a command prints, in a plain terminal but for some changes."""
    options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run([*map(str, command)], check=False, env=environment(**changes), **options)


OURS = (sys.executable, "-m", "pac_stability")


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_prints_the_bounds_so_far(terminal: Terminal, form: str) -> None:
    asked = ("dims", *HARD, *(["--json"] if form == "json" else []))
    with started(*asked, stderr=terminal.slave) as process:
        terminal.hang_up()
        # VC takes seconds, and threshold would take years.
        terminal.read_until("VC dimension")
        terminal.read_until("sub-problems")
        process.send_signal(signal.SIGINT)
        # Whoever stops reading a terminal blocks the process that writes to it.
        shown = terminal.read_until("the bounds above are certified")
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
    assert "Traceback" not in shown
    if form == "json":
        assert '"status": "interrupted"' in out
        return
    lines = out.splitlines()
    assert lines[3].split()[:3] == ["Littlestone", "10", "exact"]
    name, bounds, state = lines[4].split()[:3]
    lower, upper = (int(end) for end in bounds.split(".."))
    # The dimension is 8.
    assert (name, state) == ("VC", "bounds")
    assert lower <= 8 <= upper
    assert lines[-1] == "The search did not reach: threshold"


def test_a_game_in_a_terminal(terminal: Terminal, table: Path) -> None:
    end = terminal.slave
    with started("play", table, stdin=end, stdout=end, stderr=end) as process:
        terminal.hang_up()
        assert "Littlestone dimension 2" in terminal.read_until("your prediction> ")
        terminal.write("?\n")
        assert "SOA predicts 1: the two are equal" in terminal.read_until("your prediction> ")
        terminal.write("1\n")
        assert "label 0: a mistake" in terminal.read_until("your prediction> ")
        process.send_signal(signal.SIGINT)
        assert "1 mistake in 1 round" in terminal.read_until("interrupted")
        assert process.wait(PATIENCE) == 130


@pytest.mark.parametrize("no_color", [False, True])
def test_colours_on_a_terminal_unless_told_otherwise(
    terminal: Terminal, table: Path, no_color: bool
) -> None:
    env = environment(**({"NO_COLOR": "1"} if no_color else {}))
    with started("dims", table, stdout=terminal.slave, env=env) as process:
        terminal.hang_up()
        shown = terminal.read_until("threshold") + terminal.read_until(" s")
        assert process.wait(PATIENCE) == 0
    assert "Littlestone" in shown
    assert ("\x1b[" in shown and "32m" in shown) is not no_color


def test_without_rich_a_terminal_gets_plain_text(terminal: Terminal) -> None:
    without = f"import sys; sys.modules['rich'] = None; {START}"
    with started("dims", *HARD, program=without, stderr=terminal.slave) as process:
        terminal.hang_up()
        shown = terminal.read_until("VC dimension") + terminal.read_until("sub-problems")
        process.send_signal(signal.SIGINT)
        terminal.read_until("the bounds above are certified")
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
    assert "\r\x1b[KVC dimension" in shown


def test_a_row_appears_before_the_next_search_ends() -> None:
    searches = ("--only", "littlestone,threshold", "--time-limit", "none")
    with started("dims", *HARD[:2], *searches) as process:
        assert process.stdout is not None
        # The threshold search would take years: this row cannot have waited for it.
        shown = [process.stdout.readline() for _ in range(4)]
        process.send_signal(signal.SIGINT)
        rest, message = process.communicate(timeout=PATIENCE)
    assert shown[3].split()[:3] == ["Littlestone", "10", "exact"]
    assert "threshold" in rest
    assert (process.returncode, message.count("\n")) == (130, 1)


def test_sigterm_asks_for_what_is_known_where_interrupts_are_ignored() -> None:
    ignored = START.replace("signal.default_int_handler", "signal.SIG_IGN")
    assert ignored != START
    with started("dims", *HARD[:2], "--time-limit", "none", program=ignored) as process:
        assert process.stdout is not None
        for _ in range(4):
            process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        out, message = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "threshold" in out
    assert "the bounds above are certified" in message


def test_a_shell_is_told_what_may_come_next(tmp_path: Path) -> None:
    pytest.importorskip("argcomplete")
    line, told = "pac-stability dims --fam", tmp_path / "told"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(told),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
    }
    done = ended(*OURS, **asked)
    assert (done.returncode, told.read_text().split()) == (0, ["--family"])


def test_progress_stays_off_a_pipe() -> None:
    done = ended(*OURS, "dims", *HARD, "--time-limit", "0.3")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)  # what may narrow the bounds
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    module = "import runpy; runpy.run_module('pac_stability', run_name='__main__', alter_sys=True)"
    with started("tree", "--family", "cube:14", program=module, text=False) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"0\n"
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 141


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("verb", ["dims", "tree", "play"])
def test_closed_streams_are_no_error(table: Path, verb: str, closed: str) -> None:
    done = ended("/bin/sh", "-c", f'"$@" {closed}', "sh", *OURS, verb, table)
    assert (done.returncode, done.stderr) == (0, "")
    assert (done.stdout == "") is (closed == ">&-")


def test_an_encoding_without_the_letters_is_no_error(table: Path) -> None:
    done = ended(*OURS, "tree", table, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("middle\n|-0- high")


def test_help_loads_no_command_and_nothing_of_the_network() -> None:
    code = (
        "import sys; from pac_stability.cli import main; main(['--help']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = ended(sys.executable, "-c", code)
    assert done.returncode == 0
    loaded = set(done.stderr.split())
    assert "pac_stability.cli.app" in loaded
    commands = {f"pac_stability.cli.{name}" for name in ("dims", "tree", "play", "audit")}
    assert not loaded & {*commands, "http.client", "urllib.request", "rich", "flint"}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["dims", "--help"], ["tree", "-h"], ["play", "-h"], ["audit", "-h"]]
)
def test_help_has_examples_and_the_exit_codes(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from pac_stability.cli import main

    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "examples:\n  pac-stability" in shown
    assert "3 inconclusive" in shown


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    from pac_stability import __version__
    from pac_stability.cli import main

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pac-stability {__version__}\n"
